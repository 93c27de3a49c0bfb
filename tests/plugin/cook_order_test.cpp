// Frames in any order: kept, resumed, begun anew, never solved from a wrong state.
#include "net.h"
#include "plugin/SOP_Purl_Solver.h"

#include <cstdlib>
#include <filesystem>
#include <thread>

namespace purl::test {

namespace {

namespace fs = std::filesystem;

// A small patch that falls on the ground; frames are short, so that tests are.
struct Scene : Net {
    SOP_Node *pattern, *solver;
    int asked = 0; // how often the solver asked for Esc: once a step
    Scene() {
        CHgetManager()->fps = 480;
        pattern = add("purl::pattern::1.0", "pattern1");
        set(pattern, "wales", 5);
        set(pattern, "courses", 4);
        set(pattern, "t", 0.004, 1);
        solver = add("purl::solver::1.0", "solver1", {pattern});
        set(solver, "useground", 1);
        hdk::escape = [this](int) {
            ++asked;
            return false;
        };
    }
    ~Scene() { CHgetManager()->fps = 24; }
    const Session& session() const {
        return *static_cast<houdini::SolverCache*>(solver->verbCache())->session;
    }
};

std::vector<Detail> forward(int last) {
    Scene s;
    std::vector<Detail> out;
    for (int f = 1; f <= last; ++f) out.push_back(Net::at(s.solver, f));
    return out;
}

const std::vector<Detail>& reference() { // frames 1 to 6, in order
    static const std::vector<Detail> frames = forward(6);
    return frames;
}

// The reference is made before a test has its own scene: both set the clock.
class CookOrder : public ::testing::Test {
protected:
    void SetUp() override { reference(); }
};

} // namespace

TEST_F(CookOrder, ForwardMoves) {
    EXPECT_FALSE(sameBits(reference()[0], reference()[5], "P"));
    EXPECT_FALSE(sameBits(reference()[4], reference()[5], "P"));
}

TEST_F(CookOrder, BackReadsWhatWasKept) {
    Scene s;
    for (int f = 1; f <= 6; ++f) Net::cook(s.solver, f);
    const int steps = s.asked;
    for (int f : {3, 6, 1, 5, 2, 4})
        EXPECT_TRUE(sameBits(Net::at(s.solver, f), reference()[f - 1], "P"));
    EXPECT_EQ(s.asked, steps) << "something was solved again";
}

TEST_F(CookOrder, JumpAheadSolvesWhatLiesBetween) {
    Scene s;
    EXPECT_TRUE(sameBits(Net::at(s.solver, 5), reference()[4], "P"));
    EXPECT_EQ(Net::errors(s.solver) + Net::warnings(s.solver), "");
    EXPECT_TRUE(sameBits(Net::at(s.solver, 3), reference()[2], "P"));
    EXPECT_TRUE(sameBits(Net::at(s.solver, 6), reference()[5], "v"));
}

TEST_F(CookOrder, BeforeTheStartTheInputPasses) {
    Scene s;
    Net::set(s.solver, "startframe", 4);
    EXPECT_TRUE(sameBits(Net::at(s.solver, 2), Net::at(s.pattern, 2), "P"));
    EXPECT_TRUE(sameBits(Net::at(s.solver, 6), reference()[2], "P"));
}

TEST_F(CookOrder, BetweenFramesIsBetweenThem) {
    Scene s;
    const Detail half = Net::at(s.solver, 3.5);
    const double a = reference()[2].positions()[7].y(), b = reference()[3].positions()[7].y();
    EXPECT_NEAR(half.positions()[7].y(), 0.5 * (a + b), 1e-9);
}

TEST_F(CookOrder, AnimatedInputsCountAtTheirOwnFrames) {
    // Pins that rise, and a box that rises below: each frame sees them at its own time.
    Scene s;
    SOP_Node* pins = s.add("purl::configure::1.0", "pins", {s.pattern});
    Net::set(pins, "pingroup", "edge_top");
    double speed = 0.0002; // m a frame
    Source* moving = s.source("moving", [&](GU_Detail& gdp, double frame) {
        Detail d = Net::at(pins, 1);
        Attribute& p = *d.findPoint("P");
        for (Index i = 0; i < d.points(); ++i) p.set(i, 1, p.real(i, 1) + speed * (frame - 1));
        houdini::appendGeometry(gdp, d);
    });
    moving->animate();
    s.solver->inputs = {moving};
    std::vector<Detail> inOrder;
    for (int f = 1; f <= 4; ++f) inOrder.push_back(Net::at(s.solver, f));
    const Group* top = inOrder[0].findGroup(Owner::Point, "edge_top");
    Index held = 0;
    while (!top->member[held]) ++held;
    EXPECT_NEAR(inOrder[3].positions()[held].y() - inOrder[0].positions()[held].y(), 3 * speed,
                1e-8);
    SOP_Node* jump = s.add("purl::solver::1.0", "jump", {moving});
    jump->parms = s.solver->parms;
    EXPECT_TRUE(sameBits(Net::at(jump, 4), inOrder[3], "P"));
    // Between frames nothing is begun anew, though the input is another.
    for (double between : {1.5, 2.5, 3.25}) Net::cook(s.solver, between);
    EXPECT_EQ(Net::errors(s.solver) + Net::messages(s.solver), "");
    EXPECT_TRUE(sameBits(Net::at(s.solver, 4), inOrder[3], "P"));
    // Another motion upstream, with the same start: kept frames know that they are of the past.
    speed = 0.0004;
    moving->changed();
    const Detail faster = Net::at(s.solver, 4);
    EXPECT_EQ(Net::errors(s.solver), "");
    EXPECT_NE(Net::messages(s.solver).find("began anew"), std::string::npos);
    EXPECT_NEAR(faster.positions()[held].y() - inOrder[0].positions()[held].y(), 3 * speed, 1e-8);
}

TEST_F(CookOrder, AParameterChangedMidWayBeginsAnewAndSaysSo) {
    Scene s;
    Net::cook(s.solver, 4);
    Net::set(s.solver, "gravity", -3.0, 1);
    const Detail changed = Net::at(s.solver, 4);
    EXPECT_NE(Net::messages(s.solver).find("began anew"), std::string::npos);
    Scene fresh;
    Net::set(fresh.solver, "gravity", -3.0, 1);
    EXPECT_TRUE(sameBits(changed, Net::at(fresh.solver, 4), "P"));
    EXPECT_FALSE(sameBits(changed, reference()[3], "P"));
    Net::cook(s.solver, 5);
    EXPECT_EQ(Net::messages(s.solver), "") << "said twice";
}

TEST_F(CookOrder, AnUpstreamChangeBeginsAnewAlsoAtTheNextFrame) {
    Scene s;
    Net::cook(s.solver, 4);
    Net::set(s.pattern, "wales", 6);
    const Detail changed = Net::at(s.solver, 5); // frame 4 is not cooked again in between
    EXPECT_NE(Net::messages(s.solver).find("began anew"), std::string::npos);
    Scene fresh;
    Net::set(fresh.pattern, "wales", 6);
    EXPECT_TRUE(sameBits(changed, Net::at(fresh.solver, 5), "P"));
}

TEST_F(CookOrder, ResetButtonCountsUp) {
    Scene s;
    Net::cook(s.solver, 3);
    const int steps = s.asked;
    Net::set(s.solver, "resetcount", 1);
    EXPECT_TRUE(sameBits(Net::at(s.solver, 3), reference()[2], "P"));
    EXPECT_EQ(s.asked, 2 * steps) << "it was not solved again";
}

TEST_F(CookOrder, HowFramesAreKeptResetsNothing) {
    Scene s;
    Net::cook(s.solver, 4);
    const int steps = s.asked;
    Net::set(s.solver, "cacheenabled", 1);
    EXPECT_TRUE(sameBits(Net::at(s.solver, 4), reference()[3], "P"));
    EXPECT_EQ(s.asked, steps);
}

TEST_F(CookOrder, AFrameThatTheCacheLostIsSolvedAgainFromTheStart) {
    Scene s;
    Net::set(s.solver, "cacheenabled", 1);
    Net::set(s.solver, "cachemaxsize", 0.001); // MB: hardly a frame
    for (int f = 1; f <= 5; ++f) Net::cook(s.solver, f);
    EXPECT_EQ(s.session().at(3), nullptr);
    EXPECT_TRUE(sameBits(Net::at(s.solver, 3), reference()[2], "P"));
    EXPECT_TRUE(sameBits(Net::at(s.solver, 6), reference()[5], "P"));
}

TEST_F(CookOrder, EscLeavesTheLastGoodFrameAndGoesOnLater) {
    Scene s;
    Net::cook(s.solver, 3);
    int left = 5;
    hdk::escape = [&](int) { return --left <= 0; };
    const Detail stopped = Net::at(s.solver, 4);
    EXPECT_TRUE(sameBits(stopped, reference()[2], "P"));
    EXPECT_NE(Net::warnings(s.solver).find("interrupted in frame 4"), std::string::npos);
    hdk::escape = nullptr;
    ++s.solver->changes; // Houdini cooks it again
    EXPECT_TRUE(sameBits(Net::at(s.solver, 4), reference()[3], "P"));
    EXPECT_TRUE(sameBits(Net::at(s.solver, 6), reference()[5], "P"));
}

TEST_F(CookOrder, EscInAJumpKeepsWhatWasSolved) {
    Scene s;
    int calls = 0;
    hdk::escape = [&](int) { return ++calls > 30; };
    Net::cook(s.solver, 6);
    const int reached = s.session().last();
    EXPECT_LT(reached, 6);
    hdk::escape = nullptr;
    ++s.solver->changes;
    EXPECT_TRUE(sameBits(Net::at(s.solver, 6), reference()[5], "P"));
}

TEST_F(CookOrder, TwoSolversAtOnce) {
    Scene a;
    SOP_Node* other = a.add("purl::solver::1.0", "solver2", {a.pattern});
    Net::set(other, "useground", 1);
    Net::set(other, "gravity", -3.0, 1);
    for (int f = 1; f <= 4; ++f) {
        Net::cook(other, f);
        EXPECT_TRUE(sameBits(Net::at(a.solver, f), reference()[f - 1], "P"));
    }
    EXPECT_FALSE(sameBits(Net::at(other, 4), reference()[3], "P"));
    // And at the same moment, each on its own thread with its own input.
    hdk::escape = nullptr;
    Scene b, c;
    hdk::escape = nullptr;
    Detail one, two;
    std::thread first([&] { one = Net::at(b.solver, 4); });
    two = Net::at(c.solver, 4);
    first.join();
    EXPECT_TRUE(sameBits(one, reference()[3], "P"));
    EXPECT_TRUE(sameBits(two, reference()[3], "P"));
}

TEST_F(CookOrder, ACopyHasItsOwnCacheAndLivesOn) {
    Scene s;
    Net::cook(s.solver, 4);
    SOP_Node* copy = s.add("purl::solver::1.0", "solver2", s.solver->inputs);
    copy->parms = s.solver->parms;
    const GU_ConstDetailHandle held = Net::cook(s.solver, 3); // somebody still shows it
    s.remove(s.solver);
    EXPECT_EQ(held.gdp()->getNumPoints(), reference()[2].points());
    EXPECT_TRUE(sameBits(Net::at(copy, 5), reference()[4], "P"));
}

TEST_F(CookOrder, CheckpointsResumeInAnotherProcess) {
    const char* child = std::getenv("PURL_TEST_CHECKPOINTS");
    const fs::path folder =
        child ? fs::path(child)
              : fs::temp_directory_path() / ("purl_checkpoints" + std::to_string(getpid()));
    Scene s;
    Net::set(s.solver, "savecheckpoints", 1);
    Net::set(s.solver, "checkpoint_basedir", folder.string());
    Net::set(s.solver, "checkpoint_explicitcachespacing", 2);
    Net::set(s.solver, "checkpoint_explicitcachensteps", 1);
    if (child) { // the first process: up to frame 5, checkpoints at 3 and 5
        Net::cook(s.solver, 5);
        return;
    }
    setenv("PURL_TEST_CHECKPOINTS", folder.c_str(), 1);
    const std::string self = fs::read_symlink("/proc/self/exe").string();
    const int code = std::system(
        (self + " --gtest_filter=CookOrder.CheckpointsResumeInAnotherProcess > /dev/null").c_str());
    unsetenv("PURL_TEST_CHECKPOINTS");
    ASSERT_EQ(code, 0);
    EXPECT_FALSE(fs::exists(folder / "solver1.0003.purlstate"))
        << "a trail of one keeps the newest";
    ASSERT_TRUE(fs::exists(folder / "solver1.0005.purlstate"));
    EXPECT_TRUE(sameBits(Net::at(s.solver, 6), reference()[5], "P"));
    EXPECT_EQ(s.session().at(4), nullptr) << "frames before the checkpoint were solved again";
    const int one = s.asked;
    EXPECT_TRUE(sameBits(Net::at(s.solver, 4), reference()[3], "P")); // before it: from the start
    EXPECT_GT(s.asked, one);
    // Another set-up does not take it.
    Scene other;
    Net::set(other.solver, "savecheckpoints", 1);
    Net::set(other.solver, "checkpoint_basedir", folder.string());
    Net::set(other.solver, "friction", 0.7);
    Net::cook(other.solver, 6);
    EXPECT_NE(other.session().at(2), nullptr);
    fs::remove_all(folder);
}

TEST_F(CookOrder, InfoAndMemoryTellOfTheFrame) {
    Scene s;
    Net::cook(s.solver, 4);
    UT_InfoTree tree;
    OP_NodeInfoTreeParms parms;
    parms.time = CHgetManager()->getTime(4);
    s.solver->fillInfoTreeNodeSpecific(tree, parms);
    const auto& info = tree.children.at("Purl")->properties;
    EXPECT_EQ(info.at("Yarns"), "5"); // four courses and the bind-off
    EXPECT_EQ(info.at("Points"), std::to_string(reference()[0].points()));
    for (const char* key : {"Contacts", "Contact updates", "Iterations", "Residual", "Memory (MB)"})
        EXPECT_TRUE(info.count(key)) << key;
    const int64 four = s.solver->verbCache()->getMemoryUsage(true);
    Net::cook(s.solver, 6);
    // Two more frames: at least their positions and velocities.
    EXPECT_GE(s.solver->verbCache()->getMemoryUsage(true) - four,
              2 * 6 * 4 * reference()[0].points());
}

} // namespace purl::test
