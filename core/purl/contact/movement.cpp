#include "purl/contact/movement.h"

#include "purl/base/parallel.h"

#include <algorithm>

namespace purl {

namespace {
constexpr Index kChunk = 1024; // slots a task; fixed, so that lists do not depend on the threads
constexpr Index kSamples = 2048;
// omega / 2 in units of 2r. The paper's omega (6 um a step^2 for 2r = 2.5 mm) is where we begin;
// then each slot finds its own: a slot that is woken soon becomes more tolerant, one that sleeps
// long less so. Waking costs a look at all entries of four segments, tolerance makes all of them
// be looked at more often; about one wake in a hundred steps is the cheapest.
constexpr double kFirst = 1.2e-3, kLeast = 1e-7, kMost = 0.25;
constexpr int kSoon = 48, kLate = 192, kReview = 64; // steps
constexpr float kMore = 1.6f, kLess = 0.7f;
constexpr double kFar = 1e6; // of 2r: points farther out are lost and have no say in roundings
} // namespace

Movement::Movement(Index slots, double reach)
    : slots_(slots), reach_(reach), y_(slots, Double4{V4d{0, 0, 0, 0}}),
      now_(slots, Float4{V4f{0, 0, 0, 0}}), moved_(now_), reference_(now_),
      sleep_(slots, Sleep{V4f{0, 0, 0, 0}, 0}) {
    for (int b = 1; b < kBins; ++b) snapshot_[b] = now_;
    const Index chunks = (slots + kChunk - 1) / kChunk;
    wokenOfChunk_.resize(chunks);
    farthestOfChunk_.assign(chunks, 0);
}

void Movement::start(const Padded3& x) {
    Vec3 sum = Vec3::Zero();
    Index count = 0;
    for (Index s = 0; s < slots_; ++s)
        if (x.at(s).allFinite()) {
            sum += x.at(s);
            ++count;
        }
    centre_ = count > 0 ? Vec3(sum / count) : Vec3(Vec3::Zero());
    const float tolerance = static_cast<float>(kFirst * reach_);
    float far = 0;
    for (Index s = 0; s < slots_; ++s) {
        const Vec3 p = x.at(s) - centre_;
        y_[s].v = V4d{p.x(), p.y(), p.z(), 0};
        now_[s].v = V4f{float(p.x()), float(p.y()), float(p.z()), 0};
        reference_[s].v = V4f{0, 0, 0, tolerance};
        far = std::max(far, static_cast<float>(p.cwiseAbs().maxCoeff()));
    }
    for (int b = 1; b < kBins; ++b) snapshot_[b] = now_;
    rounding_ = rounding(far);
}

// The frame follows the mean movement of some points: any movement of it is right, as long as it is
// the same for all. Points that are broken (not finite, or thrown out) have no say.
void Movement::follow(const Padded3& x) {
    const Index stride = std::max<Index>(1, slots_ / kSamples);
    const double limit = 1e3 * reach_;
    Vec3 sum = Vec3::Zero();
    Index count = 0;
    for (Index s = 0; s < slots_; s += stride) {
        const V4d y = y_[s].v;
        const Vec3 step = x.at(s) - centre_ - Vec3(y[0], y[1], y[2]);
        if (!(step.cwiseAbs().maxCoeff() < limit)) continue;
        sum += step;
        ++count;
    }
    if (count > 0) centre_ += sum / count;
}

void Movement::advance(const Padded3& x) {
    ++step_;
    woken_.clear();
    visited_ = 0;
    if (step_ == 0) return start(x);
    const int mark = __builtin_ctzl(static_cast<unsigned long>(step_)) + 1;
    visited_ = mark < kBins ? mark : 0;
    follow(x);
    const Index chunks = static_cast<Index>(wokenOfChunk_.size());
    const V4d centre{centre_.x(), centre_.y(), centre_.z(), 0};
    parallelFor(chunks, 1, [&](Index c0, Index c1) {
        for (Index c = c0; c < c1; ++c) {
            wokenOfChunk_[c].clear();
            V4f far{0, 0, 0, 0};
            const Index end = std::min(slots_, (c + 1) * kChunk);
            for (Index s = c * kChunk; s < end; ++s) {
                const V4d y = V4d{x.x[s], x.y[s], x.z[s], 0} - centre;
                const V4f moved = __builtin_convertvector(y - y_[s].v, V4f);
                const V4f change = moved - moved_[s].v;
                V4f off = change - reference_[s].v;
                const float tolerance = reference_[s].v[3];
                y_[s].v = y;
                const V4f now = __builtin_convertvector(y, V4f);
                now_[s].v = now;
                far = upper(far, upper(now, -now));
                moved_[s].v = moved;
                off *= off;
                if (!(off[0] + off[1] + off[2] <= tolerance * tolerance)) {
                    wake(s, moved, change);
                    wokenOfChunk_[c].push_back(s);
                }
            }
            if ((step_ + c) % kReview == 0) review(c * kChunk, end);
            farthestOfChunk_[c] = std::max(std::max(far[0], far[1]), far[2]);
        }
    });
    float far = 0;
    for (Index c = 0; c < chunks; ++c) {
        far = std::max(far, farthestOfChunk_[c]);
        woken_.insert(woken_.end(), wokenOfChunk_[c].begin(), wokenOfChunk_[c].end());
    }
    rounding_ = std::max(rounding_, rounding(far));
}

// Differences of two floats up to `far`, three coordinates, two segments: 2^-24 * 2 * 1.8 * 2.
float Movement::rounding(float far) const {
    return 1e-6f * std::min(far, static_cast<float>(kFar * reach_));
}

// Who sleeps long may do with less tolerance: entries binned before were promised more.
void Movement::review(Index first, Index last) {
    const float least = static_cast<float>(kLeast * reach_);
    for (Index s = first; s < last; ++s) {
        float& tolerance = reinterpret_cast<float*>(&reference_[s])[3];
        if (step_ - sleep_[s].step > kLate) tolerance = std::max(least, kLess * tolerance);
    }
}

// The new reference is the mean change of movement since the last one was set, which is what comes
// next more likely than the outlier of this step. Any reference is sound: what counts is that all
// entries of the segments are looked at now.
void Movement::wake(Index slot, V4f moved, V4f change) {
    Sleep& sleep = sleep_[slot];
    const int slept = static_cast<int>(step_) - sleep.step;
    float tolerance = reference_[slot].v[3];
    if (slept < kSoon) tolerance *= kMore;
    tolerance = std::min(tolerance, static_cast<float>(kMost * reach_));
    V4f mean = slept > 3 ? (moved - sleep.moved) / static_cast<float>(slept) : 0.5f * change;
    if (!std::isfinite(mean[0] + mean[1] + mean[2])) mean = V4f{0, 0, 0, 0}; // nothing to go by
    mean[3] = tolerance;
    reference_[slot].v = mean;
    sleep = {moved, static_cast<std::int32_t>(step_)};
}

void Movement::finish() {
    if (visited_ > 0) snapshot_[visited_] = now_;
}

// Movements and their changes belong to a length of the step: whoever calls this wakes everything.
void Movement::rescale(double factor) {
    const float f = static_cast<float>(factor);
    for (Index s = 0; s < slots_; ++s) {
        moved_[s].v *= f;
        sleep_[s].moved *= f;
        reference_[s].v *= f * f;
    }
}

std::size_t Movement::bytes() const {
    return y_.size() * (sizeof(Double4) + (3 + kBins - 1) * sizeof(Float4) + sizeof(Sleep));
}

} // namespace purl
