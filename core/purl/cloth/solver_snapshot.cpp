// The state of a sheet to a checkpoint and back.
#include "purl/base/snapshot.h"
#include "purl/cloth/solver.h"

#include <algorithm>

namespace purl {

template <class Self, class Archive>
void ClothSolver::fields(Self& s, Archive& a) {
    a(s.x_, s.v_, s.time_, s.pinStart_, s.pinEnd_, s.goalStart_, s.goalEnd_, s.state_, s.grip_);
    a(s.anyContact_, s.filterHasContacts_, s.stepsDone_, s.stepsWanted_);
    StepControl::fields(s.control_, a);
}

void ClothSolver::save(SnapshotWriter& w) const {
    w.begin("cloth", 1);
    w(mesh_.triangles, pins_);
    fields(*this, w);
    w.put(static_cast<Index>(energies_.size()));
    for (const auto& e : energies_) {
        const Span<double> m = e->memory();
        w.put(std::vector<double>(m.begin(), m.end()));
    }
    w.put(static_cast<Index>(settings_.integrator.scheme));
    integrator_->save(w);
    w.end();
}

void ClothSolver::load(SnapshotReader& r) {
    const std::size_t points = x_.size(), goals = goalEnd_.size();
    const std::vector<Vec3> goalHere = goalEnd_;
    r.begin("cloth", 1);
    std::vector<std::array<Index, 3>> triangles;
    std::vector<Index> pins;
    r(triangles, pins);
    if (triangles != mesh_.triangles)
        r.fail("a sheet of " + std::to_string(triangles.size()) +
               " triangles was found, expected the scene's, of " +
               std::to_string(mesh_.triangles.size()));
    fields(*this, r);
    if (x_.size() != points || v_.size() != points || grip_.size() != points)
        r.fail(std::to_string(x_.size()) + " points were found, expected " +
               std::to_string(points) + " as in the scene");
    if (pins != pins_) { // a branch that holds others: they start where the sheet is
        pinStart_.clear();
        for (Index i : pins_) pinStart_.push_back(x_[i]);
        pinEnd_ = pinStart_;
    }
    if (goalEnd_.size() != goals) goalStart_ = goalEnd_ = goalHere;
    const auto energies = r.take<Index>();
    for (Index k = 0; k < energies; ++k) {
        std::vector<double> m;
        r.get(m);
        const Span<double> to =
            k < static_cast<Index>(energies_.size()) ? energies_[k]->memory() : Span<double>();
        if (to.size() == m.size()) std::copy(m.begin(), m.end(), to.begin());
    }
    const auto scheme = r.take<Index>();
    std::unique_ptr<Integrator> past = makeIntegrator(settings_.integrator);
    if (scheme != static_cast<Index>(settings_.integrator.scheme)) { // its past is of no use
        IntegratorSettings other = settings_.integrator;
        other.scheme = static_cast<Scheme>(scheme);
        makeIntegrator(other)->load(r);
    } else {
        past->load(r);
    }
    integrator_ = std::move(past);
    r.end();
    rebuildFilter(); // the contacts in it are found again by the next step
    dynamics_->external.clear();
}

} // namespace purl
