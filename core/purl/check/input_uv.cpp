// uv triangles on top of each other: rest shapes and laid fabric are taken from uv.
#include "purl/check/input.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace purl {

namespace {

double twiceArea(const std::array<Vec2, 3>& t) {
    const Vec2 a = t[1] - t[0], b = t[2] - t[0];
    return a.x() * b.y() - a.y() * b.x();
}

// Whether the insides have a place in common: no edge of either parts them. `slack` (uv) is what
// neighbours may overlap by rounding.
bool overlap(const std::array<Vec2, 3>& s, const std::array<Vec2, 3>& t, double slack) {
    for (int turn = 0; turn < 2; ++turn) {
        const auto& a = turn ? t : s;
        const auto& b = turn ? s : t;
        for (int k = 0; k < 3; ++k) {
            const Vec2 e = a[(k + 1) % 3] - a[k];
            Vec2 n(-e.y(), e.x());
            if (n.dot(a[(k + 2) % 3] - a[k]) > 0) n = -n; // outwards
            n /= n.norm();
            double least = 1e300;
            for (const Vec2& p : b) least = std::min(least, n.dot(p - a[k]));
            if (least > -slack) return false;
        }
    }
    return true;
}

} // namespace

std::vector<InputFinding> checkUv(Span<const std::array<Vec2, 3>> triangles,
                                  Span<const Index> primitive, const InputLimits& limits) {
    const auto n = static_cast<Index>(triangles.size());
    const auto name = [&](Index t) { return "primitive " + std::to_string(primitive[t]); };
    std::vector<InputFinding> out;
    Index flat = 0, over = 0;
    double mean = 0;
    for (const auto& t : triangles) mean += std::abs(twiceArea(t)) / std::max<Index>(1, n);
    std::vector<Index> order;
    for (Index t = 0; t < n; ++t) {
        if (std::abs(twiceArea(triangles[t])) > 1e-9 * mean) {
            order.push_back(t);
        } else if (flat++ < limits.listed) {
            out.push_back({InputFinding::Kind::UvDegenerate, true, name(t),
                           "has no area in uv, expected a triangle that can be a rest shape",
                           "unwrap it anew, or --rest input"});
        }
    }
    const auto left = [&](Index t) {
        return std::min({triangles[t][0].x(), triangles[t][1].x(), triangles[t][2].x()});
    };
    std::sort(order.begin(), order.end(), [&](Index a, Index b) {
        const double x = left(a), y = left(b);
        return x != y ? x < y : a < b;
    });
    // A line swept over u: the triangles it is in now.
    std::vector<Index> open;
    for (Index t : order) {
        const double u = left(t);
        const double slack = 1e-4 * std::sqrt(std::abs(twiceArea(triangles[t])));
        open.erase(std::remove_if(open.begin(), open.end(),
                                  [&](Index s) {
                                      const auto& q = triangles[s];
                                      return std::max({q[0].x(), q[1].x(), q[2].x()}) <= u;
                                  }),
                   open.end());
        for (Index s : open)
            if (primitive[s] != primitive[t] && overlap(triangles[s], triangles[t], slack) &&
                over++ < limits.listed)
                out.push_back({InputFinding::Kind::UvOverlap, false,
                               name(std::min(primitive[s], primitive[t]) == primitive[s] ? s : t),
                               "lies on " + name(primitive[s] < primitive[t] ? t : s) +
                                   " in uv, expected islands apart: fabric laid by uv would cross",
                               "lay the uv out again (UV Layout), or one island a tile"});
        open.push_back(t);
    }
    for (auto it = out.rbegin(); it != out.rend(); ++it)
        if (it->kind == InputFinding::Kind::UvOverlap && over > limits.listed) {
            it->text += " (and " + std::to_string(over - limits.listed) + " more)";
            break;
        }
    return out;
}

} // namespace purl
