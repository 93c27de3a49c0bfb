#include "purl/integrate/glue.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace purl {

Glue::Glue(const std::vector<Weld>& welds, Index nodes) {
    std::vector<Index> root(nodes);
    std::iota(root.begin(), root.end(), 0);
    auto find = [&](Index i) {
        while (root[i] != i) i = root[i] = root[root[i]];
        return i;
    };
    for (const Weld& w : welds) {
        const Index a = find(w.a), b = find(w.b);
        root[std::max(a, b)] = std::min(a, b);
    }
    std::map<Index, std::vector<Index>> cluster;
    for (const Weld& w : welds)
        for (Index i : {w.a, w.b}) cluster[find(i)].push_back(i);
    for (auto& [key, members] : cluster) {
        std::sort(members.begin(), members.end());
        members.erase(std::unique(members.begin(), members.end()), members.end());
        if (members.size() < 2) continue;
        node_.insert(node_.end(), members.begin(), members.end());
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
