#include "purl/contact/schedule.h"

#include "purl/base/parallel.h"

#include <algorithm>
#include <limits>

namespace purl {

namespace {
constexpr Index kBlock = 16;        // segments, at most: two loops of a knit
constexpr Index kChunk = 64;        // groups a task; fixed, so that nothing depends on the threads
constexpr float kClear = 0.5f;      // of 2r: boxes farther apart than 2r by this need no points
constexpr float kForget = 0.25f;    // of a cell: entries this far apart are dropped with the cell
constexpr float kLoss = 0.125f;     // of a distance, that a longer bin may cost
constexpr float kSlightly = 1e-5f;  // more than any rounding of a bound
constexpr double kRound = 64;       // of 2r: odometers start again here, for precision
constexpr double kCell = 1.1;       // of the mean grown box of a segment: gamma
constexpr double kLongSegment = 16; // cells that the longest segment may span
constexpr float kInfinity = std::numeric_limits<float>::infinity();

double cellSize(const Curves& rest) {
    double sum = 0, longest = 0;
    Index count = 0;
    for (Index y = 0; y < rest.yarns(); ++y)
        for (Index s = 0; s < rest.edges(y); ++s, ++count) {
            const Index a = rest.first[y] + s, b = rest.first[y] + (s + 1) % rest.size(y);
            const double length = (rest.x[b] - rest.x[a]).cwiseAbs().maxCoeff();
            sum += length + 2.1 * rest.radius[y];
            longest = std::max(longest, length);
        }
    const double cell = count > 0 ? std::max(kCell * sum / count, longest / kLongSegment) : 0;
    return cell > 0 ? cell : 1;
}
} // namespace

Schedule::Schedule(const Curves& rest, const Layout& layout, const std::vector<Weld>& welds,
                   const ContactSettings& settings)
    : points_(settings.quadrature), exclusion_(rest, welds, settings.quadrature),
      distance_(settings.quadrature), cover_(1), full_(PairBits::all(settings.quadrature)) {
    const Index slots = layout.slots();
    double reach = 0;
    std::vector<Index> places;
    std::vector<float> radius(slots, 0);
    segmentAt_.assign(slots, -1);
    for (Index y = 0; y < rest.yarns(); ++y) {
        reach = std::max(reach, 2 * rest.radius[y]);
        for (Index s = 0; s < rest.edges(y); ++s) {
            const Index place = layout.base[y] + s;
            if (s % kBlock == 0) {
                blocks_.push_back({place, std::min(kBlock, rest.edges(y) - s)});
                firstSegment_.push_back(static_cast<Index>(places.size()));
                radiusOf_.push_back(rest.radius[y]);
            }
            blockOf_.push_back(static_cast<Index>(blocks_.size()) - 1);
            segmentAt_[place] = static_cast<Index>(places.size());
            places.push_back(place);
            radius[place] = static_cast<float>(rest.radius[y]);
        }
    }
    movement_ = Movement(slots, blocks_, reach);
    grid_ = SegmentGrid(places, radius, cellSize(rest), slots);
    entries_.reset(0);
    links_.reset(static_cast<Index>(blocks_.size()));
    for (Index s = 0; s < static_cast<Index>(places.size()); ++s)
        if (!(exclusion_.excluded(s, s) == full_)) add(s, s); // long enough to touch itself
}

void Schedule::update(const Padded3& x, std::vector<PointPair>& found) {
    movement_.advance(x);
    grid_.update(movement_.now());
    addMet();
    const Index groups = static_cast<Index>(groups_.size()),
                chunks = (groups + kChunk - 1) / kChunk;
    if (static_cast<Index>(work_.size()) < chunks) work_.resize(chunks);
    parallelFor(chunks, 1, [&](Index c0, Index c1) {
        for (Index c = c0; c < c1; ++c) {
            Work& work = work_[c];
            work.found.clear();
            work.emptied.clear();
            work.examined = work.processed = work.woken = work.removed = 0;
            for (Index i = c * kChunk; i < std::min(groups, (c + 1) * kChunk); ++i)
                if (groups_[i].g >= 0) visit(x, i, work);
        }
    });
    movement_.finish();
    examined_ = processed_ = woken_ = 0;
    const auto first = static_cast<std::ptrdiff_t>(found.size());
    for (Index c = 0; c < chunks; ++c) {
        const Work& work = work_[c];
        found.insert(found.end(), work.found.begin(), work.found.end());
        examined_ += work.examined;
        processed_ += work.processed;
        woken_ += work.woken;
        count_ -= work.removed;
        for (Index i : work.emptied) {
            const Group& group = groups_[i];
            for (Index k = 0; k < links_.count(group.g); ++k)
                if (links_.begin(group.g)[k].group == i) links_.removeAt(group.g, k);
            groups_[i] = {};
            emptyGroups_.push_back(i);
        }
    }
    std::sort(found.begin() + first, found.end(), [](const PointPair& a, const PointPair& b) {
        return a.u != b.u ? a.u < b.u : a.v < b.v;
    });
}

void Schedule::addMet() {
    for (const SegmentGrid::Pair& pair : grid_.met()) {
        const Index a = segmentAt_[pair.a], b = segmentAt_[pair.b];
        if (find(a, b).found()) continue;
        if (!exclusion_.strangers(a, b) && exclusion_.excluded(a, b) == full_) continue;
        add(a, b);
    }
}

// The odometer runs; entries that it has reached, or whose bin is visited, are looked at.
void Schedule::visit(const Padded3& x, Index index, Work& work) {
    Group& group = groups_[index];
    const float run = farthest(movement_.blockMoved(group.g), movement_.blockMoved(group.h));
    const bool broken = !(run < 1e30f); // not a number: look at all
    if (!broken) group.odometer += run * (1.0 + kSlightly);
    const std::uint32_t due = 1u | 1u << movement_.visited();
    if (!broken && group.odometer < group.next && !(group.bins & due)) return;

    const bool restart = group.odometer > kRound * (radiusOf_[group.g] + radiusOf_[group.h]);
    const View view{x, group, work};
    group.next = kInfinity;
    group.bins = 0;
    Entry* list = entries_.begin(index);
    for (Index k = 0; k < entries_.count(index);) {
        Entry& e = list[k];
        const bool visited = due >> e.bin & 1;
        if (e.bin != kAsleep && (visited || broken || !(group.odometer < e.due))) {
            if (!visited) ++work.woken;
            examine(view, e);
            if (e.remaining > kForget * grid_.cell() && e.cover == 0) {
                const Index a = place(group.g, e.a), b = place(group.h, e.b);
                if (a != b && !grid_.share(a, b)) {
                    entries_.removeAt(index, k);
                    ++work.removed;
                    continue;
                }
            }
        }
        if (restart) e.due -= static_cast<float>(group.odometer) * (1 + kSlightly);
        group.next = std::min(group.next, e.due);
        group.bins |= 1u << e.bin;
        ++k;
    }
    if (restart) group.odometer = 0;
    if (entries_.count(index) == 0) work.emptied.push_back(index);
}

void Schedule::examine(const View& v, Entry& e) const {
    ++v.work.examined;
    const int bin = static_cast<int>(e.bin);
    const Index a = place(v.group.g, e.a), b = place(v.group.h, e.b);
    const float moved = farthest(movement_.since(bin, a), movement_.since(bin, b));
    const float distance =
        e.remaining - moved * (1 + kSlightly) - (bin > 0 ? movement_.rounding() : 0);
    if (!(distance > 0)) return process(v, e);
    if (bin == movement_.visited() || bin == 0) return sleep(v, e, distance);
    e.due = static_cast<float>(v.group.odometer) * (1 - kSlightly) + distance;
}

void Schedule::process(const View& v, Entry& e) const {
    const PairBits dead = cover_[e.cover];
    if (dead == full_) {
        e.bin = kAsleep;
        e.remaining = e.due = kInfinity;
        return;
    }
    ++v.work.processed;
    const Index a = place(v.group.g, e.a), b = place(v.group.h, e.b);
    const double exact = radiusOf_[v.group.g] + radiusOf_[v.group.h];
    const float reach = static_cast<float>(exact) * (1 + kSlightly);
    const Float4* now = movement_.now();
    const float gap = nearest(curveBox(now + a), curveBox(now + b)) - movement_.rounding();
    float distance = gap - reach;
    if (!(distance > kClear * reach)) {
        const Vec3 origin = v.x.at(a + 1);
        SegmentDistance::Points pa, pb;
        distance_.evaluate(v.x, a, origin, pa);
        distance_.evaluate(v.x, b, origin, pb);
        distance = distance_.smallest(pa, pb, dead) - reach;
    }
    e.bin = 0;
    if (distance > 0) return sleep(v, e, distance);
    // Near enough that only double precision can tell; looked at again in the next step.
    distance_.touching(v.x, a, b, exact, dead, points_ * segmentAt_[a], points_ * segmentAt_[b],
                       v.work.found);
    e.remaining = -1;
    e.due = -kInfinity;
}

// The longest bin (physics 4.8) that the distance lasts for at the present movement, and whose
// snapshot it can be counted from without much loss. The odometer keeps it safe in any bin.
void Schedule::sleep(const View& v, Entry& e, float distance) const {
    const Index a = place(v.group.g, e.a), b = place(v.group.h, e.b);
    const float steps = distance / farthest(movement_.moved(a), movement_.moved(b));
    int bin = 0;
    while (bin + 1 < Movement::kBins && static_cast<float>(2 << bin) <= steps) ++bin;
    float left = distance;
    for (; bin > 0 && bin != movement_.visited(); --bin) {
        // `remaining` counts from the bin's last visit: what was moved since must not count twice.
        const float moved = farthest(movement_.since(bin, a), movement_.since(bin, b));
        const float loss = moved * (1 + kSlightly) + movement_.rounding();
        if (loss <= kLoss * distance) {
            left = distance - loss;
            break;
        }
    }
    e.bin = static_cast<std::uint32_t>(bin);
    e.remaining = left;
    e.due = static_cast<float>(v.group.odometer) * (1 - kSlightly) + distance;
}

} // namespace purl
