#include "purl/mixed/ring_membrane.h"

#include "cloth/sheets.h"
#include "purl/cloth/models.h"

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>
#include <random>

namespace purl {
namespace {

ClothMaterial woven() {
    ClothMaterial m;
    m.stretchWarp = 300, m.stretchWeft = 200, m.shear = 40, m.poisson = 0;
    m.bendWarp = 2e-5, m.bendWeft = 1e-5;
    m.stretchDamping = 0;
    return m;
}

double energyOf(const ClothEnergy& e, Span<const Vec3> x) {
    std::vector<double> each(static_cast<std::size_t>(e.stencils().count()));
    EnergySlots slots;
    slots.energy = each;
    e.evaluate(0, e.stencils().count(), x, {}, slots);
    double sum = 0;
    for (double v : each) sum += v;
    return sum;
}

std::vector<Vec3> gradientOf(const ClothEnergy& e, Span<const Vec3> x) {
    const Stencils& s = e.stencils();
    std::vector<Vec3> each(s.nodes.size()), sum(x.size(), Vec3::Zero());
    EnergySlots slots;
    slots.gradient = each;
    e.evaluate(0, s.count(), x, {}, slots);
    for (std::size_t k = 0; k < each.size(); ++k) sum[s.nodes[k]] += each[k];
    return sum;
}

// The sheet scaled along both axes, then shaken by `noise` (m).
test::Sheet scaled(double warp, double weft, double noise) {
    test::Sheet s = test::grid(3, 3, 0.02, 0.02, false, 0);
    std::mt19937 random(5);
    std::uniform_real_distribution<double> u(-1, 1);
    for (Vec3& p : s.x) {
        p = Vec3(warp * p.x(), weft * p.y(), weft * p.z());
        p += noise * Vec3(u(random), u(random), u(random));
    }
    return s;
}

TEST(RingMembrane, TrioAgreesWithDifferences) {
    for (const auto& [warp, weft] : {std::pair{1.1, 1.05}, std::pair{0.9, 1.1}, std::pair{0.8, 0.8},
                                     std::pair{0.5, 0.6}}) { // drawn, one, both, packed
        test::Sheet s = scaled(warp, weft, 5e-4);
        const std::unique_ptr<ClothEnergy> e = makeRingMembrane(s.mesh, woven());
        const std::vector<Vec3> g = gradientOf(*e, s.x);
        const double h = 1e-8;
        double size = 0;
        for (const Vec3& v : g) size = std::max(size, v.norm());
        for (std::size_t i = 0; i < s.x.size(); ++i)
            for (int c = 0; c < 3; ++c) {
                std::vector<Vec3> a = s.x, b = s.x;
                a[i][c] += h, b[i][c] -= h;
                EXPECT_NEAR(g[i][c], (energyOf(*e, a) - energyOf(*e, b)) / (2 * h), 1e-5 * size);
            }
        // One triangle's Hessian; its positive form is positive.
        const Stencils& st = e->stencils();
        std::vector<Mat3> exact(9 * static_cast<std::size_t>(st.count())), positive(exact.size());
        e->exactHessian(0, st.count(), s.x, exact);
        EnergySlots slots;
        slots.hessian = positive;
        e->evaluate(0, st.count(), s.x, {}, slots);
        for (Index t = 0; t < st.count(); ++t) {
            Eigen::Matrix<double, 9, 9> m, p;
            for (int k = 0; k < 3; ++k)
                for (int l = 0; l < 3; ++l) {
                    m.block<3, 3>(3 * k, 3 * l) = exact[9 * t + 3 * k + l];
                    p.block<3, 3>(3 * k, 3 * l) = positive[9 * t + 3 * k + l];
                }
            for (int k = 0; k < 9; ++k) {
                const auto move = [&](double by) {
                    std::vector<Vec3> x = s.x;
                    x[st.nodes[3 * t + k / 3]][k % 3] += by;
                    std::vector<Vec3> each(st.nodes.size());
                    EnergySlots only;
                    only.gradient = each;
                    e->evaluate(t, t + 1, x, {}, only);
                    Eigen::Matrix<double, 9, 1> out;
                    for (int c = 0; c < 3; ++c) out.segment<3>(3 * c) = each[3 * t + c];
                    return out;
                };
                EXPECT_LT((m.col(k) - (move(h) - move(-h)) / (2 * h)).norm(), 1e-4 * m.norm());
            }
            const double least =
                Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 9, 9>>(p).eigenvalues()[0];
            EXPECT_GT(least, -1e-9 * p.norm());
        }
    }
}

TEST(RingMembrane, DrawnAndShearedItIsStVK) {
    const test::Sheet s = scaled(1.1, 1.05, 2e-4);
    const double ours = energyOf(*makeRingMembrane(s.mesh, woven()), s.x),
                 theirs = energyOf(*makeInPlane(InPlaneModel::StVK, s.mesh, woven()), s.x);
    EXPECT_NEAR(ours / theirs, 1, 1e-9);
}

TEST(RingMembrane, CompressedItHoldsEulersLoad) {
    const double side = 0.02, strain = 0.1;
    const test::Sheet flat = scaled(1, 1, 0), pressed = scaled(1 - strain, 1, 0);
    const ClothMaterial m = woven();
    // Legs of a cell: a third of the side. Green's strain.
    const double leg = side / 3, load = 9.869604401 * m.bendWarp / (leg * leg),
                 e = 0.5 * (1 - (1 - strain) * (1 - strain));
    const double each = load * e - 0.5 * load * load / m.stretchWarp;
    EXPECT_NEAR(energyOf(*makeRingMembrane(pressed.mesh, m), pressed.x) / (each * side * side), 1,
                1e-6);
    EXPECT_NEAR(energyOf(*makeRingMembrane(flat.mesh, m), flat.x), 0, 1e-15);
}

} // namespace
} // namespace purl
