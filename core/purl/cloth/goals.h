// Soft pins: springs of rest length zero that draw nodes to where an animator wants them.
#pragma once

#include "purl/cloth/energy.h"

namespace purl {

struct ClothGoal {
    Index node;
    double stiffness; // N/m
    double damping;   // N s/m
};

class Goals final : public ClothEnergy {
public:
    Goals(std::vector<ClothGoal> goals, Span<const Vec3> targets);
    void setTargets(Span<const Vec3> targets) { targets_.assign(targets.begin(), targets.end()); }
    Index count() const { return static_cast<Index>(goals_.size()); }

    const Stencils& stencils() const override { return stencils_; }
    void evaluate(Index begin, Index end, Span<const Vec3> x, Span<const Vec3> v,
                  const EnergySlots& out) const override;
    void exactHessian(Index begin, Index end, Span<const Vec3> x, Span<Mat3> out) const override;

private:
    std::vector<ClothGoal> goals_;
    std::vector<Vec3> targets_; // m
    Stencils stencils_;
};

} // namespace purl
