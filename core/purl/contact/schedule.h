// Finds new contacts (Kaldor 2010 5.2; physics 4.8 with its corrections). Pairs of segments that
// share a cell of the grid have an entry, which knows how far its live points are from touching. An
// entry is looked at only when its time bin comes round, or when the motion of one of its segments
// departs from what the bin was chosen for; its points are compared only when movement may have
// used the distance up.
//
// What is found depends on the positions and on what is covered alone, never on the history: each
// update tells exactly the allowed, uncovered pairs that touch. A checkpoint therefore needs
// nothing of the schedule: make a new one and cover the contact sets again.
//
// Where we differ from the paper: boxes come from Bezier points instead of quadratics; segments
// keep their cells until they leave them; movement is measured from snapshots in place of sums; and
// omega is each control point's own, found from how often it is woken.
#pragma once

#include "purl/contact/exclusion.h"
#include "purl/contact/movement.h"
#include "purl/contact/point_box.h"
#include "purl/contact/segment_distance.h"
#include "purl/contact/segment_grid.h"
#include "purl/model/settings.h"

namespace purl {

struct ScheduleStats {     // of the last update, but for what is kept
    long entries = 0;      // kept
    long examined = 0;     // distances brought up to date
    long processed = 0;    // distances measured
    long newcomers = 0;    // segments that came into new cells
    long woken = 0;        // segments whose motion changed
    std::size_t bytes = 0; // kept
};

class Schedule {
public:
    Schedule() = default;
    Schedule(const Curves& rest, const Layout& layout, const std::vector<Weld>& welds,
             const ContactSettings& settings);

    // One call a step, at its positions. Appends every allowed pair of points nearer than
    // r_a + r_b that is not covered, sorted. The first call finds all there are.
    void update(const Padded3& x, std::vector<PointPair>& found);

    void cover(const PointBox&);   // these pairs are now a contact set's business
    void uncover(const PointBox&); // no longer; looked at in the next update
    // A set changed its box: what both hold needs no look.
    void moveCover(const PointBox& from, const PointBox& to);
    void rescale(double factor); // the step became `factor` times as long

    ScheduleStats stats() const;

private:
    static constexpr std::uint32_t kAsleep = 15; // a bin never visited: no live point pair
    struct Entry {
        Index other;                       // place of the segment with the higher number
        float remaining;                   // m, to touching, at the last visit of its bin
        std::uint32_t bin : 4, cover : 28; // cover: 0 is none
    };
    struct Tally {
        long examined = 0, processed = 0;
    };
    struct Work { // of one chunk of owners
        std::vector<PointPair> found;
        std::vector<SegmentGrid::Pair> removed;
        Tally tally;
    };
    class Owner;

    void wakeEntries();
    void addMet();
    void visit(const Padded3& x, Index first, Index last, Work& work);
    void examine(const Padded3& x, Owner& owner, Entry& e, Work& work);
    void choose(Owner& owner, Entry& e, float distance) const;
    Entry* find(Index a, Index b);
    Entry& add(Index a, Index b);
    template <class Visit>
    void overSegments(const PointBox&, Visit&& visit);
    PairBits localBox(const PointBox&, Index a, Index b) const;
    Index newCover();

    int points_ = 0;
    Exclusion exclusion_;
    Movement movement_;
    SegmentGrid grid_;
    SegmentDistance distance_;
    std::vector<Index> placeOf_;   // per segment: slot of its first control point
    std::vector<Index> segmentAt_; // per slot: the segment whose place it is, or -1
    std::vector<float> radius_;    // m, per slot
    std::vector<double> exactRadius_;
    ListPool<Entry> entries_;           // by place of the lower segment
    ListPool<Index> owners_;            // by place: segments with lower numbers that share an entry
    std::vector<std::uint16_t> binsOf_; // by place: bins that its entries are in
    std::vector<std::uint8_t> woken_, alert_; // by place; alert: itself or a neighbour woken
    std::vector<Index> wokenPlaces_;
    std::vector<PairBits> cover_; // covered or excluded
    std::vector<Index> freeCovers_;
    PairBits full_;
    std::vector<Work> work_;
    long count_ = 0;
    bool wakeAll_ = true;
    Tally tally_;
};

} // namespace purl
