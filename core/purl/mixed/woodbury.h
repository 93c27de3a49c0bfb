// The paper's preconditioner (physics 8.4): P = S M + sigma (I - S), inverted by Sherman, Morrison
// and Woodbury. One coordinate at a time; masses alone, no stiffness. Kept as it is published, for
// comparison: enriched_preconditioner.h does the same to filtered vectors with one solve in place
// of three, and sees stiffness too.
#pragma once

#include "purl/mixed/yarn_filter.h"
#include "purl/solve/operator.h"

namespace purl {

class WoodburyPreconditioner final : public Preconditioner {
public:
    // vertexMass: kg, per vertex, the triangles' share. nodeMass: kg, per yarn unknown of three,
    // lumped: the yarn nodes' share, then what the rest of the unknowns is scaled by.
    WoodburyPreconditioner(const Embedding& b, const YarnFilter& f, Span<const double> vertexMass,
                           Span<const double> nodeMass);
    ~WoodburyPreconditioner() override;
    void apply(Span<const Vec3> r, Span<Vec3> z) const override;
    double sigma() const { return sigma_; } // kg, of the part that S takes away

private:
    struct Factors;
    const Embedding* b_;
    std::vector<Index> columns_; // vertices with a column of B
    std::vector<double> vertexMass_, nodeMass_;
    double sigma_ = 1;
    std::unique_ptr<Factors> factors_;
};

} // namespace purl
