#include "cli/bench_replay.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace purl::cli {

namespace {

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

Curves restOf(const Scene& s) {
    Curves c = s.yarns;
    if (!s.rest.empty()) c.x = s.rest;
    return c;
}

} // namespace

BenchReplay::BenchReplay(const Scene& s)
    : rest_(restOf(s)), layout_(rest_),
      exact_(rest_, layout_, s.material, s.welds, s.settings.contact),
      hierarchy_(rest_, layout_, s.material, s.welds, s.settings.contact) {
    x_.resize(layout_.padded() + 4);
    f_.resize(layout_.padded() + 4);
}

void BenchReplay::keep(const std::vector<Vec3>& x, bool judged) {
    if (used_ == kept_.size()) kept_.emplace_back();
    Kept& k = kept_[used_++];
    k.x = x;
    k.judged = judged;
}

void BenchReplay::keepForce(std::vector<Vec3> force) { kept_[used_ - 1].force = std::move(force); }

void BenchReplay::play(long steps) {
    for (std::size_t i = 0; i < used_; ++i) {
        const Kept& k = kept_[i];
        for (Index y = 0; y < rest_.yarns(); ++y) scatter(layout_, k.x, rest_.first[y], y, x_);
        f_.resize(layout_.padded() + 4);
        const long before = exact_.neighbours().rebuilds;
        double t = now();
        exact_.addForce(x_, f_);
        t = now() - t;
        // The first call makes room: no step of a real run does.
        if (!first_) {
            const bool rebuilt = exact_.neighbours().rebuilds > before;
            (rebuilt ? rebuild_ : evaluate_) += t;
            ++(rebuilt ? rebuilds_ : evaluations_);
        }
        if (k.judged && !k.force.empty()) {
            double difference = 0, size = 0;
            for (Index n = 0; n < rest_.points(); ++n) {
                const Vec3 f = f_.at(layout_.slotOf[n]);
                difference += (k.force[n] - f).squaredNorm();
                size += f.squaredNorm();
            }
            errorSquares_ += difference;
            forceSquares_ += size;
            if (size > 0) worst_ = std::max(worst_, std::sqrt(difference / size));
        }
        if (k.judged) {
            f_.resize(layout_.padded() + 4);
            t = now();
            hierarchy_.addForce(x_, f_);
            t = now() - t;
            if (!first_) {
                hierarchySeconds_ += t;
                ++judgedCalls_;
                near_ += hierarchy_.nearPairs();
                touching_ += hierarchy_.touchingPairs();
            }
        }
        first_ = false;
    }
    steps_ += steps;
    used_ = 0;
}

// A step of (ii) costs an evaluation, and its share of the lists that were made anew on the way.
void BenchReplay::finish(BenchResult& r) const {
    const double evaluate = evaluations_ ? evaluate_ / evaluations_ : 0;
    r.exactLists = steps_ ? (rebuild_ - rebuilds_ * evaluate) / steps_ : 0;
    r.exactSeconds = evaluate + r.exactLists;
    r.exactCalls = evaluations_ + rebuilds_;
    r.exactRebuilds = rebuilds_;
    r.exactRebuildsPerStep = steps_ ? static_cast<double>(rebuilds_) / steps_ : 0;
    r.hierarchySeconds = judgedCalls_ ? hierarchySeconds_ / judgedCalls_ : 0;
    r.hierarchyCalls = judgedCalls_;
    r.nearPairs = judgedCalls_ ? near_ / judgedCalls_ : 0;
    r.touchingPairs = judgedCalls_ ? touching_ / judgedCalls_ : 0;
    r.forceError = forceSquares_ > 0 ? std::sqrt(errorSquares_ / forceSquares_) : 0;
    r.forceErrorWorst = worst_;
}

} // namespace purl::cli
