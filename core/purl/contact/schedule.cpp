#include "purl/contact/schedule.h"

#include "purl/base/parallel.h"

#include <algorithm>
#include <limits>

namespace purl {

namespace {
constexpr Index kChunk = 256;       // owners a task; fixed, so that nothing depends on the threads
constexpr float kClear = 0.5f;      // of 2r: boxes farther apart than 2r by this need no points
constexpr float kForget = 0.25f;    // of a cell: entries this far apart are dropped with the cell
constexpr float kSlightly = 1e-5f;  // more than any rounding of a bound
constexpr double kCell = 1.1;       // of the mean grown box of a segment: gamma
constexpr double kLongSegment = 16; // cells that the longest segment may span

double cellSize(const Curves& rest, double reach) {
    double sum = 0, longest = 0;
    Index count = 0;
    for (Index y = 0; y < rest.yarns(); ++y)
        for (Index s = 0; s < rest.edges(y); ++s, ++count) {
            const Index a = rest.first[y] + s, b = rest.first[y] + (s + 1) % rest.size(y);
            const double length = (rest.x[b] - rest.x[a]).cwiseAbs().maxCoeff();
            sum += length + 2.1 * rest.radius[y];
            longest = std::max(longest, length);
        }
    const double mean = count > 0 ? sum / count : 0;
    const double cell = std::max(kCell * mean, longest / kLongSegment);
    return cell > 0 ? cell : std::max(reach, 1e-9);
}
} // namespace

// An entry's lower segment with what is known of it in this step, made when first asked for.
class Schedule::Owner {
public:
    Owner(const Schedule& s, const Padded3& x, Index place) : schedule_(s), x_(x), place(place) {}

    float since(int bin, Index other) {
        const Movement& m = schedule_.movement_;
        if (!(have_ >> bin & 1)) since_[bin] = m.since(bin, place);
        have_ |= 1u << bin;
        const float bound = farthest(since_[bin], m.since(bin, other)) * (1 + kSlightly);
        return bin == 0 ? bound : bound + m.rounding();
    }
    float change(Index other) {
        const Movement& m = schedule_.movement_;
        if (!haveChange_) {
            change_ = m.change(place);
            tolerance_ = m.tolerance(place);
            haveChange_ = true;
        }
        return (farthest(change_, m.change(other)) + tolerance_ + m.tolerance(other)) *
               (1 + kSlightly);
    }
    const SegmentDistance::Points& points() {
        if (!havePoints_) schedule_.distance_.evaluate(x_, place, origin(), points_);
        havePoints_ = true;
        return points_;
    }
    Vec3 origin() const { return x_.at(place + 1); }

private:
    const Schedule& schedule_;
    const Padded3& x_;
    unsigned have_ = 0;
    bool haveChange_ = false, havePoints_ = false;
    Box4 since_[Movement::kBins], change_;
    float tolerance_ = 0;
    SegmentDistance::Points points_;

public:
    const Index place;
};

Schedule::Schedule(const Curves& rest, const Layout& layout, const std::vector<Weld>& welds,
                   const ContactSettings& settings)
    : points_(settings.quadrature), exclusion_(rest, welds, settings.quadrature),
      distance_(settings.quadrature), cover_(1), full_(PairBits::all(settings.quadrature)) {
    const Index slots = layout.slots();
    double reach = 0;
    for (double r : rest.radius) reach = std::max(reach, 2 * r);
    segmentAt_.assign(slots, -1);
    radius_.assign(slots, 0);
    exactRadius_.assign(slots, 0);
    for (Index y = 0; y < rest.yarns(); ++y)
        for (Index s = 0; s < rest.edges(y); ++s) {
            const Index place = layout.base[y] + s;
            segmentAt_[place] = static_cast<Index>(placeOf_.size());
            placeOf_.push_back(place);
            exactRadius_[place] = rest.radius[y];
            radius_[place] = static_cast<float>(rest.radius[y]);
        }
    movement_ = Movement(slots, reach);
    grid_ = SegmentGrid(placeOf_, radius_, cellSize(rest, reach), slots);
    entries_.reset(slots);
    owners_.reset(slots);
    binsOf_.assign(slots, 0);
    woken_.assign(slots, 0);
    alert_.assign(slots, 0);
    work_.resize((placeOf_.size() + kChunk - 1) / kChunk);
    for (Index p : placeOf_) // a segment long enough to touch itself
        if (!(exclusion_.excluded(segmentAt_[p], segmentAt_[p]) == full_)) add(p, p);
}

void Schedule::update(const Padded3& x, std::vector<PointPair>& found) {
    movement_.advance(x);
    grid_.update(movement_.now());
    wakeEntries();
    addMet();
    const Index owners = static_cast<Index>(placeOf_.size());
    parallelFor(static_cast<Index>(work_.size()), 1, [&](Index c0, Index c1) {
        for (Index c = c0; c < c1; ++c)
            visit(x, c * kChunk, std::min(owners, (c + 1) * kChunk), work_[c]);
    });
    movement_.finish();
    tally_ = {};
    const auto first = static_cast<std::ptrdiff_t>(found.size());
    for (const Work& w : work_) {
        found.insert(found.end(), w.found.begin(), w.found.end());
        for (const auto& gone : w.removed) owners_.remove(gone.b, gone.a);
        count_ -= static_cast<long>(w.removed.size());
        tally_.examined += w.tally.examined;
        tally_.processed += w.tally.processed;
    }
    std::sort(found.begin() + first, found.end(), [](const PointPair& a, const PointPair& b) {
        return a.u != b.u ? a.u < b.u : a.v < b.v;
    });
    for (Index p : wokenPlaces_) woken_[p] = 0;
    wakeAll_ = false;
}

// A control point that departs from its reference wakes the segments it rules, and they all their
// entries, whichever segment owns them.
void Schedule::wakeEntries() {
    wokenPlaces_.clear();
    if (wakeAll_) {
        for (Index p : placeOf_) alert_[p] = 1;
        return;
    }
    for (Index slot : movement_.woken())
        for (Index p = std::max<Index>(0, slot - 3); p <= slot; ++p) {
            if (segmentAt_[p] < 0 || woken_[p]) continue;
            woken_[p] = 1;
            wokenPlaces_.push_back(p);
            alert_[p] = 1;
            for (const Index* o = owners_.begin(p); o != owners_.end(p); ++o) alert_[*o] = 1;
        }
}

void Schedule::addMet() {
    for (const SegmentGrid::Pair& pair : grid_.met()) {
        if (find(pair.a, pair.b)) continue;
        const Index a = segmentAt_[pair.a], b = segmentAt_[pair.b];
        if (!exclusion_.strangers(a, b) && exclusion_.excluded(a, b) == full_) continue;
        add(pair.a, pair.b);
    }
}

void Schedule::visit(const Padded3& x, Index first, Index last, Work& work) {
    work.found.clear();
    work.removed.clear();
    work.tally = {};
    const std::uint16_t due =
        static_cast<std::uint16_t>(1 | (movement_.visited() ? 1 << movement_.visited() : 0));
    for (Index i = first; i < last; ++i) {
        const Index a = placeOf_[i];
        const bool alert = alert_[a] != 0;
        if (!(binsOf_[a] & due) && !alert) continue;
        const bool all = wakeAll_ || woken_[a];
        Owner owner(*this, x, a);
        std::uint16_t bins = 0;
        Entry* list = entries_.begin(a);
        for (Index k = 0; k < entries_.count(a);) {
            Entry& e = list[k];
            if (e.bin != kAsleep && ((due >> e.bin & 1) || (alert && (all || woken_[e.other])))) {
                examine(x, owner, e, work);
                if (e.remaining > kForget * grid_.cell() && e.cover == 0 && e.other != a &&
                    !grid_.share(a, e.other)) {
                    work.removed.push_back({a, e.other});
                    entries_.removeAt(a, k);
                    continue;
                }
            }
            bins |= static_cast<std::uint16_t>(1 << e.bin);
            ++k;
        }
        binsOf_[a] = bins;
        alert_[a] = 0;
    }
}

void Schedule::examine(const Padded3& x, Owner& owner, Entry& e, Work& work) {
    ++work.tally.examined;
    const Index a = owner.place, b = e.other;
    float distance = e.remaining - owner.since(static_cast<int>(e.bin), b);
    if (distance > 0) return choose(owner, e, distance);

    const PairBits dead = cover_[e.cover];
    if (dead == full_) {
        e.bin = kAsleep;
        e.remaining = std::numeric_limits<float>::infinity();
        return;
    }
    ++work.tally.processed;
    const float reach = (radius_[a] + radius_[b]) * (1 + kSlightly);
    const Float4* now = movement_.now();
    const float gap = nearest(curveBox(now + a), curveBox(now + b)) - movement_.rounding();
    if (gap > (1 + kClear) * reach) {
        distance = gap - reach;
    } else {
        SegmentDistance::Points points;
        distance_.evaluate(x, b, owner.origin(), points);
        distance = distance_.smallest(owner.points(), points, dead) - reach;
    }
    if (!(distance > 0)) { // near enough that only double precision can tell
        distance_.touching(x, a, b, exactRadius_[a] + exactRadius_[b], dead,
                           points_ * segmentAt_[a], points_ * segmentAt_[b], work.found);
        e.bin = 0;
        e.remaining = -1;
        return;
    }
    e.bin = 0;
    choose(owner, e, distance);
}

// The bin for a distance (physics 4.8): the steps n that sum_{j=1..n} (moved + j change) <=
// distance allows, where `change` bounds every later step as long as neither segment is woken.
void Schedule::choose(Owner& owner, Entry& e, float distance) const {
    const float moved = owner.since(0, e.other), change = owner.change(e.other);
    auto steps = [&](float d) {
        const float b = moved + 0.5f * change;
        return 2 * d / (b + std::sqrt(b * b + 2 * change * d));
    };
    const int now = static_cast<int>(e.bin), visited = movement_.visited();
    const float n = steps(distance);
    // Woken between visits, but with time enough until the next: nothing is lost by staying.
    if (now != 0 && now != visited && n >= static_cast<float>(movement_.wait(now))) return;
    int bin = 0;
    while (bin + 1 < Movement::kBins && static_cast<float>(2 << bin) <= n) ++bin;
    for (; bin > 0 && bin != visited; --bin) {
        // `remaining` counts from the bin's last visit: what was moved since must not count twice.
        const float left = distance - owner.since(bin, e.other);
        if (left > 0 && steps(left) >= static_cast<float>(movement_.wait(bin))) {
            distance = left;
            break;
        }
    }
    e.bin = static_cast<std::uint32_t>(bin);
    e.remaining = distance;
}

} // namespace purl
