// Wind and drag on yarns as thin cylinders: quadratic, across and along the yarn apart. Solved
// implicitly per node (speed against the air only ever shrinks), so any step is stable.
#pragma once

#include "purl/base/simd.h"
#include "purl/geometry/curves.h"
#include "purl/model/settings.h"

namespace purl {

class Air {
public:
    Air() = default;
    Air(const Curves& rest, const ForceSettings& settings);
    // Changes v by what the air exerts in dt (s); inverseMass in 1/kg.
    void apply(const std::vector<Vec3>& x, std::vector<Vec3>& v, const std::vector<double>& inverseMass,
               double dt) const;

private:
    ForceSettings settings_;
    std::vector<Index> before_, after_; // neighbours of a node on its yarn (itself at an end)
    std::vector<double> area_;          // m2, silhouette of a node's share of yarn: 2 r times length
};

} // namespace purl
