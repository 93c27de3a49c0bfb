// Inextensible yarns by fast projection (physics 5.1, Goldenthal 2007): Newton on the constraints
// C_i = |e_i|^2 / l_i - l_i, one tridiagonal system a yarn and iteration (cyclic if closed).
#pragma once

#include "purl/geometry/curves.h"
#include "purl/model/settings.h"

namespace purl {

class LengthProjection {
public:
    LengthProjection() = default;
    LengthProjection(const Curves& rest, const LengthSettings& settings);

    // Moves x along M^-1 J^T until each edge has its rest length. Nodes with w = 0 stay.
    // Returns the largest |C| / l left (2 x strain).
    double project(std::vector<Vec3>& x, const std::vector<double>& inverseMass);
    int iterations() const { return iterations_; } // of the slowest yarn, last time

private:
    double projectYarn(Index yarn, std::vector<Vec3>& x, const std::vector<double>& w, int& iterations);
    LengthSettings settings_;
    std::vector<Index> first_;
    std::vector<std::uint8_t> closed_;
    std::vector<double> length_; // m, of the edge that starts at a node
    std::vector<double> diag_, off_, lambda_, work_;
    std::vector<int> yarnIterations_;
    int iterations_ = 0;
};

} // namespace purl
