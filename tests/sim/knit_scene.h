// A knitted patch as a scene, and where its wales and courses are: for tests of how knits behave.
#pragma once

#include "purl/model/material.h"
#include "purl/pattern/pattern.h"
#include "purl/sim/simulation.h"

namespace purl::test {

struct Knit {
    Pattern pattern;
    Scene scene;
    Index n;

    Knit(const std::string& name, Index size) : n(size) {
        PatternSettings s;
        s.name = name;
        s.wales = s.courses = size;
        pattern = makePattern(s);
        scene.yarns = pattern.curves;
        scene.rest = pattern.rest;
        for (const auto& w : pattern.welds) scene.welds.push_back({w[0], w[1]});
        for (double r : pattern.curves.radius) scene.material.push_back(materialByName("wool", r));
        scene.settings.forces.gravity.setZero();
    }

    // Mean positions of the wales (or courses) over the middle third of the other direction.
    std::vector<Vec3> line(const std::vector<Vec3>& x, bool wales) const {
        std::vector<Vec3> mean(n, Vec3::Zero());
        std::vector<int> count(n, 0);
        for (std::size_t i = 0; i < x.size(); ++i) {
            const Index a = wales ? pattern.wale[i] : pattern.course[i];
            const Index b = wales ? pattern.course[i] : pattern.wale[i];
            if (b < n / 3 || b >= n - n / 3 || a < 0 || a >= n) continue;
            mean[a] += x[i];
            ++count[a];
        }
        for (Index k = 0; k < n; ++k) mean[k] /= count[k];
        return mean;
    }
    static double path(const std::vector<Vec3>& line) {
        double sum = 0;
        for (std::size_t k = 0; k + 1 < line.size(); ++k) sum += (line[k + 1] - line[k]).norm();
        return sum;
    }
    static double span(const std::vector<Vec3>& line) { return (line.back() - line.front()).norm(); }

    // Curvature (1/m) of the fabric at wale or course k, positive where it bends to the front.
    double curvature(const std::vector<Vec3>& x, bool wales, Index k) const {
        const std::vector<Vec3> q = line(x, wales), other = line(x, !wales);
        const Vec3 across = (other[n - 1 - n / 3] - other[n / 3]).normalized();
        const Vec3 along = q[k + 1] - q[k - 1];
        const Vec3 front = (wales ? along.cross(across) : across.cross(along)).normalized();
        const double h = 0.5 * ((q[k + 1] - q[k]).norm() + (q[k] - q[k - 1]).norm());
        return (q[k + 1] - 2 * q[k] + q[k - 1]).dot(front) / (h * h);
    }
};

inline void relax(Simulation& sim, double seconds, double fps) {
    Monitor quiet;
    for (int f = 0; f < seconds * fps; ++f) {
        const FrameReport r = sim.advanceFrame(quiet);
        ASSERT_EQ(static_cast<int>(r.outcome), 0) << r.reason;
    }
}

} // namespace purl::test
