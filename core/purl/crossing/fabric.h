// All energies of a fabric summed over its unknowns (links.h): energy and gradient here, what the
// linear solver needs of their second derivatives in stiffness.h. Node by node: each evaluates the
// pieces and angles that start at it and leaves what falls on its neighbours in the slots of its
// own links; then every node gathers. The same bits at every thread count.
#pragma once

#include "purl/crossing/energies.h"
#include "purl/crossing/links.h"

namespace purl {

// Shares of 0..1 of the elements, for the mixed model (physics 8.1). An empty list: all 1.
struct ElementWeights {
    std::vector<float> piece; // per link: the piece to the link after it, its mass and weight too
    std::vector<float> node;  // per node: bend, shear, friction and wrapping there
};

// Wrapping of stitch contacts: hinges with slots of their own.
struct Wraps {
    struct Hinge {
        Index node[4];
        WrapLaw law;
    };
    std::vector<Hinge> hinges;
    std::vector<Index> first, slot; // per node: the slots (4 a hinge) that are its own
};

// What is kept of a step's start for friction.
struct Friction {
    std::vector<double> anchor; // m, per link
    std::vector<float> limit;   // N, per link: mu F_n; empty: no friction
};

class Fabric {
public:
    explicit Fabric(const CrossingNetwork& net); // copies what it needs

    const YarnLinks& links() const { return links_; }
    Index nodes() const { return links_.nodes; }
    const std::vector<CrossingMaterial>& materials() const { return materials_; }
    const CrossingMaterial& materialOf(Index link) const {
        return materials_[links_.material[link]];
    }
    StretchLaw stretchLaw(Index link) const {
        const double w = pieceWeight(link), k = w * materialOf(link).stretch;
        if (links_.chord.empty()) return {k};
        return {k, links_.chord[link], w * links_.unbend[link]};
    }
    const Wraps& wraps() const { return wraps_; }
    WrapLaw wrapLaw(const Wraps::Hinge& h) const {
        return {nodeWeight(h.node[0]) * h.law.k, h.law.rest};
    }
    bool isWoven(Index node) const { return woven_[node] != 0; }
    double spacing(Index node) const { return spacing_[node]; }
    // Of the corner between arm a of side 0 and arm b of side 1 (0 after, 1 before).
    ShearLaw shearLaw(Index node, int a, int b) const;

    Vec3 gravity = Vec3::Zero(); // m/s2
    ElementWeights weights;
    Friction friction;

    double pieceWeight(Index link) const { return weights.piece.empty() ? 1 : weights.piece[link]; }
    double nodeWeight(Index node) const { return weights.node.empty() ? 1 : weights.node[node]; }

    // Energy (J) and, if g is not empty, its gradient (N) at q. Infinite where a rest length is not
    // positive; g is then not to be used.
    double evaluate(Span<const Vec3> q, Span<Vec3> g) const;
    // kg, per node: half of each piece that meets it.
    void mass(Span<const Vec3> q, Span<double> out) const;
    std::size_t bytes() const;

    // What an element leaves for the nodes at its other ends. Per link: for the link after it, and
    // for the one before.
    struct Arm {
        Vec3 x = Vec3::Zero();
        double s = 0;
        void clear() {
            x.setZero();
            s = 0;
        }
    };
    struct Arms {
        Arm after, before;
    };
    // out[i], out[n + i] += what the neighbours of node i left for it.
    void gather(Span<const Arms> arms, Span<const Vec3> hinges, Index i, Span<Vec3> out) const;
    // Scratch, for whoever walks the nodes: one user at a time.
    Span<Arms> arms() const { return {arms_.data(), arms_.size()}; }
    Span<Vec3> hingeSlots() const { return {hingeSlots_.data(), hingeSlots_.size()}; }

private:
    double evaluateNode(Index i, Span<const Vec3> q, Vec3& gx, Vec3& gs) const;
    double evaluateHinges(Span<const Vec3> q) const;

    YarnLinks links_;
    std::vector<CrossingMaterial> materials_;
    std::vector<std::uint8_t> woven_;
    std::vector<float> spacing_;   // m, per node
    std::vector<float> restShear_; // rad, per node; empty: a right angle
    Wraps wraps_;
    mutable std::vector<Arms> arms_;
    mutable std::vector<Vec3> hingeSlots_;
};

} // namespace purl
