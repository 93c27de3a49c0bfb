// Strands on their way to a Pattern: the relaxer's chains with what each node is.
#pragma once

#include "purl/pattern/pattern.h"
#include "purl/pattern/strands.h"

namespace purl {

enum Edge : std::uint8_t { kLeft = 1, kRight = 2, kBottom = 4, kTop = 8 };

struct Tag {
    Index course = -1, wale = -1;
    std::uint8_t edges = 0; // of Edge
    bool cut = false;       // one yarn ends here and the next one starts, welded to it
};

struct StrandSet {
    Strands strands;
    std::vector<std::vector<Tag>> tags; // per chain, per node

    Index addPoint(const Vec3& x, bool fixed) {
        strands.x.push_back(x);
        strands.fixed.push_back(fixed ? 1 : 0);
        return static_cast<Index>(strands.x.size()) - 1;
    }
    // Starts a chain of points that want to be `edge` metres apart.
    void startChain(double edge, bool ring) {
        Chain chain;
        chain.edge = edge;
        chain.goesOn = ring;
        strands.chains.push_back(std::move(chain));
        tags.emplace_back();
    }
    void addNode(Index point, const Tag& tag) {
        strands.chains.back().points.push_back(point);
        tags.back().push_back(tag);
    }
};

// Cuts the chains at their cuts: both sides share the point.
StrandSet cutChains(const StrandSet&);

// Yarns, attributes, groups and welds (points that several nodes share), centred in x and y.
Pattern toPattern(const StrandSet&, double radius);

} // namespace purl
