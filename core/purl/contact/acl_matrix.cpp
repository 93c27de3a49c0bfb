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
        const Pack8* r = R.m[i];
        t[i][0] = r[0] * k[0] + r[1] * k[1] + r[2] * k[2];
        t[i][1] = r[0] * k[1] + r[1] * k[3] + r[2] * k[4];
        t[i][2] = r[0] * k[2] + r[1] * k[4] + r[2] * k[5];
    }
    for (int i = 0, at = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j, ++at)
            out[at] = t[i][0] * R.m[j][0] + t[i][1] * R.m[j][1] + t[i][2] * R.m[j][2];
}

// Lanes of control point a: rows of x, each a slot, become coordinates.
struct Gather {
    int u[8], v[8], n[8];
    Gather(const SetStore::Lane* lanes, int count) {
        for (int l = 0; l < 8; ++l) {
            const SetStore::Lane& at = lanes[l < count ? l : 0];
            u[l] = at.slotU;
            n[l] = at.nu;
            v[l] = at.slotV - at.nu;
        }
    }
    void operator()(const Float4* x, int a, Pack8 out[3]) const {
        Pack8 row[4];
        for (int l = 0; l < 4; ++l) {
            const V4f low = x[(a < n[l] ? u[l] : v[l]) + a].v;
            const V4f high = x[(a < n[l + 4] ? u[l + 4] : v[l + 4]) + a].v;
            row[l] = V8f{low[0], low[1], low[2], low[3], high[0], high[1], high[2], high[3]};
        }
        transposeHalves(row[0], row[1], row[2], row[3]);
        for (int c = 0; c < 3; ++c) out[c] = row[c];
    }
};

inline void addProduct(const Pack8 k[6], const Pack8 x[3], Pack8 y[3]) {
    y[0] += k[0] * x[0] + k[1] * x[1] + k[2] * x[2];
    y[1] += k[1] * x[0] + k[3] * x[1] + k[4] * x[2];
    y[2] += k[2] * x[0] + k[4] * x[1] + k[5] * x[2];
}

// Adds the lanes of control point a to their sums.
inline void scatter(const SetStore::Lane* lanes, int count, int a, const Pack8 y[3], Float4* sum) {
    Pack8 row[4] = {y[0], y[1], y[2], Pack8(0.f)};
    transposeHalves(row[0], row[1], row[2], row[3]);
    for (int l = 0; l < count; ++l) {
        const SetStore::Lane& at = lanes[l];
        const V8f r = row[l & 3].v;
        sum[a < at.nu ? at.sumU + a : at.sumV + a - at.nu].v +=
            l < 4 ? V4f{r[0], r[1], r[2], r[3]} : V4f{r[4], r[5], r[6], r[7]};
    }
}

template <int N>
void assembleRecord(const Pack8* record, const SetStore::Lane* lanes, int count, float factor,
                    std::uint16_t* cross, Pack8& scale, Pack8* total, float* band) {
    constexpr RecordRows rows{N};
    Pack8 all[6]; // of what crosses
    for (auto& v : all) v = 0.f;
    const Pack8* turn = record + rows.turn();
    const M3<Pack8> R = matrixOf(Turn<Pack8>{turn[0], turn[1], turn[2], turn[3]});
    scale = record[rows.scale()] * Pack8(-factor); // models hold the derivative of the force
    const auto* half = reinterpret_cast<const std::uint16_t*>(record + rows.matrix());
    V8i nu{};
    for (int l = 0; l < count; ++l) nu[l] = lanes[l].nu;
    // rest: minus the sum of a row's blocks off the diagonal; side: of those that cross alone,
    // which is what the row sums to on its own side.
    Pack8 rest[N][6], side[N][6];
    for (int a = 0; a < N; ++a) {
        for (auto& v : rest[a]) v = 0.f;
        for (auto& v : side[a]) v = 0.f;
    }
    const auto addBand = [&](int a, int b, const Pack8 k[6], int place) {
        Pack8 w[8];
        for (int m = 0; m < 6; ++m) w[m] = scale * k[m];
        w[6] = w[7] = 0.f;
        transpose8(w);
        for (int l = 0; l < count; ++l) {
            const int n = lanes[l].nu;
            if (b >= n && a < n) continue;
            const Index at = b < n ? lanes[l].sumU + a : lanes[l].sumV + a - n;
            float* to = band + static_cast<std::size_t>(at) * 40 + 8 * place;
            store(to, loadPack8(to) + w[l]);
        }
    };
    for (int a = 0; a < N; ++a) {
        half += 48; // the diagonal follows from the rest
        for (int b = a + 1; b < N; ++b, half += 48) {
            if (!mayCross<N>(a, b) && !mayBeSide<N>(a, b)) continue;
            Pack8 k[6], w[6];
            for (int m = 0; m < 6; ++m) k[m] = loadHalf(half + 8 * m);
            turned(R, k, w);
            if (mayCross<N>(a, b)) {
                const V8i on = (nu > a) & (nu <= b);
                for (int m = 0; m < 6; ++m, cross += 8) {
                    storeHalf(cross, select(on, w[m], Pack8(0.f)));
                    const Pack8 kept = loadHalf(cross);
                    side[a][m] -= kept;
                    side[b][m] -= kept;
                    all[m] += kept;
                    w[m] = select(on, kept, w[m]);
                }
            }
            for (int m = 0; m < 6; ++m) {
                rest[a][m] -= w[m];
                rest[b][m] -= w[m];
            }
            if (mayBeSide<N>(a, b)) addBand(a, b, w, b - a);
        }
    }
    for (int m = 0; m < 6; ++m) total[m] = scale * all[m];
    for (int a = 0; a < N; ++a) {
        addBand(a, a, rest[a], 0);
        addBand(a, a, side[a], 4);
    }
}

template <int N>
void applyRecord(const std::uint16_t* cross, Pack8 scale, const SetStore::Lane* lanes, int count,
                 const Float4* x, Float4* sum) {
    Pack8 q[N][3], y[N][3];
    const Gather gather(lanes, count);
    for (int a = 0; a < N; ++a) {
        gather(x, a, q[a]);
        for (int c = 0; c < 3; ++c) {
            q[a][c] *= scale;
            y[a][c] = 0.f;
        }
    }
    for (int a = 0; a < N - 4; ++a) {
        Pack8 here[3] = {0.f, 0.f, 0.f};
        for (int b = std::max(4, a + 1); b < N; ++b, cross += 48) {
            Pack8 k[6];
            for (int m = 0; m < 6; ++m) k[m] = loadHalf(cross + 8 * m);
            addProduct(k, q[b], here);
            addProduct(k, q[a], y[b]);
        }
        for (int c = 0; c < 3; ++c) y[a][c] += here[c];
    }
    for (int a = 0; a < N; ++a) scatter(lanes, count, a, y[a], sum);
}

// Sums of the cross blocks of each set, by the pieces of its control points.
template <int N>
void sumRecord(const std::uint16_t* cross, Pack8 scale, const Pack8* total,
               const SetStore::Lane* lanes, int count, const Index* pieceOf,
               std::vector<AclMatrix::PieceSum>& out) {
    // A side lies in at most two pieces, nearly always: sums by those.
    Index piece[8][4]; // first and other of u, of v
    int side[8][N];    // which of them a control point is in; 4: a third one
    unsigned split = 0;
    for (int l = 0; l < count; ++l) {
        const int nu = lanes[l].nu;
        auto of = [&](int a) {
            return pieceOf[a < nu ? lanes[l].slotU + a : lanes[l].slotV + a - nu];
        };
        piece[l][0] = piece[l][1] = of(0);
        piece[l][2] = piece[l][3] = of(nu);
        for (int a = 0; a < N; ++a) {
            Index* own = piece[l] + (a < nu ? 0 : 2);
            const Index p = of(a);
            if (p != own[0] && own[1] == own[0]) own[1] = p;
            side[l][a] = p == own[0] ? 0 : p == own[1] ? 1 : 4;
        }
        if (piece[l][0] != piece[l][1] || piece[l][2] != piece[l][3]) {
            split |= 1u << l;
            continue;
        }
        const Index p = piece[l][0], q = piece[l][2];
        if (p < 0 || q < 0) continue;
        out.push_back({std::min(p, q), std::max(p, q), {}});
        for (int m = 0; m < 6; ++m) out.back().k[m] = total[m][l];
    }
    if (split == 0) return;
    float sum[8][4][6] = {};
    for (int a = 0; a < N - 4; ++a)
        for (int b = std::max(4, a + 1); b < N; ++b, cross += 48) {
            Pack8 k[6];
            for (int m = 0; m < 6; ++m) k[m] = scale * loadHalf(cross + 8 * m);
            for (unsigned left = split; left != 0; left &= left - 1) {
                const int l = __builtin_ctz(left);
                if (a >= lanes[l].nu || b < lanes[l].nu) continue;
                const int p = side[l][a], q = side[l][b];
                if (p + q < 4) {
                    for (int m = 0; m < 6; ++m) sum[l][2 * p + q][m] += k[m][l];
                    continue;
                }
                const int nu = lanes[l].nu;
                const Index g = pieceOf[lanes[l].slotU + a], h = pieceOf[lanes[l].slotV + b - nu];
                if (g < 0 || h < 0) continue;
                out.push_back({std::min(g, h), std::max(g, h), {}});
                for (int m = 0; m < 6; ++m) out.back().k[m] = k[m][l];
            }
        }
    for (unsigned left = split; left != 0; left &= left - 1) {
        const int l = __builtin_ctz(left);
        for (int i = 0; i < 4; ++i) {
            const Index p = piece[l][i / 2], q = piece[l][2 + i % 2];
            if ((i / 2 == 1 && piece[l][0] == p) || (i % 2 == 1 && piece[l][2] == q)) continue;
            if (p < 0 || q < 0) continue;
            out.push_back({std::min(p, q), std::max(p, q), {}});
            for (int m = 0; m < 6; ++m) out.back().k[m] = sum[l][i][m];
        }
    }
}

constexpr int kCross[kSetClasses] = {crossBlocks<8>(),  crossBlocks<9>(),  crossBlocks<10>(),
                                     crossBlocks<11>(), crossBlocks<12>(), crossBlocks<13>(),
                                     crossBlocks<14>()};
using Assemble = void (*)(const Pack8*, const SetStore::Lane*, int, float, std::uint16_t*, Pack8&,
                          Pack8*, float*);
constexpr Assemble kAssemble[kSetClasses] = {
    assembleRecord<8>,  assembleRecord<9>,  assembleRecord<10>, assembleRecord<11>,
    assembleRecord<12>, assembleRecord<13>, assembleRecord<14>};
using Apply = void (*)(const std::uint16_t*, Pack8, const SetStore::Lane*, int, const Float4*,
                       Float4*);
constexpr Apply kApply[kSetClasses] = {applyRecord<8>,  applyRecord<9>,  applyRecord<10>,
                                       applyRecord<11>, applyRecord<12>, applyRecord<13>,
                                       applyRecord<14>};

using Sum = void (*)(const std::uint16_t*, Pack8, const Pack8*, const SetStore::Lane*, int,
                     const Index*, std::vector<AclMatrix::PieceSum>&);
constexpr Sum kSum[kSetClasses] = {sumRecord<8>,  sumRecord<9>,  sumRecord<10>, sumRecord<11>,
                                   sumRecord<12>, sumRecord<13>, sumRecord<14>};

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
            sum_[r].assign(slots, Float4{V4f{0, 0, 0, 0}});
            for (int c = 0; c < kSetClasses; ++c) {
                const Index count = static_cast<Index>(from.lane[c].size());
                const std::size_t records = (count + 7) / 8, size = 48 * kCross[c];
                to.cross[c].resize(records * size);
                to.scale[c].resize(records);
                to.total[c].resize(6 * records);
                const int rows = RecordRows{c + kMinControls}.size();
                for (std::size_t k = 0; k < records; ++k)
                    kAssemble[c](&from.record[c][k * rows], &from.lane[c][8 * k],
                                 static_cast<int>(std::min<Index>(8, count - 8 * k)),
                                 static_cast<float>(factor), &to.cross[c][k * size], to.scale[c][k],
                                 &to.total[c][6 * k], to.band.data());
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
                    for (int m = 0; m < 6; ++m) {
                        row[m] += from[m];
                        row[SlotBand::kSum + m] += from[32 + m];
                    }
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
    gather(y);
}

void AclMatrix::gather(Float4* y) const {
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

const std::vector<std::vector<AclMatrix::PieceSum>>&
AclMatrix::byPiece(const std::vector<Index>& pieceOfSlot) {
    const auto& regions = store_->regions();
    pieces_.resize(regions.size());
    parallelFor(static_cast<Index>(regions.size()), 1, [&](Index r0, Index r1) {
        for (Index r = r0; r < r1; ++r) {
            pieces_[r].clear();
            for (int c = 0; c < kSetClasses; ++c) {
                const auto& lanes = regions[r].lane[c];
                const Index count = static_cast<Index>(lanes.size());
                for (Index k = 0; 8 * k < count; ++k)
                    kSum[c](&region_[r].cross[c][static_cast<std::size_t>(k) * 48 * kCross[c]],
                            region_[r].scale[c][k],
                            &region_[r].total[c][6 * static_cast<std::size_t>(k)], &lanes[8 * k],
                            static_cast<int>(std::min<Index>(8, count - 8 * k)), pieceOfSlot.data(),
                            pieces_[r]);
            }
        }
    });
    return pieces_;
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
