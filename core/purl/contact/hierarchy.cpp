#include "purl/contact/hierarchy.h"

#include "purl/base/parallel.h"
#include "purl/contact/pair.h"

#include <algorithm>
#include <cmath>

namespace purl {

namespace {}

HierarchyContact::HierarchyContact(const Curves& rest, const Layout& layout,
                                   const std::vector<Material>& material,
                                   const std::vector<Weld>& welds, const ContactSettings& settings)
    : b_(settings.quadrature), layout_(&layout), closed_(rest.closed) {
    for (int i = 0; i < b_; ++i) weight_.push_back(catmullRom((i + 0.5) / b_));
    // Lengths, stiffnesses and exclusions are those of every other contact (physics 3.2, 3.4).
    const Quadrature q(rest, layout, material, b_);
    yarnLength_ = q.yarnLength;
    exclusion_ = q.exclusion;
    const Index per = q.blocksPerSegment();
    std::vector<Index> yarnOfNode(rest.points());
    std::vector<Vec3> centre;
    std::vector<Segment> segment;
    for (Index y = 0; y < rest.yarns(); ++y) {
        for (Index i = rest.first[y]; i < rest.first[y + 1]; ++i) yarnOfNode[i] = y;
        const double k = std::sqrt(material[y].contactStiffness);
        for (Index s = 0; s < rest.edges(y); ++s) {
            const Index a = static_cast<Index>(segment.size()), n = rest.first[y] + s;
            const double length = b_ / k * q.scale[a * per];
            segment.push_back(
                {q.slot[a], y, q.scale[a * per], q.radius[a * per], q.arcOfNode[n], length});
            centre.push_back(0.5 * (rest.x[n] + rest.x[rest.first[y] + (s + 1) % rest.size(y)]));
        }
    }
    tree_ = SegmentTree(centre);
    placeOfSlot_.assign(layout.slots(), -1);
    for (Index p = 0; p < tree_.segments(); ++p) {
        segment_.push_back(segment[tree_.order[p]]);
        placeOfSlot_[segment_.back().slot] = p;
    }
    weldsOf_.resize(rest.yarns());
    for (const auto& cluster : weldClusters(welds))
        for (Index a : cluster)
            for (Index b : cluster)
                if (a != b)
                    weldsOf_[yarnOfNode[a]].push_back(
                        {yarnOfNode[b], q.arcOfNode[a], q.arcOfNode[b]});
    const std::size_t n = segment_.size();
    at_.resize(3 * b_ * n);
    force_.resize(3 * b_ * n);
    control_.resize(12 * n);
    box_.resize(n);
    work_.resize(tree_.parts());
    partOf_.resize(n);
    for (Index part = 0; part < tree_.parts(); ++part)
        for (Index p = tree_.partFirst(part); p < tree_.partEnd(part); ++p) partOf_[p] = part;
}

// Points of all segments, without force, and their boxes, grown by the yarn's radius: two meet if
// yarns may touch.
void HierarchyContact::placePoints(const Padded3& x) {
    parallelFor(tree_.segments(), 128, [&](Index first, Index last) {
        for (Index p = first; p < last; ++p) {
            const Index s = segment_[p].slot;
            const double r = segment_[p].radius;
            double* to = &at_[static_cast<std::size_t>(p) * 3 * b_];
            SegmentTree::Box box;
            std::fill_n(&force_[static_cast<std::size_t>(p) * 3 * b_], 3 * b_, 0.0);
            for (int c = 0; c < 3; ++c) {
                const double* q = (c == 0 ? x.x : c == 1 ? x.y : x.z).data() + s - 1;
                double low = 1e300, high = -1e300;
                for (int i = 0; i < b_; ++i) {
                    const Weights4& w = weight_[i];
                    const double v = w[0] * q[0] + w[1] * q[1] + w[2] * q[2] + w[3] * q[3];
                    to[3 * i + c] = v;
                    low = std::min(low, v);
                    high = std::max(high, v);
                }
                box.low[c] = low - r;
                box.high[c] = high + r;
            }
            box_[p] = box;
        }
    });
    tree_.refit(box_);
}

namespace {
double arcGap(double s, double t, bool closed, double length) {
    const double d = std::abs(s - t);
    return closed ? std::min(d, length - d) : d;
}
} // namespace

// True if no pair of points of the two segments is excluded.
bool HierarchyContact::strangers(Index p, Index q) const {
    const Segment &a = segment_[p], &b = segment_[q];
    const double slack = 0.5 * (a.length + b.length);
    const double sa = a.arc + 0.5 * a.length, sb = b.arc + 0.5 * b.length;
    if (a.yarn == b.yarn &&
        arcGap(sa, sb, closed_[a.yarn], yarnLength_[a.yarn]) - slack < exclusion_[a.yarn])
        return false;
    const double limit = std::max(exclusion_[a.yarn], exclusion_[b.yarn]);
    for (const WeldArc& w : weldsOf_[a.yarn])
        if (w.otherYarn == b.yarn &&
            arcGap(sa, w.arc, closed_[a.yarn], yarnLength_[a.yarn]) +
                    arcGap(sb, w.otherArc, closed_[b.yarn], yarnLength_[b.yarn]) - slack <
                limit)
            return false;
    return true;
}

// The rule of physics 3.4 for point i of one segment and j of another.
bool HierarchyContact::excluded(Index p, int i, Index q, int j) const {
    const Segment &a = segment_[p], &b = segment_[q];
    const double sa = a.arc + a.length * (i + 0.5) / b_, sb = b.arc + b.length * (j + 0.5) / b_;
    if (a.yarn == b.yarn &&
        arcGap(sa, sb, closed_[a.yarn], yarnLength_[a.yarn]) < exclusion_[a.yarn])
        return true;
    const double limit = std::max(exclusion_[a.yarn], exclusion_[b.yarn]);
    for (const WeldArc& w : weldsOf_[a.yarn])
        if (w.otherYarn == b.yarn &&
            arcGap(sa, w.arc, closed_[a.yarn], yarnLength_[a.yarn]) +
                    arcGap(sb, w.otherArc, closed_[b.yarn], yarnLength_[b.yarn]) <
                limit)
            return true;
    return false;
}

template <class Visit>
void HierarchyContact::overPoints(Index p, Index q, Visit&& visit) const {
    const double* a = &at_[static_cast<std::size_t>(p) * 3 * b_];
    const double* b = &at_[static_cast<std::size_t>(q) * 3 * b_];
    const double reach = segment_[p].radius + segment_[q].radius, reach2 = reach * reach;
    int free = -1; // not asked yet: most near pairs do not touch
    for (int i = 0; i < b_; ++i) {
        const double ax = a[3 * i], ay = a[3 * i + 1], az = a[3 * i + 2];
        for (int j = p == q ? i + 1 : 0; j < b_; ++j) {
            const double x = ax - b[3 * j], y = ay - b[3 * j + 1], z = az - b[3 * j + 2];
            const double d2 = x * x + y * y + z * z;
            if (!(d2 < reach2)) continue;
            if (free < 0) free = strangers(p, q);
            if (free || !excluded(p, i, q, j)) visit(i, j, x, y, z, d2, reach);
        }
    }
}

// Adds the forces of all touching pairs of points to those of p and to fq; true if there are any.
bool HierarchyContact::meet(Index p, Index q, double* fq) {
    double* fp = &force_[static_cast<std::size_t>(p) * 3 * b_];
    const double k = segment_[p].scale * segment_[q].scale;
    bool touching = false;
    overPoints(p, q, [&](int i, int j, double x, double y, double z, double d2, double reach) {
        touching = true;
        const double r2 = reach * reach, s2 = std::max(d2, kContactFloor * kContactFloor * r2);
        const double c = k * (2 * r2 / (s2 * s2) - 2 / r2);
        fp[3 * i] += c * x;
        fp[3 * i + 1] += c * y;
        fp[3 * i + 2] += c * z;
        fq[3 * j] -= c * x;
        fq[3 * j + 1] -= c * y;
        fq[3 * j + 2] -= c * z;
    });
    return touching;
}

void HierarchyContact::addForce(const Padded3& x, Padded3& f) {
    placePoints(x);
    // A part owns the points of its segments. What it finds for segments of later parts is left in
    // a list of its own, which those take up in the order of the parts.
    parallelFor(tree_.parts(), 1, [&](Index first, Index last) {
        std::vector<double> away(3 * b_);
        for (Index part = first; part < last; ++part) {
            PartWork& work = work_[part];
            work.foreign.clear();
            work.near = work.touching = 0;
            const Index end = tree_.partEnd(part);
            for (Index p = tree_.partFirst(part); p < end; ++p) // one long segment may meet itself
                if (segment_[p].length > exclusion_[segment_[p].yarn])
                    meet(p, p, &force_[static_cast<std::size_t>(p) * 3 * b_]);
            tree_.pairsOf(part, [&](Index p, Index q) {
                ++work.near;
                if (q < end) {
                    work.touching += meet(p, q, &force_[static_cast<std::size_t>(q) * 3 * b_]);
                    return;
                }
                std::fill(away.begin(), away.end(), 0.0);
                if (!meet(p, q, away.data())) return;
                ++work.touching;
                Foreign out{q, {}};
                for (int i = 0; i < b_; ++i)
                    for (int w = 0; w < 4; ++w)
                        for (int c = 0; c < 3; ++c)
                            out.force[3 * w + c] += weight_[i][w] * away[3 * i + c];
                work.foreign.push_back(out);
            });
        }
    });
    gather(f);
}

// Points to control points, then slots gather from the four segments that they rule.
void HierarchyContact::gather(Padded3& f) {
    std::vector<std::vector<const Foreign*>> in(tree_.parts());
    near_ = touching_ = 0;
    for (const PartWork& work : work_) {
        near_ += work.near;
        touching_ += work.touching;
        for (const Foreign& o : work.foreign) in[partOf_[o.place]].push_back(&o);
    }
    parallelFor(tree_.parts(), 1, [&](Index first, Index last) {
        for (Index part = first; part < last; ++part) {
            spreadOwn(part);
            for (const Foreign* o : in[part])
                for (int k = 0; k < 12; ++k)
                    control_[12 * static_cast<std::size_t>(o->place) + k] += o->force[k];
        }
    });
    double* coordinate[3] = {f.x.data(), f.y.data(), f.z.data()};
    parallelFor(layout_->slots(), 1024, [&](Index first, Index last) {
        for (Index s = first; s < last; ++s)
            for (int w = 0; w < 4; ++w) {
                const Index starts = s + 1 - w; // control point w of the segment that starts there
                const Index p =
                    starts >= 0 && starts < layout_->slots() ? placeOfSlot_[starts] : -1;
                if (p < 0) continue;
                for (int c = 0; c < 3; ++c)
                    coordinate[c][s] += control_[12 * static_cast<std::size_t>(p) + 3 * w + c];
            }
    });
    for (Index y = 0; y < layout_->yarns(); ++y) foldGhosts(*layout_, y, f);
}

void HierarchyContact::spreadOwn(Index part) {
    for (Index p = tree_.partFirst(part); p < tree_.partEnd(part); ++p) {
        const double* from = &force_[static_cast<std::size_t>(p) * 3 * b_];
        double* to = &control_[12 * static_cast<std::size_t>(p)];
        std::fill(to, to + 12, 0.0);
        for (int i = 0; i < b_; ++i)
            for (int w = 0; w < 4; ++w)
                for (int c = 0; c < 3; ++c) to[3 * w + c] += weight_[i][w] * from[3 * i + c];
    }
}

double HierarchyContact::energy() const {
    return orderedSum(tree_.parts(), 1, [&](Index first, Index last) {
        double e = 0;
        for (Index part = first; part < last; ++part) {
            const auto add = [&](Index p, Index q) {
                const double k = segment_[p].scale * segment_[q].scale;
                overPoints(p, q, [&](int, int, double, double, double, double d2, double reach) {
                    e += k * contactLaw(std::sqrt(d2), reach);
                });
            };
            for (Index p = tree_.partFirst(part); p < tree_.partEnd(part); ++p)
                if (segment_[p].length > exclusion_[segment_[p].yarn]) add(p, p);
            tree_.pairsOf(part, add);
        }
        return e;
    });
}

} // namespace purl
