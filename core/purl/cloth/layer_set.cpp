#include "purl/cloth/layer_set.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace purl {

namespace {

// A term's stiffness, times dt^2 over the inertia of its points: layers that come with 1 m/s in a
// step of 1/96 s give way by 0.1 mm.
constexpr double kPress = 100;
constexpr double kHarder = 4;     // each time a pair comes back although it is in
constexpr double kHardest = 1e5;  // of kPress's kind
constexpr double kSame = 0.7;     // cosine: normals of one contact in two solves
constexpr double kSlowest = 1e-3; // m/s: below it friction is viscous

// Coulomb's force at this pressure (N) as a drag on what slides with `way` (m a step).
void rub(LayerTerm& t, double pressure, Vec3 way, const LayerStep& s) {
    way -= s.dt * t.carried;
    way -= t.normal.dot(way) * t.normal;
    const double speed = std::max(way.norm() / s.dt, kSlowest);
    t.drag = std::min(t.friction * std::max(0.0, pressure) / speed, t.stiffness * s.dt);
}

LayerTerm termOf(const SheetContact& c, double friction) {
    LayerTerm t;
    t.node = c.node;
    t.weight = c.weight;
    t.normal = c.normal;
    t.target = c.push;
    t.least = c.stop;
    t.friction = friction;
    return t;
}

} // namespace

bool press(LayerTerm& t, const LayerTerm* old, Span<const Vec3> x1, const LayerStep& s) {
    double soft = 0; // 1/kg
    for (int i = 0; i < 4; ++i) soft += t.weight[i] * t.weight[i] * s.inverseMass[t.node[i]];
    if (!(soft > 0)) return false;
    const double unit = 1 / (soft * s.dt * s.dt);
    t.stiffness = kPress * unit;
    const Vec3 now = t.between(x1);
    if (old && old->active) { // harder, and from the force that did not suffice on
        t.stiffness = std::min(kHarder * old->stiffness, kHardest * unit);
        const double force = old->stiffness * (old->target - old->normal.dot(now));
        t.target += std::max(0.0, force) / t.stiffness;
    }
    const double missing = t.target - t.normal.dot(now);
    t.active = true;
    rub(t, t.stiffness * missing, now - t.between(s.x0), s);
    return true;
}

void addNear(const std::vector<SheetContact>& near, double friction, const LayerStep& s,
             LayerTerms& terms) {
    std::vector<Vec3> x1(s.x0.size()); // where the points are going
    for (std::size_t i = 0; i < x1.size(); ++i) x1[i] = s.x0[i] + s.dt * s.v0[i];
    for (const SheetContact& c : near) {
        LayerTerm t = termOf(c, friction);
        if (!press(t, nullptr, x1, s)) continue;
        t.active = t.target > t.normal.dot(t.between(x1));
        terms.list.push_back(t);
    }
}

bool addHits(const std::vector<SheetContact>& hits, double friction, Span<const Vec3> x1,
             const LayerStep& s, LayerTerms& terms) {
    if (hits.empty()) return false;
    std::vector<std::pair<std::array<Index, 4>, Index>> in;
    for (std::size_t k = 0; k < terms.list.size(); ++k)
        in.push_back({terms.list[k].node, static_cast<Index>(k)});
    std::sort(in.begin(), in.end());
    std::vector<Index> known; // per hit: its term; -1: none
    std::set<Index> crowded;  // points of pairs that come back although they press
    for (const SheetContact& c : hits) {
        auto at = std::lower_bound(in.begin(), in.end(), std::make_pair(c.node, Index(0)));
        while (at != in.end() && at->first == c.node &&
               terms.list[at->second].normal.dot(c.normal) < kSame)
            ++at; // the same pair, but at another place: two contacts
        known.push_back(at != in.end() && at->first == c.node ? at->second : -1);
        if (known.back() >= 0 && terms.list[known.back()].active)
            crowded.insert(c.node.begin(), c.node.end());
    }
    // Room that one pair is given there another one lacks: no more is asked for than there was.
    for (LayerTerm& t : terms.list)
        if (t.target > t.least && std::any_of(t.node.begin(), t.node.end(),
                                              [&](Index n) { return crowded.count(n) > 0; }))
            t.target = t.least;
    bool any = false;
    for (std::size_t k = 0; k < hits.size(); ++k) {
        LayerTerm t = termOf(hits[k], friction);
        LayerTerm* old = known[k] >= 0 ? &terms.list[known[k]] : nullptr;
        if (!press(t, old, x1, s)) continue;
        t.least = t.target;
        if (old)
            *old = t;
        else
            terms.list.push_back(t);
        any = true;
    }
    return any;
}

bool settle(Span<const Vec3> x1, const LayerStep& s, double reach, LayerTerms& terms) {
    bool far = false;
    for (LayerTerm& t : terms.list) {
        if (!t.active) continue;
        const Vec3 now = t.between(x1);
        const double missing = t.target - t.normal.dot(now);
        if (missing < 0) {
            t.active = false;
            // Without the term its points would be kPress times as far away.
            far = far || -missing * kPress > reach;
        } else {
            rub(t, t.stiffness * missing, now - t.between(s.x0), s);
        }
    }
    return far;
}

} // namespace purl
