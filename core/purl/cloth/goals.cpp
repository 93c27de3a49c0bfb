#include "purl/cloth/goals.h"

#include "purl/base/error.h"

#include <cmath>
#include <string>

namespace purl {

Goals::Goals(std::vector<ClothGoal> goals, Span<const Vec3> targets) : goals_(std::move(goals)) {
    if (targets.size() != goals_.size())
        throw Error("cloth goals", std::to_string(targets.size()) + " targets, expected " +
                                       std::to_string(goals_.size()));
    for (const ClothGoal& g : goals_)
        if (!(g.stiffness >= 0) || !(g.damping >= 0) || !std::isfinite(g.stiffness + g.damping))
            throw Error("cloth goals", "goal of point " + std::to_string(g.node) +
                                           " has stiffness " + std::to_string(g.stiffness) +
                                           " N/m and damping " + std::to_string(g.damping) +
                                           " N s/m, expected >= 0");
    setTargets(targets);
    stencils_.width = 1;
    for (const ClothGoal& g : goals_) stencils_.nodes.push_back(g.node);
}

void Goals::evaluate(Index begin, Index end, Span<const Vec3> x, Span<const Vec3> v,
                     const EnergySlots& out) const {
    for (Index s = begin; s < end; ++s) {
        const ClothGoal& g = goals_[s];
        const Vec3 away = x[g.node] - targets_[s];
        if (!out.energy.empty()) out.energy[s] = 0.5 * g.stiffness * away.squaredNorm();
        if (!out.gradient.empty()) {
            out.gradient[s] = g.stiffness * away;
            if (!v.empty()) out.gradient[s] += g.damping * v[g.node];
        }
        if (!out.hessian.empty()) out.hessian[s] = g.stiffness * Mat3::Identity();
        if (!out.damping.empty()) out.damping[s] = g.damping * Mat3::Identity();
    }
}

void Goals::exactHessian(Index begin, Index end, Span<const Vec3>, Span<Mat3> out) const {
    for (Index s = begin; s < end; ++s) out[s] = goals_[s].stiffness * Mat3::Identity();
}

} // namespace purl
