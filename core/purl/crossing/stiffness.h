// The matrix of one Newton iteration, M + h D + h^2 K, as the numbers its elements need to be
// multiplied by: no matrix is kept (the choice behind the paper's memory table, physics 10.3).
//
// K is positive semidefinite by construction. Stretch, convex in length and rest length, and bend
// and shear in Gauss-Newton form are one outer product each; tension and the turning of a bend out
// of its plane add one more, kept where it is positive. Numbers are kept in single precision, which
// only steers Newton's method; products are taken in double.
#pragma once

#include "purl/crossing/fabric.h"
#include "purl/solve/operator.h"

namespace purl {

class Touches;

struct PieceForm { // over the edge e and rest length s of a piece, from a link to the next
    float d[3];    // unit edge
    float a;       // stretch: a (d . de - lambda ds)^2
    float lambda;  // length over rest length
    float t;       // tension: t |across d de|^2
    float m;       // kg, a sixth of the piece's mass
    float ss;      // parallel contact and stitch length: ss ds^2
    float span;    // stitch length: span (d . de)^2
};

struct BendForm { // (g1 . de1 + g2 . de2 + gs ds)^2 + (b . (b1 de1 + b2 de2))^2
    float g1[3], g2[3], gs;
    float b[3], b1, b2;
};

struct CornerForm { // (g0 . de0 + g1 . de1)^2
    float g0[3], g1[3];
};

struct HingeForm { // sum of (sum g . dx)^2
    float g[kWrapSquares][4][3];
};

class Stiffness final : public LinearOperator {
public:
    explicit Stiffness(const Fabric& fabric);

    // At q with a step of h (s); damping (1/s) is proportional to mass. What a filter holds stays
    // in: the solver takes it out.
    void linearise(Span<const Vec3> q, double h, double damping);

    // The share of its secant that a slipping crossing has as slope. With little, Newton's steps
    // overshoot where crossings come and go between sticking and slipping, and the line search cuts
    // them as a whole; with much, long slides take many steps.
    void setSlipSlope(double share) { slip_ = share; }

    // Contact that is added to every product, nullptr for none.
    void setTouches(const Touches* touches) { touches_ = touches; }
    const Touches* touches() const { return touches_; }

    Index size() const override { return 2 * fabric_.nodes(); }
    void apply(Span<const Vec3> x, Span<Vec3> y) const override;

    const Fabric& fabric() const { return fabric_; }
    const PieceForm& piece(Index link) const { return piece_[link]; }
    const BendForm& bend(Index link) const { return bend_[link]; }
    bool hasBend(Index link) const {
        const YarnLinks& l = fabric_.links();
        return l.after[link] >= 0 && l.before[link] >= 0;
    }
    // Corners of a node that is woven: between arm a of side 0 and b of side 1 at 2 a + b.
    const CornerForm& corner(Index node, int c) const { return corner_[4 * at_[node] + c]; }
    const HingeForm& hinge(Index h) const { return hinge_[h]; }
    double linkDiagonal(Index link) const { return own_[link]; } // of its sliding coordinate
    // Of sliding coordinates that no yarn uses: anything positive.
    static constexpr double kUnused = 1;
    std::size_t bytes() const;

private:
    void lineariseNode(Index i, Span<const Vec3> q, double h, double damping);
    void applyNode(Index i, Span<const Vec3> x, Vec3& yx, Vec3& ys) const;
    void applyHinges(Span<const Vec3> x) const;

    const Fabric& fabric_;
    const Touches* touches_ = nullptr;
    double slip_ = 0.1;
    std::vector<PieceForm> piece_;
    std::vector<BendForm> bend_;
    std::vector<CornerForm> corner_; // 4 a woven node
    std::vector<HingeForm> hinge_;
    std::vector<float> own_;
    std::vector<Index> at_; // per node: its corners; empty if all nodes are woven or none is
};

// out = M(q) v, with sliding (physics 7.1 [V]): consistent mass, of which the sliding coordinates
// get a thousandth more, so that a node whose yarns are parallel has inertia.
void applyMass(const Fabric& fabric, Span<const Vec3> q, Span<const Vec3> v, Span<Vec3> out);
// out = M(q) (a v1 - v0).
void applyMass(const Fabric& fabric, Span<const Vec3> q, double a, Span<const Vec3> v1,
               Span<const Vec3> v0, Span<Vec3> out);
constexpr double kSlideMass = 1e-3;

} // namespace purl
