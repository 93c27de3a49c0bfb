#include "purl/guard/block_pairs.h"

#include "purl/base/parallel.h"

#include <algorithm>

namespace purl {

namespace {
constexpr double kCertain = 0.75; // of the skin, that MotionBound is asked for: the rest is free
constexpr Index kLeaves = 64;     // that share one list of results

V4f slotMove(const Padded3& x0, const Padded3& x1, Index s) {
    return V4f{static_cast<float>(x1.x[s] - x0.x[s]), static_cast<float>(x1.y[s] - x0.y[s]),
               static_cast<float>(x1.z[s] - x0.z[s]), 0};
}

// Over all Bezier points of a block (physics 1.4), at the start and at the end of a step.
MovingBox sweptBox(const Padded3& x0, const Padded3& x1, Index place, Index count, double margin) {
    MovingBox box{};
    const Padded3* at[2] = {&x0, &x1};
    for (int e = 0; e < 2; ++e) {
        auto& lo = e == 0 ? box.lo0 : box.lo1;
        auto& hi = e == 0 ? box.hi0 : box.hi1;
        const double* axis[3] = {at[e]->x.data(), at[e]->y.data(), at[e]->z.data()};
        for (int d = 0; d < 3; ++d) {
            const double* q = axis[d] + place + 1;
            lo[d] = hi[d] = q[0];
            for (Index i = 0; i <= count; ++i) {
                const double t = (q[i + 1] - q[i - 1]) / 6;
                const double ahead = i < count ? q[i] + t : q[i], back = i > 0 ? q[i] - t : q[i];
                lo[d] = std::min({lo[d], q[i], ahead, back});
                hi[d] = std::max({hi[d], q[i], ahead, back});
            }
            lo[d] -= margin;
            hi[d] += margin;
        }
    }
    return box;
}
} // namespace

BlockPairs::BlockPairs(const SegmentPairs& segments, double skin)
    : skin_(skin), round_(static_cast<float>(1e-7 * skin)) {
    for (Index s = 0; s < segments.segments(); ++s) {
        const bool starts = blocks_.empty() || blocks_.back().count == kBlock ||
                            segments.yarnOf(s) != segments.yarnOf(blocks_.back().first);
        if (starts) blocks_.push_back({s, 0});
        ++blocks_.back().count;
        vertex_.push_back(segments.place(s) + 1);
    }
    moved_.resize(blocks_.size());
}

void BlockPairs::measureMoves(const SegmentPairs& segments, const Padded3& x0, const Padded3& x1) {
    parallelFor(static_cast<Index>(blocks_.size()), 128, [&](Index b0, Index b1) {
        for (Index b = b0; b < b1; ++b) {
            const Index place = segments.place(blocks_[b].first), n = blocks_[b].count;
            V4f before = slotMove(x0, x1, place), at = slotMove(x0, x1, place + 1);
            Box4 box{at, at};
            for (Index i = 0; i <= n; ++i) {
                const V4f after = slotMove(x0, x1, place + i + 2);
                const V4f t = (1.0f / 6) * (after - before);
                const V4f ahead = i < n ? at + t : at, back = i > 0 ? at - t : at;
                box.low = lower(box.low, lower(at, lower(ahead, back)));
                box.high = upper(box.high, upper(at, upper(ahead, back)));
                before = at;
                at = after;
            }
            moved_[b] = box;
        }
    });
    if (moved_.empty()) return;
    Box4 all = moved_[0];
    for (const Box4& b : moved_) {
        all.low = lower(all.low, b.low);
        all.high = upper(all.high, b.high);
    }
    step_ = static_cast<double>(farthest(all, all)) * (1.0 + kSlightly);
}

void BlockPairs::advance(const SegmentPairs& segments, const Padded3& x0, const Padded3& x1) {
    measureMoves(segments, x0, x1);
    travelled_ += step_;
    if (listed_ && travelled_ < free_) return;
    if (listed_ && bound_.holds(x1, vertex_)) {
        travelled_ = 0;
        free_ = (1 - kCertain) * skin_;
        return;
    }
    rebuild(segments, x0, x1);
}

// Boxes that run with the step: pairs that are not listed stay `skin` apart all the way, and are so
// at x1, where the count begins.
void BlockPairs::rebuild(const SegmentPairs& segments, const Padded3& x0, const Padded3& x1) {
    const Index n = static_cast<Index>(blocks_.size());
    std::vector<MovingBox> boxes(n);
    parallelFor(n, 64, [&](Index a, Index b) {
        for (Index i = a; i < b; ++i)
            boxes[i] = sweptBox(x0, x1, segments.place(blocks_[i].first), blocks_[i].count,
                                0.5001 * skin_);
    });
    const BoxTree tree(std::move(boxes));
    std::vector<std::vector<Pair>> found((tree.size() + kLeaves - 1) / kLeaves);
    parallelFor(static_cast<Index>(found.size()), 1, [&](Index a, Index b) {
        for (Index f = a; f < b; ++f) {
            const Index last = std::min(tree.size(), (f + 1) * kLeaves);
            for (Index p = f * kLeaves; p < last; ++p) {
                const Index g = tree.leaf(p);
                found[f].push_back({g, g});
                tree.later(
                    p, [&](const MovingBox& other) { return meet(tree.box(p), other); },
                    [&](Index q) {
                        const Index h = tree.leaf(q);
                        found[f].push_back({std::min(g, h), std::max(g, h)});
                    });
            }
        }
    });
    std::vector<Pair> pairs;
    for (const auto& f : found) pairs.insert(pairs.end(), f.begin(), f.end());
    std::sort(pairs.begin(), pairs.end());
    std::vector<float> left(pairs.size(), -1.0f);
    for (std::size_t i = 0, k = 0; i < pairs.size(); ++i) {
        while (k < pair_.size() && pair_[k] < pairs[i]) ++k;
        if (k < pair_.size() && !(pairs[i] < pair_[k])) left[i] = left_[k];
    }
    pair_.swap(pairs);
    left_.swap(left);
    bound_.reset(x1, vertex_, 0, kCertain * skin_);
    travelled_ = 0;
    free_ = skin_;
    listed_ = true;
    ++rebuilds_;
}

void BlockPairs::run(Index begin, Index end, std::vector<Index>& due) {
    for (Index i = begin; i < end; ++i) {
        left_[i] -= moved(i);
        if (!(left_[i] > 0)) due.push_back(i);
    }
}

void BlockPairs::back() {
    travelled_ += step_;
    parallelFor(size(), 4096, [&](Index a, Index b) {
        for (Index i = a; i < b; ++i) left_[i] -= moved(i);
    });
}

} // namespace purl
