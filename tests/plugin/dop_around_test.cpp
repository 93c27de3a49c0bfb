// What a DOP object has around it: colliders that their objects move, forces of the network.
#include "command.h"
#include "dop.h"
#include "purl/collide/sdf.h"
#include "purl/host/cloth_from_detail.h"
#include "purl/host/fabric_attribute.h"
#include "purl/host/pattern_detail.h"
#include "sheet.h"

#include <GU/GU_PrimVDB.h>

#include <cmath>
#include <sstream>

namespace purl::test {

namespace {

constexpr double kFps = 240;

Detail moss() {
    PatternEntry e;
    e.settings.name = "moss";
    e.settings.wales = 8;
    e.settings.courses = 8;
    e.settings.radius = 0.00125;
    e.lie = true;
    e.centre = Vec3(0, 0.002, 0);
    return patternDetail(e, "wool");
}

constexpr const char* kMoss = R"({"pattern": {"name": "moss", "wales": 8, "courses": 8,
    "radius": 0.00125, "lie": true, "centre": [0, 0.002, 0]}, "yarns": {"material": "wool"},
    "time": {"frames": "1-7", "fps": 240}, "colliders": [{"file": ")";

// An object whose geometry is a level set from a file.
struct VdbObject : SIM_Object {
    std::shared_ptr<SIM_GeometryCopy> data = geometryData(Detail{});
    explicit VdbObject(const std::string& path) {
        openvdb::initialize();
        openvdb::io::File file(path);
        file.open();
        GU_PrimVDB::buildFromGrid(*data->handle.gdpNC(), file.readGrid("surface"), nullptr,
                                  "surface");
        subdata[SIM_GEOMETRY_DATANAME] = data;
    }
    // About y by an angle (rad), then up; Houdini's matrices act on rows.
    void place(double up, double angle = 0) {
        auto& m = data->xform.m;
        m[0][0] = m[2][2] = std::cos(angle);
        m[0][2] = -std::sin(angle);
        m[2][0] = std::sin(angle);
        m[3][1] = up;
    }
};

double apart(const Detail& a, const Detail& b) {
    double most = 0;
    for (Index i = 0; i < a.points(); ++i)
        most = std::max(most, (a.positions()[i] - b.positions()[i]).norm());
    return most;
}

} // namespace

TEST(DopAround, AVdbThatItsObjectLiftsIsTheCommandsKeyedCollider) {
    const Folder folder("lift");
    const std::string vdb = folder / "ball.vdb";
    writeSphereVdb(vdb, Vec3(0, -0.03, 0), 0.03, 0.0015);
    simulate(folder, kMoss + vdb + R"(", "keys": [{"frame": 1},
        {"frame": 7, "translate": [0, 0.006, 0]}]}]})");
    VdbObject ball(vdb);
    Dop dop(moss(), kFps);
    dop.set("useground", "0");
    dop.object.affectors.push_back(&ball);
    Dop::Kept kept;
    for (int f = 1; f <= 7; ++f) {
        const double s = double(f - 1) / 6;
        ball.place((1 - s) * 0 + s * 0.006);
        ASSERT_TRUE(dop.step(f == 1)) << dop.said();
        EXPECT_TRUE(sameBits(dop.geometry(), frameOf(folder, f), "P")) << f;
        if (f == 4) kept = dop.keep();
    }
    // The ball lifted the patch: without it the patch would have fallen 3 mm.
    double lowest = 1;
    for (const Vec3& x : dop.geometry().positions()) lowest = std::min(lowest, x.norm());
    EXPECT_GT(dop.geometry().positions()[30].y(), 0.002);
    // Back in the engine's cache, and from a file: the ball goes on as it went.
    std::stringstream file;
    kept.state->save(file);
    Dop other(kept.geometry, kFps);
    other.set("useground", "0");
    other.object.affectors.push_back(&ball);
    other.object.createNamedSubData("PurlState", "SIM_PurlState", 0);
    UT_IStream in(file);
    ASSERT_TRUE(other.state().load(in));
    dop.goBack(kept);
    for (int f = 5; f <= 7; ++f) {
        ball.place((1 - double(f - 1) / 6) * 0 + double(f - 1) / 6 * 0.006);
        ASSERT_TRUE(dop.step(false)) << dop.said();
        ASSERT_TRUE(other.step(false)) << other.said();
        EXPECT_TRUE(sameBits(dop.geometry(), frameOf(folder, f), "P")) << "cache, " << f;
        EXPECT_TRUE(sameBits(other.geometry(), frameOf(folder, f), "P")) << "file, " << f;
    }
}

TEST(DopAround, AVdbThatItsObjectTurnsTakesTheYarnsAlong) {
    const Folder folder("turn");
    const std::string vdb = folder / "ball.vdb";
    writeSphereVdb(vdb, Vec3(0, -0.03, 0), 0.03, 0.0015);
    simulate(folder, kMoss + vdb + R"(", "keys": [{"frame": 1, "translate": [0, 0.002, 0]},
        {"frame": 7, "translate": [0, 0.002, 0], "axis": [0, 1, 0], "angle": 30}]}]})");
    VdbObject ball(vdb);
    Dop dop(moss(), kFps);
    dop.set("useground", "0");
    dop.object.affectors.push_back(&ball);
    for (int f = 1; f <= 7; ++f) {
        ball.place(0.002, (f - 1) * 5 * std::acos(-1.0) / 180);
        ASSERT_TRUE(dop.step(f == 1)) << dop.said();
    }
    EXPECT_LT(apart(dop.geometry(), frameOf(folder, 7)), 1e-6); // angles in degrees and radians
    // Friction turned it: points have gone about y, the way the ball goes.
    double turned = 0;
    const std::vector<Vec3> a = moss().positions(), b = dop.geometry().positions();
    for (std::size_t i = 0; i < a.size(); ++i) turned += a[i].cross(b[i]).y();
    EXPECT_GT(turned, 0);
    // What scales a level set makes its distances wrong: it is refused by name.
    ball.data->xform.m[0][0] = 2;
    EXPECT_FALSE(dop.step(false));
    EXPECT_NE(dop.said().find("collider 1"), std::string::npos) << dop.said();
    EXPECT_NE(dop.said().find("scales"), std::string::npos) << dop.said();
}

TEST(DopAround, PolygonsOfSeveralObjectsCollide) {
    // Two boards side by side, one of them scaled by its object; the yarns come to lie on both.
    Detail board;
    board.addPoints(4);
    board.setPositions(std::vector<Vec3>{Vec3(-0.05, 0, -0.05), Vec3(-0.05, 0, 0.05),
                                         Vec3(0.05, 0, 0.05), Vec3(0.05, 0, -0.05)});
    board.addPrimitive(PrimitiveKind::Polygon, std::vector<Index>{0, 1, 2, 3});
    SIM_Object left, right;
    const auto a = geometryData(board), b = geometryData(board);
    left.subdata[SIM_GEOMETRY_DATANAME] = a;
    right.subdata[SIM_GEOMETRY_DATANAME] = b;
    a->xform.m[3][0] = -0.04; // a centimetre of it under the other
    a->xform.m[3][1] = -0.008;
    b->xform.m[0][0] = b->xform.m[2][2] = 2; // about its middle
    b->xform.m[3][0] = 0.1;
    b->xform.m[3][1] = -0.008;
    Dop falls(moss(), kFps);
    falls.set("useground", "0");
    falls.object.affectors = {&left, &right};
    for (int f = 1; f <= 14; ++f) ASSERT_TRUE(falls.step(f == 1)) << falls.said();
    double lowest = 1;
    for (const Vec3& x : falls.geometry().positions()) lowest = std::min(lowest, x.y());
    EXPECT_GT(lowest, -0.008 + 0.9 * 0.00125); // the yarn's radius above them
    EXPECT_LT(lowest, -0.008 + 3 * 0.00125);   // an open mesh is a shell as thick as its voxels
}

namespace {

struct NetworkGravity : SIM_Force {
    using SIM_Force::SIM_Force;
    void getForce(const SIM_Object&, const UT_Vector3&, const UT_Vector3&, const UT_Vector3&,
                  fpreal mass, UT_Vector3& force, UT_Vector3&) const override {
        force = UT_Vector3(0, static_cast<float>(-9.80665 * mass), 0);
    }
};

// The network's gravity against the solver's own, on what hangs from its upper edge or falls: how
// far apart they are after four steps, against how far it moved.
double gravitiesApart(const Detail& input) {
    Dop pulled(input, kFps), own(input, kFps);
    pulled.set("gravity", "0", 1);
    pulled.object.forces.push_back(std::make_shared<NetworkGravity>(nullptr));
    Detail start;
    for (int f = 1; f <= 5; ++f) {
        for (Dop* d : {&pulled, &own}) {
            if (f == 1) d->set("useground", "0");
            EXPECT_TRUE(d->step(f == 1)) << d->said();
        }
        if (f == 1) start = own.geometry();
    }
    const double moved = apart(own.geometry(), start);
    EXPECT_GT(moved, 1e-3); // 1/2 g t2 in four steps of 1/240 s: 1.4 mm
    return apart(pulled.geometry(), own.geometry()) / moved;
}

// Straight yarns, one of them held by an end: nothing in them springs, as a new knit does.
Detail threads() {
    Detail d;
    d.addPoints(30);
    std::vector<Vec3> x;
    for (int i = 0; i < 30; ++i) x.emplace_back(0.004 * (i % 10), 0.1, 0.005 * (i / 10));
    d.setPositions(x);
    for (Index y = 0; y < 3; ++y) {
        std::vector<Index> ids;
        for (Index i = 0; i < 10; ++i) ids.push_back(10 * y + i);
        d.addPrimitive(PrimitiveKind::Polyline, ids);
    }
    Attribute& radius = d.addFloat(Owner::Point, "pscale");
    for (Index i = 0; i < 30; ++i) radius.set(i, 0, 0.00125);
    d.addInt(Owner::Point, "stopped").set(0, 0, 1);
    return d;
}

Detail patch(const char* draft, bool painted) { return lyingSheet(6, 5, 0.1, draft, painted); }

} // namespace

TEST(DopAround, ForcesOfTheNetworkPullInEveryMode) {
    const double yarn = gravitiesApart(threads()), cloth = gravitiesApart(patch(nullptr, false)),
                 fabric = gravitiesApart(patch("plain", false)),
                 mixed = gravitiesApart(patch("plain", true));
    std::printf("apart, of the way: yarn %g, cloth %g, fabric %g, mixed %g\n", yarn, cloth, fabric,
                mixed);
    EXPECT_LT(yarn, 1e-5); // the network's forces are in single precision
    EXPECT_LT(cloth, 1e-5);
    EXPECT_LT(fabric, 0.02); // masses at nodes, not along the yarns between them
    EXPECT_LT(mixed, 0.02);
}

} // namespace purl::test
