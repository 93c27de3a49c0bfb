// Entries by pair, and which of their point pairs contact sets have taken over.
#include "purl/contact/schedule.h"

#include <algorithm>

namespace purl {

Schedule::Entry* Schedule::find(Index a, Index b) {
    for (Entry* e = entries_.begin(a); e != entries_.end(a); ++e)
        if (e->other == b) return e;
    return nullptr;
}

// A new entry is due at once: its distance is negative.
Schedule::Entry& Schedule::add(Index a, Index b) {
    Entry e;
    e.other = b;
    e.remaining = -1;
    e.bin = 0;
    e.cover = 0;
    const PairBits excluded = exclusion_.excluded(segmentAt_[a], segmentAt_[b]);
    if (excluded.any()) {
        e.cover = static_cast<std::uint32_t>(newCover());
        cover_[e.cover] = excluded;
    }
    entries_.push(a, e);
    owners_.push(b, a);
    binsOf_[a] |= 1;
    ++count_;
    return entries_.end(a)[-1];
}

Index Schedule::newCover() {
    if (freeCovers_.empty()) {
        cover_.push_back({});
        return static_cast<Index>(cover_.size()) - 1;
    }
    const Index k = freeCovers_.back();
    freeCovers_.pop_back();
    cover_[k] = {};
    return k;
}

// Pairs of segments under a box of points, the lower first.
template <class Visit>
void Schedule::overSegments(const PointBox& box, Visit&& visit) {
    const Index u0 = std::max<Index>(0, box.u0), v0 = std::max<Index>(0, box.v0);
    const Index last = static_cast<Index>(placeOf_.size()) - 1;
    const Index u1 = std::min(last, box.u1 / points_), v1 = std::min(last, box.v1 / points_);
    for (Index a = u0 / points_; a <= u1; ++a)
        for (Index b = std::max(a, v0 / points_); b <= v1; ++b) visit(a, b);
}

PairBits Schedule::localBox(const PointBox& box, Index a, Index b) const {
    const int last = points_ - 1;
    const int i0 = std::clamp(box.u0 - a * points_, 0, last);
    const int i1 = std::clamp(box.u1 - a * points_, 0, last);
    const int j0 = std::clamp(box.v0 - b * points_, 0, last);
    const int j1 = std::clamp(box.v1 - b * points_, 0, last);
    return PairBits::box(points_, i0, i1, j0, j1);
}

// Boxes may reach over segments that share no cell yet: their entries are made here, for the
// schedule could not know later what is covered.
void Schedule::cover(const PointBox& box) {
    overSegments(box, [&](Index a, Index b) {
        Entry* e = find(placeOf_[a], placeOf_[b]);
        if (!e) {
            if (exclusion_.excluded(a, b) == full_) return;
            e = &add(placeOf_[a], placeOf_[b]);
        }
        if (e->cover == 0) e->cover = static_cast<std::uint32_t>(newCover());
        cover_[e->cover] = cover_[e->cover] | localBox(box, a, b);
    });
}

void Schedule::uncover(const PointBox& box) {
    overSegments(box, [&](Index a, Index b) {
        Entry* e = find(placeOf_[a], placeOf_[b]);
        if (!e || e->cover == 0) return;
        PairBits& bits = cover_[e->cover];
        bits = (bits & ~localBox(box, a, b)) | exclusion_.excluded(a, b);
        if (!bits.any()) {
            freeCovers_.push_back(static_cast<Index>(e->cover));
            e->cover = 0;
        }
        e->bin = 0;
        e->remaining = -1;
        binsOf_[placeOf_[a]] |= 1;
    });
}

void Schedule::moveCover(const PointBox& from, const PointBox& to) {
    overSegments(from, [&](Index a, Index b) {
        Entry* e = find(placeOf_[a], placeOf_[b]);
        if (!e || e->cover == 0) return;
        const Index n = points_;
        const bool meets = to.overlaps({a * n, a * n + n - 1, b * n, b * n + n - 1});
        const PairBits keep = meets ? localBox(to, a, b) : PairBits{};
        const PairBits before = cover_[e->cover];
        const PairBits after =
            (before & ~(localBox(from, a, b) & ~keep)) | exclusion_.excluded(a, b);
        if (after == before) return;
        cover_[e->cover] = after;
        if (!after.any()) {
            freeCovers_.push_back(static_cast<Index>(e->cover));
            e->cover = 0;
        }
        e->bin = 0;
        e->remaining = -1;
        binsOf_[placeOf_[a]] |= 1;
    });
    cover(to);
}

void Schedule::rescale(double factor) {
    movement_.rescale(factor);
    wakeAll_ = true;
}

ScheduleStats Schedule::stats() const {
    ScheduleStats s;
    s.entries = count_;
    s.examined = tally_.examined;
    s.processed = tally_.processed;
    s.newcomers = grid_.newcomers();
    s.woken = static_cast<long>(wokenPlaces_.size());
    s.bytes = entries_.bytes() + owners_.bytes() + cover_.size() * sizeof(PairBits) +
              freeCovers_.size() * sizeof(Index) + movement_.bytes() + grid_.bytes() +
              exclusion_.bytes() +
              segmentAt_.size() * (sizeof(Index) + sizeof(float) + sizeof(double) + 4) +
              placeOf_.size() * sizeof(Index);
    return s;
}

} // namespace purl
