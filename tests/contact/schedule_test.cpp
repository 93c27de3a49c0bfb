#include "schedule_world.h"

#include "purl/base/hash.h"
#include "purl/base/parallel.h"

#include <Eigen/Geometry>
#include <limits>

using namespace purl;
using namespace purl::test;

namespace {

constexpr double kR = 1.25e-3;

// Two knitted patches, one above the other, that fly at each other, fold, tremble, stop and start.
struct Fray {
    World world;
    std::vector<Vec3> velocity, start;
    std::mt19937 random{7};
    Index half;
    long step = 0;

    explicit Fray(double scale = 1)
        : world(make(scale)), velocity(world.at.size(), Vec3::Zero()), start(world.at),
          half(world.curves.points() / 2) {}
    static Curves make(double scale) {
        Curves c = knitRows(3, 3, scale * kR, 0.8 * scale * kR);
        append(c, knitRows(3, 3, scale * kR, 0.8 * scale * kR, scale * Vec3(0.005, 0.003, 0.009)));
        return c;
    }
    double any(double a, double b) { return std::uniform_real_distribution<>(a, b)(random); }
    // Kinematics: nothing pushes back, so yarns pass through each other in every way.
    void move(double scale = 1) {
        const double t = 1e-3 * step;
        const int act = static_cast<int>(step / 125) % 8;
        for (Index i = 0; i < world.curves.points(); ++i) {
            const Vec3 p = start[i] / scale;
            const double side = i < half ? -1 : 1;
            Vec3 q = p;
            q.z() -= side * 0.006 * (1 + std::sin(9 * t)); // through each other and back
            if (act >= 2) {                                // fold about a line that wanders
                const double angle =
                    2.5 * std::sin(20 * t) * (p.x() > 0.012 + 0.01 * std::sin(7 * t));
                const Vec3 pivot(0.012 + 0.01 * std::sin(7 * t), 0, 0);
                q = pivot + Eigen::AngleAxisd(angle * side, Vec3::UnitY()) * (q - pivot);
            }
            if (act == 3 || act == 5) q += 2e-4 * Vec3(any(-1, 1), any(-1, 1), any(-1, 1));
            if (act == 6 && i % 16 == 0) q += 3e-2 * Vec3(any(-1, 1), any(-1, 1), any(-1, 1));
            if (act == 4) q = p;                                 // a sudden stop
            q += Vec3(3 * t, 5 * t * t, 0.4 * std::sin(50 * t)); // carried about
            world.at[i] = scale * q;
        }
        ++step;
    }
};

} // namespace

TEST(Schedule, FindsExactlyWhatTouchesInAThousandStepsOfFray) {
    Fray fray;
    long told = 0, covered = 0;
    for (int step = 0; step < 1000; ++step) {
        fray.move();
        fray.world.update();
        ASSERT_NO_FATAL_FAILURE(fray.world.judge("fray", step));
        told += static_cast<long>(fray.world.found.size());
        if (step % 7 != 3) fray.world.coverFound(); // now and then nobody takes them
        for (int k = 0; k < 3 && !fray.world.boxes.empty(); ++k, ++covered)
            fray.world.uncover(fray.random() % fray.world.boxes.size());
    }
    EXPECT_GT(told, 10000);
    EXPECT_GT(covered, 2000);
}

// Motion that is gentle for long, so that entries go to sleep, and then is not: a crash, a jerk of
// one loop, a slow creep, a fast shear.
TEST(Schedule, WakesInTime) {
    Fray fray;
    World& w = fray.world;
    long processed = 0, entries = 0;
    for (int step = 0; step < 900; ++step) {
        for (Index i = 0; i < w.curves.points(); ++i) {
            Vec3 q = fray.start[i];
            const double side = i < fray.half ? -1 : 1;
            q.z() += 0.002 * side - 2e-7 * side * step;                                // a creep
            if (step > 400) q.z() -= 6e-5 * side * (step - 400);                       // a crash
            if (step > 300 && i % 40 < 8) q.x() += 1e-6 * (step - 300) * (step - 300); // a jerk
            if (step % 97 > 90 && i % 7 == 0) q += 4e-4 * Vec3(fray.any(-1, 1), fray.any(-1, 1), 0);
            if (step > 700) q.x() += 2e-5 * side * (step - 700);
            w.at[i] = q;
        }
        w.update();
        ASSERT_NO_FATAL_FAILURE(w.judge("wakes", step));
        w.coverFound();
        if (step % 5 == 0 && !w.boxes.empty()) w.uncover(fray.random() % w.boxes.size());
        if (step > 0) processed += w.schedule.stats().processed;
        entries += w.schedule.stats().entries;
    }
    EXPECT_LT(processed, entries / 10) << "nothing sleeps";
}

// Two layers of crossing yarns that part and come back, measured at any moment in between: what was
// moved between a bin's last visit and the measurement must not count for the way back.
TEST(Schedule, PartingAndComingBack) {
    Curves c;
    for (int k = 0; k < 8; ++k) {
        std::vector<Vec3> p;
        for (int i = 0; i <= 8; ++i)
            p.push_back(k < 4 ? Vec3(3e-3 * (i - 4), 6e-3 * (k - 1.5), 0)
                              : Vec3(6e-3 * (k - 5.5), 3e-3 * (i - 4), 0));
        c.add(p, false, kR);
    }
    World w(c);
    std::mt19937 random(11);
    auto any = [&](double a, double b) { return std::uniform_real_distribution<>(a, b)(random); };
    double gap = 3e-4, speed = 1e-5;
    for (int step = 0; step < 1500; ++step) {
        if (random() % 40 == 0) speed = any(-2e-5, 2e-5);
        if (gap > 1.2e-3) speed = -std::abs(speed);
        if (gap < -2e-5) speed = std::abs(speed);
        gap += speed;
        for (Index i = 0; i < c.points(); ++i)
            w.at[i] = c.x[i] + (i < c.points() / 2 ? Vec3(0, 0, 0) : Vec3(0, 0, 2 * kR + gap));
        w.update();
        ASSERT_NO_FATAL_FAILURE(w.judge("parting", step));
        for (int k = 0; k < 10; ++k) { // has a few entries measured anew
            const Index u = any(0, 351), v = any(352, 703);
            w.schedule.cover({u, u, v, v});
            w.schedule.uncover({u, u, v, v});
        }
    }
}

TEST(Schedule, SameBitsAtAnyThreadCount) {
    std::uint64_t expected = 0;
    for (int threads : {1, 2, 3}) {
        ThreadLimit limit(threads);
        Fray fray;
        Hash hash;
        for (int step = 0; step < 200; ++step) {
            fray.step += 4; // through all acts
            fray.move();
            fray.world.update();
            hash.add(fray.world.found);
            const ScheduleStats s = fray.world.schedule.stats();
            for (long v : {s.entries, s.examined, s.processed, s.newcomers, s.woken}) hash.add(v);
            fray.world.coverFound();
            if (!fray.world.boxes.empty()) fray.world.uncover(0);
        }
        if (threads == 1) expected = hash.value();
        EXPECT_EQ(hash.value(), expected) << threads;
    }
}

TEST(Schedule, CarriedClothIsLeftAlone) {
    World w(knitRows(6, 6, kR, 0.8 * kR));
    const std::vector<Vec3> start = w.at;
    for (int step = 0; step < 1200; ++step) {
        // Falls, is thrown about and turned, and stops dead.
        const double t = step / 16200.0;
        const Vec3 d(0.3 * std::sin(300 * t), -5 * t * t, step < 300 ? 2 * t : 0);
        const Eigen::AngleAxisd turn(30.0 * std::min(step, 700) / 16200,
                                     Vec3(1, 2, 3).normalized());
        for (std::size_t i = 0; i < start.size(); ++i) w.at[i] = turn * start[i] + d;
        w.update();
        if (step < 3) w.coverFound();
        if (step < 3) continue;
        ASSERT_TRUE(w.found.empty());
        ASSERT_EQ(w.schedule.stats().processed, 0) << step;
        ASSERT_EQ(w.schedule.stats().newcomers, 0) << step;
    }
}

TEST(Schedule, ANewOneFindsTheSame) { // so a checkpoint needs no more than the boxes
    Fray fray;
    for (int step = 0; step < 60; ++step) {
        fray.step += 10;
        fray.move();
        fray.world.update();
        Schedule fresh(fray.world.curves, fray.world.layout, {}, fray.world.settings);
        for (const PointBox& box : fray.world.boxes) fresh.cover(box);
        std::vector<PointPair> found;
        fresh.update(fray.world.x, found);
        ASSERT_EQ(found.size(), fray.world.found.size()) << step;
        ASSERT_TRUE(std::equal(found.begin(), found.end(), fray.world.found.begin(), same)) << step;
        // Disjoint boxes, as contact sets are: each pair on its own.
        for (const PointPair& p : fray.world.found) fray.world.cover({p.u, p.u, p.v, p.v});
    }
}

TEST(Schedule, BoxesThatMoveKeepWhatBothHold) {
    Fray fray;
    World& w = fray.world;
    for (int step = 0; step < 150; ++step) {
        fray.step += 6;
        fray.move();
        w.update();
        ASSERT_NO_FATAL_FAILURE(w.judge("moved boxes", step));
        w.coverFound(step % 4);
        for (int k = 0; k < 5 && !w.boxes.empty(); ++k) {
            PointBox& box = w.boxes[fray.random() % w.boxes.size()];
            PointBox to = box;
            (k % 2 ? to.u0 : to.v0) = std::min(k % 2 ? to.u1 : to.v1, (k % 2 ? to.u0 : to.v0) + 1);
            w.schedule.moveCover(box, to);
            w.mark(box, false);
            w.mark(to, true);
            box = to;
        }
    }
}

TEST(Schedule, AtAnyScale) {
    for (double scale : {0.04, 1.0, 4000.0}) { // radii of 4e-5 m, 1 mm and 4 m
        Fray fray(scale);
        for (int step = 0; step < 60; ++step) {
            fray.step += 12;
            fray.move(scale);
            for (Vec3& p : fray.world.at) p += Vec3(10, -10, 10); // m, away from the origin
            fray.world.update();
            ASSERT_NO_FATAL_FAILURE(fray.world.judge("scale", step));
            fray.world.coverFound();
        }
    }
}

TEST(Schedule, ThickYarnsClosedOnesWeldsAndFewPoints) {
    std::mt19937 random(5);
    std::uniform_real_distribution<> any(-1, 1);
    for (int points : {1, 4, 5, 11}) {
        Curves c = knitRows(2, 3, kR, 4 * kR); // thicker than a segment is long
        std::vector<Vec3> ring;
        for (int i = 0; i < 30; ++i)
            ring.push_back(0.012 * Vec3(std::cos(M_PI * i / 15), std::sin(M_PI * i / 15), 0.2));
        c.add(ring, true, 0.5 * kR);
        std::vector<Vec3> few = {Vec3(0, 0, 0), Vec3(0.02, 0.01, 0)};
        c.add(few, false, kR);
        World w(c, {{3, 30}, {10, 60}}, points);
        for (int step = 0; step < 80; ++step) {
            for (Index i = 0; i < c.points(); ++i)
                w.at[i] = c.x[i] + 1e-3 * std::sin(0.2 * step) * Vec3(any(random), any(random), 1);
            if (step % 20 == 10)
                for (Vec3& p : w.at) p.z() = 0; // all in one plane
            w.update();
            ASSERT_NO_FATAL_FAILURE(w.judge("thick", step));
            if (step % 3 == 0) w.coverFound();
            if (step % 3 == 1 && !w.boxes.empty()) w.uncover(random() % w.boxes.size());
        }
    }
}

TEST(Schedule, CoincidentPointsAndThrownOnes) {
    Fray fray;
    World& w = fray.world;
    for (int step = 0; step < 60; ++step) {
        for (Index i = 0; i < w.curves.points(); ++i) {
            w.at[i] = fray.start[i];
            if (step % 10 == 3) w.at[i] = Vec3(1, 2, 3);                         // all in one point
            if (step % 10 == 5) w.at[i] = fray.start[i % fray.half];             // two in one place
            if (step % 10 > 6) w.at[i] += Vec3(fray.any(-1, 1), 0.05 * step, 0); // torn to shreds
        }
        if (step % 10 == 3) { // 1.3 million pairs: that it tells them is enough
            w.update();
            EXPECT_GT(w.found.size(), 100000u);
            continue;
        }
        w.update();
        ASSERT_NO_FATAL_FAILURE(w.judge("thrown", step));
    }
}

TEST(Schedule, NotANumberDoesNotHangAndIsForgotten) {
    Fray fray;
    World& w = fray.world;
    const double bad[] = {std::numeric_limits<double>::quiet_NaN(),
                          std::numeric_limits<double>::infinity(), 1e300, -1e30};
    for (int step = 0; step < 80; ++step) {
        fray.step += 3;
        fray.move();
        const bool broken = step % 8 == 5;
        if (broken)
            for (Index i = 0; i < w.curves.points(); i += 11)
                w.at[i] = Vec3::Constant(bad[step / 8 % 4]);
        if (step == 40)
            for (Vec3& p : w.at) p.setConstant(bad[0]);
        w.update();
        if (!broken && step != 40) {
            ASSERT_NO_FATAL_FAILURE(w.judge("not a number", step));
        }
        EXPECT_LT(w.schedule.stats().bytes, 50000000u);
    }
}
