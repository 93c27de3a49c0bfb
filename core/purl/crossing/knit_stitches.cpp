#include "purl/base/error.h"
#include "purl/crossing/angle.h"
#include "purl/crossing/energies.h"
#include "purl/crossing/layout_parts.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <set>

namespace purl {

void faceFront(const FabricPatch& p, FabricLayout& out) {
    CrossingNetwork& net = out.network;
    std::vector<std::array<Index, 2>> at(net.nodes(), {-1, -1});
    std::vector<Vec3> tangent(net.visitCount());
    for (Index y = 0; y < net.yarns(); ++y)
        for (Index v = net.first[y]; v < net.first[y + 1]; ++v) {
            const Index a = std::max(v - 1, net.first[y]),
                        b = std::min(v + 1, net.first[y + 1] - 1);
            tangent[v] = net.x[net.node[b]] - net.x[net.node[a]];
            if (net.kind[net.node[v]] == NodeKind::Stitch) at[net.node[v]][net.side[v]] = v;
        }
    for (Index i = 0; i < net.nodes(); ++i) {
        if (at[i][0] < 0 || at[i][1] < 0) continue;
        const auto& c = p.triangles[out.triangle[i]];
        const Vec3 normal = (p.x[c[1]] - p.x[c[0]]).cross(p.x[c[2]] - p.x[c[0]]);
        if (tangent[at[i][0]].cross(tangent[at[i][1]]).dot(normal) >= 0) continue;
        net.side[at[i][0]] = 1;
        net.side[at[i][1]] = 0;
    }
}

// The two wrapping angles of a contact (physics 7.3): between the planes in which the yarns go on
// at its opposite ends. Of a knit's left contact the foot of the upper loop and the head of the
// lower one go to the back, the two legs to the front, each pair at a right angle [C:N17; signs D].
void addStitches(const FabricPatch& p, const std::vector<StitchPair>& pairs, FabricLayout& out) {
    constexpr double kRightAngle = 1.5707963267948966;
    CrossingNetwork& net = out.network;
    std::vector<std::array<Index, 2>> visit(net.nodes(), {-1, -1});
    std::vector<Index> yarn(net.visitCount());
    for (Index y = 0; y < net.yarns(); ++y)
        for (Index v = net.first[y]; v < net.first[y + 1]; ++v) {
            yarn[v] = y;
            if (net.kind[net.node[v]] == NodeKind::Stitch) visit[net.node[v]][net.side[v]] = v;
        }
    for (const StitchPair& pair : pairs) {
        StitchContact c{};
        c.a = pair.a;
        c.b = pair.b;
        c.length = (out.plane[pair.a] - out.plane[pair.b]).norm();
        // Side 0 may be either yarn at a and, apart from that, at b.
        const auto upperAt = [&](Index node) {
            const auto& v = visit[node];
            return out.yarns[yarn[v[0]]].thread > out.yarns[yarn[v[1]]].thread ? v[0] : v[1];
        };
        const Index upper = upperAt(pair.a),
                    lower = visit[pair.a][0] == upper ? visit[pair.a][1] : visit[pair.a][0];
        const auto goesOn = [&](Index v) {
            return v > net.first[yarn[v]] && v + 2 < net.first[yarn[v] + 1];
        };
        if (!goesOn(upper) || !goesOn(lower)) continue;
        c.c = {net.node[upper - 1], net.node[upper + 2]};
        c.d = {net.node[lower + 2], net.node[lower - 1]};
        const auto& t = p.triangles[out.triangle[pair.a]];
        const Vec3 front =
            (p.x[t[1]] - p.x[t[0]]).cross(p.x[t[2]] - p.x[t[0]]).normalized() * 1e-3 * c.length;
        for (int k = 0; k < 2; ++k) {
            const Vec3 lift = ((k == 0) == (pair.turn > 0) ? -1 : 1) * front;
            const double psi =
                wrapAngle(net.x[c.a], net.x[c.b], net.x[c.c[k]] + lift, net.x[c.d[k]] + lift);
            c.psi[k] = psi > 0 ? kRightAngle : -kRightAngle;
        }
        net.stitches.push_back(c);
    }
}

void shapeLoops(const std::vector<StitchPair>& pairs, const LayoutSettings& settings,
                const std::string& name, FabricLayout& out) {
    CrossingNetwork& net = out.network;
    std::set<std::pair<Index, Index>> contacts;
    for (const StitchPair& p : pairs) contacts.insert(std::minmax(p.a, p.b));
    const auto isContact = [&](Index visit) {
        return contacts.count(std::minmax(net.node[visit], net.node[visit + 1])) > 0;
    };
    // A whole loop has four pieces inside contacts, two of them with the loop above, and four
    // between: a sinker, two legs and a head.
    double inside = 0, between = 0; // m, of yarn as laid
    Index insides = 0, betweens = 0;
    const auto isLoop = [&](Index y) { return out.yarns[y].family == YarnFamily::Course; };
    const auto isStitch = [&](Index v) { return net.kind[net.node[v]] == NodeKind::Stitch; };
    for (Index y = 0; y < net.yarns(); ++y)
        for (Index v = net.first[y]; isLoop(y) && v + 1 < net.first[y + 1]; ++v) {
            const double length = net.slide[v + 1] - net.slide[v];
            if (isContact(v))
                inside += length, ++insides;
            else if (isStitch(v) && isStitch(v + 1))
                between += length, ++betweens;
        }
    if (insides == 0 || betweens == 0) return;
    inside *= 4.0 / insides, between *= 4.0 / betweens;
    const double laid = inside + between,
                 wanted = settings.loopLength > 0 ? settings.loopLength : kLoopShare * laid;
    if (wanted < 1.01 * laid)
        throw Error(name + ": loop length",
                    std::to_string(wanted) + " m was found, expected more than the " +
                        std::to_string(laid) + " m of straight lines through a loop's crossings");
    const double ease = (wanted - inside) / between;
    if (ease > 8)
        throw Error(name + ": loop length",
                    std::to_string(wanted) + " m was found, expected less: " +
                        std::to_string(laid) + " m reach for loops of this spacing");
    net.chord.assign(net.visitCount(), 1);
    net.restAngle.assign(net.visitCount(), 0);
    for (Index y = 0; y < net.yarns(); ++y) {
        if (!isLoop(y)) continue;
        const Index first = net.first[y], last = net.first[y + 1] - 1;
        double before = net.slide[first], at = before;
        for (Index v = first; v < last; ++v) {
            const double length = net.slide[v + 1] - before;
            before = net.slide[v + 1];
            const bool bows = v > first && v + 1 < last && !isContact(v);
            if (bows) net.chord[v] = 1 / ease;
            at += bows ? ease * length : length;
            net.slide[v + 1] = at;
        }
        for (Index v = first + 1; v < last; ++v) {
            const Vec3& x = net.x[net.node[v]];
            const AngleFrame a(net.x[net.node[v + 1]] - x, net.x[net.node[v - 1]] - x);
            net.restAngle[v] = settings.loopSet * (3.14159265358979323846 - a.phi);
        }
    }
}

} // namespace purl
