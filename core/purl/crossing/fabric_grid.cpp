#include "purl/crossing/fabric_grid.h"

#include "purl/base/error.h"
#include "purl/base/parallel.h"

#include <algorithm>
#include <tuple>

namespace purl {

namespace {

// Twice the signed area of a, b, p. Both triangles of an edge get the same number with the other
// sign, to the last bit, as the edge is always taken from its smaller end.
double side(const Vec2& a, const Vec2& b, const Vec2& p) {
    const bool turned = std::make_pair(b.x(), b.y()) < std::make_pair(a.x(), a.y());
    const Vec2 &s = turned ? b : a, &e = turned ? a : b;
    const double v = (e.x() - s.x()) * (p.y() - s.y()) - (e.y() - s.y()) * (p.x() - s.x());
    return turned ? -v : v;
}

// Of the two directions of an edge just one owns the points on it.
bool owns(const Vec2& a, const Vec2& b) {
    const double dy = b.y() - a.y();
    return dy > 0 || (dy == 0 && b.x() < a.x());
}

bool contains(const std::array<Vec2, 3>& c, const Vec2& p, Vec3& weights) {
    for (int k = 0; k < 3; ++k) {
        const Vec2 &a = c[k], &b = c[(k + 1) % 3];
        const double v = side(a, b, p);
        if (v < 0 || (v == 0 && !owns(a, b))) return false;
        weights[(k + 2) % 3] = v;
    }
    weights /= weights.sum();
    return true;
}

// Range of y on the line x = at inside a triangle; false: none.
bool slice(const std::array<Vec2, 3>& c, double at, double& lo, double& hi) {
    lo = 1e300, hi = -1e300;
    for (int k = 0; k < 3; ++k) {
        const Vec2 &a = c[k], &b = c[(k + 1) % 3];
        if (std::min(a.x(), b.x()) > at || std::max(a.x(), b.x()) < at) continue;
        if (a.x() == b.x()) {
            lo = std::min({lo, a.y(), b.y()});
            hi = std::max({hi, a.y(), b.y()});
            continue;
        }
        const double y = a.y() + (at - a.x()) / (b.x() - a.x()) * (b.y() - a.y());
        lo = std::min(lo, y);
        hi = std::max(hi, y);
    }
    return lo <= hi;
}

template <class F>
void eachPoint(const FabricPatch& p, Index t, const ThreadGrid& warps, const ThreadGrid& wefts,
               F&& f) {
    const auto& c = p.plane[t];
    const double least = std::min({c[0].x(), c[1].x(), c[2].x()}),
                 most = std::max({c[0].x(), c[1].x(), c[2].x()});
    for (Index i = wefts.from(least); wefts.at(i) <= most; ++i) {
        const double x = wefts.at(i);
        double lo, hi;
        if (!slice(c, x, lo, hi)) continue;
        const double slack = 1e-9 * (1e-6 + hi - lo + std::abs(hi));
        for (Index j = warps.from(lo - slack); warps.at(j) <= hi + slack; ++j) {
            Vec3 w;
            if (contains(c, {x, warps.at(j)}, w)) f(i, j, w);
        }
    }
}

[[noreturn]] void overlap(const FabricPatch& p, const std::string& name, Index s, Index t) {
    throw Error(name + ": primitive " + std::to_string(p.number[s]),
                "lies over primitive " + std::to_string(p.number[t]) +
                    " in uv, expected pieces that do not cover themselves");
}

} // namespace

Vec3 edgeWeights(int edge, double fraction) {
    Vec3 w = Vec3::Zero();
    w[edge] = 1 - fraction;
    w[(edge + 1) % 3] = fraction;
    return w;
}

std::vector<GridPoint> gridPoints(const FabricPatch& p, const ThreadGrid& warps,
                                  const ThreadGrid& wefts, const std::string& name) {
    const Index n = p.faces();
    std::vector<std::size_t> first(n + 1, 0);
    parallelFor(n, 64, [&](Index begin, Index end) {
        for (Index t = begin; t < end; ++t)
            if (p.piece[t] >= 0)
                eachPoint(p, t, warps, wefts, [&](Index, Index, const Vec3&) { ++first[t + 1]; });
    });
    for (Index t = 0; t < n; ++t) first[t + 1] += first[t];
    std::vector<GridPoint> points(first[n]);
    parallelFor(n, 64, [&](Index begin, Index end) {
        for (Index t = begin; t < end; ++t) {
            if (p.piece[t] < 0) continue;
            std::size_t at = first[t];
            eachPoint(p, t, warps, wefts, [&](Index i, Index j, const Vec3& w) {
                points[at++] = {p.piece[t], j, i, t, w};
            });
        }
    });
    std::sort(points.begin(), points.end(), [](const GridPoint& a, const GridPoint& b) {
        return std::tie(a.piece, a.warp, a.weft, a.triangle) <
               std::tie(b.piece, b.warp, b.weft, b.triangle);
    });
    for (std::size_t k = 1; k < points.size(); ++k) {
        const GridPoint &a = points[k - 1], &b = points[k];
        if (a.piece == b.piece && a.warp == b.warp && a.weft == b.weft)
            overlap(p, name, a.triangle, b.triangle);
    }
    return points;
}

std::vector<ThreadRun> threadRuns(const FabricPatch& p, const ThreadGrid& grid, bool alongX,
                                  const std::string& name) {
    struct Cut {
        Index piece, line;
        bool in;
        ThreadEnd end;
    };
    const int along = alongX ? 0 : 1, across = 1 - along;
    std::vector<Cut> cuts;
    for (Index t = 0; t < p.faces(); ++t) {
        if (p.piece[t] < 0) continue;
        for (int k = 0; k < 3; ++k) {
            if (p.inside[t][k] >= 0) continue;
            const Vec2 &a = p.plane[t][k], &b = p.plane[t][(k + 1) % 3];
            // A line meets an edge whose ends are on its two sides; one that is just on it counts
            // as above, so that a line through a corner is cut once.
            const double lo = std::min(a[across], b[across]), hi = std::max(a[across], b[across]);
            for (Index line = grid.from(lo); grid.at(line) <= hi; ++line) {
                const double y = grid.at(line);
                if ((a[across] < y) == (b[across] < y)) continue;
                const double f = (y - a[across]) / (b[across] - a[across]);
                // The piece is to the left of its border.
                const bool up = a[across] < y;
                cuts.push_back({p.piece[t],
                                line,
                                alongX ? !up : up,
                                {a[along] + f * (b[along] - a[along]), t, k, f}});
            }
        }
    }
    std::sort(cuts.begin(), cuts.end(), [](const Cut& a, const Cut& b) {
        return std::tie(a.piece, a.line, a.end.at, a.in, a.end.triangle) <
               std::tie(b.piece, b.line, b.end.at, b.in, b.end.triangle);
    });
    std::vector<ThreadRun> runs;
    for (std::size_t k = 0; k < cuts.size();) {
        std::size_t end = k;
        while (end < cuts.size() && cuts[end].piece == cuts[k].piece &&
               cuts[end].line == cuts[k].line)
            ++end;
        const Cut* open = nullptr;
        Index skipped = 0; // exits that came before their entry at the same place
        for (; k < end; ++k) {
            const Cut& c = cuts[k];
            if (c.in && skipped > 0) {
                --skipped;
            } else if (c.in) {
                if (open) overlap(p, name, open->end.triangle, c.end.triangle);
                open = &c;
            } else if (open) {
                if (c.end.at > open->end.at) runs.push_back({c.piece, c.line, open->end, c.end});
                open = nullptr;
            } else {
                ++skipped;
            }
        }
    }
    return runs;
}

std::vector<PlaneFoot> feetOf(const FabricPatch& p, Index piece, Span<const Vec2> points) {
    std::vector<PlaneFoot> feet(points.size());
    if (points.empty()) return feet;
    // Buckets of points: triangles look up those in their bounds.
    Vec2 lo = points[0], hi = points[0];
    for (const Vec2& q : points) {
        lo = lo.cwiseMin(q);
        hi = hi.cwiseMax(q);
    }
    const double area = std::max(1e-300, (hi - lo).prod());
    const double cell =
        std::max({std::sqrt(2 * area / points.size()), 1e-4 * (hi - lo).norm(), 1e-12});
    const Index nx = static_cast<Index>((hi - lo).x() / cell) + 1,
                ny = static_cast<Index>((hi - lo).y() / cell) + 1;
    const auto bucket = [&](double v, double low, Index n) {
        return std::clamp<Index>(static_cast<Index>(std::floor((v - low) / cell)), 0, n - 1);
    };
    std::vector<Index> first(static_cast<std::size_t>(nx) * ny + 1, 0), order(points.size());
    const auto of = [&](const Vec2& q) {
        return static_cast<std::size_t>(bucket(q.y(), lo.y(), ny)) * nx + bucket(q.x(), lo.x(), nx);
    };
    for (const Vec2& q : points) ++first[of(q) + 1];
    for (std::size_t b = 0; b + 1 < first.size(); ++b) first[b + 1] += first[b];
    std::vector<Index> next(first.begin(), first.end() - 1);
    for (std::size_t q = 0; q < points.size(); ++q)
        order[next[of(points[q])]++] = static_cast<Index>(q);
    for (Index t = 0; t < p.faces(); ++t) {
        if (p.piece[t] != piece) continue;
        const auto& c = p.plane[t];
        const Vec2 a = c[0].cwiseMin(c[1]).cwiseMin(c[2]), b = c[0].cwiseMax(c[1]).cwiseMax(c[2]);
        if ((b.array() < lo.array()).any() || (a.array() > hi.array()).any()) continue;
        for (Index y = bucket(a.y(), lo.y(), ny); y <= bucket(b.y(), lo.y(), ny); ++y)
            for (Index x = bucket(a.x(), lo.x(), nx); x <= bucket(b.x(), lo.x(), nx); ++x)
                for (Index k = first[static_cast<std::size_t>(y) * nx + x];
                     k < first[static_cast<std::size_t>(y) * nx + x + 1]; ++k) {
                    Vec3 w;
                    if (contains(c, points[order[k]], w)) feet[order[k]] = {t, w};
                }
    }
    return feet;
}

} // namespace purl
