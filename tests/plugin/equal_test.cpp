// The SOP, the DOP and the command are the same solver: frame by frame, to the last bit, in every
// mode.
#include "command.h"
#include "dop.h"
#include "purl/collide/sdf.h"
#include "purl/host/cloth_from_detail.h"

#include <GU/GU_PrimVDB.h>

namespace purl::test {

namespace {

using Names = std::vector<const char*>;

// The command's frames against those of a solver node on the floor, and of a DOP object that begins
// with the same geometry.
void compare(const Folder& folder, SOP_Node* solver, int last, const Names& names) {
    Dop dop(Net::at(static_cast<SOP_Node*>(solver->inputs[0]), 1), 24);
    for (int frame = 1; frame <= last; ++frame) {
        const Detail node = Net::at(solver, frame), command = frameOf(folder, frame);
        ASSERT_EQ(Net::errors(solver), "");
        ASSERT_TRUE(dop.step(frame == 1)) << dop.said();
        const Detail object = dop.geometry();
        EXPECT_EQ(object.primitives(), command.primitives());
        for (const char* name : names) {
            EXPECT_TRUE(sameBits(node, command, name)) << "SOP, frame " << frame;
            EXPECT_TRUE(sameBits(object, command, name)) << "DOP, frame " << frame;
        }
    }
    EXPECT_FALSE(sameBits(Net::at(solver, 1), Net::at(solver, last), "P")) << "nothing moved";
}

} // namespace

TEST(Equal, ScarfIsTheCommandsScarf) {
    const Folder folder("scarf");
    simulate(folder, R"({"pattern": {"name": "stockinette", "wales": 10, "courses": 8,
        "radius": 0.00125, "lie": true, "centre": [0, 0.012, 0]}, "yarns": {"material": "wool"},
        "colliders": ["plane:0,1,0,0"], "time": {"frames": "1-5", "fps": 24}})");
    Net net;
    SOP_Node* pattern = net.add("purl::pattern::1.0", "pattern1");
    Net::set(pattern, "wales", 10);
    Net::set(pattern, "courses", 8);
    Net::set(pattern, "t", 0.012, 1);
    SOP_Node* solver = net.add("purl::solver::1.0", "solver1", {pattern});
    Net::set(solver, "useground", 1);
    compare(folder, solver, 5, {"P", "v", "orient", "contactforce", "aclupdates", "pscale"});
    // It has fallen: the test does not compare a thing that stands still.
    EXPECT_LT(Net::at(solver, 5).positions()[0].y(), 0.0105);
}

TEST(Equal, YarnsOnAVdbBallAreTheCommands) {
    const Folder folder("ball");
    const std::string vdb = folder / "ball.vdb";
    writeSphereVdb(vdb, Vec3(0, -0.03, 0), 0.03, 0.0015);
    simulate(folder, R"({"pattern": {"name": "moss", "wales": 8, "courses": 8, "radius": 0.00125,
        "lie": true, "centre": [0, 0.004, 0]}, "yarns": {"material": "wool"},
        "colliders": [{"file": ")" +
                         vdb + R"("}], "time": {"frames": "1-4", "fps": 24}})");
    Net net;
    SOP_Node* pattern = net.add("purl::pattern::1.0", "pattern1");
    Net::set(pattern, "pattern", "moss");
    Net::set(pattern, "wales", 8);
    Net::set(pattern, "courses", 8);
    Net::set(pattern, "t", 0.004, 1);
    Source* ball = net.source("ball", [&](GU_Detail& gdp, double) {
        openvdb::initialize();
        openvdb::io::File file(vdb);
        file.open();
        GU_PrimVDB::buildFromGrid(gdp, file.readGrid("surface"), nullptr, "surface");
    });
    SOP_Node* solver = net.add("purl::solver::1.0", "solver1", {pattern, nullptr, ball});
    for (int frame = 1; frame <= 4; ++frame) {
        const Detail node = Net::at(solver, frame);
        ASSERT_EQ(Net::errors(solver), "");
        EXPECT_TRUE(sameBits(node, frameOf(folder, frame), "P")) << "frame " << frame;
    }
}

TEST(Equal, ClothIsTheCommandsCloth) {
    const Folder folder("cloth");
    simulate(folder, R"({"cloth": {"grid": {"columns": 10, "rows": 8, "width": 0.4, "height": 0.3,
        "centre": [0, 0.05, 0]}, "preset": "cotton"}, "pins": ["corners"],
        "colliders": ["plane:0,1,0,0"], "time": {"frames": "1-5", "fps": 24}})");
    ClothEntry entry;
    entry.grid = GridEntry{10, 8, 0.4, 0.3, Vec3(0, 0.05, 0), true};
    std::string name;
    std::vector<std::string> warnings;
    const Detail grid = loadSheet(entry, name, warnings);
    Net net;
    SOP_Node* configure =
        net.add("purl::configure::1.0", "configure1", {net.source("grid", fixed(grid))});
    Net::set(configure, "kind", "cloth");
    Net::set(configure, "pingroup", "corners");
    Net::set(configure, "pintype", "stopped");
    SOP_Node* solver = net.add("purl::solver::1.0", "solver1", {configure});
    Net::set(solver, "useground", 1);
    compare(folder, solver, 5, {"P", "v"});
    EXPECT_EQ(Net::errors(configure), "");
}

namespace {

// A patch of quads, its upper edge held, through Purl Fabric and the solver against the command.
void compareFabric(const std::string& test, bool painted) {
    const Folder folder(test);
    ClothEntry entry;
    entry.grid = GridEntry{6, 5, 0.06, 0.05, Vec3(0, 0.004, 0), true};
    std::string name;
    std::vector<std::string> warnings;
    Detail grid = loadSheet(entry, name, warnings);
    Attribute& stopped = grid.addInt(Owner::Point, "stopped");
    const Group* top = grid.findGroup(Owner::Point, "edge_top");
    const std::vector<Vec3> x = grid.positions();
    for (Index i = 0; i < grid.points(); ++i) stopped.set(i, 0, top->member[i]);
    if (painted) {
        Attribute& paint = grid.addFloat(Owner::Point, "yarn");
        for (Index i = 0; i < grid.points(); ++i) paint.set(i, 0, x[i].x() > -0.001 ? 1 : 0);
    }
    const std::string patch = folder / "patch.bgeo";
    writeDetail(patch, grid);
    simulate(folder, R"({"fabric": {"file": ")" + patch + R"(", "draft": "twill2/2",
        "warp_spacing": 0.004, "material": "cotton"}, "colliders": ["plane:0,1,0,0"],
        "time": {"frames": "1-4", "fps": 24}})");
    Net net;
    SOP_Node* fabric = net.add("purl::fabric::1.0", "fabric1", {net.source("grid", fixed(grid))});
    Net::set(fabric, "draft", "twill2/2");
    Net::set(fabric, "warpspacing", 0.004);
    SOP_Node* solver = net.add("purl::solver::1.0", "solver1", {fabric});
    Net::set(solver, "useground", 1);
    compare(folder, solver, 4, {"P", "v", "orient", "slide", "pscale"});
    EXPECT_GT(Net::at(solver, 1).primitives(), 20); // yarns, not polygons
}

} // namespace

TEST(Equal, MixedIsTheCommandsMixed) { compareFabric("mixed", true); }
TEST(Equal, FabricIsTheCommandsFabric) { compareFabric("fabric", false); }

} // namespace purl::test
