// The fabric's gradient against differences of its energy; its two matrices against each other and
// against differences of the gradient; mass with sliding; the preconditioner.
#include "purl/crossing/assembled.h"
#include "purl/crossing/compression.h"
#include "purl/crossing/samples.h"
#include "purl/crossing/yarn_lines.h"
#include "purl/solve/mpcg.h"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace purl {
namespace {

struct Bent { // a small fabric, pulled about
    explicit Bent(const CrossingNetwork& net, double noise) : fabric(net), q(unknownsOf(net)) {
        std::mt19937 random(7);
        std::uniform_real_distribution<double> in(-noise, noise);
        const YarnLinks& l = fabric.links();
        for (Index i = 0; i < l.nodes; ++i)
            for (int c = 0; c < 3; ++c) q[i][c] += in(random);
        for (Index k = 0; k < l.links(); ++k) q[l.nodes + l.node[k]][l.side[k]] += in(random);
        fabric.gravity = {0, -9.8, 1};
        fabric.friction.limit.assign(l.node.size(), 0);
        for (Index k = 0; k < l.links(); ++k)
            fabric.friction.anchor.push_back(l.slide(q, k) + in(random));
        std::vector<Vec3> scratch(q.size());
        frictionLimits(fabric, q, scratch, fabric.friction.limit);
    }
    bool used(std::size_t unknown, int c) const {
        return static_cast<Index>(unknown) < fabric.nodes() ||
               fabric.links().at(static_cast<Index>(unknown) - fabric.nodes(), c) >= 0;
    }
    Fabric fabric;
    std::vector<Vec3> q;
};

CrossingNetwork weave(Index n) {
    WovenSample s;
    s.warps = s.wefts = n;
    return wovenSample(s, CrossingMaterial());
}

CrossingNetwork knit(Index n) {
    KnitSample s;
    s.wales = s.courses = n;
    CrossingMaterial m;
    m.radius = 4e-4;
    return stockinetteSample(s, m);
}

void checkGradient(Bent& b, double step) {
    std::vector<Vec3> g(b.q.size());
    b.fabric.evaluate(b.q, g);
    double error = 0, size = 0;
    for (std::size_t i = 0; i < b.q.size(); ++i)
        for (int c = 0; c < 3; ++c) {
            if (!b.used(i, c)) continue;
            const double at = b.q[i][c];
            b.q[i][c] = at + step;
            const double up = b.fabric.evaluate(b.q, {});
            b.q[i][c] = at - step;
            const double down = b.fabric.evaluate(b.q, {});
            b.q[i][c] = at;
            const double d = (up - down) / (2 * step) - g[i][c];
            error += d * d;
            size += g[i][c] * g[i][c];
        }
    EXPECT_LT(std::sqrt(error / size), 1e-6);
}

TEST(Fabric, GradientOfAWeave) {
    Bent b(weave(4), 4e-5);
    checkGradient(b, 1e-10);
}

TEST(Fabric, GradientOfAKnit) {
    Bent b(knit(3), 5e-5);
    checkGradient(b, 1e-10);
}

std::vector<Vec3> randomVector(std::size_t n, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> in(-1, 1);
    std::vector<Vec3> v(n);
    for (Vec3& p : v) p = {in(random), in(random), in(random)};
    return v;
}

double dot(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i].dot(b[i]);
    return sum;
}

void compareForms(const CrossingNetwork& net) {
    Bent b(net, 3e-5);
    Stiffness a(b.fabric);
    a.linearise(b.q, 1e-3, 0);
    AssembledStiffness m(b.fabric);
    m.assemble(a, NodeFilter(2 * b.fabric.nodes()));
    const std::vector<Vec3> x = randomVector(b.q.size(), 1), z = randomVector(b.q.size(), 2);
    std::vector<Vec3> y(x.size()), w(x.size());
    a.apply(x, y);
    m.apply(x, w);
    double off = 0;
    for (std::size_t i = 0; i < y.size(); ++i) off += (y[i] - w[i]).squaredNorm();
    EXPECT_LT(std::sqrt(off), 1e-12 * std::sqrt(dot(y, y)));
    a.apply(z, w);
    EXPECT_NEAR(dot(y, z), dot(w, x), 1e-12 * std::abs(dot(y, z))); // symmetric
    EXPECT_GT(dot(x, y), 0);
}

TEST(Stiffness, MatrixFreeIsTheAssembledMatrixOfAWeave) { compareForms(weave(6)); }
TEST(Stiffness, MatrixFreeIsTheAssembledMatrixOfAKnit) { compareForms(knit(3)); }

// At rest nothing is dropped: M + h^2 K is M and differences of the gradient.
TEST(Stiffness, IsTheExactHessianAtRest) {
    WovenSample sample;
    sample.warps = sample.wefts = 4;
    CrossingMaterial thin; // neighbours that touch at rest push one way only
    thin.radius = 5e-5;
    const CrossingNetwork net = wovenSample(sample, thin);
    Fabric fabric(net);
    std::vector<Vec3> q = unknownsOf(net);
    Stiffness with(fabric);
    const double h = 1e-3;
    with.linearise(q, h, 0);
    const std::vector<Vec3> x = randomVector(q.size(), 3);
    std::vector<Vec3> y(q.size()), m(q.size()), up(q.size()), down(q.size());
    with.apply(x, y);
    applyMass(fabric, q, x, m);
    const double step = 1e-9;
    std::vector<Vec3> p = q;
    for (std::size_t i = 0; i < q.size(); ++i) p[i] = q[i] + step * x[i];
    fabric.evaluate(p, up);
    for (std::size_t i = 0; i < q.size(); ++i) p[i] = q[i] - step * x[i];
    fabric.evaluate(p, down);
    const YarnLinks& l = fabric.links();
    double error = 0, size = 0;
    for (Index i = 0; i < l.nodes; ++i) {
        const Vec3 dx = m[i] + h * h * (up[i] - down[i]) / (2 * step) - y[i];
        error += dx.squaredNorm();
        size += y[i].squaredNorm();
        for (Index k = l.first[i]; k < l.first[i + 1]; ++k) {
            const int c = l.side[k];
            const Index s = l.nodes + i;
            const double damping = h * fabric.materialOf(k).frictionDamping * x[s][c];
            const double d =
                m[s][c] + h * h * (up[s][c] - down[s][c]) / (2 * step) + damping - y[s][c];
            error += d * d;
            size += y[s][c] * y[s][c];
        }
    }
    EXPECT_LT(std::sqrt(error / size), 1e-5);
}

// Physics 7.1: rigid translation has the yarn's mass; sliding a straight yarn through its crossings
// while they move along with it the other way leaves the material at rest.
TEST(Mass, CountsMaterialNotNodes) {
    CrossingNetwork net = weave(5);
    Fabric fabric(net);
    const std::vector<Vec3> q = unknownsOf(net);
    std::vector<Vec3> v(q.size(), Vec3::Zero()), p(q.size());
    for (Index i = 0; i < fabric.nodes(); ++i) v[i] = {1, 2, 3};
    applyMass(fabric, q, v, p);
    const double yarn = 10 * (4 + 2) * 3e-4 * net.materials[0].density;
    EXPECT_NEAR(dot(v, p), yarn * 14, 1e-12 * yarn);
    std::vector<double> mass(net.x.size());
    fabric.mass(q, mass);
    double sum = 0;
    for (double m : mass) sum += m;
    EXPECT_NEAR(sum, yarn, 1e-12 * yarn);
    // Nodes go along warps (y) at 1 m/s and the warps' material stays: u grows as fast as y does.
    for (Vec3& s : v) s.setZero();
    for (Index i = 0; i < fabric.nodes(); ++i) {
        v[i] = {0, 1, 0};
        v[fabric.nodes() + i] = {fabric.links().at(i, 0) >= 0 ? 1.0 : 0.0, 0, 0};
    }
    applyMass(fabric, q, v, p);
    EXPECT_NEAR(dot(v, p), 0.5 * yarn * (1 + kSlideMass), 1e-9 * yarn); // the wefts', and the extra
}

// The smallest eigenvalue of one node's mass, as physics 7.1 has it (.38 rho L at 90 degrees for a
// node between four pieces of length L, lumped there; here the node's own block).
TEST(Mass, IsPositiveWhereYarnsCross) {
    CrossingNetwork net = weave(5);
    Fabric fabric(net);
    const std::vector<Vec3> q = unknownsOf(net);
    const Index node = 2 * 5 + 2;
    Eigen::Matrix<double, 5, 5> block;
    for (int c = 0; c < 5; ++c) {
        std::vector<Vec3> v(q.size(), Vec3::Zero()), p(q.size());
        (c < 3 ? v[node][c] : v[fabric.nodes() + node][c - 3]) = 1;
        applyMass(fabric, q, v, p);
        block.col(c).head<3>() = p[node];
        block.col(c).tail<2>() = p[fabric.nodes() + node].head<2>();
    }
    EXPECT_LT((block - block.transpose()).norm(), 1e-14 * block.norm());
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 5, 5>> eigen(block);
    EXPECT_GT(eigen.eigenvalues()[0], 0.2 * net.materials[0].density * 3e-4);
}

TEST(YarnLines, KeepIterationsLowOnLongYarns) {
    int iterations[2];
    Index sizes[2] = {12, 48};
    for (int k = 0; k < 2; ++k) {
        Bent b(weave(sizes[k]), 1e-5);
        Stiffness a(b.fabric);
        a.linearise(b.q, 1e-3, 0);
        YarnLines lines(b.fabric);
        NodeFilter filter(2 * b.fabric.nodes());
        lines.factor(a, filter);
        std::vector<Vec3> rhs = randomVector(b.q.size(), 5), x(b.q.size(), Vec3::Zero());
        for (std::size_t i = 0; i < rhs.size(); ++i)
            for (int c = 0; c < 3; ++c)
                if (!b.used(i, c)) rhs[i][c] = 0;
        Mpcg cg;
        SolveSettings s;
        s.tolerance = 1e-4;
        const SolveReport r = cg.solve(a, lines, filter, rhs, {}, x, s);
        EXPECT_TRUE(r.good());
        iterations[k] = r.iterations;
    }
    EXPECT_LT(iterations[1], 2 * iterations[0] + 10) << iterations[0] << " and " << iterations[1];
    RecordProperty("iterations", iterations[1]);
}

} // namespace
} // namespace purl
