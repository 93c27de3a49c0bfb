#include "cli/fabric_flags.h"

#include "cli/commands.h"
#include "cli/flags.h"
#include "purl/base/error.h"

#include <CLI/CLI.hpp>

namespace purl::cli {

void addFabricFlags(CLI::App& c, FabricFlags& f, bool sim) {
    c.add_option("--draft", f.draft,
                 "plain, twill2/2, satin5, basket2, herringbone2/2, stockinette, rib2x2, ...; rows "
                 "of 0 and 1;\nor a file: .wif, .txt, .json, .png (plain)")
        ->type_name("NAME|FILE");
    c.add_option("--legend", f.legend,
                 "What the colours of a .png mean: black=over,white=under (the default), or knit\n"
                 "and purl")
        ->type_name("TEXT|FILE");
    c.add_option("--spacing", f.spacing,
                 "Between yarns, or warps,wefts (knit: wales,courses); else the draft's, or from\n"
                 "the radius")
        ->type_name("M[,M]");
    c.add_option("--angle", f.angle, "Degrees of the warp against the direction of u (0)")
        ->type_name("DEG");
    c.add_option("--points", f.points, "Points of a curve from crossing to crossing (4)")
        ->type_name("N");
    c.add_option("--twist", f.twist, "Turns a metre of the yarns' own twist, for orient (0)")
        ->type_name("T");
    c.add_option("--nodes", f.nodes, "File for the network of crossings itself")->type_name("FILE");
    c.add_flag("--no-seams", f.noSeams, "Do not sew yarns together where uv pieces meet");
    if (sim) {
        c.add_option("--region", f.region,
                     "Where yarns are simulated; triangles carry the rest: paint (the point\n"
                     "attribute or group `yarn`; all if there is none), all, none (paint)")
            ->type_name("WHERE");
        c.add_flag("--no-sliding", f.noSliding, "Yarns of a fabric stay where they cross");
        return;
    }
    c.add_option("--radius", f.radius, "Of the yarns; else the draft's, or from the spacing")
        ->type_name("M");
    c.add_option("--rest", f.rest, "Plane that yarns are laid in: auto, uv, rest, input (auto)")
        ->type_name("FROM");
    c.add_option("--uv-scale", f.uvScale, "m a unit of uv; 0: by the area of the polygons (1)")
        ->type_name("M");
    c.add_option("--material", f.material,
                 "wool, cotton, acrylic, linen, polyester, nylon, silk, mohair (cotton)")
        ->type_name("NAME");
    c.add_option("--tex", f.tex, "Yarn count of one ply, g/km; else from the radius")
        ->type_name("T");
    c.add_option("--ply", f.ply, "Plies of a yarn")->type_name("N");
}

namespace {

double lengthOf(const std::string& text, const char* flag) {
    const double v = parseQuantity(text, Dimension::Length, flag);
    if (!(v > 0)) throw Error(flag, "is " + numberText(v) + ", expected a length > 0 m");
    return v;
}

} // namespace

void putFabricFlags(const FabricFlags& f, FabricEntry& e) {
    if (!f.draft.empty()) {
        e.draft = f.draft;
        e.matrix = {0, 0, {}};
    }
    if (!f.legend.empty()) e.legend = f.legend;
    if (!f.spacing.empty()) {
        const auto parts = splitText(f.spacing, ',');
        if (parts.size() > 2)
            throw Error("--spacing", "'" + f.spacing + "' was found, expected one length or two");
        e.warpSpacing = lengthOf(parts[0], "--spacing");
        // One length is for both of a weave; a knit's courses follow from its wales.
        e.weftSpacing = parts.size() == 2 ? lengthOf(parts[1], "--spacing") : 0;
    }
    if (!f.radius.empty()) e.radius = lengthOf(f.radius, "--radius");
    if (!f.angle.empty()) e.angle = parseQuantity(f.angle, Dimension::Angle, "--angle");
    if (!f.rest.empty()) e.rest = f.rest;
    if (!f.region.empty()) e.region = f.region;
    if (f.uvScale) e.uvScale = *f.uvScale;
    if (!(e.uvScale >= 0))
        throw Error("--uv-scale",
                    "is " + numberText(e.uvScale) + ", expected m a unit of uv, or 0");
    if (!f.material.empty()) e.material = f.material;
    if (!f.tex.empty()) {
        e.tex = parseQuantity(f.tex, Dimension::Tex, "--tex");
        if (!(e.tex > 0))
            throw Error("--tex", "is " + numberText(e.tex) + ", expected a yarn count > 0 tex");
    }
    if (f.ply) e.ply = *f.ply;
    if (e.ply < 1) throw Error("--ply", "is " + std::to_string(e.ply) + ", expected at least 1");
    if (f.points) e.points = *f.points;
    if (e.points < 1 || e.points > 64)
        throw Error("--points", "is " + std::to_string(e.points) + ", expected 1 to 64");
    if (f.twist) e.twist = *f.twist;
    if (f.friction) e.friction = *f.friction;
    if (!f.nodes.empty()) e.nodes = f.nodes;
    if (f.noSeams) e.seams = false;
    if (f.noSliding) e.sliding = false;
}

} // namespace purl::cli
