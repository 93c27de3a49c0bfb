// Finds new contacts for implicit steps. The schedule (schedule.h) lives from steps so short that
// almost nothing moves: in a step of milliseconds nearly every entry of it is due, each a few cache
// misses away. Here the pairs of segments that are near lie in rows, one after the other in memory,
// and every step goes over all of them: a pair has a distance left, and a step takes from it what
// the two moved against each other. Only pairs with nothing left are measured. The rows are made
// anew when something may have come from farther than the skin.
//
// What is told is what the schedule would tell: exactly the allowed, uncovered pairs of points that
// touch, whatever came before. So nothing of it is in a checkpoint, and a step that was undone
// needs no care.
#pragma once

#include "purl/contact/exclusion.h"
#include "purl/contact/point_box.h"
#include "purl/contact/schedule.h"
#include "purl/contact/segment_distance.h"

#include <unordered_map>

namespace purl {

class PairList {
public:
    PairList() = default;
    PairList(const Curves& rest, const Layout& layout, const std::vector<Weld>& welds,
             const ContactSettings& settings);

    // As in Schedule.
    void update(const Padded3& x, std::vector<PointPair>& found);
    void cover(const PointBox&);
    void uncover(const PointBox&);
    void moveCover(const PointBox& from, const PointBox& to);
    ScheduleStats stats() const;
    long rebuilds() const { return rebuilds_; }

private:
    struct Entry {
        Index b;             // the other segment, ascending in a row; the row's own is a <= b
        float left;          // m, that the two may surely come nearer before points of them touch
        std::uint32_t cover; // 0: nothing is covered or excluded
    };
    struct Work { // of one chunk of rows
        std::vector<PointPair> found;
        std::vector<Entry> row;     // made anew, row after row
        std::vector<PairBits> bits; // excluded pairs of new entries
        long examined = 0, processed = 0;
    };
    void move(const Padded3& x);
    void rebuild();
    void sortIntoCells();
    void remakeRow(Index a, Work&);
    void look(const Padded3& x, Index a, Work&);
    Entry* find(Index a, Index b);
    void setCover(Entry&, const PairBits&);
    const PairBits& bitsOf(const Entry& e) const { return cover_[e.cover]; }
    template <class Visit>
    void overSegments(const PointBox&, Visit&&) const;
    PairBits localBox(const PointBox&, Index a, Index b) const;
    static std::uint64_t key(Index a, Index b) {
        return static_cast<std::uint64_t>(a) << 32 | static_cast<std::uint32_t>(b);
    }

    int points_ = 0;
    Exclusion exclusion_;
    SegmentDistance distance_;
    PairBits full_;
    std::vector<Index> place_;       // slot of a segment's first control point
    std::vector<float> radius_;      // m, per segment
    std::vector<std::uint8_t> self_; // may touch itself
    float skin_ = 0;                 // m
    bool listed_ = false;
    double travelled_ = 0; // m, that any two may have come nearer since the rows were made
    long rebuilds_ = 0, examined_ = 0, processed_ = 0;

    Padded3 last_;                    // m, at the last update
    Vec3 origin_ = Vec3::Zero();      // m, what floats count from
    float rounding_ = 0;              // m, of a distance of boxes
    std::vector<Float4> now_, moved_; // by slot: m from the origin; in this step, less the mean
    std::vector<Box4> box_, shift_;   // per segment: of its curve; of its movement

    std::vector<Index> start_; // of a row; one more than segments
    std::vector<Entry> entry_;
    std::vector<PairBits> cover_; // covered or excluded; 0 is none
    std::vector<std::uint32_t> freeCovers_;
    std::unordered_map<std::uint64_t, PairBits> apart_; // covered pairs that are in no row yet

    // The grid of the rebuild: segments by the cell of their middle.
    double cell_ = 1;
    Index cells_[3] = {1, 1, 1};
    Vec3 corner_ = Vec3::Zero();
    std::vector<Index> cellOf_, cellStart_, inCell_, large_;
    std::vector<float>
        side_[6]; // m, by place in inCell_: low and high of boxes, grown by radius and skin
    std::vector<Work> work_;
    std::vector<Entry> spare_;
    std::vector<Index> spareStart_;
};

} // namespace purl
