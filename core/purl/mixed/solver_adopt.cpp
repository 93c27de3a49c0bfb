// Other paint in motion: what the two have in common goes on, what is new finds its rest in place.
#include "purl/mixed/solver_parts.h"

#include <algorithm>

namespace purl {

namespace {
constexpr double kRest = 5e-3; // s: long enough that a step is nearly one of no inertia
constexpr int kRestSteps = 8;
constexpr int kSpeedSteps = 3;
constexpr double kTight = 1e-2; // of the tolerances of a step: what is left would be seen as a pop
constexpr double kSpeed = 2e-3; // s: over which speeds become those of one cloth
} // namespace

void MixedSolver::adopt(const MixedSolver& old, const FabricLayout& layout) {
    const std::size_t all = layout.network.x.size();
    std::vector<Vec3> x(all), v(all);
    old.layoutPositions(layout, x, v);
    std::copy(old.y_.begin(), old.y_.begin() + nv_, y_.begin());
    std::copy(old.r_.begin(), old.r_.begin() + nv_, r_.begin());
    for (Index i = 0; i < n_; ++i) {
        const Index from = patch_.nodeOf[i], there = old.patch_.indexOf[from];
        y_[nv_ + i] = x[from];
        r_[nv_ + i] = v[from];
        if (there < 0) continue;
        y_[nv_ + n_ + i] = old.y_[nv_ + old.n_ + there];
        r_[nv_ + n_ + i] = old.r_[nv_ + old.n_ + there];
    }
    if (settings_.friction && old.settings_.friction) {
        std::vector<Index> link(layout.network.node.size(), -1); // of the old one, per visit
        for (std::size_t k = 0; k < old.patch_.visitOf.size(); ++k)
            link[old.patch_.visitOf[k]] = old.fabric_.links().ofVisit[k];
        for (std::size_t k = 0; k < patch_.visitOf.size(); ++k)
            if (const Index from = link[patch_.visitOf[k]]; from >= 0)
                fabric_.friction.anchor[fabric_.links().ofVisit[k]] =
                    old.fabric_.friction.anchor[from];
    }
    const YarnFilter& filter = parts_->yarnFilter;
    std::vector<Vec3> match(filter.kept().size());
    for (std::vector<Vec3>* state : {&y_, &r_}) {
        filter.match(Span<const Vec3>(state->data() + nv_, static_cast<std::size_t>(n_)), match);
        for (std::size_t k = 0; k < match.size(); ++k) (*state)[filter.kept()[k]] = match[k];
    }
    time_ = old.time_;
    control_ = old.control_;
    fabric_.mass(Span<const Vec3>(y_.data() + nv_, y_.size() - static_cast<std::size_t>(nv_)),
                 nodeMass_);
    refreshFriction();
    rebuildFilter();
    relaxNew(old);
}

// New yarns lie on flat triangles, with a kink at every edge, and move so too; triangles that take
// over from yarns have been fitted to them. Either pulls at once, and would be seen. So what is
// new, and both rings, goes to rest with all else held, without weight (the cloth may be falling)
// and without speed; then its speed becomes what the motion of all else leaves it.
void MixedSolver::relaxNew(const MixedSolver& old) {
    NodeFilter& held = parts_->filter.held;
    const std::vector<Pin> pins = pins_;
    std::vector<char> ours(y_.size(), 0);
    bool any = false;
    for (Index v = 0; v < nv_; ++v) {
        const bool fresh = parts_->unknownVertex[v] && !old.parts_->unknownVertex[v];
        ours[v] = held.isFree(v) && (fresh || parts_->yarnFilter.keptIndex(v) >= 0);
        any = any || fresh;
    }
    for (Index i = 0; i < n_; ++i) {
        const Index there = old.patch_.indexOf[patch_.nodeOf[i]];
        const bool fresh = there < 0, rode = !fresh && old.patch_.embedding.riding(there);
        ours[nv_ + i] = held.isFree(nv_ + i) && (fresh || rode || patch_.embedding.riding(i));
        any = any || fresh;
    }
    if (!any) return;
    pins_.clear();
    for (Index i = 0; i < static_cast<Index>(y_.size()); ++i) {
        if (ours[i]) continue;
        held.pin(i);
        const bool vertex = i < nv_;
        if (i < nv_ + n_ && (!vertex || parts_->unknownVertex[i]))
            pins_.push_back({i, i, vertex, y_[i], y_[i], y_[i]});
    }
    holdPreconditioner();
    const MixedSettings usual = settings_;
    for (double* t : {&settings_.linear.tolerance, &settings_.newtonTolerance, &settings_.meanMove,
                      &settings_.nearMove, &settings_.stillMove})
        *t *= kTight;
    settings_.newtonIterations = 4 * usual.newtonIterations;
    std::vector<Vec3> rates = r_;
    const Vec3 weight = settings_.forces.gravity;
    settings_.forces.gravity.setZero();
    fabric_.gravity.setZero();
    std::fill(r_.begin(), r_.end(), Vec3::Zero());
    startTouches(kRest, 1);
    MixedReport report;
    for (int k = 0; k < kRestSteps && newton(kRest, report); ++k) {
        std::swap(y_, y1_);
        std::fill(r_.begin(), r_.end(), Vec3::Zero());
    }
    r_ = rates;
    for (Pin& p : pins_) p.now = y_[p.unknown] + kSpeed * r_[p.unknown];
    for (int k = 0; k < kSpeedSteps && newton(kSpeed, report); ++k)
        for (std::size_t i = 0; i < ours.size(); ++i)
            if (ours[i]) r_[i] = rates[i] = r1_[i];
    r_ = std::move(rates);
    settings_ = usual;
    fabric_.gravity = weight;
    pins_ = pins;
    rebuildFilter();
}

} // namespace purl
