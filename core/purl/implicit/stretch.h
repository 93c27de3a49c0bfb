// Stretch of yarns as springs, for implicit steps: E = EA / (2 l0) (|e| - l0)^2 an edge. Explicit
// steps project lengths instead; in a large step that would come after the solve and crush the gaps
// it left (field: what a prototype taught).
#pragma once

#include "purl/model/layout.h"
#include "purl/model/settings.h"

namespace purl {

struct StretchEdge {
    double k;      // N/m, EA / l0
    double length; // m, l0
};

// The trio in the edge vector e. The Hessian is exact; positive() leaves out what a compressed edge
// takes away across itself.
double stretchEnergy(const StretchEdge&, const Vec3& e);
Vec3 stretchGradient(const StretchEdge&, const Vec3& e);
Mat3 stretchHessian(const StretchEdge&, const Vec3& e);
Mat3 stretchPositive(const StretchEdge&, const Vec3& e);

class Stretch {
public:
    Stretch() = default;
    Stretch(const Curves& rest, const Layout&, const std::vector<Material>&);

    // Adds forces at x (ghosts as scatter() leaves them); the edges' positive blocks are kept.
    void addForce(const Padded3& x, Padded3& f);
    // xx xy xz yy yz zz of the edge from a slot, N/m; zero where there is none.
    const double* block(Index slot) const { return &block_[6 * static_cast<std::size_t>(slot)]; }
    double energy(const Padded3& x) const; // J

private:
    const Layout* layout_ = nullptr;
    std::vector<StretchEdge> edge_; // per slot
    std::vector<double> block_;
    std::vector<Vec3> pull_; // N, per slot: what the edge from it exerts on its end
};

} // namespace purl
