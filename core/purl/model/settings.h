// Every number a user can set, with its default and its unit. Plain structs; SI everywhere.
#pragma once

#include "purl/base/types.h"

#include <string>

namespace purl {

struct Material {
    std::string name = "wool";
    double density = 6e-4;         // kg/m, linear density (1 tex = 1e-6 kg/m)
    double bendStiffness = 1e-7;   // N m2, EI (alpha of physics 2.5)
    double twistStiffness = 7e-8;  // N m2, GJ (beta)
    double contactStiffness = 8.0; // N/m, k_contact; unordered pairs counted once (physics 3.2)
    double restCurvature = 0.5;    // 0..1, share of the input's curvature that is the natural one
    double plasticRadius = 0;      // units of kb (2 tan(phi/2)), physics 2.10; 0: elastic (the
                                   // paper: 0.01, a yarn that keeps any shape it is bent to)
    double plasticMax = 2.5;       // units of kb, largest natural curvature that plasticity leaves
    double stretchStiffness = 0;   // N, EA, of implicit steps (explicit ones are inextensible);
                                   // 0: 80 EI / r^2, about 5 N for 1.25 mm wool
};

struct ForceSettings {
    Vec3 gravity{0, -9.80665, 0}; // m/s2
    Vec3 wind{0, 0, 0};           // m/s, air velocity
    double airDensity = 1.2;      // kg/m3
    double dragNormal = 1.0;      // drag coefficient across the yarn
    double dragTangent = 0.05;    // along the yarn
    bool drag = true;
    double velocityDamping = 0; // 1/s, slows all motion (Vellum's veldamping)
};

struct DampingSettings {
    double proportional = 1500; // 1/s, mu_prop of physics 5.3
    double constant = 5;        // m/s2, mu_const
    double blockSize = 0;       // m, edge of a damping block; 0: about 4 x 4 loops (20 radii)
    bool enabled = true;
};

enum class ContactMethod {
    Acl,       // linear models, made anew where the cloth deforms
    Exact,     // all near pairs each step: the reference
    Hierarchy, // the same by a bounding hierarchy in scalar code: the paper's reference, for bench
};

struct ContactSettings {
    bool enabled = true;
    ContactMethod method = ContactMethod::Acl;
    double tau = 0.04;     // contact accuracy: how far a model may be off before it is made anew;
                           // 0.04: 1 % of force on a pushed swatch, 3 % on a landing scarf;
                           // 0: always made anew
    double friction = 0.3; // Coulomb coefficient between yarns (with Acl)
    int quadrature = 11;   // points a segment, b of physics 1.3
    double skin = 0.25;    // of the largest 2r: how far lists look ahead
    // Stiffening near full compression, so that hard pulls hold (a deviation from Kaldor 2010, off
    // by default): below this share of r_a + r_b the law acts once more, with that smaller reach
    // and `stiffenFactor` times the stiffness. 0: the paper's law alone.
    double stiffenBelow = 0;
    double stiffenFactor = 20;
    // Linear models are made for implicit steps: positive, without the term that turns a contact's
    // normal (physics 4.9 b). Set by the simulation.
    bool positive = false;
};

enum class Stepping {
    Explicit, // symplectic Euler with projections, small steps: the reference (physics 5)
    Implicit, // one linear solve a step with everything stiff inside (physics 4.9)
};

struct StepSettings {
    Stepping kind = Stepping::Explicit;
    double liveliness = 1;    // 0..1: 0 is backward Euler (calm), 1 is BDF2 (keeps its energy)
    double maxStep = 8e-3;    // s, longest implicit step when substeps are chosen
    double tolerance = 0.01;  // of the linear solve, relative, in the preconditioner's norm
    int maxIterations = 150;  // of the linear solve
    bool blockJacobi = false; // the baseline of the preconditioner, to compare with
};

struct LengthSettings {
    bool inextensible = true;
    double tolerance = 1e-5; // largest |C| / length that is left: 0.0005 % of strain
    int maxIterations = 12;
};

struct CollisionSettings {
    double friction = 0.3; // Coulomb coefficient between yarn and collider
    double thickness = 0;  // m, kept free in addition to the yarn's radius
    double maxPushOut = 2; // m/s, fastest correction of a point found inside a collider
};

struct TimeSettings {
    double fps = 24;      // frames a second
    int substeps = 0;     // steps a frame; 0: chosen from the stiffest term
    double timeScale = 1; // 2 makes everything happen twice as fast
};

// When a step is undone and tried again at half its length (physics 4.10).
struct GuardSettings {
    bool enabled = true;    // yarns never pass through yarns; off only to compare
    double floor = 0.3;     // of r_a + r_b: centre lines nearer than this are watched closely
    double fastest = 0.25;  // of r_a + r_b: a gap below the floor that shrank by more was too fast
    double energy = 0.5;    // share of the energy there is that may come from nowhere in a frame
    double smallest = 1e-4; // s, shortest implicit step
    int halvings = 6;       // of the full step, at most, when steps are explicit
    int cleanSteps = 10;    // after which a longer step is tried again
};

struct Settings {
    ForceSettings forces;
    DampingSettings damping;
    ContactSettings contact;
    LengthSettings length;
    CollisionSettings collision;
    TimeSettings time;
    StepSettings step;
    GuardSettings guard;
};

} // namespace purl
