// One bit for each pair of quadrature points of two segments: 11 x 11 = 121 bits in two words (the
// paper's 8 x 8 map cannot hold its own b = 11; physics 4.8, errata 10). Bit i b + j stands for
// point i of the first segment and point j of the second.
#pragma once

#include <cstdint>

namespace purl {

struct PairBits {
    static constexpr int kMaxPoints = 11; // a segment
    std::uint64_t word[2] = {0, 0};

    void set(int k) { word[k >> 6] |= std::uint64_t(1) << (k & 63); }
    bool test(int k) const { return (word[k >> 6] >> (k & 63)) & 1; }
    bool any() const { return (word[0] | word[1]) != 0; }
    // `width` bits from bit k on, width <= 11.
    std::uint32_t bits(int k, int width) const {
        const int shift = k & 63;
        std::uint64_t v = word[k >> 6] >> shift;
        if (shift + width > 64) v |= word[1] << (64 - shift);
        return static_cast<std::uint32_t>(v) & ((1u << width) - 1);
    }
    void setBits(int k, std::uint32_t v) {
        const int shift = k & 63;
        word[k >> 6] |= static_cast<std::uint64_t>(v) << shift;
        if (shift > 53 && k < 64) word[1] |= static_cast<std::uint64_t>(v) >> (64 - shift);
    }
    // Points [i0, i1] of the first with [j0, j1] of the second; b points a segment.
    static PairBits box(int b, int i0, int i1, int j0, int j1) {
        PairBits out;
        const std::uint32_t row = ((1u << (j1 + 1)) - 1) & ~((1u << j0) - 1);
        for (int i = i0; i <= i1; ++i) out.setBits(i * b, row);
        return out;
    }
    static PairBits all(int b) { return box(b, 0, b - 1, 0, b - 1); }

    PairBits operator|(const PairBits& o) const {
        return {{word[0] | o.word[0], word[1] | o.word[1]}};
    }
    PairBits operator&(const PairBits& o) const {
        return {{word[0] & o.word[0], word[1] & o.word[1]}};
    }
    PairBits operator~() const { return {{~word[0], ~word[1]}}; }
    bool operator==(const PairBits& o) const {
        return word[0] == o.word[0] && word[1] == o.word[1];
    }
};

} // namespace purl
