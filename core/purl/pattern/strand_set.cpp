#include "purl/pattern/strand_set.h"

namespace purl {

namespace {

void setCurveU(const Curves& curves, std::vector<double>& u) {
    u.resize(curves.x.size());
    for (Index y = 0; y < curves.yarns(); ++y) {
        double sum = 0;
        for (Index k = 0; k < curves.edges(y); ++k) {
            u[curves.first[y] + k] = sum;
            sum += arcLength(curves.x, segmentOf(curves, y, k));
        }
        if (!curves.closed[y]) u[curves.first[y + 1] - 1] = sum;
        for (Index k = 0; k < curves.size(y); ++k) u[curves.first[y] + k] /= sum;
    }
}

} // namespace

StrandSet cutChains(const StrandSet& set) {
    StrandSet out;
    out.strands = set.strands;
    out.strands.chains.clear();
    for (std::size_t c = 0; c < set.strands.chains.size(); ++c) {
        const Chain& chain = set.strands.chains[c];
        out.startChain(chain.edge, chain.goesOn);
        for (std::size_t k = 0; k < chain.points.size(); ++k) {
            Tag tag = set.tags[c][k];
            out.addNode(chain.points[k], tag);
            if (!tag.cut) continue;
            out.startChain(chain.edge, false);
            if (k + 1 < chain.points.size()) tag.course = set.tags[c][k + 1].course;
            out.addNode(chain.points[k], tag);
        }
    }
    return out;
}

Pattern toPattern(const StrandSet& set, double radius) {
    Pattern out;
    Vec3 low = Vec3::Constant(1e300), high = -low;
    for (const Chain& chain : set.strands.chains)
        for (Index p : chain.points) {
            low = low.cwiseMin(set.strands.x[p]);
            high = high.cwiseMax(set.strands.x[p]);
        }
    Vec3 centre = 0.5 * (low + high);
    centre[2] = 0; // the fabric's middle is where the generator put it
    std::vector<Index> firstUse(set.strands.x.size(), -1);
    for (std::size_t c = 0; c < set.strands.chains.size(); ++c) {
        const Chain& chain = set.strands.chains[c];
        std::vector<Vec3> points;
        for (std::size_t k = 0; k < chain.points.size(); ++k) {
            const Index id = static_cast<Index>(out.course.size());
            const Tag& tag = set.tags[c][k];
            points.push_back(set.strands.x[chain.points[k]] - centre);
            out.course.push_back(tag.course);
            out.wale.push_back(tag.wale);
            if (tag.edges & kLeft) out.edgeLeft.push_back(id);
            if (tag.edges & kRight) out.edgeRight.push_back(id);
            if (tag.edges & kBottom) out.edgeBottom.push_back(id);
            if (tag.edges & kTop) out.edgeTop.push_back(id);
            Index& first = firstUse[chain.points[k]];
            if (first < 0)
                first = id;
            else
                out.welds.push_back({first, id});
        }
        out.curves.add(points, chain.goesOn, radius);
        // Cream and deep teal, course by course (linear RGB).
        out.color.push_back(c % 2 == 0 ? Vec3(0.84, 0.73, 0.55) : Vec3(0.02, 0.18, 0.21));
    }
    out.rest = out.curves.x;
    setCurveU(out.curves, out.curveu);
    return out;
}

} // namespace purl
