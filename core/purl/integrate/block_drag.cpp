#include "purl/integrate/block_drag.h"

#include "purl/base/parallel.h"

#include <Eigen/Eigenvalues>
#include <algorithm>

namespace purl {

namespace {
// Slower than this share of a step nothing needs to be stopped.
constexpr double kStiffest = 50;
} // namespace

BlockDrag::BlockDrag(const BlockDamping& blocks, Index nodes) : settings_(blocks.settings()) {
    for (Index b = 0; b < blocks.blocks(); ++b) {
        const Span<const Index> list = blocks.block(b);
        node_.insert(node_.end(), list.begin(), list.end());
        start_.push_back(static_cast<Index>(node_.size()));
    }
    shape_.resize(blocks.blocks());
    held_.assign(nodes, 0.0);
    mass_.assign(nodes, 0.0);
    x_.resize(nodes);
}

RigidVelocity BlockDrag::rigid(Index b, Span<const Vec3> v) const {
    const Shape& s = shape_[b];
    RigidVelocity r{s.centre, Vec3::Zero(), Vec3::Zero()};
    Vec3 momentum = Vec3::Zero(), spin = Vec3::Zero();
    for (Index k = start_[b]; k < start_[b + 1]; ++k) {
        const Index i = node_[k];
        const Vec3 p = mass_[i] * v[i];
        momentum += p;
        spin += Vec3(x_[i] - s.centre).cross(p);
    }
    r.velocity = momentum / s.mass;
    r.omega = s.inverseInertia * spin;
    return r;
}

void BlockDrag::prepare(const std::vector<Vec3>& x, const std::vector<Vec3>& v,
                        const std::vector<double>& mass, const std::vector<double>& inverseMass,
                        double dt, double h, const std::vector<double>& weight) {
    parallelFor(static_cast<Index>(shape_.size()), 4, [&](Index b0, Index b1) {
        for (Index b = b0; b < b1; ++b) {
            Shape& s = shape_[b];
            s = {Vec3::Zero(), 0, Mat3::Zero(), 0, 0};
            Index count = 0;
            for (Index k = start_[b]; k < start_[b + 1]; ++k) {
                const Index i = node_[k];
                held_[i] = 0;
                x_[i] = x[i];
                mass_[i] = inverseMass[i] > 0 ? mass[i] : 0; // a pinned node counts as outside
                s.mass += mass_[i];
                s.centre += mass_[i] * x[i];
                count += inverseMass[i] > 0;
            }
            if (count < 2) continue;
            s.centre /= s.mass;
            Mat3 inertia = Mat3::Zero();
            for (Index k = start_[b]; k < start_[b + 1]; ++k) {
                const Index i = node_[k];
                const Vec3 d = x[i] - s.centre;
                inertia += mass_[i] * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
            }
            Eigen::SelfAdjointEigenSolver<Mat3> solver;
            solver.computeDirect(inertia);
            for (int k = 0; k < 3; ++k) // a collinear block does not resist turning about its line
                if (solver.eigenvalues()[k] > 1e-9 * solver.eigenvalues()[2])
                    s.inverseInertia += solver.eigenvectors().col(k) *
                                        solver.eigenvectors().col(k).transpose() /
                                        solver.eigenvalues()[k];
            const RigidVelocity r = rigid(b, v);
            double square = 0;
            for (Index k = start_[b]; k < start_[b + 1]; ++k) {
                const Index i = node_[k];
                if (mass_[i] > 0) square += (v[i] - r.at(x[i])).squaredNorm();
            }
            const double slow = settings_.constant * std::sqrt(count / std::max(square, 1e-30));
            s.damp = h * std::max(settings_.proportional, std::min(slow, kStiffest / dt));
            for (Index k = start_[b]; k < start_[b + 1]; ++k) {
                if (mass_[node_[k]] == 0) continue;
                if (s.held == 0) s.held = weight[node_[k]] * s.damp;
                held_[node_[k]] = s.held;
            }
        }
    });
}

void BlockDrag::subtractHeld(Span<const Vec3> u, Span<Vec3> y) const {
    parallelFor(static_cast<Index>(shape_.size()), 8, [&](Index b0, Index b1) {
        for (Index b = b0; b < b1; ++b) {
            const Shape& s = shape_[b];
            if (s.held == 0) continue;
            const RigidVelocity r = rigid(b, u);
            for (Index k = start_[b]; k < start_[b + 1]; ++k) {
                const Index i = node_[k];
                y[i] -= (s.held * mass_[i]) * r.at(x_[i]);
            }
        }
    });
}

void BlockDrag::addDamping(Span<const Vec3> v, Span<Vec3> y) const {
    parallelFor(static_cast<Index>(shape_.size()), 8, [&](Index b0, Index b1) {
        for (Index b = b0; b < b1; ++b) {
            const Shape& s = shape_[b];
            if (s.damp == 0) continue;
            const RigidVelocity r = rigid(b, v);
            for (Index k = start_[b]; k < start_[b + 1]; ++k) {
                const Index i = node_[k];
                y[i] -= (s.damp * mass_[i]) * (v[i] - r.at(x_[i]));
            }
        }
    });
}

} // namespace purl
