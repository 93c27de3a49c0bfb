// Yarns and an oracle that the tests of the judge share.
#pragma once

#include "purl/check/check.h"
#include "purl/geometry/catmull_rom.h"

#include <Eigen/Geometry>
#include <cmath>
#include <functional>
#include <random>

namespace purl::shapes {

constexpr double kPi = 3.14159265358979323846;

inline void addYarn(Curves& c, const std::vector<Vec3>& x, bool closed, double radius) {
    c.add(x, closed, radius);
}

inline std::vector<Vec3> line(const Vec3& from, const Vec3& to, int points) {
    std::vector<Vec3> x;
    for (int i = 0; i < points; ++i) x.push_back(from + (to - from) * i / (points - 1.0));
    return x;
}

// A ring of n points with a few random waves on it.
inline std::vector<Vec3> wavyRing(std::mt19937& rng, double radius, int n, double waves) {
    std::normal_distribution<double> normal;
    Eigen::Matrix<double, 3, 4> c;
    for (int i = 0; i < 12; ++i) c.data()[i] = waves * radius * normal(rng);
    std::vector<Vec3> x;
    for (int i = 0; i < n; ++i) {
        const double t = 2 * kPi * i / n;
        Vec3 p(radius * std::cos(t), radius * std::sin(t), 0);
        p +=
            c * Eigen::Vector4d(std::cos(2 * t), std::sin(2 * t), std::cos(3 * t), std::sin(3 * t));
        x.push_back(p);
    }
    return x;
}

inline Eigen::Quaterniond randomTurn(std::mt19937& rng) {
    std::normal_distribution<double> normal;
    return Eigen::Quaterniond(normal(rng), normal(rng), normal(rng), normal(rng)).normalized();
}

// The linking number of two closed polygons from a projection: half the sum of the signs of the
// crossings seen. Nothing of this is in the code under test.
inline int linkingNumber(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    const Eigen::Quaterniond view = Eigen::Quaterniond(0.31, -0.52, 0.17, 0.77).normalized();
    std::vector<Vec3> p, q;
    for (const Vec3& x : a) p.push_back(view * x);
    for (const Vec3& x : b) q.push_back(view * x);
    const auto cross2 = [](const Vec3& u, const Vec3& v) { return u[0] * v[1] - u[1] * v[0]; };
    int twice = 0;
    for (std::size_t i = 0; i < p.size(); ++i)
        for (std::size_t j = 0; j < q.size(); ++j) {
            const Vec3 u = p[(i + 1) % p.size()] - p[i], v = q[(j + 1) % q.size()] - q[j];
            const Vec3 w = q[j] - p[i];
            const double d = cross2(u, v), s = cross2(w, v) / d, t = cross2(w, u) / d;
            if (!(s >= 0 && s < 1 && t >= 0 && t < 1)) continue;
            const bool over = p[i][2] + s * u[2] > q[j][2] + t * v[2];
            twice += (d > 0) == over ? 1 : -1;
        }
    return twice / 2;
}

// A yarn's spline as a dense polygon.
inline std::vector<Vec3> dense(const Curves& c, Index yarn, int perSegment = 4) {
    std::vector<Vec3> x;
    for (Index s = 0; s < c.edges(yarn); ++s)
        for (int k = 0; k < perSegment; ++k)
            x.push_back(pointAt(c.x, segmentOf(c, yarn, s), k / double(perSegment)));
    return x;
}

// Rows of stockinette: x = u (t + 1.5 sin 2t), y = u (4 cos t + 5 row), z = -u cos 2t.
inline Curves knit(int rows, int loops, double u, int pointsPerLoop = 8) {
    Curves c;
    for (int row = 0; row < rows; ++row) {
        std::vector<Vec3> x;
        for (int i = 0; i <= loops * pointsPerLoop; ++i) {
            const double t = 2 * kPi * i / pointsPerLoop;
            x.emplace_back(u * (t + 1.5 * std::sin(2 * t)), u * (4 * std::cos(t) + 5.0 * row),
                           -u * std::cos(2 * t));
        }
        addYarn(c, x, false, 0.45 * u);
    }
    return c;
}

inline Curves moved(Curves c, const std::function<Vec3(const Vec3&)>& map) {
    for (Vec3& p : c.x) p = map(p);
    return c;
}

// The report over these frames, numbered from 1.
inline CheckReport judge(const std::vector<Curves>& frames, const CheckSettings& settings = {}) {
    SequenceCheck check(settings);
    int frame = 0;
    for (const Curves& c : frames) check.add(++frame, c);
    return check.report();
}

// Linear motion in `steps` frames.
inline std::vector<Curves> between(const Curves& a, const Curves& b, int steps) {
    std::vector<Curves> frames;
    for (int k = 0; k <= steps; ++k) {
        Curves c = a;
        for (std::size_t i = 0; i < c.x.size(); ++i)
            c.x[i] += (b.x[i] - a.x[i]) * (k / double(steps));
        frames.push_back(c);
    }
    return frames;
}

} // namespace purl::shapes
