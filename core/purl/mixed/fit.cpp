#include "purl/mixed/fit.h"

#include "purl/base/error.h"
#include "purl/cloth/sheets.h"
#include "purl/crossing/layout_parts.h"
#include "purl/crossing/solver.h"
#include "purl/mixed/homogenise.h"

#include <Eigen/Dense>
#include <cmath>
#include <functional>

namespace purl {

namespace {

using Map = std::function<Vec3(const Vec2&)>; // from the plane (warp, weft) to space

// A tile with its border in hand.
class Tile {
public:
    Tile(const Draft& draft, const LayoutSettings& wanted, const FitSettings& settings)
        : settings_(settings) {
        std::vector<std::string> told;
        const FabricSizes sizes = fabricSizes(draft, wanted, "tile", told);
        const double width = static_cast<double>(settings.threads) * sizes.weft,
                     height = static_cast<double>(settings.threads) * sizes.warp;
        const FlatSheet sheet = rectangleSheet(4, 4, width, height);
        PatchInput in;
        in.x = sheet.x;
        in.triangles = sheet.mesh.triangles;
        in.uv = sheet.mesh.rest;
        for (Index t = 0; t < sheet.mesh.faces(); ++t) in.number.push_back(t);
        PatchSettings flat;
        flat.autoScale = false;
        patch_ = flattenPatch(in, flat, "tile", told);
        layout_ = layFabric(patch_, draft, wanted, "tile", told);
        lo_ = hi_ = layout_.plane[0];
        for (const Vec2& p : layout_.plane) lo_ = lo_.cwiseMin(p), hi_ = hi_.cwiseMax(p);
        const double held = settings.border * std::max(sizes.warp, sizes.weft);
        for (Index i = 0; i < layout_.network.nodes(); ++i) {
            const Vec2& p = layout_.plane[i];
            const double near = std::min((p - lo_).minCoeff(), (hi_ - p).minCoeff());
            if (near < held) pins_.push_back(i);
            inside_.push_back(near >= held);
        }
        if (pins_.size() == inside_.size())
            throw Error("fit", "a tile of " + std::to_string(settings.threads) +
                                   " threads has no inside, expected more");
    }
    const FabricLayout& layout() const { return layout_; }

    // J/m2 of the inside at rest under the map, less what it has without.
    double energy(const Map& map, Monitor& monitor) {
        if (!began_) {
            began_ = true;
            area_ = weigh(); // m2
            atRest_ = relaxed([](const Vec2& p) { return Vec3(p.x(), 0, -p.y()); }, monitor);
        }
        return (relaxed(map, monitor) - atRest_) / area_;
    }

private:
    // Elements of the inside alone: a node's and a piece's share is that of what is inside of it.
    double weigh() {
        const CrossingNetwork& net = layout_.network;
        double nodes = 0;
        for (char in : inside_) nodes += in;
        return nodes * layout_.warpSpacing * layout_.weftSpacing /
               (layout_.crossings > 0 && net.stitches.empty() ? 1 : 4); // a stitch has four nodes
    }

    double relaxed(const Map& map, Monitor& monitor) {
        FabricSolverSettings s;
        s.forces.gravity.setZero();
        s.sliding = s.friction = false;
        s.touch.self = false;
        s.linear.tolerance = 1e-4;
        s.newtonTolerance = 1e-3;
        FabricSolver solver(layout_.network, s);
        const Span<const Vec3> q = solver.unknowns();
        std::vector<Vec3> start(q.begin(), q.end());
        for (Index i = 0; i < solver.nodes(); ++i) start[i] = map(layout_.plane[i]);
        solver.setState(start, std::vector<Vec3>(start.size(), Vec3::Zero()));
        solver.setPins(pins_);
        std::vector<Vec3> targets;
        for (Index i : pins_) targets.push_back(start[i]);
        solver.setPinTargets(targets);
        solver.settle(5e-3, settings_.steps, 1e-9, monitor);
        // The energy of the inside: elements weighted by how much of them is there.
        ElementWeights w;
        const YarnLinks& l = solver.fabric().links();
        w.node.assign(inside_.begin(), inside_.end());
        w.piece.assign(static_cast<std::size_t>(l.links()), 0);
        for (Index k = 0; k < l.links(); ++k)
            if (l.after[k] >= 0)
                w.piece[k] =
                    0.5f * static_cast<float>(inside_[l.node[k]] + inside_[l.node[l.after[k]]]);
        solver.setWeights(w);
        return solver.energy();
    }

    FitSettings settings_;
    FabricPatch patch_;
    FabricLayout layout_;
    std::vector<Index> pins_;
    std::vector<char> inside_;
    Vec2 lo_, hi_;
    double area_ = 0, atRest_ = 0;
    bool began_ = false;
};

double green(double stretch) { return 0.5 * (stretch * stretch - 1); }

} // namespace

FabricFit fitTriangles(const Draft& draft, const LayoutSettings& layout,
                       const FitSettings& settings, Monitor& monitor) {
    Tile tile(draft, layout, settings);
    FabricFit fit;
    // In plane: warp, weft, both, and shear, each at every strain.
    for (double e : settings.strains)
        for (int kind = 0; kind < 4; ++kind) {
            const double u = kind == 0 || kind == 2 ? 1 + e : 1,
                         v = kind == 1 || kind == 2 ? 1 + e : 1, g = kind == 3 ? 2 * e : 0;
            FitSample s;
            s.warp = green(u), s.weft = green(v), s.shear = std::sin(g);
            s.energy = tile.energy(
                [&](const Vec2& p) {
                    return Vec3(u * p.x() * std::cos(g / 2) + v * p.y() * std::sin(g / 2), 0,
                                -(u * p.x() * std::sin(g / 2) + v * p.y() * std::cos(g / 2)));
                },
                monitor);
            fit.samples.push_back(s);
            if (monitor.interrupted()) return fit;
        }
    const std::size_t flat = fit.samples.size();
    for (double k : settings.bends)
        for (int kind = 0; kind < 2; ++kind) {
            FitSample s;
            (kind == 0 ? s.bendWarp : s.bendWeft) = k;
            s.energy = tile.energy(
                [&](const Vec2& p) {
                    const double along = kind == 0 ? p.x() : p.y(),
                                 across = kind == 0 ? -p.y() : p.x();
                    const double a = std::sin(k * along) / k, up = (1 - std::cos(k * along)) / k;
                    return kind == 0 ? Vec3(a, up, across) : Vec3(across, up, -a);
                },
                monitor);
            fit.samples.push_back(s);
            if (monitor.interrupted()) return fit;
        }
    // Least squares on energies, each against its own size: small strains count as large ones do.
    Eigen::MatrixXd a(flat, 4);
    Eigen::VectorXd b = Eigen::VectorXd::Ones(static_cast<Eigen::Index>(flat));
    for (std::size_t i = 0; i < flat; ++i) {
        const FitSample& s = fit.samples[i];
        a.row(static_cast<Eigen::Index>(i)) =
            Eigen::RowVector4d(0.5 * s.warp * s.warp, s.warp * s.weft, 0.5 * s.weft * s.weft,
                               0.5 * s.shear * s.shear) /
            s.energy;
    }
    const Eigen::Vector4d c = a.colPivHouseholderQr().solve(b);
    Eigen::Vector2d d = Eigen::Vector2d::Zero(), weight = Eigen::Vector2d::Zero();
    for (std::size_t i = flat; i < fit.samples.size(); ++i) {
        const FitSample& s = fit.samples[i];
        const int axis = s.bendWarp > 0 ? 0 : 1;
        const double row = 0.5 * std::pow(s.bendWarp + s.bendWeft, 2) / s.energy;
        d[axis] += row, weight[axis] += row * row; // row D = 1
    }
    const CrossingMaterial& yarn = tile.layout().network.materials[0];
    ClothMaterial& m = fit.material;
    m = homogenise(yarn, yarn, tile.layout().warpSpacing, tile.layout().weftSpacing);
    m.stretchWarp = c[0] - c[1] * c[1] / c[2];
    m.stretchWeft = c[2] - c[1] * c[1] / c[0];
    m.poisson = c[1] / c[2];
    m.shear = c[3];
    m.bendWarp = d[0] / weight[0];
    m.bendWeft = d[1] / weight[1];
    double plane = 0, bend = 0;
    for (std::size_t i = 0; i < fit.samples.size(); ++i) {
        FitSample& s = fit.samples[i];
        if (i < flat)
            s.fitted = 0.5 * c[0] * s.warp * s.warp + c[1] * s.warp * s.weft +
                       0.5 * c[2] * s.weft * s.weft + 0.5 * c[3] * s.shear * s.shear;
        else
            s.fitted = 0.5 * m.bendWarp * s.bendWarp * s.bendWarp +
                       0.5 * m.bendWeft * s.bendWeft * s.bendWeft;
        const double off = s.fitted / s.energy - 1;
        (i < flat ? plane : bend) += off * off;
    }
    fit.residualInPlane = std::sqrt(plane / static_cast<double>(flat));
    fit.residualBend = std::sqrt(bend / static_cast<double>(fit.samples.size() - flat));
    return fit;
}

} // namespace purl
