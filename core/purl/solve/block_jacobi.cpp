#include "purl/solve/block_jacobi.h"

#include "purl/base/parallel.h"

#include <Eigen/LU>

namespace purl {

bool isPositive(const Mat3& a, double share) {
    const double floor = share * a.trace();
    const double d0 = a(0, 0);
    if (!(d0 > floor)) return false;
    const double l1 = a(1, 0) / d0, l2 = a(2, 0) / d0;
    const double d1 = a(1, 1) - l1 * a(1, 0);
    if (!(d1 > floor)) return false;
    const double m = (a(2, 1) - l2 * a(1, 0)) / d1;
    return a(2, 2) - l2 * a(2, 0) - m * m * d1 > floor;
}

Mat3 freeDiagonal(const Mat3& a, const Mat3& s) {
    const double sigma = a.trace() / 3;
    Mat3 d = s * a * s + (sigma > 0 ? sigma : 1.0) * (Mat3::Identity() - s);
    if (isPositive(d)) return d;
    Vec3 diagonal = a.diagonal().cwiseAbs();
    const double least = diagonal.maxCoeff();
    for (int k = 0; k < 3; ++k)
        if (!(diagonal[k] > 1e-10 * least)) diagonal[k] = least > 0 ? least : 1.0;
    return diagonal.asDiagonal();
}

void BlockJacobi::factor(const BlockMatrix& a, const NodeFilter& s) {
    inverse_.resize(static_cast<std::size_t>(a.size()));
    parallelFor(a.size(), 512, [&](Index i0, Index i1) {
        for (Index i = i0; i < i1; ++i)
            inverse_[i] = freeDiagonal(a.diagonal(i), s.at(i)).inverse();
    });
}

void BlockJacobi::apply(Span<const Vec3> r, Span<Vec3> z) const {
    parallelFor(static_cast<Index>(inverse_.size()), 2048, [&](Index i0, Index i1) {
        for (Index i = i0; i < i1; ++i) z[i] = inverse_[i] * r[i];
    });
}

} // namespace purl
