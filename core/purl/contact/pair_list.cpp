#include "purl/contact/pair_list.h"

#include "purl/base/parallel.h"

#include <algorithm>
#include <limits>

namespace purl {

namespace {
constexpr Index kRows = 128;       // a task; fixed, so that nothing depends on the threads
constexpr float kSlightly = 1e-5f; // more than any rounding of a bound
constexpr float kClear = 0.5f;     // of the reach: boxes farther apart than that need no points
constexpr double kSkin = 0.75;     // of the largest reach
constexpr float kInfinity = std::numeric_limits<float>::infinity();
} // namespace

PairList::PairList(const Curves& rest, const Layout& layout, const std::vector<Weld>& welds,
                   const ContactSettings& settings)
    : points_(settings.quadrature), exclusion_(rest, welds, settings.quadrature),
      distance_(settings.quadrature), full_(PairBits::all(settings.quadrature)), cover_(1) {
    double reach = 0;
    for (Index y = 0; y < rest.yarns(); ++y) {
        reach = std::max(reach, 2 * rest.radius[y]);
        for (Index s = 0; s < rest.edges(y); ++s) {
            place_.push_back(layout.base[y] + s);
            radius_.push_back(static_cast<float>(rest.radius[y]));
        }
    }
    const Index n = static_cast<Index>(place_.size());
    skin_ = static_cast<float>(kSkin * reach);
    self_.resize(n);
    for (Index s = 0; s < n; ++s) self_[s] = !(exclusion_.excluded(s, s) == full_);
    now_.assign(layout.slots(), Float4{V4f{0, 0, 0, 0}});
    moved_ = now_;
    box_.resize(n);
    shift_.resize(n);
    start_.assign(n + 1, 0);
    work_.resize((n + kRows - 1) / kRows);
}

void PairList::update(const Padded3& x, std::vector<PointPair>& found) {
    const Index n = static_cast<Index>(place_.size());
    move(x);
    if (!(travelled_ < skin_) || !listed_) rebuild();
    parallelFor(static_cast<Index>(work_.size()), 1, [&](Index c0, Index c1) {
        for (Index c = c0; c < c1; ++c) {
            Work& w = work_[c];
            w.found.clear();
            w.examined = w.processed = 0;
            for (Index a = c * kRows; a < std::min(n, (c + 1) * kRows); ++a) look(x, a, w);
        }
    });
    examined_ = processed_ = 0;
    const auto first = static_cast<std::ptrdiff_t>(found.size());
    for (const Work& w : work_) {
        found.insert(found.end(), w.found.begin(), w.found.end());
        examined_ += w.examined;
        processed_ += w.processed;
    }
    std::sort(found.begin() + first, found.end(), [](const PointPair& a, const PointPair& b) {
        return a.u != b.u ? a.u < b.u : a.v < b.v;
    });
}

// Boxes of all curves, and of what they moved since the last update. What all moved in common
// brings nothing nearer.
void PairList::move(const Padded3& x) {
    const Index slots = static_cast<Index>(now_.size()), n = static_cast<Index>(place_.size());
    const Index stride = std::max<Index>(1, n / 1024);
    Vec3 at = Vec3::Zero(), went = Vec3::Zero();
    Index count = 0;
    for (Index s = 0; s < n; s += stride) {
        const Vec3 p = x.at(place_[s] + 1);
        if (!(p.squaredNorm() < 1e12)) continue; // not a number, or gone
        at += p;
        if (listed_) {
            const Vec3 d = p - last_.at(place_[s] + 1);
            if (d.squaredNorm() < 1e12) went += d;
        }
        ++count;
    }
    if (count > 0) {
        origin_ = at / count;
        went /= count;
    }
    if (!listed_) last_ = x;
    parallelFor(slots, 4096, [&](Index a, Index b) {
        for (Index s = a; s < b; ++s) {
            const Vec3 p = x.at(s), d = p - last_.at(s) - went, q = p - origin_;
            now_[s].v = V4f{static_cast<float>(q.x()), static_cast<float>(q.y()),
                            static_cast<float>(q.z()), 0};
            moved_[s].v = V4f{static_cast<float>(d.x()), static_cast<float>(d.y()),
                              static_cast<float>(d.z()), 0};
            last_.set(s, p);
        }
    });
    const auto most = [&](bool far) {
        return orderedMax(n, 2048, [&](Index a, Index b) {
            float m = 0;
            for (Index s = a; s < b; ++s) {
                const Box4& v = far ? box_[s] : shift_[s];
                const V4f size = upper(v.high, -v.low);
                const float l =
                    std::sqrt(size[0] * size[0] + size[1] * size[1] + size[2] * size[2]);
                m = std::max(m, l < kInfinity ? l : far ? m : kInfinity); // NaN is infinite
            }
            return static_cast<double>(m);
        });
    };
    parallelFor(n, 1024, [&](Index a, Index b) {
        for (Index s = a; s < b; ++s) {
            const Float4* m = &moved_[place_[s]];
            box_[s] = curveBox(&now_[place_[s]]);
            shift_[s] = curveBox(m);
            // What is no number stays so: comparisons would lose it.
            const V4f sum = m[0].v + m[1].v + m[2].v + m[3].v;
            shift_[s].low += sum - sum;
            shift_[s].high += sum - sum;
        }
    });
    rounding_ = 1e-6f * static_cast<float>(std::min(most(true), 1e6));
    travelled_ += 2 * most(false) * (1 + kSlightly);
}

void PairList::look(const Padded3& x, Index a, Work& w) {
    const Box4 shift = shift_[a], box = box_[a];
    SegmentDistance::Points pa, pb;
    Vec3 origin;
    bool known = false;
    const float lost = 1e-7f * skin_; // to the rounding of `left`
    for (Index k = start_[a]; k < start_[a + 1]; ++k) {
        Entry& e = entry_[k];
        e.left -= farthest(shift, shift_[e.b]) * (1 + kSlightly) + lost;
        if (e.left > 0) continue; // NaN goes on
        const PairBits& dead = bitsOf(e);
        if (dead == full_) {
            e.left = kInfinity;
            continue;
        }
        ++w.examined;
        const double reach = static_cast<double>(radius_[a]) + static_cast<double>(radius_[e.b]);
        const float far = static_cast<float>(reach) * (1 + kSlightly);
        float left = nearest(box, box_[e.b]) - rounding_ - far;
        if (!(left > kClear * far)) {
            ++w.processed;
            if (!known) {
                origin = x.at(place_[a] + 1);
                distance_.evaluate(x, place_[a], origin, pa);
                known = true;
            }
            distance_.evaluate(x, place_[e.b], origin, pb);
            left = distance_.smallest(pa, pb, dead) - far;
        }
        e.left = left * (1 - kSlightly);
        if (left > 0) continue;
        // Only double precision can tell; looked at again in the next step.
        distance_.touching(x, place_[a], place_[e.b], reach, dead, points_ * a, points_ * e.b,
                           w.found);
        e.left = -1;
    }
}

PairList::Entry* PairList::find(Index a, Index b) {
    Entry *first = entry_.data() + start_[a], *last = entry_.data() + start_[a + 1];
    Entry* e = std::lower_bound(first, last, b, [](const Entry& l, Index r) { return l.b < r; });
    return e != last && e->b == b ? e : nullptr;
}

void PairList::setCover(Entry& e, const PairBits& bits) {
    e.left = -1;
    if (!bits.any()) {
        if (e.cover != 0) freeCovers_.push_back(e.cover);
        e.cover = 0;
        return;
    }
    if (e.cover == 0) {
        if (freeCovers_.empty()) {
            freeCovers_.push_back(static_cast<std::uint32_t>(cover_.size()));
            cover_.push_back({});
        }
        e.cover = freeCovers_.back();
        freeCovers_.pop_back();
    }
    cover_[e.cover] = bits;
}

// Pairs of segments under a box of points, the lower first.
template <class Visit>
void PairList::overSegments(const PointBox& box, Visit&& visit) const {
    const Index last = static_cast<Index>(place_.size()) - 1;
    const Index u1 = std::min(last, box.u1 / points_), v1 = std::min(last, box.v1 / points_);
    for (Index a = std::max<Index>(0, box.u0) / points_; a <= u1; ++a)
        for (Index b = std::max(a, std::max<Index>(0, box.v0) / points_); b <= v1; ++b) visit(a, b);
}

// The part of a box that lies in two segments; they must overlap it.
PairBits PairList::localBox(const PointBox& box, Index a, Index b) const {
    const int last = points_ - 1;
    return PairBits::box(points_, std::clamp(box.u0 - a * points_, 0, last),
                         std::clamp(box.u1 - a * points_, 0, last),
                         std::clamp(box.v0 - b * points_, 0, last),
                         std::clamp(box.v1 - b * points_, 0, last));
}

// Boxes may reach over segments that are in no row: what is covered there is kept apart.
void PairList::cover(const PointBox& box) {
    overSegments(box, [&](Index a, Index b) {
        const PairBits bits = localBox(box, a, b);
        if (Entry* e = find(a, b)) return setCover(*e, bitsOf(*e) | bits);
        auto& at = apart_[key(a, b)];
        at = at | bits;
    });
}

void PairList::uncover(const PointBox& box) { moveCover(box, {0, -1, 0, -1}); }

void PairList::moveCover(const PointBox& from, const PointBox& to) {
    const Index n = points_;
    overSegments(from, [&](Index a, Index b) {
        PairBits gone = localBox(from, a, b);
        if (to.overlaps({a * n, a * n + n - 1, b * n, b * n + n - 1}))
            gone = gone & ~localBox(to, a, b);
        if (Entry* e = find(a, b)) {
            const PairBits after = (bitsOf(*e) & ~gone) | exclusion_.excluded(a, b);
            if (!(after == bitsOf(*e))) setCover(*e, after);
            return;
        }
        const auto at = apart_.find(key(a, b));
        if (at == apart_.end()) return;
        at->second = at->second & ~gone;
        if (!at->second.any()) apart_.erase(at);
    });
    if (to.u0 <= to.u1) cover(to);
}

ScheduleStats PairList::stats() const {
    ScheduleStats s;
    s.entries = static_cast<long>(entry_.size());
    s.examined = examined_;
    s.processed = processed_;
    s.bytes = (entry_.capacity() + spare_.capacity()) * sizeof(Entry) +
              cover_.capacity() * sizeof(PairBits) +
              box_.size() * (2 * sizeof(Box4) + 6 * sizeof(Index)) +
              now_.size() * (2 * sizeof(Float4) + 3 * sizeof(double)) + exclusion_.bytes();
    return s;
}

} // namespace purl
