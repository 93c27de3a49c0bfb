// `purl preview`: a picture of a frame, or of many on a sheet.
#include "cli/collider_spec.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/preview_frame.h"
#include "cli/sequence.h"
#include "cli/signals.h"
#include "preview/render.h"
#include "preview/sheet.h"
#include "purl/base/error.h"
#include "purl/base/parallel.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <unistd.h>

namespace purl::cli {

namespace {

struct PreviewFlags {
    std::vector<std::string> files, colliders;
    std::string out, frames, camera, view = "three-quarter", color, range, radius, title;
    std::optional<int> frame, sheet, width, height, samples;
    int count = 0, threads = 0;
    bool noGround = false, tube = false, quiet = false;
};

// The frames to be shown: those asked for, or some evenly spread.
std::vector<SequenceFile> choose(const PreviewFlags& f, const std::vector<SequenceFile>& all) {
    if (!f.sheet) {
        if (!f.frames.empty())
            throw Error("--frames",
                        "was given without --sheet COLUMNS, expected --frame N for one picture");
        if (!f.frame) return {all.back()};
        for (const SequenceFile& s : all)
            if (s.frame == *f.frame) return {s};
        throw Error("--frame", std::to_string(*f.frame) + " is not there, expected one from " +
                                   std::to_string(all.front().frame) + " to " +
                                   std::to_string(all.back().frame));
    }
    std::vector<SequenceFile> some;
    if (f.frames.empty()) {
        some = all;
    } else {
        for (int frame : parseFrames(f.frames, "--frames"))
            for (const SequenceFile& s : all)
                if (s.frame == frame) some.push_back(s);
        if (some.empty())
            throw Error("--frames", "'" + f.frames + "' has none of the frames that are there (" +
                                        std::to_string(all.front().frame) + " to " +
                                        std::to_string(all.back().frame) + ")");
    }
    const std::size_t most = f.count > 0        ? static_cast<std::size_t>(f.count)
                             : f.frames.empty() ? 2 * static_cast<std::size_t>(*f.sheet)
                                                : 400;
    if (some.size() <= most) return some;
    if (f.count == 0 && !f.frames.empty())
        throw Error("--frames", "are " + std::to_string(some.size()) +
                                    ", expected at most 400 (1-480x10 takes every tenth)");
    std::vector<SequenceFile> even;
    for (std::size_t i = 0; i < most; ++i)
        even.push_back(some[most == 1 ? some.size() - 1 : i * (some.size() - 1) / (most - 1)]);
    return even;
}

Vec3 viewDirection(const std::string& name) {
    if (name == "front") return {0, 0, -1};
    if (name == "back") return {0, 0, 1};
    if (name == "left") return {1, 0, 0};
    if (name == "right") return {-1, 0, 0};
    if (name == "top") return {0, -1, 0};
    if (name == "bottom") return {0, 1, 0};
    return Vec3(-0.5, -0.62, -1).normalized(); // three-quarter
}

// "ex,ey,ez:tx,ty,tz:fov"
Camera parseCamera(const std::string& text) {
    const auto parts = splitText(text, ':');
    if (parts.size() != 2 && parts.size() != 3)
        throw Error("--camera", "'" + text +
                                    "' was found, expected eye:target:fov, such as "
                                    "0,0.3,0.5:0,0,0:30");
    Camera c;
    c.eye = parseVector(parts[0], Dimension::Length, "--camera");
    c.target = parseVector(parts[1], Dimension::Length, "--camera");
    if (parts.size() == 3) c.fovDegrees = parseQuantity(parts[2], Dimension::Angle, "--camera");
    if (!(c.fovDegrees > 0 && c.fovDegrees < 170) || !((c.eye - c.target).norm() > 0))
        throw Error("--camera", "'" + text +
                                    "' was found, expected two different places and a field of "
                                    "view of 0 to 170 degrees");
    return c;
}

int within(const std::optional<int>& value, int usual, int most, const char* flag) {
    const int v = value.value_or(usual);
    if (v < 1 || v > most)
        throw Error(flag, "is " + std::to_string(v) + ", expected 1 to " + std::to_string(most));
    return v;
}

RenderSettings renderSettings(const PreviewFlags& f) {
    RenderSettings s;
    const bool sheet = f.sheet.has_value();
    s.width = within(f.width, sheet ? 480 : 1200, 16384, "--width");
    s.height = within(f.height, s.width * 3 / 4, 16384, "--height");
    s.samples = within(f.samples, sheet ? 12 : 24, 4096, "--samples");
    if (f.tube) s.look = YarnLook::Tube;
    return s;
}

// All frames to be shown, loaded, with colours, colliders and what they have in common.
struct Show {
    std::vector<PreviewFrame> frames;
    std::vector<Picture> pictures;
    std::optional<Legend> legend;
    Bounds bounds;
};

Show load(const PreviewFlags& f, const std::vector<SequenceFile>& files) {
    Show show;
    std::optional<double> radius;
    if (!f.radius.empty()) radius = parseQuantity(f.radius, Dimension::Length, "--radius");
    std::vector<LiveCollider> colliders;
    for (const std::string& c : f.colliders)
        colliders.emplace_back(parseCollider(c, "--collider"), files.front().frame,
                               ColliderSizes{});
    std::optional<double> floor;
    for (const SequenceFile& file : files) {
        if (interruptAsked()) throw Error("preview", "interrupted");
        show.frames.push_back(loadFrame(file, radius, f.color));
        Picture p;
        p.curves = show.frames.back().curves;
        show.bounds.add(boundsOf(p.curves));
        if (!show.frames.back().sheet.triangles.empty()) {
            p.solids.push_back({show.frames.back().sheet, Vec3(0.16, 0.30, 0.42)});
            show.bounds.add(boundsOf(p.solids.back().mesh));
        }
        for (LiveCollider& c : colliders) {
            c.setFrame(file.frame, 1);
            if (c.isPlane()) {
                const ColliderEntry& e = c.entry();
                if (e.a.normalized().y() > 0.999) floor = e.size;
                continue;
            }
            p.solids.push_back({c.mesh()});
            show.bounds.add(boundsOf(p.solids.back().mesh));
        }
        show.pictures.push_back(std::move(p));
    }
    show.legend = colorFrames(show.frames, f.color, f.range);
    for (std::size_t i = 0; i < show.pictures.size(); ++i) {
        show.pictures[i].color = show.frames[i].color;
        show.pictures[i].ground = !f.noGround;
        show.pictures[i].groundHeight = floor.value_or(show.bounds.lower.y());
    }
    return show;
}

int preview(const PreviewFlags& f) {
    const ThreadLimit threads(f.threads);
    if (!endsIn(f.out, ".png"))
        throw Error("--out", "'" + f.out + "' was found, expected a name that ends in .png");
    const auto files = choose(f, findSequences(f.files));
    const RenderSettings settings = renderSettings(f);
    const Show show = load(f, files);
    const Camera camera = f.camera.empty() ? autoCamera(show.bounds, viewDirection(f.view),
                                                        double(settings.width) / settings.height)
                                           : parseCamera(f.camera);
    std::vector<Image> images;
    std::vector<std::string> labels;
    const bool bar = !f.quiet && isatty(STDERR_FILENO);
    for (std::size_t i = 0; i < show.pictures.size(); ++i) {
        if (interruptAsked()) return Interrupted;
        if (bar) std::fprintf(stderr, "\r  picture %zu of %zu ", i + 1, show.pictures.size());
        images.push_back(render(show.pictures[i], camera, settings));
        labels.push_back("frame " + std::to_string(files[i].frame));
    }
    if (bar) std::fprintf(stderr, "\r\033[K");
    Image page;
    if (f.sheet) {
        SheetText text;
        text.title = f.title;
        text.legend = show.legend;
        page = contactSheet(images, labels, *f.sheet, text);
    } else {
        page = std::move(images.front());
        annotate(page, f.title, show.legend);
    }
    makeFolderOf(f.out);
    writePng(f.out, page);
    if (!f.quiet)
        std::printf("%s: %zu frame%s, %d x %d pixels\n", f.out.c_str(), files.size(),
                    files.size() == 1 ? "" : "s", page.width, page.height);
    return Ok;
}

} // namespace

void addPreview(CLI::App& app, int& exit) {
    auto f = std::make_shared<PreviewFlags>();
    CLI::App* c = app.add_subcommand("preview", "Render yarns to a picture (PNG)");
    c->add_option("files", f->files,
                  "A file or a sequence: 'out/f.$F4.geo', 'out/f.*.geo', or files")
        ->required();
    c->add_option("-o,--out", f->out, "Picture to write (.png)")->required()->type_name("FILE");
    c->add_option("--frame", f->frame, "Frame to show; else the last")->type_name("N");
    c->add_option("--sheet", f->sheet, "Show many frames on a sheet of so many columns")
        ->type_name("COLUMNS")
        ->check(CLI::Range(1, 100));
    c->add_option("--frames", f->frames,
                  "Frames of the sheet: 1-48, 1-48x6 (every sixth) or 1,8,20")
        ->type_name("A-B");
    c->add_option("--count", f->count, "So many of them, evenly spread (twice the columns)")
        ->type_name("N");
    c->add_option("--camera", f->camera, "ex,ey,ez:tx,ty,tz:fov (eye, target, degrees)")
        ->type_name("EYE:TARGET:FOV");
    c->add_option("--view", f->view, "front, back, left, right, top, bottom or three-quarter")
        ->check(CLI::IsMember({"front", "back", "left", "right", "top", "bottom", "three-quarter"}))
        ->type_name("VIEW");
    c->add_option("--color,--colour", f->color, "Colour by this attribute, with a legend; else Cd")
        ->type_name("ATTR");
    c->add_option("--range", f->range, "Values at the ends of the colours; else what is found")
        ->type_name("A,B");
    c->add_option("--collider", f->colliders, "As in purl sim. May be repeated")
        ->type_name("WHAT")
        ->allow_extra_args(false);
    c->add_option("--width", f->width, "Pixels (1200; on a sheet 480 a frame)")->type_name("PX");
    c->add_option("--height", f->height, "Pixels (three quarters of the width)")->type_name("PX");
    c->add_option("--samples", f->samples, "Rays a pixel: more are smoother and slower")
        ->type_name("N");
    c->add_option("--radius", f->radius, "Yarn radius; else pscale, else width / 2")
        ->type_name("M");
    c->add_option("--title", f->title, "Words on the picture")->type_name("TEXT");
    c->add_flag("--no-ground", f->noGround, "Leave the floor away");
    c->add_flag("--tube", f->tube, "Yarns as plain tubes of their radius");
    c->add_option("--threads", f->threads, "0 takes all (0)")->check(CLI::NonNegativeNumber);
    c->add_flag("--quiet", f->quiet, "Say nothing but warnings and errors");
    c->footer(
        "Examples:\n  purl preview out/f.0048.bgeo.sc --out drape.png\n"
        "  purl preview 'out/f.$F4.bgeo.sc' --sheet 4 --collider ball.vdb --out sheet.png\n"
        "  purl preview 'out/f.$F4.bgeo.sc' --frame 20 --color v --view front --out speed.png");
    c->callback([f, &exit] { exit = preview(*f); });
}

} // namespace purl::cli
