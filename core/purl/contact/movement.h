// How every control point moves: what the schedule bounds approach with (physics 4.8, Kaldor 2010
// 5.2). Positions are taken relative to the centre of mass, so that cloth that falls or is carried
// as a whole does not move at all. Kept for each slot of the layout:
//   moved       this step's movement
//   reference   a change of movement a step (second difference) that the real one stays near to;
//               its fourth number is how near, the omega/2 of the paper
//   snapshots   positions at the last visit of each time bin
// A bin lambda >= 1 is visited when step mod 2^lambda == 2^(lambda-1), like the marks of a ruler:
// each step visits bin 0 and at most one other, and one snapshot a bin serves all its entries.
#pragma once

#include "purl/contact/lanes.h"
#include "purl/model/layout.h"

#include <array>

namespace purl {

class Movement {
public:
    static constexpr int kBins = 9; // lambda = 0 .. 8

    Movement() = default;
    Movement(Index slots, double reach); // reach: m, 2r; the unit of the tolerances

    void advance(const Padded3& x); // to the positions of a new step
    void finish();                  // the visits of this step are done
    void rescale(double factor);    // the step became `factor` times as long

    long step() const { return step_; } // 0 at the first positions
    // The bin visited in this step besides bin 0, or 0.
    int visited() const { return visited_; }
    // Steps until a bin is visited next.
    int wait(int bin) const {
        if (bin == 0) return 1;
        const long period = 1L << bin, left = (period / 2 - step_) & (period - 1);
        return static_cast<int>(left == 0 ? period : left);
    }
    const std::vector<Index>& woken() const { return woken_; } // slots whose reference has changed
    const Float4* now() const { return now_.data(); }          // m, from the centre of mass
    const Vec3& centre() const { return centre_; }             // m

    // Bounds for the curve of the four slots from `place` on.
    Box4 moved(Index place) const { return curveBox(&moved_[place]); }
    Box4 change(Index place) const { return curveBox(&reference_[place]); }
    // How far a second difference of the curve may be from its reference: the absolute values of
    // Catmull-Rom weights sum to 5/4 at most.
    float tolerance(Index place) const {
        const Float4* q = &reference_[place];
        return 1.25f * std::max(std::max(q[0].v[3], q[1].v[3]), std::max(q[2].v[3], q[3].v[3]));
    }
    // Movement since the last visit of a bin; its rounding is bounded by rounding().
    Box4 since(int bin, Index place) const {
        if (bin == 0) return moved(place);
        const Float4 *p = &now_[place], *q = &snapshot_[bin][place];
        return curveBox(p[0].v - q[0].v, p[1].v - q[1].v, p[2].v - q[2].v, p[3].v - q[3].v);
    }
    float rounding() const { return rounding_; } // m
    std::size_t bytes() const;

private:
    struct Double4 {
        V4d v;
    };
    struct Sleep { // since the reference was last set
        V4f moved;
        std::int32_t step;
    };
    void follow(const Padded3& x);
    void start(const Padded3& x);
    void wake(Index slot, V4f moved, V4f change);
    void review(Index first, Index last);
    float rounding(float far) const;

    Index slots_ = 0;
    double reach_ = 0;
    long step_ = -1;
    int visited_ = 0;
    float rounding_ = 0;
    Vec3 centre_ = Vec3::Zero();
    std::vector<Double4> y_; // m, from the centre of mass
    std::vector<Float4> now_, moved_, reference_;
    std::array<std::vector<Float4>, kBins> snapshot_;
    std::vector<Sleep> sleep_;
    std::vector<Index> woken_;
    std::vector<std::vector<Index>> wokenOfChunk_;
    std::vector<float> farthestOfChunk_;
};

} // namespace purl
