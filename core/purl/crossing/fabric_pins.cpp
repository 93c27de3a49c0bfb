#include "purl/crossing/fabric_pins.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace purl {

namespace {

// Nodes of the fabric by place, piece by piece.
class NodeGrid {
public:
    NodeGrid(const FabricPatch& p, const FabricLayout& l, double cell) : l_(l), cell_(cell) {
        cells_.reserve(l.triangle.size());
        for (std::size_t n = 0; n < l.triangle.size(); ++n)
            cells_.push_back({p.piece[l.triangle[n]], at(l.plane[n].x()), at(l.plane[n].y()),
                              static_cast<Index>(n)});
        std::sort(cells_.begin(), cells_.end());
    }
    // Calls f(node) for those of a piece in the bounds.
    template <class F>
    void in(Index piece, const Vec2& lo, const Vec2& hi, F&& f) const {
        for (Index x = at(lo.x()); x <= at(hi.x()); ++x) {
            auto it =
                std::lower_bound(cells_.begin(), cells_.end(), Cell{piece, x, at(lo.y()), -1});
            for (; it != cells_.end() && std::get<0>(*it) == piece && std::get<1>(*it) == x &&
                   std::get<2>(*it) <= at(hi.y());
                 ++it)
                f(std::get<3>(*it));
        }
    }

private:
    using Cell = std::tuple<Index, Index, Index, Index>;
    Index at(double v) const { return static_cast<Index>(std::floor(v / cell_)); }
    const FabricLayout& l_;
    double cell_;
    std::vector<Cell> cells_;
};

double toSegment(const Vec2& p, const Vec2& a, const Vec2& b) {
    const Vec2 e = b - a;
    const double t = std::clamp((p - a).dot(e) / std::max(e.squaredNorm(), 1e-300), 0.0, 1.0);
    return (p - a - t * e).norm();
}

} // namespace

std::vector<Index> heldNodes(const FabricPatch& p, const FabricLayout& l,
                             Span<const std::uint8_t> held, double reach) {
    std::vector<std::uint8_t> mark(l.triangle.size(), 0);
    for (std::size_t n = 0; n < mark.size(); ++n) {
        const auto& t = p.triangles[l.triangle[n]];
        mark[n] = held[t[0]] && held[t[1]] && held[t[2]];
    }
    const NodeGrid grid(p, l, std::max(reach, 1e-9));
    const Vec2 around = Vec2::Constant(reach);
    std::vector<std::uint8_t> reached(p.x.size(), 0);
    for (Index t = 0; t < p.faces(); ++t) {
        if (p.piece[t] < 0) continue;
        for (int k = 0; k < 3; ++k) {
            const Index i = p.triangles[t][k], j = p.triangles[t][(k + 1) % 3];
            if (!held[i]) continue;
            const Vec2 &a = p.plane[t][k], &b = held[j] ? p.plane[t][(k + 1) % 3] : a;
            grid.in(p.piece[t], a.cwiseMin(b) - around, a.cwiseMax(b) + around, [&](Index n) {
                if (toSegment(l.plane[n], a, b) > reach) return;
                mark[n] = 1;
                reached[i] = 1;
                if (held[j]) reached[j] = 1;
            });
        }
    }
    // A held corner that no yarn comes near.
    for (Index t = 0; t < p.faces(); ++t)
        for (int k = 0; k < 3; ++k) {
            const Index i = p.triangles[t][k];
            if (p.piece[t] < 0 || !held[i] || reached[i]) continue;
            reached[i] = 1;
            double best = 1e300;
            Index nearest = -1;
            for (std::size_t n = 0; n < mark.size(); ++n) {
                const double d = (l.plane[n] - p.plane[t][k]).squaredNorm();
                if (p.piece[l.triangle[n]] != p.piece[t] || d >= best) continue;
                best = d;
                nearest = static_cast<Index>(n);
            }
            if (nearest >= 0) mark[nearest] = 1;
        }
    std::vector<Index> out;
    for (std::size_t n = 0; n < mark.size(); ++n)
        if (mark[n]) out.push_back(static_cast<Index>(n));
    return out;
}

std::vector<Vec3> atNodes(const FabricPatch& p, const FabricLayout& l, Span<const Vec3> perPoint) {
    std::vector<Vec3> out(l.triangle.size());
    for (std::size_t n = 0; n < out.size(); ++n) {
        const auto& t = p.triangles[l.triangle[n]];
        out[n] = l.weights[n][0] * perPoint[t[0]] + l.weights[n][1] * perPoint[t[1]] +
                 l.weights[n][2] * perPoint[t[2]];
    }
    return out;
}

} // namespace purl
