// The lengths of one long chain (rows joined at their selvedges are one), projected as in
// length.h but in blocks of edges: blocks are solved side by side, four in the lanes of a register
// and many on the threads, each with what its two neighbours may do to it; a small system in the
// order of the chain joins them. Blocks that have their lengths, beside blocks that have theirs,
// are left alone: what one knot pulls at does not cost the whole chain. The same bits at every
// thread count.
#pragma once

#include "purl/base/types.h"

namespace purl {

class LongChain {
public:
    LongChain(Span<const double> lengths); // one an edge; there is one node more

    std::vector<double> x, y, z, w;      // m, 1/kg: nodes, filled in and read by the caller
    void touch(Index node);              // it was moved from where the last projection left it ...
    void touchAll();                     // ... or all were
    static constexpr Index kBlock = 128; // edges
    Index blocks() const { return blocks_; }
    // Whether the nodes [kBlock b, kBlock (b + 1)) may have moved in the last projection.
    bool moved(Index block) const { return moved_[block]; }
    // Newton's method until every |g|^2 - 1 is within the tolerance; returns the largest left.
    double project(double tolerance, int maxIterations, int& iterations);

private:
    double evaluate();
    void choose(double tolerance);
    void solveBlocks();
    void joinBlocks();
    void move();

    Index edges_, blocks_;
    std::vector<double> length_, inverse_; // m, 1/m
    std::vector<double> gx_, gy_, gz_;     // e / l
    std::vector<double> diagonal_, off_;   // of the system; off[i] couples i - 1 and i
    std::vector<double> residual_;
    std::vector<double> lambda_, before_, after_;      // solution; answer to either neighbour
    std::vector<double> pivot_;                        // 1 / pivot
    std::vector<std::uint8_t> dirty_, active_, moved_; // per block
    std::vector<double> worst_;                        // per block
    std::vector<double> last_, first_;  // per block: lambda of the last edge of the block
                                        // before, of the first of the block after
    std::vector<double> p_, q_, s_, t_; // of the small system
};

} // namespace purl
