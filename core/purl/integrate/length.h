// Inextensible yarns by fast projection (physics 5.1, Goldenthal 2007): Newton on the constraints
// C_i = |e_i|^2 / l_i - l_i, one tridiagonal system a chain and iteration (cyclic if closed).
// A chain is a yarn, or several joined end to end by welds: a welded pair of ends is one node of
// their joint mass, so that such glue is exact and costs nothing.
#pragma once

#include "purl/geometry/curves.h"
#include "purl/integrate/long_chain.h"
#include "purl/model/settings.h"
#include "purl/model/weld.h"

namespace purl {

class LengthProjection {
public:
    LengthProjection() = default;
    LengthProjection(const Curves& rest, const std::vector<Weld>& welds,
                     const LengthSettings& settings);

    // Moves x along M^-1 J^T until each edge has its rest length. Nodes with w = 0 stay.
    // Returns the largest |C| / l left (2 x strain).
    double project(std::vector<Vec3>& x, const std::vector<double>& inverseMass);
    // The same where only these nodes were moved since the last projection of the same x.
    double projectAgain(std::vector<Vec3>& x, const std::vector<double>& inverseMass,
                        Span<const Index> moved);
    int iterations() const { return iterations_; } // of the slowest chain, last time
    Index chains() const { return static_cast<Index>(closed_.size()); }
    // Welds that the chains do not take care of.
    const std::vector<Weld>& otherWelds() const { return otherWelds_; }

private:
    double projectChain(Index chain, std::vector<Vec3>& x, const std::vector<double>& w);
    double projectLong(Index chain, std::vector<Vec3>& x, const std::vector<double>& w);
    double solveLong(Index chain, std::vector<Vec3>& x);
    // A place: the mass-weighted mean of its nodes, or where its pinned one is.
    void gather(Index place, const std::vector<Vec3>& x, const std::vector<double>& w, Vec3& at,
                double& inverseMass) const;
    void walk(const Curves& rest, Index yarn, bool fromEnd, const std::vector<Index>& partner,
              std::vector<std::uint8_t>& used);
    LengthSettings settings_;
    std::vector<Index> start_{0};      // chain c owns places start_[c] .. start_[c+1]-1
    std::vector<Index> node_, twin_;   // per place: node, and the node welded to it or -1
    std::vector<std::uint8_t> closed_; // per chain
    std::vector<double> length_;       // m, of the edge that starts at a place
    std::vector<Weld> otherWelds_;
    std::vector<Vec3> at_; // scratch, per place
    std::vector<double> w_, diag_, off_, lambda_, work_;
    std::vector<LongChain> long_;          // of long open chains ...
    std::vector<Index> placeOf_, chainOf_; // per node
    std::vector<std::uint8_t> again_;      // scratch, per chain
    std::vector<Index> longOf_;            // ... per chain: which, or -1
    std::vector<int> chainIterations_;
    int iterations_ = 0;
};

} // namespace purl
