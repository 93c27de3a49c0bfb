#include "purl/solve/block_matrix.h"

#include "purl/base/parallel.h"
#include "purl/base/simd.h"

namespace purl {

namespace {
inline V4d load4(const double* p) {
    V4d v;
    std::memcpy(&v, p, sizeof v);
    return v;
}
inline V4d all(double s) { return V4d{s, s, s, s}; }
} // namespace

BlockMatrix::BlockMatrix(std::shared_ptr<const BlockPattern> pattern)
    : pattern_(std::move(pattern)),
      block_(static_cast<std::size_t>(pattern_->blocks()) + 1, Mat3::Zero()) {}

void BlockMatrix::apply(Span<const Vec3> x, Span<Vec3> y) const {
    if (size() == 0) return;
    parallelFor(pattern_->parts(), 1, [&](Index p0, Index p1) {
        for (Index p = p0; p < p1; ++p) applyPart(p, x[0].data(), y[0].data());
    });
}

// A column of a block is read as four numbers, the fourth being the next column's or block's: it
// only ever reaches the fourth lane of the sums, which nobody reads. One pass over the upper
// triangle serves both y_i += A_ij x_j and y_j += A_ij^T x_i.
void BlockMatrix::applyPart(Index p, const double* x, double* y) const {
    alignas(32) double sum[4 * BlockPattern::kLargestPart];
    const Index first = pattern_->part[p], last = pattern_->part[p + 1];
    const Index *row = pattern_->row.data(), *outer = pattern_->outer.data(),
                *column = pattern_->column.data();
    std::memset(sum, 0, static_cast<std::size_t>(last - first) * 4 * sizeof(double));
    const double* blocks = block_[0].data();
    for (Index i = first; i < last; ++i) {
        const double* xi = x + 3 * static_cast<std::size_t>(i);
        const V4d xi4 = {xi[0], xi[1], xi[2], 0};
        double* si = sum + 4 * static_cast<std::size_t>(i - first);
        const double* b = blocks + 9 * static_cast<std::size_t>(row[i]);
        V4d yi = load4(si);
        V4d y0 = load4(b) * all(xi[0]), y1 = load4(b + 3) * all(xi[1]),
            y2 = load4(b + 6) * all(xi[2]);
        Index k = row[i] + 1;
        for (b += 9; k < outer[i]; ++k, b += 9) {
            const Index j = column[k];
            const double* xj = x + 3 * static_cast<std::size_t>(j);
            const V4d c0 = load4(b), c1 = load4(b + 3), c2 = load4(b + 6);
            y0 += c0 * all(xj[0]);
            y1 += c1 * all(xj[1]);
            y2 += c2 * all(xj[2]);
            // The three sums over rows at once: transpose the products, then add.
            const V4d m0 = c0 * xi4, m1 = c1 * xi4, m2 = c2 * xi4;
            const V4d a01 = __builtin_shufflevector(m0, m1, 0, 4, 2, 6) +
                            __builtin_shufflevector(m0, m1, 1, 5, 3, 7); // 0+1 of 0,1; 2+3 of 0,1
            const V4d a22 = m2 + __builtin_shufflevector(m2, m2, 1, 0, 3, 2);
            const V4d low = __builtin_shufflevector(a01, a22, 0, 1, 4, 5);
            const V4d high = __builtin_shufflevector(a01, a22, 2, 3, 6, 7);
            double* sj = sum + 4 * static_cast<std::size_t>(j - first);
            const V4d yj = load4(sj) + (low + high);
            std::memcpy(sj, &yj, sizeof yj);
        }
        for (; k < row[i + 1]; ++k, b += 9) {
            const double* xj = x + 3 * static_cast<std::size_t>(column[k]);
            y0 += load4(b) * all(xj[0]);
            y1 += load4(b + 3) * all(xj[1]);
            y2 += load4(b + 6) * all(xj[2]);
        }
        yi += (y0 + y1) + y2;
        double* yo = y + 3 * static_cast<std::size_t>(i);
        // Later rows never add to an earlier one, so row i is complete here.
        yo[0] = yi[0], yo[1] = yi[1], yo[2] = yi[2];
    }
}

} // namespace purl
