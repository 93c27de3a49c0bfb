// Contact forces by looking at every pair of points of every two segments: no list, no grid, and
// nothing from core/purl/contact but the formula of the law, written out.
#pragma once

#include "contact/moving_knit.h"
#include "purl/geometry/catmull_rom.h"

namespace purl::test {

class BruteForce {
public:
    BruteForce(const MovingKnit& knit, int b) : knit_(knit) {
        const Curves& c = knit.rest;
        std::vector<double> arcOfNode(c.points()), length(c.yarns());
        yarnOfNode_.resize(c.points());
        for (Index y = 0; y < c.yarns(); ++y) {
            double arc = 0;
            for (Index i = c.first[y]; i < c.first[y + 1]; ++i) yarnOfNode_[i] = y;
            for (Index s = 0; s < c.edges(y); ++s) {
                const Segment seg = segmentOf(c, y, s);
                const double l = arcLength(c.x, seg);
                arcOfNode[c.first[y] + s] = arc;
                for (int i = 0; i < b; ++i)
                    points_.push_back({y, seg, seg.fold(catmullRom((i + 0.5) / b)),
                                       arc + l * (i + 0.5) / b,
                                       std::sqrt(knit.material[y].contactStiffness) * l / b});
                arc += l;
            }
            if (!c.closed[y]) arcOfNode[c.first[y + 1] - 1] = arc;
            length[y] = arc;
            exclusion_.push_back(std::max(2 * arc / c.edges(y), 1.1 * M_PI * c.radius[y]));
        }
        length_ = length;
        for (const auto& cluster : weldClusters(knit.welds))
            for (Index p : cluster)
                for (Index q : cluster)
                    if (p != q)
                        welds_.push_back(
                            {yarnOfNode_[p], yarnOfNode_[q], arcOfNode[p], arcOfNode[q]});
        // What never may touch does not depend on the motion.
        const Index n = static_cast<Index>(points_.size());
        for (Index g = 0; g < n; ++g)
            for (Index h = g + 1; h < n; ++h)
                if (!excluded(points_[g], points_[h])) allowed_.push_back({g, h});
    }

    // Forces on the nodes; touching: how many pairs of points touch.
    std::vector<Vec3> forces(const std::vector<Vec3>& x, long& touching) const {
        std::vector<Vec3> at, f(x.size(), Vec3::Zero()), force(points_.size(), Vec3::Zero());
        for (const Point& p : points_) at.push_back(blend(x, p.segment, p.weight));
        touching = 0;
        for (const auto& [g, h] : allowed_) {
            const Point &p = points_[g], &q = points_[h];
            const double D = knit_.rest.radius[p.yarn] + knit_.rest.radius[q.yarn];
            const Vec3 d = at[g] - at[h];
            if (!(d.squaredNorm() < D * D)) continue;
            ++touching;
            const double s = std::max(d.norm(), 0.15 * D); // the floor of broken states
            const Vec3 push = p.scale * q.scale * (2 * D * D / std::pow(s, 4) - 2 / (D * D)) * d;
            force[g] += push;
            force[h] -= push;
        }
        for (std::size_t g = 0; g < points_.size(); ++g)
            for (int k = 0; k < 4; ++k)
                f[points_[g].segment.q[k]] += points_[g].weight[k] * force[g];
        return f;
    }

private:
    struct Point {
        Index yarn;
        Segment segment;
        Weights4 weight;
        double arc, scale;
    };
    struct WeldPlace {
        Index yarn, other;
        double arc, otherArc;
    };
    double gap(Index y, double s, double t) const {
        const double d = std::abs(s - t);
        return knit_.rest.closed[y] ? std::min(d, length_[y] - d) : d;
    }
    bool excluded(const Point& p, const Point& q) const {
        if (p.yarn == q.yarn && gap(p.yarn, p.arc, q.arc) < exclusion_[p.yarn]) return true;
        for (const WeldPlace& w : welds_)
            if (w.yarn == p.yarn && w.other == q.yarn &&
                gap(p.yarn, p.arc, w.arc) + gap(q.yarn, q.arc, w.otherArc) <
                    std::max(exclusion_[p.yarn], exclusion_[q.yarn]))
                return true;
        return false;
    }

    const MovingKnit& knit_;
    std::vector<Point> points_;
    std::vector<std::array<Index, 2>> allowed_;
    std::vector<Index> yarnOfNode_;
    std::vector<double> exclusion_, length_;
    std::vector<WeldPlace> welds_;
};

} // namespace purl::test
