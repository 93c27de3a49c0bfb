#include "purl/contact/motion_bound.h"

#include "purl/base/parallel.h"

#include <algorithm>
#include <unordered_map>

namespace purl {

namespace {

struct Key {
    std::array<std::int32_t, 3> c;
    bool operator==(const Key& o) const { return c == o.c; }
};
struct KeyHash {
    std::size_t operator()(const Key& k) const {
        return static_cast<std::size_t>(k.c[0]) * 73856093u ^ static_cast<std::size_t>(k.c[1]) * 19349663u ^
               static_cast<std::size_t>(k.c[2]) * 83492791u;
    }
};

} // namespace

// Box of the displacement of any point of a segment. Catmull-Rom weights sum to one and their
// negative part is at most 1/8, so the control points' box grown by 1/8 holds it.
MotionBound::Box MotionBound::displacement(const Padded3& x, const Padded3& x0, Index slot) {
    Box b;
    for (Index s = slot - 1; s <= slot + 2; ++s) {
        const Vec3 d = x.at(s) - x0.at(s);
        b.low = b.low.cwiseMin(d);
        b.high = b.high.cwiseMax(d);
    }
    const Vec3 grow = 0.125 * (b.high - b.low);
    return {b.low - grow, b.high + grow};
}

void MotionBound::reset(const Padded3& x, const std::vector<Index>& slot, double reach, double skin) {
    start_ = x;
    item_.resize(slot.size());
    level_.assign(kLevels, {});
    // Longest extent of a segment around its first vertex: a piece may stick out of its cell so far.
    double extent = 0;
    for (Index s : slot)
        for (Index k = s - 1; k <= s + 2; ++k) extent = std::max(extent, (x.at(k) - x.at(s)).norm());
    double size = 3 * (extent + reach);
    std::vector<Vec3> at;
    for (Index s : slot) at.push_back(x.at(s));
    double allowed = skin;
    for (Level& level : level_) {
        level.allowed = allowed;
        std::unordered_map<Key, Index, KeyHash> found;
        std::vector<Key> cells;
        std::vector<Vec3> centre;
        for (const Vec3& p : at) {
            const Key k{{static_cast<std::int32_t>(std::floor(p.x() / size)),
                         static_cast<std::int32_t>(std::floor(p.y() / size)),
                         static_cast<std::int32_t>(std::floor(p.z() / size))}};
            const auto [it, fresh] = found.emplace(k, static_cast<Index>(cells.size()));
            if (fresh) {
                cells.push_back(k);
                centre.push_back((Vec3(k.c[0], k.c[1], k.c[2]) + Vec3::Constant(0.5)) * size);
            }
            level.parent.push_back(it->second);
        }
        level.neighbourStart.push_back(0);
        for (const Key& k : cells) {
            for (int dx = -1; dx <= 1; ++dx)
                for (int dy = -1; dy <= 1; ++dy)
                    for (int dz = -1; dz <= 1; ++dz) {
                        const auto it = found.find({{k.c[0] + dx, k.c[1] + dy, k.c[2] + dz}});
                        if (it != found.end()) level.neighbour.push_back(it->second);
                    }
            level.neighbourStart.push_back(static_cast<Index>(level.neighbour.size()));
        }
        level.box.resize(cells.size());
        // Pieces not in neighbouring cells are more than a cell apart, less what sticks out.
        allowed = size - 2 * extent - reach;
        at = centre;
        size *= 4; // cells of a level lie wholly in one of the next (origin shared, factor whole)
    }
    global_ = allowed;
}

bool MotionBound::holds(const Padded3& x, const std::vector<Index>& slot) {
    parallelFor(static_cast<Index>(slot.size()), 512, [&](Index a, Index b) {
        for (Index i = a; i < b; ++i) item_[i] = displacement(x, start_, slot[i]);
    });
    const std::vector<Box>* item = &item_;
    for (Level& level : level_) {
        level.box.assign(level.box.size(), {});
        for (std::size_t i = 0; i < item->size(); ++i) level.box[level.parent[i]].add((*item)[i]);
        for (std::size_t c = 0; c < level.box.size(); ++c) {
            Box around;
            for (Index k = level.neighbourStart[c]; k < level.neighbourStart[c + 1]; ++k)
                around.add(level.box[level.neighbour[k]]);
            if (!(around.diagonal() <= level.allowed)) return false;
        }
        item = &level.box;
    }
    Box all;
    for (const Box& b : *item) all.add(b);
    return all.diagonal() <= global_;
}

} // namespace purl
