// One region of contact sets in one step: evaluate, slide, rebuild. Runs on one thread.
#include "purl/contact/acl_impl.h"

#include <algorithm>

namespace purl {

namespace {
constexpr double kDrift = 0.8;   // of tau and the distance: see write
constexpr double kAhead = 0.5;   // of tau and 2r: how deep before a set that did not touch is asked
constexpr float kBeyond = 0.02f; // of a spring's limit, that it may go beyond between two looks
constexpr double kLoose = 8;     // times what the places of touch may go
} // namespace

// The box a set should have: what touches, padded. Small changes are not worth the trouble.
PointBox AclContact::Impl::wanted(const PointBox& box, const PointBox& touch) const {
    const PointBox want = builder.clip({touch.u0 - kSetPadding, touch.u1 + kSetPadding,
                                        touch.v0 - kSetPadding, touch.v1 + kSetPadding});
    auto side = [](Index low, Index high, Index wantLow, Index wantHigh) {
        return low <= wantLow + 2 && wantHigh - 2 <= high && wantLow - low <= 4 &&
               high - wantHigh <= 4;
    };
    if (side(box.u0, box.u1, want.u0, want.u1) && side(box.v0, box.v1, want.v0, want.v1))
        return box;
    if (coalescer.fits(want)) return want;
    return {std::max(want.u0, box.u0), std::min(want.u1, box.u1), std::max(want.v0, box.v0),
            std::min(want.v1, box.v1)};
}

void AclContact::Impl::remodel(Index id, const Padded3& x,
                               const Eigen::Vector3f carried[Stiction::kSprings],
                               Fresh& out) const {
    const ContactSet& s = store[id];
    const Measure m = builder.measure(s.box, x);
    out.id = id;
    out.nearest = m.nearest;
    out.touching = m.touching;
    out.stiction = Stiction{};
    out.box = m.touching > 0 ? wanted(s.box, m.touch) : s.box;
    builder.build(m.touch, out.box, x, models(), out.model);
    out.moved = !(out.model.window == s.window) || s.lane < 0;
    if (models()) stick(builder, m.touch, settings.friction, carried, out.model, out.stiction);
}

void AclContact::Impl::adopt(const Fresh& m, ContactSet& s) const {
    s.nearest = static_cast<float>(m.nearest);
    s.touching = m.touching > 0;
    s.stiction = m.stiction;
}

// The record of a set: R = 1, and how far each point may go (physics 4.4).
void AclContact::Impl::write(const Fresh& m, SetStore::Region& region, Index lane) const {
    const int n = m.model.window.size(), c = n - kMinControls;
    const RecordRows rows{n};
    auto put = [&](int row, double value) {
        laneNumber(region.record[c], rows, lane, row) = static_cast<float>(value);
    };
    const double D = builder.reach(m.box), e = m.nearest, tau = settings.tau;
    for (int a = 0; a < 3 * n; ++a) {
        put(rows.rest() + a, m.model.position[a]);
        put(rows.force() + a, m.model.force[a]);
    }
    for (int i = 0; i < 2 * n; ++i)
        laneHalf(region.record[c], rows, lane, rows.blocks() + i) = halfOf(m.model.ends[i]);
    // How far yarns may go along or across each other where they touch, and any point at all. Light
    // contacts may go as far as pressed ones: it is the change of force that counts, and that is
    // alike. Before they touch they may come as near as that.
    const double allowed = m.touching > 0 ? kDrift * tau * e * e / D : e - D + kAhead * tau * D;
    put(rows.limits(), std::min(1e30, 1 / (allowed * allowed)));
    put(rows.limits() + 1, std::min(1e30, 1 / (kLoose * kLoose * allowed * allowed)));
    for (int i = 0; i < 4; ++i) put(rows.turn() + i, i == 3 ? 1 : 0);
    const double slack = static_cast<double>(m.stiction.slack());
    put(rows.slack(), slack * slack);
    for (int i = 0; i < 3; ++i) put(rows.normal() + i, m.model.normal[i]);
    put(rows.pace(), m.model.pace);
    float most = 0;
    for (int i = 0; i < rows.blocks(); ++i) most = std::max(most, std::abs(m.model.stiffness[i]));
    put(rows.scale(), static_cast<double>(most));
    const float shrink = most > 0 ? 1 / most : 0;
    for (int i = 0; i < rows.blocks(); ++i)
        laneHalf(region.record[c], rows, lane, i) = halfOf(shrink * m.model.stiffness[i]);
}

void AclContact::Impl::evaluateRegion(SetStore::Region& region, Outcome& out, Pass pass) {
    out.stale.clear();
    out.changed.clear();
    out.direct.clear();
    out.slid = 0;
    out.heat = 0;
    RecordResult result;
    for (int c = 0; c < kSetClasses; ++c) {
        const int n = c + kMinControls;
        const RecordRows rows{n};
        const int size = rows.size();
        const Index count = static_cast<Index>(region.lane[c].size());
        for (Index first = 0; first < count; first += 8) {
            const int lanes = static_cast<int>(std::min<Index>(8, count - first));
            // A set at its limit of friction is looked at in any case: ask for it in time.
            Pack8* record = &region.record[c][static_cast<std::size_t>(first / 8) * size];
            const SetStore::Lane* lane = &region.lane[c][first];
            for (unsigned at = bits(record[rows.slack()].v == Pack8(0.f).v); at; at &= at - 1) {
                const int l = __builtin_ctz(at);
                if (l >= lanes) break;
                const char* set = reinterpret_cast<const char*>(&store[lane[l].id]);
                for (int line = 0; line < 4; ++line) __builtin_prefetch(set + 64 * line);
            }
            const Pack8* turn = record + rows.turn();
            const Pack8 before[4] = {turn[0], turn[1], turn[2], turn[3]};
            if (models()) evaluateRecord(n, record, lane, lanes, place.data(), result);
            if (pass == Pass::Slide) {
                // What would be deformed that much is on its way to be stopped: where it would be
                // says nothing of how it will be turned.
                if (result.stale) keepTurn(region, n, first, lanes, before, result);
                result.slides |= result.stale;
                result.stale = 0;
            } else if (settings.tau == 0)
                result.stale = (1u << lanes) - 1;
            const unsigned slides = pass == Pass::Remake ? 0 : result.slides & ~result.stale;
            for (unsigned at = slides; at; at &= at - 1)
                slide(region, n, first + __builtin_ctz(at), result, out);
            for (unsigned at = result.stale; at; at &= at - 1)
                release(region, n, first + __builtin_ctz(at), result, out);
            addForces(lane, lanes, n, result.stale, result, region.sum.data());
        }
    }
}

// Evaluates the stale lanes of a record anew with the turn that they had.
void AclContact::Impl::keepTurn(SetStore::Region& region, int n, Index first, int lanes,
                                const Pack8 before[4], RecordResult& result) {
    const int c = n - kMinControls;
    const RecordRows rows{n};
    Pack8* record = &region.record[c][static_cast<std::size_t>(first / 8) * rows.size()];
    Pack8* turn = record + rows.turn();
    Pack8 now[4];
    V8i stale{};
    for (int l = 0; l < lanes; ++l) stale[l] = result.stale >> l & 1u ? -1 : 0;
    for (int i = 0; i < 4; ++i) now[i] = select(stale, before[i], turn[i]);
    for (int i = 0; i < 4; ++i) turn[i] = now[i];
    const unsigned mask = result.stale, slides = result.slides;
    evaluateRecord(n, record, &region.lane[c][first], lanes, place.data(), result, false);
    result.stale = mask;
    result.slides = slides;
}

// A model that no longer holds: what its springs pull with goes on in the next one.
void AclContact::Impl::release(SetStore::Region& region, int n, Index lane, const RecordResult& r,
                               Outcome& out) {
    const Index id = region.lane[n - kMinControls][lane].id;
    ContactSet& s = store[id];
    const int l = static_cast<int>(lane % 8);
    out.stale.push_back({n, lane, id, {}});
    Eigen::Vector3f* carried = out.stale.back().carried;
    for (int i = 0; i < Stiction::kSprings; ++i) carried[i].setZero();
    if (!(s.stiction.k > 0)) return;
    Eigen::Matrix3f R;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) R(i, j) = r.turn.m[i][j][l];
    Eigen::Vector3f stretch[Stiction::kSprings];
    for (int i = 0; i < Stiction::kSprings; ++i) {
        Eigen::Vector3f& e = stretch[i] = s.stiction.now(builder, s.window, i, r.z, l);
        if (!e.allFinite()) e.setZero();
        carried[i] = s.stiction.k * (R * e);
        // What a spring had and does not have afterwards is heat: it slid, or the contact that
        // carries it grew weaker (less than nothing if it grew stronger).
        out.heat += 0.5 * static_cast<double>(s.stiction.k * e.squaredNorm());
    }
    out.heat += s.stiction.rolled(builder, s.window, turnOf(region, n, lane), stretch,
                                  restOf(region, n, lane), l);
}

void AclContact::Impl::remakeRegion(const Padded3& x, SetStore::Region& region, Outcome& out) {
    for (const Outcome::Stale& stale : out.stale) {
        const SetStore::Lane& at = region.lane[stale.n - kMinControls][stale.lane];
        ContactSet& s = store[at.id];
        Fresh made;
        remodel(at.id, x, stale.carried, made);
        out.heat -= made.stiction.energy();
        const bool gone = made.touching == 0 && made.nearest > 1.05 * builder.reach(s.box);
        const bool resized = made.box.u0 != s.box.u0 || made.box.u1 != s.box.u1 ||
                             made.box.v0 != s.box.v0 || made.box.v1 != s.box.v1;
        if (gone || made.moved || resized) out.changed.push_back(made);
        if (gone || made.moved) continue; // its force is added when it has a place
        for (int a = 0; a < made.model.window.size(); ++a)
            out.direct.push_back({made.model.window.slot(a), &made.model.force[3 * a]});
        adopt(made, s);
        if (models()) write(made, region, stale.lane);
    }
}

Eigen::Quaternionf AclContact::Impl::turnOf(const SetStore::Region& region, int n, Index lane) {
    const RecordRows rows{n};
    auto row = [&](int i) {
        return laneNumber(region.record[n - kMinControls], rows, lane, rows.turn() + i);
    };
    return {row(3), row(0), row(1), row(2)};
}

const Pack8* AclContact::Impl::restOf(const SetStore::Region& region, int n, Index lane) {
    const RecordRows rows{n};
    return &region.record[n - kMinControls]
                         [static_cast<std::size_t>(lane / 8) * rows.size() + rows.rest()];
}

void AclContact::Impl::slide(SetStore::Region& region, int n, Index lane, RecordResult& r,
                             Outcome& out) {
    const int c = n - kMinControls, l = static_cast<int>(lane % 8);
    const SetStore::Lane& at = region.lane[c][lane];
    ContactSet& s = store[at.id];
    Stiction& st = s.stiction;
    if (st.k == 0) return;
    const RecordRows rows{n};
    bool slid = false;
    float most = 0;
    Eigen::Vector3f stretch[Stiction::kSprings];
    for (int i = 0; i < Stiction::kSprings; ++i) {
        Eigen::Vector3f& e = stretch[i] = st.now(builder, s.window, i, r.z, l);
        const float length = e.norm();
        most = std::max(most, length);
        if (!(length > st.limit)) continue;
        slid = true;
        // It pulled with the limit before and does so after.
        out.heat += static_cast<double>(st.k * st.limit * (length - st.limit));
        const Eigen::Vector3f back = (st.limit / length - 1) * e;
        st.stretch[i] += back;
        e += back;
        auto push = [&](int a, double weight) {
            const Eigen::Vector3f f = -st.k * static_cast<float>(weight) * back;
            for (int x = 0; x < 3; ++x) {
                laneNumber(region.record[c], rows, lane, rows.force() + 3 * a + x) += f[x];
                r.force[3 * a + x].v[l] +=
                    r.turn.m[x][0][l] * f[0] + r.turn.m[x][1][l] * f[1] + r.turn.m[x][2][l] * f[2];
            }
        };
        const int fu = builder.controlU(st.u[i], s.window),
                  fv = builder.controlV(st.v[i], s.window);
        for (int j = 0; j < 4; ++j) {
            push(fu + j, builder.weights(st.u[i])[j]);
            push(fv + j, -builder.weights(st.v[i])[j]);
        }
    }
    if (slid) ++out.slid;
    out.heat +=
        st.rolled(builder, s.window, turnOf(region, n, lane), stretch, restOf(region, n, lane), l);
    // It is looked at again when, stretched on as fast as it was, it has used half of the room that
    // it has to its limit, or goes beyond that by one in fifty.
    const float room = slid ? kBeyond * st.limit : 0.5f * (st.limit - most);
    float wait = 0;
    if (st.seen >= 0) {
        const float rate = std::abs(most - st.seen) / st.waited;
        wait = std::floor(std::min(15.f, room / std::max(rate, 1e-3f * st.limit)));
    }
    st.seen = std::min(most, st.limit);
    st.waited = 1 + wait;
    laneNumber(region.record[c], rows, lane, rows.slack()) = -wait;
}

} // namespace purl
