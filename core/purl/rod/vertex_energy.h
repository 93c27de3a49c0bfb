// Bending and twist of one rod vertex as a trio: energy, gradient, Hessian with one argument list.
// This is the slow reference, in full (physics 2.4 to 2.7, Bergou 2008/2010, Kaldor 2010 App. A);
// the batched kernels of rod/kernel.h are tested against it.
// Where we differ: sign of the reference twist (physics 2.3) and current lengths, not rest lengths,
// in the derivative of the curvature binormal (physics 2.6).
#pragma once

#include "purl/base/types.h"

namespace purl {

// Degrees of freedom in order: x0 x1 x2 (9), theta of edge e = x1-x0, theta of edge f = x2-x1.
using Vec11 = Eigen::Matrix<double, 11, 1>;
using Mat11 = Eigen::Matrix<double, 11, 11>;

struct RodVertex {
    // Reference directors at the tangents they were taken at: u is carried to the present tangent by
    // parallel transport in time, so that energy() may be called at any nearby position.
    Vec3 tangentE, tangentF;      // unit
    Vec3 directorE, directorF;    // unit, orthogonal to their tangent
    double refTwist = 0;          // rad, previous reference twist (unwraps the present one)
    Vec2 restE = Vec2::Zero();    // natural material curvature seen from edge e (units of kb)
    Vec2 restF = Vec2::Zero();    // and from edge f
    double restTwist = 0;         // rad
    double length = 1;            // m, l_i: the sum of the two rest lengths
    double bendStiffness = 0;     // N m2
    double twistStiffness = 0;    // N m2
};

double vertexEnergy(const RodVertex&, const Vec11& q);
Vec11 vertexGradient(const RodVertex&, const Vec11& q);
Mat11 vertexHessian(const RodVertex&, const Vec11& q);
// J^T B J of bending and twist alone: positive semi-definite (physics 2.7).
Mat11 vertexGaussNewton(const RodVertex&, const Vec11& q);

} // namespace purl
