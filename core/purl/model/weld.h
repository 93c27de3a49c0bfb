// Two vertices that are one (a knot, a selvedge, a point shared by two curves).
#pragma once

#include "purl/base/types.h"

#include <algorithm>
#include <map>

namespace purl {

struct Weld {
    Index a, b; // vertices of Curves
};

// Chains of welds as clusters: each the sorted list of its vertices, in order of the smallest.
inline std::vector<std::vector<Index>> weldClusters(const std::vector<Weld>& welds) {
    std::map<Index, Index> root;
    auto find = [&](Index i) {
        while (root.emplace(i, i).first->second != i) i = root[i];
        return i;
    };
    for (const Weld& w : welds) {
        const Index a = find(w.a), b = find(w.b);
        root[std::max(a, b)] = std::min(a, b);
    }
    std::map<Index, std::vector<Index>> members;
    for (const auto& entry : root) members[find(entry.first)].push_back(entry.first);
    std::vector<std::vector<Index>> clusters;
    for (auto& entry : members)
        if (entry.second.size() > 1) clusters.push_back(entry.second);
    return clusters;
}

} // namespace purl
