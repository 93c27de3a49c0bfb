// Layers inside the solve: forces and matrix against their energy, densely; who comes in and who is
// let go; friction at Coulomb's limit.
#include "purl/cloth/layer_set.h"
#include "purl/cloth/models.h"
#include "purl/cloth/self_collision.h"
#include "purl/cloth/sheets.h"
#include "purl/cloth/solver.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

using namespace purl;

namespace {

LayerTerm term() {
    LayerTerm t;
    t.node = {0, 9, 10, 13};
    t.weight = {1, -0.2, -0.3, -0.5};
    t.normal = Vec3(1, 2, -1).normalized();
    t.target = 0.01, t.stiffness = 30, t.drag = 0.2;
    return t;
}

TEST(LayerTerms, ForcesAndMatrixAreThoseOfTheEnergy) {
    const FlatSheet s = rectangleSheet(8, 8, 0.1, 0.1);
    const std::size_t n = s.x.size();
    LayerTerms terms;
    terms.list = {term(), term()};
    const auto &face = s.mesh.triangles[60], &e0 = s.mesh.triangles[0],
               &e1 = s.mesh.triangles.back();
    terms.list[0].node = {e0[0], face[0], face[1], face[2]};
    terms.list[1].node = {e0[0], e0[1], e1[0], e1[1]}; // two edges
    terms.list[1].weight = {0.4, 0.6, -0.7, -0.3};
    std::vector<Vec3> v(n), f(n, Vec3::Zero()), w(n), kw(n, Vec3::Zero());
    for (std::size_t i = 0; i < n; ++i) {
        v[i] = Vec3(std::sin(i), std::cos(2.0 * i), std::sin(3.0 * i));
        w[i] = Vec3(std::cos(i), std::cos(5.0 * i), std::sin(7.0 * i));
    }
    const auto energy = [&](const std::vector<Vec3>& x, const std::vector<Vec3>& u) {
        double sum = 0; // and the drag's dissipation at speed u
        for (const LayerTerm& t : terms.list) {
            const double gap = t.normal.dot(t.between(x));
            const Vec3 a = t.between(u);
            sum += 0.5 * t.stiffness * (gap - t.target) * (gap - t.target) +
                   0.5 * t.drag * (a - t.normal.dot(a) * t.normal).squaredNorm();
        }
        return sum;
    };
    terms.addForce(s.x, v, f);
    const double e = 1e-6;
    for (std::size_t i = 0; i < n; ++i)
        for (int c = 0; c < 3; ++c) {
            std::vector<Vec3> xa = s.x, xb = s.x, va = v, vb = v;
            xa[i][c] += e, xb[i][c] -= e, va[i][c] += e, vb[i][c] -= e;
            const double slope = (energy(xa, v) - energy(xb, v)) / (2 * e) +
                                 (energy(s.x, va) - energy(s.x, vb)) / (2 * e);
            EXPECT_NEAR(f[i][c], -slope, 1e-7);
        }
    terms.addStiffness(w, kw);
    // h D + h^2 K, in the pattern and beside it.
    const double damping = 0.1, stiffness = 0.01;
    const auto energyModel = makeInPlane(InPlaneModel::StVK, s.mesh, {});
    ClothAssembly assembly(s.mesh.points, {energyModel.get()});
    BlockMatrix a(assembly.pattern());
    LooseBlocks loose;
    terms.assemble(damping, stiffness, a, loose);
    const auto& q = a.pattern();
    std::vector<Vec3> rows(n), product(n), zero(n, Vec3::Zero()), still(n, Vec3::Zero());
    for (std::size_t r = 0; r < n; ++r) rows[r] = w[q.order[r]];
    a.apply(rows, product);
    loose.addProduct(rows, product);
    std::vector<Vec3> atW(n, Vec3::Zero()), atRest(n, Vec3::Zero());
    terms.addForce(s.x, w, atW);
    terms.addForce(s.x, still, atRest);
    for (std::size_t i = 0; i < n; ++i) {
        const Vec3 expected = stiffness * kw[i] + damping * (atRest[i] - atW[i]);
        EXPECT_LE((product[q.position[i]] - expected).norm(), 1e-14);
    }
    Vec3 sum = Vec3::Zero(), turn = Vec3::Zero();
    for (std::size_t i = 0; i < n; ++i) sum += f[i], turn += kw[i];
    EXPECT_LE(sum.norm(), 1e-14); // no net force
    EXPECT_LE(turn.norm(), 1e-14);
}

TEST(LayerTerms, ComeInLetGoAndRub) {
    std::vector<Vec3> x0(16, Vec3::Zero()), v0 = x0;
    const std::vector<double> inverseMass(16, 1e4);
    const LayerStep step{x0, v0, inverseMass, 0.01};
    SheetContact c;
    c.node = {0, 9, 10, 13};
    c.weight = {1, -0.2, -0.3, -0.5};
    c.normal = {0, 1, 0};
    c.stop = c.push = 1e-3;
    LayerTerms terms;
    EXPECT_FALSE(addHits({}, 0.3, x0, step, terms));
    EXPECT_TRUE(addHits({c}, 0.3, x0, step, terms));
    ASSERT_EQ(terms.list.size(), 1u);
    EXPECT_TRUE(terms.list[0].active);
    // Slides by 1 mm a step under its pressure: Coulomb's force.
    std::vector<Vec3> x1 = x0;
    x1[0] = {1e-3, 0.5e-3, 0};
    EXPECT_FALSE(settle(x1, step, 1e-3, terms));
    const LayerTerm& t = terms.list[0];
    const double pressure = t.stiffness * 0.5e-3;
    EXPECT_NEAR(t.drag * 0.1, 0.3 * pressure, 1e-9 * pressure);
    // It comes back: harder, and no weaker than before.
    const double before = t.stiffness;
    EXPECT_TRUE(addHits({c}, 0.3, x1, step, terms));
    ASSERT_EQ(terms.list.size(), 1u);
    EXPECT_GT(terms.list[0].stiffness, 2 * before);
    EXPECT_GT(terms.list[0].stiffness * (terms.list[0].target - 0.5e-3), 2 * pressure);
    // Far away it would pull.
    x1[0].y() = 2 * terms.list[0].target;
    EXPECT_TRUE(settle(x1, step, 1e-3, terms));
    EXPECT_FALSE(terms.list[0].active);
    // Nobody can move: nothing to add.
    const std::vector<double> pinned(16, 0.0);
    EXPECT_FALSE(addHits({c}, 0.3, x0, {x0, v0, pinned, 0.01}, terms));
}

} // namespace
