// The energies of physics 7.2 and 7.3, one function each: value, gradient and, if asked for, the
// exact Hessian, over the edges and rest lengths that an element depends on. What the solver takes
// of the Hessians is in element.h; a test holds every trio against differences (oracle 27).
//
// Marks of physics.md: [V] verified there, [C] confirmed by a public source, [D] derived by us.
#pragma once

#include "purl/base/types.h"

#include <Eigen/Core>

namespace purl {

template <int N>
struct Trio {
    using Vector = Eigen::Matrix<double, N, 1>;
    using Matrix = Eigen::Matrix<double, N, N>;
    double energy = 0; // J
    Vector gradient = Vector::Zero();
    Matrix hessian = Matrix::Zero(); // if asked for
};

// Stretch [V]: 1/2 k s (|w| - 1)^2, w = e / s, over (e, s): the edge (m) and its rest length (m).
// It is convex in (|e|, s), and grows without bound as s goes to 0.
//
// A piece of a knit's loop is longer than its span: it bows. Until it is all but taut it unbends
// instead, as a circular arc that is drawn out: along its span such an arc of stiffness EI gives
// with 5 / (1 - w) + 6 times EI / s^2 (the arc's own integral, to 5 % from w = 0.6 to 1) [D].
struct StretchLaw {
    double k;          // N, k_s
    double chord = 1;  // |w| without force, 0..1
    double unbend = 0; // N, EI / s^2 as laid
    bool bows() const { return chord < 1; }
    double taut() const { return 1 - 5 * unbend / (k + 5 * unbend); } // the yarn gives from there
    double slope(double w) const;                                     // N
    double tension(double w) const;                                   // N
    double energy(double w) const;                                    // N, per rest length
};
Trio<4> stretchEnergy(const Vec3& e, double s, const StretchLaw& law, bool hessian = false);

// Bend [V]: k (theta - rest)^2 / s over (e1, e2, s): edges from the middle node to the next and to
// the one before, s the rest length from one to the other. k: N m2. theta is 0 for a straight yarn.
// Beyond a right angle the yarn touches itself and k grows, 1000-fold a radian on [C:N17; law D].
Trio<7> bendEnergy(const Vec3& e1, const Vec3& e2, double s, double k, double rest,
                   bool hessian = false);
constexpr double kBendJam = 1000;

// Shear [V] of one corner over (e1, e3), edges along the two yarns: 1/2 k (phi - rest)^2, k = k_x L
// in N m. Beyond the angle `lock` from rest neighbours touch: `jam` times stiffer from there [D].
struct ShearLaw {
    double k;    // N m
    double rest; // rad
    double lock; // rad, gamma_J
    double jam;
};
Trio<6> shearEnergy(const Vec3& e1, const Vec3& e3, const ShearLaw& law, bool hessian = false);

// Parallel contact [C:G22] over s: 1/2 k (d - s)^2 d / s for s < d. k: N/m (G22 multiplies by the
// spacing, not by d / s, and has another unit). Ours is a spring at first touch and grows without
// bound as s goes to 0: crossings cannot trade places however hard a yarn is drawn [D].
Trio<1> parallelEnergy(double s, double k, double d);

// Length of a stitch contact [C:RPT, D]: 1/2 k L (l / L - 1)^2 of its span l and likewise of its
// rest length s, over (e, s). k: N. l is shared by two yarns: half of it each.
Trio<4> stitchEnergy(const Vec3& e, double s, double k, double length, bool hessian = false);

// Weight [V] of a piece over (x0, x1, s): -1/2 rho s g . (x0 + x1). rho: kg/m.
Trio<7> weightEnergy(const Vec3& x0, const Vec3& x1, double s, double rho, const Vec3& g,
                     bool hessian = false);

// Friction on a sliding coordinate [C:RPT, N17, FS] over u: an anchored spring of stiffness k (N/m)
// that gives no more than `limit` (N): 1/2 k d^2, from |d| = limit / k on growing at that slope.
// With the anchor and the limit of the step's start it is an energy, convex [D].
Trio<1> frictionEnergy(double u, double anchor, double k, double limit);
// Where the anchor is after the step.
double dragAnchor(double u, double anchor, double k, double limit);

// Wrapping [C:N17] over (x0, x1, x2, x3): of the axis x0 x1, one yarn that leaves from x0 to x2 and
// the other's from x1 to x3. k (1 - sin a sin b cos(psi - rest)), psi the signed hinge angle of
// physics 6.5 about the axis and a, b the angles of the yarns with it: 1/2 k (psi - rest)^2 of the
// sources for yarns that leave across. The angle alone is none where a yarn runs straight on, and
// its gradient grows without bound there; this form is smooth wherever the nodes lie [D].
struct WrapLaw {
    double k;    // N m, k_w L
    double rest; // rad
};
Trio<12> wrapEnergy(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& x3,
                    const WrapLaw& law, bool hessian = false);
// Its positive curvature as squares of (sum of g . dx), the stiffest first: what Newton's method
// takes of it. With the slope alone its steps overshoot by two.
constexpr int kWrapSquares = 4;
void wrapSquares(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& x3, const WrapLaw& law,
                 Vec3 g[kWrapSquares][4]);
// psi.
double wrapAngle(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& x3);

} // namespace purl
