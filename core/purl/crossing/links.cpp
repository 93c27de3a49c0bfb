#include "purl/crossing/links.h"

#include <algorithm>
#include <map>

namespace purl {

YarnLinks::YarnLinks(const CrossingNetwork& net) : nodes(net.nodes()) {
    const std::size_t m = net.node.size();
    first.reserve(net.x.size() + 1);
    first.push_back(0);
    std::vector<Index> linkOf(m, kNone);
    for (auto* v : {&node, &before, &after}) v->reserve(m);
    side.reserve(m), lift.reserve(m), material.reserve(m), closest.reserve(m);
    for (Index i = 0; i < nodes; ++i) {
        for (Index visit : net.visits[i]) {
            if (visit == CrossingNetwork::kNone) continue;
            linkOf[visit] = links();
            node.push_back(i);
            side.push_back(net.side[visit]);
            lift.push_back(net.lift[visit]);
            material.push_back(static_cast<std::uint16_t>(net.material[net.yarnOf[visit]]));
            closest.push_back(net.closest[visit]);
            if (!net.restAngle.empty()) rest.push_back(static_cast<float>(net.restAngle[visit]));
        }
        first.push_back(links());
    }
    before.assign(m, kNone);
    after.assign(m, kNone);
    for (Index y = 0; y < net.yarns(); ++y) {
        start.push_back(linkOf[net.first[y]]);
        for (Index k = net.first[y]; k + 1 < net.first[y + 1]; ++k) {
            after[linkOf[k]] = linkOf[k + 1];
            before[linkOf[k + 1]] = linkOf[k];
        }
    }
    if (!net.chord.empty()) {
        chord.assign(m, 1);
        unbend.assign(m, 0);
        for (std::size_t v = 0; v + 1 < m; ++v) {
            const Index k = linkOf[v];
            if (after[k] == kNone || !(net.chord[v] < 1)) continue;
            chord[k] = static_cast<float>(net.chord[v]);
            const double s = net.slide[v + 1] - net.slide[v];
            unbend[k] = static_cast<float>(net.materialOf(static_cast<Index>(v)).bend / (s * s));
        }
    }
    ofVisit = std::move(linkOf);
    if (net.stitches.empty()) return;
    std::map<std::pair<Index, Index>, double> length;
    for (const StitchContact& s : net.stitches) length[std::minmax(s.a, s.b)] = s.length;
    stitch.assign(m, 0);
    for (std::size_t k = 0; k < m; ++k) {
        if (after[k] == kNone) continue;
        const auto found = length.find(std::minmax(node[k], node[after[k]]));
        if (found != length.end()) stitch[k] = static_cast<float>(found->second);
    }
}

std::size_t YarnLinks::bytes() const {
    return bytesOf(first) + bytesOf(node) + bytesOf(before) + bytesOf(after) + bytesOf(side) +
           bytesOf(lift) + bytesOf(material) + bytesOf(closest) + bytesOf(stitch) + bytesOf(chord) +
           bytesOf(unbend) + bytesOf(rest) + bytesOf(start) + bytesOf(ofVisit);
}

std::vector<Vec3> unknownsOf(const CrossingNetwork& net) {
    const std::size_t n = net.x.size();
    std::vector<Vec3> q(2 * n, Vec3::Zero());
    std::copy(net.x.begin(), net.x.end(), q.begin());
    for (std::size_t k = 0; k < net.node.size(); ++k)
        q[n + net.node[k]][net.side[k]] = net.slide[k];
    return q;
}

} // namespace purl
