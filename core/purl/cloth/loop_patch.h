// The Loop limit surface of a sheet at the middle of each triangle, as weights of the mesh's points
// (physics 6.6). One subdivision step puts three points of valence six around every middle, however
// irregular the corners are, so the same twelve box splines serve every triangle.
//
// Boundaries by reflection (ghosts): a boundary edge a-b of triangle (a, b, c) gets the point
// a + b - c beyond it, and a boundary point is closed by the triangle between its two ghosts.
// Ghosts are weights of real points, so nothing is added to the unknowns; the sheet's curvature
// across a free edge fades to none at the edge, as a free edge's moment does.
#pragma once

#include "purl/cloth/mesh.h"

namespace purl::cloth {

// Derivatives of the limit surface along warp (u) and weft (v) at a triangle's middle, as weights.
struct MiddleWeights {
    struct Node {
        Index node;
        double u, v;       // 1/m
        double uu, vv, uv; // 1/m2
    };
    std::vector<Node> nodes; // ascending
    double area;             // m2, at rest
    double restCurvature[3]; // 1/m: uu, vv, uv of the rest shape (from the mesh's rest angles)
};

class LoopSurface {
public:
    explicit LoopSurface(const ClothMesh& mesh); // throws on edges of more than two triangles
    MiddleWeights middle(Index triangle) const;

private:
    // A point of a ring: where it is at rest, laid out around the triangle, and what it is made of.
    struct Term {
        Index node;
        double weight;
    };
    struct Point {
        Vec3 rest;
        std::vector<Term> terms;
    };
    friend struct Blend;
    struct Neighbour {
        Index point = -1, triangle = -1;
        double restAngle = 0; // of the edge's hinge
    };

    std::vector<Point> ring(Index triangle, int corner) const;
    Neighbour across(Index from, Index to) const; // the triangle on the left of from -> to
    Vec3 unfold(Index triangle, Index from, Index to, const Vec3& x0, const Vec3& x1,
                const Vec3& other, double angle) const;

    const ClothMesh& mesh_;
    std::vector<std::array<Index, 4>> edges_; // from, to, opposite, triangle; sorted
    std::vector<std::pair<std::array<Index, 2>, double>> angles_; // sorted; empty: flat
};

} // namespace purl::cloth
