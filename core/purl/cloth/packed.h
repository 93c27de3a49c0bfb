// Four stencils at once: what every cloth energy shares around its kernel. Positions are gathered
// into lanes, the kernel computes with Pack4, results are transposed into the slots. A tail repeats
// the last stencil in its idle lanes, so a stencil has the same bits wherever a range is cut.
#pragma once

#include "purl/base/simd.h"
#include "purl/cloth/energy.h"

#include <algorithm>

namespace purl::cloth {

using P = Pack4;
using P3 = V3<Pack4>;

struct Wants {
    bool hessian = false;
    bool damping = false;
    bool exact = false;  // the Hessian as it is, not made positive
    bool moving = false; // velocities are given
};

// A 3x3 block of four stencils, column by column as Mat3 is.
struct P33 {
    P m[9];
};

inline void setZero(P33& b) {
    for (P& e : b.m) e = P(0.0);
}
// b += s a c^T
inline void addOuter(P33& b, P s, const P3& a, const P3& c) {
    const P cx = s * c.x, cy = s * c.y, cz = s * c.z;
    b.m[0] += a.x * cx, b.m[1] += a.y * cx, b.m[2] += a.z * cx;
    b.m[3] += a.x * cy, b.m[4] += a.y * cy, b.m[5] += a.z * cy;
    b.m[6] += a.x * cz, b.m[7] += a.y * cz, b.m[8] += a.z * cz;
}
inline void addIdentity(P33& b, P s) { b.m[0] += s, b.m[4] += s, b.m[8] += s; }
inline void setTransposed(P33& b, const P33& a) {
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) b.m[3 * r + c] = a.m[3 * c + r];
}

template <int W>
struct Packed {
    P energy;
    P3 gradient[W];
    P33 hessian[W * W];
    P33 damping[W * W];
};

// A constant a stencil, followed by copies of the last, so that a pack may read past the end.
class Constant {
public:
    void reserve(Index n) { values_.reserve(static_cast<std::size_t>(n) + 3); }
    void push(double v) { values_.push_back(v); }
    void finish() {
        const double last = values_.empty() ? 1.0 : values_.back();
        values_.insert(values_.end(), 3, last);
    }
    P pack(Index s) const { return loadPack(values_.data() + s); }
    double operator[](Index s) const { return values_[static_cast<std::size_t>(s)]; }
    double& operator[](Index s) { return values_[static_cast<std::size_t>(s)]; }
    Span<double> values(Index count) { return {values_.data(), static_cast<std::size_t>(count)}; }
    bool empty() const { return values_.empty(); }

private:
    std::vector<double> values_;
};

inline P3 gather(Span<const Vec3> x, const Index* nodes, int stride, int lanes) {
    V4d a, b, c;
    for (int l = 0; l < 4; ++l) {
        const double* p = x.data()[nodes[std::min(l, lanes - 1) * stride]].data();
        a[l] = p[0], b[l] = p[1], c[l] = p[2];
    }
    return {a, b, c};
}

// n packs from `from` to lanes that lie `stride` doubles apart.
inline void scatter(const P* from, int n, double* to, int stride, int lanes) {
    int k = 0;
    for (; k + 4 <= n; k += 4) {
        const V4d a = from[k].v, b = from[k + 1].v, c = from[k + 2].v, d = from[k + 3].v;
        const V4d ab0 = __builtin_shufflevector(a, b, 0, 4, 2, 6);
        const V4d ab1 = __builtin_shufflevector(a, b, 1, 5, 3, 7);
        const V4d cd0 = __builtin_shufflevector(c, d, 0, 4, 2, 6);
        const V4d cd1 = __builtin_shufflevector(c, d, 1, 5, 3, 7);
        const P rows[4] = {__builtin_shufflevector(ab0, cd0, 0, 1, 4, 5),
                           __builtin_shufflevector(ab1, cd1, 0, 1, 4, 5),
                           __builtin_shufflevector(ab0, cd0, 2, 3, 6, 7),
                           __builtin_shufflevector(ab1, cd1, 2, 3, 6, 7)};
        for (int l = 0; l < 4 && l < lanes; ++l) store(to + l * stride + k, rows[l]);
    }
    for (; k < n; ++k)
        for (int l = 0; l < 4 && l < lanes; ++l) to[l * stride + k] = from[k].v[l];
}

// Arrays of vectors and blocks are arrays of their numbers.
template <class T>
const P* flat(const T* first) {
    static_assert(sizeof(T) % sizeof(P) == 0 && std::is_standard_layout_v<T>);
    return reinterpret_cast<const P*>(first);
}

// A Model has: width; stencils; kernel(first, x, v, wants, out), which fills energy, gradient and,
// if wanted, all blocks; setRigid(triangles); endStep(x); memory().
template <class Model>
class PackedEnergy final : public ClothEnergy {
public:
    template <class... A>
    explicit PackedEnergy(A&&... a) : model_(std::forward<A>(a)...) {}

    const Stencils& stencils() const override { return model_.stencils; }

    void evaluate(Index begin, Index end, Span<const Vec3> x, Span<const Vec3> v,
                  const EnergySlots& out) const override {
        Wants wants;
        wants.hessian = !out.hessian.empty();
        wants.damping = !out.damping.empty();
        wants.moving = !v.empty();
        run(begin, end, x, v, wants, out);
    }

    void exactHessian(Index begin, Index end, Span<const Vec3> x, Span<Mat3> h) const override {
        Wants wants;
        wants.hessian = wants.exact = true;
        EnergySlots out;
        out.hessian = h;
        run(begin, end, x, {}, wants, out);
    }

    void setRigid(Span<const std::uint8_t> t) override { model_.setRigid(t); }
    void endStep(Span<const Vec3> x) override { model_.endStep(x); }
    Span<double> memory() override { return model_.memory(); }

private:
    static constexpr int W = Model::width;

    void run(Index begin, Index end, Span<const Vec3> x, Span<const Vec3> v, Wants wants,
             const EnergySlots& out) const {
        const Index* nodes = model_.stencils.nodes.data();
        Packed<W> p;
        P3 xs[W], vs[W] = {};
        for (Index s = begin; s < end; s += 4) {
            const int lanes = std::min<Index>(4, end - s);
            for (int i = 0; i < W; ++i) xs[i] = gather(x, nodes + s * W + i, W, lanes);
            if (wants.moving)
                for (int i = 0; i < W; ++i) vs[i] = gather(v, nodes + s * W + i, W, lanes);
            model_.kernel(s, xs, vs, wants, p);
            const std::size_t at = static_cast<std::size_t>(s);
            if (!out.energy.empty()) scatter(&p.energy, 1, out.energy.data() + at, 1, lanes);
            if (!out.gradient.empty())
                scatter(flat(p.gradient), 3 * W, out.gradient[at * W].data(), 3 * W, lanes);
            if (wants.hessian)
                scatter(flat(p.hessian), 9 * W * W, out.hessian[at * W * W].data(), 9 * W * W,
                        lanes);
            if (wants.damping)
                scatter(flat(p.damping), 9 * W * W, out.damping[at * W * W].data(), 9 * W * W,
                        lanes);
        }
    }

    Model model_;
};

} // namespace purl::cloth
