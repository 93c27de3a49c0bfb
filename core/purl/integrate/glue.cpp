#include "purl/integrate/glue.h"

namespace purl {

Glue::Glue(const std::vector<Weld>& welds) {
    for (const auto& cluster : weldClusters(welds)) {
        node_.insert(node_.end(), cluster.begin(), cluster.end());
        start_.push_back(static_cast<Index>(node_.size()));
    }
}

double Glue::project(std::vector<Vec3>& x, const std::vector<double>& w) const {
    double most = 0;
    for (std::size_t c = 0; c + 1 < start_.size(); ++c) {
        Vec3 sum = Vec3::Zero();
        double mass = 0;
        bool pinned = false;
        for (Index k = start_[c]; k < start_[c + 1]; ++k) {
            const Index i = node_[k];
            if (w[i] == 0 && !pinned) {
                pinned = true;
                sum = Vec3::Zero();
                mass = 0;
            }
            if (pinned && w[i] != 0) continue;
            const double m = pinned ? 1 : 1 / w[i];
            sum += m * x[i];
            mass += m;
        }
        const Vec3 mean = sum / mass;
        for (Index k = start_[c]; k < start_[c + 1]; ++k) {
            const Index i = node_[k];
            if (w[i] == 0) continue;
            most = std::max(most, (x[i] - mean).norm());
            x[i] = mean;
        }
    }
    return most;
}

} // namespace purl
