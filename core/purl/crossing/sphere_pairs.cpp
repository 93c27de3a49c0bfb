#include "purl/crossing/sphere_pairs.h"

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

SpherePairs::SpherePairs(const Fabric& fabric, Span<const Vec3> q, double share) : fabric_(fabric) {
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
        smallest_ = i == 0 ? radius_[i] : std::min<double>(smallest_, radius_[i]);
    }
}

// Within two links of each other along yarns, changing yarn once at most in between.
bool SpherePairs::related(Index i, Index j) const {
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

void SpherePairs::build(Span<const Vec3> x, double skin) {
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

void SpherePairs::update(Span<const Vec3> x0, double reach) {
    const Index n = static_cast<Index>(x0.size());
    if (!at_.empty()) {
        const double moved = orderedMax(n, 2048, [&](Index i0, Index i1) {
            double most = 0;
            for (Index i = i0; i < i1; ++i) most = std::max(most, (x0[i] - at_[i]).squaredNorm());
            return most;
        });
        if (2 * (std::sqrt(moved) + reach) < skin_) return;
    }
    build(x0, std::max(kSkin * largest_, 4 * reach));
}

std::size_t SpherePairs::bytes() const {
    return bytesOf(radius_) + bytesOf(at_) + bytesOf(first_) + bytesOf(other_) + bytesOf(key_) +
           bytesOf(order_);
}

} // namespace purl
