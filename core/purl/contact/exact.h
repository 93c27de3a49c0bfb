// Exact penalty contact (physics 3): the energy by quadrature over all near pairs. The reference
// that every faster contact is measured against, and made as fast as it honestly goes: blocks of
// four points in SIMD registers, lists with a skin, threads, ordered sums.
#pragma once

#include "purl/contact/neighbours.h"
#include "purl/contact/pair.h"
#include "purl/contact/quadrature.h"

namespace purl {

struct ContactStats {
    long touching = 0;        // block pairs with a touching point
    long listed = 0;          // block pairs looked at
    long rebuilds = 0;        // of the lists, so far
    double smallestGap = 1e9; // smallest distance / (r_a + r_b) of listed points; 1 means touching
};

class ExactContact {
public:
    ExactContact() = default;
    ExactContact(const Curves& rest, const Layout& layout, const std::vector<Material>& material,
                 const std::vector<Weld>& welds, const ContactSettings& settings);

    // Quadrature points and lists at x; then forces are added to f (ghosts folded back).
    void addForce(const Padded3& x, Padded3& f);
    double energy() const;      // J, at the last evaluated positions
    ContactStats stats() const; // at the last evaluated positions
    const Quadrature& quadrature() const { return points_; }
    const Neighbours& neighbours() const { return near_; }
    double restGap() const; // smallest distance / (r_a + r_b) at the last evaluated positions

private:
    void evaluatePairs();
    void evaluateMasked();
    template <class Visit>
    void overNearPoints(Index block, Visit&& visit) const;

    Stiffening stiffening_;
    Quadrature points_;
    Neighbours near_;
    std::vector<double> slot_;          // 12 a pair: force on b's points, where touching
    std::vector<std::uint8_t> touches_; // per pair
    std::vector<double> maskedForce_;   // 24 a masked pair
    std::vector<std::uint8_t> maskedTouches_;
    std::vector<Index> maskedStart_, maskedIn_; // masked pairs a block takes part in, ascending
};

} // namespace purl
