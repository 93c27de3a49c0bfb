// Row 25 of physics 9: MPCG against dense solves, the filter exact, the outcome told; row 30.
#include "purl/solve/mpcg.h"

#include "purl/base/error.h"
#include "purl/base/parallel.h"
#include "purl/solve/block_ic.h"
#include "purl/solve/block_jacobi.h"
#include "purl/solve/two_level.h"
#include "systems.h"

#include <gtest/gtest.h>
#include <limits>

using namespace purl;
using namespace purl::test;

namespace {

std::shared_ptr<BlockPattern> patternOf(const SheetGraph& g) {
    const auto views = g.views();
    return std::make_shared<BlockPattern>(g.nodes, views);
}

// Pins, planes, lines and two contact directions, spread over the sheet.
NodeFilter mixedFilter(Index n) {
    NodeFilter s(n);
    s.pin(0);
    s.pin(n - 1);
    s.holdDirection(n / 2, {1, 2, 3});
    s.holdAllBut(n / 3, {0, 1, -1});
    s.holdDirection(n / 4, {0, 0, 1});
    s.holdDirection(n / 4, {1, 0, 1}); // not at right angles to the first
    return s;
}

// The answer of S(Ax - b) = 0, (I - S)x = (I - S)z by a dense factorisation of SAS + I - S.
Eigen::VectorXd denseAnswer(const BlockMatrix& a, const NodeFilter& s, const std::vector<Vec3>& b,
                            const std::vector<Vec3>& z) {
    const Index n = a.size();
    const Eigen::MatrixXd A = dense(a);
    Eigen::MatrixXd S = Eigen::MatrixXd::Zero(3 * n, 3 * n);
    for (Index i = 0; i < n; ++i) S.block<3, 3>(3 * i, 3 * i) = s.at(i);
    const Eigen::MatrixXd I = Eigen::MatrixXd::Identity(3 * n, 3 * n);
    const Eigen::VectorXd held = (I - S) * flat(z);
    const Eigen::VectorXd free = (S * A * S + I - S).ldlt().solve(S * (flat(b) - A * held));
    return S * free + held;
}

class Preconditioned : public testing::TestWithParam<const char*> {
protected:
    std::unique_ptr<Preconditioner> make(const BlockMatrix& a, const NodeFilter& s,
                                         std::shared_ptr<BlockPattern> pattern) {
        if (std::string(GetParam()) == "jacobi") {
            auto p = std::make_unique<BlockJacobi>();
            p->factor(a, s);
            return p;
        }
        if (std::string(GetParam()) == "two_level") {
            auto p = std::make_unique<TwoLevel>(pattern);
            p->factor(a, s);
            EXPECT_TRUE(p->coarseUsed());
            return p;
        }
        auto p = std::make_unique<BlockIncompleteCholesky>(pattern);
        p->factor(a, s);
        EXPECT_EQ(p->replacedPivots(), 0);
        return p;
    }
};

TEST_P(Preconditioned, agreesWithADenseSolve) {
    for (bool shuffled : {false, true}) {
        const auto pattern = patternOf(sheetGraph(17, 13, shuffled));
        ASSERT_GT(pattern->parts(), 1);
        BlockMatrix a(pattern);
        fillSprings(a, 1, 300);
        const NodeFilter s = mixedFilter(a.size());
        const auto b = randomVector(a.size(), 1), z = randomVector(a.size(), 2);
        const auto p = make(a, s, pattern);
        SolveSettings settings;
        settings.tolerance = 1e-10;
        std::vector<Vec3> x(a.size(), Vec3::Zero()), y = randomVector(a.size(), 5);
        Mpcg solver;
        const SolveReport cold = solver.solve(a, *p, s, b, z, x, settings);
        const SolveReport guessed = solver.solve(a, *p, s, b, z, y, settings);
        const Eigen::VectorXd d = denseAnswer(a, s, b, z);
        EXPECT_TRUE(cold.good()) << name(cold.outcome);
        EXPECT_TRUE(guessed.good());
        EXPECT_GT(cold.iterations, 3);
        EXPECT_LE((flat(x) - d).norm(), 1e-8 * d.norm());
        EXPECT_LE((flat(y) - d).norm(), 1e-8 * d.norm());
        // The filter is exact, not to the tolerance of the solve.
        EXPECT_EQ(x[0], z[0]);
        const Index m = a.size() / 2;
        const Vec3 n = Vec3(1, 2, 3).normalized();
        EXPECT_NEAR(x[m].dot(n), z[m].dot(n), 1e-14);
    }
}

TEST_P(Preconditioned, sameBitsAtEveryThreadCount) {
    const auto pattern = patternOf(sheetGraph(90, 90));
    BlockMatrix a(pattern);
    fillSprings(a, 1, 1e4);
    const NodeFilter s = mixedFilter(a.size());
    const auto b = randomVector(a.size(), 1), z = randomVector(a.size(), 2);
    std::vector<std::vector<Vec3>> answers;
    for (int threads : {1, 2, 3, 7}) {
        ThreadLimit limit(threads);
        const auto p = make(a, s, pattern);
        std::vector<Vec3> x(a.size(), Vec3::Zero());
        Mpcg().solve(a, *p, s, b, z, x);
        answers.push_back(x);
    }
    for (const auto& x : answers) EXPECT_TRUE(x == answers[0]);
}

INSTANTIATE_TEST_SUITE_P(All, Preconditioned, testing::Values("jacobi", "cholesky", "two_level"));

TEST(Mpcg, incompleteCholeskyNeedsFarFewerIterations) {
    const auto pattern = patternOf(sheetGraph(60, 60));
    BlockMatrix a(pattern);
    fillSprings(a, 1, 1e4);
    NodeFilter s(a.size());
    const auto b = randomVector(a.size(), 1);
    std::vector<Vec3> x(a.size(), Vec3::Zero()), y = x;
    BlockJacobi jacobi;
    jacobi.factor(a, s);
    BlockIncompleteCholesky cholesky(pattern);
    cholesky.factor(a, s);
    Mpcg solver;
    const int slow = solver.solve(a, jacobi, s, b, {}, x).iterations;
    const int fast = solver.solve(a, cholesky, s, b, {}, y).iterations;
    EXPECT_LT(2 * fast, slow) << fast << " against " << slow;
}

// A smooth push on a stiff sheet: iterations of neighbours alone grow with the side, those with a
// coarse system do not.
TEST(Mpcg, iterationsHardlyGrowWithTheSheet) {
    int with[2], without[2], k = 0;
    for (Index side : {30, 90}) {
        const auto pattern = patternOf(sheetGraph(side, side));
        BlockMatrix a(pattern);
        fillSprings(a, 1, 1e6);
        NodeFilter s(a.size());
        s.pin(pattern->position[0]);
        const std::vector<Vec3> b(a.size(), Vec3(1, 2, 3));
        std::vector<Vec3> x(a.size(), Vec3::Zero()), y = x;
        BlockIncompleteCholesky cholesky(pattern);
        cholesky.factor(a, s);
        TwoLevel two(pattern);
        two.factor(a, s);
        SolveSettings settings;
        settings.tolerance = 1e-6;
        Mpcg solver;
        without[k] = solver.solve(a, cholesky, s, b, {}, x, settings).iterations;
        with[k++] = solver.solve(a, two, s, b, {}, y, settings).iterations;
    }
    EXPECT_LT(2 * with[1], without[1]) << with[1] << " against " << without[1];
    EXPECT_LT(with[1], 1.5 * with[0]) << with[0] << " then " << with[1];
}

TEST(Mpcg, multipliesLikeTheDenseMatrix) {
    const auto pattern = patternOf(sheetGraph(23, 19, true));
    BlockMatrix a(pattern);
    fillSprings(a, 1, 5);
    const auto x = randomVector(a.size(), 4);
    std::vector<Vec3> y(a.size());
    a.apply(x, y);
    const Eigen::VectorXd d = dense(a) * flat(x);
    EXPECT_LE((flat(y) - d).norm(), 1e-14 * d.norm());
}

TEST(Mpcg, tellsWhatHappened) {
    const auto pattern = patternOf(sheetGraph(12, 12));
    BlockMatrix a(pattern);
    fillSprings(a, 1, 1e6);
    NodeFilter s(a.size());
    auto b = randomVector(a.size(), 1);
    std::vector<Vec3> x(a.size(), Vec3::Zero());
    BlockJacobi p;
    p.factor(a, s);
    Mpcg solver;
    SolveSettings settings;
    settings.tolerance = 1e-12;
    settings.maxIterations = 5;
    EXPECT_EQ(solver.solve(a, p, s, b, {}, x, settings).outcome, SolveOutcome::Stalled);
    settings.maxIterations = 5000;
    const Index broken = a.pattern().row[40];
    a.blocks()[broken] -= 1e9 * Mat3::Identity();
    std::fill(x.begin(), x.end(), Vec3::Zero());
    EXPECT_EQ(solver.solve(a, p, s, b, {}, x, settings).outcome, SolveOutcome::Indefinite);
    b[3].x() = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(solver.solve(a, p, s, b, {}, x, settings).outcome, SolveOutcome::NotFinite);
    std::fill(b.begin(), b.end(), Vec3::Zero());
    std::fill(x.begin(), x.end(), Vec3::Zero());
    const SolveReport nothing = solver.solve(a, p, s, b, {}, x, settings);
    EXPECT_TRUE(nothing.good());
    EXPECT_EQ(nothing.iterations, 0);
    x.resize(3);
    EXPECT_THROW(solver.solve(a, p, s, b, {}, x, settings), Error);
}

TEST(Filter, projectorsStayProjectors) {
    NodeFilter s = mixedFilter(40);
    for (Index i = 0; i < 40; ++i) {
        const Mat3 m = s.at(i);
        EXPECT_LE((m * m - m).norm(), 1e-14);
        EXPECT_LE((m - m.transpose()).norm(), 1e-15);
    }
    EXPECT_NEAR(s.at(20).trace(), 2, 1e-14);
    EXPECT_NEAR(s.at(13).trace(), 1, 1e-14);
    EXPECT_NEAR(s.at(10).trace(), 1, 1e-14);
    EXPECT_EQ(s.at(0), Mat3::Zero());
    EXPECT_EQ(s.constrained(), 5);
    s.holdDirection(10, {0, 1, 0});
    EXPECT_LE(s.at(10).norm(), 1e-14);
    s.holdAllBut(20, {3, 0, 0}); // leaves the plane it was held to
    EXPECT_LE(s.at(20).norm(), 1e-14);
}

} // namespace
