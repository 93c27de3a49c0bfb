// Preconditioner of a fabric: every yarn solved as a line. A woven fabric is stiff along its yarns
// and soft across, so what reaches far in one step runs along them; solved exactly there, the
// number of iterations hardly depends on how many crossings a yarn has. A line's block at a link is
// all of the matrix's diagonal (position and own sliding, 4 x 4), the blocks between are those of
// stretch and mass, so each line is positive definite. A node adds up the answers of its yarns, and
// that of coarse.h, which sees what yarns do to each other.
#pragma once

#include "purl/crossing/coarse.h"

namespace purl {

class YarnLines final : public Preconditioner {
public:
    enum class Far { Bumps, Nothing }; // Nothing: someone else sees what is far
    explicit YarnLines(const Fabric& fabric, Far far = Far::Bumps);

    // The coarse system may be kept from an earlier call: it only has to be near. `ground`, per
    // node, is stiffness that the fabric does not know of: what nodes are tied to besides.
    void factor(const Stiffness& a, const NodeFilter& s, bool keepCoarse = false,
                Span<const Mat3> ground = {});
    void apply(Span<const Vec3> r, Span<Vec3> z) const override;
    std::size_t bytes() const;

private:
    // A long yarn (a knit may be one alone) is cut; what couples its parts is left out.
    static constexpr Index kLongest = 1024;

    void factorLine(Index line, const Stiffness& a, Span<const Mat3> ground);

    const Fabric& fabric_;
    std::unique_ptr<FabricCoarse> coarse_; // may be none
    std::vector<Index> line_;              // first link of each line
    std::vector<Index> length_;            // links of each
    std::vector<std::uint8_t> held_;       // per link: 1 the node is pinned, 2 it does not slide
    std::vector<std::uint8_t> last_;       // per link: the end of its line
    std::vector<std::array<float, 10>> inverse_; // per link: of the pivot, symmetric
    std::vector<std::array<float, 16>> upper_;   // per link: pivot^-1 times the block to the next
};

} // namespace purl
