#include "purl/mixed/enriched_patch.h"

#include <cmath>

namespace purl {

namespace {

// Which visits stay: of each yarn the runs of at least two nodes that are kept.
std::vector<char> keptVisits(const CrossingNetwork& net, const std::vector<char>& keptNode) {
    std::vector<char> keep(net.node.size(), 0);
    for (Index y = 0; y < net.yarns(); ++y)
        for (Index k = net.first[y]; k < net.first[y + 1];) {
            Index e = k;
            while (e < net.first[y + 1] && keptNode[net.node[e]]) ++e;
            if (e - k >= 2)
                for (Index i = k; i < e; ++i) keep[i] = 1;
            k = std::max(e, k + 1);
        }
    return keep;
}

void copyNodes(const CrossingNetwork& net, const std::vector<char>& keepVisit, EnrichedPatch& out) {
    std::vector<int> yarns(net.x.size(), 0);
    for (std::size_t k = 0; k < keepVisit.size(); ++k) yarns[net.node[k]] += keepVisit[k];
    out.indexOf.assign(net.x.size(), -1);
    for (Index i = 0; i < net.nodes(); ++i) {
        if (yarns[i] == 0) continue;
        const NodeKind kind =
            yarns[i] == 1 && net.kind[i] != NodeKind::Sewn ? NodeKind::End : net.kind[i];
        out.indexOf[i] = out.network.addNode(net.x[i], kind, net.spacing[i]);
        out.network.frozen.back() = net.frozen[i];
        out.nodeOf.push_back(i);
    }
}

void copyYarns(const CrossingNetwork& net, const std::vector<char>& keepVisit, EnrichedPatch& out) {
    CrossingNetwork& sub = out.network;
    sub.materials = net.materials;
    for (Index y = 0; y < net.yarns(); ++y) {
        bool open = false;
        for (Index k = net.first[y]; k < net.first[y + 1]; ++k) {
            if (!keepVisit[k]) {
                open = false;
                continue;
            }
            if (!open) sub.addYarn(net.material[y], net.id[y]);
            open = true;
            sub.addVisit(out.indexOf[net.node[k]], net.side[k], net.slide[k], net.lift[k]);
            if (!net.restAngle.empty()) sub.restAngle.push_back(net.restAngle[k]);
            out.visitOf.push_back(k);
        }
    }
    if (!net.restShear.empty())
        for (Index i : out.nodeOf) sub.restShear.push_back(net.restShear[i]);
    for (StitchContact s : net.stitches) {
        bool whole = true;
        for (Index* i : {&s.a, &s.b, &s.c[0], &s.c[1], &s.d[0], &s.d[1]}) {
            *i = out.indexOf[*i];
            whole = whole && *i >= 0;
        }
        if (whole) sub.stitches.push_back(s);
    }
}

} // namespace

EnrichedPatch enrich(const ClothMesh& mesh, const Regions& regions, const FabricLayout& layout,
                     double bareDensity, Riding riding) {
    const CrossingNetwork& net = layout.network;
    const Span<const std::array<Index, 3>> triangles = mesh.triangles;
    EnrichedPatch out;
    std::vector<double> alpha(net.x.size());
    std::vector<char> keep(net.x.size());
    for (Index i = 0; i < net.nodes(); ++i) {
        const Vec3& w = layout.weights[i];
        alpha[i] = blend(regions, triangles, layout.triangle[i], {w[0], w[1], w[2]});
        keep[i] = alpha[i] > 0;
    }
    const std::vector<char> keepVisit = keptVisits(net, keep);
    copyNodes(net, keepVisit, out);
    copyYarns(net, keepVisit, out);

    // Shares: alpha of a piece is that of its middle; pieces that are not kept are the triangles'.
    out.vertexMass.assign(static_cast<std::size_t>(mesh.points), 0);
    out.visitWeight.reserve(out.visitOf.size());
    for (Index y = 0; y < net.yarns(); ++y)
        for (Index k = net.first[y]; k < net.first[y + 1]; ++k) {
            const bool piece = k + 1 < net.first[y + 1];
            const Index a = net.node[k], b = piece ? net.node[k + 1] : a;
            const bool kept = piece && keepVisit[k] && keepVisit[k + 1];
            const double share = kept ? static_cast<float>(0.5 * (alpha[a] + alpha[b])) : 0.0;
            if (keepVisit[k]) out.visitWeight.push_back(static_cast<float>(share));
            if (!piece) continue;
            const double mass =
                net.materials[net.material[y]].density * (net.slide[k + 1] - net.slide[k]);
            out.yarnMass += mass;
            // A piece across the yarn region's border gives the triangles' share to its outer end.
            const auto outside = [&](Index i) {
                return regions.face[layout.triangle[i]] != Region::Yarn;
            };
            const double part = outside(a) && outside(b) ? 0.5 : 1;
            for (Index end : {a, b})
                for (int c = 0; c < 3 && outside(end); ++c)
                    out.vertexMass[triangles[layout.triangle[end]][c]] +=
                        part * (1 - share) * mass * layout.weights[end][c];
        }
    for (Index t = 0; t < mesh.faces(); ++t) { // bare triangles
        if (regions.face[t] == Region::Yarn) continue;
        const auto& r = mesh.rest[t];
        const Vec2 e = r[1] - r[0], f = r[2] - r[0];
        const double third = std::abs(e.x() * f.y() - e.y() * f.x()) / 6 * bareDensity;
        for (Index v : triangles[t])
            if (out.vertexMass[v] < 1e-3 * third && regions.alpha[v] == 0)
                out.vertexMass[v] += third;
    }

    std::vector<Embedding::Row> rows(out.nodeOf.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Index from = out.nodeOf[i];
        const Index face = layout.triangle[from];
        out.nodeWeight.push_back(static_cast<float>(alpha[from]));
        const bool hybrid = regions.face[face] == Region::Hybrid;
        ++(hybrid ? out.hybridNodes : out.yarnNodes);
        if (!hybrid && riding == Riding::Hybrid) continue;
        rows[i].vertex = triangles[face];
        for (int c = 0; c < 3; ++c) rows[i].weight[c] = layout.weights[from][c];
        // Sliding stays what it is where nodes ride (physics 8.1); at alpha 1 it may go on.
        if (hybrid) out.network.frozen[i] = 7;
    }
    out.embedding = Embedding(mesh.points, rows);
    if (out.network.nodes() > 0) out.network.connect("enriched yarns"); // else: triangles alone

    for (Index t = 0; t < mesh.faces(); ++t) {
        double a = 0;
        for (Index v : triangles[t]) a += regions.alpha[v] / 3;
        out.faceWeight.push_back(regions.face[t] == Region::Yarn ? 0 : 1 - a);
    }
    for (std::size_t h = 0; h < mesh.hinges.size(); ++h) {
        const auto& e = mesh.hinges[h];
        out.hingeWeight.push_back(1 - 0.5 * (regions.alpha[e[0]] + regions.alpha[e[1]]));
    }
    return out;
}

} // namespace purl
