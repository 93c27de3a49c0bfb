#include "purl/pattern/rows.h"

#include <algorithm>

namespace purl {

std::vector<Node> makeTurns(StrandSet& set, const std::vector<Row>& rows, const Turning& turning) {
    std::vector<Node> turns;
    for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
        const bool far = i % 2 == 0;
        const Node a = far ? rows[i].back() : rows[i].front();
        const Node b = far ? rows[i + 1].back() : rows[i + 1].front();
        const Vec3 middle = 0.5 * (set.strands.x[a.point] + set.strands.x[b.point]);
        Tag tag = a.tag;
        tag.edges |= far ? turning.farEdge : turning.nearEdge;
        tag.cut = !turning.continuous;
        const Vec3 out = (far ? 1 : -1) * turning.reach * turning.along;
        turns.push_back({set.addPoint(middle + out, false), tag});
    }
    return turns;
}

void addRows(StrandSet& set, const std::vector<Row>& rows, const std::vector<Node>& turns,
             double edge) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i == 0 || turns.empty()) set.startChain(edge, false);
        Row row = rows[i];
        if (!turns.empty() && i % 2 == 1) std::reverse(row.begin(), row.end());
        if (i < turns.size()) row.push_back(turns[i]);
        for (const Node& node : row) set.addNode(node.point, node.tag);
    }
}

} // namespace purl
