#include "purl/mixed/suggest.h"

#include "cloth/sheets.h"
#include "purl/base/error.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace purl {
namespace {

TEST(Suggest, FindsWhatIsDrawnPressedAndFolded) {
    const test::Sheet s = test::grid(8, 8, 0.08, 0.08, false, 0);
    const auto mapOf = [&](const std::vector<Vec3>& x) {
        std::vector<double> map(x.size(), 0);
        suggestYarn(s.mesh, x, {}, map);
        return map;
    };
    for (double v : mapOf(s.x)) EXPECT_LT(v, 1e-6); // as it lies
    // One half drawn by 4 %, the other pressed by 2 %: 0.8 and 0.4 of what counts as 1.
    std::vector<Vec3> x = s.x;
    for (Vec3& p : x) p.x() = p.x() < 0.04 ? 1.04 * p.x() : 1.04 * 0.04 + 0.98 * (p.x() - 0.04);
    std::vector<double> map = mapOf(x);
    for (std::size_t i = 0; i < map.size(); ++i) {
        if (s.x[i].x() < 0.035) {
            EXPECT_NEAR(map[i], 0.8, 1e-6);
        }
        if (s.x[i].x() > 0.045) {
            EXPECT_NEAR(map[i], 0.4, 1e-6);
        }
    }
    // Folded along the middle by 0.4 rad: 0.5 there, nothing elsewhere.
    x = s.x;
    for (Vec3& p : x)
        if (p.x() > 0.0401)
            p = Vec3(0.04 + std::cos(0.4) * (p.x() - 0.04), p.y(), std::sin(0.4) * (p.x() - 0.04));
    map = mapOf(x);
    for (std::size_t i = 0; i < map.size(); ++i) {
        const double away = std::abs(s.x[i].x() - 0.04);
        EXPECT_NEAR(map[i], away < 1e-6 ? 0.5 : 0.0, 1e-6);
    }
    // Frames add up: the larger stays.
    suggestYarn(s.mesh, s.x, {}, map);
    EXPECT_NEAR(*std::max_element(map.begin(), map.end()), 0.5, 1e-6);
    std::vector<double> few(3);
    EXPECT_THROW(suggestYarn(s.mesh, s.x, {}, few), Error);
}

} // namespace
} // namespace purl
