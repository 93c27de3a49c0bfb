#include "purl/crossing/yarn_lines.h"

#include "purl/base/parallel.h"
#include "purl/crossing/touches.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>

namespace purl {

namespace {
using Vec4 = Eigen::Vector4d;
using Mat4 = Eigen::Matrix4d;

Vec3 vec(const float* p) { return {p[0], p[1], p[2]}; }

// Both ends of a piece have the same diagonal block.
void addPiece(const PieceForm& c, Mat4& out) {
    const Vec3 d = vec(c.d), w = c.lambda * d;
    const Vec4 stretch(d[0], d[1], d[2], -c.lambda);
    out += c.a * stretch * stretch.transpose();
    out.topLeftCorner<3, 3>() += c.t * Mat3::Identity() + (c.span - c.t) * d * d.transpose();
    out(3, 3) += c.ss;
    out.topLeftCorner<3, 3>().diagonal().array() += 2 * c.m;
    out.topRightCorner<3, 1>() -= 2 * c.m * w;
    out.bottomLeftCorner<1, 3>() -= 2 * c.m * w.transpose();
    out(3, 3) += 2 * c.m * w.squaredNorm();
}

Mat4 between(const PieceForm& c) {
    const Vec3 d = vec(c.d), w = c.lambda * d;
    const Vec4 stretch(d[0], d[1], d[2], -c.lambda);
    Mat4 out = -c.a * stretch * stretch.transpose();
    out.topLeftCorner<3, 3>() -= c.t * Mat3::Identity() + (c.span - c.t) * d * d.transpose();
    out(3, 3) -= c.ss;
    out.topLeftCorner<3, 3>().diagonal().array() += c.m;
    out.topRightCorner<3, 1>() -= c.m * w;
    out.bottomLeftCorner<1, 3>() -= c.m * w.transpose();
    out(3, 3) += c.m * w.squaredNorm();
    return out;
}

void addSquare(const Vec3& g, double gs, Mat4& out) {
    const Vec4 v(g[0], g[1], g[2], gs);
    out += v * v.transpose();
}

// All that the matrix has on the diagonal of node i's position, and of link k's sliding.
Mat4 diagonal(const Stiffness& a, Index k) {
    const Fabric& fabric = a.fabric();
    const YarnLinks& l = fabric.links();
    const Index i = l.node[k];
    Mat4 out = Mat4::Zero();
    for (Index r = l.first[i]; r < l.first[i + 1]; ++r) {
        Mat4 block = Mat4::Zero();
        const Index after = l.after[r], before = l.before[r];
        if (after >= 0) addPiece(a.piece(r), block);
        if (before >= 0) addPiece(a.piece(before), block);
        if (a.hasBend(r)) {
            const BendForm& c = a.bend(r);
            addSquare(vec(c.g1) + vec(c.g2), 0, block);
            addSquare((c.b1 + c.b2) * vec(c.b), 0, block);
        }
        if (after >= 0 && a.hasBend(after)) { // this node is the one before
            const BendForm& c = a.bend(after);
            addSquare(vec(c.g2), -c.gs, block);
            addSquare(c.b2 * vec(c.b), 0, block);
        }
        if (before >= 0 && a.hasBend(before)) {
            const BendForm& c = a.bend(before);
            addSquare(vec(c.g1), c.gs, block);
            addSquare(c.b1 * vec(c.b), 0, block);
        }
        // Corners at the neighbours along this yarn of which this node is an arm.
        for (int arm = 0; arm < 2; ++arm) {
            const Index to = arm ? after : before; // seen from `before` this node is arm 0
            if (to < 0 || !fabric.isWoven(l.node[to])) continue;
            for (int other = 0; other < 2; ++other) {
                const int c = l.side[to] == 0 ? 2 * arm + other : 2 * other + arm;
                const CornerForm& f = a.corner(l.node[to], c);
                addSquare(l.side[to] == 0 ? vec(f.g0) : vec(f.g1), 0, block);
            }
        }
        block(3, 3) += a.linkDiagonal(r);
        if (r == k)
            out += block;
        else
            out.topLeftCorner<3, 3>() += block.topLeftCorner<3, 3>();
    }
    if (fabric.isWoven(i))
        for (int c = 0; c < 4; ++c)
            addSquare(vec(a.corner(i, c).g0) + vec(a.corner(i, c).g1), 0, out);
    if (!fabric.wraps().hinges.empty())
        for (Index h = fabric.wraps().first[i]; h < fabric.wraps().first[i + 1]; ++h) {
            const Index slot = fabric.wraps().slot[h];
            for (const auto& g : a.hinge(slot / 4).g) addSquare(vec(g[slot % 4]), 0, out);
        }
    if (a.touches()) {
        Mat3 touch = Mat3::Zero();
        a.touches()->addDiagonal(i, touch);
        out.topLeftCorner<3, 3>() += touch;
    }
    return out;
}
} // namespace

YarnLines::YarnLines(const Fabric& fabric, Far far) : fabric_(fabric) {
    if (far == Far::Bumps) coarse_ = std::make_unique<FabricCoarse>(fabric);
    const YarnLinks& l = fabric.links();
    const std::size_t m = l.node.size();
    held_.resize(m), last_.resize(m, 0), inverse_.resize(m), upper_.resize(m);
    for (Index k : l.start) {
        while (k >= 0) {
            line_.push_back(k);
            Index count = 1;
            for (; count < kLongest && l.after[k] >= 0; ++count) k = l.after[k];
            last_[k] = 1;
            length_.push_back(count);
            k = l.after[k];
        }
    }
}

void YarnLines::factorLine(Index line, const Stiffness& a, Span<const Mat3> ground) {
    const YarnLinks& l = fabric_.links();
    Mat4 carry = Mat4::Zero(); // what the links before take from this diagonal
    Index k = line_[line];
    for (Index c = 0; c < length_[line]; ++c, k = l.after[k]) {
        const auto hold = [&](Mat4& m, Index link, bool rows) {
            const int from = held_[link] & 1 ? 0 : 3, to = held_[link] & 2 ? 4 : 3;
            for (int j = from; j < to; ++j)
                if (rows)
                    m.row(j).setZero();
                else
                    m.col(j).setZero();
        };
        Mat4 pivot = diagonal(a, k);
        if (!ground.empty()) pivot.topLeftCorner<3, 3>() += ground[l.node[k]];
        const double unit = pivot.trace();
        hold(pivot, k, true);
        hold(pivot, k, false);
        if (held_[k] & 1) pivot.topLeftCorner<3, 3>().diagonal().setConstant(unit);
        if (held_[k] & 2) pivot(3, 3) = unit;
        Mat4 trial = pivot - carry;
        Eigen::LLT<Mat4> llt(trial);
        if (llt.info() != Eigen::Success) { // rounding: start the line anew here
            trial = pivot;
            trial.diagonal() *= 1 + 1e-6;
            llt.compute(trial);
        }
        const Mat4 inverse = llt.solve(Mat4::Identity());
        Index at = 0;
        for (int r = 0; r < 4; ++r)
            for (int s = r; s < 4; ++s)
                inverse_[k][at++] = static_cast<float>(0.5 * (inverse(r, s) + inverse(s, r)));
        if (last_[k]) continue;
        Mat4 next = between(a.piece(k));
        hold(next, k, true);
        hold(next, l.after[k], false);
        const Mat4 upper = inverse * next;
        for (int r = 0; r < 4; ++r)
            for (int s = 0; s < 4; ++s) upper_[k][4 * r + s] = static_cast<float>(upper(r, s));
        carry = next.transpose() * upper;
    }
}

void YarnLines::factor(const Stiffness& a, const NodeFilter& s, bool keepCoarse,
                       Span<const Mat3> ground) {
    const YarnLinks& l = fabric_.links();
    parallelFor(l.links(), 4096, [&](Index k0, Index k1) {
        for (Index k = k0; k < k1; ++k) {
            held_[k] = 0;
            const Index i = l.node[k];
            if (!s.isFree(i) && s.at(i).trace() < 0.5) held_[k] |= 1;
            if (!s.isFree(l.nodes + i) && s.at(l.nodes + i)(l.side[k], l.side[k]) < 0.5)
                held_[k] |= 2;
        }
    });
    parallelFor(static_cast<Index>(line_.size()), 1, [&](Index y0, Index y1) {
        for (Index y = y0; y < y1; ++y) factorLine(y, a, ground);
    });
    if (coarse_ && !(keepCoarse && coarse_->used())) coarse_->factor(a, s);
}

void YarnLines::apply(Span<const Vec3> r, Span<Vec3> z) const {
    const YarnLinks& l = fabric_.links();
    const Index n = l.nodes;
    const Span<Fabric::Arms> arms = fabric_.arms(); // `after` holds the line's answer
    // The coarse solve is one more piece of work beside the lines.
    const Index lines = static_cast<Index>(line_.size());
    parallelFor(lines + 1, 1, [&](Index y0, Index y1) {
        for (Index y = y0 - 1; y < y1 - 1; ++y) {
            if (y < 0) {
                if (coarse_ && coarse_->used()) coarse_->solve(r);
                continue;
            }
            // P = (I + U)^T D (I + U), U = pivot^-1 times the block to the next.
            double ahead[4] = {0, 0, 0, 0}; // U^T of the link before times its answer
            Index k = line_[y], end = k;
            for (Index c = 0; c < length_[y]; ++c, k = l.after[k]) {
                const Vec3& rx = r[l.node[k]];
                const double in[4] = {rx[0] - ahead[0], rx[1] - ahead[1], rx[2] - ahead[2],
                                      r[n + l.node[k]][l.side[k]] - ahead[3]};
                Fabric::Arm& out = arms[k].after;
                out.x = {in[0], in[1], in[2]};
                out.s = in[3];
                end = k;
                if (last_[k]) break;
                const float* u = upper_[k].data();
                for (int s = 0; s < 4; ++s)
                    ahead[s] =
                        u[s] * in[0] + u[4 + s] * in[1] + u[8 + s] * in[2] + u[12 + s] * in[3];
            }
            double next[4] = {0, 0, 0, 0};
            k = end;
            for (Index c = length_[y]; c-- > 0; k = l.before[k]) {
                Fabric::Arm& out = arms[k].after;
                const float* d = inverse_[k].data();
                const double x0 = out.x[0], x1 = out.x[1], x2 = out.x[2], x3 = out.s;
                double now[4] = {d[0] * x0 + d[1] * x1 + d[2] * x2 + d[3] * x3,
                                 d[1] * x0 + d[4] * x1 + d[5] * x2 + d[6] * x3,
                                 d[2] * x0 + d[5] * x1 + d[7] * x2 + d[8] * x3,
                                 d[3] * x0 + d[6] * x1 + d[8] * x2 + d[9] * x3};
                if (!last_[k]) {
                    const float* u = upper_[k].data();
                    for (int s = 0; s < 4; ++s)
                        now[s] -= u[4 * s] * next[0] + u[4 * s + 1] * next[1] +
                                  u[4 * s + 2] * next[2] + u[4 * s + 3] * next[3];
                }
                for (int s = 0; s < 4; ++s) next[s] = now[s];
                out.x = {now[0], now[1], now[2]};
                out.s = now[3];
            }
        }
    });
    parallelFor(n, 1024, [&](Index i0, Index i1) {
        for (Index i = i0; i < i1; ++i) {
            Vec3 sum = Vec3::Zero(), slides = r[n + i] / Stiffness::kUnused;
            for (Index k = l.first[i]; k < l.first[i + 1]; ++k) {
                sum += arms[k].after.x;
                slides[l.side[k]] = arms[k].after.s;
            }
            if (coarse_ && coarse_->used()) coarse_->addTo(i, sum);
            z[i] = sum;
            z[n + i] = slides;
        }
    });
}

std::size_t YarnLines::bytes() const {
    return (coarse_ ? coarse_->bytes() : 0) + bytesOf(line_) + bytesOf(length_) + bytesOf(held_) +
           bytesOf(last_) + bytesOf(inverse_) + bytesOf(upper_);
}

} // namespace purl
