// Friction between yarns (physics 4.6): four tangential springs a contact set, in the set's own
// turning frame, each with a quarter of Coulomb's limit. A spring is linear, so it is summed into
// the set's model and costs nothing to evaluate; what is kept here is its stretch. A spring pulled
// beyond the limit slides: its stretch is cut back to the limit (a return to the cone; the paper
// breaks and re-creates it, which makes the force jump to zero).
#pragma once

#include "purl/base/simd8.h"
#include "purl/contact/linear_model.h"

#include <Eigen/Geometry>

namespace purl {

struct Stiction {
    static constexpr int kSprings = 4;
    Stiction() {
        for (auto& e : stretch) e.setZero();
    }
    float k = 0;                                      // N/m, each spring; 0: nothing sticks
    float limit = 0;                                  // m, of stretch
    Eigen::Vector3f normal = Eigen::Vector3f::Zero(); // in the model's frame
    float seen = -1, waited = 1;              // largest stretch at the last look, m; steps since
    Index u[kSprings] = {}, v[kSprings] = {}; // points
    Eigen::Vector3f stretch[kSprings];        // m, at z = 0, in the model's frame
    // The stretch of a spring for displacements z of the model's points: lane `lane` of rows, three
    // a control point.
    Eigen::Vector3f now(const ModelBuilder&, const Window&, int spring, const Pack8* z,
                        int lane) const;
    double energy() const { // J, at z = 0
        double sum = 0;
        for (const auto& e : stretch) sum += 0.5 * static_cast<double>(k * e.squaredNorm());
        return sum;
    }
    // J, that the springs took up while the set turned from where it was last asked to `turn`
    // (model to world). They pull at centre lines that lie a distance apart, so turning does work
    // on them; and a set turns as its yarns slide, which is why this is no small share of
    // friction's heat.
    // e: the springs' stretch; rest: the model's points, lane `lane` of rows.
    double rolled(const ModelBuilder&, const Window&, const Eigen::Quaternionf& turn,
                  const Eigen::Vector3f e[kSprings], const Pack8* rest, int lane);
    float turned[4] = {0, 0, 0, 1}; // x, y, z, w
    float slack() const; // m, displacement of any point that surely makes no spring slide
};

// Chooses springs for a model just built, which go on with the forces that they had (N, world
// axes), and sums them into the model.
void stick(const ModelBuilder&, const PointBox& touch, double friction,
           const Eigen::Vector3f carried[Stiction::kSprings], LinearModel&, Stiction&);

} // namespace purl
