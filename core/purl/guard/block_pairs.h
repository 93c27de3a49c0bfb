// Which runs of yarn ("blocks", a loop or so) are near which: the pairs that the guard watches.
// Each pair has a distance left that its two blocks may still move against each other before it
// must be looked at; a step takes from it what they did move. Pairs that are not listed are at
// least `skin` apart, and MotionBound tells when they might not be any more.
#pragma once

#include "purl/contact/lanes.h"
#include "purl/contact/motion_bound.h"
#include "purl/guard/segment_pair.h"

namespace purl {

class BlockPairs {
public:
    static constexpr Index kBlock = 8; // segments, at most

    struct Block {
        Index first, count; // segments
    };

    BlockPairs() = default;
    BlockPairs(const SegmentPairs&, double skin /*m*/);

    // To the next step, from x0 to x1, both in layout order. Lists anew if need be: new pairs have
    // nothing left, so that they are looked at in this very step.
    void advance(const SegmentPairs&, const Padded3& x0, const Padded3& x1);
    // Takes from what the pairs of [begin, end) have left, and lists those that have nothing left.
    void run(Index begin, Index end, std::vector<Index>& due);
    void back(); // the last step is undone: all went the same way back

    Index size() const { return static_cast<Index>(left_.size()); }
    const Block& block(Index b) const { return blocks_[b]; }
    Index first(Index pair) const { return pair_[pair].g; }
    Index second(Index pair) const { return pair_[pair].h; }
    void setLeft(Index pair, double metres) { left_[pair] = static_cast<float>(metres); }
    long rebuilds() const { return rebuilds_; }

private:
    struct Pair {
        Index g, h; // g <= h
        bool operator<(const Pair& o) const { return g != o.g ? g < o.g : h < o.h; }
    };
    void measureMoves(const SegmentPairs&, const Padded3& x0, const Padded3& x1);
    void rebuild(const SegmentPairs&, const Padded3& x0, const Padded3& x1);
    float moved(Index pair) const {
        return farthest(moved_[pair_[pair].g], moved_[pair_[pair].h]) * (1 + kSlightly) + round_;
    }

    static constexpr float kSlightly = 1e-5f; // more than any rounding of a bound
    double skin_ = 0;
    float round_ = 0; // m a step, more than what single precision may forget
    bool listed_ = false;
    double free_ = 0, travelled_ = 0; // m, of any two pieces against each other
    long rebuilds_ = 0;
    std::vector<Block> blocks_;
    std::vector<Index> vertex_; // slots of segments' first vertices, as MotionBound wants them
    std::vector<Box4> moved_;   // m, per block, in this step
    double step_ = 0;           // m, of any two blocks against each other in this step
    MotionBound bound_;
    std::vector<Pair> pair_;  // sorted
    std::vector<float> left_; // m
};

} // namespace purl
