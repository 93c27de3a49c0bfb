// Our preconditioner of the mixed system. To filtered vectors it is the inverse of
//   S ( A_v + B^T D B    B^T D ) S
//     ( D B              D     )
// with D one 3x3 block a riding node. With D and A_v the masses that is the paper's P (physics
// 8.4); with the blocks of the whole system matrix it sees stiffness as well. Where the paper
// solves three systems, one of them 3n x 3n without symmetry, one is enough: with p = B v + x,
//   F D p = r_x  says  D p = r_x + B c,  and  B^T x = 0  says  B^T p = B^T B v,  so
//   ( A_v      B^T B       ) ( v )   ( r_v - B^T r_x )
//   ( B^T B    -B^T D^-1 B ) ( c ) = ( B^T D^-1 r_x  ),
// symmetric quasi-definite: a sparse L D L^T exists for every order of elimination.
#pragma once

#include "purl/mixed/yarn_filter.h"
#include "purl/solve/filter.h"
#include "purl/solve/operator.h"

namespace purl {

class EnrichedPreconditioner final : public Preconditioner {
public:
    EnrichedPreconditioner(const Embedding& b, const YarnFilter& f);
    ~EnrichedPreconditioner() override;

    // triangles: A_v, 3 rows a vertex, symmetric, positive semidefinite. nodes: D, one block a yarn
    // node. held: over vertices at least; what it holds is left out. others: applied to the yarn
    // unknowns that do not ride (all of them are given, riding ones as zero).
    void factor(const Eigen::SparseMatrix<double>& triangles, Span<const Mat3> nodes,
                const NodeFilter& held, const Preconditioner* others);
    void apply(Span<const Vec3> r, Span<Vec3> z) const override;
    Index factorEntries() const; // numbers kept in L

private:
    struct Factors;
    const Embedding* b_;
    const YarnFilter* f_;
    const NodeFilter* held_ = nullptr;
    const Preconditioner* others_ = nullptr;
    std::vector<Mat3> inverse_; // of D
    std::unique_ptr<Factors> factors_;
};

} // namespace purl
