// Strain limiting after a step, as Provot (1995; physics 6.7): edges longer than (1 + limit) of
// their rest length are pulled back along themselves, by shares of inverse mass, sweep by sweep; or
// triangles, whose principal stretches are clamped. Velocities follow the correction. Edges and
// triangles are coloured once, so that a sweep is parallel and gives the same bits at every thread
// count.
#pragma once

#include "purl/cloth/mesh.h"

namespace purl {

struct StrainLimits {
    double stretch = 0.1;  // longest: 1 + this times the rest length
    double compress = 0.1; // triangles only, shortest: 1 - this; 1: free to fold
    int sweeps = 10;       // at most
};

struct StrainReport {
    double before = 0; // largest strain beyond rest found, |l/L - 1| on the limited side
    double after = 0;
    int sweeps = 0; // done
};

class StrainLimiter {
public:
    explicit StrainLimiter(const ClothMesh& mesh);

    // Provot's: edges. inverseMass in 1/kg, 0: held. dt in s: v += dx / dt; v may be empty.
    StrainReport limitEdges(const StrainLimits&, Span<const double> inverseMass, double dt,
                            Span<Vec3> x, Span<Vec3> v) const;
    // Triangles: singular values of the deformation gradient into [1 - compress, 1 + stretch].
    StrainReport limitTriangles(const StrainLimits&, Span<const double> inverseMass, double dt,
                                Span<Vec3> x, Span<Vec3> v) const;

private:
    struct Edge {
        Index a, b;
        double length; // m
    };
    struct Triangle {
        std::array<Index, 3> n;
        double au1, au2, av1, av2; // 1/m, physics 6.1
        std::array<Vec2, 3> rest;  // m
    };
    double worstEdge(Span<const Vec3> x) const;
    double worstTriangle(const StrainLimits&, Span<const Vec3> x) const;

    std::vector<Edge> edges_;         // by colour
    std::vector<Index> edgeColours_;  // where each colour starts, and the end
    std::vector<Triangle> triangles_; // by colour
    std::vector<Index> triangleColours_;
};

} // namespace purl
