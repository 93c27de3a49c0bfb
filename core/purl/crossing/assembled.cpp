#include "purl/crossing/assembled.h"

#include "purl/base/parallel.h"
#include "purl/crossing/touches.h"

#include <algorithm>

namespace purl {

namespace {
Vec3 vec(const float* p) { return {p[0], p[1], p[2]}; }

// Adds to the blocks of one part's rows. What the pattern keeps only as its transpose is left to
// the other row's turn.
class PartWriter {
public:
    PartWriter(const BlockPattern& pattern, BlockMatrix& matrix, Index part)
        : p_(pattern), m_(matrix), begin_(pattern.part[part]), end_(pattern.part[part + 1]) {}
    void add(Index i, Index j, const Mat3& block) const {
        const Index row = p_.position[i], column = p_.position[j];
        if (row < begin_ || row >= end_) return;
        const Index at = p_.find(row, column);
        if (at >= 0) m_.blocks()[at] += block;
    }
    // (sum g_a . dx_a)^2 over up to five unknowns.
    void square(const Index* unknown, const Vec3* g, int count) const {
        for (int a = 0; a < count; ++a)
            for (int b = 0; b < count; ++b) add(unknown[a], unknown[b], g[a] * g[b].transpose());
    }

private:
    const BlockPattern& p_;
    BlockMatrix& m_;
    Index begin_, end_;
};

void addPiece(const PartWriter& to, const YarnLinks& l, const Stiffness& a, Index k) {
    const PieceForm& c = a.piece(k);
    const Index after = l.after[k], n = l.nodes;
    const Index unknown[4] = {l.node[k], l.node[after], n + l.node[k], n + l.node[after]};
    const Vec3 d = vec(c.d), w = c.lambda * d, u0 = Vec3::Unit(l.side[k]),
               u1 = Vec3::Unit(l.side[after]);
    const double root = std::sqrt(static_cast<double>(c.a));
    const Vec3 stretch[4] = {-root * d, root * d, root * c.lambda * u0, -root * c.lambda * u1};
    to.square(unknown, stretch, 4);
    const Mat3 across =
        c.t * Mat3::Identity() + static_cast<double>(c.span - c.t) * d * d.transpose();
    const Vec3 unit[2] = {u0, u1};
    for (int r = 0; r < 2; ++r)
        for (int s = 0; s < 2; ++s) {
            const double sign = r == s ? 1 : -1, m = c.m * (r == s ? 2 : 1);
            to.add(unknown[r], unknown[s], sign * across + m * Mat3::Identity());
            to.add(unknown[r], unknown[2 + s], -m * w * unit[s].transpose());
            to.add(unknown[2 + r], unknown[s], -m * unit[r] * w.transpose());
            to.add(unknown[2 + r], unknown[2 + s],
                   (sign * c.ss + m * w.squaredNorm()) * unit[r] * unit[s].transpose());
        }
}

void addNode(const PartWriter& to, const Stiffness& a, Index i) {
    const Fabric& fabric = a.fabric();
    const YarnLinks& l = fabric.links();
    const Index n = l.nodes, k0 = l.first[i];
    Vec3 unused(Stiffness::kUnused, Stiffness::kUnused, Stiffness::kUnused);
    for (Index k = k0; k < l.first[i + 1]; ++k) {
        unused[l.side[k]] = a.linkDiagonal(k);
        if (l.after[k] < 0) continue;
        addPiece(to, l, a, k);
        if (!a.hasBend(k)) continue;
        const BendForm& c = a.bend(k);
        const Index f = l.after[k], b = l.before[k];
        const Index unknown[5] = {i, l.node[f], l.node[b], n + l.node[f], n + l.node[b]};
        const Vec3 g1 = vec(c.g1), g2 = vec(c.g2), across = vec(c.b);
        const Vec3 g[5] = {-g1 - g2, g1, g2, c.gs * Vec3::Unit(l.side[f]),
                           -c.gs * Vec3::Unit(l.side[b])};
        const double b1 = c.b1, b2 = c.b2;
        const Vec3 t[3] = {-(b1 + b2) * across, b1 * across, b2 * across};
        to.square(unknown, g, 5);
        to.square(unknown, t, 3);
    }
    to.add(n + i, n + i, unused.asDiagonal());
    if (!fabric.isWoven(i)) return;
    for (int c = 0; c < 4; ++c) {
        const Index to0 = c / 2 ? l.before[k0] : l.after[k0],
                    to1 = c % 2 ? l.before[k0 + 1] : l.after[k0 + 1];
        if (to0 < 0 || to1 < 0) continue;
        const Vec3 g0 = vec(a.corner(i, c).g0), g1 = vec(a.corner(i, c).g1);
        const Index unknown[3] = {i, l.node[to0], l.node[to1]};
        const Vec3 g[3] = {-g0 - g1, g0, g1};
        to.square(unknown, g, 3);
    }
}

// All stencils, as the pattern wants them.
BlockPattern patternOf(const Fabric& fabric) {
    const YarnLinks& l = fabric.links();
    const Index n = l.nodes;
    std::vector<Index> pieces, bends, corners, hinges;
    for (Index k = 0; k < l.links(); ++k) {
        const Index a = l.after[k], b = l.before[k], i = l.node[k];
        if (a < 0) continue;
        pieces.insert(pieces.end(), {i, l.node[a], n + i, n + l.node[a]});
        if (b >= 0)
            bends.insert(bends.end(), {i, l.node[a], l.node[b], n + l.node[a], n + l.node[b]});
    }
    for (Index i = 0; i < n; ++i) {
        if (!fabric.isWoven(i)) continue;
        const Index k = l.first[i];
        for (Index to0 : {l.after[k], l.before[k]})
            for (Index to1 : {l.after[k + 1], l.before[k + 1]})
                if (to0 >= 0 && to1 >= 0)
                    corners.insert(corners.end(), {i, l.node[to0], l.node[to1]});
    }
    for (const Wraps::Hinge& h : fabric.wraps().hinges)
        hinges.insert(hinges.end(), std::begin(h.node), std::end(h.node));
    const std::vector<StencilView> all = {{4, pieces}, {5, bends}, {3, corners}, {4, hinges}};
    return BlockPattern(2 * n, all);
}
} // namespace

AssembledStiffness::AssembledStiffness(const Fabric& fabric)
    : fabric_(fabric), pattern_(std::make_shared<BlockPattern>(patternOf(fabric))),
      matrix_(std::make_unique<BlockMatrix>(pattern_)),
      cholesky_(std::make_unique<BlockIncompleteCholesky>(pattern_)), factor_(*this),
      in_(pattern_->order.size()), out_(pattern_->order.size()) {
    const YarnLinks& l = fabric.links();
    std::vector<std::vector<Index>> nodes(pattern_->parts()), hinges(pattern_->parts());
    const auto note = [&](std::vector<std::vector<Index>>& list, Index unknown, Index element) {
        std::vector<Index>& of = list[pattern_->partOf(pattern_->position[unknown])];
        if (of.empty() || of.back() != element) of.push_back(element);
    };
    for (Index i = 0; i < l.nodes; ++i)
        for (Index k = l.first[i]; k < l.first[i + 1]; ++k)
            for (Index to : {k, l.after[k], l.before[k]})
                if (to >= 0)
                    for (Index unknown : {l.node[to], l.nodes + l.node[to]})
                        note(nodes, unknown, i);
    for (std::size_t h = 0; h < fabric.wraps().hinges.size(); ++h)
        for (Index i : fabric.wraps().hinges[h].node) note(hinges, i, static_cast<Index>(h));
    firstNode_.push_back(0), firstHinge_.push_back(0);
    for (Index p = 0; p < pattern_->parts(); ++p) {
        for (auto* list : {&nodes[p], &hinges[p]}) {
            std::sort(list->begin(), list->end());
            list->erase(std::unique(list->begin(), list->end()), list->end());
        }
        partNode_.insert(partNode_.end(), nodes[p].begin(), nodes[p].end());
        partHinge_.insert(partHinge_.end(), hinges[p].begin(), hinges[p].end());
        firstNode_.push_back(static_cast<Index>(partNode_.size()));
        firstHinge_.push_back(static_cast<Index>(partHinge_.size()));
    }
}

void AssembledStiffness::assemblePart(Index part, const Stiffness& a) {
    const PartWriter to(*pattern_, *matrix_, part);
    const Index row0 = pattern_->part[part], row1 = pattern_->part[part + 1];
    for (Index b = pattern_->row[row0]; b < pattern_->row[row1]; ++b)
        matrix_->blocks()[b].setZero();
    for (Index k = firstNode_[part]; k < firstNode_[part + 1]; ++k) addNode(to, a, partNode_[k]);
    for (Index k = firstHinge_[part]; k < firstHinge_[part + 1]; ++k) {
        const Index h = partHinge_[k];
        for (const auto& square : a.hinge(h).g) {
            Vec3 g[4];
            for (int c = 0; c < 4; ++c) g[c] = vec(square[c]);
            to.square(fabric_.wraps().hinges[h].node, g, 4);
        }
    }
}

void AssembledStiffness::assemble(const Stiffness& a, const NodeFilter& s) {
    parallelFor(pattern_->parts(), 1, [&](Index p0, Index p1) {
        for (Index p = p0; p < p1; ++p) assemblePart(p, a);
    });
    touches_ = a.touches();
    s.permuted(pattern_->position, rowFilter_);
    cholesky_->factor(*matrix_, rowFilter_);
}

void AssembledStiffness::apply(Span<const Vec3> x, Span<Vec3> y) const {
    const std::vector<Index>& order = pattern_->order;
    parallelFor(size(), 4096, [&](Index r0, Index r1) {
        for (Index r = r0; r < r1; ++r) in_[r] = x[order[r]];
    });
    matrix_->apply(in_, out_);
    parallelFor(size(), 4096, [&](Index r0, Index r1) {
        for (Index r = r0; r < r1; ++r) y[order[r]] = out_[r];
    });
    if (touches_) touches_->addProduct(x, y);
}

void AssembledStiffness::Factor::apply(Span<const Vec3> r, Span<Vec3> z) const {
    const std::vector<Index>& order = of.pattern_->order;
    parallelFor(of.size(), 4096, [&](Index r0, Index r1) {
        for (Index k = r0; k < r1; ++k) of.in_[k] = r[order[k]];
    });
    of.cholesky_->apply(of.in_, of.out_);
    parallelFor(of.size(), 4096, [&](Index r0, Index r1) {
        for (Index k = r0; k < r1; ++k) z[order[k]] = of.out_[k];
    });
}

std::size_t AssembledStiffness::bytes() const {
    const BlockPattern& p = *pattern_;
    return bytesOf(p.order) + bytesOf(p.position) + bytesOf(p.part) + bytesOf(p.row) +
           bytesOf(p.outer) + bytesOf(p.column) + sizeof(Mat3) * matrix_->blocks().size() +
           cholesky_->bytes() + bytesOf(firstNode_) + bytesOf(partNode_) + bytesOf(firstHinge_) +
           bytesOf(partHinge_) + bytesOf(in_) + bytesOf(out_);
}

} // namespace purl
