#include "purl/cloth/layer_terms.h"

namespace purl {

void LayerTerms::addForce(Span<const Vec3> x, Span<const Vec3> v, Span<Vec3> f) const {
    for (const LayerTerm& t : list) {
        if (!t.active) continue;
        Vec3 force = t.stiffness * (t.target - t.normal.dot(t.between(x))) * t.normal;
        if (!v.empty()) {
            const Vec3 u = t.between(v) - t.carried;
            force -= t.drag * (u - t.normal.dot(u) * t.normal);
        }
        for (int i = 0; i < 4; ++i) f[t.node[i]] += t.weight[i] * force;
    }
}

void LayerTerms::addStiffness(Span<const Vec3> w, Span<Vec3> kw) const {
    for (const LayerTerm& t : list) {
        if (!t.active) continue;
        const Vec3 k = t.stiffness * t.normal.dot(t.between(w)) * t.normal;
        for (int i = 0; i < 4; ++i) kw[t.node[i]] += t.weight[i] * k;
    }
}

void LayerTerms::assemble(double damping, double stiffness, BlockMatrix& a,
                          LooseBlocks& loose) const {
    const BlockPattern& q = a.pattern();
    loose.clear();
    for (const LayerTerm& t : list) {
        if (!t.active) continue;
        const Mat3 along = t.normal * t.normal.transpose();
        const Mat3 b =
            stiffness * t.stiffness * along + damping * t.drag * (Mat3::Identity() - along);
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j) {
                const double w = t.weight[i] * t.weight[j];
                const Index r = q.position[t.node[i]], c = q.position[t.node[j]];
                if (w > 0) {
                    // One triangle of a part's own blocks is kept, both of what couples parts.
                    const Index at = q.find(r, c);
                    if (at >= 0 && (c >= r || q.partOf(r) != q.partOf(c))) a.blocks()[at] += w * b;
                } else if (w < 0 && i < j) {
                    loose.add(r, c, w * b);
                }
            }
    }
    loose.finish();
}

} // namespace purl
