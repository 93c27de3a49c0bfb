// Colliders inside an implicit step: a node that would come nearer than its gap is held at the gap
// by a stiff spring along the normal, and by Coulomb friction across it: it sticks if what pulls it
// is within the limit, else a viscous term of the limit's size slows it (both lagged: the limit is
// that of the normal force of the step before, or of the impact). A node that already is inside is
// moved out at a limited speed, which leaves it no velocity.
#pragma once

#include "purl/collide/respond.h"
#include "purl/implicit/yarn_matrix.h"

namespace purl {

class ColliderPenalty {
public:
    ColliderPenalty() = default;
    explicit ColliderPenalty(std::vector<double> radius /*m, per node*/);

    // Who touches at the end of the step, if nothing stopped it: `ahead` (m) are the nodes there,
    // and are shifted where they have to be pushed out; `shift` then tells by how much.
    void predict(Span<const CollisionBody> bodies, Span<const Vec3> x0, Span<Vec3> ahead,
                 Span<const double> inverseMass, double dt, double t1);
    // Which nodes pressed on a collider in the step before, or touch one where their velocities v
    // lead in this step (1, else 0). Nobody is pushed.
    void foresee(Span<const CollisionBody> bodies, Span<const Vec3> x0, Span<const Vec3> v,
                 double dt, double t1, std::vector<std::uint8_t>& touching) const;
    // Adds springs and friction. v are the velocities that lead to `ahead`, force (N) all other
    // forces, h (s) the time that a force acts for, rhs in kg m/s. share, per node: how much of its
    // unknown a node's change of velocity is (implicit_parts.h).
    void add(Span<const Vec3> v, Span<const Vec3> force, const std::vector<double>& mass,
             const std::vector<double>& share, double h, YarnMatrix& matrix, Span<Vec3> rhs);
    // After the solve, u its answer: normal forces, which the next step's friction goes by.
    void finish(Span<const Vec3> v, Span<const Vec3> u, const std::vector<double>& share);
    const CollisionFigures& figures() const { return figures_; } // of the last step
    const std::vector<Vec3>& shift() const { return shift_; }    // m, per node

    std::vector<double> normalForce; // N, per node, of the last step: part of a snapshot

private:
    struct Touch {
        Index node;
        double depth; // m, below the gap at `ahead`
        Vec3 normal, velocity;
        double friction;
        double spring = 0, drag = 0; // kg, of the step
        double h = 0;
    };
    std::vector<double> radius_;
    std::vector<Touch> touch_;
    std::vector<std::vector<Touch>> found_; // per chunk of nodes
    std::vector<Vec3> shift_;
    CollisionFigures figures_;
};

} // namespace purl
