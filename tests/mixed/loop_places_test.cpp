#include "purl/mixed/loop_places.h"

#include "mixed/woven_patch.h"

#include <gtest/gtest.h>

namespace purl {
namespace {

struct Places {
    test::WovenPatch patch{0.06, 8, 1.5e-3};
    std::vector<char> all = std::vector<char>(patch.layout.network.x.size(), 1),
                      none = std::vector<char>(all.size(), 0);
    LoopPlaces loop{patch.sheet.mesh, patch.layout.triangle, patch.layout.weights, all},
        flat{patch.sheet.mesh, patch.layout.triangle, patch.layout.weights, none};
    // Largest turn of a warp from piece to piece, a triangle from the border on.
    double sharpest(const LoopPlaces& places, Span<const Vec3> v) const {
        const CrossingNetwork& net = patch.layout.network;
        double most = 0;
        for (Index y = 0; y < net.yarns(); ++y)
            for (Index k = net.first[y] + 1; k + 1 < net.first[y + 1]; ++k) {
                const Vec3 x = net.x[net.node[k]];
                if (std::max(std::abs(x.x()), std::abs(x.z())) > 0.021) continue;
                const Vec3 a = places.at(net.node[k - 1], v), b = places.at(net.node[k], v),
                           c = places.at(net.node[k + 1], v);
                const double turn = (b - a).normalized().dot((c - b).normalized());
                most = std::max(most, std::acos(std::min(1.0, turn)));
            }
        return most;
    }
};

// What is flat stays where it was laid, however it is turned and drawn.
TEST(LoopPlaces, LeavesFlatClothAlone) {
    const Places p;
    Mat3 a;
    a << 1.1, 0.2, 0.3, -0.4, 0.9, 0.1, 0.2, -0.3, 0.8;
    std::vector<Vec3> v, rates;
    for (const Vec3& x : p.patch.sheet.x) {
        v.push_back(a * x + Vec3(100, 2, 3));
        rates.push_back(Vec3(1, 2, 3));
    }
    for (Index i = 0; i < p.patch.layout.network.nodes(); ++i) {
        EXPECT_LT((p.loop.at(i, v) - p.flat.at(i, v)).norm(), 1e-9);
        EXPECT_LT((p.loop.rate(i, v, rates) - Vec3(1, 2, 3)).norm(), 1e-9);
    }
}

// A cylinder of radius R turns by spacing / R from piece to piece; flat triangles turn by all of an
// edge's angle at once.
TEST(LoopPlaces, TurnsEvenlyRoundACylinder) {
    const Places p;
    const double radius = 0.02;
    std::vector<Vec3> v;
    for (const Vec3& x : p.patch.sheet.x)
        v.push_back({radius * std::sin(x.x() / radius), radius * std::cos(x.x() / radius), x.z()});
    const double even = 1.5e-3 / radius, flat = p.sharpest(p.flat, v), loop = p.sharpest(p.loop, v);
    EXPECT_GT(flat, 3 * even); // 7.5 mm of triangle
    EXPECT_LT(loop, 1.7 * even);
}

} // namespace
} // namespace purl
