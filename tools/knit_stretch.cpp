// A stockinette of crossings against one of rods, of the same yarn, drawn out along its courses and
// along its wales (docs/crossings.md). tools/knit_stretch.sh builds and runs it.
#include "purl/crossing/fabric_layout.h"
#include "purl/crossing/solver.h"
#include "purl/crossing/yarn_material.h"
#include "purl/model/material.h"
#include "purl/pattern/pattern.h"
#include "purl/sim/simulation.h"

#include <algorithm>
#include <cstdio>

using namespace purl;

namespace {

constexpr Index kLoops = 10;
constexpr double kRadius = 1.25e-3, kWale = 8.3 * kRadius, kCourse = 5.3 * kRadius; // m
constexpr double kStep = 0.05; // strain of the held edges from one row to the next

struct Row {
    double strain, force; // of the laid length; N
};

double meanOf(const std::vector<Index>& group, const std::vector<Vec3>& x, int axis) {
    double sum = 0;
    for (Index i : group) sum += x[i][axis];
    return sum / static_cast<double>(group.size());
}

// Soft goals at two edges, as Oracle18: exact contact, no friction.
std::vector<Row> rods(bool course) {
    PatternSettings p;
    p.wales = p.courses = kLoops;
    const Pattern pattern = makePattern(p);
    Scene s;
    s.yarns = pattern.curves;
    s.rest = pattern.rest;
    for (const auto& w : pattern.welds) s.welds.push_back({w[0], w[1]});
    for (double r : pattern.curves.radius) s.material.push_back(materialByName("wool", r));
    s.settings.forces.gravity.setZero();
    s.settings.forces.velocityDamping = 20;
    s.settings.contact.method = ContactMethod::Exact;
    s.settings.time.fps = 20;
    const auto& a = course ? pattern.edgeLeft : pattern.edgeBottom;
    const auto& b = course ? pattern.edgeRight : pattern.edgeTop;
    const int axis = course ? 0 : 1;
    constexpr double kGoal = 2; // N/m a point
    for (const auto* g : {&a, &b})
        for (Index i : *g) s.goals.push_back({i, kGoal, 1});
    const double rest = meanOf(b, s.rest, axis) - meanOf(a, s.rest, axis);
    Simulation sim(s);
    Monitor monitor;
    std::vector<Row> out;
    for (double e = 0; out.empty() || out.back().strain < 0.3; e += kStep) {
        std::vector<Vec3> target = s.rest;
        for (Index i : a) target[i][axis] -= 0.5 * e * rest;
        for (Index i : b) target[i][axis] += 0.5 * e * rest;
        sim.setTargets(target);
        for (int f = 0; f < 12; ++f) sim.advanceFrame(monitor);
        const auto& x = sim.positions();
        double force = 0;
        for (Index i : b) force += kGoal * (target[i][axis] - x[i][axis]);
        out.push_back({(meanOf(b, x, axis) - meanOf(a, x, axis)) / rest - 1, force});
    }
    return out;
}

std::vector<Row> crossings(bool course) {
    PatchInput in;
    const double w = kLoops * kWale, h = kLoops * kCourse;
    in.x = {{0, 0, 0}, {w, 0, 0}, {w, h, 0}, {0, h, 0}};
    in.triangles = {{0, 1, 2}, {0, 2, 3}};
    in.number = {0, 0};
    std::vector<std::string> warnings;
    const std::array<Vec2, 4> uv{Vec2(0, 0), Vec2(w, 0), Vec2(w, h), Vec2(0, h)};
    for (const auto& t : in.triangles) in.uv.push_back({uv[t[0]], uv[t[1]], uv[t[2]]});
    const FabricPatch patch = flattenPatch(in, {}, "swatch", warnings);
    LayoutSettings ls;
    ls.warpSpacing = kWale, ls.weftSpacing = kCourse, ls.radius = kRadius;
    ls.warp = ls.weft = ls.seam = yarnMaterial("wool", kRadius, 0, 1, true);
    const FabricLayout laid = layFabric(patch, draftByName("stockinette"), ls, "swatch", warnings);
    FabricSolverSettings s;
    s.forces.gravity.setZero();
    s.forces.velocityDamping = 50;
    s.friction = s.touch.self = false;
    FabricSolver fabric(laid.network, s);
    const int axis = course ? 0 : 1;
    const double size = course ? w : h, edge = course ? 0.5 * kWale : 0.35 * kCourse;
    std::vector<Index> pins;
    std::vector<Vec3> from;
    std::vector<int> side;
    double low = 0, high = 0;
    int lows = 0;
    for (Index i = 0; i < laid.network.nodes(); ++i) {
        const double at = laid.plane[i][axis];
        if (at >= edge && at <= size - edge) continue;
        pins.push_back(i);
        from.push_back(laid.network.x[i]);
        side.push_back(at < edge ? -1 : 1);
        (at < edge ? low : high) += at;
        lows += at < edge;
    }
    const double rest = high / (static_cast<double>(pins.size()) - lows) - low / lows;
    fabric.setPins(pins);
    Monitor monitor;
    std::vector<Row> out;
    std::vector<Vec3> g(2 * laid.network.x.size());
    for (double e = 0; e < 0.3 + 0.5 * kStep; e += kStep) {
        std::vector<Vec3> to = from;
        for (std::size_t k = 0; k < to.size(); ++k) to[k][axis] += 0.5 * side[k] * e * rest;
        fabric.setPinTargets(to);
        fabric.advanceFrame(0.05, 20, monitor);
        fabric.settle(3e-3, 8, 1e-5, monitor);
        fabric.gradient(g);
        double force = 0;
        for (std::size_t k = 0; k < pins.size(); ++k)
            if (side[k] > 0) force += g[pins[k]][axis];
        out.push_back({e, force});
    }
    return out;
}

double at(const std::vector<Row>& rows, double strain) {
    std::size_t k = 1;
    while (k + 1 < rows.size() && rows[k].strain < strain) ++k;
    const double t = (strain - rows[k - 1].strain) / (rows[k].strain - rows[k - 1].strain);
    return rows[k - 1].force + t * (rows[k].force - rows[k - 1].force);
}

} // namespace

int main() {
    for (bool course : {false, true}) {
        const std::vector<Row> r = rods(course), c = crossings(course);
        std::printf("%s  strain  rods N  crossings N  off\n", course ? "courses" : "wales");
        for (double e = 0; e < 0.31; e += kStep)
            std::printf("  %4.0f %%  %.4f  %.4f  %+.0f %%\n", 100 * e, at(r, e), at(c, e),
                        100 * (at(c, e) / at(r, e) - 1));
        std::fflush(stdout);
    }
}
