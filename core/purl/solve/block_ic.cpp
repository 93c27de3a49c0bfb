#include "purl/solve/block_ic.h"

#include "purl/base/parallel.h"
#include "purl/solve/block_jacobi.h"

#include <Eigen/LU>

#include <cstring>

namespace purl {

namespace {
// A share of its own diagonal is added to the matrix before elimination (Manteuffel's shift):
// blocks of cloth are no M-matrix, and without fill their elimination can grow without bound.
// Measured on sheets of 1,000 to 15,000 nodes: 0 blows up, 0.03 to 0.1 need the fewest iterations.
constexpr double kShift = 0.08;
// Beyond it a part is factored again with twice the shift.
constexpr double kLargestAnswer = 20;
// Of a diagonal block that elimination leaves to its pivot at least.
constexpr double kLeastShare = 0.03;

typedef float V4f __attribute__((vector_size(16)));
inline V4f load4(const float* p) {
    V4f v;
    std::memcpy(&v, p, sizeof v);
    return v;
}
inline V4f all(float s) { return V4f{s, s, s, s}; }
// B x for a block stored column by column; the fourth lane is nobody's.
inline V4f times(const float* b, const float* x) {
    return load4(b) * all(x[0]) + load4(b + 3) * all(x[1]) + load4(b + 6) * all(x[2]);
}
// B^T x, x with a fourth lane of zero.
inline V4f transposedTimes(const float* b, V4f x) {
    const V4f m0 = load4(b) * x, m1 = load4(b + 3) * x, m2 = load4(b + 6) * x;
    const V4f a01 =
        __builtin_shufflevector(m0, m1, 0, 4, 2, 6) + __builtin_shufflevector(m0, m1, 1, 5, 3, 7);
    const V4f a22 = m2 + __builtin_shufflevector(m2, m2, 1, 0, 3, 2);
    return __builtin_shufflevector(a01, a22, 0, 1, 4, 5) +
           __builtin_shufflevector(a01, a22, 2, 3, 6, 7);
}
} // namespace

BlockIncompleteCholesky::BlockIncompleteCholesky(std::shared_ptr<const BlockPattern> pattern)
    : pattern_(std::move(pattern)) {
    const BlockPattern& q = *pattern_;
    const Index n = q.size();
    first_.assign(1, 0);
    firstUpdate_.assign(1, 0);
    for (Index i = 0; i < n; ++i) {
        const Index start = q.part[q.partOf(i)];
        for (Index k = q.row[i] + 1; k < q.outer[i]; ++k) column_.push_back(q.column[k] - start);
        first_.push_back(static_cast<Index>(column_.size()));
    }
    // Which products of a row's blocks fall on blocks that are kept.
    for (Index i = 0; i < n; ++i) {
        const Index start = q.part[q.partOf(i)], base = first_[start];
        for (Index a = first_[i]; a < first_[i + 1]; ++a) {
            const Index row = start + column_[a];
            Index at = first_[row];
            for (Index b = a; b < first_[i + 1]; ++b) {
                if (b == a) {
                    update_.push_back({a - base, b - base, row - start});
                    continue;
                }
                while (at < first_[row + 1] && column_[at] < column_[b]) ++at;
                if (at < first_[row + 1] && column_[at] == column_[b])
                    update_.push_back({a - base, b - base, at - base});
            }
        }
        firstUpdate_.push_back(static_cast<Index>(update_.size()));
    }
    upper_.assign(column_.size() * 9 + 4, 0.0f);
    inverse_.assign(static_cast<std::size_t>(n) * 9 + 4, 0.0f);
}

void BlockIncompleteCholesky::factor(const BlockMatrix& a, const NodeFilter& s) {
    std::vector<Index> replaced(static_cast<std::size_t>(pattern_->parts()));
    parallelFor(pattern_->parts(), 1, [&](Index p0, Index p1) {
        for (Index p = p0; p < p1; ++p)
            for (double shift = kShift;; shift *= 2) {
                replaced[p] = factorPart(p, a, s, shift);
                if (shift > 4 || isStable(p, a)) break;
            }
    });
    replaced_ = 0;
    for (Index r : replaced) replaced_ += r;
}

// Whether the factor answers a rough vector with numbers of a sensible size: against the diagonal
// alone they are one to eight times as large on cloth, and without bound where elimination has
// failed.
bool BlockIncompleteCholesky::isStable(Index p, const BlockMatrix& a) const {
    const Index begin = pattern_->part[p], end = pattern_->part[p + 1];
    std::vector<double> r(static_cast<std::size_t>(end - begin) * 3), z(r.size());
    std::uint32_t random = 12345;
    for (std::size_t k = 0; k < r.size(); ++k) {
        random = random * 1664525u + 1013904223u;
        const double d = a.diagonal(begin + static_cast<Index>(k / 3))(k % 3, k % 3);
        r[k] = (random >> 16 & 1 ? 1 : -1) * std::sqrt(std::max(0.0, d));
    }
    const std::ptrdiff_t before = 3 * static_cast<std::ptrdiff_t>(begin); // rows of earlier parts
    solvePart(p, r.data() - before, z.data() - before);
    double sum = 0;
    for (std::size_t k = 0; k < r.size(); ++k) sum += r[k] * z[k];
    return sum <= kLargestAnswer * static_cast<double>(r.size());
}

Index BlockIncompleteCholesky::factorPart(Index p, const BlockMatrix& a, const NodeFilter& s,
                                          double shift) {
    const BlockPattern& q = *pattern_;
    const Index begin = q.part[p], end = q.part[p + 1], base = first_[begin];
    std::vector<Mat3> diagonal(static_cast<std::size_t>(end - begin));
    std::vector<Mat3> work(static_cast<std::size_t>(first_[end] - base));
    const Span<const Mat3> blocks = a.blocks();
    for (Index i = begin; i < end; ++i) {
        const bool iFree = s.isFree(i);
        diagonal[i - begin] =
            (1 + shift) * (iFree ? blocks[q.row[i]] : freeDiagonal(blocks[q.row[i]], s.at(i)));
        for (Index k = 0; k < first_[i + 1] - first_[i]; ++k) {
            const Mat3& block = blocks[q.row[i] + 1 + k];
            const Index j = begin + column_[first_[i] + k];
            Mat3& w = work[first_[i] + k - base];
            if (iFree && s.isFree(j))
                w = block;
            else
                w = s.at(i) * block * s.at(j);
        }
    }
    Index replaced = 0;
    for (Index i = begin; i < end; ++i) {
        Mat3 d = 0.5 * (diagonal[i - begin] + diagonal[i - begin].transpose());
        // Dropped fill can leave a pivot with next to nothing in some direction, which would let
        // errors grow without bound: at least a share of the block it came from is kept.
        const Mat3 whole = s.isFree(i)
                               ? Mat3(0.5 * (blocks[q.row[i]] + blocks[q.row[i]].transpose()))
                               : freeDiagonal(blocks[q.row[i]], s.at(i));
        if (!isPositive(d - kLeastShare * whole, 0)) {
            double more = kLeastShare;
            while (more < 1 && !isPositive(d + (more - kLeastShare) * whole, 0)) more *= 2;
            d = more < 1 ? Mat3(d + more * whole) : freeDiagonal(blocks[q.row[i]], s.at(i));
            ++replaced;
        }
        const Mat3 inverse = d.inverse();
        // D^-1 U in place of U at the end of the row; the updates need both.
        Mat3 scaled[64];
        const Index from = first_[i] - base, count = std::min<Index>(64, first_[i + 1] - first_[i]);
        for (Index k = 0; k < count; ++k) scaled[k].noalias() = inverse * work[from + k];
        for (Index u = firstUpdate_[i]; u < firstUpdate_[i + 1]; ++u) {
            const Update& c = update_[u];
            if (c.b - from >= count) continue; // more neighbours than any sheet has: dropped
            if (c.a == c.b)
                diagonal[c.target].noalias() -= work[c.a].transpose() * scaled[c.b - from];
            else
                work[c.target].noalias() -= work[c.a].transpose() * scaled[c.b - from];
        }
        for (Index k = 0; k < count; ++k)
            for (int e = 0; e < 9; ++e)
                upper_[static_cast<std::size_t>(first_[i] + k) * 9 + e] =
                    static_cast<float>(scaled[k].data()[e]);
        for (int e = 0; e < 9; ++e)
            inverse_[static_cast<std::size_t>(i) * 9 + e] = static_cast<float>(inverse.data()[e]);
    }
    return replaced;
}

void BlockIncompleteCholesky::apply(Span<const Vec3> r, Span<Vec3> z) const {
    if (r.empty()) return;
    parallelFor(pattern_->parts(), 1, [&](Index p0, Index p1) {
        for (Index p = p0; p < p1; ++p) solvePart(p, r[0].data(), z[0].data());
    });
}

void BlockIncompleteCholesky::solvePart(Index p, const double* r, double* z) const {
    alignas(16) float y[4 * BlockPattern::kLargestPart];
    const Index begin = pattern_->part[p], end = pattern_->part[p + 1];
    // Single precision has a narrow range: the part's largest number is taken as the unit.
    double largest = 0;
    for (std::size_t k = 3 * static_cast<std::size_t>(begin); k < 3 * static_cast<std::size_t>(end);
         ++k)
        largest = std::max(largest, std::abs(r[k]));
    if (!(largest > 0)) {
        for (std::size_t k = 3 * static_cast<std::size_t>(begin);
             k < 3 * static_cast<std::size_t>(end); ++k)
            z[k] = largest == 0 ? 0.0 : r[k]; // zero, or what is not a number
        return;
    }
    const double unit = 1 / largest;
    for (Index i = begin; i < end; ++i) {
        const double* ri = r + 3 * static_cast<std::size_t>(i);
        float* yi = y + 4 * static_cast<std::size_t>(i - begin);
        for (int c = 0; c < 3; ++c) yi[c] = static_cast<float>(unit * ri[c]);
        yi[3] = 0;
    }
    const Index* column = column_.data();
    for (Index i = begin; i < end; ++i) {
        float* yi = y + 4 * static_cast<std::size_t>(i - begin);
        const V4f v = {yi[0], yi[1], yi[2], 0};
        const float* u = upper_.data() + 9 * static_cast<std::size_t>(first_[i]);
        for (Index k = first_[i]; k < first_[i + 1]; ++k, u += 9) {
            float* yj = y + 4 * static_cast<std::size_t>(column[k]);
            const V4f w = load4(yj) - transposedTimes(u, v);
            std::memcpy(yj, &w, sizeof w);
        }
    }
    for (Index i = end - 1; i >= begin; --i) {
        float* yi = y + 4 * static_cast<std::size_t>(i - begin);
        V4f w = times(inverse_.data() + 9 * static_cast<std::size_t>(i), yi);
        const float* u = upper_.data() + 9 * static_cast<std::size_t>(first_[i]);
        for (Index k = first_[i]; k < first_[i + 1]; ++k, u += 9)
            w -= times(u, y + 4 * static_cast<std::size_t>(column[k]));
        std::memcpy(yi, &w, sizeof w);
        double* zi = z + 3 * static_cast<std::size_t>(i);
        for (int c = 0; c < 3; ++c) zi[c] = largest * static_cast<double>(w[c]);
    }
}

std::size_t BlockIncompleteCholesky::bytes() const {
    return sizeof(Index) * (first_.capacity() + column_.capacity() + firstUpdate_.capacity()) +
           sizeof(Update) * update_.capacity() +
           sizeof(float) * (upper_.capacity() + inverse_.capacity());
}

} // namespace purl
