#include "purl/cloth/triangulate.h"

#include "purl/cloth/polygon_repair.h"

#include <Eigen/Geometry>
#include <cmath>
#include <numeric>

namespace purl {

namespace {

double cross(const Vec2& a, const Vec2& b, const Vec2& c) {
    return (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
}

class Clipper {
public:
    Clipper(Span<const Vec3> x, const Vec3& normal) {
        const Vec3 n = normal.normalized(), u = n.unitOrthogonal(), v = n.cross(u);
        for (const Vec3& p : x) flat_.emplace_back(p.dot(u), p.dot(v));
        ring_.resize(x.size());
        std::iota(ring_.begin(), ring_.end(), 0);
    }

    std::vector<std::array<Index, 3>> run(bool& simple) {
        std::vector<double> quality(ring_.size());
        const auto measureAll = [&] {
            for (std::size_t i = 0; i < ring_.size(); ++i) quality[i] = ear(i);
        };
        measureAll();
        bool fresh = true;
        while (ring_.size() > 3) {
            std::size_t best = 0;
            for (std::size_t i = 1; i < ring_.size(); ++i)
                if (quality[i] > quality[best]) best = i;
            if (!(quality[best] > 0)) {
                if (!fresh) { // a corner that was in the way may be gone
                    measureAll();
                    fresh = true;
                    continue;
                }
                simple = false;
                break;
            }
            cut(best);
            ring_.erase(ring_.begin() + best);
            quality.erase(quality.begin() + best);
            const std::size_t n = ring_.size();
            for (std::size_t i : {best % n, (best + n - 1) % n}) quality[i] = ear(i);
            fresh = false;
        }
        for (std::size_t i = 1; i + 1 < ring_.size(); ++i)
            out_.push_back({ring_[0], ring_[i], ring_[i + 1]});
        return out_;
    }

private:
    Index at(std::size_t i) const { return ring_[i % ring_.size()]; }
    void cut(std::size_t i) { out_.push_back({at(i + ring_.size() - 1), at(i), at(i + 1)}); }

    // Shape of the triangle at corner i, 0..1; 0 or less if it is no ear.
    double ear(std::size_t i) const {
        const Index ia = at(i + ring_.size() - 1), ib = at(i), ic = at(i + 1);
        const Vec2 &a = flat_[ia], &b = flat_[ib], &c = flat_[ic];
        const double area = cross(a, b, c);
        const double sides = (b - a).squaredNorm() + (c - b).squaredNorm() + (a - c).squaredNorm();
        if (!(area > 1e-12 * sides)) return 0;
        for (Index k : ring_) {
            const Vec2& p = flat_[k];
            if (k == ia || k == ib || k == ic || p == a || p == b || p == c) continue;
            if (cross(a, b, p) >= 0 && cross(b, c, p) >= 0 && cross(c, a, p) >= 0) return 0;
        }
        return area / sides * 3.4641016151377544; // 1 if equilateral
    }

    std::vector<Vec2> flat_;
    std::vector<Index> ring_;
    std::vector<std::array<Index, 3>> out_;
};

} // namespace

std::vector<std::array<Index, 3>> triangulate(Span<const Vec3> x, bool& simple) {
    simple = true;
    if (x.size() == 3) return {{0, 1, 2}};
    std::vector<Index> loop(x.size());
    std::iota(loop.begin(), loop.end(), 0);
    return Clipper(x, loopNormal(x, loop)).run(simple);
}

} // namespace purl
