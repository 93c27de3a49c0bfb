// `purl pattern`: knits and weaves as curves. `purl collider`: a ball as a level set.
#include "cli/chart.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/sequence.h"
#include "purl/base/error.h"
#include "purl/collide/sdf.h"
#include "purl/host/pattern_detail.h"
#include "purl/io/geo.h"
#include "purl/model/material.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <optional>

namespace purl::cli {

namespace {

struct PatternFlags {
    std::string name, legend, radius, gauge, waleSpacing, courseSpacing, centre, height, material,
        out;
    std::optional<int> wales, courses;
    bool list = false, tube = false, continuous = false, noSelvedge = false, noBindoff = false,
         lie = false;
};

void listPatterns() {
    for (const PatternName& n : patternNames())
        std::printf("  %-14s %s %s\n", n.name.c_str(), n.woven ? "woven" : "knit ",
                    n.about.c_str());
}

// "20x28": wales and courses in 10 cm, as on the band of a ball of wool.
void applyGauge(const std::string& gauge, PatternSettings& s) {
    const auto parts = splitText(gauge, 'x');
    if (parts.size() == 2) {
        const double wales = parseQuantity(parts[0], Dimension::None, "--gauge"),
                     courses = parseQuantity(parts[1], Dimension::None, "--gauge");
        if (wales > 0 && courses > 0) {
            s.waleSpacing = 0.1 / wales;
            s.courseSpacing = 0.1 / courses;
            return;
        }
    }
    throw Error("--gauge",
                "'" + gauge + "' was found, expected stitches x rows in 10 cm, such as 20x28");
}

PatternEntry entryOf(const PatternFlags& f) {
    PatternEntry e;
    if (!f.legend.empty() && !endsIn(f.name, ".png"))
        throw Error("--legend",
                    "is there without a chart, expected a .png instead of '" + f.name + "'");
    if (endsIn(f.name, ".png")) {
        const ChartPattern chart = readChartPattern(f.name, f.legend);
        e.settings.name = f.name;
        e.settings.field = chart.field;
        e.settings.woven = chart.woven;
        e.settings.wales = chart.field.columns; // one repeat, unless more is asked for
        e.settings.courses = chart.field.rows;
    } else if (endsIn(f.name, ".json")) {
        const SceneFile scene = loadScene(f.name);
        if (!scene.pattern) throw Error(f.name, "has no /pattern, expected one");
        e = *scene.pattern;
    } else {
        e.settings.name = f.name;
    }
    PatternSettings& s = e.settings;
    if (f.wales) s.wales = *f.wales;
    if (f.courses) s.courses = *f.courses;
    if (!f.radius.empty()) s.radius = parseQuantity(f.radius, Dimension::Length, "--radius");
    checkRadius(s.radius, "--radius");
    if (!f.gauge.empty()) applyGauge(f.gauge, s);
    if (!f.waleSpacing.empty())
        s.waleSpacing = parseQuantity(f.waleSpacing, Dimension::Length, "--wale-spacing");
    if (!f.courseSpacing.empty())
        s.courseSpacing = parseQuantity(f.courseSpacing, Dimension::Length, "--course-spacing");
    s.tube |= f.tube;
    s.continuous |= f.continuous;
    s.bindSelvedges &= !f.noSelvedge;
    s.bindOff &= !f.noBindoff;
    e.lie |= f.lie;
    if (!f.centre.empty()) e.centre = parseVector(f.centre, Dimension::Length, "--centre");
    if (!f.height.empty()) e.centre.y() = parseQuantity(f.height, Dimension::Length, "--height");
    return e;
}

void makePatternFile(const PatternFlags& f) {
    if (f.list) {
        listPatterns();
        return;
    }
    if (f.name.empty()) throw CLI::RequiredError("NAME (see 'purl pattern --list' for the names)");
    if (f.out.empty()) throw CLI::RequiredError("--out");
    if (!f.material.empty()) materialByName(f.material, 1e-3); // is there such a one?
    const PatternEntry e = entryOf(f);
    const Detail d = patternDetail(e, f.material);
    makeFolderOf(f.out);
    writeDetail(f.out, d);
    std::printf("%s: %s, %d yarns, %d points, yarn radius %g m\n", f.out.c_str(),
                e.settings.name.c_str(), d.primitives(), d.points(), e.settings.radius);
}

struct ColliderFlags {
    std::string shape, voxel, out;
};

void makeColliderFile(const ColliderFlags& f) {
    ColliderEntry c;
    if (endsIn(f.shape, ".json")) {
        const SceneFile scene = loadScene(f.shape);
        if (scene.colliders.empty()) throw Error(f.shape, "has no collider, expected a sphere");
        c = scene.colliders.front();
    } else {
        c = parseCollider(f.shape, "collider");
    }
    if (c.kind != ColliderEntry::Kind::Sphere)
        throw Error("collider", "'" + f.shape + "' was found, expected sphere:x,y,z,r");
    if (!endsIn(f.out, ".vdb"))
        throw Error("--out", "'" + f.out + "' was found, expected a name that ends in .vdb");
    const double voxel =
        f.voxel.empty() ? c.size / 40 : parseQuantity(f.voxel, Dimension::Length, "--voxel");
    if (!(voxel > 0)) throw Error("--voxel", "is " + numberText(voxel) + ", expected > 0 m");
    makeFolderOf(f.out);
    writeSphereVdb(f.out, c.a, c.size, voxel);
    std::printf("%s: a ball of radius %g m as a level set, voxels of %g m\n", f.out.c_str(), c.size,
                voxel);
}

} // namespace

void addPattern(CLI::App& app, int&) {
    auto f = std::make_shared<PatternFlags>();
    CLI::App* c = app.add_subcommand("pattern", "Make a knitted or woven patch of yarns");
    c->add_option("name", f->name,
                  "Name of the pattern, a chart (.png, a pixel a stitch), or a scene file (.json)");
    c->add_option("--legend", f->legend,
                  "What the colours of a chart mean: white=knit,#000000=purl (the default), or\n"
                  "over and under for a weave; or a file with one a line")
        ->type_name("TEXT|FILE");
    c->add_flag("--list", f->list, "List the patterns and stop");
    c->add_option("--wales", f->wales, "Loops in a row (woven: warp threads)")->type_name("N");
    c->add_option("--courses", f->courses, "Rows of loops (woven: weft threads)")->type_name("N");
    c->add_option("--radius", f->radius, "Yarn radius, in m or with a unit (1.25mm)")
        ->type_name("M");
    c->add_option("--gauge", f->gauge,
                  "Stitches x rows in 10 cm, such as 20x28; else from the radius")
        ->type_name("SxR");
    c->add_option("--wale-spacing", f->waleSpacing, "Width of a loop")->type_name("M");
    c->add_option("--course-spacing", f->courseSpacing, "Height of a row")->type_name("M");
    c->add_flag("--tube", f->tube, "Knit in the round");
    c->add_flag("--continuous", f->continuous, "One yarn throughout instead of one a row");
    c->add_flag("--no-selvedge", f->noSelvedge, "Leave the ends of the rows free");
    c->add_flag("--no-bindoff", f->noBindoff, "Leave the loops of the last row open");
    c->add_flag("--lie", f->lie,
                "Lay it flat (x-z plane, front up); else it stands in the x-y plane");
    c->add_option("--centre,--center", f->centre, "Where its middle is")->type_name("X,Y,Z");
    c->add_option("--height", f->height, "Height of its middle")->type_name("M");
    c->add_option("--material", f->material, "Material that is written on the yarns, such as wool")
        ->type_name("NAME");
    c->add_option("-o,--out", f->out, "File to write: .bgeo.sc, .bgeo, .geo, .obj")
        ->type_name("FILE");
    c->footer(
        "Examples:\n  purl pattern stockinette --wales 24 --courses 24 --lie --height 0.1 --out "
        "patch.bgeo.sc\n"
        "  purl pattern chart.png --legend white=knit,red=purl --out patch.bgeo.sc\n\n"
        "Written with: point attributes pscale, yarnid, course, wale, curveu, Cd, rest, weld\n"
        "and the point groups edge_left, edge_right, edge_top, edge_bottom.");
    c->callback([f] { makePatternFile(*f); });
}

void addCollider(CLI::App& app, int&) {
    auto f = std::make_shared<ColliderFlags>();
    CLI::App* c = app.add_subcommand("collider", "Write a ball as an OpenVDB level set");
    c->add_option("shape", f->shape, "sphere:x,y,z,r, or a scene file (.json) that has one")
        ->required();
    c->add_option("--voxel", f->voxel, "Size of a voxel; else a fortieth of the radius")
        ->type_name("M");
    c->add_option("-o,--out", f->out, "File to write (.vdb)")->required()->type_name("FILE");
    c->footer("Example:\n  purl collider sphere:0,0,0,0.05 --out ball.vdb");
    c->callback([f] { makeColliderFile(*f); });
}

} // namespace purl::cli
