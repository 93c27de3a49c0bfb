// Fabric as its crossings (physics 7): yarns that stay in contact are cut at the nodes where they
// meet. A node has one position and, for each yarn through it, a sliding coordinate: the rest arc
// length of the yarn's material point that is at the crossing just now. A yarn is the list of its
// visits to nodes, in order; woven cloth, knits and seams differ in nothing else.
//
//   woven    side 0 is the warp, side 1 the weft; a border ends in nodes of one yarn alone
//   knit     a stitch contact is two nodes, and both of its yarns visit them one after the other;
//            which yarn is side 0 at a node does not matter
//   seam     a yarn of its own that visits, as side 2, the nodes at which yarns of one or two
//            patches end (sides 0 and 1)
//
// Whoever fills a network (fabric_layout.h, samples.h) calls connect() at the end.
#pragma once

#include "purl/base/types.h"

#include <array>
#include <string>

namespace purl {

// One kind of yarn in a fabric. Defaults: the woven column of physics 7.4, cotton of 20 tex.
struct CrossingMaterial {
    std::string name = "cotton";
    double radius = 1.2e-4;         // m, R
    double density = 2e-5;          // kg/m, rho (1 tex = 1e-6 kg/m)
    double stretch = 2.0;           // N, k_s = Y pi R^2
    double bend = 1.1e-9;           // N m2, k_b = EI
    double shear = 1.5e-4;          // N, k_x = S R^2; a corner's energy is 1/2 k_x L (phi - rest)^2
    double jamming = 1000;          // times k_x that shear stiffens beyond its locking angle
    double parallel = 500;          // N/m, k_c: neighbours along a yarn do not come closer
    double friction = 0.3;          // mu, yarn on yarn, on sliding
    double frictionStiffness = 500; // N/m, k_f of the anchored spring
    double frictionDamping = 1e-3;  // N s/m, d_f
    double pretension = 1e-3;       // N, F_n0: compression that weaving or knitting left
    double crimpSet = 0.9;          // 0..1, share of the crimp's bending that finishing relaxed
    double wrap = 0;                // N, k_w of knits, energy k_w L (1 - cos); 0: bend / 5 L^2
    double stitch = 0;              // N, k_l of knits; 0: equal to stretch
};

enum class NodeKind : std::uint8_t {
    Woven,  // two yarns cross and shear against each other
    Stitch, // one of the two nodes of a stitch contact: yarns wrap, no shear
    End,    // the end of one yarn, or any point of it that is no crossing
    Sewn    // yarns joined: nothing slides
};

// Two yarns wrapped around each other over a finite length (physics 7.3): both go through nodes a
// and b. c and d are the nodes that the two yarns leave to on opposite sides: their planes with the
// axis a b make the angle psi.
struct StitchContact {
    Index a, b;                // nodes
    std::array<Index, 2> c;    // of the two wrapping angles: neighbours of one yarn
    std::array<Index, 2> d;    // and of the other
    std::array<double, 2> psi; // rad, rest angles, signed as hinges are (physics 6.5); +-pi/2
    double length;             // m, L at rest
};

struct CrossingNetwork {
    // Nodes.
    std::vector<Vec3> x; // m
    std::vector<NodeKind> kind;
    std::vector<std::uint8_t> frozen; // bit s: side s does not slide there
    std::vector<double> spacing;      // m, L: rest distance to the neighbours, for shear

    // Yarns: yarn y owns the visits first[y] .. first[y + 1] - 1, at least two.
    std::vector<Index> first{0};
    std::vector<Index> material; // per yarn: into materials
    std::vector<Index> id;       // per yarn: what the user calls it

    // Visits.
    std::vector<Index> node;
    std::vector<std::uint8_t> side; // 0 .. 2, which of the node's sliding coordinates
    std::vector<double> slide;      // m, rest arc length along the yarn, growing
    std::vector<std::int8_t> lift;  // +1 over, -1 under, along the node's normal t0 x t1; 0 none
    std::vector<double> restAngle;  // rad, bend that is no force; 0 straight. Empty: all 0
    // Of the piece to the next visit: its span without force, of its rest length. Below 1 the yarn
    // bows, as in a knit's loops. Empty: all 1, straight.
    std::vector<double> chord;
    std::vector<StitchContact> stitches;
    std::vector<CrossingMaterial> materials;
    // Per node, rad: angle between sides 0 and 1 without shear force. Empty: all pi/2.
    std::vector<double> restShear;

    // Made by connect().
    static constexpr Index kNone = -1;
    std::vector<std::array<Index, 3>> visits; // per node and side: the visit there
    std::vector<Index> yarnOf;                // per visit
    std::vector<float> closest;               // m, per visit: least rest length to the next visit

    Index nodes() const { return static_cast<Index>(x.size()); }
    Index yarns() const { return static_cast<Index>(material.size()); }
    Index visitCount() const { return static_cast<Index>(node.size()); }
    bool isFirst(Index visit) const { return visit == first[yarnOf[visit]]; }
    bool isLast(Index visit) const { return visit + 1 == first[yarnOf[visit] + 1]; }
    const CrossingMaterial& materialOf(Index visit) const {
        return materials[material[yarnOf[visit]]];
    }

    Index addNode(const Vec3& at, NodeKind nodeKind, double nodeSpacing);
    Index addYarn(Index materialIndex, Index yarnId); // then its visits, in order
    void addVisit(Index nodeIndex, int sideIndex, double at /*m*/, int over);

    // Checks all of the above and makes what can be derived; throws Error that names the yarn or
    // node. `where` is the fabric's name. Ends of yarns do not slide; nor does what is Sewn.
    void connect(const std::string& where);
};

} // namespace purl
