// Finds new contacts (Kaldor 2010 5.2; physics 4.8 with its corrections). Pairs of segments that
// share a cell of the grid have an entry, which knows how far its live points are from touching.
// An entry is looked at when its time bin comes round, or when movement since may have used its
// distance up; its points are compared only when a closer look says the same.
//
// What is found depends on the positions and on what is covered alone, never on the history: each
// update tells exactly the allowed, uncovered pairs that touch. A checkpoint therefore needs
// nothing of the schedule: make a new one and cover the contact sets again. Nor does it depend on
// the length of steps, which may change at any time.
//
// Where we differ from the paper. It trusts a bin as long as no segment's change of movement is
// more than omega/2 off a reference, and sums what omega allows quadratically; we tried that first,
// with an omega of each control point's own. In a landing scarf a fifth of the entries had to be
// looked at in a step. Now entries are grouped by pairs of blocks (a loop or two of yarn each), and
// each group has an odometer: the sum of the largest relative movements between its two blocks, in
// steps as they really were. An entry sleeps until the odometer has run its distance; no guess
// about the future has to hold, and neighbours that swing together run no odometer. Entries that
// are farther from touching than a small share of 2r need no bin: boxes tell when they wake.
#pragma once

#include "purl/contact/exclusion.h"
#include "purl/contact/movement.h"
#include "purl/contact/point_box.h"
#include "purl/contact/segment_distance.h"
#include "purl/contact/segment_grid.h"
#include "purl/model/settings.h"

#include <limits>

namespace purl {

struct ScheduleStats {     // of the last update, but for what is kept
    long entries = 0;      // kept
    long examined = 0;     // distances brought up to date
    long processed = 0;    // distances measured
    long newcomers = 0;    // segments that came into new cells
    long woken = 0;        // entries examined before their bin was due
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

    ScheduleStats stats() const;

private:
    static constexpr std::uint8_t kAsleep = 15; // a bin never visited: no live point pair
    struct Entry {
        float remaining;     // m, to touching, at the last visit of its bin
        std::uint32_t cover; // 0 is none
        std::uint8_t a, b;   // segments in their blocks
    };
    struct Group {              // the entries of two blocks
        double odometer = 0;    // m
        float next = 0;         // m, smallest due
        std::uint32_t bins = 0; // that entries are in
        Index g = -1, h = -1;   // blocks, g <= h
    };
    struct Place {
        Index group, entry;
        bool found() const { return entry >= 0; }
    };
    struct Link { // from block g
        Index h, group;
    };
    struct Call {
        Index group, entry;
    };
    struct Work { // of one chunk of groups
        std::vector<Index> calling;
        std::vector<Call> called;
        std::vector<PointPair> found;
        std::vector<Index> emptied;
        long examined = 0, processed = 0, woken = 0, removed = 0;
    };
    struct View { // of the entry at work
        const Padded3& x;
        Work& work;
        double odometer;
        Index a, b; // slots of the first control points
        double reach;
        Entry& entry;
        float& due;
        std::uint8_t& bin;
    };

    void addMet();
    void visit(const Padded3& x, Index first, Index last, Work& work);
    bool run(Index group, std::uint32_t visited);
    void callUp(Index group, std::uint32_t visited, std::vector<Call>& called) const;
    void look(const Padded3& x, Call, Work& work);
    void settle(Index group);
    void examine(View&) const;
    void process(View&, float pace /*m a step, of the two*/) const;
    void sleep(View&, float distance, float pace) const;
    void remove(Index group, Index entry);
    void makeDue(Place);
    Index place(Index block, int k) const { return blocks_[block].place + k; }
    Index findGroup(Index g, Index h) const;
    Place find(Index a, Index b) const; // by segment numbers
    Place add(Index a, Index b);
    template <class Visit>
    void overSegments(const PointBox&, Visit&& visit);
    PairBits localBox(const PointBox&, Index a, Index b) const;
    void setCover(Place, const PairBits&);

    int points_ = 0;
    Exclusion exclusion_;
    Movement movement_;
    SegmentGrid grid_;
    SegmentDistance distance_;
    std::vector<Movement::Block> blocks_;
    std::vector<Index> firstSegment_; // of a block
    std::vector<Index> blockOf_;      // per segment
    std::vector<Index> segmentAt_;    // per slot: the segment whose first control point it is
    std::vector<double> radiusOf_;    // m, per block
    std::vector<Group> groups_;       // some empty
    // Of each entry, by group: what is read to find who is due lies close together.
    ListPool<float> due_;        // m, of the odometer: not touching before
    ListPool<std::uint8_t> bin_; // the time bin
    ListPool<Entry> entries_;
    ListPool<Link> links_; // by block g
    std::vector<Index> emptyGroups_;
    std::vector<PairBits> cover_; // covered or excluded
    std::vector<Index> freeCovers_;
    PairBits full_;
    std::vector<Work> work_;
    long count_ = 0, examined_ = 0, processed_ = 0, woken_ = 0;
};

} // namespace purl
