// The kinematic filter F = I - B (B^T B)^-1 B^T of physics 8.2: takes out of yarn vectors what the
// triangles can say, so that p = B v + F x has one v and one x. Constant while the paint is;
// applied in four steps with one sparse Cholesky for all three coordinates.
#pragma once

#include "purl/mixed/embedding.h"

#include <memory>

namespace purl {

class YarnFilter {
public:
    // Columns that the yarns cannot tell from others (a vertex with too few nodes around it) are
    // left out of B here: x may then say what they say, and F stays a projector. See dropped().
    explicit YarnFilter(const Embedding& b);
    ~YarnFilter();
    YarnFilter(YarnFilter&&) noexcept;
    YarnFilter& operator=(YarnFilter&&) noexcept;

    void apply(Span<Vec3> y) const; // y = F y; rows that ride on nothing stay as they are
    // The triangles' best match of a yarn vector: (B^T B)^-1 B^T y, at kept(), in their order.
    void match(Span<const Vec3> y, Span<Vec3> c) const;
    // Its transpose: y += B (B^T B)^-1 v, v over all vertices.
    void spread(Span<const Vec3> v, Span<Vec3> y) const;

    const std::vector<Index>& kept() const { return kept_; }       // vertices that B has columns of
    const std::vector<Index>& dropped() const { return dropped_; } // carriers that it has not
    Index keptIndex(Index vertex) const { return index_[vertex]; } // in kept(), or -1

private:
    struct Factor;
    const Embedding* b_;
    std::vector<Index> kept_, dropped_, index_;
    std::unique_ptr<Factor> factor_;
};

} // namespace purl
