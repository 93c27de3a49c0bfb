#include "purl/contact/neighbours.h"

#include "purl/base/parallel.h"

#include <algorithm>

namespace purl {

namespace {
constexpr double kWide = 4;  // the segments' list looks so many skins ahead
constexpr Index kChunk = 64; // segments a task; fixed, so that lists do not depend on the threads

// 21 bits a coordinate, offset so that sums of keys are keys of sums.
std::uint64_t cellKey(std::int64_t x, std::int64_t y, std::int64_t z) {
    constexpr std::int64_t half = 1 << 20;
    return (static_cast<std::uint64_t>(x + half) << 42) +
           (static_cast<std::uint64_t>(y + half) << 21) + static_cast<std::uint64_t>(z + half);
}
std::uint32_t hashCell(std::uint64_t key) {
    return static_cast<std::uint32_t>((key * 0x9E3779B97F4A7C15ull) >> 32);
}

// NaN points (the filling of a segment's last block) drop out: comparisons with them are false.
Neighbours::Box boxOf(const double* p) {
    Neighbours::Box b;
    for (int c = 0; c < 3; ++c) {
        b.low[c] = b.high[c] = p[4 * c];
        for (int i = 1; i < 4; ++i) {
            if (p[4 * c + i] < b.low[c]) b.low[c] = p[4 * c + i];
            if (p[4 * c + i] > b.high[c]) b.high[c] = p[4 * c + i];
        }
    }
    return b;
}
double gap2(const Neighbours::Box& a, const Neighbours::Box& b) {
    return (a.low - b.high).cwiseMax(b.low - a.high).cwiseMax(0.0).squaredNorm();
}
// Which of the 16 point pairs of blocks i and j of two segments may touch.
std::uint16_t allowedPairs(const PairBits& excluded, int points, Index i, Index j) {
    std::uint16_t mask = 0;
    for (int k = 0; k < 16; ++k) {
        const Index u = 4 * i + k / 4, v = 4 * j + k % 4;
        const bool real = u < points && v < points; // fillers are near nothing anyway
        if (!real || !excluded.test(static_cast<int>(u * points + v)))
            mask = static_cast<std::uint16_t>(mask | 1u << k);
    }
    return mask;
}
} // namespace

Neighbours::Neighbours(const Quadrature& q, Exclusion exclusion, double skin)
    : exclusion_(std::move(exclusion)) {
    double radius = 0;
    for (double r : q.radius) radius = std::max(radius, r);
    reach_ = 2 * radius;
    skin_ = skin * reach_;
}

bool Neighbours::update(const Quadrature& q, const Padded3& x) {
    if (rebuilds > 0 && motion_.holds(x, q.slot)) return false;
    boxes(q);
    if (rebuilds == 0 || !wideMotion_.holds(x, q.slot)) {
        wideMotion_.reset(x, q.slot, reach_ + skin_, kWide * skin_ - skin_);
        findSegments(q);
    }
    motion_.reset(x, q.slot, reach_, skin_);
    findBlocks(q);
    ++rebuilds;
    return true;
}

void Neighbours::boxes(const Quadrature& q) {
    const Index blocks = q.blocks(), n = q.segments(), per = q.blocksPerSegment();
    box_.resize(blocks);
    segmentBox_.resize(n);
    parallelFor(n, 256, [&](Index s0, Index s1) {
        for (Index s = s0; s < s1; ++s)
            for (Index i = s * per; i < (s + 1) * per; ++i) {
                box_[i] = boxOf(&q.at[12 * static_cast<std::size_t>(i)]);
                Box& whole = segmentBox_[s];
                whole.low = i == s * per ? box_[i].low : whole.low.cwiseMin(box_[i].low).eval();
                whole.high = i == s * per ? box_[i].high : whole.high.cwiseMax(box_[i].high).eval();
            }
    });
}

// Segments are filed in a hashed grid by the cell of their centre, so that anything in reach is in
// a neighbouring cell. Their list looks far ahead and lasts; block lists are cut from it.
void Neighbours::findSegments(const Quadrature& q) {
    const Index n = q.segments();
    double extent = 0;
    for (const Box& b : segmentBox_) extent = std::max(extent, (b.high - b.low).maxCoeff());
    const double size = extent + reach_ + kWide * skin_;
    buckets_ = 1;
    while (buckets_ < 2u * static_cast<std::uint32_t>(n)) buckets_ *= 2;
    cell_.resize(n);
    cellStart_.assign(buckets_ + 1, 0);
    cellItem_.resize(n);
    std::vector<std::uint32_t> bucketOf(n);
    for (Index i = 0; i < n; ++i) {
        const Vec3 c = 0.5 / size * (segmentBox_[i].low + segmentBox_[i].high);
        cell_[i] = cellKey(static_cast<std::int64_t>(std::floor(c.x())),
                           static_cast<std::int64_t>(std::floor(c.y())),
                           static_cast<std::int64_t>(std::floor(c.z())));
        bucketOf[i] = hashCell(cell_[i]) & (buckets_ - 1);
        ++cellStart_[bucketOf[i] + 1];
    }
    for (std::uint32_t b = 0; b < buckets_; ++b) cellStart_[b + 1] += cellStart_[b];
    std::vector<Index> fill(cellStart_.begin(), cellStart_.end() - 1);
    for (Index i = 0; i < n; ++i) cellItem_[fill[bucketOf[i]]++] = i;

    const Index chunks = (n + kChunk - 1) / kChunk;
    std::vector<std::vector<Index>> found(chunks), count(chunks);
    parallelFor(chunks, 1, [&](Index c0, Index c1) {
        std::vector<Index> near;
        for (Index c = c0; c < c1; ++c)
            for (Index s = c * kChunk; s < std::min(n, (c + 1) * kChunk); ++s) {
                nearSegments(q, s, near);
                count[c].push_back(static_cast<Index>(near.size()));
                found[c].insert(found[c].end(), near.begin(), near.end());
            }
    });
    segmentStart_.assign(1, 0);
    segmentOther_.clear();
    for (Index c = 0; c < chunks; ++c) {
        for (Index k : count[c]) segmentStart_.push_back(segmentStart_.back() + k);
        segmentOther_.insert(segmentOther_.end(), found[c].begin(), found[c].end());
    }
}

// Segments t >= s whose box, grown by reach and skin, meets that of s; ascending.
void Neighbours::nearSegments(const Quadrature& q, Index s, std::vector<Index>& near) const {
    near.clear();
    const Index per = q.blocksPerSegment();
    for (std::int64_t dx = -1; dx <= 1; ++dx)
        for (std::int64_t dy = -1; dy <= 1; ++dy)
            for (std::int64_t dz = -1; dz <= 1; ++dz) {
                const std::uint64_t k = cell_[s] + cellKey(dx, dy, dz) - cellKey(0, 0, 0);
                const std::uint32_t h = hashCell(k) & (buckets_ - 1);
                for (Index i = cellStart_[h]; i < cellStart_[h + 1]; ++i) {
                    const Index t = cellItem_[i];
                    if (t < s || cell_[t] != k) continue;
                    const double reach = q.radius[s * per] + q.radius[t * per] + kWide * skin_;
                    if (gap2(segmentBox_[s], segmentBox_[t]) < reach * reach) near.push_back(t);
                }
            }
    std::sort(near.begin(), near.end());
}

void Neighbours::findBlocks(const Quadrature& q) {
    const Index n = q.blocks(), per = q.blocksPerSegment(), segments = q.segments();
    const Index chunks = (segments + kChunk - 1) / kChunk;
    struct Found {
        std::vector<Index> count, other;
        std::vector<Masked> masked;
    };
    std::vector<Found> found(chunks);
    parallelFor(chunks, 1, [&](Index c0, Index c1) {
        std::vector<Index> near;
        for (Index c = c0; c < c1; ++c)
            for (Index s = c * kChunk; s < std::min(segments, (c + 1) * kChunk); ++s) {
                near.clear();
                for (Index i = segmentStart_[s]; i < segmentStart_[s + 1]; ++i) {
                    const Index t = segmentOther_[i];
                    const double reach = q.radius[s * per] + q.radius[t * per] + skin_;
                    if (gap2(segmentBox_[s], segmentBox_[t]) < reach * reach) near.push_back(t);
                }
                for (Index a = s * per; a < (s + 1) * per; ++a) {
                    Index full = 0;
                    for (Index t : near) {
                        const double reach = q.radius[a] + q.radius[t * per] + skin_;
                        // Strangers touch freely: no need to look at each of the 16 pairs.
                        const bool stranger = exclusion_.strangers(s, t);
                        const PairBits excluded = stranger ? PairBits{} : exclusion_.excluded(s, t);
                        for (Index b = std::max(a + 1, t * per); b < (t + 1) * per; ++b) {
                            if (!(gap2(box_[a], box_[b]) < reach * reach)) continue;
                            const std::uint16_t mask =
                                stranger ? 0xffff
                                         : allowedPairs(excluded, q.pointsPerSegment(), a - s * per,
                                                        b - t * per);
                            if (mask == 0xffff) {
                                found[c].other.push_back(b);
                                ++full;
                            } else if (mask != 0) {
                                found[c].masked.push_back({a, b, mask});
                            }
                        }
                    }
                    found[c].count.push_back(full);
                }
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
