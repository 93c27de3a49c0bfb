#include "cli/bench_replay.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace purl::cli {

namespace {

// Comparisons left out at first: models just made have no error yet.
constexpr long kYoung = 8;

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

Curves restOf(const Scene& s) {
    Curves c = s.yarns;
    if (!s.rest.empty()) c.x = s.rest;
    return c;
}

ContactSettings smooth(ContactSettings s, double tau) {
    s.tau = tau;
    s.friction = 0;
    return s;
}

void clear(Padded3& p) {
    for (auto* v : {&p.x, &p.y, &p.z}) std::fill(v->begin(), v->end(), 0.0);
}

} // namespace

BenchReplay::BenchReplay(const Scene& s, double tau)
    : rest_(restOf(s)), layout_(rest_),
      exact_(rest_, layout_, s.material, s.welds, s.settings.contact),
      hierarchy_(rest_, layout_, s.material, s.welds, s.settings.contact),
      linear_(rest_, layout_, s.material, s.welds, smooth(s.settings.contact, tau)) {
    for (Padded3* p : {&x_, &f_, &g_}) p->resize(layout_.padded() + 4);
}

void BenchReplay::keep(const std::vector<Vec3>& x, Use use) {
    if (used_ == kept_.size()) kept_.emplace_back();
    kept_[used_].x = x;
    kept_[used_++].use = use;
}

void BenchReplay::play() {
    for (std::size_t i = 0; i < used_; ++i) {
        const Kept& k = kept_[i];
        for (Index y = 0; y < rest_.yarns(); ++y) scatter(layout_, k.x, rest_.first[y], y, x_);
        playExact(k.use.timed);
        if (k.use.follow) {
            clear(g_);
            linear_.addForce(x_, g_);
            if (k.use.judged && ++compared_ > kYoung) judge();
        }
        if (k.use.judged) playHierarchy();
    }
    used_ = 0;
    timedInRow_ = 0;
}

void BenchReplay::playExact(bool timed) {
    clear(f_);
    const long before = exact_.neighbours().rebuilds;
    double t = now();
    exact_.addForce(x_, f_);
    t = now() - t;
    timedInRow_ = timed ? timedInRow_ + 1 : 0;
    // The first of a row finds caches as no step of a run of its own does.
    if (timedInRow_ < 2) return;
    const bool rebuilt = exact_.neighbours().rebuilds > before;
    (rebuilt ? rebuild_ : evaluate_) += t;
    ++(rebuilt ? rebuilds_ : evaluations_);
}

void BenchReplay::playHierarchy() {
    clear(g_);
    const double t = now();
    hierarchy_.addForce(x_, g_);
    if (judged_++ == 0) return; // it made room
    hierarchySeconds_ += now() - t;
    near_ += static_cast<double>(hierarchy_.nearPairs());
    touching_ += static_cast<double>(hierarchy_.touchingPairs());
}

void BenchReplay::judge() {
    double difference = 0, size = 0;
    for (Index s : layout_.slotOf) {
        difference += (g_.at(s) - f_.at(s)).squaredNorm();
        size += f_.at(s).squaredNorm();
    }
    errorSquares_ += difference;
    forceSquares_ += size;
    if (size > 0) worst_ = std::max(worst_, std::sqrt(difference / size));
}

// A step of (ii) costs what its rows of consecutive steps took, lists made anew among them.
void BenchReplay::finish(BenchResult& r) const {
    const double calls = static_cast<double>(std::max(1L, evaluations_ + rebuilds_));
    r.exactSeconds = (evaluate_ + rebuild_) / calls;
    if (evaluations_ > 0)
        r.exactLists =
            (rebuild_ - evaluate_ * static_cast<double>(rebuilds_) / evaluations_) / calls;
    r.exactRebuildsPerStep = static_cast<double>(rebuilds_) / calls;
    r.exactCalls = evaluations_ + rebuilds_;
    const long judged = std::max(1L, judged_ - 1);
    r.hierarchyCalls = judged_ - 1;
    r.hierarchySeconds = hierarchySeconds_ / judged;
    r.nearPairs = near_ / judged;
    r.touchingPairs = touching_ / judged;
    r.forceError = forceSquares_ > 0 ? std::sqrt(errorSquares_ / forceSquares_) : 0;
    r.forceErrorWorst = worst_;
}

} // namespace purl::cli
