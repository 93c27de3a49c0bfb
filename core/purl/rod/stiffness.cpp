#include "purl/rod/stiffness.h"

#include "purl/base/parallel.h"
#include "purl/rod/kernel.h"
#include "purl/rod/rod.h"

namespace purl {

namespace {

template <class R>
struct Sums {
    R ee[6], ff[6], ef[9];
};

// Adds k g g^T, g the gradient in (e, f).
template <class R>
void addSquare(R k, const V3<R>& e, const V3<R>& f, Sums<R>& to) {
    const R a[3] = {e.x, e.y, e.z}, b[3] = {f.x, f.y, f.z};
    for (int i = 0, at = 0; i < 3; ++i) {
        const R ka = k * a[i], kb = k * b[i];
        for (int j = i; j < 3; ++j, ++at) {
            to.ee[at] += ka * a[j];
            to.ff[at] += kb * b[j];
        }
        for (int j = 0; j < 3; ++j) to.ef[3 * i + j] += ka * b[j];
    }
}

} // namespace

void Rods::stiffness(RodStiffness& out) const {
    if (out.ef[0].size() != bend_.size()) out.resize(bend_.size());
    auto& self = const_cast<Rods&>(*this);
    const rod::EdgeArrays edge{self.tangent_.soa(), self.director_.soa(), self.invLength_.data()};
    overSlots([&](long s) {
        using R = Pack4;
        const auto p = rod::poseAt<R>(edge, s);
        const R ie = loadPack(&invLength_[s - 1]), jf = loadPack(&invLength_[s]);
        const R bend = loadPack(&bend_[s]), twist = loadPack(&twist_[s]), two = R(2.0) * p.inv;
        Sums<R> sum;
        for (auto& v : sum.ee) v = 0.0;
        for (auto& v : sum.ff) v = 0.0;
        for (auto& v : sum.ef) v = 0.0;
        for (const V3<R>* c : {&p.m1e, &p.m2e, &p.m1f, &p.m2f}) { // physics 2.6
            const R sc = dot(*c, p.kb);
            addSquare(bend, ie * (two * cross(p.tf, *c) - sc * p.tt),
                      jf * (R(-1.0) * (two * cross(p.te, *c) + sc * p.tt)), sum);
        }
        const R half(0.5);
        addSquare(R(2.0) * twist, (half * ie) * p.kb, (half * jf) * p.kb, sum);
        for (int i = 0; i < 6; ++i) {
            store(&out.ee[i][s], sum.ee[i]);
            store(&out.ff[i][s], sum.ff[i]);
        }
        for (int i = 0; i < 9; ++i) store(&out.ef[i][s], sum.ef[i]);
    });
}

} // namespace purl
