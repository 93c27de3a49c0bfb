#include "purl/contact/linear_model.h"

#include "purl/base/simd.h"
#include "purl/contact/pair.h"
#include "purl/geometry/catmull_rom.h"

#include <algorithm>
#include <limits>

namespace purl {

namespace {
constexpr int kMaxPoints = 11 * kMaxSide + 4;
double sumLanes(Pack4 p) { return (p.v[0] + p.v[1]) + (p.v[2] + p.v[3]); }

// Points [first, last] of a yarn, coordinate by coordinate, filled up with NaN to a whole pack.
struct Points {
    alignas(32) double x[kMaxPoints], y[kMaxPoints], z[kMaxPoints];
};
} // namespace

ModelBuilder::ModelBuilder(const Quadrature& q, const Exclusion& e, const ContactSettings& settings)
    : q_(&q), exclusion_(&e), stiffening_{settings.stiffenBelow, settings.stiffenFactor},
      positive_(settings.positive), points_(q.pointsPerSegment()) {
    const int packs = q.blocksPerSegment();
    packed_.assign(16 * packs, 0.0);
    for (int g = 0; g < points_; ++g) {
        const Weights4 w = catmullRom((g + 0.5) / points_);
        weight_.insert(weight_.end(), w.begin(), w.end());
        for (int c = 0; c < 4; ++c) packed_[16 * (g / 4) + 4 * c + g % 4] = w[c];
    }
    floatWeight_.assign(weight_.begin(), weight_.end());
    for (Index s = 0; s < q.segments(); ++s) {
        const Index block = s * packs, yarn = q.yarnOf[block];
        if (yarnFirst_.size() <= static_cast<std::size_t>(yarn)) {
            yarnFirst_.push_back(s);
            radius_.push_back(q.radius[block]);
        }
        scale_.push_back(q.scale[block]);
        yarnOfSegment_.push_back(yarn);
    }
    yarnFirst_.push_back(q.segments());
}

Index ModelBuilder::yarnOf(Index point) const { return yarnOfSegment_[point / points_]; }

double ModelBuilder::reach(const PointBox& b) const {
    return radius_[yarnOf(b.u0)] + radius_[yarnOf(b.v0)];
}

Window ModelBuilder::window(const PointBox& b) const {
    const Index su = b.u0 / points_, sv = b.v0 / points_;
    return {q_->slot[su] - 1, q_->slot[sv] - 1, b.u1 / points_ - su + 4, b.v1 / points_ - sv + 4};
}

PointBox ModelBuilder::clip(PointBox b) const {
    // A grown box may begin before its yarn; one of its old points is inside, and so is the middle.
    const Index yu = yarnOf((b.u0 + b.u1) / 2), yv = yarnOf((b.v0 + b.v1) / 2);
    b.u0 = std::max(b.u0, yarnFirst_[yu] * points_);
    b.u1 = std::min(b.u1, yarnFirst_[yu + 1] * points_ - 1);
    b.v0 = std::max(b.v0, yarnFirst_[yv] * points_);
    b.v1 = std::min(b.v1, yarnFirst_[yv + 1] * points_ - 1);
    return b;
}

Vec3 ModelBuilder::point(Index p, const Padded3& x) const {
    const Index s = q_->slot[p / points_] - 1;
    const double* w = weights(p);
    Vec3 r = Vec3::Zero();
    for (int i = 0; i < 4; ++i) r += w[i] * x.at(s + i);
    return r;
}

ModelBuilder::Excluded ModelBuilder::excludedIn(const PointBox& b) const {
    Excluded e;
    e.segU = b.u0 / points_;
    e.segV = b.v0 / points_;
    for (Index su = e.segU; su <= b.u1 / points_; ++su)
        for (Index sv = e.segV; sv <= b.v1 / points_; ++sv) {
            PairBits& bits = e.bits[su - e.segU][sv - e.segV];
            if (su > sv)
                bits = PairBits::all(points_); // counted as (sv, su)
            else if (!exclusion_->strangers(su, sv))
                bits = exclusion_->excluded(su, sv);
            e.any = e.any || bits.any();
        }
    return e;
}

V4i ModelBuilder::mask(const Excluded& e, Index u, Index v, Index last) const {
    V4i m;
    for (int i = 0; i < 4; ++i) m[i] = v + i <= last && !test(e, u, v + i) ? -1 : 0;
    return m;
}

Measure ModelBuilder::measure(const PointBox& box, const Padded3& x) const {
    Measure r;
    r.touch = {box.u1 + 1, box.u0 - 1, box.v1 + 1, box.v0 - 1};
    const Excluded excluded = excludedIn(box);
    const double D = reach(box);
    Points v;
    const Index nv = box.v1 - box.v0 + 1;
    for (Index j = 0; j < nv; ++j) {
        const Vec3 p = point(box.v0 + j, x);
        v.x[j] = p.x();
        v.y[j] = p.y();
        v.z[j] = p.z();
    }
    for (Index j = nv; j < nv + 3; ++j)
        v.x[j] = v.y[j] = v.z[j] = std::numeric_limits<double>::quiet_NaN();
    Pack4 nearest(1e300);
    const Pack4 reach2(D * D);
    for (Index u = box.u0; u <= box.u1; ++u) {
        const Vec3 p = point(u, x);
        for (Index j = 0; j < nv; j += 4) {
            const V3<Pack4> d = V3<Pack4>{p.x(), p.y(), p.z()} -
                                V3<Pack4>{loadPack(v.x + j), loadPack(v.y + j), loadPack(v.z + j)};
            Pack4 d2 = dot(d, d);
            if (excluded.any) d2 = select(mask(excluded, u, box.v0 + j, box.v1), d2, Pack4(1e300));
            nearest = select(d2 < nearest, d2, nearest); // NaN is never nearer
            const V4i touching = d2 < reach2;
            if (!any(touching)) continue;
            for (int i = 0; i < 4; ++i)
                if (touching[i]) {
                    ++r.touching;
                    r.touch.v0 = std::min(r.touch.v0, box.v0 + j + i);
                    r.touch.v1 = std::max(r.touch.v1, box.v0 + j + i);
                }
            r.touch.u0 = std::min(r.touch.u0, u);
            r.touch.u1 = u;
        }
    }
    for (int i = 0; i < 4; ++i) r.nearest = std::min(r.nearest, nearest[i]);
    r.nearest = std::sqrt(r.nearest);
    return r;
}

double ModelBuilder::energy(const PointBox& box, const Padded3& x) const {
    const Excluded excluded = excludedIn(box);
    const double D = reach(box);
    std::array<Vec3, 11 * kMaxSide> v;
    for (Index j = box.v0; j <= box.v1; ++j) v[j - box.v0] = point(j, x);
    double sum = 0;
    for (Index u = box.u0; u <= box.u1; ++u) {
        const Vec3 p = point(u, x);
        for (Index j = box.v0; j <= box.v1; ++j) {
            const double d = (p - v[j - box.v0]).norm();
            if (d < D && !(excluded.any && test(excluded, u, j)))
                sum += scale_[u / points_] * scale_[j / points_] * contactLaw(d, D, stiffening_);
        }
    }
    return sum;
}

void ModelBuilder::build(const PointBox& touch, const PointBox& box, const Padded3& x, bool matrix,
                         LinearModel& out) const {
    out.window = window(box);
    const int n = out.window.size();
    Vec3 centre = Vec3::Zero();
    for (int a = 0; a < n; ++a) centre += x.at(out.window.slot(a));
    centre /= n;
    for (int a = 0; a < n; ++a)
        Eigen::Map<Vec3>(&out.position[3 * a]) = x.at(out.window.slot(a)) - centre;
    std::fill_n(out.force.begin(), 3 * n, 0.0);
    if (matrix) std::fill_n(out.stiffness.begin(), 3 * n * (n + 1), 0.f);
    const double D = reach(box);
    const Excluded excluded = touch.u0 <= touch.u1 ? excludedIn(touch) : Excluded{};
    for (Index su = touch.u0 / points_; su <= touch.u1 / points_ && touch.u0 <= touch.u1; ++su)
        for (Index sv = touch.v0 / points_; sv <= touch.v1 / points_; ++sv)
            sumSegments(su, sv, touch, excluded, D, x, matrix, out);
    if (matrix) press(out);
    std::fill_n(out.ends.begin(), 2 * n, 0.f);
    const PointBox& at = touch.u0 <= touch.u1 ? touch : box;
    for (int e = 0; e < 2; ++e) {
        const Index u = e ? at.u1 : at.u0, v = e ? at.v1 : at.v0;
        for (int i = 0; i < 4; ++i) {
            out.ends[2 * (controlU(u, out.window) + i) + e] = static_cast<float>(weights(u)[i]);
            out.ends[2 * (controlV(v, out.window) + i) + e] = static_cast<float>(weights(v)[i]);
        }
    }
}

// By how much its push grows, of itself, when the first side as a whole comes nearer.
void ModelBuilder::press(LinearModel& m) const {
    const int n = m.window.size(), nu = m.window.nu;
    Vec3 push = Vec3::Zero();
    for (int a = 0; a < nu; ++a) push += Eigen::Map<const Vec3>(&m.force[3 * a]);
    const double fn = push.norm();
    const Vec3 normal = fn > 0 ? Vec3(push / fn) : Vec3(Vec3::UnitX());
    Eigen::Map<Vec3>(m.normal) = normal;
    const double x = normal.x(), y = normal.y(), z = normal.z();
    const double twice[6] = {x * x, 2 * x * y, 2 * x * z, y * y, 2 * y * z, z * z};
    double slope = 0; // N/m
    for (int a = 0; a < nu; ++a)
        for (int b = a; b < nu; ++b) {
            const float* h = &m.stiffness[6 * LinearModel::block(n, a, b)];
            for (int i = 0; i < 6; ++i)
                slope -= (a == b ? 1 : 2) * twice[i] * static_cast<double>(h[i]);
        }
    m.pace = slope > 0 && fn > 0 ? slope / (fn * fn) : 0;
}

// All touching pairs of two segments. Lanes run over the points of v and are summed at the end:
// with H a pair's Hessian and w the weights of its points, K_uu = sum w_a w_a' H, K_uv = -sum w_a
// w_b H, K_vv = sum w_b w_b' H.
void ModelBuilder::sumSegments(Index segU, Index segV, const PointBox& touch,
                               const Excluded& excluded, double D, const Padded3& x, bool matrix,
                               LinearModel& out) const {
    const Pack4 k(scale_[segU] * scale_[segV]), reach2(D * D),
        floor2(kContactFloor * kContactFloor * D * D), a2(2 / (D * D)), b2(2 * D * D);
    const Index u0 = std::max(touch.u0, segU * points_),
                u1 = std::min(touch.u1, segU * points_ + points_ - 1);
    const Index v0 = std::max(touch.v0, segV * points_),
                v1 = std::min(touch.v1, segV * points_ + points_ - 1);
    Vec3 pu[16];
    for (Index u = u0; u <= u1; ++u) pu[u - u0] = point(u, x);
    Pack4 sumU[16][9], cross[4][4][6], vv[10][6], fv[4][3];
    const int nu = static_cast<int>(u1 - u0 + 1);
    for (int i = 0; i < nu; ++i)
        for (auto& c : sumU[i]) c = 0.0;
    for (auto& c : cross)
        for (auto& d : c)
            for (auto& e : d) e = 0.0;
    for (auto& c : vv)
        for (auto& d : c) d = 0.0;
    for (auto& c : fv)
        for (auto& d : c) d = 0.0;
    const int firstPack = static_cast<int>(v0 - segV * points_) / 4,
              lastPack = static_cast<int>(v1 - segV * points_) / 4;
    for (int pack = firstPack; pack <= lastPack; ++pack) {
        const Index base = segV * points_ + 4 * pack;
        const Index slot = q_->slot[segV] - 1;
        const double* w = &packed_[16 * pack];
        V3<Pack4> y{0.0, 0.0, 0.0};
        Pack4 wv[4];
        for (int c = 0; c < 4; ++c) {
            wv[c] = loadPack(w + 4 * c);
            y = y + V3<Pack4>{wv[c] * Pack4(x.x[slot + c]), wv[c] * Pack4(x.y[slot + c]),
                              wv[c] * Pack4(x.z[slot + c])};
        }
        V4i inside;
        for (int i = 0; i < 4; ++i) inside[i] = base + i >= v0 && base + i <= v1 ? -1 : 0;
        Pack4 sumV[9], byU[4][6];
        for (auto& c : sumV) c = 0.0;
        for (auto& c : byU)
            for (auto& d : c) d = 0.0;
        for (int i = 0; i < nu; ++i) {
            const V3<Pack4> d = V3<Pack4>{pu[i].x(), pu[i].y(), pu[i].z()} - y;
            const Pack4 d2 = dot(d, d);
            V4i on = (d2 < reach2) & inside;
            if (excluded.any && any(on)) on &= mask(excluded, u0 + i, base, v1);
            if (!any(on)) continue;
            // push = -f'/d, slope = (f'' - f'/d) / d^2, each per stiffness of the pair.
            const Pack4 inv = Pack4(1.0) / max(d2, floor2), inv2 = inv * inv;
            Pack4 push = b2 * inv2 - a2, slope = Pack4(4.0) * b2 * inv2 * inv;
            stiffening_.add(d2, inv, D, push, slope);
            const Pack4 c = select(on, k * push, Pack4(0.0));
            const Pack4 f[3] = {c * d.x, c * d.y, c * d.z};
            for (int m = 0; m < 3; ++m) {
                sumU[i][6 + m] += f[m];
                sumV[6 + m] += f[m];
            }
            if (!matrix) continue;
            // f'' - f'/d along the normal and f'/d in all directions; or f'' along it alone.
            if (positive_) slope -= push * inv;
            const Pack4 h = select(on, k * slope, Pack4(0.0));
            const Pack4 turns = positive_ ? Pack4(0.0) : c;
            const Pack4 hx = h * d.x, hy = h * d.y, hz = h * d.z;
            const Pack4 H[6] = {hx * d.x - turns, hx * d.y, hx * d.z,
                                hy * d.y - turns, hy * d.z, hz * d.z - turns};
            const double* wu = weights(u0 + i);
            for (int m = 0; m < 6; ++m) {
                sumU[i][m] += H[m];
                sumV[m] += H[m];
                for (int a = 0; a < 4; ++a) byU[a][m] += Pack4(wu[a]) * H[m];
            }
        }
        for (int b = 0; b < 4; ++b)
            for (int m = 0; m < 3; ++m) fv[b][m] += wv[b] * sumV[6 + m];
        if (!matrix) continue;
        for (int b = 0, at = 0; b < 4; ++b) {
            for (int m = 0; m < 6; ++m) {
                const Pack4 wb = wv[b] * sumV[m];
                for (int c = b; c < 4; ++c) vv[at + c - b][m] += wb * wv[c];
                for (int a = 0; a < 4; ++a) cross[a][b][m] += wv[b] * byU[a][m];
            }
            at += 4 - b;
        }
    }
    const int n = out.window.size();
    const int firstU = controlU(segU * points_, out.window),
              firstV = controlV(segV * points_, out.window);
    double uu[10][6] = {};
    for (int i = 0; i < nu; ++i) {
        const double* w = weights(u0 + i);
        double s[9];
        for (int m = matrix ? 0 : 6; m < 9; ++m) s[m] = sumLanes(sumU[i][m]);
        for (int a = 0, at = 0; a < 4; ++a) {
            for (int m = 0; m < 3; ++m) out.force[3 * (firstU + a) + m] += w[a] * s[6 + m];
            if (!matrix) continue;
            for (int c = a; c < 4; ++c, ++at)
                for (int m = 0; m < 6; ++m) uu[at][m] += w[a] * w[c] * s[m];
        }
    }
    for (int b = 0; b < 4; ++b)
        for (int m = 0; m < 3; ++m) out.force[3 * (firstV + b) + m] -= sumLanes(fv[b][m]);
    if (!matrix) return;
    auto put = [&](int a, int b, int m, double value) {
        out.stiffness[6 * LinearModel::block(n, a, b) + m] -= static_cast<float>(value);
    };
    for (int a = 0, at = 0; a < 4; ++a)
        for (int c = a; c < 4; ++c, ++at)
            for (int m = 0; m < 6; ++m) {
                put(firstU + a, firstU + c, m, uu[at][m]);
                put(firstV + a, firstV + c, m, sumLanes(vv[at][m]));
            }
    for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b)
            for (int m = 0; m < 6; ++m) put(firstU + a, firstV + b, m, -sumLanes(cross[a][b][m]));
}

} // namespace purl
