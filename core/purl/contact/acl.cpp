// The step of the contact sets: detect, create, evaluate, commit.
#include "purl/contact/acl_impl.h"

#include "purl/base/parallel.h"

#include <algorithm>
#include <chrono>

namespace purl {

namespace {
double seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}
PointBox join(const PointBox& a, const PointBox& b) {
    return {std::min(a.u0, b.u0), std::max(a.u1, b.u1), std::min(a.v0, b.v0), std::max(a.v1, b.v1)};
}
} // namespace

AclContact::Impl::Impl(const Curves& rest, const Layout& layout_,
                       const std::vector<Material>& material, const std::vector<Weld>& welds,
                       const ContactSettings& s)
    : settings(s), layout(&layout_), quadrature(rest, layout_, material, s.quadrature),
      exclusion(rest, welds, s.quadrature), builder(quadrature, exclusion, s),
      coalescer(builder, quadrature),
      schedule(s.positive ? Schedule() : Schedule(rest, layout_, welds, s)),
      list(s.positive ? PairList(rest, layout_, welds, s) : PairList()),
      store(quadrature.segments(), layout_.slots(), s.quadrature), updates(layout_.slots(), 0) {}

AclContact::AclContact(const Curves& rest, const Layout& layout,
                       const std::vector<Material>& material, const std::vector<Weld>& welds,
                       const ContactSettings& s)
    : impl_(std::make_unique<Impl>(rest, layout, material, welds, s)) {}
AclContact::AclContact() = default;
AclContact::AclContact(AclContact&&) noexcept = default;
AclContact& AclContact::operator=(AclContact&&) noexcept = default;
AclContact::~AclContact() = default;

void AclContact::addForce(const Padded3& x, Padded3& f) { impl_->step(x, nullptr, f); }
void AclContact::addForce(const Padded3& x, const Padded3& at, Padded3& f) {
    impl_->step(x, &at, f);
}

void AclContact::Impl::step(const Padded3& x, const Padded3* at, Padded3& f) {
    const double t0 = seconds();
    detect(x);
    const double t1 = seconds();
    create(x);
    const double t2 = seconds();
    evaluate(x, at ? Pass::Remake : Pass::Whole);
    const double t3 = seconds();
    if (at) unused.resize(layout->padded() + 4);
    Padded3& sum = at ? unused : f;
    store.reduce(sum);
    commit(sum);
    if (at) {
        evaluate(*at, Pass::Slide);
        store.reduce(f);
        commit(f);
    }
    for (Index y = 0; y < layout->yarns(); ++y) foldGhosts(*layout, y, f);
    const double t4 = seconds();
    stats.secondsDetect += t1 - t0;
    stats.secondsCreate += t2 - t1;
    stats.secondsEvaluate += t3 - t2;
    stats.secondsCommit += t4 - t3;
    stats.bytesStreamed += store.recordBytes();
    ++stats.steps;
    stats.sets = store.count();
}

void AclContact::Impl::detect(const Padded3& x) {
    found.clear();
    fresh.clear();
    finder([&](auto& f) { f.update(x, found); });
    const ScheduleStats looked = finderStats();
    stats.examined += looked.examined;
    stats.processed += looked.processed;
    coalescer.boxes(found, boxes);
    // Indexed, not by reference: insert adds pieces at the end.
    for (std::size_t i = 0; i < boxes.size(); ++i) insert(boxes[i], x);
    std::sort(fresh.begin(), fresh.end());
    fresh.erase(std::unique(fresh.begin(), fresh.end()), fresh.end());
    fresh.erase(
        std::remove_if(fresh.begin(), fresh.end(), [&](Index id) { return !store[id].alive(); }),
        fresh.end());
}

// A new box that overlaps sets is merged with them if the whole still fits one set, else it takes
// the room beside them.
void AclContact::Impl::insert(const NewBox& given, const Padded3& x) {
    std::vector<NewBox> work{given};
    while (!work.empty()) {
        NewBox b = std::move(work.back());
        work.pop_back();
        if (!coalescer.fits(b.box)) {
            coalescer.cut(b, work);
            continue;
        }
        std::vector<Index> joined;
        PointBox all = b.box;
        bool fits = true;
        for (;;) {
            store.overlapping(all, -1, near);
            PointBox grown = all;
            for (Index id : near) grown = join(grown, store[id].box);
            fits = coalescer.fits(grown);
            if (!fits || near.size() == joined.size()) break;
            joined = near;
            all = grown;
        }
        if (!fits) { // beside the first one in the way; the pieces are looked at again
            store.overlapping(b.box, -1, near);
            if (near.empty()) {
                joined.clear();
                all = b.box;
            } else {
                PointBox piece[4];
                const int n = subtract(b.box, store[near[0]].box, piece);
                for (int i = n - 1; i >= 0; --i) {
                    NewBox part;
                    part.box = piece[i];
                    for (const PointPair& p : b.pairs)
                        if (part.box.holds(p.u, p.v)) part.pairs.push_back(p);
                    if (!part.pairs.empty()) work.push_back(std::move(part));
                }
                continue;
            }
        }
        // The springs of the sets that merge go on in the new one.
        Stiction carried;
        for (Index id : joined) {
            Eigen::Vector3f force[Stiction::kSprings];
            stats.slideHeat += springForces(id, x, force);
            for (int i = 0; i < Stiction::kSprings; ++i) carried.stretch[i] += force[i];
            store.remove(id);
            ++stats.merged;
        }
        const Index id = store.add(all);
        store[id].stiction = carried; // forces, until it has a model
        finder([&](auto& f) { f.cover(all); });
        fresh.push_back(id);
        ++stats.created;
    }
}

void AclContact::Impl::create(const Padded3& x) {
    if (fresh.empty()) return;
    // In batches: models are large, and the first step makes all of them.
    constexpr Index batch = 512;
    std::vector<Fresh> made(std::min<std::size_t>(batch, fresh.size()));
    for (Index first = 0; first < static_cast<Index>(fresh.size()); first += batch) {
        const Index n = std::min<Index>(batch, static_cast<Index>(fresh.size()) - first);
        parallelFor(n, 4, [&](Index a, Index b) {
            for (Index i = a; i < b; ++i) {
                const Stiction carried = store[fresh[first + i]].stiction;
                remodel(fresh[first + i], x, carried.stretch, made[i]);
            }
        });
        for (Index i = 0; i < n; ++i) {
            ContactSet& s = store[made[i].id];
            // The wanted box may only be smaller here: nothing outside the old one is free for
            // sure.
            const PointBox old = s.box;
            PointBox box = made[i].box;
            box = {std::max(box.u0, old.u0), std::min(box.u1, old.u1), std::max(box.v0, old.v0),
                   std::min(box.v1, old.v1)};
            finder([&](auto& f) { f.moveCover(old, box); });
            store.resize(made[i].id, box);
            store.place(made[i].id, made[i].model);
            adopt(made[i], s);
            stats.slideHeat -= s.stiction.energy();
            write(made[i], store.regions()[s.region], s.lane);
        }
    }
}

double AclContact::Impl::springForces(Index id, const Padded3& x,
                                      Eigen::Vector3f out[Stiction::kSprings]) const {
    for (int i = 0; i < Stiction::kSprings; ++i) out[i].setZero();
    const ContactSet& s = store[id];
    if (s.lane < 0) { // made in this very step
        for (int i = 0; i < Stiction::kSprings; ++i) out[i] = s.stiction.stretch[i];
        return 0;
    }
    const int n = s.window.size();
    auto& record = store.regions()[s.region].record[n - kMinControls];
    const RecordRows rows{n};
    auto row = [&](int r) { return laneNumber(record, rows, s.lane, r); };
    const Eigen::Quaternionf turn = turnOf(store.regions()[s.region], n, s.lane);
    Vec3 centre = Vec3::Zero();
    for (int a = 0; a < n; ++a) centre += x.at(s.window.slot(a)) / n;
    Pack8 z[3 * kMaxControls];
    for (int a = 0; a < n; ++a) {
        const Eigen::Vector3f q =
            turn.conjugate() * Vec3(x.at(s.window.slot(a)) - centre).cast<float>();
        for (int c = 0; c < 3; ++c) z[3 * a + c] = Pack8(q[c] - row(rows.rest() + 3 * a + c));
    }
    double energy = 0;
    for (int i = 0; i < Stiction::kSprings; ++i) {
        const Eigen::Vector3f e = s.stiction.now(builder, s.window, i, z, 0);
        if (s.stiction.k == 0 || !e.allFinite()) continue;
        out[i] = s.stiction.k * (turn * e);
        energy += 0.5 * static_cast<double>(s.stiction.k * e.squaredNorm());
    }
    return energy;
}

void AclContact::Impl::evaluate(const Padded3& x, Pass pass) {
    auto& regions = store.regions();
    outcome.resize(regions.size());
    parallelFor(static_cast<Index>(regions.size()), 1, [&](Index a, Index b) {
        for (Index r = a; r < b; ++r) evaluateRegion(x, regions[r], outcome[r], pass);
    });
}

void AclContact::Impl::commit(Padded3& f) {
    for (std::size_t r = 0; r < outcome.size(); ++r) {
        Outcome& o = outcome[r];
        stats.slid += o.slid;
        stats.slideHeat += o.heat;
        stats.rebuilt += static_cast<long>(o.rebuilt.size());
        for (Index id : o.rebuilt) {
            const Window& w = store[id].window;
            for (int a = 0; a < w.size(); ++a)
                if (updates[w.slot(a)] < 0xffff) ++updates[w.slot(a)];
        }
        for (const Fresh& c : o.changed) {
            ContactSet& s = store[c.id];
            if (c.touching == 0 && c.nearest > 1.05 * builder.reach(s.box)) {
                finder([&](auto& f) { f.uncover(s.box); });
                store.remove(c.id);
                ++stats.deleted;
                continue;
            }
            const PointBox old = s.box;
            PointBox box = c.box;
            store.overlapping(box, c.id, near);
            if (!near.empty()) // no room to grow: stay inside
                box = {std::max(box.u0, old.u0), std::min(box.u1, old.u1), std::max(box.v0, old.v0),
                       std::min(box.v1, old.v1)};
            finder([&](auto& f) { f.moveCover(old, box); });
            store.resize(c.id, box);
            if (!c.moved) continue;
            for (int a = 0; a < c.model.window.size(); ++a)
                f.add(c.model.window.slot(a), Eigen::Map<const Vec3>(&c.model.force[3 * a]));
            store.place(c.id, c.model);
            adopt(c, s);
            write(c, store.regions()[s.region], s.lane);
        }
    }
}

const AclStats& AclContact::stats() const {
    AclStats& s = impl_->stats;
    const ScheduleStats c = impl_->finderStats();
    s.entries = c.entries;
    s.bytesSchedule = static_cast<double>(c.bytes);
    s.bytesTotal = impl_->store.bytes() + s.bytesSchedule;
    return s;
}

AclContact::Survey AclContact::survey(const Padded3& x) const {
    const Impl& s = *impl_;
    constexpr Index block = 256;
    const Index n = s.store.ids();
    std::vector<Survey> part((n + block - 1) / block);
    Survey sum;
    sum.energy = orderedSum(n, block, [&](Index a, Index b) {
        Survey& p = part[a / block];
        for (Index i = a; i < b; ++i) {
            if (!s.store[i].alive()) continue;
            const Measure m = s.builder.measure(s.store[i].box, x);
            p.smallestGap = std::min(p.smallestGap, m.nearest / s.builder.reach(s.store[i].box));
            if (m.touching == 0) continue;
            ++p.touching;
            Eigen::Vector3f unused[Stiction::kSprings];
            p.sticking += s.springForces(i, x, unused);
            p.energy += s.builder.energy(m.touch, x);
        }
        return p.energy;
    });
    for (const Survey& p : part) {
        sum.smallestGap = std::min(sum.smallestGap, p.smallestGap);
        sum.touching += p.touching;
        sum.sticking += p.sticking;
    }
    return sum;
}

void AclContact::resetStats() {
    impl_->stats = AclStats{};
    std::fill(impl_->updates.begin(), impl_->updates.end(), std::uint16_t{0});
}
const std::vector<std::uint16_t>& AclContact::updates() const { return impl_->updates; }
const SetStore& AclContact::sets() const { return impl_->store; }
const ModelBuilder& AclContact::builder() const { return impl_->builder; }

} // namespace purl
