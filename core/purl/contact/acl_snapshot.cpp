// Contact sets to a checkpoint and back.
#include "purl/base/snapshot.h"
#include "purl/contact/acl_impl.h"

namespace purl {

void SetStore::save(SnapshotWriter& w) const {
    w.begin("sets", 2);
    w(sets_, freeIds_, bySegment_, count_);
    for (const Region& r : regions_) {
        for (int c = 0; c < kSetClasses; ++c) w(r.lane[c], r.record[c]);
        w.put(r.blocks);
    }
    w.end();
}

void SetStore::load(SnapshotReader& r) {
    const std::size_t segments = bySegment_.size();
    r.begin("sets", 2);
    r(sets_, freeIds_, bySegment_, count_);
    if (bySegment_.size() != segments)
        r.fail(std::to_string(bySegment_.size()) + " segments were found, expected " +
               std::to_string(segments) + " as in the scene");
    for (Region& g : regions_) {
        for (int c = 0; c < kSetClasses; ++c) r(g.lane[c], g.record[c]);
        r.get(g.blocks);
        for (auto& s : g.sum) s.assign(g.blocks.size() * kBlock, 0.0);
    }
    blocksChanged_ = true;
    r.end();
}

void SetStore::makeStale() {
    for (Region& r : regions_)
        for (int c = 0; c < kSetClasses; ++c) {
            const RecordRows rows{c + kMinControls};
            for (Index l = 0; l < static_cast<Index>(r.lane[c].size()); ++l)
                for (int a = 0; a < rows.n; ++a)
                    laneNumber(r.record[c], rows, l, rows.limit() + a) = 1e30f;
        }
}

// What a model was made from besides positions.
static std::uint64_t modelKey(const ContactSettings& s, const Quadrature& q) {
    Hash h;
    h.add(q.scale);
    h.add(q.radius);
    h.add(s.tau);
    h.add(s.friction);
    h.add(s.positive);
    return h.value();
}

void AclContact::save(SnapshotWriter& w) const {
    const Impl& s = *impl_;
    w.begin("acl", 1);
    w.put(s.quadrature.pointsPerSegment());
    w.put(modelKey(s.settings, s.quadrature));
    w(s.updates, s.stats);
    s.store.save(w);
    w.end();
}

void AclContact::load(SnapshotReader& r) {
    Impl& s = *impl_;
    r.begin("acl", 1);
    const int points = r.take<int>();
    if (points != s.quadrature.pointsPerSegment())
        r.fail("contact has " + std::to_string(points) + " points a segment, expected " +
               std::to_string(s.quadrature.pointsPerSegment()) + " as in the scene");
    const auto key = r.take<std::uint64_t>();
    r.getSized(s.updates, s.updates.size(), "slots");
    r.get(s.stats);
    s.store.load(r);
    if (key != modelKey(s.settings, s.quadrature)) s.store.makeStale();
    for (Index id = 0; id < s.store.ids(); ++id)
        if (s.store[id].alive()) s.finder([&](auto& f) { f.cover(s.store[id].box); });
    r.end();
}

} // namespace purl
