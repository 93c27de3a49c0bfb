// The banded factorisation in lanes against dense solves of the same pieces.
#include "purl/implicit/band_solver.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <random>

using namespace purl;

namespace {

struct System {
    Curves curves;
    Layout layout;
    SlotBand band;
    Eigen::MatrixXd dense;

    // Sums of squares of random combinations of four nodes in a row, and a mass: as contact is.
    explicit System(const std::vector<int>& sizes) {
        for (int n : sizes) {
            std::vector<Vec3> p;
            for (int i = 0; i < n; ++i) p.push_back(Vec3(i, 0, 0));
            curves.add(p, false, 0.1);
        }
        layout = Layout(curves);
        band.reset(layout.slots());
        dense = Eigen::MatrixXd::Zero(3 * curves.points(), 3 * curves.points());
        std::mt19937 random(5);
        std::normal_distribution<double> u;
        for (Index y = 0; y < curves.yarns(); ++y)
            for (Index i = curves.first[y]; i < curves.first[y + 1]; ++i) {
                dense.diagonal().segment<3>(3 * i).array() += 0.1;
                const Index n = std::min<Index>(4, curves.first[y + 1] - i);
                for (int square = 0; square < 4; ++square) {
                    Eigen::VectorXd g(3 * n);
                    for (double& v : g) v = 3 * u(random);
                    dense.block(3 * i, 3 * i, 3 * n, 3 * n) += g * g.transpose();
                }
            }
        for (Index y = 0; y < curves.yarns(); ++y)
            for (Index i = curves.first[y]; i < curves.first[y + 1]; ++i)
                for (int k = 0; k <= 3 && i + k < curves.first[y + 1]; ++k) {
                    const Mat3 b = dense.block<3, 3>(3 * i, 3 * (i + k));
                    float* row = band.row(layout.slotOf[i]);
                    for (int m = 0; m < 9; ++m)
                        if (k > 0) row[SlotBand::off(k) + m] = static_cast<float>(b(m / 3, m % 3));
                    if (k > 0) continue;
                    for (int a = 0, at = 0; a < 3; ++a)
                        for (int c = a; c < 3; ++c, ++at) row[at] = static_cast<float>(b(a, c));
                }
    }
    // Drops what couples rows that are not in the same part; fixed rows become the identity.
    Eigen::MatrixXd cut(const std::vector<int>& part, const std::vector<std::uint8_t>& fixed) {
        Eigen::MatrixXd d = dense;
        for (Index i = 0; i < curves.points(); ++i)
            for (Index j = 0; j < curves.points(); ++j)
                if (part[i] != part[j] || fixed[i] || fixed[j])
                    d.block<3, 3>(3 * i, 3 * j) =
                        i == j && fixed[i] ? Mat3(Mat3::Identity()) : Mat3(Mat3::Zero());
        return d;
    }
    double error(const BandSolver& solver, const Eigen::MatrixXd& expected) const {
        std::mt19937 random(9);
        std::normal_distribution<double> u;
        std::vector<Vec3> r(curves.points()), z(curves.points());
        for (Vec3& v : r) v = Vec3(u(random), u(random), u(random));
        solver.apply(r, z);
        const Eigen::Map<const Eigen::VectorXd> rhs(r[0].data(), expected.rows());
        const Eigen::VectorXd answer = expected.ldlt().solve(rhs);
        const Eigen::Map<const Eigen::VectorXd> found(z[0].data(), expected.rows());
        return (found - answer).norm() / answer.norm();
    }
};

} // namespace

TEST(BandSolver, SolvesYarnsOfUnequalLengthExactly) {
    System s({7, 2, 33, 12, 12, 5, 1, 20, 9, 4, 3});
    std::vector<int> part(s.curves.points());
    for (Index y = 0; y < s.curves.yarns(); ++y)
        for (Index i = s.curves.first[y]; i < s.curves.first[y + 1]; ++i) part[i] = y;
    BandSolver solver(s.curves, s.layout);
    std::vector<std::uint8_t> fixed(s.curves.points(), 0);
    solver.factor(s.band, fixed);
    EXPECT_EQ(solver.pieces(), 11);
    EXPECT_LT(s.error(solver, s.cut(part, fixed)), 2e-4);
    for (Index i : {0, 8, 20, 21, 60}) fixed[i] = 1;
    solver.factor(s.band, fixed);
    EXPECT_LT(s.error(solver, s.cut(part, fixed)), 2e-4);
}

TEST(BandSolver, LongYarnsAreCutAndTheBaselineIsTheDiagonal) {
    System s({64, 10});
    const std::vector<std::uint8_t> fixed(s.curves.points(), 0);
    std::vector<int> part(s.curves.points(), 4);
    for (Index i = 0; i < 64; ++i) part[i] = i / 16;
    BandSolver solver(s.curves, s.layout, 20);
    solver.factor(s.band, fixed);
    EXPECT_EQ(solver.pieces(), 5);
    EXPECT_LT(s.error(solver, s.cut(part, fixed)), 2e-4);
    for (std::size_t i = 0; i < part.size(); ++i) part[i] = static_cast<int>(i);
    solver.factor(s.band, fixed, false);
    EXPECT_LT(s.error(solver, s.cut(part, fixed)), 2e-4);
}
