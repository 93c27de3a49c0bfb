// What the mixed model is made of (physics 8.1): of a fabric laid on a patch, the yarns of the
// painted region and of the ring around it, how those ride on the triangles, and what share of
// energy and mass each side has. Every piece of yarn gives its mass once: alpha of it to its nodes,
// the rest to the vertices of the triangles it lies on.
#pragma once

#include "purl/cloth/mesh.h"
#include "purl/crossing/fabric_layout.h"
#include "purl/mixed/embedding.h"
#include "purl/mixed/regions.h"

namespace purl {

struct EnrichedPatch {
    CrossingNetwork network;         // of the yarn and hybrid regions, connected
    std::vector<Index> nodeOf;       // per node of it: the layout's
    std::vector<Index> indexOf;      // per node of the layout: here, or -1
    std::vector<Index> visitOf;      // per visit of it: the layout's
    Embedding embedding;             // hybrid nodes ride; over the mesh's points
    std::vector<float> visitWeight;  // alpha of the piece that starts at a visit
    std::vector<float> nodeWeight;   // alpha at a node
    std::vector<double> vertexMass;  // kg, per point of the mesh: the triangles' share
    std::vector<double> faceWeight;  // 1 - alpha, per triangle
    std::vector<double> hingeWeight; // 1 - alpha, per hinge
    Index yarnNodes = 0, hybridNodes = 0;
    double yarnMass = 0; // kg, of all pieces of the layout
};

enum class Riding {
    Hybrid,    // nodes of the hybrid ring
    Everywhere // those of the yarn region too, at alpha 1: the paper's Figure 3, for comparison
};

// bareDensity: kg/m2, of triangles without any yarn on them.
EnrichedPatch enrich(const ClothMesh& mesh, const Regions& regions, const FabricLayout& layout,
                     double bareDensity, Riding riding = Riding::Hybrid);

} // namespace purl
