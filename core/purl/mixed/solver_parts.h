// The linear algebra that a MixedSolver keeps: made once a paint.
#pragma once

#include "purl/crossing/stiffness.h"
#include "purl/mixed/enriched_preconditioner.h"
#include "purl/mixed/line_preconditioner.h"
#include "purl/mixed/loop_places.h"
#include "purl/mixed/solver.h"
#include "purl/mixed/system.h"
#include "purl/mixed/triangle_part.h"
#include "purl/mixed/woodbury.h"

namespace purl {

// Divides by numbers of one's choice: the naive preconditioner, and (by ones) none.
class DivideBy final : public Preconditioner {
public:
    std::vector<double> divisor; // per unknown
    void apply(Span<const Vec3> r, Span<Vec3> z) const override {
        for (std::size_t i = 0; i < r.size(); ++i) z[i] = r[i] / divisor[i];
    }
};

inline std::vector<char> notEnriched(const EnrichedPatch& patch) {
    std::vector<char> out;
    for (Index i : patch.indexOf) out.push_back(i < 0);
    return out;
}

struct MixedSolver::Parts {
    Parts(const ClothMesh& mesh, const MixedSettings& settings, const EnrichedPatch& patch,
          const Fabric& fabric, Embedding all, const FabricLayout& layout)
        : triangles(mesh, settings.triangles, patch), yarns(fabric), yarnFilter(patch.embedding),
          filter(patch.embedding, yarnFilter, fabric.nodes()),
          system(patch.embedding, triangles, yarns), under(std::move(all)), underMatch(under),
          twoLevel(fabric, patch.embedding, yarnFilter, under),
          enriched(patch.embedding, yarnFilter),
          touches(fabric, unknownsOf(patch.network), settings.touch),
          loop(mesh, layout.triangle, layout.weights, notEnriched(patch)) {
        yarns.setTouches(&touches);
        yarns.setSlipSlope(0.5);
    }

    TrianglePart triangles;
    Stiffness yarns;
    YarnFilter yarnFilter;
    MixedFilter filter;
    NodeFilter yarnHeld; // of filter.held, the yarns' part: what lines take
    NodeFilter farHeld;  // and what is far
    MixedOperator system;
    Embedding under;       // every node on its triangle, riding or not
    YarnFilter underMatch; // of that
    LinePreconditioner twoLevel;
    NodeFilter pinned; // vertices, those under paint too
    EnrichedPreconditioner enriched;
    Touches touches;
    LoopPlaces loop; // of the layout's nodes that are not simulated
    std::unique_ptr<WoodburyPreconditioner> woodbury;
    DivideBy divide;
    std::vector<Mat3> blocks;  // of the yarns' diagonal
    std::vector<double> heavy; // kg, node masses with their damping
    Mpcg solver;
    std::vector<char> unknownVertex; // per vertex: it moves by the solver
};

} // namespace purl
