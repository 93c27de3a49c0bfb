#include "purl/crossing/stiffness.h"

#include "purl/base/parallel.h"
#include "purl/crossing/angle.h"
#include "purl/crossing/touches.h"

#include <algorithm>

namespace purl {

namespace {
constexpr double kPi = 3.14159265358979323846;
constexpr Index kGrain = 256;

Vec3 vec(const float* p) { return {p[0], p[1], p[2]}; }
void put(float* p, const Vec3& v) {
    for (int c = 0; c < 3; ++c) p[c] = static_cast<float>(v[c]);
}
float f(double v) { return static_cast<float>(v); }

BendForm bendForm(const Vec3& e1, const Vec3& e2, double s, double k /*N m2 s2*/, double rest) {
    BendForm out;
    const AngleFrame a(e1, e2);
    const double theta = kPi - a.phi, over = std::max(0.0, theta - kPi / 2);
    const double df = 2 * (theta - rest) + kBendJam * over * over, ddf = 2 + 2 * kBendJam * over;
    const double root = std::sqrt(k / s * ddf);
    put(out.g1, -root * a.gradient1());
    put(out.g2, -root * a.gradient2());
    out.gs = f(-root * df / (ddf * s));
    // A straight yarn resists bending in every plane alike; a bent one resists turning its plane.
    double turn = 0;
    if (a.sine > 1e-6)
        turn = df > 0 && a.cosine < 0 ? k / s * df * -a.cosine / a.sine : 0;
    else if (rest == 0 && a.cosine < 0)
        turn = 2 * k / s;
    put(out.b, a.b);
    out.b1 = f(std::sqrt(turn) / a.l1);
    out.b2 = f(std::sqrt(turn) / a.l2);
    return out;
}
} // namespace

Stiffness::Stiffness(const Fabric& fabric) : fabric_(fabric) {
    const YarnLinks& l = fabric.links();
    piece_.resize(l.node.size());
    bend_.resize(l.node.size());
    own_.resize(l.node.size());
    at_.resize(static_cast<std::size_t>(l.nodes), 0);
    Index woven = 0;
    for (Index i = 0; i < l.nodes; ++i)
        if (fabric.isWoven(i)) at_[i] = woven++;
    corner_.resize(4 * static_cast<std::size_t>(woven));
    hinge_.resize(fabric.wraps().hinges.size());
}

void Stiffness::lineariseNode(Index i, Span<const Vec3> q, double h, double damping) {
    const YarnLinks& l = fabric_.links();
    const Vec3 x = q[i];
    const double hh = h * h;
    const Index k0 = l.first[i], k1 = l.first[i + 1];
    for (Index k = k0; k < k1; ++k) {
        const CrossingMaterial& m = fabric_.materialOf(k);
        const Index after = l.after[k], before = l.before[k];
        const double u = l.slide(q, k);
        double length = 0; // m, of the yarn that is this node's, at rest
        Vec3 e = Vec3::Zero();
        if (after >= 0) {
            PieceForm& p = piece_[k];
            e = q[l.node[after]] - x;
            const double s = l.slide(q, after) - u, len = e.norm(), w = fabric_.pieceWeight(k),
                         lambda = len / s;
            length += 0.5 * w * s;
            put(p.d, e / len);
            const StretchLaw law = fabric_.stretchLaw(k);
            p.a = f(hh * law.slope(lambda) / s);
            p.lambda = f(lambda);
            p.t = f(hh * std::max(0.0, law.tension(lambda)) / len);
            p.m = f(m.density * w * s / 6 * (1 + h * damping));
            p.ss = f(hh * parallelEnergy(s, w * m.parallel, l.closest[k]).hessian(0, 0));
            p.span = 0;
            if (!l.stitch.empty() && l.stitch[k] > 0) {
                const double kl = hh * w * (m.stitch > 0 ? m.stitch : m.stretch) / l.stitch[k];
                p.span = f(0.5 * kl);
                p.ss += f(kl);
            }
        }
        if (before >= 0) length += 0.5 * fabric_.pieceWeight(before) * (u - l.slide(q, before));
        if (after >= 0 && before >= 0)
            bend_[k] = bendForm(e, q[l.node[before]] - x, l.slide(q, after) - l.slide(q, before),
                                hh * fabric_.nodeWeight(i) * m.bend, l.restAngle(k));
        double own =
            kSlideMass * m.density * length + h * fabric_.nodeWeight(i) * m.frictionDamping;
        if (!fabric_.friction.limit.empty()) {
            // Slipping, the spring's slope is 0; a part of its secant keeps Newton's steps in
            // bounds.
            const double w = fabric_.nodeWeight(i), stiff = w * m.frictionStiffness,
                         limit = w * fabric_.friction.limit[k],
                         off = std::abs(u - fabric_.friction.anchor[k]);
            own += hh * (off * stiff <= limit ? stiff : slip_ * limit / off);
        }
        own_[k] = f(own);
    }
    if (!fabric_.isWoven(i)) return;
    for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b) {
            CornerForm& c = corner_[4 * at_[i] + 2 * a + b];
            const Index to0 = a ? l.before[k0] : l.after[k0],
                        to1 = b ? l.before[k0 + 1] : l.after[k0 + 1];
            if (to0 < 0 || to1 < 0) {
                c = {};
                continue;
            }
            const AngleFrame angle(q[l.node[to0]] - x, q[l.node[to1]] - x);
            const ShearLaw law = fabric_.shearLaw(i, a, b);
            const bool locked = std::abs(angle.phi - law.rest) > law.lock;
            const double root = h * std::sqrt(law.k * (1 + (locked ? law.jam : 0)));
            put(c.g0, root * angle.gradient1());
            put(c.g1, root * angle.gradient2());
        }
}

void Stiffness::linearise(Span<const Vec3> q, double h, double damping) {
    parallelFor(fabric_.nodes(), kGrain, [&](Index i0, Index i1) {
        for (Index i = i0; i < i1; ++i) lineariseNode(i, q, h, damping);
    });
    parallelFor(static_cast<Index>(hinge_.size()), kGrain, [&](Index h0, Index h1) {
        for (Index k = h0; k < h1; ++k) {
            const Wraps::Hinge& w = fabric_.wraps().hinges[k];
            Vec3 g[kWrapSquares][4];
            wrapSquares(q[w.node[0]], q[w.node[1]], q[w.node[2]], q[w.node[3]], fabric_.wrapLaw(w),
                        g);
            for (int m = 0; m < kWrapSquares; ++m)
                for (int c = 0; c < 4; ++c) put(hinge_[k].g[m][c], h * g[m][c]);
        }
    });
}

void Stiffness::applyNode(Index i, Span<const Vec3> x, Vec3& yx, Vec3& ys) const {
    const YarnLinks& l = fabric_.links();
    const Span<Fabric::Arms> arms = fabric_.arms();
    const Vec3 p = x[i], slides = x[l.nodes + i];
    yx.setZero();
    ys = kUnused * slides;
    const Index k0 = l.first[i], k1 = l.first[i + 1];
    for (Index k = k0; k < k1; ++k) {
        const int side = l.side[k];
        const Index after = l.after[k], before = l.before[k];
        Vec3 ax = Vec3::Zero(), bx = Vec3::Zero();
        double as = 0, bs = 0;
        const double s = slides[side];
        double own = own_[k] * s;
        Vec3 de = Vec3::Zero();
        double sa = 0;
        if (after >= 0) {
            const PieceForm& c = piece_[k];
            const Vec3 pa = x[l.node[after]], d = vec(c.d);
            sa = x[l.nodes + l.node[after]][l.side[after]];
            de = pa - p;
            const double ds = sa - s, along = d.dot(de), sigma = c.a * (along - c.lambda * ds);
            // Stretch, tension and what is of the rest length alone pull at both ends.
            ax = (sigma + (c.span - c.t) * along) * d + c.t * de;
            as = -c.lambda * sigma + c.ss * ds;
            yx -= ax;
            own -= as;
            // Inertia: the velocity of the material at the two ends.
            const Vec3 w = c.lambda * d, v0 = p - s * w, v1 = pa - sa * w;
            const Vec3 f0 = c.m * (2 * v0 + v1), f1 = c.m * (v0 + 2 * v1);
            yx += f0;
            own -= w.dot(f0);
            ax += f1;
            as -= w.dot(f1);
        }
        if (after >= 0 && before >= 0) {
            const BendForm& c = bend_[k];
            const Vec3 db = x[l.node[before]] - p, g1 = vec(c.g1), g2 = vec(c.g2), b = vec(c.b);
            const double sb = x[l.nodes + l.node[before]][l.side[before]];
            const double turn = g1.dot(de) + g2.dot(db) + c.gs * (sa - sb);
            const double across = c.b1 * b.dot(de) + c.b2 * b.dot(db);
            const Vec3 f1 = turn * g1 + (across * c.b1) * b, f2 = turn * g2 + (across * c.b2) * b;
            ax += f1;
            bx += f2;
            yx -= f1 + f2;
            as += turn * c.gs;
            bs -= turn * c.gs;
        }
        ys[side] = own;
        arms[k].after.x = ax;
        arms[k].after.s = as;
        arms[k].before.x = bx;
        arms[k].before.s = bs;
    }
    if (!fabric_.isWoven(i)) return;
    const CornerForm* c = &corner_[4 * at_[i]];
    const auto edge = [&](Index to) { return to >= 0 ? Vec3(x[l.node[to]] - p) : Vec3::Zero(); };
    const Vec3 e0[2] = {edge(l.after[k0]), edge(l.before[k0])},
               e1[2] = {edge(l.after[k0 + 1]), edge(l.before[k0 + 1])};
    Vec3 f0[2] = {Vec3::Zero(), Vec3::Zero()}, f1[2] = {Vec3::Zero(), Vec3::Zero()};
    for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b, ++c) {
            const Vec3 g0 = vec(c->g0), g1 = vec(c->g1);
            const double turn = g0.dot(e0[a]) + g1.dot(e1[b]);
            f0[a] += turn * g0;
            f1[b] += turn * g1;
        }
    yx -= f0[0] + f0[1] + f1[0] + f1[1];
    arms[k0].after.x += f0[0];
    arms[k0].before.x += f0[1];
    arms[k0 + 1].after.x += f1[0];
    arms[k0 + 1].before.x += f1[1];
}

void Stiffness::applyHinges(Span<const Vec3> x) const {
    const Span<Vec3> slots = fabric_.hingeSlots();
    parallelFor(static_cast<Index>(hinge_.size()), kGrain, [&](Index h0, Index h1) {
        for (Index h = h0; h < h1; ++h) {
            const Wraps::Hinge& w = fabric_.wraps().hinges[h];
            for (int c = 0; c < 4; ++c) slots[4 * h + c].setZero();
            for (const auto& g : hinge_[h].g) {
                double sum = 0;
                for (int c = 0; c < 4; ++c) sum += vec(g[c]).dot(x[w.node[c]]);
                for (int c = 0; c < 4; ++c) slots[4 * h + c] += sum * vec(g[c]);
            }
        }
    });
}

void Stiffness::apply(Span<const Vec3> x, Span<Vec3> y) const {
    const Index n = fabric_.nodes();
    parallelFor(n, kGrain, [&](Index i0, Index i1) {
        for (Index i = i0; i < i1; ++i) applyNode(i, x, y[i], y[n + i]);
    });
    applyHinges(x);
    const Span<Fabric::Arms> arms = fabric_.arms();
    const Span<Vec3> hinges = fabric_.hingeSlots();
    parallelFor(n, kGrain, [&](Index i0, Index i1) {
        for (Index i = i0; i < i1; ++i) fabric_.gather(arms, hinges, i, y);
    });
    if (touches_) touches_->addProduct(x, y);
}

std::size_t Stiffness::bytes() const {
    return bytesOf(piece_) + bytesOf(bend_) + bytesOf(corner_) + bytesOf(hinge_) + bytesOf(own_) +
           bytesOf(at_);
}

namespace {
// v(i) is the velocity of unknown i.
template <class Velocity>
void massTimes(const Fabric& fabric, Span<const Vec3> q, const Velocity& v, Span<Vec3> out) {
    const YarnLinks& l = fabric.links();
    // What the piece from link a to link b does to one of its ends.
    const auto piece = [&](Index a, Index b, bool atB, Vec3& fx, double& fs) {
        const double s = l.slide(q, b) - l.slide(q, a), rho = fabric.materialOf(a).density,
                     m = rho * fabric.pieceWeight(a) * s / 6;
        const Vec3 w = (q[l.node[b]] - q[l.node[a]]) / s;
        const double sa = v(l.nodes + l.node[a])[l.side[a]], sb = v(l.nodes + l.node[b])[l.side[b]];
        const Vec3 va = v(l.node[a]) - sa * w, vb = v(l.node[b]) - sb * w;
        const Vec3 f = atB ? Vec3(m * (va + 2 * vb)) : Vec3(m * (2 * va + vb));
        fx += f;
        fs += kSlideMass * 3 * m * (atB ? sb : sa) - w.dot(f);
    };
    parallelFor(l.nodes, kGrain, [&](Index i0, Index i1) {
        for (Index i = i0; i < i1; ++i) {
            Vec3 fx = Vec3::Zero(), fs = Vec3::Zero();
            for (Index k = l.first[i]; k < l.first[i + 1]; ++k) {
                double& s = fs[l.side[k]];
                if (l.after[k] >= 0) piece(k, l.after[k], false, fx, s);
                if (l.before[k] >= 0) piece(l.before[k], k, true, fx, s);
            }
            out[i] = fx;
            out[l.nodes + i] = fs;
        }
    });
}
} // namespace

void applyMass(const Fabric& fabric, Span<const Vec3> q, Span<const Vec3> v, Span<Vec3> out) {
    massTimes(
        fabric, q, [&](Index i) -> const Vec3& { return v[i]; }, out);
}

void applyMass(const Fabric& fabric, Span<const Vec3> q, double a, Span<const Vec3> v1,
               Span<const Vec3> v0, Span<Vec3> out) {
    massTimes(
        fabric, q, [&](Index i) { return Vec3(a * v1[i] - v0[i]); }, out);
}

} // namespace purl
