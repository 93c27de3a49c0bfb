// A sheet saved and loaded goes on to the same bits, with the past of two-step schemes, contact,
// plastic bends, and steps that had to be shortened.
#include "purl/base/snapshot.h"
#include "purl/cloth/models.h"
#include "purl/cloth/self_collision.h"
#include "purl/cloth/sheets.h"
#include "purl/cloth/solver.h"
#include "purl/collide/shapes.h"

#include <gtest/gtest.h>

using namespace purl;

namespace {

struct StopAfter : Monitor {
    int steps;
    explicit StopAfter(int n) : steps(n) {}
    bool interrupted() override { return --steps == 0; }
};

struct World {
    SphereCollider ball{Vec3(0, -0.12, 0), 0.1};
    FlatSheet sheet = rectangleSheet(12, 12, 0.3, 0.3);
    std::unique_ptr<ClothSolver> solver;

    explicit World(Scheme scheme) {
        ClothMaterial m;
        ClothSettings s;
        s.integrator.scheme = scheme;
        std::vector<std::unique_ptr<ClothEnergy>> list;
        list.push_back(makeInPlane(InPlaneModel::StVK, sheet.mesh, m));
        list.push_back(makeBending(BendingModel::DiscreteShells, sheet.mesh, m));
        const std::vector<double> density{m.areaDensity};
        solver = std::make_unique<ClothSolver>(sheet.mesh, sheet.x, density, std::move(list), s);
        solver->setPins({0});
        solver->setColliders({{&ball, CollisionSettings{}}});
        solver->setCollisionHook(
            std::make_unique<CollisionHookOf<SelfCollision>>(sheet.mesh, sheet.x));
    }
    void begin(int frame) {
        Pose a, b;
        a.translation.y() = 0.01 * (frame - 1);
        b.translation.y() = 0.01 * frame;
        ball.setPose(a, b, 1.0 / 24);
        solver->setPinTargets(std::vector<Vec3>{sheet.x[0] + Vec3(0, 0.005 * frame, 0)});
    }
    void frame(int number) {
        begin(number);
        Monitor quiet;
        solver->advanceFrame(1.0 / 24, 4, quiet);
    }
    std::vector<char> saved() const {
        SnapshotWriter w;
        solver->save(w);
        w.finish();
        return w.bytes();
    }
    void load(const std::vector<char>& bytes) {
        SnapshotReader r(bytes, "memory");
        solver->load(r);
    }
};

class ClothCheckpoint : public testing::TestWithParam<Scheme> {};

} // namespace

TEST_P(ClothCheckpoint, GoesOnToTheSameBits) {
    World whole(GetParam()), first(GetParam());
    std::vector<std::uint64_t> expected;
    for (int f = 1; f <= 12; ++f) {
        whole.frame(f);
        expected.push_back(whole.solver->hash());
    }
    for (int f = 1; f <= 5; ++f) first.frame(f);
    World second(GetParam());
    second.load(first.saved());
    for (int f = 6; f <= 12; ++f) {
        second.frame(f);
        ASSERT_EQ(second.solver->hash(), expected[f - 1]) << "frame " << f;
    }
    first.begin(6);
    StopAfter stop(2);
    first.solver->advanceFrame(1.0 / 24, 4, stop);
    ASSERT_EQ(first.solver->stepsIntoFrame(), 2);
    World third(GetParam());
    third.load(first.saved());
    for (int f = 6; f <= 8; ++f) {
        third.frame(f);
        ASSERT_EQ(third.solver->hash(), expected[f - 1]) << "frame " << f << " from its middle";
    }
}

INSTANTIATE_TEST_SUITE_P(Schemes, ClothCheckpoint,
                         testing::Values(Scheme::LinearImplicit, Scheme::Bdf2, Scheme::Newmark));
