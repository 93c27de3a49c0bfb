#include "purl/mixed/weighted_energy.h"

#include "cloth/sheets.h"
#include "purl/cloth/assembly.h"
#include "purl/cloth/models.h"

#include <gtest/gtest.h>

namespace purl {
namespace {

// Weights of 1 change nothing; any weights give the sum of weighted parts, one stencil at a time.
TEST(WeightedEnergy, IsTheWeightedSumOfItsStencils) {
    test::Sheet sheet = test::grid(6, 5, 0.1, 0.08, false, 0.1);
    std::mt19937 random(2);
    std::uniform_real_distribution<double> u(-1, 1);
    for (Vec3& p : sheet.x) p += 0.004 * Vec3(u(random), u(random), u(random));
    const Span<const Vec3> x = sheet.x;
    for (const bool bending : {false, true}) {
        const auto make = [&] {
            return bending ? makeBending(BendingModel::DiscreteShells, sheet.mesh, {})
                           : makeInPlane(InPlaneModel::StVK, sheet.mesh, {});
        };
        const std::unique_ptr<ClothEnergy> plain = make();
        const Stencils& st = plain->stencils();
        std::vector<double> weight(st.count());
        for (double& w : weight) w = u(random) < -0.3 ? 0 : 0.5 + 0.5 * u(random);
        std::vector<double> e(st.count());
        std::vector<Vec3> g(st.nodes.size()), sum(sheet.x.size(), Vec3::Zero());
        EnergySlots slots;
        slots.energy = e;
        slots.gradient = g;
        plain->evaluate(0, st.count(), x, {}, slots);
        double energy = 0;
        for (Index s = 0; s < st.count(); ++s) {
            energy += weight[s] * e[s];
            for (int k = 0; k < st.width; ++k)
                sum[st.nodes[s * st.width + k]] += weight[s] * g[s * st.width + k];
        }
        const WeightedEnergy weighted(make(), weight);
        ClothAssembly assembly(sheet.mesh.points, {&weighted});
        std::vector<Vec3> out(sheet.x.size());
        EXPECT_NEAR(assembly.evaluate(x, {}, out), energy, 1e-12 * energy);
        double largest = 0;
        for (const Vec3& f : sum) largest = std::max(largest, f.norm());
        for (std::size_t i = 0; i < out.size(); ++i)
            EXPECT_LT((out[i] - sum[i]).norm(), 1e-12 * largest);
        // The Hessian is weighted as the gradient is.
        std::vector<Mat3> h(st.count() * st.width * st.width),
            hw(weighted.stencils().count() * st.width * st.width);
        plain->exactHessian(0, st.count(), x, h);
        weighted.exactHessian(0, weighted.stencils().count(), x, hw);
        Index at = 0;
        for (Index s = 0; s < st.count(); ++s) {
            if (weight[s] == 0) continue;
            for (int k = 0; k < st.width * st.width; ++k)
                EXPECT_LT(
                    (hw[at * st.width * st.width + k] - weight[s] * h[s * st.width * st.width + k])
                        .norm(),
                    1e-12 * h[s * st.width * st.width].norm());
            ++at;
        }
        EXPECT_EQ(at, weighted.stencils().count());
    }
}

} // namespace
} // namespace purl
