#include "purl/crossing/node_spheres.h"

#include "purl/base/parallel.h"

#include <algorithm>
#include <cmath>

namespace purl {

namespace {
constexpr Index kGrain = 256;
constexpr double kSkin = 1.0; // of the largest radius: how far lists look ahead

std::uint64_t keyOf(std::int64_t x, std::int64_t y, std::int64_t z) {
    const std::uint64_t mask = (1u << 21) - 1;
    return (static_cast<std::uint64_t>(x) & mask) << 42 |
           (static_cast<std::uint64_t>(y) & mask) << 21 | (static_cast<std::uint64_t>(z) & mask);
}
} // namespace

NodeSpheres::NodeSpheres(const Fabric& fabric, Span<const Vec3> q, double share, double friction)
    : fabric_(fabric), friction_(friction) {
    const YarnLinks& l = fabric.links();
    radius_.resize(l.nodes);
    for (Index i = 0; i < l.nodes; ++i) {
        double thick = 0, clear = fabric.spacing(i);
        for (Index k = l.first[i]; k < l.first[i + 1]; ++k) {
            thick = std::max(thick, fabric.materialOf(k).radius);
            for (Index to : {l.after[k], l.before[k]})
                if (to >= 0) clear = std::min(clear, (q[l.node[to]] - q[i]).norm());
        }
        radius_[i] = static_cast<float>(std::max(thick, share * clear));
        largest_ = std::max<double>(largest_, radius_[i]);
    }
}

// Within two links of each other along yarns, changing yarn once at most in between.
bool NodeSpheres::related(Index i, Index j) const {
    const YarnLinks& l = fabric_.links();
    for (Index k = l.first[i]; k < l.first[i + 1]; ++k)
        for (Index to : {l.after[k], l.before[k]}) {
            if (to < 0) continue;
            const Index m = l.node[to];
            if (m == j) return true;
            for (Index r = l.first[m]; r < l.first[m + 1]; ++r)
                for (Index next : {l.after[r], l.before[r]}) {
                    if (next < 0) continue;
                    if (l.node[next] == j) return true;
                    // A third link straight on or around the corner: a float of a twill reaches it.
                    const Index p = l.node[next];
                    for (Index s = l.first[p]; s < l.first[p + 1]; ++s)
                        if ((l.after[s] >= 0 && l.node[l.after[s]] == j) ||
                            (l.before[s] >= 0 && l.node[l.before[s]] == j))
                            return true;
                }
        }
    return false;
}

void NodeSpheres::build(Span<const Vec3> x, double skin) {
    const Index n = static_cast<Index>(x.size());
    skin_ = skin;
    at_.assign(x.begin(), x.end());
    const double cell = 2 * largest_ + skin;
    key_.resize(n), order_.resize(n);
    const auto cellOf = [&](const Vec3& p, int axis) {
        return static_cast<std::int64_t>(std::floor(p[axis] / cell));
    };
    parallelFor(n, kGrain, [&](Index i0, Index i1) {
        for (Index i = i0; i < i1; ++i) {
            key_[i] = keyOf(cellOf(x[i], 0), cellOf(x[i], 1), cellOf(x[i], 2));
            order_[i] = i;
        }
    });
    std::sort(order_.begin(), order_.end(),
              [&](Index a, Index b) { return key_[a] != key_[b] ? key_[a] < key_[b] : a < b; });
    const auto visit = [&](Index i, auto&& found) {
        for (int dx = -1; dx <= 1; ++dx)
            for (int dy = -1; dy <= 1; ++dy)
                for (int dz = -1; dz <= 1; ++dz) {
                    const std::uint64_t key =
                        keyOf(cellOf(x[i], 0) + dx, cellOf(x[i], 1) + dy, cellOf(x[i], 2) + dz);
                    auto it = std::lower_bound(
                        order_.begin(), order_.end(), key,
                        [&](Index a, std::uint64_t value) { return key_[a] < value; });
                    for (; it != order_.end() && key_[*it] == key; ++it) {
                        const Index j = *it;
                        if (j == i) continue;
                        const double reach = radius_[i] + radius_[j] + skin;
                        if ((x[i] - x[j]).squaredNorm() < reach * reach && !related(i, j)) found(j);
                    }
                }
    };
    first_.assign(static_cast<std::size_t>(n) + 1, 0);
    parallelFor(n, kGrain, [&](Index i0, Index i1) {
        for (Index i = i0; i < i1; ++i) visit(i, [&](Index) { ++first_[i + 1]; });
    });
    for (Index i = 0; i < n; ++i) first_[i + 1] += first_[i];
    other_.resize(first_[n]);
    parallelFor(n, kGrain, [&](Index i0, Index i1) {
        for (Index i = i0; i < i1; ++i) {
            Index at = first_[i];
            visit(i, [&](Index j) { other_[at++] = j; });
            std::sort(other_.begin() + first_[i], other_.begin() + at);
        }
    });
}

Index NodeSpheres::resolve(Span<const Vec3> x0, Span<const Vec3> x1, Span<Vec3> v,
                           Span<const double> inverseMass, double h, Span<Vec3> scratch) {
    const Index n = static_cast<Index>(x0.size());
    // Lists hold while nothing has come half the skin nearer, this step's end included.
    bool fresh = !at_.empty();
    if (fresh) {
        const double moved = orderedMax(n, 2048, [&](Index i0, Index i1) {
            double most = 0;
            for (Index i = i0; i < i1; ++i) most = std::max(most, (x1[i] - at_[i]).squaredNorm());
            return most;
        });
        fresh = 4 * moved < skin_ * skin_;
    }
    if (!fresh) {
        const double moved = orderedMax(n, 2048, [&](Index i0, Index i1) {
            double most = 0;
            for (Index i = i0; i < i1; ++i) most = std::max(most, (x1[i] - x0[i]).squaredNorm());
            return most;
        });
        build(x0, std::max(kSkin * largest_, 2.5 * std::sqrt(moved)));
    }
    if (other_.empty()) return 0;
    double touching = 0;
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
        touching = orderedSum(n, 2048, [&](Index i0, Index i1) {
            double pairs = 0;
            for (Index i = i0; i < i1; ++i) {
                Vec3 sum = Vec3::Zero();
                int count = 0;
                for (Index e = first_[i]; e < first_[i + 1] && inverseMass[i] > 0; ++e) {
                    const Index j = other_[e];
                    const double reach = radius_[i] + radius_[j];
                    const Vec3 start = x0[i] - x0[j], rel = v[i] - v[j], end = start + h * rel;
                    // The nearest that the two come in the step.
                    const double along = rel.squaredNorm();
                    const double t =
                        along > 0 ? std::clamp(-start.dot(rel) / (h * along), 0.0, 1.0) : 1;
                    const Vec3 near = start + t * h * rel;
                    if (near.squaredNorm() >= reach * reach && end.squaredNorm() >= reach * reach)
                        continue;
                    const double gap = start.norm();
                    if (!(gap > 0)) continue;
                    const Vec3 normal = start / gap;
                    // Speed apart that ends at the radii; what began inside comes out slowly.
                    const double wanted = std::min(reach - gap, 0.1 * reach) / h;
                    const double lack = wanted - rel.dot(normal);
                    if (!(lack > 0)) continue;
                    const double share = inverseMass[i] / (inverseMass[i] + inverseMass[j]);
                    Vec3 dv = share * lack * normal;
                    const Vec3 slide = rel - rel.dot(normal) * normal;
                    const double speed = slide.norm(), stop = std::max(0.0, -rel.dot(normal));
                    if (speed > 0) dv -= share * std::min(1.0, friction_ * stop / speed) * slide;
                    sum += dv;
                    ++count;
                }
                scratch[i] = count ? Vec3(sum / count) : Vec3::Zero();
                pairs += count;
            }
            return pairs;
        });
        if (touching == 0) break;
        parallelFor(n, kGrain, [&](Index i0, Index i1) {
            for (Index i = i0; i < i1; ++i) v[i] += scratch[i];
        });
    }
    return static_cast<Index>(touching / 2);
}

std::size_t NodeSpheres::bytes() const {
    return bytesOf(radius_) + bytesOf(at_) + bytesOf(first_) + bytesOf(other_) + bytesOf(key_) +
           bytesOf(order_);
}

} // namespace purl
