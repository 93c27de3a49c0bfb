// A simulation saved and loaded goes on to the same bits: between frames, in the middle of one,
// with every kind of contact, on any number of threads.
#include "purl/base/error.h"
#include "purl/base/parallel.h"
#include "purl/base/snapshot.h"
#include "purl/collide/shapes.h"

#include <gtest/gtest.h>

#include "sim/knit_scene.h"

#include <cstring>

using namespace purl;
using test::Knit;

namespace {

// Stops a frame after some steps, once.
struct StopAfter : Monitor {
    int steps;
    explicit StopAfter(int n) : steps(n) {}
    bool interrupted() override { return --steps == 0; }
};

struct World { // a knit that falls on a ball that moves and turns
    Scene scene;
    std::shared_ptr<SphereCollider> ball = std::make_shared<SphereCollider>(Vec3(0, 0, 0), 0.015);
    std::unique_ptr<Simulation> sim;

    explicit World(ContactMethod method, double plastic = 0, double friction = 0.3) {
        Knit k("stockinette", 6);
        scene = k.scene;
        Vec3 middle = Vec3::Zero();
        for (const Vec3& x : scene.yarns.x) middle += x / static_cast<double>(scene.yarns.points());
        for (std::size_t i = 0; i < scene.yarns.x.size(); ++i) {
            const Vec3 p = scene.yarns.x[i] - middle, r = scene.rest[i] - middle;
            scene.yarns.x[i] = {p.x(), 0.02 + p.z(), -p.y()};
            scene.rest[i] = {r.x(), 0.02 + r.z(), -r.y()};
        }
        for (Material& m : scene.material) m.plasticRadius = plastic;
        scene.settings.forces.gravity = {0, -9.81, 0};
        scene.settings.contact.method = method;
        scene.settings.contact.friction = friction;
        scene.settings.time.fps = 240;
        scene.settings.time.substeps = 40;
        scene.colliders = {ball};
        scene.collision = {CollisionSettings{}};
        sim = std::make_unique<Simulation>(scene);
    }
    void setFrame(int frame) {
        const auto pose = [](int f) {
            Pose p;
            p.translation = {0.0008 * f, 0.0004 * f, 0};
            p.rotation = Eigen::Quaterniond(Eigen::AngleAxisd(0.02 * f, Vec3::UnitY()));
            return p;
        };
        ball->setPose(pose(frame - 1), pose(frame), 1.0 / 240);
    }
    void frame(int number) {
        setFrame(number);
        Monitor quiet;
        ASSERT_EQ(sim->advanceFrame(quiet).outcome, FrameReport::Outcome::Done);
    }
    std::vector<char> saved() const {
        SnapshotWriter w;
        sim->save(w);
        w.finish();
        return w.bytes();
    }
    void load(const std::vector<char>& bytes) {
        SnapshotReader r(bytes, "memory");
        sim->load(r);
    }
};

struct Fine { // what a frame shows
    std::uint64_t hash;
    std::vector<Vec3> x, force;
    std::vector<int> updates;
};

Fine shown(const World& w) {
    return {w.sim->hash(), w.sim->positions(), w.sim->contactForces(), w.sim->contactUpdates()};
}

void expectSame(const Fine& a, const Fine& b, int frame) {
    EXPECT_EQ(a.hash, b.hash) << "frame " << frame;
    EXPECT_EQ(std::memcmp(a.x.data(), b.x.data(), a.x.size() * sizeof(Vec3)), 0) << frame;
    EXPECT_EQ(std::memcmp(a.force.data(), b.force.data(), a.force.size() * sizeof(Vec3)), 0)
        << frame;
    EXPECT_EQ(a.updates, b.updates) << frame;
}

constexpr int kFrames = 14;

std::vector<Fine> uninterrupted(World& w) {
    std::vector<Fine> all;
    for (int f = 1; f <= kFrames; ++f) {
        w.frame(f);
        all.push_back(shown(w));
    }
    return all;
}

class Checkpoint : public testing::TestWithParam<ContactMethod> {};

} // namespace

TEST_P(Checkpoint, BetweenFramesItGoesOnToTheSameBits) {
    World whole(GetParam(), 0.05);
    const std::vector<Fine> expected = uninterrupted(whole);
    World first(GetParam(), 0.05);
    std::vector<char> bytes;
    for (int f = 1; f <= kFrames; ++f) {
        first.frame(f);
        if (f != 3 && f != 9) continue;
        bytes = first.saved();
        World second(GetParam(), 0.05);
        second.load(bytes);
        expectSame(shown(second), expected[f - 1], f);
        for (int g = f + 1; g <= kFrames; ++g) {
            second.frame(g);
            expectSame(shown(second), expected[g - 1], g);
        }
    }
    first.load(bytes); // into one that has been further
    first.frame(10);
    expectSame(shown(first), expected[9], 10);
}

TEST_P(Checkpoint, InTheMiddleOfAFrameOnOtherThreads) {
    World whole(GetParam());
    const std::vector<Fine> expected = uninterrupted(whole);
    World first(GetParam());
    for (int f = 1; f <= 6; ++f) first.frame(f);
    first.setFrame(7);
    StopAfter stop(17);
    ASSERT_EQ(first.sim->advanceFrame(stop).outcome, FrameReport::Outcome::Interrupted);
    EXPECT_EQ(first.sim->stepsIntoFrame(), 17);
    World second(GetParam());
    second.load(first.saved());
    const ThreadLimit three(3);
    for (int f = 7; f <= 10; ++f) {
        second.frame(f);
        expectSame(shown(second), expected[f - 1], f);
    }
    EXPECT_EQ(second.sim->stepsIntoFrame(), 0);
}

INSTANTIATE_TEST_SUITE_P(Contact, Checkpoint,
                         testing::Values(ContactMethod::Acl, ContactMethod::Exact));

TEST(CheckpointBranch, OtherSettingsTakeOverWithoutAJump) {
    World first(ContactMethod::Acl);
    for (int f = 1; f <= 8; ++f) first.frame(f);
    World same(ContactMethod::Acl), other(ContactMethod::Acl, 0, 0.9);
    same.load(first.saved());
    other.load(first.saved());
    for (int f = 9; f <= 12; ++f) {
        same.frame(f);
        other.frame(f);
    }
    EXPECT_NE(same.sim->hash(), other.sim->hash());
    const auto &a = same.sim->positions(), &b = other.sim->positions();
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, (a[i] - b[i]).norm());
    EXPECT_GT(most, 0);
    EXPECT_LT(most, 2e-3) << "four frames of 1/240 s with another friction";
}

TEST(CheckpointBranch, OtherYarnsAreRefusedByCount) {
    World first(ContactMethod::Acl);
    Knit k("stockinette", 5);
    Simulation other(k.scene);
    SnapshotReader r(first.saved(), "state.purlstate");
    try {
        other.load(r);
        FAIL();
    } catch (const Error& e) {
        const std::string what = e.what();
        EXPECT_NE(what.find("state.purlstate: simulation"), std::string::npos) << what;
        EXPECT_NE(what.find("as in the scene"), std::string::npos) << what;
    }
}
