// Rows of near pairs made anew: a grid over the middles of segments, and what the old rows knew.
#include "purl/base/parallel.h"
#include "purl/contact/pair_list.h"

#include <algorithm>
#include <cmath>

namespace purl {

namespace {
constexpr Index kRows = 128;  // a task
constexpr double kSpread = 4; // deviations: what lies farther out is in the outermost cells
constexpr float kLarge = 3;   // of the mean size: larger segments are compared with all
constexpr std::uint32_t kNew = 0xffffffffu;

bool finite(const Box4& b) {
    const V4f d = (b.low - b.low) + (b.high - b.high);
    return d[0] == 0 && d[1] == 0 && d[2] == 0;
}
} // namespace

// Middles of segments, counted and sorted by cell; the x neighbours of a cell lie beside it.
void PairList::sortIntoCells() {
    const Index n = static_cast<Index>(place_.size());
    Vec3 sum = Vec3::Zero(), square = Vec3::Zero(), low = Vec3::Constant(1e300), high = -low;
    double size = 0, largest = 0;
    Index count = 0;
    for (Index s = 0; s < n; ++s) {
        if (!finite(box_[s])) continue;
        ++count;
        const V4f d = box_[s].high - box_[s].low;
        size += static_cast<double>(std::max(d[0], std::max(d[1], d[2])) + 2 * radius_[s] + skin_);
        for (int c = 0; c < 3; ++c) {
            const double m = 0.5 * static_cast<double>(box_[s].low[c] + box_[s].high[c]);
            sum[c] += m;
            square[c] += m * m;
            low[c] = std::min(low[c], m);
            high[c] = std::max(high[c], m);
        }
    }
    large_.clear();
    cellOf_.assign(n, -1);
    if (count == 0) return;
    size /= count;
    for (Index s = 0; s < n; ++s) {
        if (!finite(box_[s])) continue;
        const V4f d = box_[s].high - box_[s].low;
        const double own =
            static_cast<double>(std::max(d[0], std::max(d[1], d[2])) + 2 * radius_[s] + skin_);
        if (own > static_cast<double>(kLarge) * size)
            large_.push_back(s);
        else
            largest = std::max(largest, own);
    }
    cell_ = std::max(largest, 1e-12) * 1.0001;
    for (int c = 0; c < 3; ++c) {
        const double mean = sum[c] / count;
        const double wide = kSpread * std::sqrt(std::max(0.0, square[c] / count - mean * mean));
        corner_[c] = std::max(low[c], mean - wide);
        high[c] = std::min(high[c], mean + wide);
    }
    for (;; cell_ *= 1.3) { // no more cells than a few a segment
        double all = 1;
        for (int c = 0; c < 3; ++c) all *= std::floor((high[c] - corner_[c]) / cell_) + 1;
        if (all <= 4.0 * n + 64) break;
    }
    for (int c = 0; c < 3; ++c)
        cells_[c] = static_cast<Index>(std::floor((high[c] - corner_[c]) / cell_)) + 1;
    cellStart_.assign(static_cast<std::size_t>(cells_[0]) * cells_[1] * cells_[2] + 1, 0);
    parallelFor(n, 2048, [&](Index s0, Index s1) {
        for (Index s = s0; s < s1; ++s) {
            if (!finite(box_[s])) continue;
            Index at[3];
            for (int c = 0; c < 3; ++c) {
                const double m = 0.5 * static_cast<double>(box_[s].low[c] + box_[s].high[c]);
                at[c] = static_cast<Index>(std::clamp(std::floor((m - corner_[c]) / cell_), 0.0,
                                                      static_cast<double>(cells_[c] - 1)));
            }
            cellOf_[s] = (at[2] * cells_[1] + at[1]) * cells_[0] + at[0];
        }
    });
    for (Index s : large_) cellOf_[s] = -2;
    inCell_.resize(n);
    for (Index s = 0; s < n; ++s)
        if (cellOf_[s] >= 0) ++cellStart_[cellOf_[s] + 1];
    for (std::size_t c = 1; c < cellStart_.size(); ++c) cellStart_[c] += cellStart_[c - 1];
    std::vector<Index>& put = spareStart_;
    put.assign(cellStart_.begin(), cellStart_.end() - 1);
    for (Index s = 0; s < n; ++s)
        if (cellOf_[s] >= 0) inCell_[put[cellOf_[s]]++] = s;
    for (auto& v : side_) v.resize(static_cast<std::size_t>(n) + 8);
    parallelFor(cellStart_.back(), 2048, [&](Index i0, Index i1) {
        for (Index i = i0; i < i1; ++i) {
            const Index s = inCell_[i];
            const float grown = radius_[s] + skin_ + 2 * rounding_;
            for (int c = 0; c < 3; ++c) {
                side_[c][i] = box_[s].low[c] - grown;
                side_[3 + c][i] = box_[s].high[c] + grown;
            }
        }
    });
}

// The pairs of segment a with b >= a that are nearer than reach and skin, and those that are
// covered or excluded, ascending.
void PairList::remakeRow(Index a, Work& w) {
    std::size_t first = w.row.size();
    const Box4 box = box_[a];
    const auto ask = [&](Index b) {
        const float far = radius_[a] + radius_[b] + skin_ + 2 * rounding_;
        if (nearest(box, box_[b]) < far) w.row.push_back({b, -1, kNew});
    };
    if (self_[a]) w.row.push_back({a, -1, kNew});
    const Index cell = cellOf_[a];
    if (cell >= 0) {
        V8f low[3], high[3];
        for (int c = 0; c < 3; ++c) {
            const float l = box.low[c] - radius_[a], h = box.high[c] + radius_[a];
            low[c] = V8f{l, l, l, l, l, l, l, l};
            high[c] = V8f{h, h, h, h, h, h, h, h};
        }
        const Index x = cell % cells_[0], y = cell / cells_[0] % cells_[1],
                    z = cell / cells_[0] / cells_[1];
        for (Index k = std::max<Index>(0, z - 1); k <= std::min(cells_[2] - 1, z + 1); ++k)
            for (Index j = std::max<Index>(0, y - 1); j <= std::min(cells_[1] - 1, y + 1); ++j) {
                const Index line = (k * cells_[1] + j) * cells_[0];
                const Index end = cellStart_[line + std::min(cells_[0] - 1, x + 1) + 1];
                for (Index i = cellStart_[line + std::max<Index>(0, x - 1)]; i < end; i += 8) {
                    V8i meet = (low[0] <= load8(&side_[3][i])) & (high[0] >= load8(&side_[0][i]));
                    for (int c = 1; c < 3; ++c)
                        meet &=
                            (low[c] <= load8(&side_[3 + c][i])) & (high[c] >= load8(&side_[c][i]));
                    unsigned on = bits(meet);
                    if (end - i < 8) on &= (1u << (end - i)) - 1;
                    for (; on != 0; on &= on - 1) {
                        const Index b = inCell_[i + __builtin_ctz(on)];
                        if (b > a) w.row.push_back({b, -1, kNew});
                    }
                }
            }
        for (Index b : large_)
            if (b > a) ask(b);
    } else if (cell == -2) {
        for (Index b = a + 1; b < static_cast<Index>(place_.size()); ++b)
            if (cellOf_[b] != -1) ask(b);
    }
    const auto byOther = [](const Entry& l, const Entry& r) { return l.b < r.b; };
    std::sort(w.row.begin() + static_cast<std::ptrdiff_t>(first), w.row.end(), byOther);
    // What the old row knew of them. Covered pairs stay, near or not.
    const std::size_t fresh = w.row.size();
    std::size_t at = first;
    for (Index k = start_[a]; k < start_[a + 1]; ++k) {
        const Entry& old = entry_[k];
        while (at < fresh && w.row[at].b < old.b) ++at;
        if (at < fresh && w.row[at].b == old.b)
            w.row[at] = old;
        else if (old.cover != 0)
            w.row.push_back(old);
    }
    for (std::size_t i = first; i < fresh; ++i) {
        Entry& e = w.row[i];
        if (e.cover != kNew) continue;
        e.cover = 0;
        if (exclusion_.strangers(a, e.b)) continue;
        const PairBits bits = exclusion_.excluded(a, e.b);
        if (!bits.any()) continue;
        e.cover = kNew;
        w.bits.push_back(bits);
    }
    if (w.row.size() > fresh) {
        // Bits of new entries are in the order of entries, which sorting does not change.
        std::inplace_merge(w.row.begin() + static_cast<std::ptrdiff_t>(first),
                           w.row.begin() + static_cast<std::ptrdiff_t>(fresh), w.row.end(),
                           byOther);
    }
}

void PairList::rebuild() {
    const Index n = static_cast<Index>(place_.size());
    // Covered pairs that were in no row get an entry, as if it had been there before.
    if (!apart_.empty()) {
        std::vector<std::pair<std::uint64_t, PairBits>> apart(apart_.begin(), apart_.end());
        std::sort(apart.begin(), apart.end(),
                  [](const auto& l, const auto& r) { return l.first < r.first; });
        apart_.clear();
        spare_.clear();
        spareStart_.assign(n + 1, 0);
        std::size_t next = 0;
        for (Index a = 0; a < n; ++a) {
            Index k = start_[a];
            for (; next < apart.size() && static_cast<Index>(apart[next].first >> 32) == a;
                 ++next) {
                const Index b = static_cast<Index>(apart[next].first & 0xffffffffu);
                while (k < start_[a + 1] && entry_[k].b < b) spare_.push_back(entry_[k++]);
                spare_.push_back({b, -1, 0});
                setCover(spare_.back(), apart[next].second | exclusion_.excluded(a, b));
            }
            while (k < start_[a + 1]) spare_.push_back(entry_[k++]);
            spareStart_[a + 1] = static_cast<Index>(spare_.size());
        }
        entry_.swap(spare_);
        start_.swap(spareStart_);
    }
    sortIntoCells();
    spareStart_.assign(n + 1, 0);
    parallelFor(static_cast<Index>(work_.size()), 1, [&](Index c0, Index c1) {
        for (Index c = c0; c < c1; ++c) {
            Work& w = work_[c];
            w.row.clear();
            w.bits.clear();
            for (Index a = c * kRows; a < std::min(n, (c + 1) * kRows); ++a) {
                const std::size_t before = w.row.size();
                remakeRow(a, w);
                spareStart_[a + 1] = static_cast<Index>(w.row.size() - before);
            }
        }
    });
    for (Index a = 0; a < n; ++a) spareStart_[a + 1] += spareStart_[a];
    spare_.resize(static_cast<std::size_t>(spareStart_[n]));
    for (Work& w : work_) {
        std::size_t next = 0;
        if (w.bits.empty()) continue;
        for (Entry& e : w.row)
            if (e.cover == kNew) {
                e.cover = 0;
                setCover(e, w.bits[next++]);
            }
    }
    parallelFor(static_cast<Index>(work_.size()), 1, [&](Index c0, Index c1) {
        for (Index c = c0; c < c1; ++c)
            std::copy(work_[c].row.begin(), work_[c].row.end(),
                      spare_.begin() + spareStart_[c * kRows]);
    });
    entry_.swap(spare_);
    start_.swap(spareStart_);
    travelled_ = 0;
    listed_ = true;
    ++rebuilds_;
}

} // namespace purl
