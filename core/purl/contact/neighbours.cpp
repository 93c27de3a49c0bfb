#include "purl/contact/neighbours.h"

#include "purl/base/parallel.h"

#include <algorithm>

namespace purl {

namespace {
constexpr Index kChunk = 256; // blocks a task; fixed, so that lists do not depend on the threads

std::uint32_t hashCell(std::int32_t x, std::int32_t y, std::int32_t z) {
    return static_cast<std::uint32_t>(x) * 73856093u ^ static_cast<std::uint32_t>(y) * 19349663u ^
           static_cast<std::uint32_t>(z) * 83492791u;
}

struct BlockBox {
    Vec3 low, high;
};

// NaN points (the filling of a segment's last block) drop out: comparisons with them are false.
BlockBox boxOf(const double* p) {
    BlockBox b;
    for (int c = 0; c < 3; ++c) {
        b.low[c] = b.high[c] = p[4 * c];
        for (int i = 1; i < 4; ++i) {
            if (p[4 * c + i] < b.low[c]) b.low[c] = p[4 * c + i];
            if (p[4 * c + i] > b.high[c]) b.high[c] = p[4 * c + i];
        }
    }
    return b;
}
} // namespace

Neighbours::Neighbours(const Quadrature& q, const std::vector<Weld>& welds,
                       const std::vector<Index>& yarnOfNode, double skin) {
    double radius = 0;
    for (double r : q.radius) radius = std::max(radius, r);
    reach_ = 2 * radius;
    skin_ = skin * reach_;
    weldsOf_.resize(q.yarnLength.size());
    for (const Weld& w : welds) {
        const Index ya = yarnOfNode[w.a], yb = yarnOfNode[w.b];
        weldsOf_[ya].push_back({yb, q.arcOfNode[w.a], q.arcOfNode[w.b]});
        weldsOf_[yb].push_back({ya, q.arcOfNode[w.b], q.arcOfNode[w.a]});
    }
}

std::uint16_t Neighbours::allowed(const Quadrature& q, Index a, Index b) const {
    const Index ya = q.yarnOf[a], yb = q.yarnOf[b];
    std::uint16_t mask = 0xffff;
    auto arcGap = [&](Index yarn, double s, double t) {
        const double d = std::abs(s - t);
        return q.closed[yarn] ? std::min(d, q.yarnLength[yarn] - d) : d;
    };
    if (ya == yb) {
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j)
                if (arcGap(ya, q.arc[4 * a + i], q.arc[4 * b + j]) < q.exclusion[ya])
                    mask &= static_cast<std::uint16_t>(~(1u << (4 * i + j)));
    }
    if (weldsOf_[ya].empty()) return mask;
    const double limit = std::max(q.exclusion[ya], q.exclusion[yb]);
    for (const WeldArc& w : weldsOf_[ya]) {
        if (w.otherYarn != yb) continue;
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j)
                if (arcGap(ya, q.arc[4 * a + i], w.arc) + arcGap(yb, q.arc[4 * b + j], w.otherArc) <
                    limit)
                    mask &= static_cast<std::uint16_t>(~(1u << (4 * i + j)));
    }
    return mask;
}

bool Neighbours::update(const Quadrature& q, const Padded3& x) {
    if (rebuilds > 0 && motion_.holds(x, q.slot)) return false;
    motion_.reset(x, q.slot, reach_, skin_);
    rebuild(q);
    ++rebuilds;
    return true;
}

void Neighbours::rebuild(const Quadrature& q) {
    const Index n = q.blocks();
    std::vector<BlockBox> box(n);
    double extent = 0;
    for (Index i = 0; i < n; ++i) {
        box[i] = boxOf(&q.at[12 * static_cast<std::size_t>(i)]);
        extent = std::max(extent, (box[i].high - box[i].low).maxCoeff());
    }
    // Blocks are filed by the cell of their centre; anything in reach is in a neighbouring cell.
    const double size = extent + reach_ + skin_;
    std::uint32_t buckets = 1;
    while (buckets < 2u * static_cast<std::uint32_t>(n)) buckets *= 2;
    cell_.resize(n);
    cellStart_.assign(buckets + 1, 0);
    cellItem_.resize(n);
    std::vector<std::uint32_t> bucketOf(n);
    for (Index i = 0; i < n; ++i) {
        const Vec3 c = 0.5 * (box[i].low + box[i].high) / size;
        for (int k = 0; k < 3; ++k) cell_[i][k] = static_cast<std::int32_t>(std::floor(c[k]));
        bucketOf[i] = hashCell(cell_[i][0], cell_[i][1], cell_[i][2]) & (buckets - 1);
        ++cellStart_[bucketOf[i] + 1];
    }
    for (std::uint32_t b = 0; b < buckets; ++b) cellStart_[b + 1] += cellStart_[b];
    std::vector<Index> fill(cellStart_.begin(), cellStart_.end() - 1);
    for (Index i = 0; i < n; ++i) cellItem_[fill[bucketOf[i]]++] = i;

    const Index chunks = (n + kChunk - 1) / kChunk;
    struct Found {
        std::vector<Index> count, other;
        std::vector<Masked> masked;
    };
    std::vector<Found> found(chunks);
    parallelFor(chunks, 1, [&](Index c0, Index c1) {
        std::vector<Index> near;
        for (Index c = c0; c < c1; ++c)
            for (Index a = c * kChunk; a < std::min(n, (c + 1) * kChunk); ++a) {
                near.clear();
                const auto& cell = cell_[a];
                for (int dx = -1; dx <= 1; ++dx)
                    for (int dy = -1; dy <= 1; ++dy)
                        for (int dz = -1; dz <= 1; ++dz) {
                            const std::array<std::int32_t, 3> k{cell[0] + dx, cell[1] + dy,
                                                                cell[2] + dz};
                            const std::uint32_t h = hashCell(k[0], k[1], k[2]) & (buckets - 1);
                            for (Index i = cellStart_[h]; i < cellStart_[h + 1]; ++i) {
                                const Index b = cellItem_[i];
                                if (b <= a || cell_[b] != k) continue;
                                const Vec3 gap = (box[a].low - box[b].high)
                                                     .cwiseMax(box[b].low - box[a].high)
                                                     .cwiseMax(0.0);
                                const double reach = q.radius[a] + q.radius[b] + skin_;
                                if (gap.squaredNorm() < reach * reach) near.push_back(b);
                            }
                        }
                std::sort(near.begin(), near.end());
                Index full = 0;
                for (Index b : near) {
                    const std::uint16_t mask = allowed(q, a, b);
                    if (mask == 0xffff) {
                        found[c].other.push_back(b);
                        ++full;
                    } else if (mask != 0) {
                        found[c].masked.push_back({a, b, mask});
                    }
                }
                found[c].count.push_back(full);
            }
    });
    start.assign(1, 0);
    other.clear();
    masked.clear();
    for (const Found& f : found) {
        for (Index count : f.count) start.push_back(start.back() + count);
        other.insert(other.end(), f.other.begin(), f.other.end());
        masked.insert(masked.end(), f.masked.begin(), f.masked.end());
    }
    inStart.assign(n + 1, 0);
    for (Index b : other) ++inStart[b + 1];
    for (Index b = 0; b < n; ++b) inStart[b + 1] += inStart[b];
    inPair.resize(other.size());
    std::vector<Index> put(inStart.begin(), inStart.end() - 1);
    for (std::size_t p = 0; p < other.size(); ++p) inPair[put[other[p]]++] = static_cast<Index>(p);
}

} // namespace purl
