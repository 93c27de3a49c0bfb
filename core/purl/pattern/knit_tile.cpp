#include "purl/pattern/knit_tile.h"

#include "purl/pattern/relax.h"

#include <cmath>

namespace purl {

namespace {

constexpr double kPi = 3.14159265358979323846;

Index floorDiv(Index i, Index n) { return i >= 0 ? i / n : -((-i + n - 1) / n); }

Chain goingOn(Shift wrap) {
    Chain chain;
    chain.goesOn = true;
    chain.wrap = wrap;
    return chain;
}

} // namespace

// x = u (t + 1.3 sin 2t), y = 0.8 c cos t: t = 0 is the head, pi the sinker. In depth, s
// of this stitch rules the lower half, where the row passes behind the loop below it and comes out
// in front of its head; s of the stitch above rules the upper half. The numbers where the two
// differ were searched for over random fields: every crossing is then at least 0.4 radii on its
// side.
Vec3 thinLoopPoint(const StitchField& field, const KnitGauge& gauge, Index row, Index column,
                   Index k, double lean) {
    column += floorDiv(k, kPointsPerLoop);
    k -= floorDiv(k, kPointsPerLoop) * kPointsPerLoop;
    const double t = -kPi + 2 * kPi * k / kPointsPerLoop;
    const double u = gauge.wale / (2 * kPi);
    const int s = field.at(row, column), above = field.at(row + 1, column);
    double z = 0;
    switch (k) {
    case 0:
        z = -0.5 * (s + field.at(row, column - 1));
        break;
    case 1:
    case 7:
        z = s == above ? 0.0 : -0.15 * s;
        break;
    case 2:
    case 6:
        z = 0.5 * (s + above);
        break;
    case 3:
    case 5:
        z = s == above ? 0.0 : 0.6 * above;
        break;
    default:
        z = -above;
        break;
    }
    const double y = 0.8 * gauge.course * std::cos(t);
    return {gauge.wale * (column + 0.5) + u * (t + 1.3 * std::sin(2 * t)) + lean * y,
            gauge.course * row + y, z * gauge.radius};
}

double KnitTile::tubeRadius() const { return around * gauge.wale / (2 * kPi); }

Vec3 KnitTile::onSurface(const Vec3& p) const {
    if (around == 0) return p;
    const double big = tubeRadius(), angle = p[0] / big;
    const double rise = helix ? gauge.course * p[0] / (around * gauge.wale) : 0;
    return {(big + p[2]) * std::sin(angle), p[1] + rise, (big + p[2]) * std::cos(angle)};
}

Vec3 KnitTile::at(Index row, Index column, Index k) const {
    column += floorDiv(k, kPointsPerLoop);
    k -= floorDiv(k, kPointsPerLoop) * kPointsPerLoop;
    if (around > 0 && columns == around) { // the whole round is stored
        const Index laps = floorDiv(column, around);
        column -= laps * around;
        if (helix) row += laps;
    }
    const Shift g{floorDiv(column, columns), floorDiv(row, rows)};
    const Index i = row - g.b * rows, j = column - g.a * columns;
    return strands.lattice.apply(g, strands.x[(i * columns + j) * kPointsPerLoop + k]);
}

namespace {

KnitTile relaxedTile(const StitchField& field, const KnitGauge& gauge, Index around, bool helix,
                     double lean) {
    KnitTile tile;
    tile.gauge = gauge;
    tile.around = around;
    tile.helix = helix;
    tile.rows = field.rows;
    tile.columns = field.columns;
    // A loop reaches over a wale and a half and over two courses and a half.
    const auto images = [&](double period, double reach) {
        return static_cast<Index>(std::ceil((reach + 3 * gauge.radius) / period));
    };
    Lattice& lattice = tile.strands.lattice;
    lattice.countA = images(tile.columns * gauge.wale, 1.5 * gauge.wale);
    lattice.countB = images(tile.rows * gauge.course, 2.5 * gauge.course);
    lattice.stepB = {0, tile.rows * gauge.course, 0};
    // A tube is stored by a sector if the pattern fits around and the sector's images do not meet
    // behind it; a helix also needs every lap to be alike.
    const bool sector = around > 0 && around % field.columns == 0 &&
                        around / field.columns > 2 * lattice.countA && (!helix || field.rows == 1);
    if (around == 0) {
        lattice.stepA = {tile.columns * gauge.wale, 0, 0};
    } else if (sector) {
        lattice.angle = 2 * kPi * tile.columns / around;
        if (helix) lattice.stepA = {0, gauge.course * tile.columns / around, 0};
    } else {
        tile.columns = around;
        lattice.countA = 0;
    }
    const bool wholeRound = around > 0 && !sector;
    for (Index i = 0; i < tile.rows; ++i) {
        if (i == 0 || !(wholeRound && helix))
            tile.strands.chains.push_back(
                goingOn(wholeRound ? Shift{0, helix ? 1 : 0} : Shift{1, 0}));
        for (Index j = 0; j < tile.columns; ++j)
            for (Index k = 0; k < kPointsPerLoop; ++k) {
                tile.strands.chains.back().points.push_back(
                    static_cast<Index>(tile.strands.x.size()));
                tile.strands.x.push_back(
                    tile.onSurface(thinLoopPoint(field, gauge, i, j, k, lean)));
            }
    }
    double length = 0;
    Index edges = 0;
    for (const Chain& chain : tile.strands.chains)
        for (Index k = 0; k < chain.segments(); ++k, ++edges)
            length += (tile.strands.at(chain, k + 1) - tile.strands.at(chain, k)).norm();
    tile.edge = length / edges;
    for (Chain& chain : tile.strands.chains) chain.edge = tile.edge;
    if (around > 0) tile.strands.tubeRadius = tile.tubeRadius();
    RelaxSettings settings;
    settings.radius = gauge.radius;
    requireRoom(relax(tile.strands, settings), gauge.radius);
    return tile;
}

} // namespace

// Upright loops jam at a wale spacing of about 8 radii; below that leaning ones still fit.
KnitTile knitTile(const StitchField& field, const KnitGauge& gauge, Index around, bool helix) {
    try {
        return relaxedTile(field, gauge, around, helix, 0);
    } catch (const NoRoom&) {
        return relaxedTile(field, gauge, around, helix, 0.03);
    }
}

void requireRoom(double distance, double radius) {
    if (distance < 2 * radius * (1 - 1e-3)) throw NoRoom{distance};
}

} // namespace purl
