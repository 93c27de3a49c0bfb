// Knits and tangles that move by formula, for tests of contact: positions in node order, and what a
// contact wants of them.
#pragma once

#include "purl/model/layout.h"
#include "purl/model/material.h"
#include "purl/model/weld.h"
#include "purl/pattern/pattern.h"

#include <Eigen/Geometry>
#include <random>

namespace purl::test {

struct MovingKnit {
    Curves rest;
    Layout layout;
    std::vector<Material> material;
    std::vector<Weld> welds;
    std::vector<Vec3> x; // m, now

    explicit MovingKnit(const Curves& c, double k = 8) : rest(c), layout(c), x(c.x) {
        Material m;
        m.contactStiffness = k;
        material.assign(c.yarns(), m);
    }
    Padded3 zero() const {
        Padded3 p;
        p.resize(layout.padded() + 4);
        return p;
    }
    Padded3 padded() const {
        Padded3 p = zero();
        for (Index y = 0; y < rest.yarns(); ++y) scatter(layout, x, rest.first[y], y, p);
        return p;
    }
    double size() const { // m, half of the extent along x
        double s = 0;
        for (const Vec3& p : rest.x) s = std::max(s, std::abs(p.x()));
        return s;
    }
    // Falls, turns, rolls up until its layers press on each other, ripples, and unrolls again, as t
    // goes from 0 to 1: near and far pieces meet, and part.
    void fold(double t) {
        const double r = rest.radius[0], half = size();
        const Mat3 turn = Eigen::AngleAxisd(6 * t, Vec3(0.3, 1, 0.2).normalized()).matrix();
        const double bend = 5 * std::sin(3.1 * t); // rad from the middle to an edge
        const double layer = 3.6 * r / (2 * M_PI); // m a rad: a turn lies on the one before
        for (Index i = 0; i < rest.points(); ++i) {
            Vec3 p = rest.x[i];
            if (bend > 1e-9) {
                const double radius = half / bend, a = p.x() / radius;
                const double out = radius + p.z() - layer * a;
                p = Vec3(std::sin(a) * out, p.y(), std::cos(a) * out - radius);
            }
            p += 0.4 * r *
                 Vec3(std::sin(90 * p.y() / (80 * r) + 25 * t), 0,
                      std::cos(70 * p.x() / (80 * r) - 31 * t));
            x[i] = turn * p + Vec3(0, -0.5 * t, 0.2 * t);
        }
    }
    void shake(double amount, unsigned seed) { // m
        std::mt19937 rng(seed);
        std::uniform_real_distribution<double> u(-amount, amount);
        for (Vec3& p : x) p += Vec3(u(rng), u(rng), u(rng));
    }
};

inline MovingKnit knit(const std::string& name, Index size, bool continuous = false) {
    PatternSettings s;
    s.name = name;
    s.wales = s.courses = size;
    s.continuous = continuous;
    const Pattern p = makePattern(s);
    MovingKnit k(p.curves);
    for (const auto& w : p.welds) k.welds.push_back({w[0], w[1]});
    return k;
}

// The same with everything moved together, so that the yarns press on each other.
inline MovingKnit pressed(MovingKnit k, double share) {
    for (Vec3& p : k.x) p.z() *= share;
    return k;
}

// Random walks through a small box: yarns of three radii, every third closed, some welded.
inline MovingKnit tangle(int yarns, int points, unsigned seed) {
    std::mt19937 rng(seed);
    std::uniform_real_distribution<double> u(-1, 1);
    Curves c;
    for (int y = 0; y < yarns; ++y) {
        Vec3 p = 15e-3 * Vec3(u(rng), u(rng), u(rng)), d = Vec3(u(rng), u(rng), u(rng));
        std::vector<Vec3> line;
        for (int i = 0; i < points; ++i) {
            line.push_back(p);
            d = (d + 0.7 * Vec3(u(rng), u(rng), u(rng)) - 20 * p).normalized();
            p += 1.8e-3 * (1 + 0.3 * u(rng)) * d;
        }
        c.add(line, y % 3 == 2, y % 2 ? 1.25e-3 : 0.8e-3 + 1e-5 * y);
    }
    MovingKnit k(c);
    for (int y = 0; y + 3 < yarns; y += 4) k.welds.push_back({c.first[y] + 3, c.first[y + 3] + 7});
    for (int y = 0; y < yarns; ++y) k.material[y].contactStiffness = 4 + y % 5;
    return k;
}

// |a - b| / |b| over all nodal forces.
inline double relativeError(const Padded3& a, const Padded3& b) {
    double d = 0, n = 0;
    for (std::size_t i = 0; i < a.x.size(); ++i) {
        const Index s = static_cast<Index>(i);
        d += (a.at(s) - b.at(s)).squaredNorm();
        n += b.at(s).squaredNorm();
    }
    return n > 0 ? std::sqrt(d / n) : std::sqrt(d);
}

} // namespace purl::test
