#include "schedule_world.h"

#include "purl/base/hash.h"
#include "purl/base/parallel.h"

#include <Eigen/Geometry>

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
        Curves c = knitRows(4, 4, scale * kR, 0.8 * scale * kR);
        append(c, knitRows(4, 4, scale * kR, 0.8 * scale * kR, scale * Vec3(0.005, 0.003, 0.009)));
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
    std::mt19937 random(3);
    for (int step = 0; step < 600; ++step) {
        // Falls, is thrown about and stops dead, without turning.
        const double t = step / 16200.0;
        Vec3 d(0.3 * std::sin(300 * t), -5 * t * t, step < 300 ? 2 * t : 0);
        for (std::size_t i = 0; i < start.size(); ++i) w.at[i] = start[i] + d;
        w.update();
        if (step < 3) w.coverFound();
        if (step >= 3) {
            ASSERT_EQ(w.schedule.stats().processed, 0) << step;
            ASSERT_EQ(w.schedule.stats().newcomers, 0) << step;
            ASSERT_EQ(w.schedule.stats().woken, 0) << step;
        }
    }
}
