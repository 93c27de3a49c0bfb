// What the solver tells: middle-click in every mode, memory, warnings with a count and the first.
#include "net.h"
#include "plugin/SOP_Purl_Solver.h"
#include "purl/host/cloth_from_detail.h"
#include "purl/host/fabric_attribute.h"
#include "purl/host/pattern_detail.h"
#include "sheet.h"

#include <GEO/GEO_Face.h>

namespace purl::test {

namespace {

constexpr double kFps = 240;
constexpr int kLast = 10; // all lie on the floor by then

Detail knit() {
    PatternEntry e;
    e.settings.wales = 5;
    e.settings.courses = 4;
    e.lie = true;
    e.centre = Vec3(0, 0.002, 0);
    return patternDetail(e, "wool");
}

Detail sheet(const char* draft, bool painted) { return lyingSheet(6, 5, 0.0005, draft, painted); }

std::map<std::string, std::string> infoOf(SOP_Node* solver, int frame) {
    UT_InfoTree tree;
    OP_NodeInfoTreeParms parms;
    parms.time = CHgetManager()->getTime(frame);
    solver->fillInfoTreeNodeSpecific(tree, parms);
    return {tree.children.at("Purl")->properties.begin(),
            tree.children.at("Purl")->properties.end()};
}

struct Solved : Net {
    SOP_Node* solver;
    explicit Solved(const Detail& d, const char* stepping = "explicit") {
        CHgetManager()->fps = kFps;
        solver = add("purl::solver::1.0", "solver1", {source("input", fixed(d))});
        set(solver, "useground", 1);
        set(solver, "stepping", stepping);
        set(solver, "gravity", -60, 1); // so that they are there soon
        cook(solver, kLast);
        EXPECT_EQ(errors(solver), "");
    }
    ~Solved() { CHgetManager()->fps = 24; }
    double said(const char* key) { return std::atof(infoOf(solver, kLast).at(key).c_str()); }
};

} // namespace

TEST(Manners, MiddleClickTellsOfEveryMode) {
    const Detail inputs[] = {knit(), knit(), sheet(nullptr, false), sheet("plain", false),
                             sheet("plain", true)};
    const char* names[] = {"yarn", "implicit", "cloth", "fabric", "mixed"};
    for (int k = 0; k < 5; ++k) {
        Solved s(inputs[k], k == 1 ? "implicit" : "explicit");
        SCOPED_TRACE(names[k]);
        EXPECT_GT(s.said("Points"), 10);
        EXPECT_GT(s.said("Steps"), 0);
        EXPECT_GT(s.said("Seconds"), 0);
        EXPECT_GT(s.said("Memory (MB)"), 0);
        EXPECT_EQ(s.said("Solved up to frame"), kLast);
        // Points that the floor corrected in a frame's last step: not in every frame.
        // Cloth that has come to rest needs no iterations either.
        double most = 0, iterations = 0;
        for (int f = 1; f <= kLast; ++f) {
            const auto info = infoOf(s.solver, f);
            most = std::max(most, std::atof(info.at("On colliders").c_str()));
            if (k > 0) iterations = std::max(iterations, std::atof(info.at("Iterations").c_str()));
        }
        EXPECT_GT(most, 0);
        EXPECT_EQ(s.said("Yarns") > 0, k != 2);
        if (k != 2) EXPECT_GT(s.said("Contacts"), 0);
        if (k == 0 || k == 1) EXPECT_LT(s.said("Smallest gap"), 1);
        if (k == 0) EXPECT_GT(s.said("Contact updates"), 0);
        if (k > 0) EXPECT_GT(iterations, 0);
        for (const char* key : {"Contact updates", "Residual"})
            EXPECT_TRUE(infoOf(s.solver, kLast).count(key)) << key;
    }
}

TEST(Manners, MemoryIsWhatIsKept) {
    Solved s(knit());
    const auto* cache = static_cast<houdini::SolverCache*>(s.solver->verbCache());
    const int64 before = cache->getMemoryUsage(true);
    EXPECT_GT(before, static_cast<int64>(cache->session->bytes()));
    Net::cook(s.solver, kLast + 4);
    // Four more frames of P, v, orient, pscale, contactforce and aclupdates: 15 numbers a point.
    const int64 frames = 4 * 15 * 4 * knit().points();
    EXPECT_GE(cache->getMemoryUsage(true) - before, frames / 2);
    EXPECT_LE(cache->getMemoryUsage(true) - before, 4 * frames);
    Net::set(s.solver, "cacheenabled", 1);
    Net::set(s.solver, "cachemaxsize", 0.001);
    Net::cook(s.solver, kLast + 5);
    EXPECT_LT(cache->getMemoryUsage(true), before) << "the limit freed nothing";
}

TEST(Manners, WarningsCarryACountAndTheFirst) {
    // Curves that narrow, primitives that are no polygons, and too many kinds of warnings.
    Net net;
    Detail d = knit();
    Attribute& radius = *d.findPoint("pscale");
    const auto second = d.pointsOf(1), fourth = d.pointsOf(3);
    radius.set(second[2], 0, 0.001);
    radius.set(fourth[5], 0, 0.001);
    SOP_Node* solver = net.add("purl::solver::1.0", "s", {net.source("in", fixed(d))});
    Net::cook(solver, 1);
    EXPECT_NE(Net::warnings(solver).find("2 yarns change their radius"), std::string::npos)
        << Net::warnings(solver);
    EXPECT_NE(Net::warnings(solver).find("the first is primitive 1"), std::string::npos)
        << Net::warnings(solver);
    // A collider input with curves of a kind that nothing collides with, beside a floor.
    Detail floor;
    floor.addPoints(8);
    floor.setPositions(std::vector<Vec3>{Vec3(-1, -1, -1), Vec3(-1, -1, 1), Vec3(1, -1, 1),
                                         Vec3(1, -1, -1), Vec3(0, 0, 0), Vec3(0, 1, 0),
                                         Vec3(1, 1, 0), Vec3(1, 0, 0)});
    floor.addPrimitive(PrimitiveKind::Polygon, std::vector<Index>{0, 1, 2, 3});
    Source* odd = net.source("odd", [&](GU_Detail& gdp, double) {
        houdini::appendGeometry(gdp, floor);
        for (int k = 0; k < 3; ++k) { // tubes and the like
            auto other = std::make_unique<GEO_Face>();
            other->kind = 7;
            gdp.primitives.push_back(std::move(other));
        }
    });
    SOP_Node* collides =
        net.add("purl::solver::1.0", "c", {net.source("in2", fixed(knit())), nullptr, odd});
    Net::cook(collides, 1);
    EXPECT_NE(Net::warnings(collides).find("3 primitives are neither polygons nor VDBs (the first "
                                           "is primitive 1)"),
              std::string::npos)
        << Net::warnings(collides) << Net::errors(collides);
}

} // namespace purl::test
