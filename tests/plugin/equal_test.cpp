// The node and the command are the same solver: frame by frame, to the last bit.
#include "net.h"
#include "purl/collide/sdf.h"
#include "purl/host/cloth_from_detail.h"
#include "purl/io/geo.h"

#include <GU/GU_PrimVDB.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace purl::test {

namespace {

namespace fs = std::filesystem;

struct Folder { // of one test, gone after it
    fs::path path;
    explicit Folder(const std::string& name)
        : path(fs::temp_directory_path() / ("purl_plugin_" + name + std::to_string(getpid()))) {
        fs::create_directories(path);
    }
    ~Folder() { fs::remove_all(path); }
};

// Runs `purl sim` on a scene given as text; frames land in the folder.
void simulate(const Folder& folder, const std::string& scene) {
    const fs::path file = folder.path / "scene.json";
    std::ofstream(file) << scene;
    const std::string command = std::string(PURL_COMMAND) + " sim " + file.string() + " --out '" +
                                (folder.path / "f.$F4.bgeo").string() + "' --quiet";
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
}

Detail frameOf(const Folder& folder, int frame) {
    char name[32];
    std::snprintf(name, sizeof name, "f.%04d.bgeo", frame);
    std::vector<std::string> warnings;
    return readDetail((folder.path / name).string(), warnings);
}

} // namespace

TEST(SolverSop, ScarfIsTheCommandsScarf) {
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
    for (int frame = 1; frame <= 5; ++frame) {
        const Detail node = Net::at(solver, frame), command = frameOf(folder, frame);
        ASSERT_EQ(Net::errors(solver), "");
        for (const char* name : {"P", "v", "orient", "contactforce", "aclupdates", "pscale"})
            EXPECT_TRUE(sameBits(node, command, name)) << "frame " << frame;
    }
    // It has fallen: the test does not compare a thing that stands still.
    EXPECT_LT(Net::at(solver, 5).positions()[0].y(), 0.0105);
}

TEST(SolverSop, YarnsOnAVdbBallAreTheCommands) {
    const Folder folder("ball");
    const std::string vdb = (folder.path / "ball.vdb").string();
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

TEST(SolverSop, ClothIsTheCommandsCloth) {
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
    for (int frame = 1; frame <= 5; ++frame) {
        const Detail node = Net::at(solver, frame), command = frameOf(folder, frame);
        ASSERT_EQ(Net::errors(configure) + Net::errors(solver), "");
        for (const char* attribute : {"P", "v"})
            EXPECT_TRUE(sameBits(node, command, attribute)) << "frame " << frame;
    }
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
    const std::string patch = (folder.path / "patch.bgeo").string();
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
    for (int frame = 1; frame <= 4; ++frame) {
        const Detail node = Net::at(solver, frame), command = frameOf(folder, frame);
        ASSERT_EQ(Net::errors(fabric) + Net::errors(solver), "");
        for (const char* attribute : {"P", "v", "orient", "slide", "pscale"})
            EXPECT_TRUE(sameBits(node, command, attribute)) << "frame " << frame;
    }
    const Detail first = Net::at(solver, 1), last = Net::at(solver, 4);
    EXPECT_GT(first.primitives(), 20); // yarns, not polygons
    EXPECT_FALSE(sameBits(first, last, "P"));
}

} // namespace

TEST(SolverSop, MixedIsTheCommandsMixed) { compareFabric("mixed", true); }
TEST(SolverSop, FabricIsTheCommandsFabric) { compareFabric("fabric", false); }

} // namespace purl::test
