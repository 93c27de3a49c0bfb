// The answer of yarn nodes to colliders (physics 5.4): stop the approach, Coulomb friction on what
// slides, push-out of what is inside at a limited speed. Applied to the velocities that a step is
// about to use.
//
// Tested are all nodes and, through Catmull-Rom weights, points between them. Whatever moves far in
// one step relative to its own gap is followed along its path, so that nothing skips through a thin
// or fast collider.
#pragma once

#include "purl/collide/collider.h"
#include "purl/geometry/curves.h"
#include "purl/model/settings.h"

#include <array>

namespace purl {

// A point of the yarn that is no node: the weighted sum of four nodes.
struct YarnPoint {
    std::array<Index, 4> node;
    std::array<double, 4> weight; // sum to one; a repeated node has weight zero
    double radius;                // m
};

// The middle of every segment, in the order of yarns and segments.
std::vector<YarnPoint> midSegmentPoints(const Curves& curves);
std::vector<double> nodeRadii(const Curves& curves);

struct CollisionBody {
    const Collider* collider = nullptr;
    CollisionSettings settings;
};

struct CollisionFigures {
    Index touching = 0;      // points that touched a collider (a point counts once a collider)
    double deepest = 0;      // m, largest depth at the step's start of a point below its gap
    double frictionHeat = 0; // J, kinetic energy that friction took, seen from the collider
    Index followed = 0;      // points whose path through the step had to be followed
};

class CollisionResponse {
public:
    CollisionResponse(std::vector<double> nodeRadius /*m*/, const std::vector<YarnPoint>& points);
    explicit CollisionResponse(const Curves& curves)
        : CollisionResponse(nodeRadii(curves), midSegmentPoints(curves)) {}

    // x (m) and v (m/s) are those at the start of the step and those about to be used for it;
    // v is corrected, and x is too where something has to be pushed out of a collider, so that the
    // push leaves no speed behind. Nodes of inverseMass (1/kg) 0 are not touched. dt in s; t1 in
    // [0,1] is the time inside the frame at the end of the step. Allocates only when the number of
    // bodies grows.
    CollisionFigures apply(Span<const CollisionBody> bodies, Span<Vec3> x, Span<Vec3> v,
                           Span<const double> inverseMass, double dt, double t1);

private:
    static constexpr Index kBlock = 16; // nodes a block

    struct Step;
    // What is known of a point and a body: within `slack` of `from`, shrinking by `rate` a frame as
    // the body moves, the point cannot touch. Only saves work: an answer never depends on it.
    struct Clearance {
        Vec3 from;         // m
        double slack = -1; // m, as it was or would have been at the frame's start
        double rate = 0;   // m a frame
    };
    struct Known { // what the clearances of a body were made for
        std::uint64_t stamp = 0;
        double thickness = 0, t1 = 0;
    };
    struct Partial { // per block, added up in order
        Index touching = 0, followed = 0;
        Index points = 0; // touching ones that are no nodes
        double deepest = 0, heat = 0;
        void add(bool wasFollowed, double depth, double joules) {
            ++touching;
            followed += wasFollowed;
            deepest = deepest > depth ? deepest : depth;
            heat += joules;
        }
    };
    struct Pull {      // what a touching point asks of its nodes
        Vec3 dv;       // m/s
        Vec3 shift;    // m
        double w;      // 1/kg, effective inverse mass of the point
        double speed;  // |dv|
        double length; // |shift|
    };
    Clearance* clear(std::size_t body, std::size_t i) {
        return clearance_.data() + body * (radius_.size() + points_.size()) + i;
    }
    void refresh(const Step& s);
    void findNear(const Step& s);
    void answerNodes(const Step& s, Index block);
    void answerPoints(const Step& s, Index block);
    void gatherNodes(const Step& s, Index block);

    Index nodes_, blocks_;
    std::vector<double> radius_;          // per node
    std::vector<YarnPoint> points_;       // by the block of their second node
    std::vector<Index> firstPoint_;       // per block, blocks_ + 1
    std::vector<Index> halo_, firstHalo_; // nodes of other blocks that a block's points use
    std::vector<double> overshoot_;       // per block: largest sum of |weight|, at least 1
    std::vector<double> maxRadius_;       // m, per block
    std::vector<Index> user_, firstUser_; // per node: points that use it (4 * point + corner)

    std::vector<std::uint8_t> near_;   // per block and body
    std::vector<std::uint8_t> gather_; // per block: a point that uses one of its nodes is near
    std::vector<Index> active_, gatherList_; // blocks with anything near, blocks to gather
    std::vector<std::uint8_t> touched_;      // per point
    std::vector<Pull> pull_;                 // per point, of those touched
    std::vector<Partial> partial_;
    std::vector<Clearance> clearance_; // per body: all nodes, then all points
    std::vector<Known> known_;         // per body
};

} // namespace purl
