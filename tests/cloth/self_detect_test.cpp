// What the tree finds against all pairs, with and without culling, however it is cut.
#include "purl/cloth/self_detect.h"

#include "cloth/crumple_sheets.h"
#include "purl/base/parallel.h"
#include "purl/cloth/continuous.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <set>

namespace purl {
namespace {

using test::CrumpleSheet;
using Pairs = std::set<std::array<Index, 4>>;

// Two sheets, one rolled up and crumpled, on the move.
CrumpleSheet crumpled(double noise, std::vector<Vec3>& x1) {
    CrumpleSheet s;
    s.add(14, 10, 0.3, 0.2, [](double a, double b) {
        const double phi = 14 * a, r = 0.006 + 0.0003 * phi;
        return Vec3(r * std::cos(phi), r * std::sin(phi), 0.2 * b);
    });
    s.add(9, 9, 0.1, 0.1, [](double a, double b) { return test::flatPlace(a, b, 0.1, 0.1, 0.04); });
    std::mt19937 engine(11);
    std::uniform_real_distribution<double> u(-1, 1);
    x1.clear();
    for (Vec3& p : s.x) {
        p += noise * Vec3(u(engine), u(engine), u(engine));
        x1.push_back(p + Vec3(0.01, -0.02, 0) + 0.015 * Vec3(u(engine), u(engine), u(engine)));
    }
    return s;
}

// Boxes of the features' ways, grown by the pair's thickness, for all pairs.
template <class Visit>
void allPairs(const ClothMesh& mesh, FeaturePair kind, const Visit& visit) {
    if (kind == FeaturePair::VertexFace) {
        for (Index v = 0; v < mesh.points; ++v)
            for (const auto& t : mesh.triangles)
                if (v != t[0] && v != t[1] && v != t[2])
                    visit(std::array<Index, 4>{v, t[0], t[1], t[2]});
        return;
    }
    std::set<std::array<Index, 2>> edges;
    for (const auto& t : mesh.triangles)
        for (int k = 0; k < 3; ++k)
            edges.insert({std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])});
    for (auto e = edges.begin(); e != edges.end(); ++e)
        for (auto f = std::next(e); f != edges.end(); ++f)
            if ((*e)[0] != (*f)[0] && (*e)[0] != (*f)[1] && (*e)[1] != (*f)[0] &&
                (*e)[1] != (*f)[1])
                visit(std::array<Index, 4>{(*e)[0], (*e)[1], (*f)[0], (*f)[1]});
}

TEST(SelfDetect, NoPairThatMeetsIsMissed) {
    for (double noise : {0.0, 0.002}) {
        std::vector<Vec3> x1;
        const CrumpleSheet s = crumpled(noise, x1);
        SelfDetector detector(s.mesh, s.x, 2e-3);
        SelfDetector::Request r;
        r.x0 = s.x;
        r.x1 = x1;
        r.culling = false;
        long expected = 0, near = 0;
        for (FeaturePair kind : {FeaturePair::VertexFace, FeaturePair::EdgeEdge}) {
            const auto list = detector.candidates(r, kind);
            const Pairs found(list.begin(), list.end());
            EXPECT_EQ(found.size(), list.size()) << "a pair was visited twice";
            allPairs(s.mesh, kind, [&](const std::array<Index, 4>& n) {
                Vec3 a[4], b[4];
                double h = 1e300;
                for (int k = 0; k < 4; ++k) {
                    a[k] = s.x[n[k]];
                    b[k] = x1[n[k]];
                    h = std::min(h, detector.thickness()[n[k]]);
                }
                const bool hit = meet(kind, a, b, h).kind == Meeting::Kind::Hit;
                const bool close = std::sqrt(closest(kind, a).squared) < h;
                expected += hit;
                near += close;
                if (hit || close) {
                    EXPECT_TRUE(found.count(n)) << n[0] << " " << n[1];
                }
            });
        }
        EXPECT_EQ(static_cast<long>(detector.detect(r).contacts.size()), expected);
        r.look = SelfDetector::Look::Near;
        const Detected d = detector.detect(r);
        EXPECT_LE(static_cast<long>(d.contacts.size()), near); // less what another pair covers
        EXPECT_GT(d.contacts.size(), 0u);
        EXPECT_GT(expected, 100);
        EXPECT_GT(near, 0);
    }
}

TEST(SelfDetect, CullingLosesNoMeeting) {
    // Smooth to rough, small motion to large: whatever is found without culling is found with it.
    long culled = 0, saved = 0;
    for (int i = 0; i < 12; ++i) {
        std::vector<Vec3> x1;
        CrumpleSheet s;
        const double bend = 0.5 * i;
        s.add(24, 24, 0.24, 0.24, [&](double a, double b) {
            const double phi = bend * (a - 0.5) + 1e-3, r = 0.24 / (bend + 1e-3);
            return Vec3(r * std::sin(phi), r * std::cos(phi), 0.24 * b);
        });
        std::mt19937 engine(i);
        std::uniform_real_distribution<double> u(-1, 1);
        for (const Vec3& p : s.x)
            x1.push_back(p + 0.003 * i / 4 * Vec3(u(engine), u(engine), u(engine)) +
                         Vec3(0, 0.2 * p.x() * p.x() * i, 0));
        SelfDetector detector(s.mesh, s.x, 1e-3);
        SelfDetector::Request r;
        r.x0 = s.x;
        r.x1 = x1;
        const Detected with = detector.detect(r);
        r.culling = false;
        const Detected without = detector.detect(r);
        ASSERT_EQ(with.contacts.size(), without.contacts.size()) << i;
        for (std::size_t k = 0; k < with.contacts.size(); ++k)
            EXPECT_EQ(with.contacts[k].node, without.contacts[k].node);
        culled += with.culled;
        saved += without.pairs - with.pairs;
    }
    EXPECT_GT(culled, 0);
    EXPECT_GT(saved, 10000);
}

TEST(SelfDetect, AFlatSheetCostsOneTest) {
    CrumpleSheet s;
    s.add(50, 50, 1, 1, [](double a, double b) { return test::flatPlace(a, b, 1, 1, 0); });
    std::vector<Vec3> x1 = s.x;
    for (Vec3& p : x1) p += Vec3(0.01, -0.05, 0);
    SelfDetector detector(s.mesh, s.x, 1e-3);
    SelfDetector::Request r;
    r.x0 = s.x;
    r.x1 = x1;
    const Detected d = detector.detect(r);
    EXPECT_EQ(d.culled, 1);
    EXPECT_EQ(d.pairs, 0);
}

TEST(SelfDetect, ASheetThatCrossesItsOwnOutlineIsNotCulled) {
    // Flat in the sense of normals, but two arms of a U that run into each other in the plane.
    CrumpleSheet s;
    s.add(60, 6, 0.6, 0.06, [](double a, double b) {
        const double phi = 5.4 * a, r = 0.1 + 0.03 * b;
        return Vec3(r * std::cos(phi), 1e-4 * a, r * std::sin(phi));
    });
    std::vector<Vec3> x1 = s.x;
    const double turn = 1.3; // of the last third about the middle: it runs over the first
    for (std::size_t i = 0; i < x1.size(); ++i) {
        const double a = double(i % 61) / 60;
        if (a < 0.6) continue;
        const double phi = turn * (a - 0.6) / 0.4, c = std::cos(phi), q = std::sin(phi);
        x1[i] = Vec3(c * x1[i].x() - q * x1[i].z(), x1[i].y(), q * x1[i].x() + c * x1[i].z());
    }
    SelfDetector detector(s.mesh, s.x, 1e-3);
    SelfDetector::Request r;
    r.x0 = s.x;
    r.x1 = x1;
    const Detected with = detector.detect(r);
    r.culling = false;
    const Detected without = detector.detect(r);
    EXPECT_GT(without.contacts.size(), 0u);
    EXPECT_EQ(with.contacts.size(), without.contacts.size());
}

TEST(SelfDetect, CuttingAndThreadsChangeNothing) {
    std::vector<Vec3> x1;
    const CrumpleSheet s = crumpled(0.001, x1);
    SelfDetector one(s.mesh, s.x, 2e-3), many(s.mesh, s.x, 2e-3);
    SelfDetector::Request r;
    r.x0 = s.x;
    r.x1 = x1;
    r.coarse = true;
    const Detected reference = one.detect(r);
    EXPECT_EQ(reference.tasks, 1);
    r.coarse = false;
    for (int pass = 0; pass < 3; ++pass) // the second and third know what the first cost
        for (int threads : {1, 2, 3}) {
            const ThreadLimit limit(threads);
            const Detected d = many.detect(r);
            if (pass > 0) {
                EXPECT_GT(d.tasks, 8);
            }
            ASSERT_EQ(d.contacts.size(), reference.contacts.size());
            for (std::size_t k = 0; k < d.contacts.size(); ++k) {
                EXPECT_EQ(d.contacts[k].node, reference.contacts[k].node);
                EXPECT_EQ(d.contacts[k].stop, reference.contacts[k].stop);
            }
            EXPECT_EQ(d.pairs, reference.pairs);
        }
}

} // namespace
} // namespace purl
