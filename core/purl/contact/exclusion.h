// Which point pairs never touch: near along the same yarn (physics 3.4), or near a weld.
#pragma once

#include "purl/contact/quadrature.h"
#include "purl/model/weld.h"

namespace purl {

class Exclusion {
public:
    Exclusion() = default;
    Exclusion(const Quadrature&, const std::vector<Weld>& welds, const Curves& rest);

    // True if some pair of these two yarns may be excluded; most pairs of yarns are strangers.
    bool related(Index yarnU, Index yarnV) const {
        return yarnU == yarnV || !weldsOf_[yarnU].empty();
    }
    // Points at rest arc lengths s and t of two yarns.
    bool allowed(Index yarnU, double s, Index yarnV, double t) const;

private:
    double arcGap(Index yarn, double s, double t) const;
    struct WeldArc {
        Index otherYarn;
        double arc, otherArc;
    };
    std::vector<std::vector<WeldArc>> weldsOf_; // per yarn
    std::vector<double> length_, exclusion_;    // m, per yarn
    std::vector<std::uint8_t> closed_;
};

} // namespace purl
