// Exact contact the way the reference of Kaldor 2010 (section 6) did it: each step a bounding
// hierarchy over the segments is refitted and traversed against itself, and all quadrature pairs of
// every near pair of segments are evaluated, in scalar code, with nothing kept from step to step.
// The same forces as ExactContact; what the paper's speed-ups are measured against.
#pragma once

#include "purl/contact/quadrature.h"
#include "purl/contact/segment_tree.h"
#include "purl/geometry/catmull_rom.h"
#include "purl/model/weld.h"

namespace purl {

class HierarchyContact {
public:
    HierarchyContact() = default;
    HierarchyContact(const Curves& rest, const Layout& layout,
                     const std::vector<Material>& material, const std::vector<Weld>& welds,
                     const ContactSettings& settings);

    void addForce(const Padded3& x, Padded3& f); // ghosts folded back
    double energy() const;                       // J, at the last evaluated positions
    long nearPairs() const { return near_; }     // of segments, in the last evaluation
    long touchingPairs() const { return touching_; }

private:
    struct WeldArc {
        Index otherYarn;
        double arc, otherArc; // m
    };
    struct Foreign { // what a part's pair exerts on a segment of a later part
        Index place;
        double force[12]; // on its four control points
    };
    struct PartWork {
        std::vector<Foreign> foreign;
        long near = 0, touching = 0;
    };

    void placePoints(const Padded3& x);
    // Calls visit(i, j, separation, its square, reach) for the touching points of two segments.
    template <class Visit>
    void overPoints(Index p, Index q, Visit&& visit) const;
    bool strangers(Index p, Index q) const;
    bool excluded(Index p, int i, Index q, int j) const;
    bool meet(Index p, Index q, double* fq);
    void spreadOwn(Index part);
    void gather(Padded3& f);

    int b_ = 0; // points a segment
    std::vector<Weights4> weight_;
    const Layout* layout_ = nullptr;
    SegmentTree tree_;
    // Per place in the tree.
    struct Segment {
        Index slot, yarn;
        double scale, radius; // sqrt(k) l / b; m
        double arc, length;   // m, along the yarn at rest
    };
    std::vector<Segment> segment_;
    std::vector<double> at_, force_; // 3 b a segment: point after point
    std::vector<double> control_;    // 12 a segment: force on its control points
    std::vector<SegmentTree::Box> box_;
    std::vector<PartWork> work_;
    std::vector<Index> partOf_;
    std::vector<std::vector<WeldArc>> weldsOf_; // per yarn
    std::vector<double> yarnLength_, exclusion_;
    std::vector<std::uint8_t> closed_;
    std::vector<Index> placeOfSlot_; // place of the segment that starts at a slot, -1: none
    long near_ = 0, touching_ = 0;
};

} // namespace purl
