// Glue (physics 5.1): vertices that are one. A chain of welds is one cluster, and a cluster moves
// to its mass-weighted mean in one exact step (or to its pinned member).
#pragma once

#include "purl/model/weld.h"

namespace purl {

class Glue {
public:
    Glue() = default;
    explicit Glue(const std::vector<Weld>& welds);
    // Returns the largest distance that a vertex moved (m).
    double project(std::vector<Vec3>& x, const std::vector<double>& inverseMass) const;
    const std::vector<Index>& nodes() const { return node_; }
    bool empty() const { return start_.size() <= 1; }

private:
    std::vector<Index> start_{0}, node_; // clusters as lists of nodes
};

} // namespace purl
