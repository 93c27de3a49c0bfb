#include "purl/contact/set_store.h"

#include "purl/base/parallel.h"

#include <algorithm>

namespace purl {

SetStore::SetStore(Index segments, Index slots, int pointsPerSegment)
    : bySegment_(segments), regions_(segments / kRegionSegments + 1), slots_(slots),
      points_(pointsPerSegment) {}

void SetStore::list(Index id, bool in) {
    const PointBox& b = sets_[id].box;
    for (Index s = b.u0 / points_; s <= b.u1 / points_; ++s) {
        auto& ids = bySegment_[s];
        if (in)
            ids.push_back(id);
        else
            ids.erase(std::find(ids.begin(), ids.end(), id));
    }
}

Index SetStore::add(const PointBox& box) {
    Index id;
    if (freeIds_.empty()) {
        id = static_cast<Index>(sets_.size());
        sets_.emplace_back();
    } else {
        id = freeIds_.back();
        freeIds_.pop_back();
        sets_[id] = ContactSet{};
    }
    sets_[id].box = box;
    sets_[id].region = box.u0 / points_ / kRegionSegments;
    list(id, true);
    ++count_;
    return id;
}

void SetStore::remove(Index id) {
    removeLane(id);
    list(id, false);
    sets_[id].region = -1;
    freeIds_.push_back(id);
    --count_;
}

void SetStore::resize(Index id, const PointBox& box) {
    list(id, false);
    sets_[id].box = box;
    list(id, true);
}

// The last set of the class takes the place of the one that leaves.
void SetStore::removeLane(Index id) {
    ContactSet& s = sets_[id];
    if (s.lane < 0) return;
    const int n = s.window.size(), c = n - kMinControls;
    const RecordRows rows{n};
    Region& r = regions_[s.region];
    const Index last = static_cast<Index>(r.lane[c].size()) - 1;
    if (s.lane != last) {
        for (int row = 0; row < rows.matrix(); ++row)
            laneNumber(r.record[c], rows, s.lane, row) = laneNumber(r.record[c], rows, last, row);
        for (int i = 0; i < rows.numbers(); ++i)
            laneHalf(r.record[c], rows, s.lane, i) = laneHalf(r.record[c], rows, last, i);
        r.lane[c][s.lane] = r.lane[c][last];
        sets_[r.lane[c][last].id].lane = s.lane;
    }
    r.lane[c].pop_back();
    // Empty lanes compute along; they must stay harmless.
    for (int row = 0; row < rows.matrix(); ++row)
        laneNumber(r.record[c], rows, last, row) = row == rows.turn() + 3 ? 1.f : 0.f;
    for (int i = 0; i < rows.numbers(); ++i) laneHalf(r.record[c], rows, last, i) = 0;
    if (last % 8 == 0) r.record[c].resize(static_cast<std::size_t>(last / 8) * rows.size());
    s.lane = -1;
}

void SetStore::needBlocks(Region& r, const Window& w) {
    bool grown = false;
    auto need = [&](Index slot, int n) {
        for (Index b = slot / kBlock; b <= (slot + n - 1) / kBlock; ++b) {
            const auto at = std::lower_bound(r.blocks.begin(), r.blocks.end(), b);
            if (at != r.blocks.end() && *at == b) continue;
            r.blocks.insert(at, b);
            grown = true;
        }
    };
    need(w.slotU, w.nu);
    need(w.slotV, w.nv);
    if (!grown) return;
    blocksChanged_ = true;
    r.sum.assign(r.blocks.size() * kBlock, Float4{V4f{0, 0, 0, 0}});
    auto place = [&](Index slot) {
        const auto at = std::lower_bound(r.blocks.begin(), r.blocks.end(), slot / kBlock);
        return static_cast<Index>(at - r.blocks.begin()) * kBlock + slot % kBlock;
    };
    for (auto& lanes : r.lane)
        for (Lane& l : lanes) {
            l.sumU = place(l.slotU);
            l.sumV = place(l.slotV);
        }
}

void SetStore::place(Index id, const LinearModel& m) {
    ContactSet& s = sets_[id];
    const int n = m.window.size(), c = n - kMinControls;
    const RecordRows rows{n};
    Region& r = regions_[s.region];
    removeLane(id);
    s.window = m.window;
    s.lane = static_cast<Index>(r.lane[c].size());
    r.lane[c].push_back({m.window.slotU, m.window.slotV, 0, 0, id, m.window.nu});
    if (s.lane % 8 == 0) {
        const std::size_t size = static_cast<std::size_t>(s.lane / 8 + 1) * rows.size();
        if (size > r.record[c].capacity()) r.record[c].reserve(size + size / 8); // not twice
        r.record[c].resize(size, Pack8(0.f));
        for (int i = 0; i < 8; ++i) laneNumber(r.record[c], rows, s.lane + i, rows.turn() + 3) = 1;
    }
    const std::size_t blocks = r.blocks.size();
    needBlocks(r, m.window);
    if (r.blocks.size() == blocks) { // needBlocks places all lanes when it grows
        auto at = [&](Index slot) {
            const auto b = std::lower_bound(r.blocks.begin(), r.blocks.end(), slot / kBlock);
            return static_cast<Index>(b - r.blocks.begin()) * kBlock + slot % kBlock;
        };
        r.lane[c].back().sumU = at(m.window.slotU);
        r.lane[c].back().sumV = at(m.window.slotV);
    }
}

void SetStore::overlapping(const PointBox& b, Index except, std::vector<Index>& out) const {
    out.clear();
    for (Index s = b.u0 / points_; s <= b.u1 / points_; ++s)
        for (Index id : bySegment_[s])
            if (id != except && sets_[id].box.overlaps(b) &&
                std::find(out.begin(), out.end(), id) == out.end())
                out.push_back(id);
}

void SetStore::joinBlocks() {
    const Index blocks = (slots_ + kBlock - 1) / kBlock + 1;
    blockStart_.assign(blocks + 1, 0);
    for (const Region& r : regions_)
        for (Index b : r.blocks) ++blockStart_[b + 1];
    for (Index b = 0; b < blocks; ++b) blockStart_[b + 1] += blockStart_[b];
    blockRegion_.resize(blockStart_.back());
    blockAt_.resize(blockStart_.back());
    std::vector<Index> put(blockStart_.begin(), blockStart_.end() - 1);
    for (std::size_t r = 0; r < regions_.size(); ++r)
        for (std::size_t i = 0; i < regions_[r].blocks.size(); ++i) {
            const Index at = put[regions_[r].blocks[i]]++;
            blockRegion_[at] = static_cast<Index>(r);
            blockAt_[at] = static_cast<Index>(i) * kBlock;
        }
    blocksChanged_ = false;
}

void SetStore::reduce(Padded3& f) {
    if (blocksChanged_) joinBlocks();
    double* to[3] = {f.x.data(), f.y.data(), f.z.data()};
    parallelFor(static_cast<Index>(blockStart_.size()) - 1, 16, [&](Index b0, Index b1) {
        for (Index b = b0; b < b1; ++b)
            for (Index i = blockStart_[b]; i < blockStart_[b + 1]; ++i) {
                Region& r = regions_[blockRegion_[i]];
                const Index end = std::min(kBlock, slots_ - b * kBlock);
                Float4* from = &r.sum[blockAt_[i]];
                for (Index k = 0; k < end; ++k)
                    for (int c = 0; c < 3; ++c) to[c][b * kBlock + k] += from[k].v[c];
                std::fill_n(from, kBlock, Float4{V4f{0, 0, 0, 0}});
            }
    });
}

double SetStore::recordBytes() const {
    double n = 0;
    for (const Region& r : regions_)
        for (int c = 0; c < kSetClasses; ++c)
            n += static_cast<double>(r.record[c].size() * sizeof(Pack8) +
                                     r.lane[c].size() * sizeof(Lane));
    return n;
}

double SetStore::bytes() const {
    double n = static_cast<double>(sets_.capacity() * sizeof(ContactSet) +
                                   bySegment_.size() * sizeof(std::vector<Index>));
    for (const auto& ids : bySegment_) n += static_cast<double>(ids.capacity() * sizeof(Index));
    for (const Region& r : regions_) {
        for (int c = 0; c < kSetClasses; ++c)
            n += static_cast<double>(r.record[c].capacity() * sizeof(Pack8) +
                                     r.lane[c].capacity() * sizeof(Lane));
        n += static_cast<double>(r.blocks.capacity() * sizeof(Index) +
                                 r.sum.capacity() * sizeof(Float4));
    }
    return n;
}

} // namespace purl
