// All contact sets. What a step streams is kept in records of eight sets of equal size (one a SIMD
// lane), sorted by where the sets are: a region is a stretch of segments that the first side of its
// sets lies on, and one task. What a step hardly touches (boxes, springs) is kept aside.
#pragma once

#include "purl/contact/lanes.h"
#include "purl/contact/stiction.h"

namespace purl {

constexpr int kSetClasses = kMaxControls - kMinControls + 1;

// Rows of a record for n control points; each row is one number of eight sets. The matrix is in
// half precision, two numbers a row, as shares of the set's largest.
struct RecordRows {
    int n;
    int rest() const { return 0; }      // 3 n: positions from the centroid, m
    int force() const { return 3 * n; } // 3 n: N
    int turn() const { return 6 * n; }  // 4: rotation since the rebuild, quaternion x y z w
    // 1: displacement squared, m2, that surely does not slide; if negative, steps until its springs
    // are looked at again.
    int slack() const { return 6 * n + 4; }
    int scale() const { return 6 * n + 5; }   // 1: N/m, what the matrix is multiplied by
    int normal() const { return 6 * n + 6; }  // 3: direction of the contact's force
    int pace() const { return 6 * n + 9; }    // 1: 1/J, see LinearModel
    int limits() const { return 6 * n + 10; } // 2: 1/m2, see AclContact::Impl::write
    int matrix() const { return 6 * n + 12; } // half numbers: 6 n(n+1)/2 of the matrix, then
    int blocks() const { return 3 * n * (n + 1); }
    int numbers() const { return blocks() + 2 * n; } // LinearModel::ends
    int size() const { return matrix() + numbers() / 2; }
};

struct ContactSet {
    PointBox box{};
    Window window;
    Index region = -1, lane = -1; // lane: place among the sets of its size in its region
    float nearest = 0;            // m, epsilon at the last rebuild
    bool touching = false;
    Stiction stiction;
    bool alive() const { return region >= 0; }
};

class SetStore {
public:
    static constexpr Index kRegionSegments = 512;
    static constexpr Index kBlock = 32; // slots a block of sums

    struct Lane { // what a lane needs to read and write nodes
        Index slotU, slotV, sumU, sumV, id;
        int nu;
    };
    struct Region {
        std::vector<Lane> lane[kSetClasses];
        std::vector<Pack8> record[kSetClasses];
        std::vector<Index> blocks; // of slots that its sets push, ascending
        std::vector<Float4> sum;   // N, of those blocks
    };

    SetStore() = default;
    SetStore(Index segments, Index slots, int pointsPerSegment);

    Index add(const PointBox&);               // a set without a model yet
    void remove(Index id);                    // with its record
    void place(Index id, const LinearModel&); // makes the record; class and lane may change
    void resize(Index id, const PointBox&);   // the box alone: what segments know of the set
    // Ids of sets whose box meets this one; `except` is left out.
    void overlapping(const PointBox&, Index except, std::vector<Index>& out) const;

    ContactSet& operator[](Index id) { return sets_[id]; }
    const ContactSet& operator[](Index id) const { return sets_[id]; }
    Index count() const { return count_; }
    Index ids() const { return static_cast<Index>(sets_.size()); }
    std::vector<Region>& regions() { return regions_; }
    const std::vector<Region>& regions() const { return regions_; }
    Index slots() const { return slots_; }
    // Adds what regions summed to f, in the order of regions, and forgets it.
    void reduce(Padded3& f);
    double recordBytes() const;
    double bytes() const;
    void save(class SnapshotWriter&) const;
    void load(class SnapshotReader&); // into a store of the same yarns
    void makeStale();                 // every model is made anew when it is next evaluated

private:
    void list(Index id, bool in);
    void removeLane(Index id);
    void needBlocks(Region&, const Window&);
    void joinBlocks();

    std::vector<ContactSet> sets_;
    std::vector<Index> freeIds_;
    std::vector<std::vector<Index>> bySegment_; // ids by segment of the first side
    std::vector<Region> regions_;
    std::vector<Index> blockStart_, blockRegion_, blockAt_; // who pushes a block of slots
    bool blocksChanged_ = true;
    Index slots_ = 0, count_ = 0;
    int points_ = 11;
};

// Where the number of a lane stands in its record.
inline float& laneNumber(std::vector<Pack8>& record, const RecordRows& rows, Index lane, int row) {
    return reinterpret_cast<float*>(
        &record[static_cast<std::size_t>(lane / 8) * rows.size() + row])[lane % 8];
}

inline float laneNumber(const std::vector<Pack8>& record, const RecordRows& rows, Index lane,
                        int row) {
    return reinterpret_cast<const float*>(
        &record[static_cast<std::size_t>(lane / 8) * rows.size() + row])[lane % 8];
}
inline std::uint16_t& laneHalf(std::vector<Pack8>& record, const RecordRows& rows, Index lane,
                               int number) {
    Pack8* matrix = &record[static_cast<std::size_t>(lane / 8) * rows.size() + rows.matrix()];
    return reinterpret_cast<std::uint16_t*>(matrix)[8 * number + lane % 8];
}

} // namespace purl
