#include "purl/crossing/layout_parts.h"

namespace purl {

Index addLayoutNode(const FabricPatch& p, FabricLayout& out, NodeKind kind, Index triangle,
                    const Vec3& weights, const Vec2& plane, double spacing) {
    out.triangle.push_back(triangle);
    out.weights.push_back(weights);
    out.plane.push_back(plane);
    return out.network.addNode(p.at(triangle, weights), kind, spacing);
}

std::vector<Index> addThreadMaterials(CrossingNetwork& net, const CrossingMaterial& base,
                                      const std::vector<double>& diameters, Index threads,
                                      double radius, double reference) {
    std::vector<Index> out(threads, -1);
    const Index first = static_cast<Index>(net.materials.size());
    for (Index k = 0; k < threads; ++k) {
        double r = radius;
        if (!diameters.empty() && reference > 0) r = radius * diameters[k] / reference;
        for (Index m = first; m < static_cast<Index>(net.materials.size()); ++m)
            if (net.materials[m].radius == r) out[k] = m;
        if (out[k] >= 0) continue;
        CrossingMaterial material = base;
        // A thicker thread of the same stuff: area for weight and stretch, its square for bending.
        const double q = (r / radius) * (r / radius);
        material.radius = r;
        material.density *= q;
        material.stretch *= q;
        material.bend *= q * q;
        material.shear *= q;
        out[k] = static_cast<Index>(net.materials.size());
        net.materials.push_back(material);
    }
    return out;
}

Index addSeamMaterial(CrossingNetwork& net, const LayoutSettings& s, double radius) {
    CrossingMaterial m = s.seam;
    if (!(m.radius > 0)) m.radius = radius;
    m.name = "seam";
    net.materials.push_back(m);
    return static_cast<Index>(net.materials.size()) - 1;
}

std::vector<std::vector<Index>> placeSeamNodes(const FabricPatch& p, const std::vector<Seam>& seams,
                                               Span<SeamSlot*> slots, const FabricSizes& z,
                                               FabricLayout& out) {
    std::vector<std::vector<Index>> nodes(seams.size());
    for (std::size_t s = 0; s < seams.size(); ++s)
        for (const SeamNode& n : seams[s].nodes) {
            const Index node = addLayoutNode(p, out, NodeKind::Sewn, n.triangle, n.weights, n.plane,
                                             0.5 * (z.warp + z.weft));
            nodes[s].push_back(node);
            if (n.first >= 0) *slots[n.first] = {node, 0};
            if (n.second >= 0) *slots[n.second] = {node, 1};
        }
    return nodes;
}

void addSeamYarns(const std::vector<Seam>& seams, const std::vector<std::vector<Index>>& nodes,
                  Index material, FabricLayout& out) {
    for (std::size_t s = 0; s < seams.size(); ++s) {
        if (nodes[s].size() < 2) continue; // a thread needs two points; its one end stays free
        out.network.addYarn(material, static_cast<Index>(out.yarns.size()));
        FabricYarn yarn;
        yarn.family = YarnFamily::Seam;
        yarn.thread = static_cast<Index>(s);
        yarn.piece = -1;
        yarn.color = {0.55, 0.08, 0.06};
        out.yarns.push_back(yarn);
        for (std::size_t k = 0; k < nodes[s].size(); ++k)
            out.network.addVisit(nodes[s][k], 2, seams[s].nodes[k].at - seams[s].nodes[0].at, 0);
    }
}

void sayBarePieces(const FabricPatch& p, Span<const std::uint8_t> used, const std::string& name,
                   std::vector<std::string>& warnings) {
    Index bare = 0, first = -1;
    std::vector<std::uint8_t> told(p.pieces, 0);
    for (Index t = 0; t < p.faces(); ++t) {
        const Index piece = p.piece[t];
        if (piece < 0 || used[piece] || told[piece]) continue;
        told[piece] = 1;
        if (bare++ == 0) first = p.number[t];
    }
    if (bare > 0)
        warnings.push_back(name + ": " + std::to_string(bare) + " of " + std::to_string(p.pieces) +
                           " pieces are too small for the spacing (the first has primitive " +
                           std::to_string(first) + "); no yarn is laid on them");
}

} // namespace purl
