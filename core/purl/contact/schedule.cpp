#include "purl/contact/schedule.h"

#include "purl/base/parallel.h"

#include <algorithm>
#include <array>
#include <limits>

namespace purl {

namespace {
constexpr Index kBlock = 16;        // segments, at most: two loops of a knit
constexpr Index kChunk = 256;       // groups a task; fixed, so that nothing depends on the threads
constexpr float kClear = 0.5f;      // of 2r: boxes farther apart than 2r by this need no points
constexpr float kForget = 0.25f;    // of a cell: entries this far apart are dropped with the cell
constexpr std::uint8_t kFar = 14;   // in place of a bin: boxes alone tell how far
constexpr float kFarGap = 0.15f;    // of 2r: entries farther from touching than that are
constexpr int kSweep = 7;           // at visits of these bins only
constexpr float kLoss = 0.125f;     // of a distance, that a longer bin may cost
constexpr float kSlightly = 1e-5f;  // more than any rounding of a bound
constexpr double kRound = 64;       // of 2r: odometers start again here, for precision
constexpr double kCell = 0.75;      // of the mean grown box of a segment: gamma
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
    links_.reset(static_cast<Index>(blocks_.size()));
    for (Index s = 0; s < static_cast<Index>(places.size()); ++s)
        if (!(exclusion_.excluded(s, s) == full_)) add(s, s); // long enough to touch itself
}

void Schedule::update(const Padded3& x, std::vector<PointPair>& found) {
    movement_.advance(x);
    if (movement_.disturbed())
        for (Index i = 0; i < static_cast<Index>(groups_.size()); ++i)
            for (Index k = 0; k < entries_.count(i); ++k) makeDue({i, k});
    grid_.update(movement_.now());
    addMet();
    const Index groups = static_cast<Index>(groups_.size()),
                chunks = (groups + kChunk - 1) / kChunk;
    if (static_cast<Index>(work_.size()) < chunks) work_.resize(chunks);
    parallelFor(chunks, 1, [&](Index c0, Index c1) {
        for (Index c = c0; c < c1; ++c) {
            Work& work = work_[c];
            visit(x, c * kChunk, std::min(groups, (c + 1) * kChunk), work);
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

// Looked up in batches: one by one, each would wait for memory three times.
void Schedule::addMet() {
    constexpr std::size_t batch = 32;
    const auto& met = grid_.met();
    std::array<Index, batch> group;
    for (std::size_t first = 0; first < met.size(); first += batch) {
        const std::size_t n = std::min(batch, met.size() - first);
        const auto segment = [&](Index slot) { return segmentAt_[slot]; };
        for (std::size_t k = 0; k < n; ++k)
            __builtin_prefetch(links_.begin(blockOf_[segment(met[first + k].a)]));
        for (std::size_t k = 0; k < n; ++k) {
            const SegmentGrid::Pair& pair = met[first + k];
            group[k] = findGroup(blockOf_[segment(pair.a)], blockOf_[segment(pair.b)]);
            if (group[k] < 0) continue;
            const char* end = reinterpret_cast<const char*>(entries_.end(group[k]));
            const char* at = reinterpret_cast<const char*>(entries_.begin(group[k]));
            for (; at < end; at += 64) __builtin_prefetch(at);
        }
        for (std::size_t k = 0; k < n; ++k) {
            const Index a = segment(met[first + k].a), b = segment(met[first + k].b);
            if (find(a, b).found()) continue;
            if (!exclusion_.strangers(a, b) && exclusion_.excluded(a, b) == full_) continue;
            add(a, b);
        }
    }
}

// Entries lie scattered in memory, and what is done with them is short: without asking for them
// ahead, all the time would go into waiting.
void Schedule::visit(const Padded3& x, Index first, Index last, Work& work) {
    work.found.clear();
    work.emptied.clear();
    work.calling.clear();
    work.called.clear();
    work.examined = work.processed = work.woken = work.removed = 0;
    const std::uint32_t visited = 1u | 1u << movement_.visited();
    for (Index i = first; i < last; ++i)
        if (groups_[i].g >= 0 && run(i, visited)) {
            work.calling.push_back(i);
            for (const float* d = due_.begin(i); d < due_.end(i); d += 16) __builtin_prefetch(d);
            __builtin_prefetch(bin_.begin(i));
            __builtin_prefetch(bin_.end(i));
        }
    for (Index i : work.calling) callUp(i, visited, work.called);
    for (const Call& c : work.called) {
        const Group& group = groups_[c.group];
        const Entry& e = entries_.begin(c.group)[c.entry];
        const int bin = bin_.begin(c.group)[c.entry];
        for (const Index at : {place(group.g, e.a), place(group.h, e.b)}) {
            movement_.prefetch(bin, at);
            if (bin != kFar) continue;
            __builtin_prefetch(movement_.now() + at);
            __builtin_prefetch(movement_.now() + at + 3);
        }
    }
    // From the last to the first: the last of a list takes the place of one that is removed.
    for (std::size_t k = work.called.size(); k-- > 0;) look(x, work.called[k], work);
    for (Index i : work.calling) {
        settle(i);
        if (entries_.count(i) == 0) work.emptied.push_back(i);
    }
}

// Runs a group's odometer; true if an entry is due or in a visited bin.
bool Schedule::run(Index index, std::uint32_t visited) {
    Group& group = groups_[index];
    const float run = farthest(movement_.blockMoved(group.g), movement_.blockMoved(group.h));
    group.odometer += run * (1.0 + kSlightly);
    return !(group.odometer < group.next) || (group.bins & visited);
}

void Schedule::callUp(Index index, std::uint32_t visited, std::vector<Call>& called) const {
    const float* due = due_.begin(index);
    const std::uint8_t* bin = bin_.begin(index);
    const float odometer = static_cast<float>(groups_[index].odometer) * (1 + kSlightly);
    const Index n = entries_.count(index);
    for (Index k = 0; k < n; k += 8) { // blocks of lists are multiples of eight
        const V8i mine = (static_cast<std::int32_t>(visited) >> loadBytes(bin + k)) & 1;
        unsigned up = bits((load8(due + k) <= odometer) | (mine != 0));
        if (n - k < 8) up &= (1u << (n - k)) - 1;
        for (; up != 0; up &= up - 1) {
            const Index entry = k + __builtin_ctz(up);
            called.push_back({index, entry});
            __builtin_prefetch(entries_.begin(index) + entry);
        }
    }
}

void Schedule::look(const Padded3& x, Call c, Work& work) {
    const Group& group = groups_[c.group];
    Entry& e = entries_.begin(c.group)[c.entry];
    View view{x,
              work,
              group.odometer,
              place(group.g, e.a),
              place(group.h, e.b),
              radiusOf_[group.g] + radiusOf_[group.h],
              e,
              due_.begin(c.group)[c.entry],
              bin_.begin(c.group)[c.entry]};
    examine(view);
    if (view.bin != kFar && movement_.visited() < kSweep) return;
    if (e.remaining > kForget * grid_.cell() && e.cover == 0 && view.a != view.b &&
        !grid_.share(view.a, view.b) && grid_.share(view.a, view.a) &&
        grid_.share(view.b, view.b)) { // who shares no cell with himself is lost, and kept
        remove(c.group, c.entry);
        ++work.removed;
    }
}

void Schedule::settle(Index index) {
    Group& group = groups_[index];
    if (group.odometer > kRound * (radiusOf_[group.g] + radiusOf_[group.h])) {
        const float gone = static_cast<float>(group.odometer) * (1 + kSlightly);
        for (float* d = due_.begin(index); d != due_.end(index); ++d) *d -= gone;
        group.odometer = 0;
    }
    const V8i number{0, 1, 2, 3, 4, 5, 6, 7};
    V8f next = kInfinity - V8f{};
    V8i bins{};
    const Index n = entries_.count(index);
    for (Index k = 0; k < n; k += 8) { // blocks of lists are multiples of eight
        const V8i mine = number < n - k;
        const V8f due = mine ? load8(due_.begin(index) + k) : next;
        next = due < next ? due : next;
        bins |= mine & ((V8i{} + 1) << loadBytes(bin_.begin(index) + k));
    }
    group.next = kInfinity;
    group.bins = 0;
    for (int i = 0; i < 8; ++i) {
        group.next = std::min(group.next, next[i]);
        group.bins |= static_cast<std::uint32_t>(bins[i]);
    }
}

void Schedule::remove(Index group, Index entry) {
    entries_.removeAt(group, entry);
    due_.removeAt(group, entry);
    bin_.removeAt(group, entry);
}

void Schedule::examine(View& v) const {
    const int bin = v.bin;
    if (bin == kAsleep) return;
    ++v.work.examined;
    if (bin == kFar) {
        ++v.work.woken;
        const Float4* now = movement_.now();
        const float distance = nearest(curveBox(now + v.a), curveBox(now + v.b)) -
                               movement_.rounding() - static_cast<float>(v.reach) * (1 + kSlightly);
        if (!(distance > kFarGap * static_cast<float>(v.reach))) return process(v, 0);
        return sleep(v, distance, 0);
    }
    if (bin != 0 && bin != movement_.visited()) ++v.work.woken;
    const float moved = farthest(movement_.since(bin, v.a), movement_.since(bin, v.b));
    const float distance =
        v.entry.remaining - moved * (1 + kSlightly) - (bin > 0 ? movement_.rounding() : 0);
    const float pace = bin > 0 ? moved / static_cast<float>(movement_.age(bin)) : moved;
    if (!(distance > 0)) return process(v, pace);
    if (bin == movement_.visited() || bin == 0) return sleep(v, distance, pace);
    v.due = static_cast<float>(v.odometer) * (1 - kSlightly) + distance;
}

void Schedule::process(View& v, float pace) const {
    const PairBits dead = cover_[v.entry.cover];
    if (dead == full_) {
        v.bin = kAsleep;
        v.entry.remaining = v.due = kInfinity;
        return;
    }
    ++v.work.processed;
    const float reach = static_cast<float>(v.reach) * (1 + kSlightly);
    const Float4* now = movement_.now();
    const float gap = nearest(curveBox(now + v.a), curveBox(now + v.b)) - movement_.rounding();
    float distance = gap - reach;
    if (!(distance > kClear * reach)) {
        const Vec3 origin = v.x.at(v.a + 1);
        SegmentDistance::Points pa, pb;
        distance_.evaluate(v.x, v.a, origin, pa);
        distance_.evaluate(v.x, v.b, origin, pb);
        distance = distance_.smallest(pa, pb, dead) - reach;
    }
    if (distance > 0) return sleep(v, distance, pace);
    // Near enough that only double precision can tell; looked at again in the next step.
    distance_.touching(v.x, v.a, v.b, v.reach, dead, points_ * segmentAt_[v.a],
                       points_ * segmentAt_[v.b], v.work.found);
    v.bin = 0;
    v.entry.remaining = -1;
    v.due = -kInfinity;
}

// The longest bin (physics 4.8) from whose last visit the distance can be counted without much
// loss: the bin visited now costs nothing. The odometer keeps an entry safe in any bin.
void Schedule::sleep(View& v, float distance, float pace) const {
    v.due = static_cast<float>(v.odometer) * (1 - kSlightly) + distance;
    v.entry.remaining = distance;
    if (distance > kFarGap * static_cast<float>(v.reach)) {
        v.bin = kFar;
        return;
    }
    int bin = Movement::kBins - 1;
    float left = distance;
    for (; bin > movement_.visited(); --bin) {
        // `remaining` counts from the bin's last visit: what was moved since must not count twice.
        if (static_cast<float>(movement_.age(bin)) * pace > kLoss * distance) continue;
        const float moved = farthest(movement_.since(bin, v.a), movement_.since(bin, v.b));
        const float loss = moved * (1 + kSlightly) + movement_.rounding();
        if (loss <= kLoss * distance) {
            left = distance - loss;
            break;
        }
    }
    v.bin = static_cast<std::uint8_t>(bin);
    v.entry.remaining = left;
}

} // namespace purl
