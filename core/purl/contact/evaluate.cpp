#include "purl/contact/evaluate.h"

namespace purl {

namespace {

// Newton's step leaves its own square: a turn is settled well below single precision's needs.
constexpr float kTurnTolerance = 4e-3f;

inline V4f toSingle(V4d d) { return __builtin_convertvector(d, V4f); }
inline V8f join(V4f low, V4f high) {
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}

// Positions of the lanes' control points, each from a node of its own: subtracted in double, kept
// in single (a set is millimetres wide, the scene may be metres). Eight lanes' points are read
// whole, then turned into rows.
template <int N>
void gather(const SetStore::Lane* lanes, int count, const Double4* x, Pack8* q) {
    const Double4 *u[8], *v[8];
    V4d origin[8];
    int nu[8];
    for (int l = 0; l < 8; ++l) { // empty lanes compute along with the first one's points
        const SetStore::Lane& at = lanes[l < count ? l : 0];
        nu[l] = at.nu;
        u[l] = x + at.slotU;
        v[l] = x + at.slotV - at.nu;
        origin[l] = u[l][1].v;
    }
    for (int a = 0; a < N; ++a) {
        V4f p[8];
        for (int l = 0; l < 8; ++l) p[l] = toSingle((a < nu[l] ? u : v)[l][a].v - origin[l]);
        Pack8 row[4];
        for (int l = 0; l < 4; ++l) row[l] = join(p[l], p[4 + l]);
        transposeHalves(row[0], row[1], row[2], row[3]);
        for (int c = 0; c < 3; ++c) q[3 * a + c] = row[c];
    }
}

V8i nuOf(const SetStore::Lane* lanes, int count) {
    V8i nu{};
    for (int l = 0; l < count; ++l) nu[l] = lanes[l].nu;
    return nu;
}

// Square of the largest way that the yarns moved along or across each other, m2, at the ends of
// where they touch. z: displacements of control points; nu: how many of them are the first side's.
template <int N>
Pack8 endsMoved(const Pack8* record, const Pack8* z, V8i nu) {
    constexpr RecordRows rows{N};
    constexpr int surelyU = N - 7 > 4 ? N - 7 : 4, surelyV = N - 4 < 7 ? N - 4 : 7;
    const auto* weight =
        reinterpret_cast<const std::uint16_t*>(record + rows.matrix()) + 8 * rows.blocks();
    Pack8 u[2][3], v[2][3];
    for (int e = 0; e < 2; ++e)
        for (int c = 0; c < 3; ++c) u[e][c] = v[e][c] = 0.f;
    for (int a = 0; a < N; ++a, weight += 16) {
        const Pack8 w[2] = {loadHalf(weight), loadHalf(weight + 8)};
        for (int e = 0; e < 2; ++e) {
            if (a < surelyV) {
                const Pack8 wu = a < surelyU ? w[e] : select(nu > a, w[e], Pack8(0.f));
                for (int c = 0; c < 3; ++c) u[e][c] += wu * z[3 * a + c];
            }
            if (a >= surelyU) {
                const Pack8 wv = a >= surelyV ? w[e] : select(nu > a, Pack8(0.f), w[e]);
                for (int c = 0; c < 3; ++c) v[e][c] += wv * z[3 * a + c];
            }
        }
    }
    Pack8 most(0.f);
    for (int e = 0; e < 2; ++e)
        for (int f = 0; f < 2; ++f) {
            const Pack8 x = u[e][0] - v[f][0], y = u[e][1] - v[f][1], w = u[e][2] - v[f][2];
            most = max(most, x * x + y * y + w * w);
        }
    return most;
}

template <int N>
void evaluateSize(Pack8* record, const SetStore::Lane* lanes, int count, const Double4* x,
                  RecordResult& out, bool turns) {
    constexpr RecordRows rows{N};
    const Pack8* rest = record + rows.rest();
    // The next record is asked for while this one is worked on: left alone, the processor waits for
    // memory at every page.
    const char* next = reinterpret_cast<const char*>(record + rows.size());
    for (int line = 0; line < 32 * rows.matrix(); line += 64) __builtin_prefetch(next + line);
    next += 32 * rows.matrix();
    Pack8 q[3 * N];
    gather<N>(lanes, count, x, q);
    Pack8 centre[3] = {0.f, 0.f, 0.f};
    for (int a = 0; a < N; ++a)
        for (int c = 0; c < 3; ++c) centre[c] += q[3 * a + c];
    for (auto& c : centre) c *= Pack8(1.f / N);
    M3<Pack8> A;
    for (auto& r : A.m)
        for (auto& e : r) e = 0.f;
    Pack8 size(1e-30f);
    for (int a = 0; a < N; ++a) {
        for (int c = 0; c < 3; ++c) {
            q[3 * a + c] -= centre[c];
            size += rest[3 * a + c] * rest[3 * a + c];
        }
        for (int c = 0; c < 3; ++c)
            for (int d = 0; d < 3; ++d) A.m[c][d] += q[3 * a + c] * rest[3 * a + d];
    }
    size = Pack8(1.f) / size;
    for (auto& r : A.m)
        for (auto& e : r) e *= size;
    Pack8* stored = record + rows.turn();
    Turn<Pack8> turn{stored[0], stored[1], stored[2], stored[3]};
    if (turns) turnTo(A, turn, kTurnTolerance);
    stored[0] = turn.x;
    stored[1] = turn.y;
    stored[2] = turn.z;
    stored[3] = turn.w;
    const M3<Pack8> R = matrixOf(turn);
    out.turn = R;
    Pack8 farthest(0.f);
    for (int a = 0; a < N; ++a) {
        const Pack8 *p = q + 3 * a, *r = rest + 3 * a;
        Pack8 d2(0.f);
        for (int c = 0; c < 3; ++c) {
            const Pack8 z = R.m[0][c] * p[0] + R.m[1][c] * p[1] + R.m[2][c] * p[2] - r[c];
            out.z[3 * a + c] = z;
            d2 += z * z;
        }
        farthest = max(farthest, d2);
    }
    const Pack8 apart = endsMoved<N>(record, out.z, nuOf(lanes, count));
    // y = K z, each block once for both of its points.
    Pack8 y[3 * N];
    for (int a = 0; a < 3 * N; ++a) y[a] = 0.f;
    const auto* k = reinterpret_cast<const std::uint16_t*>(record + rows.matrix());
    Pack8 s[3 * N]; // z times the scale of the matrix
    for (int a = 0; a < 3 * N; ++a) s[a] = record[rows.scale()] * out.z[a];
    // Along the contact's own force it grows with the square of how far yarns are pressed.
    const Pack8 *normal = record + rows.normal(), *force = record + rows.force();
    Pack8 push[N], way(0.f);
    for (int a = 0; a < N; ++a) {
        const Pack8 *f = force + 3 * a, *z = out.z + 3 * a;
        push[a] = normal[0] * f[0] + normal[1] * f[1] + normal[2] * f[2];
        way += push[a] * (normal[0] * z[0] + normal[1] * z[1] + normal[2] * z[2]);
    }
    // What has hardly begun to touch says little of how it will go on.
    const Pack8 grown = min(Pack8(4.f), -(record[rows.pace()] * way));
    const Pack8 more =
        select(grown > Pack8(-2.f), Pack8(0.25f) * grown * grown, -Pack8(1.f) - grown);
    for (int a = 0; a < N; ++a) {
        const Pack8 z0 = s[3 * a], z1 = s[3 * a + 1], z2 = s[3 * a + 2];
        Pack8 y0 = y[3 * a], y1 = y[3 * a + 1], y2 = y[3 * a + 2];
        {
            const Pack8 xx = loadHalf(k), xy = loadHalf(k + 8), xz = loadHalf(k + 16),
                        yy = loadHalf(k + 24), yz = loadHalf(k + 32), zz = loadHalf(k + 40);
            y0 += xx * z0 + xy * z1 + xz * z2;
            y1 += xy * z0 + yy * z1 + yz * z2;
            y2 += xz * z0 + yz * z1 + zz * z2;
            k += 48;
            __builtin_prefetch(next);
            __builtin_prefetch(next + 64);
            next += 96;
        }
        for (int b = a + 1; b < N; ++b, k += 48, next += 96) {
            __builtin_prefetch(next);
            __builtin_prefetch(next + 64);
            const Pack8 xx = loadHalf(k), xy = loadHalf(k + 8), xz = loadHalf(k + 16),
                        yy = loadHalf(k + 24), yz = loadHalf(k + 32), zz = loadHalf(k + 40);
            const Pack8* zb = s + 3 * b;
            y0 += xx * zb[0] + xy * zb[1] + xz * zb[2];
            y1 += xy * zb[0] + yy * zb[1] + yz * zb[2];
            y2 += xz * zb[0] + yz * zb[1] + zz * zb[2];
            y[3 * b] += xx * z0 + xy * z1 + xz * z2;
            y[3 * b + 1] += xy * z0 + yy * z1 + yz * z2;
            y[3 * b + 2] += xz * z0 + yz * z1 + zz * z2;
        }
        const Pack8 m = more * push[a], *f = force + 3 * a;
        y0 += f[0] + m * normal[0];
        y1 += f[1] + m * normal[1];
        y2 += f[2] + m * normal[2];
        for (int c = 0; c < 3; ++c)
            out.force[3 * a + c] = R.m[c][0] * y0 + R.m[c][1] * y1 + R.m[c][2] * y2;
    }
    const Pack8* limits = record + rows.limits();
    const Pack8 worst = max(apart * limits[0], farthest * limits[1]);
    const unsigned used = (1u << count) - 1;
    // Written so that NaN is stale.
    out.stale = ~bits(worst < Pack8(1.f)) & used;
    Pack8& slack = record[rows.slack()];
    const V8i waits = slack < Pack8(0.f);
    out.slides = bits(farthest > slack) & ~bits(waits) & used & ~out.stale;
    slack = select(waits, slack + Pack8(1.f), slack);
}

} // namespace

void evaluateRecord(int n, Pack8* record, const SetStore::Lane* lanes, int count, const Double4* x,
                    RecordResult& out, bool turns) {
    static_assert(kMinControls == 8 && kMaxControls == 14, "one case a size");
    switch (n) {
    case 8:
        return evaluateSize<8>(record, lanes, count, x, out, turns);
    case 9:
        return evaluateSize<9>(record, lanes, count, x, out, turns);
    case 10:
        return evaluateSize<10>(record, lanes, count, x, out, turns);
    case 11:
        return evaluateSize<11>(record, lanes, count, x, out, turns);
    case 12:
        return evaluateSize<12>(record, lanes, count, x, out, turns);
    case 13:
        return evaluateSize<13>(record, lanes, count, x, out, turns);
    default:
        return evaluateSize<14>(record, lanes, count, x, out, turns);
    }
}

void addForces(const SetStore::Lane* lanes, int count, int n, unsigned skip, const RecordResult& r,
               Float4* sum) {
    for (int a = 0; a < n; ++a) {
        Pack8 row[4] = {r.force[3 * a], r.force[3 * a + 1], r.force[3 * a + 2], Pack8(0.f)};
        transposeHalves(row[0], row[1], row[2], row[3]);
        for (int l = 0; l < count; ++l) {
            if (skip >> l & 1u) continue;
            const SetStore::Lane& at = lanes[l];
            const V8f f = row[l & 3].v;
            sum[a < at.nu ? at.sumU + a : at.sumV + a - at.nu].v +=
                l < 4 ? V4f{f[0], f[1], f[2], f[3]} : V4f{f[4], f[5], f[6], f[7]};
        }
    }
}

} // namespace purl
