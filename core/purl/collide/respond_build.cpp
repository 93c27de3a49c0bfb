// Which points are tested, and the blocks they are kept in.
#include "purl/base/error.h"
#include "purl/collide/respond.h"
#include "purl/geometry/catmull_rom.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace purl {

std::vector<YarnPoint> midSegmentPoints(const Curves& curves) {
    std::vector<YarnPoint> points;
    for (Index y = 0; y < curves.yarns(); ++y)
        for (Index e = 0; e < curves.edges(y); ++e) {
            const Segment seg = segmentOf(curves, y, e);
            points.push_back({seg.q, seg.fold(catmullRom(0.5)), curves.radius[y]});
        }
    return points;
}

std::vector<double> nodeRadii(const Curves& curves) {
    std::vector<double> radius(curves.x.size());
    for (Index y = 0; y < curves.yarns(); ++y)
        std::fill(radius.begin() + curves.first[y], radius.begin() + curves.first[y + 1],
                  curves.radius[y]);
    return radius;
}

CollisionResponse::CollisionResponse(std::vector<double> nodeRadius,
                                     const std::vector<YarnPoint>& points)
    : nodes_(static_cast<Index>(nodeRadius.size())), blocks_((nodes_ + kBlock - 1) / kBlock),
      radius_(std::move(nodeRadius)), firstPoint_(blocks_ + 1, 0), firstHalo_(1, 0),
      overshoot_(blocks_, 1.0), maxRadius_(blocks_, 0.0), firstUser_(nodes_ + 1, 0),
      gather_(blocks_, 0), touched_(points.size(), 0), pull_(points.size()), partial_(blocks_) {
    for (const YarnPoint& p : points)
        for (Index i : p.node)
            if (i < 0 || i >= nodes_)
                throw Error("collision points", "a point uses node " + std::to_string(i) +
                                                    ", expected 0 to " +
                                                    std::to_string(nodes_ - 1));
    // Points by the block of their second node, which is where their segment starts; stable.
    for (const YarnPoint& p : points) ++firstPoint_[p.node[1] / kBlock + 1];
    for (Index b = 0; b < blocks_; ++b) firstPoint_[b + 1] += firstPoint_[b];
    std::vector<Index> at(firstPoint_.begin(), firstPoint_.end() - 1);
    points_.resize(points.size());
    for (const YarnPoint& p : points) points_[at[p.node[1] / kBlock]++] = p;

    for (Index i = 0; i < nodes_; ++i)
        maxRadius_[i / kBlock] = std::max(maxRadius_[i / kBlock], radius_[i]);
    for (Index b = 0; b < blocks_; ++b) {
        for (Index p = firstPoint_[b]; p < firstPoint_[b + 1]; ++p) {
            double sum = 0;
            for (int j = 0; j < 4; ++j) {
                const Index i = points_[p].node[j];
                sum += std::abs(points_[p].weight[j]);
                if (i / kBlock != b &&
                    std::find(halo_.begin() + firstHalo_[b], halo_.end(), i) == halo_.end())
                    halo_.push_back(i);
            }
            overshoot_[b] = std::max(overshoot_[b], sum);
            maxRadius_[b] = std::max(maxRadius_[b], points_[p].radius);
        }
        firstHalo_.push_back(static_cast<Index>(halo_.size()));
    }

    const auto eachUse = [&](auto&& use) {
        for (Index p = 0; p < static_cast<Index>(points_.size()); ++p)
            for (int j = 0; j < 4; ++j)
                if (points_[p].weight[j] != 0) use(points_[p].node[j], 4 * p + j);
    };
    eachUse([&](Index node, Index) { ++firstUser_[node + 1]; });
    for (Index i = 0; i < nodes_; ++i) firstUser_[i + 1] += firstUser_[i];
    user_.resize(firstUser_[nodes_]);
    std::vector<Index> next(firstUser_.begin(), firstUser_.end() - 1);
    eachUse([&](Index node, Index value) { user_[next[node]++] = value; });
    active_.reserve(blocks_);
    gatherList_.reserve(blocks_);
}

} // namespace purl
