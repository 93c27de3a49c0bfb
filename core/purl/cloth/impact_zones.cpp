#include "purl/cloth/impact_zones.h"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <algorithm>

namespace purl {

namespace {

constexpr double kMostTurn = 0.3; // rad a step: straight ways of a turning body shorten by 1 - cos
constexpr std::uint8_t kHeld = 3;

struct Rigid {
    Vec3 centre, shift;
    Mat3 turn;
    Vec3 operator()(const Vec3& x) const { return centre + shift + turn * (x - centre); }
};

// The rigid motion with the linear and angular momentum of the points; pinned ones lead.
Rigid rigidMotion(const std::vector<Index>& zone, const ContactWork& w) {
    Rigid r{Vec3::Zero(), Vec3::Zero(), Mat3::Identity()};
    double mass = 0, pinned = 0;
    Vec3 lead = Vec3::Zero();
    for (Index p : zone) {
        if (w.inverseMass[p] == 0) {
            lead += w.x1[p] - w.x0[p];
            ++pinned;
            continue;
        }
        const double m = 1 / w.inverseMass[p];
        r.centre += m * w.x0[p];
        r.shift += m * (w.x1[p] - w.x0[p]);
        mass += m;
    }
    if (pinned > 0) {
        r.centre.setZero();
        r.shift = lead / pinned;
        return r;
    }
    r.centre /= mass;
    r.shift /= mass;
    Vec3 momentum = Vec3::Zero();
    Mat3 inertia = Mat3::Zero();
    for (Index p : zone) {
        const double m = 1 / w.inverseMass[p];
        const Vec3 d = w.x0[p] - r.centre;
        momentum += m * d.cross(w.x1[p] - w.x0[p]);
        inertia += m * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
    }
    const double size = inertia.trace();
    if (!(size > 0)) return r;
    inertia += 1e-9 * size * Mat3::Identity(); // points on a line
    const Vec3 turn = inertia.ldlt().solve(momentum);
    const double angle = turn.norm();
    if (angle > 0 && angle < kMostTurn) r.turn = Eigen::AngleAxisd(angle, turn / angle).matrix();
    return r;
}

} // namespace

ImpactZones::ImpactZones(std::size_t points) : parent_(points, -1), scaled_(points, 0) {}

void ImpactZones::clear() {
    for (Index p : joined_) {
        parent_[p] = -1;
        scaled_[p] = 0;
    }
    joined_.clear();
}

Index ImpactZones::root(Index p) {
    while (parent_[p] != p) p = parent_[p] = parent_[parent_[p]];
    return p;
}

void ImpactZones::join(const std::vector<SheetContact>& hits) {
    for (const SheetContact& h : hits) {
        for (Index n : h.node)
            if (parent_[n] < 0) {
                parent_[n] = n;
                joined_.push_back(n);
            }
        for (int i = 1; i < 4; ++i) {
            const Index a = root(h.node[0]), b = root(h.node[i]);
            parent_[std::max(a, b)] = std::min(a, b);
        }
    }
}

std::vector<std::vector<Index>> ImpactZones::members() {
    std::vector<std::pair<Index, Index>> sorted;
    for (Index p : joined_) sorted.emplace_back(root(p), p);
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::vector<Index>> out;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        if (i == 0 || sorted[i].first != sorted[i - 1].first) out.emplace_back();
        out.back().push_back(sorted[i].second);
    }
    return out;
}

void ImpactZones::moveRigidly(const ContactWork& w, Span<std::uint8_t> moved) {
    for (const std::vector<Index>& zone : members()) {
        // A zone that nothing has touched since it was made rigid keeps its motion.
        if (std::none_of(zone.begin(), zone.end(), [&](Index p) { return moved[p] != 0; }))
            continue;
        const Rigid r = rigidMotion(zone, w);
        for (Index p : zone) {
            moved[p] = 1;
            if (w.inverseMass[p] > 0) w.x1[p] = r(w.x0[p]);
        }
    }
}

void ImpactZones::scaleBack(const std::vector<SheetContact>& hits, const ContactWork& w,
                            Span<std::uint8_t> moved) {
    join(hits);
    std::vector<Index> hit;
    for (const SheetContact& h : hits) hit.push_back(root(h.node[0]));
    std::sort(hit.begin(), hit.end());
    for (const std::vector<Index>& zone : members()) {
        if (!std::binary_search(hit.begin(), hit.end(), root(zone[0]))) continue;
        std::uint8_t most = 0;
        for (Index p : zone) most = std::max(most, scaled_[p]);
        // A zone is as old as its oldest part, so that joining cannot go on for ever.
        const std::uint8_t now = std::min<std::uint8_t>(kHeld, most + 1);
        for (Index p : zone) {
            if (w.inverseMass[p] == 0 || scaled_[p] == kHeld) continue;
            scaled_[p] = now;
            const Vec3 before = w.x1[p];
            w.x1[p] = now == kHeld ? w.x0[p] : Vec3(w.x0[p] + 0.5 * (w.x1[p] - w.x0[p]));
            if (before != w.x1[p]) moved[p] = 1;
        }
    }
}

void ImpactZones::holdAll(const ContactWork& w, Span<std::uint8_t> moved) {
    for (std::size_t p = 0; p < parent_.size(); ++p) {
        if (w.inverseMass[p] == 0) continue;
        if (parent_[p] < 0) {
            parent_[p] = static_cast<Index>(p);
            joined_.push_back(static_cast<Index>(p));
        }
        scaled_[p] = kHeld;
        w.x1[p] = w.x0[p];
        moved[p] = 1;
    }
}

bool ImpactZones::held(Index point) const { return scaled_[point] == kHeld; }
long ImpactZones::zones() const {
    return std::count_if(joined_.begin(), joined_.end(), [&](Index p) { return parent_[p] == p; });
}
long ImpactZones::points() const { return static_cast<long>(joined_.size()); }
long ImpactZones::heldPoints() const {
    return std::count_if(joined_.begin(), joined_.end(), [&](Index p) { return scaled_[p] > 0; });
}

} // namespace purl
