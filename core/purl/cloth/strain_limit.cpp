#include "purl/cloth/strain_limit.h"

#include "purl/base/parallel.h"
#include "purl/cloth/spring_energy.h"
#include "purl/cloth/triangle_energy.h"

#include <Eigen/SVD>

namespace purl {

namespace {

// Greedy colours: no two items of a colour share a point. Sorts the items by colour.
template <class Item, class Nodes>
std::vector<Index> colour(std::vector<Item>& items, Index points, Nodes&& nodes) {
    std::vector<std::uint64_t> used(static_cast<std::size_t>(points), 0);
    std::vector<int> colours(items.size());
    int most = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
        std::uint64_t taken = 0;
        for (Index n : nodes(items[i])) taken |= used[static_cast<std::size_t>(n)];
        int c = 0;
        while (c < 63 && (taken >> c & 1)) ++c; // colour 63 is done one by one
        for (Index n : nodes(items[i])) used[static_cast<std::size_t>(n)] |= std::uint64_t(1) << c;
        colours[i] = c;
        most = std::max(most, c);
    }
    std::vector<Item> sorted;
    std::vector<Index> starts = {0};
    for (int c = 0; c <= most; ++c) {
        for (std::size_t i = 0; i < items.size(); ++i)
            if (colours[i] == c) sorted.push_back(items[i]);
        starts.push_back(static_cast<Index>(sorted.size()));
    }
    items = std::move(sorted);
    return starts;
}

template <class Body>
void sweep(const std::vector<Index>& starts, Body&& body) {
    for (std::size_t c = 0; c + 1 < starts.size(); ++c) {
        const Index first = starts[c], n = starts[c + 1] - first;
        const Index grain = c == 63 ? n + 1 : 1024;
        parallelFor(n, grain, [&](Index begin, Index end) {
            for (Index i = first + begin; i < first + end; ++i) body(static_cast<std::size_t>(i));
        });
    }
}

void follow(Span<Vec3> v, Span<const Vec3> x, const std::vector<Vec3>& before, double dt) {
    if (v.empty() || !(dt > 0)) return;
    parallelFor(static_cast<Index>(v.size()), 4096, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
            const auto k = static_cast<std::size_t>(i);
            v[k] += (x[k] - before[k]) / dt;
        }
    });
}

} // namespace

StrainLimiter::StrainLimiter(const ClothMesh& mesh) {
    for (const auto& s : cloth::edgeSprings(mesh, {}, {})) edges_.push_back({s.a, s.b, s.length});
    for (Index t = 0; t < mesh.faces(); ++t) {
        const auto at = static_cast<std::size_t>(t);
        const cloth::RestShape r = cloth::restShape(mesh, t);
        triangles_.push_back({mesh.triangles[at], r.au1, r.au2, r.av1, r.av2, mesh.rest[at]});
    }
    edgeColours_ = colour(edges_, mesh.points, [](const Edge& e) {
        return std::array<Index, 2>{e.a, e.b};
    });
    triangleColours_ = colour(
        triangles_, mesh.points, [](const Triangle& t) -> const auto& { return t.n; });
}

double StrainLimiter::worstEdge(Span<const Vec3> x) const {
    return orderedMax(static_cast<Index>(edges_.size()), 4096, [&](Index begin, Index end) {
        double worst = 0;
        for (Index i = begin; i < end; ++i) {
            const Edge& e = edges_[static_cast<std::size_t>(i)];
            worst = std::max(worst, (x[e.b] - x[e.a]).norm() / e.length - 1);
        }
        return worst;
    });
}

StrainReport StrainLimiter::limitEdges(const StrainLimits& limits, Span<const double> inverseMass,
                                       double dt, Span<Vec3> x, Span<Vec3> v) const {
    StrainReport report;
    report.before = report.after = worstEdge({x.data(), x.size()});
    if (report.before <= limits.stretch) return report;
    const std::vector<Vec3> before(x.begin(), x.end());
    while (report.sweeps < limits.sweeps && report.after > limits.stretch * (1 + 1e-9)) {
        sweep(edgeColours_, [&](std::size_t i) {
            const Edge& e = edges_[i];
            const double wa = inverseMass[e.a], wb = inverseMass[e.b];
            const Vec3 d = x[e.b] - x[e.a];
            const double l = d.norm(), over = l - (1 + limits.stretch) * e.length;
            if (over <= 0 || wa + wb <= 0) return;
            const Vec3 move = over / (l * (wa + wb)) * d;
            x[e.a] += wa * move;
            x[e.b] -= wb * move;
        });
        ++report.sweeps;
        report.after = worstEdge({x.data(), x.size()});
    }
    follow(v, {x.data(), x.size()}, before, dt);
    return report;
}

namespace {

using Mat32 = Eigen::Matrix<double, 3, 2>;

template <class T>
Mat32 gradientOf(const T& t, Span<const Vec3> x) {
    const Vec3 p = x[t.n[1]] - x[t.n[0]], q = x[t.n[2]] - x[t.n[0]];
    Mat32 f;
    f << t.au1 * p + t.au2 * q, t.av1 * p + t.av2 * q;
    return f;
}

// Largest and smallest principal stretch from F^T F.
Vec2 stretches(const Mat32& f) {
    const Eigen::Matrix2d c = f.transpose() * f;
    const double mean = 0.5 * (c(0, 0) + c(1, 1));
    const double r = std::hypot(0.5 * (c(0, 0) - c(1, 1)), c(0, 1));
    return {std::sqrt(mean + r), std::sqrt(std::max(0.0, mean - r))};
}

} // namespace

double StrainLimiter::worstTriangle(const StrainLimits& limits, Span<const Vec3> x) const {
    return orderedMax(static_cast<Index>(triangles_.size()), 4096, [&](Index begin, Index end) {
        double worst = 0;
        for (Index i = begin; i < end; ++i) {
            const Vec2 s = stretches(gradientOf(triangles_[static_cast<std::size_t>(i)], x));
            worst = std::max(worst, s[0] - 1);
            // A compression counts as the stretch that is as far beyond its limit.
            if (limits.compress < 1)
                worst = std::max(worst, limits.stretch + (1 - s[1] - limits.compress));
        }
        return worst;
    });
}

StrainReport StrainLimiter::limitTriangles(const StrainLimits& limits,
                                           Span<const double> inverseMass, double dt, Span<Vec3> x,
                                           Span<Vec3> v) const {
    StrainReport report;
    const Span<const Vec3> seen(x.data(), x.size());
    report.before = report.after = worstTriangle(limits, seen);
    if (report.before <= limits.stretch) return report;
    const std::vector<Vec3> before(x.begin(), x.end());
    const double high = 1 + limits.stretch, low = 1 - limits.compress;
    while (report.sweeps < limits.sweeps && report.after > limits.stretch * (1 + 1e-9)) {
        sweep(triangleColours_, [&](std::size_t i) {
            const Triangle& t = triangles_[i];
            const Mat32 f = gradientOf(t, seen);
            const Vec2 s = stretches(f);
            if (s[0] <= high && s[1] >= low) return;
            double w[3], total = 0;
            for (int k = 0; k < 3; ++k) total += w[k] = inverseMass[t.n[k]];
            if (total <= 0) return;
            const Eigen::JacobiSVD<Eigen::MatrixXd> svd(f,
                                                        Eigen::ComputeThinU | Eigen::ComputeThinV);
            const Vec2 clamped = svd.singularValues().cwiseMax(low).cwiseMin(high);
            const Mat32 goal = svd.matrixU() * clamped.asDiagonal() * svd.matrixV().transpose();
            // The corners of the goal shape; it is shifted so that the mass centre stays.
            Vec3 move[3], drift = Vec3::Zero();
            double mass = 0;
            bool held = false;
            for (int k = 0; k < 3; ++k) {
                move[k] = goal * (t.rest[k] - t.rest[0]) - (x[t.n[k]] - x[t.n[0]]);
                held = held || w[k] <= 0;
            }
            for (int k = 0; k < 3; ++k) {
                const double m = held ? (w[k] <= 0 ? 1.0 : 0.0) : 1 / w[k];
                drift += m * move[k];
                mass += m;
            }
            for (int k = 0; k < 3; ++k)
                if (w[k] > 0) x[t.n[k]] += move[k] - drift / mass;
        });
        ++report.sweeps;
        report.after = worstTriangle(limits, seen);
    }
    follow(v, seen, before, dt);
    return report;
}

} // namespace purl
