#include "purl/mixed/yarn_filter.h"

#include "mixed/small_patch.h"
#include "purl/base/error.h"
#include "purl/base/parallel.h"

#include <gtest/gtest.h>

namespace purl {
namespace {
using test::randomVectors;
using test::rows;
using test::SmallPatch;

TEST(YarnFilter, IsTheDenseProjector) { // oracle 26: F^2 = F = F^T, B^T F = 0
    const SmallPatch patch;
    const YarnFilter f(patch.b);
    EXPECT_TRUE(f.dropped().empty());
    std::vector<Vec3> y = randomVectors(patch.b.nodes(), 1), z = randomVectors(patch.b.nodes(), 2);
    const Eigen::MatrixX3d expected = patch.denseFilter() * rows(y);
    std::vector<Vec3> fy = y, fz = z;
    f.apply(fy), f.apply(fz);
    EXPECT_LT((rows(fy) - expected).cwiseAbs().maxCoeff(), 1e-12);
    std::vector<Vec3> ffy = fy;
    f.apply(ffy);
    EXPECT_LT((rows(ffy) - rows(fy)).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_NEAR(rows(fy).cwiseProduct(rows(z)).sum(), rows(y).cwiseProduct(rows(fz)).sum(), 1e-11);
    std::vector<Vec3> left(SmallPatch::kVertices, Vec3::Zero());
    patch.b.gather(fy, left);
    EXPECT_LT(rows(left).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(YarnFilter, AffineMotionBelongsToTheTriangles) {
    const SmallPatch patch;
    const YarnFilter f(patch.b);
    const std::vector<Vec3> v = randomVectors(SmallPatch::kVertices, 4);
    std::vector<Vec3> p(patch.b.nodes(), Vec3::Zero()), c(f.kept().size());
    patch.b.addBase(v, p);
    f.match(p, c);
    for (std::size_t k = 0; k < c.size(); ++k) EXPECT_LT((c[k] - v[f.kept()[k]]).norm(), 1e-12);
    f.apply(p);
    EXPECT_LT(rows(p).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(YarnFilter, LeavesNodesThatRideOnNothing) {
    const SmallPatch patch(60, 3, 1e-6, 7);
    const YarnFilter f(patch.b);
    const std::vector<Vec3> y = randomVectors(patch.b.nodes(), 5);
    std::vector<Vec3> fy = y;
    f.apply(fy);
    for (Index i = 60; i < 67; ++i) EXPECT_EQ(fy[i], y[i]);
}

TEST(YarnFilter, DropsVerticesThatTooFewNodesTellApart) {
    // Two nodes on one triangle: three columns, two of them independent.
    std::vector<Embedding::Row> rowsOf(2);
    rowsOf[0].vertex = rowsOf[1].vertex = {0, 1, 2};
    rowsOf[0].weight = {0.5, 0.25, 0.25};
    rowsOf[1].weight = {0.25, 0.5, 0.25};
    const Embedding b(4, rowsOf);
    const YarnFilter f(b);
    EXPECT_EQ(f.kept().size(), 2u);
    EXPECT_EQ(f.dropped().size(), 1u);
    std::vector<Vec3> y = randomVectors(2, 6);
    f.apply(y); // nothing is left that two columns cannot say
    EXPECT_LT(rows(y).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(YarnFilter, SameBitsAtAnyThreads) {
    const SmallPatch patch(5000, 11);
    const YarnFilter f(patch.b);
    std::vector<Vec3> first;
    for (int threads : {1, 2, 3}) {
        const ThreadLimit limit(threads);
        std::vector<Vec3> y = randomVectors(patch.b.nodes(), 7);
        f.apply(y);
        if (first.empty()) first = y;
        EXPECT_EQ(0, std::memcmp(first.data(), y.data(), y.size() * sizeof(Vec3)));
    }
}

TEST(Embedding, NamesAWrongRow) {
    std::vector<Embedding::Row> rowsOf(2);
    rowsOf[1].vertex = {0, 1, 9};
    rowsOf[1].weight = {0.5, 0.25, 0.25};
    try {
        Embedding b(4, rowsOf);
        FAIL();
    } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find("yarn node 1"), std::string::npos);
        EXPECT_NE(std::string(e.what()).find("vertex 9"), std::string::npos);
    }
    rowsOf[1].vertex = {0, 1, 2};
    rowsOf[1].weight = {0.5, 0.25, 0.2};
    EXPECT_THROW(Embedding(4, rowsOf), Error);
}

} // namespace
} // namespace purl
