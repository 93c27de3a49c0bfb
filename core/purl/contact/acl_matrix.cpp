#include "purl/contact/acl_matrix.h"

#include "purl/base/parallel.h"
#include "purl/contact/corotate.h"

#include <algorithm>

namespace purl {

namespace {

// Sides have 4 .. N - 4 control points. Which blocks (a, b) may couple two sides, and which may lie
// on one side, in some split of N.
template <int N>
constexpr bool mayCross(int a, int b) {
    return a < N - 4 && b >= 4 && a < b;
}
template <int N>
constexpr bool mayBeSide(int a, int b) {
    return b - a <= 3 && (b < N - 4 || a >= 4);
}
template <int N>
constexpr int crossBlocks() {
    int n = 0;
    for (int a = 0; a < N; ++a)
        for (int b = a + 1; b < N; ++b) n += mayCross<N>(a, b);
    return n;
}

// R K R^T of a symmetric K.
inline void turned(const M3<Pack8>& R, const Pack8 k[6], Pack8 out[6]) {
    Pack8 t[3][3];
    for (int i = 0; i < 3; ++i) {
        const Pack8 *r = R.m[i];
        t[i][0] = r[0] * k[0] + r[1] * k[1] + r[2] * k[2];
        t[i][1] = r[0] * k[1] + r[1] * k[3] + r[2] * k[4];
        t[i][2] = r[0] * k[2] + r[1] * k[4] + r[2] * k[5];
    }
    for (int i = 0, at = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j, ++at)
            out[at] = t[i][0] * R.m[j][0] + t[i][1] * R.m[j][1] + t[i][2] * R.m[j][2];
}

template <int N>
void assembleRecord(const Pack8* record, const SetStore::Lane* lanes, int count, float factor,
                    std::uint16_t* cross, Pack8& scale, float* band) {
    constexpr RecordRows rows{N};
    const Pack8* q = record + rows.turn();
    const M3<Pack8> R = matrixOf(Turn<Pack8>{q[0], q[1], q[2], q[3]});
    scale = record[rows.scale()] * Pack8(-factor); // models hold the derivative of the force
    const auto* half = reinterpret_cast<const std::uint16_t*>(record + rows.matrix());
    V8i nu{};
    for (int l = 0; l < count; ++l) nu[l] = lanes[l].nu;
    for (int a = 0; a < N; ++a) {
        for (int b = a; b < N; ++b, half += 48) {
            if (!mayCross<N>(a, b) && !mayBeSide<N>(a, b)) continue;
            Pack8 k[6], w[8];
            for (int m = 0; m < 6; ++m) k[m] = loadHalf(half + 8 * m);
            turned(R, k, w);
            if (mayCross<N>(a, b)) {
                const V8i on = (nu > a) & (nu <= b);
                for (int m = 0; m < 6; ++m, cross += 8)
                    storeHalf(cross, select(on, w[m], Pack8(0.f)));
            }
            if (!mayBeSide<N>(a, b)) continue;
            for (int m = 0; m < 6; ++m) w[m] *= scale;
            w[6] = w[7] = 0.f;
            transpose8(w);
            for (int l = 0; l < count; ++l) {
                const int n = lanes[l].nu;
                const Index at = b < n ? lanes[l].sumU + a : lanes[l].sumV + a - n;
                if (b >= n && a < n) continue;
                float* to = band + static_cast<std::size_t>(at) * 32 + 8 * (b - a);
                store(to, loadPack8(to) + w[l]);
            }
        }
    }
}

template <int N>
void applyRecord(const std::uint16_t* cross, Pack8 scale, const SetStore::Lane* lanes, int count,
                 const Float4* x, Float4* sum) {
    Pack8 q[3 * N], y[3 * N];
    int u[8] = {}, v[8] = {}, n[8];
    for (int l = 0; l < 8; ++l) {
        const SetStore::Lane& at = lanes[l < count ? l : 0];
        u[l] = at.slotU;
        n[l] = at.nu;
        v[l] = at.slotV - at.nu;
    }
    for (int a = 0; a < N; ++a) {
        Pack8 row[4];
        for (int l = 0; l < 4; ++l) {
            const V4f low = x[(a < n[l] ? u[l] : v[l]) + a].v;
            const V4f high = x[(a < n[l + 4] ? u[l + 4] : v[l + 4]) + a].v;
            row[l] = V8f{low[0], low[1], low[2], low[3], high[0], high[1], high[2], high[3]};
        }
        transposeHalves(row[0], row[1], row[2], row[3]);
        for (int c = 0; c < 3; ++c) {
            q[3 * a + c] = scale * row[c];
            y[3 * a + c] = 0.f;
        }
    }
    for (int a = 0; a < N - 4; ++a) {
        Pack8 y0(0.f), y1(0.f), y2(0.f);
        const Pack8 x0 = q[3 * a], x1 = q[3 * a + 1], x2 = q[3 * a + 2];
        for (int b = std::max(4, a + 1); b < N; ++b, cross += 48) {
            const Pack8 xx = loadHalf(cross), xy = loadHalf(cross + 8), xz = loadHalf(cross + 16),
                        yy = loadHalf(cross + 24), yz = loadHalf(cross + 32),
                        zz = loadHalf(cross + 40);
            const Pack8* z = q + 3 * b;
            y0 += xx * z[0] + xy * z[1] + xz * z[2];
            y1 += xy * z[0] + yy * z[1] + yz * z[2];
            y2 += xz * z[0] + yz * z[1] + zz * z[2];
            y[3 * b] += xx * x0 + xy * x1 + xz * x2;
            y[3 * b + 1] += xy * x0 + yy * x1 + yz * x2;
            y[3 * b + 2] += xz * x0 + yz * x1 + zz * x2;
        }
        y[3 * a] += y0;
        y[3 * a + 1] += y1;
        y[3 * a + 2] += y2;
    }
    for (int a = 0; a < N; ++a) {
        Pack8 row[4] = {y[3 * a], y[3 * a + 1], y[3 * a + 2], Pack8(0.f)};
        transposeHalves(row[0], row[1], row[2], row[3]);
        for (int l = 0; l < count; ++l) {
            const Index at = a < n[l] ? lanes[l].sumU + a : lanes[l].sumV + a - n[l];
            const V8f r = row[l & 3].v;
            sum[at].v += l < 4 ? V4f{r[0], r[1], r[2], r[3]} : V4f{r[4], r[5], r[6], r[7]};
        }
    }
}

constexpr int kCross[kSetClasses] = {crossBlocks<8>(),  crossBlocks<9>(),  crossBlocks<10>(),
                                     crossBlocks<11>(), crossBlocks<12>(), crossBlocks<13>(),
                                     crossBlocks<14>()};
using Assemble = void (*)(const Pack8*, const SetStore::Lane*, int, float, std::uint16_t*, Pack8&,
                          float*);
constexpr Assemble kAssemble[kSetClasses] = {
    assembleRecord<8>,  assembleRecord<9>,  assembleRecord<10>, assembleRecord<11>,
    assembleRecord<12>, assembleRecord<13>, assembleRecord<14>};
using Apply = void (*)(const std::uint16_t*, Pack8, const SetStore::Lane*, int, const Float4*,
                       Float4*);
constexpr Apply kApply[kSetClasses] = {applyRecord<8>,  applyRecord<9>,  applyRecord<10>,
                                       applyRecord<11>, applyRecord<12>, applyRecord<13>,
                                       applyRecord<14>};

} // namespace

void AclMatrix::assemble(const AclContact& contact, double factor) {
    store_ = &contact.sets();
    const auto& regions = store_->regions();
    region_.resize(regions.size());
    sum_.resize(regions.size());
    parallelFor(static_cast<Index>(regions.size()), 1, [&](Index r0, Index r1) {
        for (Index r = r0; r < r1; ++r) {
            const SetStore::Region& from = regions[r];
            Region& to = region_[r];
            const std::size_t slots = from.blocks.size() * SetStore::kBlock;
            to.band.assign(slots * kBandSlot, 0.f);
            sum_[r].resize(slots);
            for (int c = 0; c < kSetClasses; ++c) {
                const Index count = static_cast<Index>(from.lane[c].size());
                const std::size_t records = (count + 7) / 8, size = 48 * kCross[c];
                to.cross[c].resize(records * size);
                to.scale[c].resize(records);
                const int rows = RecordRows{c + kMinControls}.size();
                for (std::size_t k = 0; k < records; ++k)
                    kAssemble[c](&from.record[c][k * rows], &from.lane[c][8 * k],
                                 static_cast<int>(std::min<Index>(8, count - 8 * k)),
                                 static_cast<float>(factor), &to.cross[c][k * size],
                                 to.scale[c][k], to.band.data());
            }
        }
    });
    joinBlocks();
}

void AclMatrix::joinBlocks() {
    const Index blocks = (store_->slots() + SetStore::kBlock - 1) / SetStore::kBlock + 1;
    start_.assign(blocks + 1, 0);
    for (const auto& r : store_->regions())
        for (Index b : r.blocks) ++start_[b + 1];
    for (Index b = 0; b < blocks; ++b) start_[b + 1] += start_[b];
    blockRegion_.resize(start_.back());
    blockAt_.resize(start_.back());
    std::vector<Index> put(start_.begin(), start_.end() - 1);
    for (std::size_t r = 0; r < store_->regions().size(); ++r) {
        const auto& list = store_->regions()[r].blocks;
        for (std::size_t i = 0; i < list.size(); ++i) {
            const Index at = put[list[i]]++;
            blockRegion_[at] = static_cast<Index>(r);
            blockAt_[at] = static_cast<Index>(i) * SetStore::kBlock;
        }
    }
}

void AclMatrix::addBand(SlotBand& out) const {
    constexpr int symmetric[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};
    parallelFor(static_cast<Index>(start_.size()) - 1, 16, [&](Index b0, Index b1) {
        for (Index b = b0; b < b1; ++b)
            for (Index i = start_[b]; i < start_[b + 1]; ++i) {
                const float* from = &region_[blockRegion_[i]]
                                         .band[static_cast<std::size_t>(blockAt_[i]) * kBandSlot];
                const Index end = std::min(SetStore::kBlock, out.slots() - b * SetStore::kBlock);
                for (Index s = 0; s < end; ++s, from += kBandSlot) {
                    float* row = out.row(b * SetStore::kBlock + s);
                    for (int m = 0; m < 6; ++m) row[m] += from[m];
                    for (int k = 1; k <= SlotBand::kReach; ++k)
                        for (int m = 0; m < 9; ++m)
                            row[SlotBand::off(k) + m] += from[8 * k + symmetric[m]];
                }
            }
    });
}

void AclMatrix::apply(const Float4* x, Float4* y) const {
    if (!store_) return;
    const auto& regions = store_->regions();
    parallelFor(static_cast<Index>(regions.size()), 1, [&](Index r0, Index r1) {
        for (Index r = r0; r < r1; ++r) {
            std::fill(sum_[r].begin(), sum_[r].end(), Float4{V4f{0, 0, 0, 0}});
            for (int c = 0; c < kSetClasses; ++c) {
                const auto& lanes = regions[r].lane[c];
                const Index count = static_cast<Index>(lanes.size());
                for (Index k = 0; 8 * k < count; ++k)
                    kApply[c](&region_[r].cross[c][static_cast<std::size_t>(k) * 48 * kCross[c]],
                              region_[r].scale[c][k], &lanes[8 * k],
                              static_cast<int>(std::min<Index>(8, count - 8 * k)), x,
                              sum_[r].data());
            }
        }
    });
    parallelFor(static_cast<Index>(start_.size()) - 1, 16, [&](Index b0, Index b1) {
        for (Index b = b0; b < b1; ++b)
            for (Index i = start_[b]; i < start_[b + 1]; ++i) {
                const Float4* from = &sum_[blockRegion_[i]][blockAt_[i]];
                const Index first = b * SetStore::kBlock;
                const Index end = std::min(SetStore::kBlock, store_->slots() - first);
                for (Index s = 0; s < end; ++s) y[first + s].v += from[s].v;
            }
    });
}

double AclMatrix::bytes() const {
    double n = 0;
    for (const Region& r : region_) {
        for (int c = 0; c < kSetClasses; ++c)
            n += static_cast<double>(2 * r.cross[c].capacity() + 32 * r.scale[c].capacity());
        n += static_cast<double>(4 * r.band.capacity());
    }
    for (const auto& s : sum_) n += static_cast<double>(s.capacity() * sizeof(Float4));
    return n;
}

} // namespace purl
