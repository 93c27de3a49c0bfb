#include "purl/solve/filter.h"

namespace purl {

void NodeFilter::reset(Index nodes) {
    slot_.assign(static_cast<std::size_t>(nodes), -1);
    nodes_.clear();
    projector_.clear();
}

Mat3& NodeFilter::own(Index i) {
    if (slot_[i] < 0) {
        slot_[i] = static_cast<Index>(nodes_.size());
        nodes_.push_back(i);
        projector_.push_back(Mat3::Identity());
    }
    return projector_[slot_[i]];
}

void NodeFilter::pin(Index i) { own(i).setZero(); }

void NodeFilter::holdDirection(Index i, const Vec3& direction) {
    Mat3& s = own(i);
    // Only what is still free of it: two directions that are not at right angles take away their
    // plane, and the result stays a projector.
    Vec3 p = s * direction;
    const double length = p.norm(), whole = direction.norm();
    if (!(length > 1e-9 * whole)) return;
    p /= length;
    s -= p * p.transpose();
    // One direction left at most one eigenvalue near 1, else rounding: snap a vanished projector.
    if (s.trace() < 0.5) s.setZero();
}

void NodeFilter::holdAllBut(Index i, const Vec3& direction) {
    Mat3& s = own(i);
    const Vec3 p = s * direction;
    const double length = p.norm(), whole = direction.norm();
    // A line that leaves the plane the node is already held to is no way to go at all.
    if (!(length > (1 - 1e-9) * whole)) {
        s.setZero();
        return;
    }
    s = p * p.transpose() / (length * length);
}

void NodeFilter::set(Index i, const Mat3& s) { own(i) = s; }

void NodeFilter::apply(Span<Vec3> x) const {
    for (std::size_t k = 0; k < nodes_.size(); ++k)
        x[nodes_[k]] = (projector_[k] * x[nodes_[k]]).eval();
}

void NodeFilter::permuted(Span<const Index> position, NodeFilter& out) const {
    out.slot_.assign(slot_.size(), -1);
    out.nodes_.resize(nodes_.size());
    out.projector_ = projector_;
    for (std::size_t k = 0; k < nodes_.size(); ++k) {
        out.nodes_[k] = position[nodes_[k]];
        out.slot_[out.nodes_[k]] = static_cast<Index>(k);
    }
}

bool NodeFilter::operator==(const NodeFilter& o) const {
    if (size() != o.size()) return false;
    for (Index i = 0; i < size(); ++i)
        if (isFree(i) != o.isFree(i) || (!isFree(i) && at(i) != o.at(i))) return false;
    return true;
}

} // namespace purl
