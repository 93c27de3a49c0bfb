// What is read from a MixedSolver, and its state to a checkpoint and back.
#include "purl/base/snapshot.h"
#include "purl/mixed/solver_parts.h"

namespace purl {

// Vertices under paint are no unknowns: between frames they are put where the yarns say, as the
// best match of all nodes that lie on their triangles, so that polygons are whole and new paint
// finds them in place.
void MixedSolver::refreshVertices() {
    const YarnFilter& under = parts_->underMatch;
    std::vector<Vec3> match(under.kept().size());
    const auto fill = [&](std::vector<Vec3>& all) {
        under.match(Span<const Vec3>(all.data() + nv_, static_cast<std::size_t>(n_)), match);
        for (std::size_t k = 0; k < match.size(); ++k) {
            const Index v = under.kept()[k];
            if (!parts_->unknownVertex[v]) all[v] = match[k];
        }
    };
    fill(y_), fill(r_);
}

void MixedSolver::layoutPositions(const FabricLayout& layout, Span<Vec3> x, Span<Vec3> v) const {
    for (Index i = 0; i < layout.network.nodes(); ++i) {
        const Index own = patch_.indexOf[i];
        x[i] = own >= 0 ? y_[nv_ + own] : parts_->loop.at(i, y_);
        if (!v.empty()) v[i] = own >= 0 ? r_[nv_ + own] : parts_->loop.rate(i, y_, r_);
    }
}

double MixedSolver::kineticEnergy() const {
    const std::size_t nv = static_cast<std::size_t>(nv_), m = r_.size() - nv;
    std::vector<Vec3> p(m);
    applyMass(fabric_, Span<const Vec3>(y_.data() + nv, m), Span<const Vec3>(r_.data() + nv, m), p);
    double sum = 0;
    for (std::size_t i = 0; i < m; ++i) sum += 0.5 * p[i].dot(r_[nv + i]);
    for (std::size_t v = 0; v < nv; ++v)
        if (parts_->unknownVertex[v])
            sum += 0.5 * parts_->triangles.mass()[v] * r_[v].squaredNorm();
    return sum;
}

double MixedSolver::energy() {
    const std::size_t nv = static_cast<std::size_t>(nv_);
    double sum = fabric_.evaluate(Span<const Vec3>(y_.data() + nv, y_.size() - nv), {});
    sum += parts_->triangles.evaluate(vertices(), {}, Span<Vec3>(scratch_.data(), nv));
    for (std::size_t v = 0; v < nv; ++v)
        sum -= parts_->triangles.mass()[v] * settings_.forces.gravity.dot(y_[v]);
    return sum;
}

std::size_t MixedSolver::bytes() const {
    std::size_t sum =
        fabric_.bytes() + parts_->yarns.bytes() + parts_->twoLevel.bytes() + parts_->loop.bytes();
    for (const auto* v : {&y_, &r_, &y1_, &r1_, &rhs_, &d_, &back_, &move_, &scratch_})
        sum += bytesOf(*v);
    sum += static_cast<std::size_t>(nv_) * 40 * sizeof(Mat3); // triangles: blocks, slots, factor
    return sum;
}

template <class Self, class Archive>
void MixedSolver::fields(Self& s, Archive& a) {
    a(s.y_, s.r_, s.time_, s.nodeMass_, s.pins_);
    a(s.fabric_.friction.anchor, s.fabric_.friction.limit);
    StepControl::fields(s.control_, a);
}

void MixedSolver::save(SnapshotWriter& w) const {
    w.begin("mixed", 1);
    w(patch_.nodeOf, regions_.alpha);
    fields(*this, w);
    w.end();
}

void MixedSolver::load(SnapshotReader& r) {
    r.begin("mixed", 1);
    std::vector<Index> nodes;
    std::vector<double> alpha;
    r(nodes, alpha);
    if (nodes != patch_.nodeOf || alpha != regions_.alpha)
        r.fail("yarns of another paint were found (" + std::to_string(nodes.size()) +
               " nodes), expected the scene's, of " + std::to_string(patch_.nodeOf.size()));
    fields(*this, r);
    r.end();
    rebuildFilter();
}

} // namespace purl
