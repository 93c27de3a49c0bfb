// Every cloth model through the same gates (oracles 24, 27): gradient and Hessian against
// differences, a positive Hessian, no net force or torque, rigid modes, damping that dissipates and
// lets rigid motions be.
#include "purl/cloth/models.h"

#include "cloth/sheets.h"
#include "purl/base/error.h"
#include "trio.h"

#include <Eigen/Dense>

using namespace purl;
using namespace purl::test;

namespace {

struct Case {
    std::string label;
    std::unique_ptr<ClothEnergy> (*make)(const ClothMesh&);
    bool restAngles = true;
};

ClothMaterial uneven() {
    ClothMaterial m;
    m.stretchWarp = 120, m.stretchWeft = 80, m.shear = 30, m.poisson = 0.3;
    m.bendWarp = 2e-2, m.bendWeft = 1e-2;
    m.stretchDamping = 0.02, m.bendDamping = 0.03;
    return m;
}

template <InPlaneModel M>
std::unique_ptr<ClothEnergy> plane(const ClothMesh& mesh) {
    return makeInPlane(M, mesh, uneven());
}
template <BendingModel M>
std::unique_ptr<ClothEnergy> bend(const ClothMesh& mesh) {
    return makeBending(M, mesh, uneven());
}

std::unique_ptr<ClothEnergy> bucklingInPlane(const ClothMesh& mesh) {
    ClothMaterial m = uneven();
    m.compression = Compression::Buckling;
    return makeInPlane(InPlaneModel::Springs, mesh, m);
}

const std::vector<Case>& cases() {
    static const std::vector<Case> all = {
        {"stvk", plane<InPlaneModel::StVK>},
        {"baraff_witkin", plane<InPlaneModel::BaraffWitkin>},
        {"corotated", plane<InPlaneModel::Corotated>},
        {"springs", plane<InPlaneModel::Springs>},
        {"buckling_springs", bucklingInPlane},
        {"discrete_shells", bend<BendingModel::DiscreteShells>},
        {"dihedral_bend", bend<BendingModel::BaraffWitkin>},
        {"bridson", bend<BendingModel::Bridson>},
        {"quadratic", bend<BendingModel::Quadratic>, false},
        {"linear", bend<BendingModel::Linear>, false},
        {"loop", bend<BendingModel::Loop>},
        {"flexion_springs", bend<BendingModel::Springs>},
        {"choi_ko", bend<BendingModel::ChoiKo>},
    };
    return all;
}

class EveryModel : public testing::TestWithParam<int> {
protected:
    const Case& which() const { return cases()[static_cast<std::size_t>(GetParam())]; }
    // A small crooked sheet of 1 m, so that differences are well scaled.
    Sheet sheet(double away) const {
        Sheet s = grid(3, 3, 1, 1, false, 0.12);
        if (which().restAngles)
            for (std::size_t h = 0; h < s.mesh.hinges.size(); ++h)
                s.mesh.restAngle[h] = 0.3 * std::sin(3.0 * static_cast<double>(h));
        shake(s.x, away);
        return s;
    }
};

std::vector<Vec3> points(const Eigen::VectorXd& q) {
    std::vector<Vec3> x(static_cast<std::size_t>(q.size()) / 3);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = q.segment<3>(static_cast<Index>(3 * i));
    return x;
}
Eigen::VectorXd flat(const std::vector<Vec3>& x) {
    Eigen::VectorXd q(3 * static_cast<Index>(x.size()));
    for (std::size_t i = 0; i < x.size(); ++i) q.segment<3>(static_cast<Index>(3 * i)) = x[i];
    return q;
}

TEST_P(EveryModel, PassesTheTrioTest) {
    for (const double away : {0.02, 0.12}) {
        SCOPED_TRACE(away);
        const Sheet s = sheet(away);
        const auto e = which().make(s.mesh);
        const auto energy = [&](const Eigen::VectorXd& q) { return energyOf(*e, points(q)); };
        const auto gradient = [&](const Eigen::VectorXd& q) {
            return gathered(*e, evaluate(*e, points(q)).gradient, s.mesh.points);
        };
        const auto hessian = [&](const Eigen::VectorXd& q) {
            std::vector<Mat3> h(
                static_cast<std::size_t>(e->stencils().count()) *
                static_cast<std::size_t>(e->stencils().width * e->stencils().width));
            e->exactHessian(0, e->stencils().count(), points(q), h);
            return gathered(*e, h, s.mesh.points);
        };
        checkTrio(flat(s.x), energy, gradient, hessian, 1e-6);
    }
}

TEST_P(EveryModel, GivesAPositiveHessian) {
    for (const double away : {0.0, 0.05, 0.3}) {
        SCOPED_TRACE(away);
        const Sheet s = sheet(away);
        const auto e = which().make(s.mesh);
        const Slots slots = evaluate(*e, s.x);
        const int w = e->stencils().width;
        Eigen::MatrixXd h(3 * w, 3 * w), d(3 * w, 3 * w);
        double largest = 0;
        for (Index k = 0; k < e->stencils().count(); ++k) {
            for (int i = 0; i < w; ++i)
                for (int j = 0; j < w; ++j) {
                    const auto at = static_cast<std::size_t>((k * w + i) * w + j);
                    h.block<3, 3>(3 * i, 3 * j) = slots.hessian[at];
                    d.block<3, 3>(3 * i, 3 * j) = slots.damping[at];
                }
            for (const auto& m : {h, d}) {
                EXPECT_LE((m - m.transpose()).norm(), 1e-12 * m.norm());
                const auto values =
                    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(m, Eigen::EigenvaluesOnly)
                        .eigenvalues();
                EXPECT_GE(values.minCoeff(), -1e-10 * std::max(1e-9, values.maxCoeff()));
                largest = std::max(largest, values.maxCoeff());
            }
        }
        EXPECT_GT(largest, 0);
    }
}

// Near the rest shape the positive Hessian is the true one: Newton's method converges as it should.
TEST_P(EveryModel, IsExactAtRest) {
    Sheet s = grid(3, 3, 1, 1, false, 0.12);
    const auto e = which().make(s.mesh);
    const Slots slots = evaluate(*e, s.x);
    std::vector<Mat3> exact(slots.hessian.size());
    e->exactHessian(0, e->stencils().count(), s.x, exact);
    const Eigen::MatrixXd a = gathered(*e, slots.hessian, s.mesh.points);
    const Eigen::MatrixXd b = gathered(*e, exact, s.mesh.points);
    EXPECT_LE((a - b).norm(), 1e-9 * b.norm());
    EXPECT_LE(gathered(*e, slots.gradient, s.mesh.points).norm(), 1e-12 * b.norm());
}

TEST_P(EveryModel, MakesNoNetForceOrTorque) {
    const Sheet s = sheet(0.15);
    const auto e = which().make(s.mesh);
    std::vector<Vec3> v = s.x;
    shake(v, 1.0, 11);
    for (const bool moving : {false, true}) {
        const Slots slots = evaluate(*e, s.x, moving ? Span<const Vec3>(v) : Span<const Vec3>());
        const int w = e->stencils().width;
        double size = 0;
        for (const Vec3& g : slots.gradient) size = std::max(size, g.norm());
        ASSERT_GT(size, 0);
        for (Index k = 0; k < e->stencils().count(); ++k) {
            Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
            for (int i = 0; i < w; ++i) {
                const Vec3& g = slots.gradient[static_cast<std::size_t>(k * w + i)];
                force += g;
                torque += s.x[e->stencils().nodes[k * w + i]].cross(g);
            }
            EXPECT_LE(force.norm(), 1e-12 * size);
            EXPECT_LE(torque.norm(), 1e-12 * size);
        }
    }
}

TEST_P(EveryModel, IsBlindToRigidMotion) {
    Sheet s = sheet(0.1);
    const auto e = which().make(s.mesh);
    const double before = energyOf(*e, s.x);
    const Mat3 r = (Eigen::AngleAxisd(1.1, Vec3(1, 2, -1).normalized())).toRotationMatrix();
    const Vec3 spin(0.3, -0.7, 0.5);
    std::vector<Vec3> v;
    for (Vec3& p : s.x) {
        p = r * p + Vec3(0.3, -0.2, 0.9);
        v.push_back(spin.cross(p) + Vec3(1, 2, 3));
    }
    EXPECT_NEAR(energyOf(*e, s.x), before, 1e-11 * before);
    // Damping sees no rigid velocity: neither in the force nor in the matrix.
    const Slots still = evaluate(*e, s.x), turning = evaluate(*e, s.x, v);
    const Eigen::VectorXd a = gathered(*e, still.gradient, s.mesh.points);
    EXPECT_LE((gathered(*e, turning.gradient, s.mesh.points) - a).norm(), 1e-11 * a.norm());
    const Eigen::MatrixXd d = gathered(*e, still.damping, s.mesh.points);
    EXPECT_LE((d * flat(v)).norm(), 1e-11 * d.norm() * flat(v).norm());
}

TEST_P(EveryModel, DampsWithItsOwnMatrix) {
    const Sheet s = sheet(0.1);
    const auto e = which().make(s.mesh);
    std::vector<Vec3> v(s.x.size(), Vec3::Zero());
    shake(v, 1.0, 5);
    const Slots still = evaluate(*e, s.x), moving = evaluate(*e, s.x, v);
    const Eigen::VectorXd force =
        gathered(*e, moving.gradient, s.mesh.points) - gathered(*e, still.gradient, s.mesh.points);
    const Eigen::MatrixXd d = gathered(*e, moving.damping, s.mesh.points);
    EXPECT_LE((d * flat(v) - force).norm(), 1e-10 * force.norm());
    EXPECT_GT(force.dot(flat(v)), 0);
}

// Oracle 24: at rest three shifts and three turns cost nothing, and only they do (bending and
// in-plane models together).
TEST_P(EveryModel, HasSixRigidModesAtRest) {
    Sheet s = grid(3, 3, 1, 1, false, 0.12);
    const auto e = which().make(s.mesh);
    const Eigen::MatrixXd h = gathered(*e, evaluate(*e, s.x).hessian, s.mesh.points);
    Eigen::MatrixXd rigid(h.rows(), 6);
    for (Index i = 0; i < s.mesh.points; ++i)
        for (int k = 0; k < 3; ++k) {
            rigid.block<3, 1>(3 * i, k) = Vec3::Unit(k);
            rigid.block<3, 1>(3 * i, 3 + k) = Vec3::Unit(k).cross(s.x[static_cast<std::size_t>(i)]);
        }
    EXPECT_LE((h * rigid).norm(), 1e-11 * h.norm());
}

// A range cut anywhere gives the same bits.
TEST_P(EveryModel, GivesTheSameBitsHoweverARangeIsCut) {
    const Sheet s = sheet(0.1);
    const auto e = which().make(s.mesh);
    const Slots whole = evaluate(*e, s.x, s.x);
    Slots pieces = whole;
    for (auto& g : pieces.gradient) g.setConstant(-1);
    const Index n = e->stencils().count();
    for (Index at = 0, step = 1; at < n; at += step, step = step % 5 + 1)
        e->evaluate(at, std::min(n, at + step), s.x, s.x, pieces.spans());
    EXPECT_EQ(pieces.energy, whole.energy);
    EXPECT_EQ(pieces.gradient, whole.gradient);
    EXPECT_EQ(pieces.hessian, whole.hessian);
    EXPECT_EQ(pieces.damping, whole.damping);
}

INSTANTIATE_TEST_SUITE_P(Cloth, EveryModel, testing::Range(0, static_cast<int>(cases().size())),
                         [](const auto& info) {
                             return cases()[static_cast<std::size_t>(info.param)].label;
                         });

} // namespace
