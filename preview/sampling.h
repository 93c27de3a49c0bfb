// Random numbers without a state: a hash of pixel, sample and purpose. The same pixel gets the same
// numbers whichever thread works on it.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

namespace purl {

inline std::uint32_t mixBits(std::uint32_t h) { // a finaliser with full avalanche
    h ^= h >> 16;
    h *= 0x7feb352dU;
    h ^= h >> 15;
    h *= 0x846ca68bU;
    return h ^ (h >> 16);
}
inline std::uint32_t hashOf(std::uint32_t a, std::uint32_t b, std::uint32_t c = 0) {
    return mixBits(a + 0x9e3779b9U * mixBits(b + 0x85ebca6bU * mixBits(c + 0x165667b1U)));
}
inline float unitFloat(std::uint32_t h) { return static_cast<float>(h >> 8) * 0x1p-24F; }

// Points of one pixel: for every purpose a plane Kronecker sequence (steps 1/g and 1/g^2 with
// g^3 = g + 1) shifted by the pixel's hash, in an order of its own, so that the samples of each
// purpose are spread evenly and two purposes are not tied to each other.
class PixelSampler {
public:
    PixelSampler(std::uint32_t x, std::uint32_t y, int samples)
        : x_(x), y_(y), seed_(hashOf(x, y, 7)), samples_(static_cast<std::uint32_t>(samples)) {}

    std::array<float, 2> pair(std::uint32_t sample, std::uint32_t purpose) const {
        const std::uint32_t h = hashOf(seed_, purpose);
        std::uint32_t stride = 1 + 2 * (h % 8); // odd: a permutation where samples is a power of 2
        while (gcd(stride, samples_) != 1) stride += 2;
        const float i = static_cast<float>((sample * stride + (h >> 20)) % samples_);
        const float a = unitFloat(mixBits(h ^ 0x68bc21ebU)) + i * 0.7548776662F;
        const float b = unitFloat(mixBits(h ^ 0x02e5be93U)) + i * 0.5698402910F;
        return {a - std::floor(a), b - std::floor(b)};
    }

    // As pair, but with neighbouring pixels sharing one even sequence: their errors differ and
    // cancel when the pixels are evened out afterwards.
    std::array<float, 2> spreadPair(std::uint32_t sample, std::uint32_t purpose) const {
        // Powers of 1/g with g^5 = g + 1, the even sequence of four dimensions, two to a number.
        const auto part = [](double v) { return static_cast<float>(v - std::floor(v)); };
        const double i = sample, shift = 0.37 * purpose;
        return {part(shift + 0.8566748838545029 * x_ + 0.7338918566271260 * y_ +
                     0.7548776662466927 * i),
                part(shift + 0.6287067210378087 * x_ + 0.5385972572236101 * y_ +
                     0.5698402909980532 * i)};
    }

private:
    static std::uint32_t gcd(std::uint32_t a, std::uint32_t b) {
        while (b) {
            const std::uint32_t t = a % b;
            a = b;
            b = t;
        }
        return a;
    }
    std::uint32_t x_, y_, seed_, samples_;
};

} // namespace purl
