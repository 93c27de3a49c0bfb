// Keys on the solver's parameters: those that may change act at their own frames, to the bits of a
// command that branches there; a change of keys anywhere begins anew.
#include "command.h"
#include "net.h"
#include "plugin/SOP_Purl_Solver.h"
#include "plugin/named_parms.h"
#include "plugin/solver_parms.h"
#include "purl/host/animated.h"
#include "purl/host/cloth_from_detail.h"

#include <cmath>

namespace purl::test {

namespace {

constexpr int kChange = 4; // the first frame of other values

OP_Node::Curve stepsTo(double before, double after) {
    return [=](double frame) { return frame < kChange - 1e-6 ? before : after; };
}

struct Key {
    const char* parm;
    int index;
    double before, after;
};

// Frames 1 to 3 by a scene, 4 to 6 by one that branches from its checkpoint of frame 3 with other
// settings, against a node whose parameters step there.
void compareBranch(const std::string& test, SOP_Node* solver, const std::string& body,
                   const std::string& first, const std::string& then,
                   const std::vector<Key>& keys) {
    const Folder before(test + "_a"), after(test + "_b");
    simulate(before, "{" + body + first + "}", "--frames 1-3 --checkpoint-every 1");
    simulate(after, "{" + body + then + "}",
             "--frames 1-6 --branch '" + before / "checkpoints/state.000003.purlstate'");
    for (const Key& k : keys) solver->key(k.parm, k.index, stepsTo(k.before, k.after));
    Detail frozen;
    for (int f = 1; f <= 6; ++f) {
        const Detail node = Net::at(solver, f);
        ASSERT_EQ(Net::errors(solver), "");
        EXPECT_EQ(Net::messages(solver), "") << "keys are no change";
        for (const char* name : {"P", "v"})
            EXPECT_TRUE(sameBits(node, frameOf(f < kChange ? before : after, f), name))
                << "frame " << f;
    }
    // The keys did something: the same without them is elsewhere.
    const Detail keyed = Net::at(solver, 6);
    for (const Key& k : keys) solver->key(k.parm, k.index, nullptr);
    for (const Key& k : keys) {
        std::ostringstream text;
        text << k.before;
        Net::set(solver, k.parm, text.str(), k.index);
    }
    EXPECT_FALSE(sameBits(Net::at(solver, 6), keyed, "P"));
}

const std::string kFirst = R"(, "time": {"fps": 240}, "forces": {"gravity": [0, -9.80665, 0]},
    "collision": {"friction": 0.3})";
const std::string kThen = R"(, "time": {"fps": 240, "time_scale": 0.5},
    "forces": {"gravity": [0, 3, 0], "wind": [2, 0, 0], "velocity_damping": 2},
    "collision": {"friction": 0.8})";
const std::vector<Key> kKeys = {{"timescale", 0, 1, 0.5},
                                {"gravity", 1, -9.80665, 3},
                                {"wind", 0, 0, 2},
                                {"veldamping", 0, 0, 2},
                                {"friction", 0, 0.3, 0.8}};

class Keys : public ::testing::Test {
protected:
    void SetUp() override { CHgetManager()->fps = 240; }
    void TearDown() override { CHgetManager()->fps = 24; }
};

struct Knit : Net {
    SOP_Node *pattern, *solver;
    Knit() {
        CHgetManager()->fps = 240;
        pattern = add("purl::pattern::1.0", "pattern1");
        set(pattern, "wales", 5);
        set(pattern, "courses", 4);
        set(pattern, "t", 0.0015, 1);
        solver = add("purl::solver::1.0", "solver1", {pattern});
        set(solver, "useground", 1);
    }
    const Session& session() const {
        return *static_cast<houdini::SolverCache*>(solver->verbCache())->session;
    }
};

constexpr const char* kKnit = R"("pattern": {"name": "stockinette", "wales": 5, "courses": 4,
    "radius": 0.00125, "lie": true, "centre": [0, 0.0015, 0]}, "yarns": {"material": "wool"},
    "colliders": ["plane:0,1,0,0"])";

Detail sheet() {
    ClothEntry entry;
    entry.grid = GridEntry{6, 5, 0.06, 0.05, Vec3(0, 0.001, 0), true};
    std::string name;
    std::vector<std::string> warnings;
    return loadSheet(entry, name, warnings);
}

} // namespace

TEST_F(Keys, YarnsAreTheCommandsBranch) {
    Knit s;
    std::vector<Key> keys = kKeys;
    keys.push_back({"dampingrate", 0, 1500, 300});
    keys.push_back({"yarnfriction", 0, 0.3, 0.6});
    keys.push_back({"accuracy", 0, 0.04, 0.01});
    compareBranch("yarns", s.solver, kKnit, kFirst,
                  kThen + R"(, "damping": {"proportional": 300}, "contact": {"friction": 0.6,
                  "accuracy": 0.01})",
                  keys);
}

TEST_F(Keys, ImplicitYarnsAreTheCommandsBranch) {
    Knit s;
    Net::set(s.solver, "stepping", "implicit");
    std::vector<Key> keys = kKeys;
    keys.push_back({"liveliness", 0, 1, 0.2});
    const std::string kind = R"(, "integrator": {"method": "implicit")";
    compareBranch("implicit", s.solver, kKnit, kFirst + kind + "}",
                  kThen + kind + R"(, "liveliness": 0.2})", keys);
}

TEST_F(Keys, ClothIsTheCommandsBranch) {
    Net net;
    CHgetManager()->fps = 240;
    SOP_Node* solver = net.add("purl::solver::1.0", "s", {net.source("grid", fixed(sheet()))});
    Net::set(solver, "useground", 1);
    compareBranch("cloth_keys", solver, R"("cloth": {"grid": {"columns": 6, "rows": 5,
        "width": 0.06, "height": 0.05, "centre": [0, 0.001, 0]}},
        "colliders": ["plane:0,1,0,0"])",
                  kFirst, kThen, kKeys);
}

TEST_F(Keys, FabricIsTheCommandsBranch) {
    Net net;
    CHgetManager()->fps = 240;
    SOP_Node* fabric = net.add("purl::fabric::1.0", "f", {net.source("grid", fixed(sheet()))});
    Net::set(fabric, "draft", "plain");
    Net::set(fabric, "warpspacing", 0.004);
    SOP_Node* solver = net.add("purl::solver::1.0", "s", {fabric});
    Net::set(solver, "useground", 1);
    compareBranch("fabric_keys", solver, R"("fabric": {"grid": {"columns": 6, "rows": 5,
        "width": 0.06, "height": 0.05, "centre": [0, 0.001, 0]}, "draft": "plain",
        "warp_spacing": 0.004, "material": "cotton"}, "colliders": ["plane:0,1,0,0"])",
                  kFirst, kThen, kKeys);
}

TEST_F(Keys, GravityThatGrowsIsAFallOfItsSum) {
    // In a vacuum, over nothing: each frame falls under the gravity of its own key.
    Knit s;
    Net::set(s.solver, "useground", 0);
    Net::set(s.solver, "airdensity", 0);
    s.solver->key("gravity", 1, [](double frame) { return -2 * (frame - 1); });
    const double dt = 1.0 / 240;
    const Detail first = Net::at(s.solver, 1);
    double v = 0, fallen = 0;
    for (int f = 2; f <= 8; ++f) {
        const double g = 2.0 * (f - 1);
        fallen += v * dt + 0.5 * g * dt * dt;
        v += g * dt;
        // What the knit does inside does not move its middle of mass. Symplectic steps are ahead
        // by half a step of the speed.
        const double there = middleOfMass(first).y() - middleOfMass(Net::at(s.solver, f)).y();
        EXPECT_NEAR(there, fallen, 0.03 * fallen + 1e-6) << f;
    }
}

TEST_F(Keys, OtherKeysAnywhereBeginAnew) {
    Knit s, fresh;
    const auto bump = [](double size) {
        return [size](double frame) { return std::abs(frame - 3) < 0.5 ? size : 0.0; };
    };
    s.solver->key("wind", 0, bump(5));
    Net::cook(s.solver, 6);
    EXPECT_EQ(Net::messages(s.solver), "");
    s.solver->key("wind", 0, bump(30)); // at frame 3 only; frame 6 is shown
    const Detail again = Net::at(s.solver, 6);
    EXPECT_NE(Net::messages(s.solver).find("began anew"), std::string::npos);
    fresh.solver->key("wind", 0, bump(30));
    EXPECT_TRUE(sameBits(again, Net::at(fresh.solver, 6), "P"));
    Net::cook(s.solver, 5);
    EXPECT_EQ(Net::messages(s.solver), "") << "said twice";
    s.solver->key("wind", 0, nullptr);
    Knit calm;
    EXPECT_TRUE(sameBits(Net::at(s.solver, 6), Net::at(calm.solver, 6), "P"));
}

TEST_F(Keys, WithoutWatchingUpstreamParametersAndResetCount) {
    Knit s;
    Net::set(s.solver, "watchinput", 0);
    Net::cook(s.solver, 4);
    Net::set(s.solver, "gravity", -3.0, 1);
    const Detail changed = Net::at(s.solver, 5); // a frame that was not solved yet
    Knit fresh;
    Net::set(fresh.solver, "gravity", -3.0, 1);
    EXPECT_TRUE(sameBits(changed, Net::at(fresh.solver, 5), "P"));
    EXPECT_NE(Net::messages(s.solver).find("began anew"), std::string::npos);
    const int steps = s.session().at(5)->figures.steps;
    int asked = 0;
    hdk::escape = [&](int) {
        ++asked;
        return false;
    };
    Net::set(s.solver, "resetcount", 1);
    Net::cook(s.solver, 5);
    EXPECT_GE(asked, steps) << "Reset did nothing";
}

TEST_F(Keys, CheckpointsOfOtherKeysAreNotTaken) {
    const Folder folder("keyed_checkpoints");
    const auto ramp = [](double slope) {
        return [slope](double frame) { return slope * (frame - 1); };
    };
    const auto make = [&](Knit& s, double slope) {
        Net::set(s.solver, "savecheckpoints", 1);
        Net::set(s.solver, "checkpoint_basedir", folder.path.string());
        Net::set(s.solver, "checkpoint_explicitcachespacing", 2);
        s.solver->key("wind", 0, ramp(slope));
    };
    Knit plain, first, second, other, edited;
    plain.solver->key("wind", 0, ramp(3));
    make(first, 3);
    Net::cook(first.solver, 5);
    make(second, 3); // another session: from the checkpoint of frame 5
    EXPECT_TRUE(sameBits(Net::at(second.solver, 6), Net::at(plain.solver, 6), "P"));
    EXPECT_EQ(second.session().at(3), nullptr) << "the checkpoint was not taken";
    // The same start, other keys later: the checkpoint is of another run.
    make(other, 8);
    const Detail windy = Net::at(other.solver, 6);
    Knit fresh;
    fresh.solver->key("wind", 0, ramp(8));
    EXPECT_TRUE(sameBits(windy, Net::at(fresh.solver, 6), "P"));
    EXPECT_FALSE(sameBits(windy, Net::at(plain.solver, 6), "P"));
    // Keys edited in a session that has written checkpoints itself.
    make(edited, 8);
    Net::cook(edited.solver, 6);
    edited.solver->key("wind", 0, ramp(3));
    EXPECT_TRUE(sameBits(Net::at(edited.solver, 6), Net::at(plain.solver, 6), "P"));
}

TEST_F(Keys, WhatCannotChangeIsThatOfTheStart) {
    Knit s, plain;
    s.solver->key("stiffen", 0, stepsTo(0, 0.5));
    s.solver->key("thickness", 0, stepsTo(0, 0.001));
    for (int f = 1; f <= 6; ++f) {
        EXPECT_TRUE(sameBits(Net::at(s.solver, f), Net::at(plain.solver, f), "P"));
        EXPECT_EQ(Net::messages(s.solver), "");
    }
}

TEST_F(Keys, AFrameLeftByEscBeginsAnewUnderOtherKeys) {
    Knit s, fresh;
    s.solver->key("wind", 0, stepsTo(0, 3));
    Net::cook(s.solver, 3);
    int left = 3;
    hdk::escape = [&](int) { return --left <= 0; };
    Net::cook(s.solver, 4);
    EXPECT_NE(Net::warnings(s.solver).find("interrupted in frame 4"), std::string::npos);
    hdk::escape = nullptr;
    s.solver->key("wind", 0, stepsTo(0, 9));
    fresh.solver->key("wind", 0, stepsTo(0, 9));
    EXPECT_TRUE(sameBits(Net::at(s.solver, 4), Net::at(fresh.solver, 4), "P"));
    EXPECT_EQ(Net::errors(s.solver), "");
}

TEST_F(Keys, TheListOfAnimatedParametersIsTheCores) {
    // Each parameter that is said to be animated changes a value of animated.h, and no other does.
    Knit s;
    const std::vector<const char*>& names = houdini::animatedParms();
    for (const auto& p : s.solver->op->templates->parms) {
        if (p.type != "float" && p.type != "integer" && p.type != "toggle" && p.type != "vector")
            continue;
        if (p.name == "resetcount" || p.name == "solveframe" || p.name == "startframe") continue;
        const bool said = std::find_if(names.begin(), names.end(),
                                       [&](const char* n) { return p.name == n; }) != names.end();
        SessionSettings before, after;
        struct Options { // all of the node's, one of them changed
            SOP_Node* node;
            std::string changed;
            bool change;
            double at(const char* n, int k) const {
                return node->evalFloat(n, k, 0) + (change && changed == n ? 1 : 0);
            }
            int64 getOptionI(const char* n) const { return static_cast<int64>(at(n, 0)); }
            bool getOptionB(const char* n) const {
                return (node->evalInt(n, 0, 0) != 0) != (change && changed == n);
            }
            double getOptionF(const char* n) const { return at(n, 0); }
            UT_StringHolder getOptionS(const char* n) const {
                UT_StringHolder text;
                node->evalString(text, n, 0, 0);
                return text;
            }
            UT_Vector3D getOptionV3(const char* n) const {
                return UT_Vector3D(at(n, 0), at(n, 1), at(n, 2));
            }
        };
        const Options a{s.solver, p.name, false}, b{s.solver, p.name, true};
        before = houdini::physicsOf(houdini::NamedParms<Options>(a), 24);
        after = houdini::physicsOf(houdini::NamedParms<Options>(b), 24);
        EXPECT_EQ(!sameAnimated(before.wanted, after.wanted), said) << p.name;
        if (!said && p.name.rfind("c", 0) != 0 && p.name != "watchinput" &&
            p.name != "savecheckpoints") {
            EXPECT_NE(houdini::fixedDigest(before), houdini::fixedDigest(after)) << p.name;
        }
    }
}

} // namespace purl::test
