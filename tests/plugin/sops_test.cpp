// Each of the other SOPs does what its help says.
#include "net.h"
#include "purl/host/cloth_from_detail.h"
#include "purl/host/pattern_detail.h"

#include <GEO/GEO_PrimVDB.h>

namespace purl::test {

namespace {

Detail quad(double width, double height, double up) {
    ClothEntry entry;
    entry.grid = GridEntry{3, 2, width, height, Vec3(0, up, 0), true};
    std::string name;
    std::vector<std::string> warnings;
    return loadSheet(entry, name, warnings);
}

void bounds(const Detail& d, Vec3& low, Vec3& high) {
    low = Vec3::Constant(1e9);
    high = -low;
    for (const Vec3& x : d.positions()) {
        low = low.cwiseMin(x);
        high = high.cwiseMax(x);
    }
}

} // namespace

TEST(PatternSop, CoversThePolygonsOfItsInput) {
    Net net;
    SOP_Node* pattern =
        net.add("purl::pattern::1.0", "p", {net.source("quad", fixed(quad(0.10, 0.06, 0.2)))});
    const Detail d = Net::at(pattern, 1);
    ASSERT_EQ(Net::errors(pattern), "");
    Vec3 low, high;
    bounds(d, low, high);
    EXPECT_NEAR(high.x() - low.x(), 0.10, 0.006); // within a loop
    EXPECT_NEAR(high.z() - low.z(), 0.06, 0.006);
    EXPECT_NEAR(0.5 * (high.y() + low.y()), 0.2, 0.002);
    EXPECT_TRUE(d.findGroup(Owner::Point, "edge_top"));
    EXPECT_EQ(d.find(Owner::Primitive, "material")->text(0), "wool");
}

TEST(PatternSop, HasEveryPatternAndMaterialOfTheCore) {
    Net net;
    for (const PatternName& n : patternNames()) {
        SOP_Node* pattern = net.add("purl::pattern::1.0", "p");
        Net::set(pattern, "pattern", n.name);
        Net::set(pattern, "wales", 6);
        Net::set(pattern, "courses", 6);
        EXPECT_GT(Net::at(pattern, 1).primitives(), 4) << n.name << Net::errors(pattern);
    }
}

TEST(ConfigureSop, WritesWhatTheSolverReads) {
    Net net;
    SOP_Node* pattern = net.add("purl::pattern::1.0", "p");
    SOP_Node* c = net.add("purl::configure::1.0", "c", {pattern});
    Net::set(c, "material", "linen");
    Net::set(c, "bendscale", 2);
    Net::set(c, "pingroup", "edge_top");
    const Detail one = Net::at(c, 1);
    ASSERT_EQ(Net::errors(c), "");
    EXPECT_EQ(one.find(Owner::Primitive, "material")->text(3), "linen");
    const Attribute* pin = one.findPoint("pintoanimation");
    ASSERT_TRUE(pin);
    const Group* top = one.findGroup(Owner::Point, "edge_top");
    for (Index i = 0; i < one.points(); ++i) EXPECT_EQ(pin->integer(i), top->member[i] ? 1 : 0);
    Net::set(c, "bendscale", 1);
    const Detail plain = Net::at(c, 1);
    EXPECT_NEAR(one.find(Owner::Primitive, "bendstiffness")->real(2),
                2 * plain.find(Owner::Primitive, "bendstiffness")->real(2), 1e-12);
    Net::set(c, "variation", 0.2);
    const Detail varied = Net::at(c, 1);
    const Attribute *a = varied.find(Owner::Primitive, "bendstiffness"),
                    *b = plain.find(Owner::Primitive, "bendstiffness");
    double most = 0, least = 9;
    for (Index p = 0; p < varied.primitives(); ++p) {
        const double ratio = a->real(p) / b->real(p);
        most = std::max(most, ratio);
        least = std::min(least, ratio);
    }
    EXPECT_GT(most - least, 0.1);
    EXPECT_LE(most, 1.2001);
    EXPECT_GE(least, 0.7999);
    EXPECT_TRUE(sameBits(varied, Net::at(c, 7), "P"));
    Net::set(c, "pintype", "soft");
    const Detail soft = Net::at(c, 1);
    EXPECT_TRUE(sameBits(soft, soft, "targetP"));
}

TEST(ColliderSop, MakesSurfaceAndVelocity) {
    Net net;
    Detail box = quad(0.1, 0.1, 0); // an open sheet: a shell
    Attribute& v = box.addFloat(Owner::Point, "v", 3, "vector");
    for (Index i = 0; i < box.points(); ++i) v.set(i, 1, 2.0);
    SOP_Node* c = net.add("purl::collider::1.0", "c", {net.source("box", fixed(box))});
    Net::set(c, "voxelsize", 0.005);
    const GU_ConstDetailHandle out = Net::cook(c, 1);
    ASSERT_EQ(Net::errors(c), "");
    ASSERT_EQ(out.gdp()->getNumPrimitives(), 2);
    const auto* surface =
        dynamic_cast<const GEO_PrimVDB*>(out.gdp()->getGEOPrimitive(out.gdp()->primitiveOffset(0)));
    const auto* velocity =
        dynamic_cast<const GEO_PrimVDB*>(out.gdp()->getGEOPrimitive(out.gdp()->primitiveOffset(1)));
    ASSERT_TRUE(surface && velocity);
    EXPECT_STREQ(surface->getGridName(), "surface");
    const auto grid = openvdb::gridConstPtrCast<openvdb::FloatGrid>(surface->getConstGridPtr());
    const auto field = openvdb::gridConstPtrCast<openvdb::Vec3SGrid>(velocity->getConstGridPtr());
    // In the sheet's middle it is one voxel deep; two voxels above one voxel outside.
    EXPECT_NEAR(grid->tree().getValue(openvdb::Coord(0, 0, 0)), -0.005, 1e-5);
    EXPECT_NEAR(grid->tree().getValue(openvdb::Coord(0, 2, 0)), 0.005, 1e-5);
    EXPECT_NEAR(field->tree().getValue(openvdb::Coord(0, 0, 0)).y(), 2.0, 1e-5);
    // What it made is a collider for the solver, and passes through another of its kind.
    SOP_Node* again = net.add("purl::collider::1.0", "c2", {c});
    EXPECT_EQ(Net::cook(again, 1).gdp()->getNumPrimitives(), 2);
    EXPECT_EQ(Net::errors(again), "");
}

TEST(SolverSop, MixedHasYarnsWherePainted) {
    Net net;
    Detail patch = quad(0.06, 0.04, 0.02); // 3 x 2 quads
    Attribute& paint = patch.addFloat(Owner::Point, "yarn");
    const std::vector<Vec3> x = patch.positions();
    for (Index i = 0; i < patch.points(); ++i) paint.set(i, 0, x[i].x() > -0.011 ? 1 : 0);
    SOP_Node* fabric = net.add("purl::fabric::1.0", "f", {net.source("patch", fixed(patch))});
    Net::set(fabric, "warpspacing", 0.004);
    SOP_Node* solver = net.add("purl::solver::1.0", "s", {fabric});
    Net::set(solver, "airdensity", 0);
    const Detail first = Net::at(solver, 1), third = Net::at(solver, 3);
    ASSERT_EQ(Net::errors(fabric) + Net::errors(solver), "");
    // Free fall of the whole: 1/2 g t2 after two frames; 40 backward Euler steps make 1/40 more.
    const double t = 2 / 24.0, fall = 0.5 * 9.80665 * t * t;
    for (Index i = 0; i < first.points(); ++i) {
        const double down = first.positions()[i].y() - third.positions()[i].y();
        ASSERT_NEAR(down, fall * 41 / 40, 0.01 * fall) << "point " << i;
    }
    // Without paint the mode says what it misses.
    SOP_Node* bare =
        net.add("purl::fabric::1.0", "f2", {net.source("bare", fixed(quad(0.06, 0.04, 0)))});
    SOP_Node* mixed = net.add("purl::solver::1.0", "s2", {bare});
    Net::set(mixed, "mode", "mixed");
    Net::cook(mixed, 1);
    EXPECT_NE(Net::errors(mixed).find("'yarn'"), std::string::npos);
}

TEST(CheckSop, MarksWhereYarnsCross) {
    Net net;
    Detail d; // two yarns through each other at the origin, and one aside
    d.addPoints(9);
    std::vector<Vec3> x;
    for (int i = -1; i <= 1; ++i) x.emplace_back(0.01 * i, 0, 0);
    for (int i = -1; i <= 1; ++i) x.emplace_back(0, 0, 0.01 * i + 0.001);
    for (int i = -1; i <= 1; ++i) x.emplace_back(0.01 * i, 0.05, 0);
    d.setPositions(x);
    for (Index y = 0; y < 3; ++y)
        d.addPrimitive(PrimitiveKind::Polyline, std::vector<Index>{3 * y, 3 * y + 1, 3 * y + 2});
    Attribute& r = d.addFloat(Owner::Point, "pscale");
    for (Index i = 0; i < 9; ++i) r.set(i, 0, 0.001);
    SOP_Node* check = net.add("purl::check::1.0", "c", {net.source("yarns", fixed(d))});
    const Detail out = Net::at(check, 1);
    EXPECT_NE(Net::warnings(check).find("findings; the first"), std::string::npos);
    const Group* marks = out.findGroup(Owner::Point, "purl_findings");
    ASSERT_TRUE(marks);
    ASSERT_GT(out.points(), 9);
    EXPECT_TRUE(marks->member[9]);
    EXPECT_FALSE(marks->member[0]);
    EXPECT_LT(out.positions()[9].norm(), 0.0005);
    EXPECT_NE(out.findPoint("text")->text(9).find("cross"), std::string::npos);
    const Group* bad = out.findGroup(Owner::Primitive, "purl_bad");
    ASSERT_TRUE(bad);
    EXPECT_TRUE(bad->member[0] && bad->member[1] && !bad->member[2]);
}

TEST(CheckSop, FindsAPassBetweenFrames) {
    Net net;
    Source* yarns = net.source("yarns", [](GU_Detail& gdp, double frame) {
        Detail d; // one falls through the other between frame 2 and 3
        d.addPoints(6);
        std::vector<Vec3> x;
        for (int i = -1; i <= 1; ++i) x.emplace_back(0.02 * i, 0, 0);
        const double up = 0.002 - 0.0016 * (frame - 1);
        for (int i = -1; i <= 1; ++i) x.emplace_back(0, up, 0.02 * i);
        d.setPositions(x);
        for (Index y = 0; y < 2; ++y)
            d.addPrimitive(PrimitiveKind::Polyline,
                           std::vector<Index>{3 * y, 3 * y + 1, 3 * y + 2});
        Attribute& r = d.addFloat(Owner::Point, "pscale");
        for (Index i = 0; i < 6; ++i) r.set(i, 0, 0.001);
        houdini::appendGeometry(gdp, d);
    });
    yarns->animate();
    SOP_Node* check = net.add("purl::check::1.0", "c", {yarns});
    Net::cook(check, 1);
    EXPECT_EQ(Net::warnings(check), "");
    Net::cook(check, 2);
    Net::cook(check, 3);
    EXPECT_NE(Net::warnings(check), "");
}

TEST(YarnSop, TubesKeepTheirRadiusAndOrder) {
    Net net;
    Detail d; // a quarter of a circle of radius 5 cm
    d.addPoints(40);
    std::vector<Vec3> x;
    std::vector<Index> ids;
    for (int i = 0; i < 40; ++i) {
        const double a = 1.5707963 * i / 39;
        x.emplace_back(0.05 * std::cos(a), 0.05 * std::sin(a), 0);
        ids.push_back(i);
    }
    d.setPositions(x);
    d.addPrimitive(PrimitiveKind::Polyline, ids);
    Attribute& r = d.addFloat(Owner::Point, "pscale");
    for (Index i = 0; i < 40; ++i) r.set(i, 0, 0.001);
    SOP_Node* yarn = net.add("purl::yarn::1.0", "y", {net.source("arc", fixed(d))});
    Net::set(yarn, "sides", 6);
    Net::set(yarn, "pieces", 4);
    const Detail tubes = Net::at(yarn, 1);
    ASSERT_EQ(Net::errors(yarn), "");
    EXPECT_EQ(tubes.points(), (39 * 4 + 1) * 6);
    EXPECT_EQ(tubes.primitives(), 39 * 4 * 6 + 2); // and two caps
    // Every point is one radius from the circle; Catmull-Rom leaves it by less than 1 % of that.
    for (const Vec3& p : tubes.positions()) {
        const double off = std::hypot(std::hypot(p.x(), p.y()) - 0.05, p.z());
        EXPECT_NEAR(off, 0.001, 4e-5);
    }
    Net::set(yarn, "output", "plycurves");
    const Detail plies = Net::at(yarn, 1);
    EXPECT_EQ(plies.primitives(), 3);
    for (const Vec3& p : plies.positions()) { // three circles in one: r sin 60 / (1 + sin 60)
        const double off = std::hypot(std::hypot(p.x(), p.y()) - 0.05, p.z());
        EXPECT_NEAR(off, 0.001 * (1 - 0.4641), 4e-5);
    }
    EXPECT_NEAR(plies.findPoint("width")->real(0), 2 * 0.001 * 0.4641, 1e-6);
}

} // namespace purl::test
