#include "purl/contact/evaluate.h"

namespace purl {

namespace {

// Angle after which Newton's next step is below single precision.
constexpr float kTurnTolerance = 3e-4f;

// Positions of the lanes' control points, each from a node of its own: subtracted in double, kept
// in single (a set is millimetres wide, the scene may be metres).
template <int N>
void gather(const SetStore::Lane* lanes, int count, const Padded3& x, Pack8* q) {
    float* out = reinterpret_cast<float*>(q);
    const double* from[3] = {x.x.data(), x.y.data(), x.z.data()};
    for (int lane = 0; lane < count; ++lane) {
        const SetStore::Lane& l = lanes[lane];
        for (int c = 0; c < 3; ++c) {
            const double *u = from[c] + l.slotU, *v = from[c] + l.slotV - l.nu;
            const double origin = u[1];
            for (int a = 0; a < N; ++a)
                out[8 * (3 * a + c) + lane] = static_cast<float>((a < l.nu ? u : v)[a] - origin);
        }
    }
    for (int lane = count; lane < 8; ++lane)
        for (int a = 0; a < 3 * N; ++a) out[8 * a + lane] = 0;
}

template <int N>
void evaluateSize(Pack8* record, const SetStore::Lane* lanes, int count, const Padded3& x,
                  RecordResult& out, bool turns) {
    constexpr RecordRows rows{N};
    const Pack8* rest = record + rows.rest();
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
    Pack8 worst(0.f), farthest(0.f);
    for (int a = 0; a < N; ++a) {
        const Pack8 *p = q + 3 * a, *r = rest + 3 * a;
        Pack8 d2(0.f);
        for (int c = 0; c < 3; ++c) {
            const Pack8 z = R.m[0][c] * p[0] + R.m[1][c] * p[1] + R.m[2][c] * p[2] - r[c];
            out.z[3 * a + c] = z;
            d2 += z * z;
        }
        worst = max(worst, d2 * record[rows.limit() + a]);
        farthest = max(farthest, d2);
    }
    const unsigned used = (1u << count) - 1;
    // Written so that NaN is stale.
    out.stale = ~bits(worst < Pack8(1.f)) & used;
    Pack8& slack = record[rows.slack()];
    const V8i waits = slack < Pack8(0.f);
    out.slides = bits(farthest > slack) & ~bits(waits) & used & ~out.stale;
    slack = select(waits, slack + Pack8(1.f), slack);
    // y = F + K z, each block once for both of its points.
    Pack8 y[3 * N];
    for (int a = 0; a < 3 * N; ++a) y[a] = record[rows.force() + a];
    const auto* k = reinterpret_cast<const std::uint16_t*>(record + rows.matrix());
    Pack8 s[3 * N]; // z times the scale of the matrix
    for (int a = 0; a < 3 * N; ++a) s[a] = record[rows.scale()] * out.z[a];
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
        }
        for (int b = a + 1; b < N; ++b, k += 48) {
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
        for (int c = 0; c < 3; ++c)
            out.force[3 * a + c] = R.m[c][0] * y0 + R.m[c][1] * y1 + R.m[c][2] * y2;
    }
}

} // namespace

void evaluateRecord(int n, Pack8* record, const SetStore::Lane* lanes, int count, const Padded3& x,
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

void addForces(const SetStore::Lane& l, int n, int lane, const RecordResult& r,
               SetStore::Region& region) {
    const float* f = reinterpret_cast<const float*>(r.force) + lane;
    for (int c = 0; c < 3; ++c) {
        double *u = region.sum[c].data() + l.sumU, *v = region.sum[c].data() + l.sumV;
        for (int a = 0; a < l.nu; ++a) u[a] += static_cast<double>(f[8 * (3 * a + c)]);
        for (int a = l.nu; a < n; ++a) v[a - l.nu] += static_cast<double>(f[8 * (3 * a + c)]);
    }
}

void addForces(const SetStore::Lane& l, const LinearModel& m, SetStore::Region& region) {
    for (int c = 0; c < 3; ++c)
        for (int a = 0; a < m.window.size(); ++a)
            region.sum[c][a < l.nu ? l.sumU + a : l.sumV + a - l.nu] += m.force[3 * a + c];
}

} // namespace purl
