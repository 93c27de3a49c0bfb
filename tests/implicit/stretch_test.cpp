#include "purl/implicit/stretch.h"

#include "trio.h"

#include <Eigen/Eigenvalues>

using namespace purl;

TEST(Stretch, IsATrio) {
    const StretchEdge s{3000, 1.5e-3};
    for (const Vec3& e : {Vec3(1.2e-3, 4e-4, -9e-4), Vec3(1e-3, 0, 2e-4), Vec3(-3e-3, 1e-3, 0)})
        test::checkTrio(
            e, [&](const Vec3& q) { return stretchEnergy(s, q); },
            [&](const Vec3& q) { return stretchGradient(s, q); },
            [&](const Vec3& q) { return stretchHessian(s, q); }, 1e-8);
}

TEST(Stretch, PositivePartHasNoNegativeDirection) {
    const StretchEdge s{3000, 1.5e-3};
    const Vec3 compressed(1e-3, 2e-4, 0), stretched(2e-3, 2e-4, 0);
    const Eigen::SelfAdjointEigenSolver<Mat3> a(stretchHessian(s, compressed)),
        b(stretchPositive(s, compressed));
    EXPECT_LT(a.eigenvalues()[0], -100);
    EXPECT_GT(b.eigenvalues()[0], -1e-9 * s.k);
    EXPECT_LT((stretchPositive(s, stretched) - stretchHessian(s, stretched)).norm(), 1e-9);
}
