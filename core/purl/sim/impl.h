// What a Simulation is made of. One flat State; the physics folders do not see each other: what
// joins them is here.
#pragma once

#include "purl/collide/respond.h"
#include "purl/contact/acl.h"
#include "purl/contact/exact.h"
#include "purl/contact/hierarchy.h"
#include "purl/integrate/block_damping.h"
#include "purl/integrate/glue.h"
#include "purl/integrate/length.h"
#include "purl/model/state.h"
#include "purl/rod/air.h"
#include "purl/rod/rod.h"
#include "purl/sim/simulation.h"

#include <chrono>

namespace purl {

struct Simulation::Impl {
    explicit Impl(const Scene&);

    void step(double dt, double t1);
    void forces();
    void survey(FrameReport&); // energies and contact at the present positions
    bool contactBy(ContactMethod m) const {
        return scene.settings.contact.enabled && scene.settings.contact.method == m;
    }
    void accelerate(double dt, double t1);
    void constrain(double dt, double t1);
    void project();
    void mend();
    void collide(double dt, double t1);
    void move(double dt, double t1);
    void settle();
    Vec3 target(Index node, double t) const {
        return targetStart[node] + t * (targetEnd[node] - targetStart[node]);
    }
    // Where a node goes: a pinned one to its target.
    Vec3 ahead(Index i, double dt, double t1) const {
        return state.inverseMass[i] > 0 ? Vec3(state.x[i] + dt * state.v[i]) : target(i, t1);
    }
    bool finite(std::string& reason) const;

    Scene scene;
    Curves rest; // curves with rest positions
    State state;
    Rods rods;
    ExactContact exact; // the one of these that the settings name is made
    AclContact acl;
    HierarchyContact hierarchy;
    LengthProjection length;
    Glue glue;
    BlockDamping damping;
    Air air;
    CollisionResponse response;
    std::vector<CollisionBody> bodies;
    CollisionFigures figures;
    double frictionHeat = 0, slideHeat = 0; // J, at colliders; of yarns, in frames before
    std::vector<Vec3> targetStart, targetEnd, predicted;
    bool keepContactForce = false;  // in the next forces()
    std::vector<Vec3> contactForce; // N, per node
    std::vector<Vec3> shown;        // m, at the end of a frame: positions with their lengths mended
    Padded3 x, f;                   // in layout order
    double automatic = 0;           // s
    int stepsDone = 0, stepsWanted = 0; // of a frame that was interrupted
    std::chrono::duration<double> rodTime{0}, contactTime{0}, projectTime{0}, collideTime{0};
};

} // namespace purl
