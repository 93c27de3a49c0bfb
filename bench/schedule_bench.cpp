// What the schedule costs on real motion: stockinette lands on a plane by exact contact, and the
// schedule watches. Contact sets are played by boxes around what it tells.
//   schedule_bench [wales 60] [courses 54] [steps 2000] [threads 1]
// One line every 200 steps: CPU ms a step, entries, shares examined and processed, bytes.
#include "purl/base/parallel.h"
#include "purl/collide/shapes.h"
#include "purl/contact/schedule.h"
#include "purl/model/material.h"
#include "purl/pattern/pattern.h"
#include "purl/sim/simulation.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>

using namespace purl;

namespace {

double cpuSeconds() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

Scene landing(const Pattern& pattern) {
    Scene scene;
    scene.yarns = pattern.curves;
    scene.rest = pattern.rest;
    for (const auto& w : pattern.welds) scene.welds.push_back({w[0], w[1]});
    for (double r : pattern.curves.radius) scene.material.push_back(materialByName("wool", r));
    const Eigen::AngleAxisd tilt(-80 * M_PI / 180, Vec3::UnitX()); // so that it lands by degrees
    double low = 1e9;
    for (Vec3& x : scene.yarns.x) {
        x = tilt * x;
        low = std::min(low, x.y());
    }
    scene.colliders.push_back(std::make_shared<PlaneCollider>(Vec3::UnitY(), low - 0.006));
    scene.collision.push_back({});
    scene.velocity.assign(scene.yarns.points(), Vec3(0, -1, 0));
    return scene;
}

// Covers a found pair and three points around it, inside its yarns.
PointBox around(const PointPair& p, const std::vector<Index>& yarnEnd,
                const std::vector<Index>& yarnOf, int b) {
    auto low = [&](Index q) {
        const Index y = yarnOf[q / b];
        return std::max(q - 3, (y > 0 ? yarnEnd[y - 1] : 0) * b);
    };
    auto high = [&](Index q) { return std::min(q + 3, yarnEnd[yarnOf[q / b]] * b - 1); };
    return {low(p.u), high(p.u), low(p.v), high(p.v)};
}

} // namespace

int main(int argc, char** argv) {
    auto number = [&](int k, int usual) { return argc > k ? std::atoi(argv[k]) : usual; };
    ThreadLimit limit(number(4, 1));
    PatternSettings settings;
    settings.wales = number(1, 60);
    settings.courses = number(2, 54);
    const Pattern pattern = makePattern(settings);
    const Scene scene = landing(pattern);
    const Curves& curves = pattern.curves;
    Simulation sim(scene);
    const double dt = std::min(sim.automaticStep(), 1 / 16200.0);

    const Layout layout(curves);
    Schedule schedule(curves, layout, scene.welds, scene.settings.contact);
    std::vector<Index> yarnEnd, yarnOf;
    for (Index y = 0; y < curves.yarns(); ++y) {
        yarnOf.insert(yarnOf.end(), curves.edges(y), y);
        yarnEnd.push_back(static_cast<Index>(yarnOf.size()));
    }
    Padded3 x;
    x.resize(layout.padded() + 4);
    std::vector<PointPair> found;
    const int steps = number(3, 2000), every = 200;
    double seconds = 0, examined = 0, processed = 0, told = 0;
    std::printf("%zu segments\n step  ms/step  entries  examined%%  processed%%  told/step  MB\n",
                yarnOf.size());
    for (int step = 0; step <= steps; ++step) {
        for (Index y = 0; y < curves.yarns(); ++y)
            scatter(layout, sim.positions(), curves.first[y], y, x);
        found.clear();
        const double start = cpuSeconds();
        schedule.update(x, found);
        const double took = cpuSeconds() - start;
        for (const PointPair& p : found)
            schedule.cover(around(p, yarnEnd, yarnOf, scene.settings.contact.quadrature));
        const ScheduleStats s = schedule.stats();
        if (step > 0) { // the first finds all there is
            seconds += took;
            examined += static_cast<double>(s.examined) / static_cast<double>(s.entries);
            processed += static_cast<double>(s.processed) / static_cast<double>(s.entries);
            told += static_cast<double>(found.size());
        }
        if (step > 0 && step % every == 0) {
            std::printf("%5d %8.3f %8ld %10.3f %11.4f %10.1f %5.1f\n", step, 1e3 * seconds / every,
                        s.entries, 100 * examined / every, 100 * processed / every, told / every,
                        1e-6 * static_cast<double>(s.bytes));
            std::fflush(stdout);
            seconds = examined = processed = told = 0;
        }
        sim.step(dt, 0);
    }
}
