// What rods remember from step to step, for checkpoints.
#include "purl/base/snapshot.h"
#include "purl/rod/rod.h"

namespace purl {

template <class Self, class Archive>
void Rods::fields(Self& s, Archive& a) {
    a(s.tangent_.x, s.tangent_.y, s.tangent_.z, s.director_.x, s.director_.y, s.director_.z);
    a(s.invLength_, s.angle_, s.cosAngle_, s.sinAngle_, s.plasticLoss_);
}

void Rods::save(SnapshotWriter& w) const {
    w.begin("rods", 1);
    fields(*this, w);
    w.put(anyPlastic_);
    if (anyPlastic_) w(restE1_, restE2_, restF1_, restF2_, restAngle_);
    w.end();
}

void Rods::load(SnapshotReader& r) {
    const std::size_t slots = angle_.size();
    r.begin("rods", 1);
    fields(*this, r);
    for (const auto* a : {&tangent_.x, &director_.z, &angle_, &plasticLoss_})
        if (a->size() != slots)
            r.fail(std::to_string(a->size()) + " slots were found, expected " +
                   std::to_string(slots) + " as in the scene");
    // Natural shapes are state only where plasticity moves them: a branch may change the others.
    if (r.take<bool>()) {
        std::vector<double> rest[5];
        for (auto& v : rest) r.getSized(v, slots, "natural shapes");
        if (anyPlastic_) {
            restE1_ = rest[0], restE2_ = rest[1], restF1_ = rest[2], restF2_ = rest[3];
            restAngle_ = rest[4];
        }
    }
    r.end();
}

} // namespace purl
