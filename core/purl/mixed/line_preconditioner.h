// A preconditioner of two levels, as the mixed model itself is: the triangles see what is far, the
// yarns what is near.
//   z_v = W^-1 r_v,   z_x = F L F r_x
// W is the triangles at full weight plus the mass of what rides on them (wholeSparse: homogenised
// yarns), factored sparsely; L solves every yarn as a line (crossing/yarn_lines.h). Blocks that
// couple v to x are left out: the filter keeps x out of what v can say.
#pragma once

#include "purl/mixed/embedding.h"
#include "purl/solve/filter.h"
#include "purl/solve/operator.h"

#include <memory>

namespace purl {

class LinePreconditioner final : public Preconditioner {
public:
    explicit LinePreconditioner(const Embedding& b);
    ~LinePreconditioner() override;
    // whole: 3 rows a vertex. nodeMass: kg, per yarn node, with its factor (1 + h c). held: over
    // vertices at least.
    void factor(const Eigen::SparseMatrix<double>& whole, Span<const double> nodeMass,
                const NodeFilter& held, const Preconditioner& yarns);
    void apply(Span<const Vec3> r, Span<Vec3> z) const override;

private:
    struct Factor;
    const Embedding* b_;
    const Preconditioner* yarns_ = nullptr;
    const NodeFilter* held_ = nullptr;
    std::unique_ptr<Factor> factor_;
};

} // namespace purl
