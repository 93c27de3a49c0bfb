// One region of contact sets in one step: evaluate, slide, rebuild. Runs on one thread.
#include "purl/contact/acl_impl.h"

#include <algorithm>

namespace purl {

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
    for (int a = 0; a < n; ++a) {
        for (int x = 0; x < 3; ++x) {
            put(rows.rest() + 3 * a + x, m.model.position[3 * a + x]);
            put(rows.force() + 3 * a + x, m.model.force[3 * a + x]);
        }
        double allowed;
        if (m.touching > 0) {
            // At first touch a model has hardly any stiffness: it is held to more.
            const double strict = std::clamp((1 - e / D) / 0.1, 0.1, 1.0);
            allowed = tau * strict * e * e / (D * static_cast<double>(m.model.share[a]));
        } else {
            allowed = 0.5 * (e - D) + 0.1 * tau * D;
        }
        put(rows.limit() + a, std::min(1e30, 1 / (allowed * allowed)));
    }
    for (int i = 0; i < 4; ++i) put(rows.turn() + i, i == 3 ? 1 : 0);
    const double slack = static_cast<double>(m.stiction.slack());
    put(rows.slack(), slack * slack);
    float most = 0;
    for (int i = 0; i < rows.numbers(); ++i) most = std::max(most, std::abs(m.model.stiffness[i]));
    put(rows.scale(), static_cast<double>(most));
    const float shrink = most > 0 ? 1 / most : 0;
    for (int i = 0; i < rows.numbers(); ++i)
        laneHalf(region.record[c], rows, lane, i) = halfOf(shrink * m.model.stiffness[i]);
}

void AclContact::Impl::evaluateRegion(const Padded3& x, SetStore::Region& region, Outcome& out,
                                      Pass pass) {
    out.rebuilt.clear();
    out.changed.clear();
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
            for (int l = 0; l < lanes; ++l)
                if (record[rows.slack()][l] == 0) {
                    const char* set =
                        reinterpret_cast<const char*>(&store[region.lane[c][first + l].id]);
                    for (int line = 0; line < 4; ++line) __builtin_prefetch(set + 64 * line);
                }
            const Pack8* turn = record + rows.turn();
            const Pack8 before[4] = {turn[0], turn[1], turn[2], turn[3]};
            if (models()) evaluateRecord(n, record, &region.lane[c][first], lanes, x, result);
            if (pass == Pass::Slide) {
                // What would be deformed that much is on its way to be stopped: where it would be
                // says nothing of how it will be turned.
                if (result.stale) keepTurn(x, region, n, first, lanes, before, result);
                result.slides |= result.stale;
                result.stale = 0;
            } else if (settings.tau == 0)
                result.stale = (1u << lanes) - 1;
            for (int l = 0; l < lanes; ++l) {
                if (result.stale >> l & 1u) {
                    rebuildLane(x, region, n, first + l, result, out);
                    continue;
                }
                if (pass != Pass::Remake && result.slides >> l & 1u)
                    slide(region, n, first + l, result, out);
                addForces(region.lane[c][first + l], n, l, result, region);
            }
        }
    }
}

// Evaluates the stale lanes of a record anew with the turn that they had.
void AclContact::Impl::keepTurn(const Padded3& x, SetStore::Region& region, int n, Index first,
                                int lanes, const Pack8 before[4], RecordResult& result) {
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
    evaluateRecord(n, record, &region.lane[c][first], lanes, x, result, false);
    result.stale = mask;
    result.slides = slides;
}

void AclContact::Impl::rebuildLane(const Padded3& x, SetStore::Region& region, int n, Index lane,
                                   const RecordResult& r, Outcome& out) {
    const SetStore::Lane& at = region.lane[n - kMinControls][lane];
    ContactSet& s = store[at.id];
    const int l = static_cast<int>(lane % 8);
    Eigen::Vector3f carried[Stiction::kSprings];
    for (auto& c : carried) c.setZero();
    if (s.stiction.k > 0) {
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
    Fresh made;
    remodel(at.id, x, carried, made);
    out.rebuilt.push_back(at.id);
    out.heat -= made.stiction.energy();
    const bool gone = made.touching == 0 && made.nearest > 1.05 * builder.reach(s.box);
    const bool resized = made.box.u0 != s.box.u0 || made.box.u1 != s.box.u1 ||
                         made.box.v0 != s.box.v0 || made.box.v1 != s.box.v1;
    if (gone || made.moved || resized) out.changed.push_back(made);
    if (gone || made.moved) return; // its force is added when it has a place
    addForces(at, made.model, region);
    adopt(made, s);
    if (models()) write(made, region, lane);
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
    // One that holds with room to spare is looked at again when, stretched on as fast as it was, it
    // has used half of it.
    const float spare = st.limit - most;
    float wait = 0;
    if (!slid && st.seen >= 0) {
        const float rate = std::abs(most - st.seen) / st.waited;
        wait = std::floor(std::min(15.f, 0.5f * spare / std::max(rate, 1e-3f * st.limit)));
    }
    st.seen = most;
    st.waited = 1 + wait;
    laneNumber(region.record[c], rows, lane, rows.slack()) = -wait;
}

} // namespace purl
