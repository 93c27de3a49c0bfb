#include "purl/cloth/air_drag.h"

#include <Eigen/Geometry>

namespace purl {

AirDrag::AirDrag(const ClothMesh& mesh, const ForceSettings& settings) : settings_(settings) {
    stencils_.width = 3;
    stencils_.nodes.reserve(mesh.triangles.size() * 3);
    for (const auto& t : mesh.triangles)
        stencils_.nodes.insert(stencils_.nodes.end(), t.begin(), t.end());
}

void AirDrag::evaluate(Index begin, Index end, Span<const Vec3> x, Span<const Vec3> v,
                       const EnergySlots& out) const {
    for (Index s = begin; s < end; ++s) {
        const std::size_t at = static_cast<std::size_t>(s);
        const Index* n = stencils_.nodes.data() + 3 * at;
        const Vec3 cross = (x[n[1]] - x[n[0]]).cross(x[n[2]] - x[n[0]]);
        const double twice = cross.norm();
        Vec3 force = Vec3::Zero();
        Mat3 resist = Mat3::Zero(); // -dF/dv of the triangle's mean velocity
        if (twice > 0) {
            const Vec3 normal = cross / twice;
            Vec3 wind = settings_.wind; // against the triangle
            if (!v.empty()) wind -= (v[n[0]] + v[n[1]] + v[n[2]]) / 3;
            const double through = wind.dot(normal), speed = wind.norm();
            const Vec3 along = wind - through * normal;
            const double half = 0.25 * settings_.airDensity * twice; // rho a / 2
            const double a = half * settings_.dragNormal * std::abs(through);
            const double b = half * settings_.dragTangent * speed;
            force = a * through * normal + b * along;
            // The quadratic term counts twice across; |wind| of the tangential one is held fixed,
            // which keeps it symmetric and positive.
            resist = (2 * a - b) * normal * normal.transpose() + b * Mat3::Identity();
        }
        if (!out.energy.empty()) out.energy[at] = 0;
        for (int i = 0; i < 3; ++i) {
            if (!out.gradient.empty()) out.gradient[3 * at + i] = force / -3;
            for (int j = 0; j < 3; ++j) {
                const std::size_t k = 9 * at + 3 * i + j;
                if (!out.hessian.empty()) out.hessian[k].setZero();
                if (!out.damping.empty()) out.damping[k] = resist / 9;
            }
        }
    }
}

void AirDrag::exactHessian(Index begin, Index end, Span<const Vec3>, Span<Mat3> out) const {
    for (std::size_t k = 9 * static_cast<std::size_t>(begin); k < 9 * static_cast<std::size_t>(end);
         ++k)
        out[k].setZero();
}

} // namespace purl
