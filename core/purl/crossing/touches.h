// Contact of a step, as part of its energy: nodes against colliders and against each other. Springs
// of stiffness k on what is nearer than allowed, linear in the surface of the step's start, and
// Coulomb friction as a drag whose size is that of the last pressure. Yarns are so stiff along
// themselves that a correction after the step would be paid with speed; inside it Newton's method
// finds where the whole fabric goes.
#pragma once

#include "purl/collide/respond.h"
#include "purl/crossing/sphere_pairs.h"

#include <memory>

namespace purl {

struct TouchSettings {
    double stiffness = 50; // N/m
    double friction = 0.3; // Coulomb's, fabric on itself
    bool self = true;
    double selfShare = 0.5; // of the spacing: the radius of a node's sphere
};

class Touches {
public:
    Touches(const Fabric& fabric, Span<const Vec3> q, const TouchSettings& settings);

    // For a step of h (s) from x0 with v0, ending at t1 of the frame. Free nodes only.
    void begin(Span<const Vec3> x0, Span<const Vec3> v0, Span<const CollisionBody> bodies,
               Span<const double> inverseMass, double h, double t1);
    // g (N) += dE/dx + drag at x1, v1 = (x1 - x0)/h. Returns the energy, J.
    double addGradient(Span<const Vec3> x1, Span<const Vec3> v1, Span<Vec3> g) const;
    // The second derivatives at x1, times h^2, and h times those of drag.
    void linearise(Span<const Vec3> x1);
    void addProduct(Span<const Vec3> x, Span<Vec3> y) const; // y += A x
    void addDiagonal(Index i, Mat3& block) const;            // A's own block of node i
    bool any() const { return any_; }
    // m: a step in which a node moves further than this against another may miss it.
    double safeMove() const { return pairs_ ? pairs_->smallest() : 1e30; }
    Index selfTouching() const { return selfTouching_; } // pairs, at the last linearise()
    Index bodyTouching() const { return bodyTouching_; }
    std::size_t bytes() const;

private:
    struct Wall { // a node and a collider, both as at the step's end
        Index node;
        Vec3 normal, velocity; // m/s
        double offset;         // m: gap = normal . x + offset, less than 0 is too near
        double drag;           // N s/m
        bool active;
    };
    struct Side { // of one node's pair: what it needs of it
        float n[3];
        float drag; // N s/m
        bool active;
    };
    Mat3 form(const Vec3& n, double drag, bool active) const;

    const Fabric& fabric_;
    TouchSettings settings_;
    std::unique_ptr<SpherePairs> pairs_;
    double h_ = 0;
    std::vector<Wall> walls_;
    std::vector<Index> wallOf_; // per node: its first wall, kNone
    std::vector<Side> sides_;   // beside the pairs' lists
    bool any_ = false;
    Index selfTouching_ = 0, bodyTouching_ = 0;
};

} // namespace purl
