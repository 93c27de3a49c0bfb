// A fabric as yarns to render: smooth curves through its crossings, over and under each other, with
// what a renderer and a Houdini network ask of curves. The number of points never changes from
// frame to frame.
#pragma once

#include "purl/crossing/fabric_layout.h"
#include "purl/geometry/curves.h"

namespace purl {

struct FabricCurveSettings {
    int perCrossing = 4; // points from one crossing to the next
    double twist = 0;    // turns a metre of the yarn's own twist (Z > 0), carried by the yarn as it
                         // slides; turns `orient` about the yarn
};

struct FabricCurves {
    Curves curves;                       // m; one curve a yarn, in their order
    std::vector<Eigen::Vector4d> orient; // per point: quaternion x, y, z, w; z runs along the yarn,
                                         // y is the cloth's front, turned by the twist
    std::vector<double> slide;           // m, per point: rest length along the yarn
    std::vector<Vec3> normal;            // per point: front of the cloth, unit
    std::vector<Index> node;             // per point: the node it is at, -1 between nodes
};

// `x` and `slides` (a number a side) per node, as the solver has them (m). Empty: as laid.
FabricCurves fabricCurves(const CrossingNetwork& network, Span<const Vec3> x,
                          Span<const Vec3> slides, const FabricCurveSettings& settings = {});

// Anything per node at the points of the curves: velocities.
std::vector<Vec3> alongCurves(const CrossingNetwork& network, Span<const Vec3> perNode,
                              const FabricCurveSettings& settings = {});

// Unit normals of the nodes, side 0 x side 1; where yarns do not cross, from their neighbours.
std::vector<Vec3> nodeNormals(const CrossingNetwork& network, Span<const Vec3> x);

} // namespace purl
