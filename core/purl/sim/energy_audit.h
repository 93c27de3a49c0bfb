// Energy that nobody put in (physics 5.5): kinetic + potential + dissipated - work may fall, since
// not all of the damping is counted, but must not rise. The potential is not summed anew each step:
// it is what the forces did on the way, by the trapezoidal rule, which is exact where they are
// linear; heat of friction between yarns stays in it. A step that makes energy out of nothing is
// too long, and what it made shows in the next one: the account is closed at the start of a step.
//
// It keeps nothing from frame to frame: only a checkpoint inside a frame needs it.
#pragma once

#include "purl/model/layout.h"
#include "purl/model/state.h"

namespace purl {

// Where energy went and came from since the run began, in explicit steps. Each stage of a step
// gives a node an impulse J, and J (v0 + v1) / 2 summed over the stages is the change of its
// kinetic energy to rounding: nothing is left over that has no name. What the forces did, by the
// trapezoidal rule, is set against the energies of springs and contacts as they are at a frame's
// end: that is the balance, the one figure here that does not close by itself.
struct EnergyLedger {     // J
    double air = 0;       // goals, wind and drag put in
    double damping = 0;   // damping between yarns put in: below zero
    double held = 0;      // lengths, glue and pins put in, through the tension that they make
    double pins = 0;      // what pins spent on moving against forces
    double colliders = 0; // put in, their friction's heat taken off
    double pushed = 0;    // what given forces did
    double forces = 0;    // what springs, contacts, gravity and given forces did
    double first = 0;     // stored when it was opened: springs, contacts, height, heat of yarns
    bool open = false;    // from the first frame's end on: contacts are known then
    // J, what is not accounted for, with `stored` as of `first`.
    double balance(double stored) const { return stored - first + forces - pushed; }
    template <class Self, class Archive>
    static void fields(Self& s, Archive& a) {
        a(s.air, s.damping, s.held, s.pins, s.colliders, s.pushed, s.forces, s.first, s.open);
    }
};

class EnergyAudit {
public:
    struct Stages { // velocities of all nodes between the stages of an explicit step
        std::vector<Vec3> pulled, damped, held;
    };
    struct Step {                   // one that may still be rejected; sums over free nodes
        double kinetic = 0;         // J, at its end
        double before = 0, now = 0; // J, half of the work of its forces in the last step, in this
        double gravity = 0;         // J, work of gravity in this step
        double fastest = 0;         // m/s; infinity if a number is not finite
        EnergyLedger booked;        // of this step
    };

    // A frame begins. `stored` (J) is held in bends and contacts.
    void start(const State&, double stored);
    // x and v of the state are those at the end of the step; x0 and the forces f (N), both in
    // layout order, those at its start; `constant` (N) acts on each node always, or is empty. f may
    // be null where they are not known: then what was stored counts as given, and nothing is
    // booked. v0: velocities at its start.
    Step measure(const State&, const Layout&, const Padded3& x0, const Padded3* f,
                 const Vec3& gravity, const std::vector<Vec3>& constant, double dt,
                 const std::vector<Vec3>& v0, const Stages&);
    // J, what there is at the start of the step beyond what there was and was given.
    double excess(const Step&) const;
    // J, what there was, was given, and what gravity and springs let go of.
    double scale(const Step&) const;
    // `given` (J) is what colliders, pins, wind and goals put in.
    void accept(const Step&, double given, const State&, const Layout&, const Padded3& x0);
    double given() const { return given_; }
    template <class Self, class Archive>
    static void fields(Self& s, Archive& a) { // of a checkpoint in the middle of a frame
        a(s.kineticStart_, s.stored_, s.kinetic_, s.potential_, s.given_, s.fallen_, s.moved_);
    }

private:
    double kineticStart_ = 0, stored_ = 0;
    double kinetic_ = 0, potential_ = 0, given_ = 0, fallen_ = 0; // J, since the frame's start
    std::vector<Vec3> moved_;                                     // m, in the last step
    std::vector<Step> part_;                                      // scratch
};

double kineticEnergy(const State&); // J, of free nodes
void book(const EnergyLedger& step, EnergyLedger& all);

} // namespace purl
