// Entries by pair of segments, and which of their point pairs contact sets have taken over.
#include "purl/contact/schedule.h"

#include <algorithm>
#include <limits>

namespace purl {

Index Schedule::findGroup(Index g, Index h) const {
    for (const Link* l = links_.begin(g); l != links_.end(g); ++l)
        if (l->h == h) return l->group;
    return -1;
}

Schedule::Place Schedule::find(Index a, Index b) const {
    const Index g = blockOf_[a], h = blockOf_[b], group = findGroup(g, h);
    if (group < 0) return {-1, -1};
    const auto ka = static_cast<std::uint8_t>(a - firstSegment_[g]);
    const auto kb = static_cast<std::uint8_t>(b - firstSegment_[h]);
    const Entry* list = entries_.begin(group);
    for (Index k = 0; k < entries_.count(group); ++k)
        if (list[k].a == ka && list[k].b == kb) return {group, k};
    return {group, -1};
}

Schedule::Place Schedule::add(Index a, Index b) {
    const Index g = blockOf_[a], h = blockOf_[b];
    Index group = findGroup(g, h);
    if (group < 0) {
        if (emptyGroups_.empty()) {
            group = entries_.addList();
            due_.addList();
            bin_.addList();
            groups_.push_back({});
        } else {
            group = emptyGroups_.back();
            emptyGroups_.pop_back();
        }
        groups_[group].g = g;
        groups_[group].h = h;
        links_.push(g, {h, group});
    }
    Entry e{};
    e.a = static_cast<std::uint8_t>(a - firstSegment_[g]);
    e.b = static_cast<std::uint8_t>(b - firstSegment_[h]);
    entries_.push(group, e);
    due_.push(group, 0);
    bin_.push(group, 0);
    ++count_;
    const Place place{group, entries_.count(group) - 1};
    makeDue(place);
    setCover(place, exclusion_.excluded(a, b));
    return place;
}

// Processed in the next update.
void Schedule::makeDue(Place place) {
    bin_.begin(place.group)[place.entry] = 0;
    entries_.begin(place.group)[place.entry].remaining = -1;
    due_.begin(place.group)[place.entry] = groups_[place.group].next =
        -std::numeric_limits<float>::infinity();
}

void Schedule::setCover(Place place, const PairBits& bits) {
    Entry& e = entries_.begin(place.group)[place.entry];
    if (!bits.any()) {
        if (e.cover != 0) freeCovers_.push_back(static_cast<Index>(e.cover));
        e.cover = 0;
        return;
    }
    if (e.cover == 0) {
        if (freeCovers_.empty()) {
            freeCovers_.push_back(static_cast<Index>(cover_.size()));
            cover_.push_back({});
        }
        e.cover = static_cast<std::uint32_t>(freeCovers_.back());
        freeCovers_.pop_back();
    }
    cover_[e.cover] = bits;
}

// Pairs of segments under a box of points, the lower first.
template <class Visit>
void Schedule::overSegments(const PointBox& box, Visit&& visit) {
    const Index last = static_cast<Index>(blockOf_.size()) - 1;
    const Index u1 = std::min(last, box.u1 / points_), v1 = std::min(last, box.v1 / points_);
    for (Index a = std::max<Index>(0, box.u0) / points_; a <= u1; ++a)
        for (Index b = std::max(a, std::max<Index>(0, box.v0) / points_); b <= v1; ++b) visit(a, b);
}

// The part of a box that lies in two segments; they must overlap it.
PairBits Schedule::localBox(const PointBox& box, Index a, Index b) const {
    const int last = points_ - 1;
    return PairBits::box(points_, std::clamp(box.u0 - a * points_, 0, last),
                         std::clamp(box.u1 - a * points_, 0, last),
                         std::clamp(box.v0 - b * points_, 0, last),
                         std::clamp(box.v1 - b * points_, 0, last));
}

// Boxes may reach over segments that share no cell yet: their entries are made here, for the
// schedule could not know later what is covered.
void Schedule::cover(const PointBox& box) {
    overSegments(box, [&](Index a, Index b) {
        Place p = find(a, b);
        if (!p.found()) {
            if (exclusion_.excluded(a, b) == full_) return;
            p = add(a, b);
        }
        const Entry& e = entries_.begin(p.group)[p.entry];
        setCover(p, cover_[e.cover] | localBox(box, a, b));
    });
}

void Schedule::uncover(const PointBox& box) { moveCover(box, {0, -1, 0, -1}); }

void Schedule::moveCover(const PointBox& from, const PointBox& to) {
    const Index n = points_;
    overSegments(from, [&](Index a, Index b) {
        const Place p = find(a, b);
        if (!p.found()) return;
        const Entry& e = entries_.begin(p.group)[p.entry];
        const PairBits before = cover_[e.cover];
        PairBits gone = localBox(from, a, b);
        if (to.overlaps({a * n, a * n + n - 1, b * n, b * n + n - 1}))
            gone = gone & ~localBox(to, a, b);
        const PairBits after = (before & ~gone) | exclusion_.excluded(a, b);
        if (after == before) return;
        setCover(p, after);
        makeDue(p);
    });
    if (to.u0 <= to.u1) cover(to);
}

ScheduleStats Schedule::stats() const {
    ScheduleStats s;
    s.entries = count_;
    s.examined = examined_;
    s.processed = processed_;
    s.woken = woken_;
    s.newcomers = grid_.newcomers();
    s.bytes = entries_.bytes() + due_.bytes() + bin_.bytes() + links_.bytes() +
              groups_.size() * sizeof(Group) + cover_.size() * sizeof(PairBits) +
              freeCovers_.size() * sizeof(Index) + movement_.bytes() + grid_.bytes() +
              exclusion_.bytes() + (segmentAt_.size() + blockOf_.size()) * sizeof(Index);
    return s;
}

} // namespace purl
