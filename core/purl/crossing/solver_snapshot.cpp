// The state of a fabric to a checkpoint and back.
#include "purl/base/snapshot.h"
#include "purl/crossing/solver.h"

namespace purl {

template <class Self, class Archive>
void FabricSolver::fields(Self& s, Archive& a) {
    a(s.q_, s.v_, s.time_, s.mass_, s.inverseMass_, s.pinStart_, s.pinEnd_, s.frozen_);
    a(s.fabric_.friction.anchor, s.fabric_.friction.limit);
    StepControl::fields(s.control_, a);
}

void FabricSolver::save(SnapshotWriter& w) const {
    w.begin("fabric", 1);
    w(fabric_.links().node, pins_);
    fields(*this, w);
    w.end();
}

void FabricSolver::load(SnapshotReader& r) {
    r.begin("fabric", 1);
    std::vector<Index> visited, pins;
    r(visited, pins);
    if (visited != fabric_.links().node)
        r.fail("a fabric of " + std::to_string(visited.size()) +
               " yarn visits was found, expected the scene's, of " +
               std::to_string(fabric_.links().node.size()));
    if (pins != pins_)
        r.fail(std::to_string(pins.size()) + " pins were found, expected the scene's " +
               std::to_string(pins_.size()));
    fields(*this, r);
    r.end();
    rebuildFilter();
}

} // namespace purl
