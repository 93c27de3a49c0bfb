// Yarns moved by hand, a schedule or list that watches them, and brute force to judge it by: points
// from Quadrature, exclusion from Neighbours::allowed, distances by a sweep.
#pragma once

#include "purl/contact/neighbours.h"
#include "purl/contact/schedule.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace purl::test {

inline Curves knitRows(int rows, int loops, double u, double r, Vec3 offset = Vec3::Zero()) {
    Curves c;
    for (int row = 0; row < rows; ++row) {
        std::vector<Vec3> p;
        for (int i = 0; i <= 8 * loops; ++i) {
            const double t = M_PI / 4 * i;
            p.push_back(offset + u * Vec3(t + 1.5 * std::sin(2 * t), 4 * std::cos(t) + 5 * row,
                                          -std::cos(2 * t)));
        }
        c.add(p, false, r);
    }
    return c;
}

inline void append(Curves& c, const Curves& more) {
    for (Index y = 0; y < more.yarns(); ++y)
        c.add(more.yarn(y), more.closed[y] != 0, more.radius[y]);
}

inline bool before(const PointPair& a, const PointPair& b) {
    return a.u != b.u ? a.u < b.u : a.v < b.v;
}
inline bool same(const PointPair& a, const PointPair& b) { return a.u == b.u && a.v == b.v; }

template <class Finder> // Schedule or PairList
struct WorldOf {
    Curves curves;
    Layout layout;
    Quadrature quadrature;
    std::vector<std::vector<Index>> knots;
    std::vector<Index> yarnOfNode;
    ContactSettings settings;
    Finder schedule;
    Padded3 x;
    std::vector<Vec3> at; // nodes
    std::vector<PointPair> found;
    std::vector<bool> covered; // point pairs, row by row
    std::vector<PointBox> boxes;
    int b;

    explicit WorldOf(const Curves& c, const std::vector<Weld>& welds = {}, int points = 11)
        : curves(c), layout(curves), b(points) {
        settings.quadrature = points;
        quadrature = Quadrature(curves, layout, std::vector<Material>(c.yarns()), points);
        yarnOfNode.resize(c.points());
        for (Index y = 0; y < c.yarns(); ++y)
            for (Index i = c.first[y]; i < c.first[y + 1]; ++i) yarnOfNode[i] = y;
        knots = weldClusters(welds);
        schedule = Finder(curves, layout, welds, settings);
        at = c.x;
        x.resize(layout.padded() + 4);
        covered.assign(std::size_t(points_()) * points_(), false);
    }
    Index points_() const { return quadrature.segments() * b; }
    Index block(Index p) const { return p / b * quadrature.blocksPerSegment() + p % b / 4; }
    Vec3 point(Index p) const { return quadrature.point(4 * block(p) + p % b % 4); }
    double radius(Index p) const { return quadrature.radius[block(p)]; }
    double arc(Index p) const { return quadrature.arc[4 * block(p) + p % b % 4]; }
    double gap(Index yarn, double s, double t) const {
        const double d = std::abs(s - t);
        return curves.closed[yarn] ? std::min(d, quadrature.yarnLength[yarn] - d) : d;
    }
    // The rule in plain words: not near along the yarn, not near through a knot.
    bool allowed(Index u, Index v) const {
        if (block(u) == block(v)) return false;
        const Index yu = quadrature.yarnOf[block(u)], yv = quadrature.yarnOf[block(v)];
        if (yu == yv && gap(yu, arc(u), arc(v)) < quadrature.exclusion[yu]) return false;
        const double limit = std::max(quadrature.exclusion[yu], quadrature.exclusion[yv]);
        for (const auto& knot : knots)
            for (Index k : knot)
                for (Index l : knot)
                    if (k != l && yarnOfNode[k] == yu && yarnOfNode[l] == yv &&
                        gap(yu, arc(u), quadrature.arcOfNode[k]) +
                                gap(yv, arc(v), quadrature.arcOfNode[l]) <
                            limit)
                        return false;
        return true;
    }
    void place() {
        for (Index y = 0; y < curves.yarns(); ++y) scatter(layout, at, curves.first[y], y, x);
    }
    void update() {
        place();
        found.clear();
        schedule.update(x, found);
    }
    // All allowed, uncovered pairs that touch, sorted; `must` without those that do by a hair.
    void brute(std::vector<PointPair>& must, std::vector<PointPair>& may) {
        quadrature.evaluate(x);
        const Index n = points_();
        std::vector<Vec3> p(n);
        std::vector<Index> order;
        double reach = 0;
        for (Index i = 0; i < n; ++i) {
            p[i] = point(i);
            reach = std::max(reach, 2.001 * radius(i));
            if (p[i].allFinite()) order.push_back(i);
        }
        std::sort(order.begin(), order.end(),
                  [&](Index i, Index j) { return p[i].x() < p[j].x(); });
        for (std::size_t i = 0; i < order.size(); ++i)
            for (std::size_t j = i + 1; j < order.size(); ++j) {
                const Index u = std::min(order[i], order[j]), v = std::max(order[i], order[j]);
                if (p[order[j]].x() - p[order[i]].x() > reach) break;
                const double d2 = (p[u] - p[v]).squaredNorm(), d = radius(u) + radius(v);
                const double hair = 1e-12 + 1e-15 * p[u].norm() / d;
                if (!(d2 < d * d * (1 + hair)) || covered[std::size_t(u) * n + v] || !allowed(u, v))
                    continue;
                may.push_back({u, v});
                if (d2 < d * d * (1 - hair)) must.push_back({u, v});
            }
        std::sort(must.begin(), must.end(), before);
        std::sort(may.begin(), may.end(), before);
    }
    // What the schedule told is what brute force finds, but for the last bit of a distance.
    void judge(const char* where, long step) {
        ASSERT_TRUE(std::is_sorted(found.begin(), found.end(), before));
        ASSERT_TRUE(std::adjacent_find(found.begin(), found.end(), same) == found.end());
        std::vector<PointPair> must, may;
        brute(must, may);
        ASSERT_TRUE(std::includes(found.begin(), found.end(), must.begin(), must.end(), before))
            << where << " step " << step << ": " << must.size() << " touching pairs, told "
            << found.size();
        ASSERT_TRUE(std::includes(may.begin(), may.end(), found.begin(), found.end(), before))
            << where << " step " << step << ": told " << found.size() << " pairs, of "
            << may.size();
    }
    void mark(const PointBox& box, bool value) {
        for (Index u = box.u0; u <= box.u1; ++u)
            for (Index v = std::max(u + 1, box.v0); v <= box.v1; ++v)
                covered[std::size_t(u) * points_() + v] = value;
    }
    PointBox around(const PointPair& p, Index pad) const {
        const Index n = quadrature.blocksPerSegment();
        auto range = [&](Index q, Index& low, Index& high) {
            const Index yarn = quadrature.yarnOf[block(q)];
            low = q;
            high = q;
            for (Index k = 0; k < pad; ++k) {
                if (low > 0 && quadrature.yarnOf[(low - 1) / b * n] == yarn) --low;
                if (high + 1 < points_() && quadrature.yarnOf[(high + 1) / b * n] == yarn) ++high;
            }
        };
        PointBox box;
        range(p.u, box.u0, box.u1);
        range(p.v, box.v0, box.v1);
        return box;
    }
    void cover(const PointBox& box) {
        schedule.cover(box);
        mark(box, true);
        boxes.push_back(box);
    }
    void coverFound(Index pad = 3) {
        for (const PointPair& p : found)
            if (!covered[std::size_t(p.u) * points_() + p.v]) cover(around(p, pad));
    }
    void uncover(std::size_t k) {
        schedule.uncover(boxes[k]);
        mark(boxes[k], false);
        boxes[k] = boxes.back();
        boxes.pop_back();
    }
};
using World = WorldOf<Schedule>;

} // namespace purl::test
