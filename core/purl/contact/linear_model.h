// The linear model of one contact set (physics 4.2, 4.5; Kaldor 2010 section 4): all pairs of its
// box by quadrature, summed to a force on the control points and its derivative.
#pragma once

#include "purl/contact/exclusion.h"
#include "purl/contact/pair.h"
#include "purl/contact/point_box.h"
#include "purl/contact/quadrature.h"

#include <array>

namespace purl {

constexpr int kMaxSide = 4;                      // segments a side of a set; longer ones are split
constexpr int kMinControls = 8;                  // one segment a side
constexpr int kMaxControls = 2 * (kMaxSide + 3); // control points a set
constexpr int kMaxBlocks = kMaxControls * (kMaxControls + 1) / 2;

// The control points of a box: two runs of padded slots.
struct Window {
    Index slotU = 0, slotV = 0; // first slot of each run
    int nu = 0, nv = 0;
    int size() const { return nu + nv; }
    Index slot(int a) const { return a < nu ? slotU + a : slotV + (a - nu); }
    bool operator==(const Window& o) const {
        return slotU == o.slotU && slotV == o.slotV && nu == o.nu && nv == o.nv;
    }
};

// What the pairs of a box say, before anything is summed.
struct Measure {
    double nearest = 1e300; // m, of all allowed pairs: epsilon of physics 4.2
    long touching = 0;      // pairs
    PointBox touch{};       // their extent; empty (u0 > u1) if none touch
};

struct LinearModel {
    Window window;
    std::array<double, 3 * kMaxControls> position; // m, from the centroid
    std::array<double, 3 * kMaxControls> force;    // N
    // N/m, derivative of the force: blocks (a, b >= a) row by row, six numbers each (xx xy xz yy yz
    // zz); a block is symmetric, as every pair's is.
    std::array<float, 6 * kMaxBlocks> stiffness;
    // The next term, along the force alone: yarns pressed together push with the square of how far
    // (physics 3.3: F''F/F'^2 is 0.50 to 0.53), because more of them comes into touch, which no
    // derivative of the pairs that touch now can tell. With g the part of the force along `normal`,
    // the force is g (1 + w + w^2/4), w = -pace g.z, and nothing beyond w = -2.
    double normal[3], pace; // pace in 1/J
    // Two a control point: its weights in the places where its yarn begins and ends to touch.
    std::array<float, 2 * kMaxControls> ends;
    static int block(int n, int a, int b) { return a * n - a * (a - 1) / 2 + (b - a); }
};

class ModelBuilder {
public:
    ModelBuilder() = default;
    ModelBuilder(const Quadrature&, const Exclusion&, const ContactSettings& = {});

    double reach(const PointBox& b) const; // m, r_u + r_v
    Window window(const PointBox&) const;
    Index yarnOf(Index point) const;
    // First and last point of the yarn that a point is on.
    PointBox clip(PointBox) const;
    Measure measure(const PointBox&, const Padded3& x) const;
    double energy(const PointBox&, const Padded3& x) const; // J, of all its pairs
    // Sums the pairs inside `touch` for the control points of `box`, which holds it. With settings
    // for implicit steps the stiffness is minus a sum of squares (physics 3.2, the PSD version).
    void build(const PointBox& touch, const PointBox& box, const Padded3& x, bool matrix,
               LinearModel& out) const;
    Vec3 point(Index p, const Padded3& x) const;
    const double* weights(Index p) const { return &weight_[4 * (p % points_)]; }
    const float* floatWeights(Index p) const { return &floatWeight_[4 * (p % points_)]; }
    // The first of the four control points of a point of the first or second side.
    int controlU(Index p, const Window& w) const { return q_->slot[p / points_] - 1 - w.slotU; }
    int controlV(Index p, const Window& w) const {
        return w.nu + q_->slot[p / points_] - 1 - w.slotV;
    }
    int pointsPerSegment() const { return points_; }

private:
    // The excluded pairs of a box; most have none.
    struct Excluded {
        bool any = false;
        Index segU = 0, segV = 0;
        PairBits bits[kMaxSide][kMaxSide];
    };
    Excluded excludedIn(const PointBox&) const;
    bool test(const Excluded& e, Index u, Index v) const {
        return e.bits[u / points_ - e.segU][v / points_ - e.segV].test(
            static_cast<int>(u % points_ * points_ + v % points_));
    }
    V4i mask(const Excluded&, Index u, Index v, Index last) const; // lanes v .. v+3, up to last
    void press(LinearModel&) const; // normal and pace, from the force and its derivative
    void sumSegments(Index segU, Index segV, const PointBox& touch, const Excluded&, double D,
                     const Padded3& x, bool matrix, LinearModel& out) const;

    const Quadrature* q_ = nullptr;
    const Exclusion* exclusion_ = nullptr;
    Stiffening stiffening_;
    bool positive_ = false; // stiffness without the term that turns normals
    int points_ = 11;
    std::vector<float> floatWeight_;
    std::vector<double> weight_;         // 4 a point of a segment
    std::vector<double> packed_;         // [pack][control][lane], zero beyond the last point
    std::vector<Index> yarnFirst_;       // first segment of each yarn, and the end
    std::vector<double> scale_, radius_; // per segment, per yarn
    std::vector<Index> yarnOfSegment_;
};

} // namespace purl
