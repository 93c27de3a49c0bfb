// A network as the solver walks it: node by node. A link is a yarn's visit to a node; the links of
// a node lie side by side, each knows the one before and after it along its yarn.
//
// Unknowns are flat arrays of 2 n vectors, so that the linear solver needs to know nothing of
// sliding: entry i is the position of node i, entry n + i its sliding coordinates (one a side; what
// no yarn uses stays 0).
#pragma once

#include "purl/crossing/network.h"

namespace purl {

struct YarnLinks {
    static constexpr Index kNone = -1;

    YarnLinks() = default;
    explicit YarnLinks(const CrossingNetwork& net);

    Index nodes = 0;
    std::vector<Index> first;         // per node: its first link; nodes + 1
    std::vector<Index> node;          // per link
    std::vector<Index> before, after; // per link: along the yarn, kNone at its ends
    std::vector<std::uint8_t> side;   // per link
    std::vector<std::int8_t> lift;    // per link
    std::vector<std::uint16_t> material;
    std::vector<float> closest; // m, per link: least rest length to the link after
    std::vector<float> stitch;  // m, per link: rest length of the stitch contact that the piece to
                                // the link after lies in, 0 if it does not. Empty: no knit
    std::vector<float> chord;   // per link: CrossingNetwork::chord of the piece to the link after
    std::vector<float> unbend;  // N, per link: what such a piece resists with. Empty: none bows
    std::vector<float> rest;    // rad, per link: bend without force. Empty: straight
    std::vector<Index> start;   // per yarn: its first link
    std::vector<Index> ofVisit; // per visit of the network: its link

    Index links() const { return static_cast<Index>(node.size()); }
    // The link of a node's side, kNone if no yarn is there.
    Index at(Index i, int s) const {
        for (Index k = first[i]; k < first[i + 1]; ++k)
            if (side[k] == s) return k;
        return kNone;
    }
    double slide(Span<const Vec3> q, Index k) const { return q[nodes + node[k]][side[k]]; }
    double restAngle(Index k) const { return rest.empty() ? 0 : rest[k]; }
    std::size_t bytes() const;
};

// Positions and sliding coordinates of the network, as above.
std::vector<Vec3> unknownsOf(const CrossingNetwork& net);

template <class T>
std::size_t bytesOf(const std::vector<T>& v) {
    return v.capacity() * sizeof(T);
}

} // namespace purl
