// How every control point moves: what the schedule bounds approach with (physics 4.8, Kaldor 2010
// 5.2). Positions are taken in a frame that goes and turns with the cloth, so that cloth that
// falls, is carried or turns as a whole does not move at all. Kept for each slot of the layout:
// this step's movement, and positions at the last visit of each time bin. A bin lambda >= 1 is
// visited when step mod 2^lambda == 2^(lambda-1), like the marks of a ruler: each step visits bin 0
// and at most one other, and one snapshot a bin serves all its entries.
#pragma once

#include "purl/contact/lanes.h"
#include "purl/model/layout.h"

#include <Eigen/Geometry>
#include <array>

namespace purl {

class Movement {
public:
    static constexpr int kBins = 9; // lambda = 0 .. 8

    // A run of segments of one yarn: the slots of their first control points.
    struct Block {
        Index place, count;
    };

    Movement() = default;
    Movement(Index slots, std::vector<Block> blocks, double reach /*m, 2r*/);

    void advance(const Padded3& x); // to the positions of a new step
    void finish();                  // the visits of this step are done

    // Positions are or were broken (not finite, or thrown out of the world): nothing is known of
    // what moved, and snapshots begin anew.
    bool disturbed() const { return disturbed_; }
    long step() const { return step_; }      // 0 at the first positions
    int visited() const { return visited_; } // the bin visited in this step besides bin 0, or 0
    // Steps since a bin >= 1 was visited, before this step.
    int age(int bin) const {
        const long period = 1L << bin, gone = (step_ - period / 2) & (period - 1);
        return static_cast<int>(gone == 0 ? period : gone);
    }
    const Float4* now() const { return now_.data(); } // m, in the frame

    // Of the curve ruled by the four slots from `place` on, in this step.
    Box4 moved(Index place) const { return curveBox(&moved_[place]); }
    // Of all curves of a block.
    const Box4& blockMoved(Index block) const { return blockMoved_[block]; }
    // Since the last visit of a bin; its rounding is bounded by rounding().
    Box4 since(int bin, Index place) const {
        if (bin == 0) return moved(place);
        const Float4 *p = &now_[place], *q = &snapshot_[bin][place];
        return curveBox(p[0].v - q[0].v, p[1].v - q[1].v, p[2].v - q[2].v, p[3].v - q[3].v);
    }
    void prefetch(int bin, Index place) const { // what since() will read
        if (bin >= kBins) return;
        const Float4* at[2] = {&now_[place], bin > 0 ? &snapshot_[bin][place] : &moved_[place]};
        for (const Float4* p : at) {
            __builtin_prefetch(p);
            __builtin_prefetch(p + 3);
        }
    }
    float rounding() const { return rounding_; } // m
    std::size_t bytes() const;

private:
    void start(const Padded3& x);
    void follow(const Padded3& x);
    void track(const Padded3& x, Index first, Index last, V4f& far);
    void moveBlocks();
    float rounding(V4f far) const;

    Index slots_ = 0;
    double reach_ = 0;
    long step_ = -1;
    int visited_ = 0;
    float rounding_ = 0;
    bool broken_ = false, disturbed_ = false;
    Vec3 centre_ = Vec3::Zero(); // m, of the frame
    Eigen::Quaterniond turned_ = Eigen::Quaterniond::Identity();
    Mat3 toFrame_ = Mat3::Identity();
    std::vector<Block> blocks_;
    std::vector<Double4> y_; // m, in the frame
    std::vector<Float4> now_, moved_;
    std::array<std::vector<Float4>, kBins> snapshot_;
    std::vector<Box4> blockMoved_;
    std::vector<Float4> farOfChunk_;
};

} // namespace purl
