// What a Simulation with implicit steps has besides the parts of an explicit one.
#pragma once

#include "purl/implicit/band_solver.h"
#include "purl/implicit/coarse_blocks.h"
#include "purl/implicit/collider_penalty.h"
#include "purl/implicit/stretch.h"
#include "purl/implicit/yarn_matrix.h"
#include "purl/model/state.h"
#include "purl/solve/mpcg.h"

namespace purl {

class SnapshotReader;
class SnapshotWriter;

struct ImplicitParts {
    ImplicitParts(const Curves& rest, const Layout&, const std::vector<Material>&,
                  const std::vector<Weld>&, const BlockDamping&, const State&);

    // x1 = X + h v1, M (v1 - V) = h f(x1, v1): backward Euler, BDF2 or between (physics 6.8). Fills
    // X, V from the state and the step before; returns h (s). A blow has no past: as far as the
    // last change of velocity does not go on from the one before it, the step is backward Euler's.
    // So it is for blocks of cloth that touch a collider (`calm`): what lies must not bounce.
    // Theirs is another h, that is dt. The unknown u of all is x1 = ahead + h u: stiffness is then
    // h^2 times the same matrix for everybody; `weight` u is a node's change of velocity, and
    // weight^2 m what the unknown has to move.
    double scheme(const State&, double dt, double liveliness);

    double smoothness(const State&, double r) const;

    Stretch stretch;
    RodStiffness rods;
    YarnMatrix matrix;
    AclMatrix contacts;
    BlockDrag drag;
    BandSolver bands;
    CoarseBlocks blocks;
    ColliderPenalty colliders;
    NodeFilter filter; // pins, and nodes that another answers for
    std::vector<std::uint8_t> fixed;
    Mpcg solver;
    SolveReport report;

    std::vector<Vec3> X, V, ahead, force, rhs;
    std::vector<double> weight;
    std::vector<std::uint8_t> calm; // per node
    Padded3 xHalf, xEnd;            // by slot
    // The step before: with the state, all that the next one goes on from. Saved with the normal
    // forces of colliders.
    std::vector<Vec3> pastX, pastV, pastChange; // m, m/s; and by how much the velocity had changed
    std::vector<Vec3> dv; // m/s, the change of velocity: a first guess of the next
    double pastDt = 0;    // s; 0: none
    std::vector<std::pair<double, double>> part; // sums of blocks of nodes
    void save(SnapshotWriter&) const;
    void load(SnapshotReader&);
};

} // namespace purl
