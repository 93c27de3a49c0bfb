// Two drapes to measure: a sheet hung by two corners, and Cusick's drape meter (a round sheet of
// 30 cm on a disc of 18 cm). Self-contact is left out: neither touches itself.
#pragma once

#include "cloth/static_solver.h"
#include "purl/cloth/models.h"
#include "purl/cloth/sheets.h"
#include "purl/cloth/solver.h"

namespace purl::test {

struct Models {
    InPlaneModel plane = InPlaneModel::StVK;
    BendingModel bending = BendingModel::DiscreteShells;
    std::string label() const { return std::string(name(plane)) + " + " + name(bending); }
};

struct Drape {
    FlatSheet sheet;   // x: the drape
    double figure = 0; // sag over the side, or Cusick's coefficient
    int folds = 0;
    DrapeReport report;
};

inline std::vector<std::unique_ptr<ClothEnergy>>
energiesOf(const FlatSheet& s, const Models& models, const ClothMaterial& m) {
    std::vector<std::unique_ptr<ClothEnergy>> list;
    list.push_back(makeInPlane(models.plane, s.mesh, m));
    list.push_back(makeBending(models.bending, s.mesh, m));
    return list;
}

// By the product's own drape mode.
inline DrapeReport settle(FlatSheet& s, const std::vector<Index>& pins, const Models& models,
                          const ClothMaterial& m) {
    ClothSettings settings;
    settings.forces.drag = false;
    const std::vector<double> density{m.areaDensity};
    ClothSolver solver(s.mesh, s.x, density, energiesOf(s, models, m), settings);
    solver.setPins(pins);
    DrapeSettings fine;
    fine.tolerance = 1e-4;
    Monitor monitor;
    const DrapeReport report = solver.drape(fine, monitor);
    s.x.assign(solver.x().begin(), solver.x().end());
    return report;
}

// m, (D / rho g)^(1/3): how far cloth reaches over an edge before its weight has bent it. A mesh
// that shall show its folds has edges of a seventh of it or less, and half as many for comparison.
inline double bendingLength(const ClothMaterial& m) {
    return std::cbrt(std::sqrt(m.bendWarp * m.bendWeft) / (m.areaDensity * 9.80665));
}

// How often r crosses its mean upwards on the way round.
inline int waves(const std::vector<double>& r) {
    double mean = 0;
    for (double v : r) mean += v / static_cast<double>(r.size());
    int n = 0;
    for (std::size_t i = 0; i < r.size(); ++i)
        if (r[i] < mean && r[(i + 1) % r.size()] >= mean) ++n;
    return n;
}

// Rings must be a multiple of 5: the disc's edge is then a ring of points. Starts from a shallow
// skirt of `mode` waves, or from a coarser drape.
inline Drape cusick(const Models& models, const ClothMaterial& m, int rings, int mode,
                    const Drape* coarse = nullptr) {
    const double R = 0.15, disc = 0.09, pi = std::acos(-1.0);
    Drape out;
    out.sheet = discSheet(rings, R);
    FlatSheet& s = out.sheet;
    const std::vector<Vec3> flat = s.x;
    std::vector<Index> pins;
    // A Loop surface lies flat on the disc when the control points one ring further are held.
    const double held = disc + (models.bending == BendingModel::Loop ? R / rings : 0) + 1e-6;
    if (coarse) s.x = prolong(coarse->sheet.mesh, coarse->sheet.x, s.mesh);
    for (std::size_t i = 0; i < flat.size(); ++i) {
        const double r = std::hypot(flat[i].x(), flat[i].z());
        const double skirt = std::max(0.0, r - disc), phi = std::atan2(flat[i].z(), flat[i].x());
        if (r < held) pins.push_back(static_cast<Index>(i));
        if (!coarse || r < held) s.x[i] = flat[i];
        if (!coarse && r >= held)
            s.x[i].y() = -0.3 * skirt + 4 * skirt * skirt * std::cos(mode * phi);
    }
    out.report = settle(s, pins, models, m);
    // The shadow of the rim, the last ring.
    double shadow = 0;
    std::vector<double> radii;
    const std::size_t first = s.x.size() - static_cast<std::size_t>(6 * rings);
    for (std::size_t i = first; i < s.x.size(); ++i) {
        const Vec3 &a = s.x[i], &b = s.x[i + 1 < s.x.size() ? i + 1 : first];
        shadow += 0.5 * (a.x() * b.z() - a.z() * b.x());
        radii.push_back(std::hypot(a.x(), a.z()));
    }
    out.figure = (std::abs(shadow) - pi * disc * disc) / (pi * R * R - pi * disc * disc);
    out.folds = waves(radii);
    return out;
}

// A square of 40 cm, n edges a side, held by two corners brought to `apart` of their distance; it
// starts with a belly of so many sides. The figure is the lowest point of the top edge. (Brought
// closer, or of a softer cloth, it can hang in several ways.)
inline Drape hung(const Models& models, const ClothMaterial& m, int n,
                  const Drape* coarse = nullptr, double apart = 0.9, double belly = 0.1) {
    const double side = 0.4, pi = std::acos(-1.0);
    Drape out;
    out.sheet = rectangleSheet(n, static_cast<Index>(std::lround(n * 1.1547)), side, side);
    FlatSheet& s = out.sheet;
    std::vector<Index> pins, edge;
    const std::vector<Vec3> flat = s.x; // centred
    if (coarse) s.x = prolong(coarse->sheet.mesh, coarse->sheet.x, s.mesh);
    for (std::size_t i = 0; i < flat.size(); ++i) {
        const double u = flat[i].x() / side, w = 0.5 - flat[i].z() / side; // top: w = 0
        const bool top = w < 1e-9, corner = top && std::abs(u) > 0.5 - 1e-9;
        if (top) edge.push_back(static_cast<Index>(i));
        if (corner) pins.push_back(static_cast<Index>(i));
        if (!coarse || corner)
            s.x[i] = Vec3(apart * side * u, -side * (w + 0.2 * std::cos(pi * u) * (1 - w)),
                          belly * side * std::cos(pi * u));
    }
    out.report = settle(s, pins, models, m);
    for (Index i : edge)
        out.figure = std::max(out.figure, -s.x[static_cast<std::size_t>(i)].y() / side);
    std::vector<std::pair<double, double>> bottom; // the hem: along the warp, depth
    for (std::size_t i = 0; i < flat.size(); ++i)
        if (flat[i].z() / side < -0.5 + 1e-9) bottom.push_back({flat[i].x(), s.x[i].z()});
    std::sort(bottom.begin(), bottom.end());
    std::vector<double> hem;
    for (const auto& p : bottom) hem.push_back(p.second);
    out.folds = waves(hem);
    return out;
}

} // namespace purl::test
