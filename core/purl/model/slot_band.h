// A symmetric matrix over the slots of a layout that couples a slot with the three after it: what
// rods, stretch and the same side of a contact are (physics 4.9 P2). Single precision: it serves a
// solve to a few per cent.
#pragma once

#include "purl/model/layout.h"

namespace purl {

struct SlotBand {
    static constexpr int kRow = 40;  // numbers a slot
    static constexpr int kReach = 3; // slots
    static constexpr int kOff = 6;   // where the blocks to the slots after begin, nine numbers each
    // What the row's blocks in this matrix sum to, as the diagonal is kept. Stiffness is ten
    // thousand times the mass it acts on: a diagonal that holds both has lost the mass's digits, so
    // products use differences and this sum, and only the factorisation the diagonal.
    static constexpr int kSum = 33;
    std::vector<float> a; // per slot: diagonal block xx xy xz yy yz zz; then the block (s, s+1),
                          // (s, s+2), (s, s+3), each row by row; then the sum, xx .. zz; one spare

    void reset(Index slots) { a.assign(static_cast<std::size_t>(slots + kReach) * kRow, 0.f); }
    Index slots() const { return static_cast<Index>(a.size() / kRow) - kReach; }
    float* row(Index slot) { return a.data() + static_cast<std::size_t>(slot) * kRow; }
    const float* row(Index slot) const { return a.data() + static_cast<std::size_t>(slot) * kRow; }
    static int off(int k) { return kOff + 9 * (k - 1); } // of the block (s, s+k)
};

} // namespace purl
