#include "purl/crossing/fabric.h"

#include "purl/base/parallel.h"

#include <cmath>
#include <limits>

namespace purl {

namespace {
constexpr double kPi = 3.14159265358979323846;
constexpr Index kGrain = 512, kBlock = 1024;
} // namespace

Fabric::Fabric(const CrossingNetwork& net) : links_(net), materials_(net.materials) {
    woven_.reserve(net.x.size());
    for (Index i = 0; i < net.nodes(); ++i) {
        woven_.push_back(net.kind[i] == NodeKind::Woven &&
                         net.visits[i][0] != CrossingNetwork::kNone &&
                         net.visits[i][1] != CrossingNetwork::kNone);
        spacing_.push_back(static_cast<float>(net.spacing[i]));
    }
    spacing_.shrink_to_fit();
    for (double r : net.restShear) restShear_.push_back(static_cast<float>(r));
    arms_.resize(links_.node.size());
    for (const StitchContact& s : net.stitches)
        for (int w = 0; w < 2; ++w) {
            if (s.c[w] == s.d[w]) continue; // a yarn end: nothing to wrap
            const CrossingMaterial& m = materialOf(links_.first[s.a]);
            const double k = m.wrap > 0 ? m.wrap * s.length : 0.2 * m.bend / s.length;
            // The first yarn leaves from the axis's start: at the other end the axis is turned
            // around, and the angle's sign with it.
            if (w == 0)
                wraps_.hinges.push_back({{s.a, s.b, s.c[w], s.d[w]}, {k, s.psi[w]}});
            else
                wraps_.hinges.push_back({{s.b, s.a, s.c[w], s.d[w]}, {k, -s.psi[w]}});
        }
    if (wraps_.hinges.empty()) return;
    wraps_.first.assign(net.x.size() + 1, 0);
    for (const Wraps::Hinge& h : wraps_.hinges)
        for (Index i : h.node) ++wraps_.first[i + 1];
    for (std::size_t i = 0; i < net.x.size(); ++i) wraps_.first[i + 1] += wraps_.first[i];
    wraps_.slot.resize(4 * wraps_.hinges.size());
    std::vector<Index> at(wraps_.first.begin(), wraps_.first.end() - 1);
    for (std::size_t h = 0; h < wraps_.hinges.size(); ++h)
        for (int c = 0; c < 4; ++c)
            wraps_.slot[at[wraps_.hinges[h].node[c]]++] = static_cast<Index>(4 * h) + c;
    hingeSlots_.resize(wraps_.slot.size());
}

ShearLaw Fabric::shearLaw(Index i, int a, int b) const {
    const CrossingMaterial &m0 = materialOf(links_.first[i]), &m1 = materialOf(links_.first[i] + 1);
    const double rest = restShear_.empty() ? kPi / 2 : restShear_[i];
    // Locked where neighbours touch: spacing times cos(gamma) is a diameter [D].
    const double share = (m0.radius + m1.radius) / spacing_[i];
    return {0.5 * (m0.shear + m1.shear) * spacing_[i] * nodeWeight(i), a == b ? rest : kPi - rest,
            std::acos(std::min(0.999, share)), 0.5 * (m0.jamming + m1.jamming)};
}

double Fabric::evaluateNode(Index i, Span<const Vec3> q, Vec3& gx, Vec3& gs) const {
    const YarnLinks& l = links_;
    double energy = 0;
    gx.setZero();
    gs.setZero();
    const Vec3 x = q[i];
    const Index k0 = l.first[i], k1 = l.first[i + 1];
    for (Index k = k0; k < k1; ++k) {
        Arms& arm = arms_[k];
        arm.after.clear();
        arm.before.clear();
        const CrossingMaterial& m = materialOf(k);
        const double u = q[l.nodes + i][l.side[k]];
        const Index after = l.after[k], before = l.before[k];
        Vec3 ea = Vec3::Zero();
        if (after != YarnLinks::kNone) {
            const Vec3 xa = q[l.node[after]];
            const double s = l.slide(q, after) - u, w = pieceWeight(k);
            if (!(s > 0)) return std::numeric_limits<double>::infinity();
            ea = xa - x;
            const Trio<4> t = stretchEnergy(ea, s, stretchLaw(k));
            const Trio<1> c = parallelEnergy(s, w * m.parallel, l.closest[k]);
            arm.after.x = t.gradient.head<3>();
            arm.after.s = t.gradient[3] + c.gradient[0];
            energy += t.energy + c.energy;
            if (!l.stitch.empty() && l.stitch[k] > 0) {
                const Trio<4> h =
                    stitchEnergy(ea, s, w * (m.stitch > 0 ? m.stitch : m.stretch), l.stitch[k]);
                arm.after.x += h.gradient.head<3>();
                arm.after.s += h.gradient[3];
                energy += h.energy;
            }
            gx -= arm.after.x;
            // Weight: the only term that is not of differences.
            const Vec3 pull = -0.5 * w * m.density * gravity;
            const double perLength = pull.dot(x + xa);
            energy += s * perLength;
            gx += s * pull;
            arm.after.x += s * pull;
            arm.after.s += perLength;
            gs[l.side[k]] -= arm.after.s;
        }
        if (after != YarnLinks::kNone && before != YarnLinks::kNone && m.bend > 0) {
            const double s = l.slide(q, after) - l.slide(q, before);
            if (!(s > 0)) return std::numeric_limits<double>::infinity();
            const Trio<7> t =
                bendEnergy(ea, q[l.node[before]] - x, s, nodeWeight(i) * m.bend, l.restAngle(k));
            energy += t.energy;
            arm.after.x += t.gradient.head<3>();
            arm.before.x += t.gradient.segment<3>(3);
            gx -= t.gradient.head<3>() + t.gradient.segment<3>(3);
            arm.after.s += t.gradient[6];
            arm.before.s -= t.gradient[6];
        }
        if (!friction.limit.empty()) {
            const Trio<1> t =
                frictionEnergy(u, friction.anchor[k], nodeWeight(i) * m.frictionStiffness,
                               nodeWeight(i) * friction.limit[k]);
            energy += t.energy;
            gs[l.side[k]] += t.gradient[0];
        }
    }
    if (!woven_[i]) return energy;
    // connect() has put side 0 before side 1.
    for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b) {
            const Index to0 = a ? l.before[k0] : l.after[k0],
                        to1 = b ? l.before[k0 + 1] : l.after[k0 + 1];
            if (to0 == YarnLinks::kNone || to1 == YarnLinks::kNone) continue;
            const Trio<6> t =
                shearEnergy(q[l.node[to0]] - x, q[l.node[to1]] - x, shearLaw(i, a, b));
            energy += t.energy;
            (a ? arms_[k0].before : arms_[k0].after).x += t.gradient.head<3>();
            (b ? arms_[k0 + 1].before : arms_[k0 + 1].after).x += t.gradient.tail<3>();
            gx -= t.gradient.head<3>() + t.gradient.tail<3>();
        }
    return energy;
}

double Fabric::evaluateHinges(Span<const Vec3> q) const {
    return orderedSum(static_cast<Index>(wraps_.hinges.size()), kBlock, [&](Index h0, Index h1) {
        double sum = 0;
        for (Index h = h0; h < h1; ++h) {
            const Wraps::Hinge& w = wraps_.hinges[h];
            const Trio<12> t =
                wrapEnergy(q[w.node[0]], q[w.node[1]], q[w.node[2]], q[w.node[3]], wrapLaw(w));
            sum += t.energy;
            for (int c = 0; c < 4; ++c) hingeSlots_[4 * h + c] = t.gradient.segment<3>(3 * c);
        }
        return sum;
    });
}

void Fabric::gather(Span<const Arms> arms, Span<const Vec3> hinges, Index i, Span<Vec3> out) const {
    const YarnLinks& l = links_;
    Vec3 &x = out[i], &s = out[l.nodes + i];
    for (Index k = l.first[i]; k < l.first[i + 1]; ++k) {
        if (l.before[k] != YarnLinks::kNone) {
            x += arms[l.before[k]].after.x;
            s[l.side[k]] += arms[l.before[k]].after.s;
        }
        if (l.after[k] != YarnLinks::kNone) {
            x += arms[l.after[k]].before.x;
            s[l.side[k]] += arms[l.after[k]].before.s;
        }
    }
    if (wraps_.hinges.empty()) return;
    for (Index h = wraps_.first[i]; h < wraps_.first[i + 1]; ++h) x += hinges[wraps_.slot[h]];
}

double Fabric::evaluate(Span<const Vec3> q, Span<Vec3> g) const {
    const Index n = links_.nodes;
    double energy = orderedSum(n, kBlock, [&](Index i0, Index i1) {
        double sum = 0;
        Vec3 gx, gs;
        for (Index i = i0; i < i1; ++i) {
            sum += evaluateNode(i, q, gx, gs);
            if (g.empty()) continue;
            g[i] = gx;
            g[n + i] = gs;
        }
        return sum;
    });
    energy += evaluateHinges(q);
    if (!g.empty() && std::isfinite(energy))
        parallelFor(n, kGrain, [&](Index i0, Index i1) {
            for (Index i = i0; i < i1; ++i) gather(arms_, hingeSlots_, i, g);
        });
    return energy;
}

void Fabric::mass(Span<const Vec3> q, Span<double> out) const {
    const YarnLinks& l = links_;
    parallelFor(l.nodes, kGrain, [&](Index i0, Index i1) {
        for (Index i = i0; i < i1; ++i) {
            out[i] = 0;
            for (Index k = l.first[i]; k < l.first[i + 1]; ++k) {
                const double half = 0.5 * materialOf(k).density, u = l.slide(q, k);
                if (l.after[k] != YarnLinks::kNone)
                    out[i] += half * pieceWeight(k) * (l.slide(q, l.after[k]) - u);
                if (l.before[k] != YarnLinks::kNone)
                    out[i] += half * pieceWeight(l.before[k]) * (u - l.slide(q, l.before[k]));
            }
        }
    });
}

std::size_t Fabric::bytes() const {
    return links_.bytes() + bytesOf(woven_) + bytesOf(spacing_) + bytesOf(restShear_) +
           bytesOf(wraps_.hinges) + bytesOf(wraps_.first) + bytesOf(wraps_.slot) + bytesOf(arms_) +
           bytesOf(hingeSlots_) + bytesOf(weights.piece) + bytesOf(weights.node) +
           bytesOf(friction.anchor) + bytesOf(friction.limit);
}

} // namespace purl
