#include "purl/cloth/self_collision.h"

#include "purl/base/parallel.h"
#include "purl/cloth/impact_zones.h"
#include "purl/cloth/layer_set.h"
#include "purl/cloth/self_detect.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>

namespace purl {

namespace {

using Clock = std::chrono::steady_clock;
double since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

constexpr int kScaleRounds = 40; // after which everything is held
constexpr int kHitSweeps = 3;

bool allFinite(Span<const Vec3> x) {
    return orderedMax(static_cast<Index>(x.size()), 4096, [&](Index begin, Index end) {
               for (Index i = begin; i < end; ++i)
                   if (!x[i].allFinite()) return 1.0;
               return 0.0;
           }) == 0;
}

} // namespace

struct SelfCollision::Impl {
    Impl(const ClothMesh& mesh, Span<const Vec3> x, const SelfCollisionSettings& s)
        : settings(s), detector(mesh, x, s.thickness), zones(mesh.points), moved(mesh.points),
          wanted(mesh.points), pushed(mesh.points) {}

    SelfCollisionSettings settings;
    SelfCollisionStats stats;
    SelfDetector detector;
    ImpactZones zones;
    std::vector<std::uint8_t> moved;  // since the last detection
    std::vector<Vec3> wanted, pushed; // x1 as it came; what shall leave no speed
    std::set<std::array<Index, 4>> forced;
    std::vector<Vec3> known;        // x1 of the last refine(); empty: there was none
    std::vector<SheetContact> hits; // found there

    void clear() {
        stats = {};
        stats.smallestGap = 1;
        zones.clear();
        forced.clear();
        known.clear();
        hits.clear();
    }

    std::vector<SheetContact> find(SelfDetector::Look look, bool all, const ContactWork& w) {
        const Clock::time_point start = Clock::now();
        SelfDetector::Request r;
        r.look = look;
        r.x0 = w.x0;
        r.x1 = w.x1;
        if (!all) r.moved = moved;
        r.pushOut = settings.pushOut;
        r.culling = settings.culling;
        Detected d = detector.detect(r);
        stats.boxTests += d.boxTests;
        stats.pairs += d.pairs;
        stats.culled += d.culled;
        stats.touching += d.touching;
        if (look == SelfDetector::Look::Near) {
            stats.contacts = static_cast<long>(d.contacts.size());
            stats.smallestGap = d.smallestGap;
        } else {
            stats.hits += static_cast<long>(d.contacts.size());
            ++stats.rounds;
        }
        stats.detectSeconds += since(start);
        return std::move(d.contacts);
    }

    void mark(const std::vector<SheetContact>& contacts) {
        for (const SheetContact& c : contacts)
            for (Index n : c.node) moved[n] = 1;
    }

    // Takes out the hits that nobody can give way in, and counts each pair once.
    void dropForced(std::vector<SheetContact>& hits, const ContactWork& w, bool held) {
        const auto stuck = [&](const SheetContact& c) {
            const bool lost = std::all_of(c.node.begin(), c.node.end(), [&](Index n) {
                return w.inverseMass[n] == 0 || (held && zones.held(n));
            });
            if (lost) forced.insert(c.node);
            return lost;
        };
        hits.erase(std::remove_if(hits.begin(), hits.end(), stuck), hits.end());
    }

    // What is left of a step whose solve has seen the contacts: looks again where something moved
    // since, or where that solve left hits.
    bool recall(const ContactWork& w) {
        mark(hits);
        bool any = !hits.empty();
        for (std::size_t i = 0; i < known.size(); ++i)
            if (w.x1[i] != known[i]) {
                moved[i] = 1;
                any = true;
            }
        return any;
    }

    void run(const ContactWork& w) {
        const bool solved = !known.empty();
        if (solved && !recall(w)) return;
        std::vector<SheetContact> found;
        if (!solved) {
            found = find(SelfDetector::Look::Near, true, w);
            stats.impulses += solveContacts(found, settings.repulsionSweeps, w);
        }
        const int impulses = settings.impulseRounds, rigid = impulses + settings.zoneRounds;
        for (int round = 0;; ++round) {
            found = find(SelfDetector::Look::Meetings, round == 0 && !solved, w);
            std::fill(moved.begin(), moved.end(), 0);
            dropForced(found, w, round >= rigid);
            if (found.empty()) break;
            mark(found); // they are looked at again, whether this round changes them or not
            if (round < impulses) {
                stats.impulses += solveContacts(found, kHitSweeps, w);
            } else if (round < rigid) {
                zones.join(found);
                zones.moveRigidly(w, moved);
            } else if (round < rigid + kScaleRounds) {
                zones.scaleBack(found, w, moved);
            } else {
                zones.holdAll(w, moved); // next round, what is left is forced by pinned points
            }
        }
        stats.forced = static_cast<long>(forced.size());
        stats.zones = zones.zones();
        stats.zonePoints = zones.points();
        stats.scaledPoints = zones.heldPoints();
    }
};

SelfCollision::SelfCollision(const ClothMesh& mesh, Span<const Vec3> x,
                             const SelfCollisionSettings& settings)
    : impl_(std::make_unique<Impl>(mesh, x, settings)) {}
SelfCollision::~SelfCollision() = default;
SelfCollision::SelfCollision(SelfCollision&&) noexcept = default;

const SelfCollisionStats& SelfCollision::stats() const { return impl_->stats; }
double SelfCollision::thicknessAt(Index point) const { return impl_->detector.thickness()[point]; }
Index SelfCollision::limitedPoints() const {
    const std::vector<double>& h = impl_->detector.thickness();
    return static_cast<Index>(
        std::count_if(h.begin(), h.end(), [&](double t) { return t < impl_->settings.thickness; }));
}

void SelfCollision::resolve(Span<const Vec3> x0, Span<Vec3> x1, Span<Vec3> v,
                            Span<const double> inverseMass, double dt) {
    const Clock::time_point start = Clock::now();
    Impl& m = *impl_;
    if (m.known.empty()) m.clear();
    if (!allFinite({x1.data(), x1.size()}) || !allFinite(x0)) return;
    std::copy(x1.begin(), x1.end(), m.wanted.begin());
    std::fill(m.pushed.begin(), m.pushed.end(), Vec3::Zero());
    std::fill(m.moved.begin(), m.moved.end(), 0);
    m.run({x0, x1, m.pushed, inverseMass, m.settings.friction});
    parallelFor(static_cast<Index>(x1.size()), 4096, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i)
            if (m.wanted[i] != x1[i]) v[i] += (x1[i] - m.wanted[i] - m.pushed[i]) / dt;
    });
    m.known.clear();
    m.stats.seconds += since(start);
    m.stats.solveSeconds = m.stats.seconds - m.stats.detectSeconds;
}

void SelfCollision::begin(Span<const Vec3> x0, Span<const Vec3> v0, Span<const double> inverseMass,
                          double dt, LayerTerms& terms) {
    const Clock::time_point start = Clock::now();
    Impl& m = *impl_;
    m.clear();
    const ContactWork w{x0, {}, {}, inverseMass, m.settings.friction};
    addNear(m.find(SelfDetector::Look::Near, true, w), w.friction, {x0, v0, inverseMass, dt},
            terms);
    m.stats.seconds += since(start);
}

bool SelfCollision::refine(Span<const Vec3> x0, Span<const Vec3> x1, Span<const double> inverseMass,
                           double dt, bool last, LayerTerms& terms) {
    const Clock::time_point start = Clock::now();
    Impl& m = *impl_;
    m.hits.clear();
    if (!allFinite(x1) || !allFinite(x0)) return false;
    m.known.assign(x1.begin(), x1.end());
    const ContactWork w{x0, m.known, {}, inverseMass, m.settings.friction};
    const LayerStep step{x0, {}, inverseMass, dt};
    ++m.stats.solves;
    m.stats.terms = static_cast<long>(std::count_if(terms.list.begin(), terms.list.end(),
                                                    [](const LayerTerm& t) { return t.active; }));
    m.hits = m.find(SelfDetector::Look::Meetings, true, w);
    const bool again = !last && addHits(m.hits, w.friction, x1, step, terms);
    m.stats.seconds += since(start);
    return again;
}

} // namespace purl
