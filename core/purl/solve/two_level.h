// Incomplete Cholesky for what is near, a coarse system for what is far. In one step of cloth the
// in-plane stiffness reaches across the whole sheet, so any preconditioner that only sees
// neighbours needs as many iterations as the sheet has nodes along a side; with the coarse system
// added the number hardly depends on the size.
//
// The coarse functions are bumps of about kSpread nodes: aggregates of the graph, smoothed by
// averaging over neighbours, that add up to one everywhere. They depend on the graph alone. The
// coarse matrix is P^T S A S P (Galerkin), factored sparsely at each factor().
#pragma once

#include "purl/solve/block_ic.h"
#include "purl/solve/loose_blocks.h"

namespace purl {

class TwoLevel final : public Preconditioner {
public:
    explicit TwoLevel(std::shared_ptr<const BlockPattern> pattern);
    ~TwoLevel() override;

    // `loose`: couplings beside those of `a`. The coarse system has them, what is near leaves them
    // out: bumps on two layers in contact know that they move together.
    void factor(const BlockMatrix& a, const NodeFilter& s, const LooseBlocks* loose = nullptr);
    void apply(Span<const Vec3> r, Span<Vec3> z) const override;
    Index coarseSize() const { return coarse_; }
    bool coarseUsed() const { return used_; } // false if its factorisation failed

private:
    struct Coarse;
    void buildWeights();
    void buildCoarse();
    void gatherPart(Index p, const BlockMatrix& a, const NodeFilter& s);
    void addLoose(const LooseBlocks& loose, const NodeFilter& s);

    std::shared_ptr<const BlockPattern> pattern_;
    BlockIncompleteCholesky near_;
    Index coarse_ = 0; // functions
    bool used_ = false;
    std::vector<Index> first_, function_; // per row: its functions; rows + 1
    std::vector<double> weight_;
    // Per part: the functions its rows (and their neighbours) use, and its share of the matrix.
    std::vector<Index> partFirst_, partFunction_;
    std::vector<std::vector<Mat3>> partMatrix_;
    std::unique_ptr<Coarse> system_;
};

} // namespace purl
