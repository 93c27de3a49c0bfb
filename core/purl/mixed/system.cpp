#include "purl/mixed/system.h"

#include "purl/base/error.h"

#include <algorithm>
#include <string>

namespace purl {

MixedOperator::MixedOperator(const Embedding& b, const LinearOperator& triangles,
                             const LinearOperator& yarns)
    : b_(&b), triangles_(&triangles), yarns_(&yarns), p_(static_cast<std::size_t>(yarns.size())) {
    if (triangles.size() != b.vertices() || yarns.size() < b.nodes())
        throw Error("mixed system", "has " + std::to_string(triangles.size()) + " vertices and " +
                                        std::to_string(yarns.size()) + " yarn unknowns, expected " +
                                        std::to_string(b.vertices()) + " and at least " +
                                        std::to_string(b.nodes()));
}

void MixedOperator::apply(Span<const Vec3> x, Span<Vec3> y) const {
    const std::size_t n = static_cast<std::size_t>(b_->vertices());
    const Span<const Vec3> v(x.data(), n);
    const Span<Vec3> yv(y.data(), n), yp(y.data() + n, y.size() - n);
    std::copy(x.begin() + n, x.end(), p_.begin());
    b_->addBase(v, p_);
    yarns_->apply(p_, yp);
    triangles_->apply(v, yv);
    b_->gather(yp, yv);
}

MixedFilter::MixedFilter(const Embedding& b, const YarnFilter& f, Index extra)
    : held(b.vertices() + b.nodes() + extra), vertices_(b.vertices()), nodes_(b.nodes()), f_(&f) {}

void MixedFilter::apply(Span<Vec3> x) const {
    held.apply(x);
    f_->apply(Span<Vec3>(x.data() + vertices_, static_cast<std::size_t>(nodes_)));
}

} // namespace purl
