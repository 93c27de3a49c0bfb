// Yarns with ghosts. Kernels want the neighbours of a vertex beside it in memory, at yarn ends and in
// closed yarns too: every yarn is stored with one ghost slot before and two after its vertices.
// Closed yarns wrap round, open ones are continued by linear reflection (physics 1.2), so that one
// formula serves all vertices and segments. Slots of one coordinate are contiguous (SIMD).
#pragma once

#include "purl/base/simd.h"
#include "purl/geometry/curves.h"

namespace purl {

struct Layout {
    std::vector<Index> slotOf; // per node (vertex of Curves): its slot
    std::vector<Index> base;   // per yarn: slot of the ghost before its first vertex; + 1 past the end
    std::vector<Index> size;   // per yarn: vertices
    std::vector<std::uint8_t> closed;

    explicit Layout(const Curves& curves) : closed(curves.closed) {
        slotOf.resize(curves.points());
        Index slot = 0;
        for (Index y = 0; y < curves.yarns(); ++y) {
            base.push_back(slot);
            size.push_back(curves.size(y));
            for (Index i = 0; i < curves.size(y); ++i) slotOf[curves.first[y] + i] = slot + 1 + i;
            slot += curves.size(y) + 3;
        }
        base.push_back(slot);
    }
    Layout() : base{0} {}
    Index yarns() const { return static_cast<Index>(size.size()); }
    Index slots() const { return base.back(); }
    // Rounded up so that a kernel may run over the last pack.
    Index padded() const { return ((slots() + 3) & ~3) + 4; }
};

// Three padded coordinate arrays in layout order.
struct Padded3 {
    std::vector<double> x, y, z;
    void resize(Index n) {
        x.assign(n, 0.0);
        y.assign(n, 0.0);
        z.assign(n, 0.0);
    }
    Soa3 soa() { return {x.data(), y.data(), z.data()}; }
    Vec3 at(Index i) const { return {x[i], y[i], z[i]}; }
    void set(Index i, const Vec3& p) {
        x[i] = p.x();
        y[i] = p.y();
        z[i] = p.z();
    }
    void add(Index i, const Vec3& p) {
        x[i] += p.x();
        y[i] += p.y();
        z[i] += p.z();
    }
};

// Fills vertices and ghosts from node positions.
inline void scatter(const Layout& layout, const std::vector<Vec3>& nodes, Index first, Index yarn,
                    Padded3& out) {
    const Index b = layout.base[yarn], n = layout.size[yarn];
    for (Index i = 0; i < n; ++i) out.set(b + 1 + i, nodes[first + i]);
    if (layout.closed[yarn]) {
        out.set(b, out.at(b + n));
        out.set(b + n + 1, out.at(b + 1));
        out.set(b + n + 2, out.at(b + 2));
    } else {
        out.set(b, 2 * out.at(b + 1) - out.at(b + 2));
        out.set(b + n + 1, 2 * out.at(b + n) - out.at(b + n - 1));
        out.set(b + n + 2, 2 * out.at(b + n + 1) - out.at(b + n));
    }
}

// The transpose of scatter for forces: what landed on the ghosts goes back to real vertices.
inline void foldGhosts(const Layout& layout, Index yarn, Padded3& f) {
    const Index b = layout.base[yarn], n = layout.size[yarn];
    if (layout.closed[yarn]) {
        f.add(b + n, f.at(b));
        f.add(b + 1, f.at(b + n + 1));
        f.add(b + 2, f.at(b + n + 2));
    } else {
        const Vec3 before = f.at(b), after = f.at(b + n + 1);
        f.add(b + 1, 2 * before);
        f.add(b + 2, -before);
        f.add(b + n, 2 * after);
        f.add(b + n - 1, -after);
    }
    for (Index g : {b, b + n + 1, b + n + 2}) f.set(g, Vec3::Zero());
}

} // namespace purl
