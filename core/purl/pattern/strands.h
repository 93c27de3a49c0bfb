// What the pattern's relaxer works on: chains of control points in a space that may repeat. One
// period of an endless fabric is stored; a lattice of rigid motions gives the rest of it.
#pragma once

#include "purl/geometry/catmull_rom.h"

#include <array>

namespace purl {

// An element (a, b) of the lattice: a steps along the courses, b steps along the wales.
struct Shift {
    Index a = 0, b = 0;
    Shift operator*(Index m) const { return {a * m, b * m}; }
    bool operator==(const Shift& o) const { return a == o.a && b == o.b; }
};

// Step a is a translation, or a turn about the y axis with a rise (tube, helix); step b is a
// translation that commutes with it.
struct Lattice {
    double angle = 0;          // rad about +y of one step a
    Vec3 stepA = Vec3::Zero(); // m
    Vec3 stepB = Vec3::Zero(); // m
    Index countA = 0;          // images -countA .. countA are near enough to touch
    Index countB = 0;

    Mat3 rotation(Shift g) const {
        const double t = angle * g.a, c = std::cos(t), s = std::sin(t);
        Mat3 m;
        m << c, 0, s, 0, 1, 0, -s, 0, c;
        return m;
    }
    Vec3 move(Shift g) const { return stepA * g.a + stepB * g.b; }
    Vec3 apply(Shift g, const Vec3& x) const {
        if (angle == 0 || g.a == 0) return x + move(g);
        return rotation(g) * x + move(g);
    }
    Vec3 turnBack(Shift g, const Vec3& v) const { // rotation only, inverse
        if (angle == 0 || g.a == 0) return v;
        return rotation(g).transpose() * v;
    }
};

// Points of one strand in order. A chain that goes on continues with its own image under `wrap`;
// wrap (0, 0) closes it to a ring.
struct Chain {
    std::vector<Index> points;
    bool goesOn = false;
    Shift wrap;
    double edge = 0; // m, wanted distance of neighbouring control points

    Index size() const { return static_cast<Index>(points.size()); }
    Index segments() const { return goesOn ? size() : size() - 1; }
    bool ring() const { return goesOn && wrap == Shift{}; }
};

// A point that stands in two chains, or twice in one, welds them there.
struct Strands {
    std::vector<Vec3> x;             // m
    std::vector<std::uint8_t> fixed; // per point; empty: all free
    std::vector<Chain> chains;       // what is there: contact is between these
    std::vector<Chain> flow;         // what is smoothed; empty: the chains themselves
    Lattice lattice;

    bool isFixed(Index p) const { return !fixed.empty() && fixed[p]; }
    // Node k of a chain (any k if it goes on): which point, moved by which shift.
    std::pair<Index, Shift> node(const Chain& c, Index k) const {
        const Index n = c.size();
        if (!c.goesOn) return {c.points[k], Shift{}};
        Index m = k / n;
        if (k % n < 0) --m;
        return {c.points[k - m * n], c.wrap * m};
    }
    Vec3 at(const Chain& c, Index k) const {
        const auto [p, g] = node(c, k);
        return lattice.apply(g, x[p]);
    }
};

// A point on a strand as a blend of four control points.
struct Sample {
    Index chain = 0;
    Index seg = 0;
    double s = 0;
    std::array<Index, 4> point;
    std::array<Shift, 4> shift;
    Weights4 w;
    double arc = 0;      // m from the chain's start
    Index joint = -1;    // the weld that it is near, by its point
    double jointArc = 0; // m to it
    bool active = false;
};

} // namespace purl
