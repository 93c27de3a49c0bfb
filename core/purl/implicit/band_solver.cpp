#include "purl/implicit/band_solver.h"

#include "purl/base/parallel.h"

#include <algorithm>

namespace purl {

namespace {

struct Block { // 3 x 3, row by row
    Pack8 m[9];
};

constexpr int kSymmetric[9] = {0, 1, 2, 1, 3, 4, 2, 4, 5};

// a -= b c^T
inline void subtractTimesTransposed(Block& a, const Block& b, const Block& c) {
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            a.m[3 * i + j] -= b.m[3 * i] * c.m[3 * j] + b.m[3 * i + 1] * c.m[3 * j + 1] +
                              b.m[3 * i + 2] * c.m[3 * j + 2];
}

// a s, s symmetric
inline Block timesSymmetric(const Block& a, const Pack8 s[6]) {
    Block r;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            r.m[3 * i + j] = a.m[3 * i] * s[kSymmetric[j]] + a.m[3 * i + 1] * s[kSymmetric[3 + j]] +
                             a.m[3 * i + 2] * s[kSymmetric[6 + j]];
    return r;
}

// Inverse of a symmetric block by its cofactors, in units of its trace. One that rounding has left
// without a positive pivot is replaced by a multiple of the identity.
inline void invert(const Pack8 d[6], Pack8 out[6]) {
    const Pack8 trace = max(d[0] + d[3] + d[5], Pack8(1e-30f)), unit = Pack8(1.f) / trace;
    Pack8 a[6];
    for (int i = 0; i < 6; ++i) a[i] = unit * d[i];
    const Pack8 c0 = a[3] * a[5] - a[4] * a[4], c1 = a[2] * a[4] - a[1] * a[5],
                c2 = a[1] * a[4] - a[2] * a[3], c3 = a[0] * a[5] - a[2] * a[2],
                c4 = a[1] * a[2] - a[0] * a[4], c5 = a[0] * a[3] - a[1] * a[1];
    const Pack8 det = a[0] * c0 + a[1] * c1 + a[2] * c2;
    const V8i sound = (det > Pack8(1e-14f)) & (a[0] > Pack8(0.f)) & (c5 > Pack8(0.f));
    const Pack8 k = unit / select(sound, det, Pack8(1.f)), zero(0.f), alone = Pack8(3.f) * unit;
    out[0] = select(sound, k * c0, alone);
    out[1] = select(sound, k * c1, zero);
    out[2] = select(sound, k * c2, zero);
    out[3] = select(sound, k * c3, alone);
    out[4] = select(sound, k * c4, zero);
    out[5] = select(sound, k * c5, alone);
}

} // namespace

BandSolver::BandSolver(const Curves& yarns, const Layout& layout, Index longest)
    : layout_(&layout) {
    struct Piece {
        Index first, size;
    };
    std::vector<Piece> pieces;
    for (Index y = 0; y < yarns.yarns(); ++y) {
        const Index n = yarns.size(y), parts = (n + longest - 1) / longest;
        for (Index p = 0; p < parts; ++p) {
            const Index a = static_cast<Index>(static_cast<std::int64_t>(n) * p / parts),
                        b = static_cast<Index>(static_cast<std::int64_t>(n) * (p + 1) / parts);
            pieces.push_back({yarns.first[y] + a, b - a});
        }
    }
    pieces_ = static_cast<Index>(pieces.size());
    std::stable_sort(pieces.begin(), pieces.end(),
                     [](const Piece& a, const Piece& b) { return a.size > b.size; });
    for (std::size_t p = 0; p < pieces.size(); p += 8) {
        const Index length = pieces[p].size, at = start_.back();
        node_.resize(8 * static_cast<std::size_t>(at + length), -1);
        for (std::size_t l = 0; l < 8 && p + l < pieces.size(); ++l)
            for (Index i = 0; i < pieces[p + l].size; ++i)
                node_[8 * static_cast<std::size_t>(at + i) + l] = pieces[p + l].first + i;
        start_.push_back(at + length);
    }
    row_.assign(static_cast<std::size_t>(start_.back()) * kRow, Pack8(0.f));
    y_.assign(static_cast<std::size_t>(start_.back()) * 3, Pack8(0.f));
}

void BandSolver::factor(const SlotBand& a, const std::vector<std::uint8_t>& fixed, bool band) {
    parallelFor(static_cast<Index>(start_.size()) - 1, 1, [&](Index g0, Index g1) {
        for (Index g = g0; g < g1; ++g) factorGroup(g, a, fixed, band);
    });
}

// A = L D L^T by rows: U = L D is A less what the nodes before both took, L = U D^-1.
void BandSolver::factorGroup(Index g, const SlotBand& a, const std::vector<std::uint8_t>& fixed,
                             bool band) {
    const Index first = start_[g], last = start_[g + 1];
    for (Index p = first; p < last; ++p) {
        alignas(32) float gathered[kRow][8];
        for (int l = 0; l < 8; ++l) {
            const Index i = node_[8 * static_cast<std::size_t>(p) + l];
            if (i < 0 || fixed[i]) {
                for (int m = 0; m < kRow; ++m) gathered[m][l] = 0;
                gathered[0][l] = gathered[3][l] = gathered[5][l] = 1;
                continue;
            }
            const Index slot = layout_->slotOf[i];
            const float* row = a.row(slot);
            for (int m = 0; m < 6; ++m) gathered[m][l] = row[m];
            for (int k = 1; k <= SlotBand::kReach; ++k) {
                const bool there = band && p - k >= first && !fixed[i - k];
                const float* off = there ? a.row(slot - k) + SlotBand::off(k) : nullptr;
                for (int m = 0; m < 9; ++m) // the block (i, i - k) is the other's transpose
                    gathered[6 + 9 * (k - 1) + m][l] = there ? off[3 * (m % 3) + m / 3] : 0.f;
            }
        }
        Pack8 d[6];
        Block u[3];
        for (int m = 0; m < 6; ++m) d[m] = loadPack8(gathered[m]);
        for (int k = 0; k < 3; ++k)
            for (int m = 0; m < 9; ++m) u[k].m[m] = loadPack8(gathered[6 + 9 * k + m]);
        Pack8* row = &row_[static_cast<std::size_t>(p) * kRow];
        auto before = [&](Index node, int k) { // L of the node `node` places back to k before it
            Block b;
            const Pack8* r = &row_[static_cast<std::size_t>(p - node) * kRow + 6 + 9 * (k - 1)];
            std::copy(r, r + 9, b.m);
            return b;
        };
        if (p - 2 >= first) subtractTimesTransposed(u[1], u[2], before(2, 1));
        if (p - 1 >= first) {
            subtractTimesTransposed(u[0], u[2], before(1, 2));
            subtractTimesTransposed(u[0], u[1], before(1, 1));
        }
        for (int k = 1; k <= 3; ++k) {
            if (p - k < first) {
                std::fill(row + 6 + 9 * (k - 1), row + 6 + 9 * k, Pack8(0.f));
                continue;
            }
            const Block l = timesSymmetric(u[k - 1], &row_[static_cast<std::size_t>(p - k) * kRow]);
            for (int i = 0, at = 0; i < 3; ++i)
                for (int j = i; j < 3; ++j, ++at)
                    d[at] -= l.m[3 * i] * u[k - 1].m[3 * j] +
                             l.m[3 * i + 1] * u[k - 1].m[3 * j + 1] +
                             l.m[3 * i + 2] * u[k - 1].m[3 * j + 2];
            std::copy(l.m, l.m + 9, row + 6 + 9 * (k - 1));
        }
        invert(d, row);
    }
}

void BandSolver::apply(Span<const Vec3> r, Span<Vec3> z) const {
    parallelFor(static_cast<Index>(start_.size()) - 1, 1, [&](Index g0, Index g1) {
        for (Index g = g0; g < g1; ++g) solveGroup(g, r, z);
    });
}

void BandSolver::solveGroup(Index g, Span<const Vec3> r, Span<Vec3> z) const {
    const Index first = start_[g], last = start_[g + 1];
    Pack8 back[3][3]; // the last three answers
    for (auto& b : back)
        for (auto& c : b) c = 0.f;
    for (Index p = first; p < last; ++p) {
        alignas(32) float in[3][8];
        const Index* node = &node_[8 * static_cast<std::size_t>(p)];
        for (int l = 0; l < 8; ++l)
            for (int c = 0; c < 3; ++c)
                in[c][l] = node[l] < 0 ? 0.f : static_cast<float>(r[node[l]][c]);
        Pack8 v[3] = {loadPack8(in[0]), loadPack8(in[1]), loadPack8(in[2])};
        const Pack8* L = &row_[static_cast<std::size_t>(p) * kRow + 6];
        for (int k = 2; k >= 0; --k)
            for (int i = 0; i < 3; ++i)
                v[i] -= L[9 * k + 3 * i] * back[k][0] + L[9 * k + 3 * i + 1] * back[k][1] +
                        L[9 * k + 3 * i + 2] * back[k][2];
        Pack8* y = &y_[3 * static_cast<std::size_t>(p)];
        for (int c = 0; c < 3; ++c) {
            back[2][c] = back[1][c];
            back[1][c] = back[0][c];
            back[0][c] = y[c] = v[c];
        }
    }
    Pack8 ahead[3][3]; // what later nodes take from the three before them
    for (auto& b : ahead)
        for (auto& c : b) c = 0.f;
    for (Index p = last - 1; p >= first; --p) {
        const Pack8* row = &row_[static_cast<std::size_t>(p) * kRow];
        const Pack8* y = &y_[3 * static_cast<std::size_t>(p)];
        Pack8 x[3];
        for (int i = 0; i < 3; ++i)
            x[i] = row[kSymmetric[3 * i]] * y[0] + row[kSymmetric[3 * i + 1]] * y[1] +
                   row[kSymmetric[3 * i + 2]] * y[2] - ahead[0][i];
        for (int k = 0; k < 3; ++k) {
            const Pack8* L = row + 6 + 9 * k;
            for (int i = 0; i < 3; ++i) {
                const Pack8 later = k < 2 ? ahead[k + 1][i] : Pack8(0.f);
                ahead[k][i] = later + L[i] * x[0] + L[3 + i] * x[1] + L[6 + i] * x[2];
            }
        }
        const Index* node = &node_[8 * static_cast<std::size_t>(p)];
        for (int l = 0; l < 8; ++l)
            if (node[l] >= 0) z[node[l]] = Vec3(x[0][l], x[1][l], x[2][l]);
    }
}

} // namespace purl
