#include "purl/base/tridiagonal.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>
#include <random>

using namespace purl;

TEST(Tridiagonal, OpenAndCyclicAgreeWithDense) {
    std::mt19937 rng(3);
    std::uniform_real_distribution<double> u(-1, 1);
    for (bool cyclic : {false, true})
        for (int n : {3, 4, 17, 200}) {
            Eigen::MatrixXd a = Eigen::MatrixXd::Zero(n, n);
            std::vector<double> diag(n), off(n), rhs(n), work(n);
            for (int i = 0; i < n; ++i) {
                diag[i] = a(i, i) = 2.5 + u(rng);
                off[i] = u(rng);
                rhs[i] = u(rng);
                if (i > 0) a(i, i - 1) = a(i - 1, i) = off[i];
            }
            if (cyclic) {
                a(0, n - 1) += off[0];
                a(n - 1, 0) += off[0];
            } else {
                off[0] = 0;
            }
            const Eigen::VectorXd x = a.fullPivLu().solve(Eigen::Map<Eigen::VectorXd>(rhs.data(), n));
            solveCyclic(n, diag.data(), off.data(), rhs.data(), work.data());
            for (int i = 0; i < n; ++i) EXPECT_NEAR(rhs[i], x[i], 1e-10);
        }
}
