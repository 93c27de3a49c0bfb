// Discrete elastic rods with frames carried in time (physics 2): bending with natural curvature,
// twist, quasistatic frames, orientation clamps, plasticity. One object holds all yarns of a scene.
#pragma once

#include "purl/base/hash.h"
#include "purl/base/parallel.h"
#include "purl/model/layout.h"
#include "purl/model/settings.h"

namespace purl {

class Rods {
public:
    Rods() = default;
    // Rest lengths and natural curvature come from `rest`; material has one entry a yarn.
    Rods(const Curves& rest, const std::vector<Material>& material);

    // Frames at new positions, then quasistatic angles, then plasticity. `x` in layout order.
    void settle(Padded3& x);
    // The same without plasticity, from far away (large first move): used when a run starts.
    void place(Padded3& x);
    // Frames and angles at positions that are only looked at; plasticity waits for settle().
    void visit(Padded3& x);
    // Writes the force of bending and twist on each slot (not added). Ghosts come out zero.
    void force(Padded3& f);
    // Gauss-Newton at the same frames.
    void stiffness(struct RodStiffness& out) const;

    double bendEnergy() const;                                        // J
    double twistEnergy() const;                                       // J
    double plasticWork() const;                                       // J, dissipated so far
    double restLength(Index slot) const { return restLength_[slot]; } // m, of the edge from slot

    // Holds the director of an edge: `director` need not be exactly orthogonal to the edge.
    void clamp(Index edgeSlot, const Vec3& director);
    void clampHere(Index edgeSlot);
    // Natural curvature and twist of a vertex as seen from both of its edges (units of kb, rad).
    void setRest(Index vertexSlot, const Vec2& fromE, const Vec2& fromF, double twist);
    void setRestTwist(Index vertexSlot, double twist) { restAngle_[vertexSlot] = twist; }
    void setPlasticity(bool on) { plasticity_ = on; }
    // Newton on the angles stops after a change below this (rad); what is left is its square.
    void setAngleTolerance(double radians) { angleTolerance_ = radians; }

    Vec3 tangent(Index edgeSlot) const { return tangent_.at(edgeSlot); }
    Vec3 director(Index edgeSlot) const { return director_.at(edgeSlot); }
    double twist(Index vertexSlot) const { return angle_[vertexSlot]; }
    const Layout& layout() const { return layout_; }
    void hash(Hash&) const;
    // Frames, angles and what plasticity did. Stiffness, rest lengths and clamps are the scene's.
    void save(class SnapshotWriter&) const;
    void load(class SnapshotReader&);

private:
    template <class Self, class Archive>
    static void fields(Self& s, Archive& a);
    void moveFrames(Padded3& x);
    void solveAngles(int maxIterations);
    double solveYarn(Index yarn); // one Newton step, largest change of an angle
    void fillSystem(Index firstEdge, Index lastEdge, bool closed, bool full);
    void turnDirectors();
    void yield();
    // Every loop over slots starts at 1 (a vertex looks one slot back) and runs in packs of four.
    template <class Body>
    void overSlots(Body&& body) const {
        const Index packs = (layout_.slots() - 1 + 3) / 4;
        parallelFor(packs, 128, [&](Index a, Index b) {
            for (Index p = a; p < b; ++p) body(1 + 4 * static_cast<long>(p));
        });
    }

    Layout layout_;
    Padded3 tangent_, director_;
    std::vector<double> invLength_, restLength_;
    std::vector<double> bend_, twist_, restE1_, restE2_, restF1_, restF2_, angle_, cosAngle_,
        sinAngle_, restAngle_, plasticRadius_, plasticMax_;
    Padded3 gradE_, gradF_;                                     // scratch of force()
    std::vector<double> thetaGE_, thetaGF_, thetaHE_, thetaHF_; // scratch of solveAngles()
    std::vector<double> turn_, diag_, off_, work_; // change of angle an edge; its system
    std::vector<std::uint8_t> clamped_;
    std::vector<Vec3> clampDirector_;
    double angleTolerance_ = 1e-4;
    bool plasticity_ = true;
    bool anyPlastic_ = false;
    std::vector<double> plasticLoss_; // J, per vertex
};

} // namespace purl
