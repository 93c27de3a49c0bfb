#include "purl/crossing/layout_parts.h"

#include <Eigen/Geometry>
#include <algorithm>

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

// The wrapping angles are between the planes in which the two yarns go on at opposite ends of the
// contact (physics 7.3), at rest a right angle to the side that over and under give.
void addStitches(const std::vector<StitchPair>& pairs, FabricLayout& out) {
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
        c.psi = {pair.turn * kRightAngle, pair.turn * kRightAngle};
        bool whole = true;
        for (int side = 0; side < 2 && whole; ++side) {
            const Index v = visit[pair.a][side]; // the next one is at b
            whole = v > net.first[yarn[v]] && v + 2 < net.first[yarn[v] + 1];
            if (!whole) break;
            const std::array<Index, 2> around{net.node[v - 1], net.node[v + 2]};
            if (side == 0)
                c.c = around;
            else
                c.d = {around[1], around[0]};
        }
        if (whole) net.stitches.push_back(c);
    }
}

} // namespace purl
