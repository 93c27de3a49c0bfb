// The matrix of an implicit step, product by product, against one assembled densely from the
// references: the vertex of a rod, the single pair of contact points, the edge's trio.
#include "purl/implicit/coarse_blocks.h"
#include "purl/implicit/yarn_matrix.h"

#include "purl/contact/pair.h"
#include "purl/rod/rod.h"
#include "purl/rod/vertex_energy.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <random>

using namespace purl;

namespace {

// Two crossing yarns, a third welded to the end of the first, and a ring round the second.
struct Tangle {
    Curves c;
    std::vector<Material> material;
    std::vector<Weld> welds;
    Rods rods;
    AclContact acl;
    Padded3 x, f;

    Tangle() {
        std::mt19937 random(3);
        std::uniform_real_distribution<double> u(-1.5e-4, 1.5e-4);
        std::vector<Vec3> p[4];
        for (int i = 0; i < 9; ++i) {
            const double s = 1.6e-3 * (i - 4);
            p[0].push_back(Vec3(s, u(random), u(random)));
            p[1].push_back(Vec3(2e-4 + u(random), s, 2.0e-3 + u(random)));
            p[2].push_back(Vec3(6.4e-3 + 0.4 * (s + 6.4e-3), s + 6.4e-3, u(random)));
        }
        p[2][0] = p[0][8];
        for (int i = 0; i < 10; ++i) {
            const double a = 2 * 3.14159265 * i / 10;
            p[3].push_back(Vec3(2e-4 + 2.3e-3 * std::cos(a), 5e-3, 2e-3 + 2.3e-3 * std::sin(a)));
        }
        for (int y = 0; y < 4; ++y) c.add(p[y], y == 3, 1.25e-3);
        material.resize(4);
        welds = {{8, 18}};
        rods = Rods(c, material);
        x.resize(rods.layout().padded() + 4);
        f = x;
        for (Index y = 0; y < 4; ++y) scatter(rods.layout(), c.x, c.first[y], y, x);
        rods.place(x);
        ContactSettings s;
        s.positive = true;
        s.friction = 0;
        acl = AclContact(c, rods.layout(), material, welds, s);
        acl.addForce(x, f);
    }
    Index next(Index y, Index i, int k) const { // of a ring
        const Index n = c.size(y);
        return c.first[y] + ((i + k) % n + n) % n;
    }
    void add(Eigen::MatrixXd& a, const std::vector<Index>& node, const Eigen::MatrixXd& k) const {
        for (std::size_t i = 0; i < node.size(); ++i)
            for (std::size_t j = 0; j < node.size(); ++j)
                a.block<3, 3>(3 * node[i], 3 * node[j]) +=
                    k.block<3, 3>(3 * static_cast<int>(i), 3 * static_cast<int>(j));
    }
    void addRods(Eigen::MatrixXd& a, const Stretch&) const {
        for (Index y = 0; y < 4; ++y)
            for (Index i = 0; i < c.size(y); ++i) {
                const bool ring = c.closed[y];
                const Index n = c.size(y), s = rods.layout().slotOf[c.first[y] + i];
                if (ring || i + 1 < n) {
                    const Index p = c.first[y] + i, q = next(y, i, 1);
                    const Vec3 e = c.x[q] - c.x[p];
                    const double ea = 80 * material[y].bendStiffness / (c.radius[y] * c.radius[y]);
                    const Mat3 k = stretchPositive({ea / e.norm(), e.norm()}, e);
                    Eigen::MatrixXd six(6, 6);
                    six << k, -k, -k, k;
                    add(a, {p, q}, six);
                }
                if (!ring && (i == 0 || i + 1 == n)) continue;
                RodVertex v;
                const Index e = ring && i == 0 ? s - 1 + 0 : s - 1;
                v.tangentE = rods.tangent(e);
                v.tangentF = rods.tangent(s);
                v.directorE = rods.director(e);
                v.directorF = rods.director(s);
                v.bendStiffness = material[y].bendStiffness;
                v.twistStiffness = material[y].twistStiffness;
                const std::vector<Index> node = {next(y, i, -1), c.first[y] + i, next(y, i, 1)};
                v.length =
                    (c.x[node[1]] - c.x[node[0]]).norm() + (c.x[node[2]] - c.x[node[1]]).norm();
                Vec11 q = Vec11::Zero();
                for (int k = 0; k < 3; ++k) q.segment<3>(3 * k) = c.x[node[k]];
                add(a, node, vertexGaussNewton(v, q).topLeftCorner<9, 9>());
            }
    }
    // All pairs of points by themselves, f'' along the normal alone.
    long addContacts(Eigen::MatrixXd& a, const Exclusion& exclusion, const Quadrature& q) const {
        std::vector<std::pair<Index, Index>> segments;
        for (Index y = 0; y < 4; ++y)
            for (Index s = 0; s < c.edges(y); ++s) segments.push_back({y, s});
        long touching = 0;
        for (std::size_t i = 0; i < segments.size(); ++i)
            for (std::size_t j = i; j < segments.size(); ++j) {
                const Segment si = segmentOf(c, segments[i].first, segments[i].second),
                              sj = segmentOf(c, segments[j].first, segments[j].second);
                const PairBits out =
                    exclusion.excluded(static_cast<Index>(i), static_cast<Index>(j));
                for (int g = 0; g < 11; ++g)
                    for (int h = 0; h < 11; ++h) {
                        if (out.test(11 * g + h)) continue;
                        const Weights4 wi = si.fold(catmullRom((g + 0.5) / 11)),
                                       wj = sj.fold(catmullRom((h + 0.5) / 11));
                        const Vec3 d = blend(c.x, si, wi) - blend(c.x, sj, wj);
                        const double D = 2.5e-3;
                        if (d.norm() >= D) continue;
                        ++touching;
                        const Mat3 k = q.scale[3 * i] * q.scale[3 * j] *
                                       contactLawSecond(d.norm(), D) * d * d.transpose() /
                                       d.squaredNorm();
                        Eigen::MatrixXd m(24, 24);
                        std::vector<Index> node;
                        double w[8];
                        for (int n = 0; n < 4; ++n) {
                            w[n] = wi[n];
                            w[4 + n] = -wj[n];
                        }
                        for (Index n : si.q) node.push_back(n);
                        for (Index n : sj.q) node.push_back(n);
                        for (int r = 0; r < 8; ++r)
                            for (int s = 0; s < 8; ++s)
                                m.block<3, 3>(3 * r, 3 * s) = w[r] * w[s] * k;
                        add(a, node, m);
                    }
            }
        return touching;
    }
};

} // namespace

TEST(YarnMatrix, IsTheSumOfItsReferences) {
    Tangle t;
    const Layout& layout = t.rods.layout();
    const Index n = t.c.points();
    const double h = 2e-3, mass = 1e-6;
    const std::vector<double> free(n, 1 / mass);
    YarnMatrix matrix(t.c, layout, t.welds, free);
    Stretch stretch(t.c, layout, t.material);
    RodStiffness rods;
    t.rods.stiffness(rods);
    Padded3 f = t.x;
    stretch.addForce(t.x, f);
    matrix.setRods(rods, stretch, h * h);
    for (Index i = 0; i < n; ++i) matrix.addDiagonal(i, mass);
    AclMatrix contacts;
    std::mt19937 random(1);
    std::normal_distribution<double> u;
    std::vector<Vec3> v(n), y(n);
    for (Vec3& p : v) p = Vec3(u(random), u(random), u(random));
    contacts.assemble(t.acl, h * h);
    matrix.finish(&contacts, nullptr);

    Eigen::MatrixXd k = Eigen::MatrixXd::Zero(3 * n, 3 * n), touch = k;
    t.addRods(k, stretch);
    const Exclusion exclusion(t.c, t.welds, 11);
    const Quadrature quadrature(t.c, layout, t.material, 11);
    EXPECT_GT(t.addContacts(touch, exclusion, quadrature), 50);
    const Eigen::Map<const Eigen::VectorXd> all(v[0].data(), 3 * n);

    Eigen::MatrixXd a = h * h * (k + touch);
    a.diagonal().array() += mass;
    // Welded: 18 follows 8.
    a.middleRows(24, 3) += a.middleRows(54, 3).eval();
    a.middleCols(24, 3) += a.middleCols(54, 3).eval();
    a.middleRows(54, 3).setZero();
    a.middleCols(54, 3).setZero();
    v[18].setZero();
    const Eigen::VectorXd expected = a * all;
    matrix.apply(v, y);
    const Eigen::Map<const Eigen::VectorXd> found(y[0].data(), 3 * n);
    EXPECT_LT((found - expected).norm(), 1e-3 * expected.norm());
    // What all share costs its mass alone, to single precision.
    std::fill(v.begin(), v.end(), Vec3(0, 1, 0));
    matrix.apply(v, y);
    for (Index i = 0; i < n; ++i)
        EXPECT_NEAR(y[i].y(), i == 18 ? 0 : i == 8 ? 2 * mass : mass, 2e-3 * mass) << i;
}

TEST(YarnMatrix, BlocksAreMovedByTheExactMatrixOfSuchMotions) {
    Tangle t;
    const Layout& layout = t.rods.layout();
    const Index n = t.c.points();
    std::vector<double> free(n, 1e6), mass(n, 1e-6);
    free[30] = 0; // pinned
    YarnMatrix matrix(t.c, layout, t.welds, free);
    const BlockDamping blocks(t.c.x, 4e-3, DampingSettings{});
    BlockDrag drag(blocks, n);
    drag.prepare(t.c.x, std::vector<Vec3>(n, Vec3::Zero()), mass, free, 2e-3, 2e-3,
                 std::vector<double>(n, 1.0));
    Stretch stretch(t.c, layout, t.material);
    RodStiffness rods;
    t.rods.stiffness(rods);
    matrix.setRods(rods, stretch, 4e-6);
    for (Index i = 0; i < n; ++i) matrix.addDiagonal(i, mass[i] * (1 + drag.held(i)));
    AclMatrix contacts;
    contacts.assemble(t.acl, 4e-6);
    matrix.finish(&contacts, &drag);
    CoarseBlocks coarse(blocks, layout, matrix, free);
    coarse.factor(matrix, &contacts, &drag, mass);
    ASSERT_TRUE(coarse.used());
    // Z^T A Z from products, column by column.
    std::vector<Index> blockOf(n, -1);
    for (Index b = 0; b < blocks.blocks(); ++b)
        for (Index i : blocks.block(b))
            if (free[i] > 0) blockOf[i] = b;
    blockOf[18] = -1;
    const int m = 3 * blocks.blocks();
    Eigen::MatrixXd z = Eigen::MatrixXd::Zero(3 * n, m), az(3 * n, m);
    for (Index i = 0; i < n; ++i)
        if (blockOf[i] >= 0) z.block<3, 3>(3 * i, 3 * blockOf[i]).setIdentity();
    std::vector<Vec3> in(n), out(n), r(n), answer(n, Vec3::Zero());
    for (int k = 0; k < m; ++k) {
        for (Index i = 0; i < n; ++i) in[i] = z.block<3, 1>(3 * i, k);
        matrix.apply(in, out);
        for (Index i = 0; i < n; ++i) az.block<3, 1>(3 * i, k) = out[i];
    }
    std::mt19937 random(1);
    std::normal_distribution<double> u;
    for (Vec3& p : r) p = Vec3(u(random), u(random), u(random));
    const Eigen::Map<const Eigen::VectorXd> rhs(r[0].data(), 3 * n);
    const Eigen::MatrixXd e = z.transpose() * az;
    const Eigen::VectorXd expected = z * e.ldlt().solve(z.transpose() * rhs);
    coarse.solve(r);
    coarse.add(answer);
    const Eigen::Map<const Eigen::VectorXd> found(answer[0].data(), 3 * n);
    // Ghosts of ends that lie on the border of two blocks are taken with the nearer one.
    EXPECT_LT((found - expected).norm(), 0.02 * expected.norm());
}
