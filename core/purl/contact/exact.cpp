#include "purl/contact/exact.h"

#include "purl/base/parallel.h"
#include "purl/contact/pair.h"

namespace purl {

namespace {

// b's four lanes turned by k places, so that four turns meet all 16 pairs.
template <int k>
Pack4 turned(Pack4 p) {
    return __builtin_shuffle(p.v, V4i{k % 4, (k + 1) % 4, (k + 2) % 4, (k + 3) % 4});
}

struct Law {
    Stiffening stiffening;
    double reach;
    Pack4 reach2, floor2, a, b; // f'(d)/d = a - b / d^4, with a = 2/D^2, b = 2 D^2
    Law(double reach, const Stiffening& s)
        : stiffening(s), reach(reach), reach2(reach * reach),
          floor2(kContactFloor * kContactFloor * reach * reach), a(2 / (reach * reach)),
          b(2 * reach * reach) {}
};

template <int k>
void meet(const V3<Pack4>& pa, const V3<Pack4>& pb, const Law& law, Pack4 stiffness, V3<Pack4>& fa,
          V3<Pack4>& fb) {
    const V3<Pack4> d = pa - V3<Pack4>{turned<k>(pb.x), turned<k>(pb.y), turned<k>(pb.z)};
    const Pack4 d2 = dot(d, d);
    const Pack4 inv = Pack4(1.0) / max(d2, law.floor2);
    Pack4 push = law.b * inv * inv - law.a, slope(0.0);
    law.stiffening.add(d2, inv, law.reach, push, slope);
    const Pack4 c = select(d2 < law.reach2, stiffness * push, Pack4(0.0));
    // Filled-up points are NaN; 0 * NaN must not get through.
    const Pack4 x = select(d2 < law.reach2, c * d.x, Pack4(0.0));
    const Pack4 y = select(d2 < law.reach2, c * d.y, Pack4(0.0));
    const Pack4 z = select(d2 < law.reach2, c * d.z, Pack4(0.0));
    fa = fa + V3<Pack4>{x, y, z};
    constexpr int back = (4 - k) % 4;
    fb = fb - V3<Pack4>{turned<back>(x), turned<back>(y), turned<back>(z)};
}

template <int k>
V4i nearOnes(const V3<Pack4>& pa, const V3<Pack4>& pb, Pack4 reach2) {
    const V3<Pack4> d = pa - V3<Pack4>{turned<k>(pb.x), turned<k>(pb.y), turned<k>(pb.z)};
    return dot(d, d) < reach2;
}

V3<Pack4> points(const std::vector<double>& at, Index block) {
    const double* p = &at[12 * static_cast<std::size_t>(block)];
    return {loadPack(p), loadPack(p + 4), loadPack(p + 8)};
}

} // namespace

ExactContact::ExactContact(const Curves& rest, const Layout& layout,
                           const std::vector<Material>& material, const std::vector<Weld>& welds,
                           const ContactSettings& settings)
    : stiffening_{settings.stiffenBelow, settings.stiffenFactor},
      points_(rest, layout, material, settings.quadrature) {
    near_ = Neighbours(points_, Exclusion(rest, welds, settings.quadrature), settings.skin);
}

void ExactContact::addForce(const Padded3& x, Padded3& f) {
    points_.evaluate(x);
    if (near_.update(points_, x)) {
        touches_.assign(near_.other.size(), 0);
        slot_.resize(12 * near_.other.size());
        maskedForce_.resize(24 * near_.masked.size());
        maskedTouches_.assign(near_.masked.size(), 0);
        maskedStart_.assign(points_.blocks() + 1, 0);
        for (const auto& m : near_.masked) {
            ++maskedStart_[m.a + 1];
            ++maskedStart_[m.b + 1];
        }
        for (Index b = 0; b < points_.blocks(); ++b) maskedStart_[b + 1] += maskedStart_[b];
        maskedIn_.resize(2 * near_.masked.size());
        std::vector<Index> put(maskedStart_.begin(), maskedStart_.end() - 1);
        for (std::size_t m = 0; m < near_.masked.size(); ++m) {
            maskedIn_[put[near_.masked[m].a]++] = static_cast<Index>(2 * m);
            maskedIn_[put[near_.masked[m].b]++] = static_cast<Index>(2 * m + 1);
        }
    }
    evaluatePairs();
    evaluateMasked();
    // Blocks gather what others left for them, in the order of the list.
    parallelFor(points_.blocks(), 256, [&](Index a, Index b) {
        for (Index k = a; k < b; ++k) {
            double* to = &points_.force[12 * static_cast<std::size_t>(k)];
            Pack4 fx = loadPack(to), fy = loadPack(to + 4), fz = loadPack(to + 8);
            auto take = [&](const double* from) {
                fx += loadPack(from);
                fy += loadPack(from + 4);
                fz += loadPack(from + 8);
            };
            for (Index i = near_.inStart[k]; i < near_.inStart[k + 1]; ++i) {
                const Index p = near_.inPair[i];
                if (touches_[p]) take(&slot_[12 * static_cast<std::size_t>(p)]);
            }
            for (Index i = maskedStart_[k]; i < maskedStart_[k + 1]; ++i)
                if (maskedTouches_[maskedIn_[i] / 2])
                    take(&maskedForce_[12 * static_cast<std::size_t>(maskedIn_[i])]);
            store(to, fx);
            store(to + 4, fy);
            store(to + 8, fz);
        }
    });
    points_.spread(f);
}

void ExactContact::evaluatePairs() {
    parallelFor(points_.blocks(), 64, [&](Index first, Index last) {
        for (Index a = first; a < last; ++a) {
            const V3<Pack4> pa = points(points_.at, a);
            V3<Pack4> fa{0.0, 0.0, 0.0};
            for (Index p = near_.start[a]; p < near_.start[a + 1]; ++p) {
                const Index b = near_.other[p];
                const double reach = points_.radius[a] + points_.radius[b];
                const V3<Pack4> pb = points(points_.at, b);
                const Pack4 reach2 = reach * reach;
                const V4i near = nearOnes<0>(pa, pb, reach2) | nearOnes<1>(pa, pb, reach2) |
                                 nearOnes<2>(pa, pb, reach2) | nearOnes<3>(pa, pb, reach2);
                if (!any(near)) {
                    touches_[p] = 0;
                    continue;
                }
                touches_[p] = 1;
                const Law law(reach, stiffening_);
                const Pack4 k = points_.scale[a] * points_.scale[b];
                V3<Pack4> fb{0.0, 0.0, 0.0};
                meet<0>(pa, pb, law, k, fa, fb);
                meet<1>(pa, pb, law, k, fa, fb);
                meet<2>(pa, pb, law, k, fa, fb);
                meet<3>(pa, pb, law, k, fa, fb);
                double* to = &slot_[12 * static_cast<std::size_t>(p)];
                store(to, fb.x);
                store(to + 4, fb.y);
                store(to + 8, fb.z);
            }
            double* to = &points_.force[12 * static_cast<std::size_t>(a)];
            store(to, fa.x);
            store(to + 4, fa.y);
            store(to + 8, fa.z);
        }
    });
}

void ExactContact::evaluateMasked() {
    parallelFor(static_cast<Index>(near_.masked.size()), 64, [&](Index first, Index last) {
        for (Index m = first; m < last; ++m) {
            const auto& pair = near_.masked[m];
            double* to = &maskedForce_[24 * static_cast<std::size_t>(m)];
            const double reach = points_.radius[pair.a] + points_.radius[pair.b];
            const double floor = kContactFloor * reach;
            const double k = points_.scale[pair.a] * points_.scale[pair.b];
            maskedTouches_[m] = 0;
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j) {
                    if (!(pair.mask >> (4 * i + j) & 1)) continue;
                    const Vec3 d = points_.point(4 * pair.a + i) - points_.point(4 * pair.b + j);
                    const double d2 = d.squaredNorm();
                    if (!(d2 < reach * reach)) continue;
                    if (!maskedTouches_[m]) std::fill(to, to + 24, 0.0);
                    maskedTouches_[m] = 1;
                    const double s2 = std::max(d2, floor * floor);
                    double push = 2 * reach * reach / (s2 * s2) - 2 / (reach * reach), slope = 0;
                    stiffening_.add(d2, 1 / s2, reach, push, slope);
                    const double c = k * push;
                    for (int x = 0; x < 3; ++x) {
                        to[4 * x + i] += c * d[x];
                        to[12 + 4 * x + j] -= c * d[x];
                    }
                }
        }
    });
}

// Every listed point pair of block a, once: visit(b, i, j, distance).
template <class Visit>
void ExactContact::overNearPoints(Index a, Visit&& visit) const {
    auto pair = [&](Index b, std::uint16_t mask) {
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j)
                if (mask >> (4 * i + j) & 1) {
                    const double d = (points_.point(4 * a + i) - points_.point(4 * b + j)).norm();
                    if (d == d) visit(b, d);
                }
    };
    for (Index p = near_.start[a]; p < near_.start[a + 1]; ++p) pair(near_.other[p], 0xffff);
    for (Index i = maskedStart_[a]; i < maskedStart_[a + 1]; ++i)
        if (maskedIn_[i] % 2 == 0)
            pair(near_.masked[maskedIn_[i] / 2].b, near_.masked[maskedIn_[i] / 2].mask);
}

double ExactContact::energy() const {
    return orderedSum(points_.blocks(), 256, [&](Index first, Index last) {
        double e = 0;
        for (Index a = first; a < last; ++a)
            overNearPoints(a, [&](Index b, double d) {
                const double reach = points_.radius[a] + points_.radius[b];
                e += points_.scale[a] * points_.scale[b] * contactLaw(d, reach, stiffening_);
            });
        return e;
    });
}

double ExactContact::restGap() const {
    return -orderedMax(points_.blocks(), 256, [&](Index first, Index last) {
        double most = -1e9;
        for (Index a = first; a < last; ++a)
            overNearPoints(a, [&](Index b, double d) {
                most = std::max(most, -d / (points_.radius[a] + points_.radius[b]));
            });
        return most;
    });
}

ContactStats ExactContact::stats() const {
    ContactStats s;
    for (auto t : touches_) s.touching += t;
    for (auto t : maskedTouches_) s.touching += t;
    s.listed = static_cast<long>(near_.other.size() + near_.masked.size());
    s.rebuilds = near_.rebuilds;
    s.smallestGap = restGap();
    return s;
}

} // namespace purl
