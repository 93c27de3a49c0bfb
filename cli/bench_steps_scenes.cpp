#include "cli/bench_steps_scenes.h"

#include "cli/bench_scene.h"
#include "purl/base/error.h"
#include "purl/collide/shapes.h"
#include "purl/model/material.h"
#include "purl/pattern/pattern.h"

#include <algorithm>
#include <cmath>

namespace purl::cli {

namespace {

constexpr double kPi = 3.14159265358979323846;

struct Patch {
    Pattern pattern;
    Scene scene;
    Vec3 size; // m
};

// A square of stockinette about the origin; it lies if asked to, else stands in the xy plane.
Patch patch(long loops, bool lie) {
    Patch p;
    PatternSettings s;
    s.name = "stockinette";
    s.wales = s.courses =
        std::max<Index>(4, static_cast<Index>(std::lround(std::sqrt(static_cast<double>(loops)))));
    s.radius = 1.25e-3;
    p.pattern = makePattern(s);
    Vec3 low(1e9, 1e9, 1e9), high = -low;
    for (const Vec3& x : p.pattern.curves.x) {
        low = low.cwiseMin(x);
        high = high.cwiseMax(x);
    }
    const auto put = [&](std::vector<Vec3>& x) {
        for (Vec3& q : x) {
            q -= 0.5 * (low + high);
            if (lie) q = Vec3(q.x(), q.z(), -q.y());
        }
    };
    put(p.pattern.curves.x);
    put(p.pattern.rest);
    p.size = high - low;
    Scene& scene = p.scene;
    scene.yarns = p.pattern.curves;
    scene.rest = p.pattern.rest;
    for (const auto& w : p.pattern.welds) scene.welds.push_back({w[0], w[1]});
    for (double r : scene.yarns.radius) scene.material.push_back(materialByName("wool", r));
    return p;
}

void addCollider(Scene& s, std::shared_ptr<Collider> c) {
    s.colliders.push_back(std::move(c));
    s.collision.push_back(s.settings.collision);
}

StepsScene onBall(long loops, double speed) {
    StepsScene out;
    Patch p = patch(loops, true);
    const double radius = 0.35 * p.size.x(), gap = speed > 0 ? 0.004 : 0.003;
    addCollider(p.scene, std::make_shared<SphereCollider>(Vec3(0, -radius - gap, 0), radius));
    if (speed > 0) p.scene.velocity.assign(p.scene.yarns.x.size(), Vec3(0, -speed, 0));
    out.scene = std::move(p.scene);
    out.seconds = speed > 0 ? 0.1 : 0.4;
    return out;
}

// The scarf on a ball of 0.7 of its width, 3 mm above it: it goes on moving when the scarf on the
// plane lies still.
StepsScene draped(long loops) {
    StepsScene out;
    out.scene = benchScene("scarf", loops).scene;
    Vec3 low(1e9, 1e9, 1e9), high = -low;
    for (const Vec3& x : out.scene.yarns.x) {
        low = low.cwiseMin(x);
        high = high.cwiseMax(x);
    }
    const double radius = 0.35 * (high.x() - low.x());
    out.scene.colliders.clear();
    out.scene.collision.clear();
    addCollider(out.scene,
                std::make_shared<SphereCollider>(Vec3(0, low.y() - 0.003 - radius, 0), radius));
    out.seconds = 0.5;
    return out;
}

// The lower and the upper edge held, the upper one pulled away.
StepsScene pulled(long loops, double speed, double ratio) {
    StepsScene out;
    Patch p = patch(loops, false);
    const Index last = *std::max_element(p.pattern.course.begin(), p.pattern.course.end());
    std::vector<Index> upper;
    for (Index i = 0; i < p.scene.yarns.points(); ++i) {
        const Index c = p.pattern.course[i];
        if (c == 0 || c >= last - 1) p.scene.pins.push_back(i);
        if (c >= last - 1) upper.push_back(i);
    }
    p.scene.settings.forces.gravity.setZero();
    const double way = (ratio - 1) * p.size.y();
    const std::vector<Vec3> start = p.scene.yarns.x;
    out.seconds = way / speed + 0.02;
    out.drive = [=](double t, std::vector<Vec3>& targets) {
        targets = start;
        for (Index i : upper) targets[i].y() += std::min(way, speed * t);
    };
    out.scene = std::move(p.scene);
    return out;
}

} // namespace

const std::vector<std::string>& stepsScenes() {
    static const std::vector<std::string> names{"scarf", "drape", "ball", "impact", "pull", "yank"};
    return names;
}

StepsScene stepsScene(const std::string& name, long loops) {
    StepsScene s;
    const long small = std::max(64L, loops / 8);
    if (name == "scarf") {
        s.scene = benchScene("scarf", loops).scene;
        s.seconds = 0.5;
        s.lively = true;
        s.about = "falls flat on a plane";
    } else if (name == "drape") {
        s = draped(loops);
        s.about = "the scarf drapes over a ball";
    } else if (name == "ball") {
        s = onBall(small, 0);
        s.about = "a dense patch drapes over a ball";
    } else if (name == "impact") {
        s = onBall(small, 3);
        s.about = "the patch hits the ball at 3 m/s";
    } else if (name == "pull") {
        s = pulled(small, 0.3, 1.5);
        s.about = "pulled at 0.3 m/s to 1.5 of its length";
    } else if (name == "yank") {
        s = pulled(small, 1.5, 1.6);
        s.about = "pulled at 1.5 m/s to 1.6 of its length";
    } else {
        throw Error("--scene",
                    "'" + name + "' was found, expected scarf, drape, ball, impact, pull or yank");
    }
    s.name = name;
    return s;
}

Scene weaveScene(Index pitches) {
    const double pitch = 2e-3, radius = 4e-4, amplitude = 1.3 * radius;
    const double modulus = 1e6, density = 1300; // Pa, kg/m3
    Scene s;
    const Index points = 2 * (pitches + 1) + 1;
    for (int weft = 0; weft < 2; ++weft)
        for (Index y = 0; y < pitches; ++y) {
            std::vector<Vec3> x;
            const double across = (y - 0.5 * (pitches - 1)) * pitch;
            for (Index k = 0; k < points; ++k) {
                // Crossings are at whole pitches; a half pitch and more sticks out at the ends.
                const double along = (0.5 * k - 0.5 * (pitches + 1)) * pitch;
                const double phase = kPi * (along / pitch + 0.5 * (pitches - 1)) + kPi * y;
                const double lift = (weft ? -1 : 1) * amplitude * std::cos(phase);
                x.push_back(weft ? Vec3(across, lift, along) : Vec3(along, lift, across));
            }
            s.pins.push_back(static_cast<Index>(s.yarns.x.size()));
            s.yarns.add(x, false, radius);
            s.pins.push_back(static_cast<Index>(s.yarns.x.size()) - 1);
        }
    Material m;
    m.name = "weave";
    const double area = kPi * radius * radius, second = 0.25 * area * radius * radius;
    m.density = density * area;
    m.bendStiffness = modulus * second;
    m.twistStiffness = modulus / 3 * 2 * second; // incompressible: G = E / 3
    m.stretchStiffness = modulus * area;
    m.restCurvature = 1;
    s.material.assign(static_cast<std::size_t>(s.yarns.yarns()), m);
    s.settings.contact.friction = 0.3;
    return s;
}

} // namespace purl::cli
