#include "purl/integrate/length.h"

#include "purl/base/parallel.h"
#include "purl/base/tridiagonal.h"

#include <algorithm>

namespace purl {

LengthProjection::LengthProjection(const Curves& rest, const LengthSettings& settings)
    : settings_(settings), first_(rest.first), closed_(rest.closed), length_(rest.points(), 0.0),
      diag_(rest.points()), off_(rest.points()), lambda_(rest.points()), work_(rest.points()),
      yarnIterations_(rest.yarns()) {
    for (Index y = 0; y < rest.yarns(); ++y)
        for (Index i = 0; i < rest.edges(y); ++i) {
            const Index a = rest.first[y] + i, b = rest.first[y] + (i + 1) % rest.size(y);
            length_[a] = (rest.x[b] - rest.x[a]).norm();
        }
}

double LengthProjection::project(std::vector<Vec3>& x, const std::vector<double>& w) {
    const Index yarns = static_cast<Index>(closed_.size());
    const double left = orderedMax(yarns, 1, [&](Index a, Index b) {
        double most = 0;
        for (Index y = a; y < b; ++y) most = std::max(most, projectYarn(y, x, w, yarnIterations_[y]));
        return most;
    });
    iterations_ = *std::max_element(yarnIterations_.begin(), yarnIterations_.end());
    return left;
}

double LengthProjection::projectYarn(Index y, std::vector<Vec3>& x, const std::vector<double>& w,
                                     int& iterations) {
    const Index f = first_[y], n = first_[y + 1] - f;
    const Index edges = closed_[y] ? n : n - 1;
    double worst = 0;
    for (iterations = 0;; ++iterations) {
        worst = 0;
        Vec3 before = Vec3::Zero(); // e / l of the edge before
        if (closed_[y]) before = (x[f] - x[f + n - 1]) / length_[f + n - 1];
        for (Index i = 0; i < edges; ++i) {
            const Index a = f + i, b = f + (i + 1) % n;
            const Vec3 g = (x[b] - x[a]) / length_[a];
            const double g2 = g.squaredNorm();
            lambda_[a] = (g2 - 1) * length_[a];
            diag_[a] = 4 * g2 * (w[a] + w[b]) + 1e-300;
            off_[a] = i > 0 || closed_[y] ? -4 * w[a] * before.dot(g) : 0;
            worst = std::max(worst, std::abs(g2 - 1));
            before = g;
        }
        if (worst <= settings_.tolerance || iterations == settings_.maxIterations) return worst;
        solveCyclic(edges, &diag_[f], &off_[f], &lambda_[f], &work_[f]);
        Vec3 last = Vec3::Zero(); // impulse of the edge before: p = 2 lambda e / l
        if (closed_[y]) {
            const Index a = f + n - 1;
            last = 2 * lambda_[a] / length_[a] * (x[f] - x[a]);
        }
        const Vec3 start = x[f];
        for (Index i = 0; i < edges; ++i) {
            const Index a = f + i;
            const Vec3 to = i + 1 < n ? x[a + 1] : start;
            const Vec3 p = 2 * lambda_[a] / length_[a] * (to - x[a]);
            x[a] += w[a] * (p - last);
            last = p;
        }
        if (!closed_[y]) x[f + n - 1] -= w[f + n - 1] * last;
    }
}

} // namespace purl
