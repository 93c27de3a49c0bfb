// Paint of a mixed fabric that changes from frame to frame: the same in the node and the command.
#include "command.h"
#include "net.h"
#include "plugin/SOP_Purl_Solver.h"
#include "purl/host/cloth_from_detail.h"

namespace purl::test {

namespace {

// A patch whose paint grows to the left from frame to frame, its upper edge held and lifted.
Detail patchAt(double frame, double edge = 0.009) {
    ClothEntry entry;
    entry.grid = GridEntry{8, 6, 0.06, 0.045, Vec3(0, 0.004, 0), true};
    std::string name;
    std::vector<std::string> warnings;
    Detail d = loadSheet(entry, name, warnings);
    const Group* top = d.findGroup(Owner::Point, "edge_top");
    std::vector<Vec3> x = d.positions();
    Attribute& paint = d.addFloat(Owner::Point, "yarn");
    for (Index i = 0; i < d.points(); ++i)
        paint.set(i, 0, x[i].x() > edge - 0.0075 * (frame - 1) ? 1 : 0);
    Attribute& stopped = d.addInt(Owner::Point, "stopped");
    for (Index i = 0; i < d.points(); ++i) {
        stopped.set(i, 0, top->member[i]);
        if (top->member[i]) x[i].y() += 0.0005 * (frame - 1);
    }
    d.setPositions(x);
    return d;
}

struct Painted : Net {
    double edge = 0.009;
    Source* patch;
    SOP_Node *fabric, *solver;
    Painted() {
        CHgetManager()->fps = 240;
        patch = source("patch", [this](GU_Detail& gdp, double frame) {
            houdini::appendGeometry(gdp, patchAt(frame, edge));
        });
        patch->animate();
        fabric = add("purl::fabric::1.0", "fabric1", {patch});
        set(fabric, "draft", "plain");
        set(fabric, "warpspacing", 0.004);
        solver = add("purl::solver::1.0", "solver1", {fabric});
        set(solver, "useground", 1);
    }
    ~Painted() { CHgetManager()->fps = 24; }
    const Session& session() const {
        return *static_cast<houdini::SolverCache*>(solver->verbCache())->session;
    }
};

void writePatches(const Folder& folder, int last) {
    char name[32];
    for (int f = 1; f <= last; ++f) {
        std::snprintf(name, sizeof name, "patch.%04d.bgeo", f);
        writeDetail(folder / name, patchAt(f));
    }
}

std::string scene(const Folder& folder, const char* file) {
    return R"({"fabric": {"file": ")" + folder / file + R"(", "draft": "plain",
        "warp_spacing": 0.004, "material": "cotton"}, "colliders": ["plane:0,1,0,0"],
        "time": {"frames": "1-5", "fps": 240}})";
}

} // namespace

TEST(Paint, ThatGrowsIsTheSameInTheNodeAndTheCommand) {
    const Folder folder("paint");
    writePatches(folder, 5);
    simulate(folder, scene(folder, "patch.$F4.bgeo"));
    Painted s;
    for (int f = 1; f <= 5; ++f) {
        const Detail node = Net::at(s.solver, f);
        ASSERT_EQ(Net::errors(s.solver), "");
        for (const char* name : {"P", "v", "slide"})
            EXPECT_TRUE(sameBits(node, frameOf(folder, f), name)) << "frame " << f;
    }
    // The paint of the start kept through: the pins go along, the yarns are elsewhere.
    const Folder still("paint_still");
    writePatches(still, 5);
    for (int f = 2; f <= 5; ++f) {
        Detail d = patchAt(f);
        *d.findPoint("yarn") = *patchAt(1).findPoint("yarn");
        writeDetail(still / ("patch.000" + std::to_string(f) + ".bgeo"), d);
    }
    simulate(still, scene(still, "patch.$F4.bgeo"));
    EXPECT_TRUE(sameBits(frameOf(folder, 1), frameOf(still, 1), "P"));
    EXPECT_FALSE(sameBits(frameOf(folder, 5), frameOf(still, 5), "P"));
}

TEST(Paint, ThatChangedIsInACheckpoint) {
    const Folder folder("paint_checkpoint"), whole("paint_whole");
    writePatches(folder, 5);
    writePatches(whole, 5);
    simulate(whole, scene(whole, "patch.$F4.bgeo"));
    simulate(folder, scene(folder, "patch.$F4.bgeo"), "--frames 1-3 --checkpoint-every 1");
    simulate(folder, scene(folder, "patch.$F4.bgeo"), "--resume auto --checkpoint-every 1");
    EXPECT_TRUE(sameBits(frameOf(folder, 5), frameOf(whole, 5), "P")) << "the command";
    // The node's own, in another session.
    Painted first, second;
    for (Painted* s : {&first, &second}) {
        Net::set(s->solver, "savecheckpoints", 1);
        Net::set(s->solver, "checkpoint_basedir", folder / "node");
        Net::set(s->solver, "checkpoint_explicitcachespacing", 2);
    }
    Net::cook(first.solver, 3);
    const Detail last = Net::at(second.solver, 5);
    ASSERT_EQ(Net::errors(second.solver), "");
    EXPECT_EQ(second.session().at(2), nullptr) << "the checkpoint was not taken";
    EXPECT_TRUE(sameBits(last, frameOf(whole, 5), "P"));
}

TEST(Paint, ChangedUpstreamBeginsAnew) {
    Painted s, fresh;
    Net::cook(s.solver, 4);
    s.edge = fresh.edge = 0.0165;
    s.patch->changed();
    EXPECT_TRUE(sameBits(Net::at(s.solver, 4), Net::at(fresh.solver, 4), "P"));
    EXPECT_NE(Net::messages(s.solver).find("began anew"), std::string::npos);
}

TEST(Paint, OfAGarmentBeforeItsFirstStrokeIsTrianglesThatCarryItsYarns) {
    // As Purl Garment comes: the attribute is there, 0 everywhere. The first stroke comes later.
    Painted s;
    s.patch->make = [](GU_Detail& gdp, double frame) {
        Detail d = patchAt(frame);
        Attribute& paint = *d.findPoint("yarn");
        for (Index i = 0; i < d.points() && frame < 3.5; ++i) paint.set(i, 0, 0);
        houdini::appendGeometry(gdp, d);
    };
    Net::set(s.solver, "mode", "mixed");
    const Detail one = Net::at(s.solver, 1), three = Net::at(s.solver, 3);
    EXPECT_EQ(Net::errors(s.solver), "");
    EXPECT_GT(one.primitives(), 20); // all yarns go out
    EXPECT_FALSE(sameBits(one, three, "P"));
    for (const Vec3& x : three.positions()) ASSERT_TRUE(x.allFinite());
    Net::cook(s.solver, 5);
    EXPECT_EQ(Net::errors(s.solver), "");
}

TEST(Paint, ThatIsGoneIsAnErrorOnTheNode) {
    Painted s;
    s.patch->make = [](GU_Detail& gdp, double frame) {
        Detail d = patchAt(frame);
        if (frame > 2.5) {
            auto& all = d.attributes[static_cast<int>(Owner::Point)];
            for (auto it = all.begin(); it != all.end(); ++it)
                if (it->name == "yarn") {
                    all.erase(it);
                    break;
                }
        }
        houdini::appendGeometry(gdp, d);
    };
    Net::cook(s.solver, 2);
    EXPECT_EQ(Net::errors(s.solver), "");
    Net::cook(s.solver, 3);
    EXPECT_NE(Net::errors(s.solver).find("yarn"), std::string::npos) << Net::errors(s.solver);
}

} // namespace purl::test
