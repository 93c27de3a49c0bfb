// The direct solver against dense factorisations, with a filter; what is not positive is told; the
// same bits at every thread count. And loose blocks against their dense twin.
#include "purl/solve/block_cholesky.h"

#include "purl/base/parallel.h"
#include "purl/solve/block_jacobi.h"
#include "purl/solve/loose_blocks.h"
#include "purl/solve/two_level.h"
#include "systems.h"

#include <gtest/gtest.h>

using namespace purl;
using namespace purl::test;

namespace {

std::shared_ptr<BlockPattern> patternOf(const SheetGraph& g) {
    const auto views = g.views();
    return std::make_shared<BlockPattern>(g.nodes, views);
}

TEST(NestedOrder, EliminatesEveryRowOnceAndFillsLittle) {
    const SheetGraph g = sheetGraph(60, 50, true);
    const auto pattern = patternOf(g);
    const NestedOrder o = nestedOrder(*pattern);
    std::vector<int> seen(static_cast<std::size_t>(g.nodes), 0);
    for (const auto& f : o.fronts)
        for (Index i : f.own) ++seen[i];
    for (int s : seen) EXPECT_EQ(s, 1);
    for (const auto& f : o.fronts)
        for (Index i : f.border)
            for (Index j : f.own) EXPECT_GT(o.rank[i], o.rank[j]);
    // Four times the sheet: n log n of a nested order is 4.7 times as much, a band 8 times.
    const auto large = patternOf(sheetGraph(120, 100));
    const double growth = static_cast<double>(BlockCholesky(large).nonZeros()) /
                          static_cast<double>(BlockCholesky(pattern).nonZeros());
    EXPECT_LT(growth, 6);
}

TEST(BlockCholesky, IsTheDenseSolve) {
    for (bool shuffled : {false, true}) {
        const SheetGraph g = sheetGraph(17, 13, shuffled);
        const auto pattern = patternOf(g);
        BlockMatrix a(pattern);
        fillSprings(a, 1e-3, 1);
        NodeFilter s(g.nodes);
        s.pin(3);
        s.holdDirection(40, {1, 2, 3});
        s.holdAllBut(77, {0, 1, -1});
        std::vector<Vec3> b = randomVector(g.nodes, 5), x(b.size());
        s.apply(b);
        BlockCholesky solver(pattern);
        ASSERT_TRUE(solver.factor(a, s));
        solver.solve(b, x);
        s.apply(x);
        const Index n = g.nodes;
        Eigen::MatrixXd S = Eigen::MatrixXd::Zero(3 * n, 3 * n);
        for (Index i = 0; i < n; ++i) S.block<3, 3>(3 * i, 3 * i) = s.at(i);
        const Eigen::MatrixXd I = Eigen::MatrixXd::Identity(3 * n, 3 * n);
        const Eigen::VectorXd y = S * (S * dense(a) * S + I - S).ldlt().solve(flat(b));
        EXPECT_LE((flat(x) - y).norm(), 1e-10 * y.norm());
    }
}

TEST(BlockCholesky, TellsWhatIsNotPositive) {
    const SheetGraph g = sheetGraph(17, 13);
    const auto pattern = patternOf(g);
    BlockMatrix a(pattern);
    fillSprings(a, 1e-3, 1);
    const NodeFilter s(g.nodes);
    BlockCholesky solver(pattern);
    const double least = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(dense(a)).eigenvalues()[0];
    for (double share : {0.99, 1.01}) { // from both sides of the edge
        BlockMatrix shifted = a;
        for (Index i = 0; i < a.size(); ++i)
            shifted.blocks()[pattern->row[i]] -= share * least * Mat3::Identity();
        EXPECT_EQ(solver.factor(shifted, s), share < 1);
    }
    EXPECT_TRUE(solver.factor(a, s)); // and is of use again
}

TEST(BlockCholesky, TheSameBitsAtEveryThreadCount) {
    const SheetGraph g = sheetGraph(40, 40);
    const auto pattern = patternOf(g);
    BlockMatrix a(pattern);
    fillSprings(a, 1e-3, 1);
    const std::vector<Vec3> b = randomVector(g.nodes, 5);
    std::vector<Vec3> first(b.size()), x(b.size());
    for (int threads : {1, 2, 3}) {
        ThreadLimit limit(threads);
        BlockCholesky solver(pattern);
        ASSERT_TRUE(solver.factor(a, NodeFilter(g.nodes)));
        solver.solve(b, threads == 1 ? first : x);
        if (threads > 1) EXPECT_TRUE(first == x);
    }
}

TEST(LooseBlocks, AreTheirDenseTwinInProductsAndInTheCoarseSystem) {
    const SheetGraph g = sheetGraph(20, 20);
    const auto pattern = patternOf(g);
    BlockMatrix a(pattern);
    fillSprings(a, 1, 1);
    LooseBlocks loose;
    Eigen::MatrixXd D = Eigen::MatrixXd::Zero(3 * g.nodes, 3 * g.nodes);
    for (Index k = 0; k < 30; ++k) { // k n n^T between rows far apart, like layers
        const Index i = 3 * k, j = g.nodes - 1 - 2 * k;
        const Vec3 n = Vec3(1, 0.1 * k, -1).normalized();
        const Mat3 b = 5 * n * n.transpose();
        loose.add(i, j, -b);
        a.blocks()[pattern->row[i]] += b;
        a.blocks()[pattern->row[j]] += b;
        D.block<3, 3>(3 * i, 3 * j) -= b;
        D.block<3, 3>(3 * j, 3 * i) -= b;
    }
    loose.finish();
    const std::vector<Vec3> x = randomVector(g.nodes, 9);
    std::vector<Vec3> y(x.size(), Vec3::Zero());
    loose.addProduct(x, y);
    EXPECT_LE((flat(y) - D * flat(x)).norm(), 1e-13 * flat(x).norm());
    TwoLevel pre(pattern);
    const NodeFilter s(g.nodes);
    pre.factor(a, s, &loose);
    EXPECT_TRUE(pre.coarseUsed());
    std::vector<Vec3> z(x.size()), w(x.size());
    const std::vector<Vec3> v = randomVector(g.nodes, 11);
    pre.apply(x, z);
    pre.apply(v, w);
    EXPECT_NEAR(flat(v).dot(flat(z)), flat(w).dot(flat(x)), 1e-5 * flat(v).norm() * flat(z).norm());
    EXPECT_GT(flat(x).dot(flat(z)), 0);
}

} // namespace
