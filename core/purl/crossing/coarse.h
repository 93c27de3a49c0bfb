// The far-reaching part of the preconditioner: positions moved by bumps of a few dozen nodes that
// add up to one everywhere, with the fabric's own stiffness between them (Galerkin), factored
// sparsely. Lines (yarn_lines.h) see stretch along a yarn; bending and shear couple yarns to each
// other over some ten crossings in a step, and those this sees. solve/two_level.h has the same idea
// for an assembled matrix; here the elements are summed into bumps directly.
#pragma once

#include "purl/crossing/stiffness.h"
#include "purl/solve/filter.h"

#include <Eigen/SparseCore>
#include <memory>

namespace purl {

class FabricCoarse {
public:
    explicit FabricCoarse(const Fabric& fabric);
    // Functions of somebody else's: those of node i are function[first[i]] .. function[first[i + 1]
    // - 1], each once. sum() then gives the matrix to who factors it.
    FabricCoarse(const Fabric& fabric, Index functions, std::vector<Index> first,
                 std::vector<Index> function, std::vector<float> weight);
    ~FabricCoarse();

    void factor(const Stiffness& a, const NodeFilter& s);
    // P^T A P, 3 rows a function, lower triangle; rows of pinned nodes are left out.
    const Eigen::SparseMatrix<double>& sum(const Stiffness& a, const NodeFilter& s);
    // Two halves, so that the first can run beside other work: the bumps' answer to r, and its sum
    // added to z.
    void solve(Span<const Vec3> r) const;
    void addTo(Index i, Vec3& z) const;
    bool used() const { return used_; } // false if the factorisation failed
    Index functions() const { return count_; }
    std::size_t bytes() const;

private:
    struct System;
    void cutParts(std::vector<Index>& first, std::vector<Index>& near); // of the graph of links
    void buildWeights();
    void buildPattern();
    void sumPart(Index p, const Stiffness& a, const NodeFilter& s, std::vector<Mat3>& out) const;

    const Fabric& fabric_;
    Index count_ = 0;
    bool used_ = false;
    std::vector<Index> first_, function_; // per node: its functions
    std::vector<float> weight_;
    std::vector<Index> part_, order_;             // parts of nodes: places in `order_`
    std::vector<Index> partFirst_, partFunction_; // per part: functions that its elements meet
    std::unique_ptr<System> system_;
};

} // namespace purl
