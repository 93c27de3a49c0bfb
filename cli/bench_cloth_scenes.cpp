#include "cli/bench_cloth_scenes.h"

#include "preview/render.h"
#include "preview/shapes.h"
#include "purl/check/triangles.h"
#include "purl/cloth/models.h"
#include "purl/cloth/self_collision.h"
#include "purl/cloth/sheets.h"
#include "purl/cloth/solver.h"
#include "purl/collide/box.h"
#include "purl/collide/shapes.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

namespace purl::cli {

namespace {
using Json = nlohmann::ordered_json;
const double kPi = std::acos(-1.0);

std::unique_ptr<ClothSolver> build(const FlatSheet& s, const ClothMaterial& m,
                                   const ClothSettings& settings,
                                   InPlaneModel plane = InPlaneModel::StVK,
                                   BendingModel bend = BendingModel::DiscreteShells) {
    std::vector<std::unique_ptr<ClothEnergy>> list;
    list.push_back(makeInPlane(plane, s.mesh, m));
    list.push_back(makeBending(bend, s.mesh, m));
    const std::vector<double> density{m.areaDensity};
    return std::make_unique<ClothSolver>(s.mesh, s.x, density, std::move(list), settings);
}

Solid solidOf(const ClothSolver& s, const Vec3& color) {
    Solid out;
    out.mesh.x.assign(s.x().begin(), s.x().end());
    out.mesh.triangles = s.mesh().triangles;
    out.color = color;
    return out;
}

TriMesh boxMesh(const Vec3& low, const Vec3& high) {
    TriMesh m;
    for (int k = 0; k < 8; ++k)
        m.x.emplace_back(k & 1 ? high.x() : low.x(), k & 2 ? high.y() : low.y(),
                         k & 4 ? high.z() : low.z());
    for (const std::array<Index, 3>& t : {std::array<Index, 3>{0, 2, 1},
                                          {1, 2, 3},
                                          {4, 5, 6},
                                          {5, 7, 6},
                                          {0, 1, 4},
                                          {1, 5, 4},
                                          {2, 6, 3},
                                          {3, 6, 7},
                                          {0, 4, 2},
                                          {2, 4, 6},
                                          {1, 3, 5},
                                          {3, 7, 5}})
        m.triangles.push_back(t);
    return m;
}

void shoot(const std::string& path, std::vector<Solid> solids, const Vec3& view, double ground) {
    Picture picture;
    picture.solids = std::move(solids);
    picture.groundHeight = ground;
    Bounds bounds;
    for (const Solid& s : picture.solids) bounds.add(boundsOf(s.mesh));
    RenderSettings settings;
    writePng(path, render(picture, autoCamera(bounds, view, 4.0 / 3), settings));
}

std::string numbered(const std::string& path, int k) {
    const auto dot = path.rfind('.');
    return path.substr(0, dot) + "_" + std::to_string(k) +
           (dot == std::string::npos ? ".png" : path.substr(dot));
}

struct Watch { // figures over a run
    Index steps = 0, rejected = 0, turns = 0, intersections = 0, checked = 0;
    double iterations = 0, deepest = 0;
    bool broken = false;
    std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
    void add(const ClothStepReport& r) {
        steps += r.steps;
        rejected += r.rejected;
        turns += r.turns;
        iterations += r.solve.linear.iterations;
        deepest = std::max(deepest, r.collision.deepest);
        broken = broken || r.broken;
    }
    void check(const ClothSolver& s) {
        ++checked;
        intersections += countIntersections(s.x(), s.mesh().triangles);
    }
    Json json() const {
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return {{"steps", steps},
                {"rejected", rejected},
                {"solves", turns},
                {"iterations_per_step", iterations / std::max<Index>(1, steps)},
                {"deepest_mm", 1e3 * deepest},
                {"checked", checked},
                {"intersections", intersections},
                {"broken", broken},
                {"seconds", seconds}};
    }
};

// Of all edges, or the one that only a share of them exceeds.
double largestStretch(const ClothSolver& s, double share = 0) {
    std::vector<double> all;
    for (Index t = 0; t < s.mesh().faces(); ++t)
        for (int k = 0; k < 3; ++k) {
            const auto& tri = s.mesh().triangles[t];
            const double now = (s.x()[tri[(k + 1) % 3]] - s.x()[tri[k]]).norm();
            const double rest = (s.mesh().rest[t][(k + 1) % 3] - s.mesh().rest[t][k]).norm();
            all.push_back(now / rest - 1);
        }
    const auto at = all.end() - 1 - static_cast<std::ptrdiff_t>(share * (all.size() - 1.0));
    std::nth_element(all.begin(), at, all.end());
    return *at;
}
} // namespace

Json dropOnBallAndTable(const ClothSceneFlags& f) {
    FlatSheet sheet = rectangleSheet(f.cells, f.cells, 1, 1);
    for (Vec3& p : sheet.x) p.y() += 0.26;
    const ClothMaterial& m = clothPreset(f.preset);
    auto solver = build(sheet, m, {});
    solver->setCollisionHook(std::make_unique<CollisionHookOf<SelfCollision>>(sheet.mesh, sheet.x));
    SphereCollider ball({0, 0, 0}, 0.25);
    const Vec3 low(-1.0, -0.72, -0.7), high(0.15, -0.62, 0.7);
    BoxCollider table(low, high, 0.01);
    PlaneCollider floor({0, 1, 0}, -1.2);
    CollisionSettings grip;
    grip.friction = 0.5;
    solver->setColliders({{&ball, grip}, {&table, grip}, {&floor, grip}});
    const double seconds = f.seconds > 0 ? f.seconds : 3, leave = 1.0;
    const int steps = static_cast<int>(std::lround(seconds / f.dt));
    Watch watch;
    Json pictures = Json::array();
    const auto ballAt = [&](double t) {
        const double gone = std::clamp(t - leave, 0.0, 0.6);
        return Vec3(0, -gone * 4.0, 0); // faster than the sheet can follow, past the table
    };
    double worst = 0;
    for (int k = 0; k < steps && !watch.broken; ++k) {
        Pose from, to;
        from.translation = ballAt(k * f.dt);
        to.translation = ballAt((k + 1) * f.dt);
        ball.setPose(from, to, f.dt);
        watch.add(solver->step(f.dt, 0, 1));
        if (f.check > 0 && k % f.check == 0) watch.check(*solver);
        worst = std::max(worst, largestStretch(*solver));
        if (f.progress && k % 24 == 23)
            std::fprintf(stderr, "%.2f s: stretch %.1f %%, %d intersections\n", (k + 1) * f.dt,
                         100 * largestStretch(*solver), watch.intersections);
        if (!f.picture.empty() && (k + 1) % 72 == 0) {
            const std::string path = numbered(f.picture, (k + 1) / 72);
            const Vec3 c = ballAt((k + 1) * f.dt);
            // The box is shown without its rounding, so a little smaller.
            const Vec3 less = Vec3::Constant(0.003);
            std::vector<Solid> shown = {solidOf(*solver, {0.30, 0.08, 0.06}),
                                        {boxMesh(low + less, high - less), {0.4, 0.33, 0.25}}};
            if (c.y() == 0) shown.push_back({sphereMesh(c, 0.25), {0.5, 0.46, 0.42}});
            shoot(path, std::move(shown), {-0.9, -0.55, -1.0}, -1.2);
            pictures.push_back(path);
        }
    }
    Json out = watch.json();
    out["triangles"] = sheet.mesh.faces();
    out["largest_stretch_percent"] = 100 * worst;
    out["stretch_at_end_percent"] = 100 * largestStretch(*solver);
    out["stretch_at_end_of_1_percent_of_edges"] = 100 * largestStretch(*solver, 0.01);
    out["kinetic_energy_at_end_J"] = solver->kineticEnergy();
    out["pictures"] = pictures;
    return out;
}

Json sleeveOnArm(const ClothSceneFlags& f) {
    // Upper arm from the shoulder to the elbow at x = 0, forearm beyond; the elbow bends by 80
    // degrees in 40 frames and the whole arm lifts.
    const double radius = 0.045, frames = 48, fps = 24;
    FlatSheet sheet = tubeSheet(f.cells, f.cells, 0.054, 0.42);
    for (Vec3& p : sheet.x) p.x() -= 0.16;
    CapsuleCollider upper({-0.45, 0, 0}, {0, 0, 0}, radius);
    CapsuleCollider fore({0, 0, 0}, {0.35, 0, 0}, radius);
    ClothSettings settings;
    auto solver = build(sheet, clothPreset(f.preset), settings);
    solver->setCollisionHook(std::make_unique<CollisionHookOf<SelfCollision>>(sheet.mesh, sheet.x));
    CollisionSettings grip;
    grip.friction = 0.4;
    solver->setColliders({{&upper, grip}, {&fore, grip}});
    const auto bend = [&](double frame) {
        const double s = std::clamp((frame - 4) / 36, 0.0, 1.0);
        Pose pose;
        pose.rotation = Eigen::AngleAxisd(80 * kPi / 180 * s * s * (3 - 2 * s), Vec3::UnitZ());
        return pose;
    };
    Monitor monitor;
    Watch watch;
    Json pictures = Json::array();
    const int substeps = std::max(1, static_cast<int>(std::lround(1 / (fps * f.dt))));
    for (int frame = 0; frame < frames && !watch.broken; ++frame) {
        fore.setPose(bend(frame), bend(frame + 1), 1 / fps);
        upper.setPose({}, {}, 1 / fps);
        watch.add(solver->advanceFrame(1 / fps, substeps, monitor));
        if (f.check > 0) watch.check(*solver);
        if (f.progress && frame % 8 == 7)
            std::fprintf(stderr, "frame %d: stretch %.1f %%, %d intersections\n", frame + 1,
                         100 * largestStretch(*solver), watch.intersections);
        if (!f.picture.empty() && (frame + 1) % 16 == 0) {
            const std::string path = numbered(f.picture, (frame + 1) / 16);
            TriMesh arm = capsuleMesh({0, 0, 0}, {0.35, 0, 0}, radius);
            for (Vec3& p : arm.x) p = bend(frame + 1).rotation * p;
            shoot(path,
                  {solidOf(*solver, {0.10, 0.17, 0.32}),
                   {capsuleMesh({-0.45, 0, 0}, {0, 0, 0}, radius), {0.55, 0.38, 0.28}},
                   {arm, {0.55, 0.38, 0.28}}},
                  {0.1, -0.2, -1.0}, -0.25);
            pictures.push_back(path);
        }
    }
    Json out = watch.json();
    double lowest = 1e9, highest = -1e9;
    for (const Vec3& p : solver->x())
        lowest = std::min(lowest, p.x()), highest = std::max(highest, p.x());
    out["triangles"] = sheet.mesh.faces();
    out["stretch_at_end_percent"] = 100 * largestStretch(*solver);
    out["stretch_at_end_of_1_percent_of_edges"] = 100 * largestStretch(*solver, 0.01);
    out["sleeve_from_x"] = lowest;
    out["sleeve_to_x"] = highest;
    out["pictures"] = pictures;
    return out;
}

} // namespace purl::cli
