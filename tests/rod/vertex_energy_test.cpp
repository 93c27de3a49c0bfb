#include "purl/rod/vertex_energy.h"

#include "purl/geometry/transport.h"
#include "trio.h"

#include <Eigen/Eigenvalues>
#include <random>

using namespace purl;

namespace {
RodVertex randomVertex(std::mt19937& rng, Vec11& q) {
    std::uniform_real_distribution<double> u(-1, 1);
    auto vec = [&] { return Vec3(u(rng), u(rng), u(rng)); };
    RodVertex r;
    q.segment<3>(0) = 0.2 * vec();
    q.segment<3>(3) = Vec3(1, 0, 0) + 0.3 * vec();
    q.segment<3>(6) = Vec3(1.8, 0.7, 0) + 0.3 * vec();
    q[9] = u(rng);
    q[10] = 2 * u(rng);
    r.tangentE = (q.segment<3>(3) - q.segment<3>(0)).normalized();
    r.tangentF = (q.segment<3>(6) - q.segment<3>(3)).normalized();
    r.directorE = (vec().cross(r.tangentE)).normalized();
    r.directorF = (vec().cross(r.tangentF)).normalized();
    const Vec3 carried = transport(r.directorE, r.tangentE, r.tangentF);
    r.refTwist = signedAngle(carried, r.directorF, r.tangentF) + 2 * M_PI * (rng() % 3);
    r.restE = Vec2(u(rng), u(rng));
    r.restF = Vec2(u(rng), u(rng));
    r.restTwist = u(rng);
    r.length = 1.9;
    r.bendStiffness = 0.7;
    r.twistStiffness = 0.4;
    return r;
}
} // namespace

TEST(VertexEnergy, TrioAgreesWithDifferences) {
    std::mt19937 rng(1);
    for (int k = 0; k < 20; ++k) {
        Vec11 q;
        const RodVertex r = randomVertex(rng, q);
        test::checkTrio(
            q, [&](const Vec11& p) { return vertexEnergy(r, p); },
            [&](const Vec11& p) { return vertexGradient(r, p); },
            [&](const Vec11& p) { return vertexHessian(r, p); }, 1e-5, false);
    }
}

TEST(VertexEnergy, GaussNewtonIsPositive) {
    std::mt19937 rng(2);
    for (int k = 0; k < 20; ++k) {
        Vec11 q;
        const RodVertex r = randomVertex(rng, q);
        const Mat11 h = vertexGaussNewton(r, q);
        Eigen::SelfAdjointEigenSolver<Mat11> s(h);
        EXPECT_GT(s.eigenvalues()[0], -1e-12 * s.eigenvalues()[10]);
    }
}
