#include "purl/implicit/stretch.h"

#include "purl/base/parallel.h"

#include <algorithm>

namespace purl {

namespace {
constexpr double kStretchRatio = 80; // EA r^2 / EI of a yarn without a stiffness of its own
} // namespace

double stretchEnergy(const StretchEdge& s, const Vec3& e) {
    const double d = e.norm() - s.length;
    return 0.5 * s.k * d * d;
}

Vec3 stretchGradient(const StretchEdge& s, const Vec3& e) {
    const double l = e.norm();
    return s.k * (1 - s.length / l) * e;
}

Mat3 stretchHessian(const StretchEdge& s, const Vec3& e) {
    const double l = e.norm();
    const Mat3 tt = e * e.transpose() / (l * l);
    return s.k * (tt + (1 - s.length / l) * (Mat3::Identity() - tt));
}

Mat3 stretchPositive(const StretchEdge& s, const Vec3& e) {
    const double l = e.norm();
    const Mat3 tt = e * e.transpose() / (l * l);
    return s.k * (tt + std::max(0.0, 1 - s.length / l) * (Mat3::Identity() - tt));
}

Stretch::Stretch(const Curves& rest, const Layout& layout, const std::vector<Material>& material)
    : layout_(&layout), edge_(layout.padded(), StretchEdge{0, 1}),
      block_(6 * static_cast<std::size_t>(layout.padded()), 0.0),
      pull_(layout.padded(), Vec3::Zero()) {
    for (Index y = 0; y < rest.yarns(); ++y) {
        const Material& m = material[y];
        const double r = rest.radius[y];
        const double ea =
            m.stretchStiffness > 0 ? m.stretchStiffness : kStretchRatio * m.bendStiffness / (r * r);
        for (Index i = 0; i < rest.edges(y); ++i) {
            const Index a = rest.first[y] + i, b = rest.first[y] + (i + 1) % rest.size(y);
            const double l = (rest.x[b] - rest.x[a]).norm();
            edge_[layout.base[y] + 1 + i] = {ea / l, l};
        }
    }
}

void Stretch::addForce(const Padded3& x, Padded3& f) {
    const Index slots = layout_->slots();
    parallelFor(slots, 1024, [&](Index a, Index b) {
        for (Index s = a; s < b; ++s) {
            const StretchEdge& edge = edge_[s];
            if (edge.k == 0) continue;
            const Vec3 e = x.at(s + 1) - x.at(s);
            const Mat3 h = stretchPositive(edge, e);
            pull_[s] = -stretchGradient(edge, e);
            const double six[6] = {h(0, 0), h(0, 1), h(0, 2), h(1, 1), h(1, 2), h(2, 2)};
            std::copy(six, six + 6, &block_[6 * static_cast<std::size_t>(s)]);
        }
    });
    parallelFor(slots - 1, 1024, [&](Index a, Index b) {
        for (Index s = a + 1; s <= b; ++s) f.add(s, pull_[s - 1] - pull_[s]);
    });
    for (Index y = 0; y < layout_->yarns(); ++y) { // the last edge of a ring ends at a ghost
        if (!layout_->closed[y]) continue;
        const Index b = layout_->base[y], n = layout_->size[y];
        f.add(b + 1, f.at(b + n + 1));
        f.set(b + n + 1, Vec3::Zero());
    }
}

double Stretch::energy(const Padded3& x) const {
    return orderedSum(layout_->slots(), 4096, [&](Index a, Index b) {
        double sum = 0;
        for (Index s = a; s < b; ++s)
            if (edge_[s].k > 0) sum += stretchEnergy(edge_[s], x.at(s + 1) - x.at(s));
        return sum;
    });
}

} // namespace purl
