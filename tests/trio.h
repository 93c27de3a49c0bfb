// One test for every energy: gradient and Hessian against central differences (oracle 27).
#pragma once

#include <Eigen/Core>
#include <gtest/gtest.h>

namespace purl::test {

template <class Q, class E, class G, class H>
void checkTrio(const Q& q, E&& energy, G&& gradient, H&& hessian, double step,
               bool holonomic = true, double gradientTolerance = 1e-6,
               double hessianTolerance = 1e-5) {
    const auto g = gradient(q);
    const auto h = hessian(q);
    const int n = static_cast<int>(q.size());
    Eigen::VectorXd gd(n);
    Eigen::MatrixXd hd(n, n);
    for (int i = 0; i < n; ++i) {
        Q a = q, b = q;
        a[i] -= step;
        b[i] += step;
        gd[i] = (energy(b) - energy(a)) / (2 * step);
        hd.col(i) = (gradient(b) - gradient(a)) / (2 * step);
    }
    // Frames carried in time make the gradient path-dependent at first order: its differences then
    // have an antisymmetric part (holonomy), and the Hessian is the symmetric one.
    if (!holonomic) hd = 0.5 * (hd + hd.transpose().eval());
    // Where a derivative is nothing at all its difference is rounding.
    const double rounding = 1e-14 * g.norm() / step;
    EXPECT_LE((gd - g).norm(), gradientTolerance * g.norm());
    EXPECT_LE((hd - h).norm(), hessianTolerance * h.norm() + rounding);
    EXPECT_LE((h - h.transpose()).norm(), 1e-12 * h.norm());
}

} // namespace purl::test
