// The finder of implicit steps tells exactly what brute force finds, whatever the steps were.
#include "purl/contact/pair_list.h"
#include "schedule_world.h"

#include "purl/base/hash.h"
#include "purl/base/parallel.h"

#include <Eigen/Geometry>
#include <limits>

using namespace purl;
using namespace purl::test;

namespace {

constexpr double kR = 1.25e-3;

// Two knitted patches that fly through each other, fold, tremble, jump and stop, in long steps.
struct Fray {
    WorldOf<PairList> world;
    std::vector<Vec3> start;
    std::mt19937 random{7};
    Index half;
    long step = 0;

    explicit Fray(const std::vector<Weld>& welds = {})
        : world(make(), welds), start(world.at), half(world.curves.points() / 2) {}
    static Curves make() {
        Curves c = knitRows(3, 3, kR, 0.8 * kR);
        append(c, knitRows(3, 3, kR, 0.8 * kR, Vec3(0.005, 0.003, 0.009)));
        return c;
    }
    double any(double a, double b) { return std::uniform_real_distribution<>(a, b)(random); }
    void move() {
        const double t = 1e-2 * static_cast<double>(step);
        const int act = static_cast<int>(step / 25) % 6;
        for (Index i = 0; i < world.curves.points(); ++i) {
            const double side = i < half ? -1 : 1;
            Vec3 q = start[i];
            q.z() -= side * 0.006 * (1 + std::sin(9 * t));
            if (act >= 2) {
                const double angle = 2.5 * std::sin(8 * t) * (q.x() > 0.012);
                const Vec3 pivot(0.012, 0, 0);
                q = pivot + Eigen::AngleAxisd(angle * side, Vec3::UnitY()) * (q - pivot);
            }
            if (act == 3) q += 2e-4 * Vec3(any(-1, 1), any(-1, 1), any(-1, 1));
            if (act == 5 && i % 16 == 0) q += 3e-2 * Vec3(any(-1, 1), any(-1, 1), any(-1, 1));
            if (act == 4) q = start[i];
            world.at[i] = q + Vec3(30 * t, 5 * t * t, 0.4 * std::sin(50 * t)); // carried about
        }
        ++step;
    }
};

} // namespace

TEST(PairList, FindsExactlyWhatTouchesInLongStepsOfFray) {
    Fray fray({{3, 40}});
    long told = 0, covered = 0;
    for (int step = 0; step < 240; ++step) {
        fray.move();
        fray.world.update();
        ASSERT_NO_FATAL_FAILURE(fray.world.judge("fray", step));
        told += static_cast<long>(fray.world.found.size());
        if (step % 7 != 3) fray.world.coverFound();
        for (int k = 0; k < 3 && !fray.world.boxes.empty(); ++k, ++covered)
            fray.world.uncover(fray.random() % fray.world.boxes.size());
    }
    EXPECT_GT(told, 3000);
    EXPECT_GT(covered, 500);
    EXPECT_GT(fray.world.schedule.rebuilds(), 10);
}

TEST(PairList, LooksAtLittleWhereLittleMoves) {
    Fray fray;
    fray.move();
    long processed = 0, entries = 0;
    for (int step = 0; step < 60; ++step) {
        for (Index i = 0; i < fray.world.curves.points(); ++i)
            fray.world.at[i] += 2e-6 * Vec3(fray.any(-1, 1), fray.any(-1, 1), 1);
        fray.world.update();
        ASSERT_NO_FATAL_FAILURE(fray.world.judge("calm", step));
        fray.world.coverFound();
        if (step > 5) processed += fray.world.schedule.stats().processed;
        entries += fray.world.schedule.stats().entries;
    }
    EXPECT_LT(processed, entries / 10) << "nothing sleeps";
    EXPECT_EQ(fray.world.schedule.rebuilds(), 1);
}

TEST(PairList, WhatIsNoNumberTouchesNothingAndIsFoundWhenItIsBack) {
    Fray fray;
    fray.move();
    fray.world.update();
    const std::size_t before = fray.world.found.size();
    const std::vector<Vec3> at = fray.world.at;
    fray.world.at[5] = Vec3::Constant(std::numeric_limits<double>::quiet_NaN());
    fray.world.at[90].x() = 1e30;
    fray.world.update();
    EXPECT_LT(fray.world.found.size(), before);
    fray.world.at = at;
    fray.world.update();
    EXPECT_EQ(fray.world.found.size(), before);
    ASSERT_NO_FATAL_FAILURE(fray.world.judge("back", 0));
}

TEST(PairList, SameBitsAtAnyThreadCount) {
    std::uint64_t expected = 0;
    for (int threads : {1, 2, 3}) {
        ThreadLimit limit(threads);
        Fray fray;
        Hash hash;
        for (int step = 0; step < 40; ++step) {
            fray.move();
            fray.world.update();
            for (const PointPair& p : fray.world.found) {
                hash.add(p.u);
                hash.add(p.v);
            }
            fray.world.coverFound();
        }
        if (threads == 1) expected = hash.value();
        EXPECT_EQ(hash.value(), expected) << threads << " threads";
    }
}
