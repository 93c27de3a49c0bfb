// Networks that cannot work: a message on the node, never a crash.
#include "net.h"
#include "purl/host/pattern_detail.h"

#include <GU/GU_PrimVDB.h>

#include <limits>

namespace purl::test {

namespace {

const char* const kTypes[] = {"purl::pattern::1.0",  "purl::configure::1.0", "purl::solver::1.0",
                              "purl::collider::1.0", "purl::check::1.0",     "purl::yarn::1.0",
                              "purl::fabric::1.0"};

Detail smallPatch() {
    PatternEntry e;
    e.settings.wales = 4;
    e.settings.courses = 4;
    e.lie = true;
    return patternDetail(e, "wool");
}

Detail box(double size, double up) {
    Detail d;
    d.addPoints(8);
    std::vector<Vec3> x;
    for (int i = 0; i < 8; ++i)
        x.emplace_back((i & 1 ? size : -size), up + (i & 2 ? size : -size), (i & 4 ? size : -size));
    d.setPositions(x);
    for (const std::array<Index, 4>& q : {std::array<Index, 4>{0, 2, 3, 1},
                                          {4, 5, 7, 6},
                                          {0, 1, 5, 4},
                                          {2, 6, 7, 3},
                                          {0, 4, 6, 2},
                                          {1, 3, 7, 5}})
        d.addPrimitive(PrimitiveKind::Polygon, q);
    return d;
}

} // namespace

TEST(BadNetwork, NoInput) {
    Net net;
    for (const char* type : kTypes) {
        if (std::string(type) == "purl::pattern::1.0") continue; // needs none
        SOP_Node* node = net.add(type, "node");
        Net::cook(node, 1);
        EXPECT_NE(Net::errors(node), "") << type;
        SOP_Node* empty = net.add(type, "node2", {nullptr});
        Net::cook(empty, 1);
        EXPECT_NE(Net::errors(empty), "") << type;
    }
}

TEST(BadNetwork, EmptyGeometry) {
    Net net;
    Source* nothing = net.source("nothing", [](GU_Detail&, double) {});
    for (const char* type : kTypes) {
        SOP_Node* node = net.add(type, "node", {nothing});
        for (int frame : {1, 2}) Net::cook(node, frame);
        const bool says = Net::errors(node) + Net::warnings(node) != "";
        EXPECT_EQ(says, std::string(type) != "purl::pattern::1.0") << type;
    }
}

TEST(BadNetwork, WrongTypes) {
    Net net;
    Source* vdb = net.source("vdb", [](GU_Detail& gdp, double) {
        openvdb::initialize();
        GU_PrimVDB::buildFromGrid(gdp, openvdb::FloatGrid::create(1.0F), nullptr, "surface");
    });
    Source* polygons = net.source("box", fixed(box(0.05, 0)));
    for (const char* type : kTypes) {
        SOP_Node* node = net.add(type, "node", {vdb});
        Net::cook(node, 1);
        EXPECT_NE(Net::errors(node) + Net::warnings(node), "") << type;
    }
    SOP_Node* solver = net.add("purl::solver::1.0", "solver", {polygons});
    Net::set(solver, "mode", "yarn");
    Net::cook(solver, 1);
    EXPECT_NE(Net::errors(solver), ""); // no radius anywhere
    Net::set(solver, "mode", "lace");
    Net::cook(solver, 1);
    EXPECT_NE(Net::errors(solver).find("lace"), std::string::npos);
    SOP_Node* configure =
        net.add("purl::configure::1.0", "c", {net.source("p", fixed(smallPatch()))});
    Net::set(configure, "pingroup", "nowhere");
    Net::cook(configure, 1);
    EXPECT_NE(Net::errors(configure).find("edge_top"), std::string::npos)
        << "names those there are";
}

TEST(BadNetwork, FogAsCollider) {
    Net net;
    Source* fog = net.source("fog", [](GU_Detail& gdp, double) {
        openvdb::initialize();
        auto grid = openvdb::FloatGrid::create(0.0F);
        grid->setGridClass(openvdb::GRID_FOG_VOLUME);
        grid->fill(openvdb::CoordBBox(openvdb::Coord(0), openvdb::Coord(9)), 1.0F);
        GU_PrimVDB::buildFromGrid(gdp, grid, nullptr, "density");
    });
    SOP_Node* solver =
        net.add("purl::solver::1.0", "s", {net.source("p", fixed(smallPatch())), nullptr, fog});
    Net::cook(solver, 1);
    EXPECT_NE(Net::errors(solver).find("fog"), std::string::npos) << Net::errors(solver);
}

TEST(BadNetwork, ColliderThatChangesItsTopology) {
    Net net;
    CHgetManager()->fps = 480;
    Source* collider = net.source("box", [](GU_Detail& gdp, double frame) {
        Detail d = box(0.02, -0.03);
        if (frame > 2.5) d = d.withPrimitives(std::vector<std::uint8_t>{1, 1, 1, 1, 1, 0});
        houdini::appendGeometry(gdp, d);
    });
    collider->animate();
    SOP_Node* solver = net.add("purl::solver::1.0", "s",
                               {net.source("p", fixed(smallPatch())), nullptr, collider});
    Net::cook(solver, 2);
    EXPECT_EQ(Net::errors(solver), "");
    const Detail two = Net::at(solver, 2);
    const Detail three = Net::at(solver, 3);
    EXPECT_NE(Net::errors(solver).find("same points and polygons"), std::string::npos)
        << Net::errors(solver);
    EXPECT_TRUE(sameBits(two, Net::at(solver, 2), "P"));
}

TEST(BadNetwork, InputThatChangesItsTopology) {
    Net net;
    CHgetManager()->fps = 480;
    Source* yarns = net.source("yarns", [](GU_Detail& gdp, double frame) {
        PatternEntry e;
        e.settings.wales = frame > 2.5 ? 5 : 4;
        e.settings.courses = 4;
        houdini::appendGeometry(gdp, patternDetail(e));
    });
    yarns->animate();
    SOP_Node* solver = net.add("purl::solver::1.0", "s", {yarns});
    Net::cook(solver, 3);
    EXPECT_NE(Net::errors(solver).find("points, expected"), std::string::npos)
        << Net::errors(solver);
}

TEST(BadNetwork, NanFromUpstream) {
    Net net;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    Detail d = smallPatch();
    d.findPoint("P")->set(3, 1, nan);
    Source* bad = net.source("bad", fixed(d));
    for (const char* type : {"purl::solver::1.0", "purl::check::1.0", "purl::yarn::1.0"}) {
        SOP_Node* node = net.add(type, "node", {bad});
        Net::cook(node, 1);
        EXPECT_NE(Net::errors(node) + Net::warnings(node), "") << type;
    }
    Detail b = box(0.02, -0.03);
    b.findPoint("P")->set(2, 0, nan);
    Source* badBox = net.source("badbox", fixed(b));
    SOP_Node* pattern = net.add("purl::pattern::1.0", "pattern", {badBox});
    Net::cook(pattern, 1);
    EXPECT_NE(Net::errors(pattern).find("point 2"), std::string::npos);
    SOP_Node* solver =
        net.add("purl::solver::1.0", "s", {net.source("p", fixed(smallPatch())), nullptr, badBox});
    Net::cook(solver, 1);
    EXPECT_NE(Net::errors(solver).find("point 2"), std::string::npos);
    SOP_Node* collider = net.add("purl::collider::1.0", "c", {badBox});
    Net::cook(collider, 1);
    EXPECT_NE(Net::errors(collider).find("point 2"), std::string::npos);
}

TEST(BadNetwork, ZeroFramesPerSecond) {
    Net net;
    SOP_Node* solver = net.add("purl::solver::1.0", "s", {net.source("p", fixed(smallPatch()))});
    CHgetManager()->fps = 0;
    OP_Context context(0);
    solver->cooked(context);
    CHgetManager()->fps = 24;
    EXPECT_NE(Net::errors(solver).find("frames per second"), std::string::npos)
        << Net::errors(solver);
    Net::set(solver, "timescale", 0);
    Net::cook(solver, 1);
    EXPECT_NE(Net::errors(solver).find("time scale"), std::string::npos);
}

TEST(BadNetwork, TenThousandEmptyPrimitives) {
    Net net;
    Detail d;
    d.addPoints(1);
    d.setPositions(std::vector<Vec3>{Vec3::Zero()});
    for (int i = 0; i < 10000; ++i) d.addPrimitive(PrimitiveKind::Polyline, std::vector<Index>{});
    Source* many = net.source("many", fixed(d));
    for (const char* type : kTypes) {
        SOP_Node* node = net.add(type, "node", {many});
        for (int frame : {1, 2}) Net::cook(node, frame);
        EXPECT_NE(Net::errors(node) + Net::warnings(node), "") << type;
    }
}

TEST(BadNetwork, MaterialThatIsNone) {
    Net net;
    Detail d = smallPatch();
    Attribute& m = *d.find(Owner::Primitive, "material");
    for (Index p = 0; p < d.primitives(); ++p) m.setText(p, 0, "mithril");
    SOP_Node* solver = net.add("purl::solver::1.0", "s", {net.source("p", fixed(d))});
    Net::cook(solver, 1);
    EXPECT_NE(Net::errors(solver).find("mithril"), std::string::npos);
}

} // namespace purl::test
