// What of a fabric outlives a step. Contact lists and the preconditioner do not: they are made from
// the state and change no answer.
#include "purl/base/snapshot.h"
#include "purl/crossing/solver.h"

namespace purl {

void FabricSolver::save(SnapshotWriter& w) const {
    w.begin("fabric", 1);
    w(q_, v_, mass_, fabric_.friction.anchor, pins_, pinStart_, pinEnd_, time_);
    StepControl::fields(control_, w);
    w.end();
}

void FabricSolver::load(SnapshotReader& r) {
    r.begin("fabric", 1);
    std::vector<Vec3> q, v;
    std::vector<double> mass, anchor;
    r.getSized(q, q_.size(), "unknowns of the fabric");
    r.getSized(v, v_.size(), "rates of the fabric");
    r.getSized(mass, mass_.size(), "masses of the fabric");
    r.getSized(anchor, fabric_.friction.anchor.size(), "anchors of the fabric");
    std::vector<Index> pins;
    std::vector<Vec3> start, end;
    r.getSized(pins, pins_.size(), "pins of the fabric");
    r.getSized(start, pins.size(), "pins of the fabric");
    r.getSized(end, pins.size(), "pins of the fabric");
    r.get(time_);
    StepControl::fields(control_, r);
    r.end();
    q_ = std::move(q), v_ = std::move(v), mass_ = std::move(mass);
    fabric_.friction.anchor = std::move(anchor);
    pins_ = std::move(pins), pinStart_ = std::move(start), pinEnd_ = std::move(end);
    rebuildFilter();
    refreshFriction();
}

} // namespace purl
