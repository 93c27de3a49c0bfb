#include "purl/implicit/block_ldlt.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>
#include <random>

using namespace purl;

namespace {

using Rows = std::vector<std::vector<BlockLdlt::Coupling>>;

// A sheet of n x n blocks, each coupled to its neighbours, and a few folds.
Rows sheet(Index n, std::mt19937& random) {
    std::normal_distribution<double> u;
    Rows rows(n * n);
    auto couple = [&](Index p, Index q) {
        const Mat3 k = Mat3::NullaryExpr([&] { return 0.3 * u(random); });
        rows[std::min(p, q)].push_back({std::max(p, q), k});
    };
    for (Index p = 0; p < n * n; ++p) {
        Mat3 d = Mat3::NullaryExpr([&] { return 0.3 * u(random); });
        d = Mat3(d * d.transpose() + 6 * Mat3::Identity());
        rows[p].insert(rows[p].begin(), {p, d});
        if (p % n + 1 < n) couple(p, p + 1);
        if (p + n < n * n) couple(p, p + n);
        if (p % 7 == 3) couple(p, (5 * p + 11) % (n * n) == p ? 0 : (5 * p + 11) % (n * n));
    }
    return rows;
}

Eigen::MatrixXd dense(const Rows& rows) {
    const int n = 3 * static_cast<int>(rows.size());
    Eigen::MatrixXd a = Eigen::MatrixXd::Zero(n, n);
    for (Index p = 0; p < static_cast<Index>(rows.size()); ++p)
        for (const auto& c : rows[p]) {
            a.block<3, 3>(3 * p, 3 * c.q) += c.k;
            if (c.q != p) a.block<3, 3>(3 * c.q, 3 * p) += c.k.transpose();
        }
    return a;
}

} // namespace

TEST(BlockLdlt, SolvesAsADenseMatrixDoes) {
    std::mt19937 random(3);
    std::normal_distribution<double> u;
    for (Index n : {1, 2, 5, 9}) {
        Rows rows = sheet(n, random);
        BlockLdlt factor;
        factor.analyse(rows);
        for (int again = 0; again < 2; ++again) { // other numbers in the same places
            for (auto& row : rows) row.front().k.diagonal().array() += again;
            ASSERT_TRUE(factor.factor(rows, 0.25));
            std::vector<Vec3> x(n * n);
            for (Vec3& v : x) v = Vec3(u(random), u(random), u(random));
            Eigen::MatrixXd a = dense(rows);
            a.diagonal().array() += 0.25;
            const Eigen::VectorXd expected =
                a.ldlt().solve(Eigen::Map<const Eigen::VectorXd>(x[0].data(), 3 * n * n));
            factor.solve(x);
            const Eigen::Map<const Eigen::VectorXd> found(x[0].data(), 3 * n * n);
            EXPECT_LT((found - expected).norm(), 1e-12 * expected.norm());
        }
    }
}

TEST(BlockLdlt, SaysWhenAMatrixIsNotPositive) {
    std::mt19937 random(3);
    Rows rows = sheet(4, random);
    BlockLdlt factor;
    factor.analyse(rows);
    rows[9].front().k(1, 1) = -1;
    EXPECT_FALSE(factor.factor(rows, 0));
    rows[9].front().k(1, 1) = 20;
    EXPECT_TRUE(factor.factor(rows, 0)); // nothing is left of the failure
}
