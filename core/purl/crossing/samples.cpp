#include "purl/crossing/samples.h"

#include "purl/base/error.h"
#include "purl/crossing/energies.h"

#include <cmath>

namespace purl {

CrossingNetwork wovenSample(const WovenSample& s, const CrossingMaterial& material) {
    if (s.warps < 2 || s.wefts < 2 || s.over < 1 || s.under < 1)
        throw Error("woven sample", std::to_string(s.warps) + " warps and " +
                                        std::to_string(s.wefts) + " wefts, expected 2 or more");
    CrossingNetwork net;
    net.materials.push_back(material);
    const double spacing = 0.5 * (s.warpSpacing + s.weftSpacing);
    const bool tails = s.tail > 0;
    for (Index j = 0; j < s.wefts; ++j)
        for (Index i = 0; i < s.warps; ++i)
            net.addNode({i * s.warpSpacing, j * s.weftSpacing, 0}, NodeKind::Woven, spacing);
    const auto warpOver = [&](Index i, Index j) {
        return (j + i * s.shift) % (s.over + s.under) < s.over;
    };
    const double top = (s.wefts - 1) * s.weftSpacing, right = (s.warps - 1) * s.warpSpacing;
    for (Index i = 0; i < s.warps; ++i) {
        net.addYarn(0, i);
        const double x = i * s.warpSpacing;
        if (tails) net.addVisit(net.addNode({x, -s.tail, 0}, NodeKind::End, spacing), 0, 0, 0);
        for (Index j = 0; j < s.wefts; ++j)
            net.addVisit(j * s.warps + i, 0, s.tail + j * s.weftSpacing, warpOver(i, j) ? 1 : -1);
        if (tails)
            net.addVisit(net.addNode({x, top + s.tail, 0}, NodeKind::End, spacing), 0,
                         2 * s.tail + top, 0);
    }
    for (Index j = 0; j < s.wefts; ++j) {
        net.addYarn(0, s.warps + j);
        const double y = j * s.weftSpacing;
        if (tails) net.addVisit(net.addNode({-s.tail, y, 0}, NodeKind::End, spacing), 1, 0, 0);
        for (Index i = 0; i < s.warps; ++i)
            net.addVisit(j * s.warps + i, 1, s.tail + i * s.warpSpacing, warpOver(i, j) ? -1 : 1);
        if (tails)
            net.addVisit(net.addNode({right + s.tail, y, 0}, NodeKind::End, spacing), 1,
                         2 * s.tail + right, 0);
    }
    net.connect("woven sample");
    return net;
}

namespace {
// Where the two nodes of a stitch contact are: shares of the stitch's width from the wale's middle
// and of its height from the course's line. The foot of a loop goes behind the leg below at the
// outer node, its leg in front of the head below at the inner one.
constexpr double kOuter = 0.34, kInner = 0.22, kBelow = 0.12, kAbove = 0.12;

struct Stitches { // contact nodes of course r with the one below, wale c
    Index wales, firstNode;
    // side: 0 left, 1 right. place: 0 outer, 1 inner.
    Index at(Index r, Index c, int side, int place) const {
        return firstNode + (((r - 1) * wales + c) * 2 + side) * 2 + place;
    }
};
} // namespace

CrossingNetwork stockinetteSample(const KnitSample& s, const CrossingMaterial& material) {
    if (s.wales < 1 || s.courses < 2)
        throw Error("stockinette sample", std::to_string(s.wales) + " wales and " +
                                              std::to_string(s.courses) +
                                              " courses, expected 1 or more and 2 or more");
    CrossingNetwork net;
    net.materials.push_back(material);
    const double w = s.width, h = s.height, spacing = 0.5 * (kOuter + kInner) * w;
    const Stitches stitch{s.wales, 0};
    for (Index r = 1; r < s.courses; ++r)
        for (Index c = 0; c < s.wales; ++c)
            for (double side : {-1.0, 1.0})
                for (int place = 0; place < 2; ++place) {
                    const double x = (c + 0.5 + side * (place ? kInner : kOuter)) * w;
                    net.addNode({x, (r + (place ? kAbove : -kBelow)) * h, 0}, NodeKind::Stitch,
                                spacing);
                }
    struct Visit {
        Index node;
        int side, lift;
    };
    std::vector<Visit> path;
    std::vector<std::vector<Visit>> paths;
    for (Index r = 0; r < s.courses; ++r) {
        path.clear();
        const double foot = (r - kBelow) * h;
        path.push_back({net.addNode({-0.2 * w, foot, 0}, NodeKind::End, spacing), 0, 0});
        for (Index c = 0; c < s.wales; ++c) {
            const auto own = [&](int side, int place) { // this course's loop holds the one below
                if (r > 0) path.push_back({stitch.at(r, c, side, place), 0, side ? 1 : -1});
            };
            const auto held = [&](int side, int place) { // and is held by the one above
                path.push_back({stitch.at(r + 1, c, side, place), 1, side ? -1 : 1});
            };
            own(0, 0), own(0, 1);
            if (r + 1 < s.courses) {
                held(0, 0), held(0, 1), held(1, 1), held(1, 0);
            } else {
                for (double side : {-1.0, 1.0})
                    path.push_back({net.addNode({(c + 0.5 + side * kInner) * w, (r + 0.9) * h, 0},
                                                NodeKind::End, spacing),
                                    0, 0});
            }
            own(1, 1), own(1, 0);
        }
        path.push_back({net.addNode({(s.wales + 0.2) * w, foot, 0}, NodeKind::End, spacing), 0, 0});
        paths.push_back(path);
    }
    // Rest lengths: those of the contacts as they lie, the rest in proportion.
    const double contact = std::hypot((kOuter - kInner) * w, (kAbove + kBelow) * h);
    const double polygon = 4 * contact +
                           2 * std::hypot((kOuter - kInner) * w, (1 - kAbove - kBelow) * h) +
                           2 * kInner * w + (1 - 2 * kOuter) * w;
    const double ease =
        s.loopLength > 0 ? (s.loopLength - 4 * contact) / (polygon - 4 * contact) : 1;
    if (!(ease > 0.1))
        throw Error("stockinette sample", "a loop of " + std::to_string(s.loopLength) +
                                              " m, expected more than its contacts' " +
                                              std::to_string(4 * contact));
    for (Index r = 0; r < s.courses; ++r) {
        net.addYarn(0, r);
        double length = 0;
        for (std::size_t k = 0; k < paths[r].size(); ++k) {
            const Visit& v = paths[r][k];
            if (k > 0) {
                const double chord = (net.x[v.node] - net.x[paths[r][k - 1].node]).norm();
                const bool inside = std::abs(chord - contact) < 1e-9 * contact;
                length += inside ? chord : ease * chord;
            }
            net.addVisit(v.node, v.side, length, v.lift);
        }
    }
    // The head and the foot of a contact go to the back, the two legs to the front: two planes at
    // right angles about the axis [C:N17 psi_0 = pi/2, signs D].
    std::vector<std::array<std::array<Index, 2>, 2>> next(
        net.x.size()); // per node, side: before, after
    for (const std::vector<Visit>& p : paths)
        for (std::size_t k = 1; k + 1 < p.size(); ++k)
            next[p[k].node][p[k].side] = {p[k - 1].node, p[k + 1].node};
    for (Index r = 1; r < s.courses; ++r)
        for (Index c = 0; c < s.wales; ++c)
            for (int side = 0; side < 2; ++side) {
                const Index a = stitch.at(r, c, side, 0), b = stitch.at(r, c, side, 1);
                // Both yarns go from a to b on the left, from b to a on the right.
                const int in = side, out = 1 - side;
                StitchContact t;
                t.a = a, t.b = b, t.length = contact;
                t.c = {next[a][0][in], next[b][0][out]};
                t.d = {next[b][1][out], next[a][1][in]};
                for (int k = 0; k < 2; ++k) {
                    const Vec3 lift(0, 0, (k == 0 ? -1e-3 : 1e-3) * contact);
                    const double psi =
                        wrapAngle(net.x[a], net.x[b], net.x[t.c[k]] + lift, net.x[t.d[k]] + lift);
                    t.psi[k] = psi > 0 ? 1.5707963267948966 : -1.5707963267948966;
                }
                net.stitches.push_back(t);
            }
    net.connect("stockinette sample");
    return net;
}

} // namespace purl
