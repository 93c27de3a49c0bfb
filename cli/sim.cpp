// `purl sim`: flags and scene file to a SceneFile; run.cpp does the rest.
#include "cli/commands.h"
#include "cli/fabric_flags.h"
#include "cli/flags.h"
#include "cli/machine.h"
#include "cli/run.h"
#include "cli/sequence.h"
#include "cli/units.h"
#include "purl/base/error.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

namespace purl::cli {

namespace {

// What was said on the command line; what was not stays as the scene file has it.
struct SimFlags {
    std::string scene, yarns, scale, out, frames, radius, material, tex, thickness, targets,
        gravity, wind, contact, stats, goalStiffness;
    std::string maxStep, fabricFile;
    std::optional<double> liveliness, fps, friction, timeScale, tau, yarnFriction, uvScale,
        selfFriction;
    FabricFlags fabric;
    std::string cloth, preset, inPlane, bending, integrator, rest, selfThickness;
    bool noSelf = false, drape = false;
    std::optional<int> substeps, ply, threads;
    std::vector<std::string> colliders, pins, goals, set;
    RunOptions run;
};

void put(const std::string& flag, std::string& value) {
    if (!flag.empty()) value = flag;
}
template <class T>
void put(const std::optional<T>& flag, T& value) {
    if (flag) value = *flag;
}

void atLeast(const char* flag, double value, double least) {
    if (!(value >= least))
        throw Error(flag,
                    "is " + numberText(value) + ", expected a number >= " + numberText(least));
}

void putCloth(const SimFlags& f, ClothEntry& c) {
    put(f.cloth, c.file);
    if (!f.preset.empty()) c.preset = f.preset;
    put(f.inPlane, c.inPlane);
    put(f.bending, c.bending);
    if (c.there()) put(f.integrator, c.integrator);
    put(f.rest, c.rest);
    put(f.uvScale, c.uvScale);
    atLeast("--uv-scale", c.uvScale, 0);
    put(f.selfFriction, c.selfFriction);
    atLeast("--self-friction", c.selfFriction, 0);
    if (!f.selfThickness.empty()) {
        c.selfThickness = parseQuantity(f.selfThickness, Dimension::Length, "--self-thickness");
        if (!(*c.selfThickness > 0))
            throw Error("--self-thickness",
                        "is " + numberText(*c.selfThickness) + ", expected a thickness > 0 m");
    }
    if (f.noSelf) c.selfCollision = false;
    if (f.drape) c.drape = true;
}

// Flags that rods and sheets have too mean the same for a fabric.
void putFabric(const SimFlags& f, FabricEntry& e) {
    put(f.fabricFile, e.file);
    if (!e.there()) return;
    FabricFlags all = f.fabric;
    all.radius = f.radius;
    all.material = f.material;
    all.tex = f.tex;
    all.ply = f.ply;
    all.rest = f.rest;
    all.uvScale = f.uvScale;
    all.friction = f.yarnFriction;
    putFabricFlags(all, e);
    if (f.noSelf) e.selfCollision = false;
}

SceneFile sceneOf(const SimFlags& f) {
    SceneFile s;
    if (!f.scene.empty()) s = loadScene(f.scene, f.set);
    put(f.yarns, s.yarns.file);
    if (!f.scale.empty()) s.yarns.scale = parseScale(f.scale);
    putCloth(f, s.cloth);
    putFabric(f, s.fabric);
    put(f.out, s.out);
    put(f.frames, s.frames);
    put(f.targets, s.targets);
    put(f.contact, s.contact);
    put(f.stats, s.stats);
    put(f.threads, s.threads);
    atLeast("--threads", s.threads, 0);
    put(f.fps, s.settings.time.fps);
    put(f.substeps, s.settings.time.substeps);
    put(f.timeScale, s.settings.time.timeScale);
    put(f.friction, s.settings.collision.friction);
    put(f.tau, s.settings.contact.tau);
    put(f.yarnFriction, s.settings.contact.friction);
    if (!s.cloth.there() && !f.integrator.empty())
        s.settings.step.kind = steppingOf(f.integrator, "--integrator");
    put(f.liveliness, s.settings.step.liveliness);
    if (!f.maxStep.empty())
        s.settings.step.maxStep = parseQuantity(f.maxStep, Dimension::Time, "--max-step");
    put(f.ply, s.yarns.ply);
    atLeast("--ply", s.yarns.ply, 1);
    if (!f.radius.empty()) s.yarns.radius = parseQuantity(f.radius, Dimension::Length, "--radius");
    if (!f.material.empty()) s.yarns.material = f.material;
    if (!f.tex.empty()) {
        s.yarns.tex = parseQuantity(f.tex, Dimension::Tex, "--tex");
        if (!(s.yarns.tex > 0))
            throw Error("--tex",
                        "is " + numberText(s.yarns.tex) + ", expected a yarn count > 0 tex");
    }
    if (!f.thickness.empty())
        s.settings.collision.thickness =
            parseQuantity(f.thickness, Dimension::Length, "--thickness");
    if (!f.gravity.empty())
        s.settings.forces.gravity = parseVector(f.gravity, Dimension::Acceleration, "--gravity");
    if (!f.wind.empty()) s.settings.forces.wind = parseVector(f.wind, Dimension::Speed, "--wind");
    if (!f.colliders.empty()) s.colliders.clear();
    for (const std::string& c : f.colliders) s.colliders.push_back(parseCollider(c, "--collider"));
    if (!f.pins.empty()) s.pins = f.pins;
    if (!f.goals.empty()) s.goals.clear();
    for (const std::string& g : f.goals) s.goals.push_back({g, GoalEntry().stiffness});
    if (!f.goalStiffness.empty())
        for (GoalEntry& g : s.goals) {
            g.stiffness = parseQuantity(f.goalStiffness, Dimension::Stiffness, "--goal-stiffness");
            if (!(g.stiffness > 0))
                throw Error("--goal-stiffness",
                            "is " + numberText(g.stiffness) + ", expected a stiffness > 0 N/m");
        }
    return s;
}

// What the command line alone can be blamed for.
void refuseIncomplete(const SceneFile& s) {
    const bool yarns = !s.yarns.file.empty() || s.pattern;
    const int kinds = yarns + s.cloth.there() + s.fabric.there();
    if (kinds == 0)
        throw CLI::RequiredError("--yarns FILE, --cloth FILE, --fabric FILE, or a scene file with "
                                 "yarns, a pattern, cloth or a fabric,");
    if (kinds > 1)
        throw CLI::ValidationError(s.fabric.there() ? "--fabric" : "--cloth",
                                   "was given besides others, expected either yarns, a sheet or a "
                                   "fabric: they are not simulated together yet");
    if (s.out.empty()) throw CLI::RequiredError("--out FILE (such as 'out/f.$F4.bgeo.sc')");
    if (parseRange(s.frames, "--frames").count() > 1 && !hasFrame(s.out))
        throw CLI::ValidationError("--out",
                                   "'" + s.out +
                                       "' has no frame number in it, expected $F4 in quotes "
                                       "('out/f.$F4.geo') for more than one frame");
}

void addInput(CLI::App& c, SimFlags& f) {
    c.add_option("scene", f.scene, "Scene file (JSON); flags replace what it says")
        ->type_name("SCENE.json");
    c.add_option("--set", f.set, "A place in the scene file and its value. May be repeated")
        ->type_name("contact/friction=0.5")
        ->allow_extra_args(false);
    c.add_option("--yarns", f.yarns, "Curves to simulate: .geo, .bgeo, .bgeo.sc, .obj, .bcc, ...")
        ->type_name("FILE");
    c.add_option("--scale", f.scale,
                 "Metres in a unit of the curves, or their unit: 0.01 or cm (1)")
        ->type_name("S");
    c.add_option("--radius", f.radius,
                 "Yarn radius, in m or with a unit; else pscale, else width / 2")
        ->type_name("M");
    c.add_option("--material", f.material,
                 "wool, cotton, acrylic, linen, polyester, nylon, silk, mohair")
        ->type_name("NAME");
    c.add_option("--tex", f.tex, "Yarn count of one ply, g/km; else from the radius")
        ->type_name("T");
    c.add_option("--ply", f.ply, "Plies of a yarn")->type_name("N");
    c.add_option("--collider", f.colliders,
                 "sphere:x,y,z,r | plane:nx,ny,nz,d | capsule:ax,ay,az,bx,by,bz,r |\n"
                 "ball.vdb | mesh.geo | walk.$F4.bgeo.sc (one a frame). May be repeated")
        ->type_name("WHAT")
        ->allow_extra_args(false);
    c.add_option("--friction", f.friction, "Between yarn and colliders (0.3)")->type_name("MU");
    c.add_option("--thickness", f.thickness, "Kept free around colliders")->type_name("M");
    c.add_option("--pin", f.pins, "Group of points or primitives that is held. May be repeated")
        ->type_name("GROUP")
        ->allow_extra_args(false);
    c.add_option("--goal", f.goals, "Group that is pulled softly to its place. May be repeated")
        ->type_name("GROUP")
        ->allow_extra_args(false);
    c.add_option("--goal-stiffness", f.goalStiffness, "Of the goals, N/m a point (10)")
        ->type_name("K");
    c.add_option("--targets", f.targets,
                 "Where pins and goals go: the same points, one file a frame")
        ->type_name("FILE.$F4");
}

void addCloth(CLI::App& c, SimFlags& f) {
    c.add_option("--cloth", f.cloth, "Polygons to simulate as a sheet, instead of --yarns")
        ->type_name("FILE");
    c.add_option(
         "--fabric", f.fabricFile,
         "Polygons that a woven or knitted fabric is laid on, instead of --yarns; one file a\n"
         "frame ($F4) for paint (yarn) that changes and edges that move")
        ->type_name("FILE");
    addFabricFlags(c, f.fabric, true);
    c.add_option("--cloth-preset", f.preset, "cotton, denim, silk, jersey, ... (cotton)")
        ->type_name("NAME");
    c.add_option("--in-plane", f.inPlane, "Stretch: stvk, baraff_witkin, corotated, springs (stvk)")
        ->type_name("MODEL");
    c.add_option("--bending", f.bending,
                 "discrete_shells, baraff_witkin, bridson, quadratic, linear, loop, springs,\n"
                 "choi_ko (discrete_shells)")
        ->type_name("MODEL");
    c.add_option("--integrator", f.integrator,
                 "Of yarns: explicit (the reference, small steps) or implicit (large steps).\n"
                 "Of a sheet: linear_implicit, backward_euler, bdf2, crank_nicolson, newmark,\n"
                 "adams_moulton2, symplectic_euler, leapfrog, midpoint, rk4, adams_bashforth2")
        ->type_name("NAME");
    c.add_option("--rest", f.rest, "Rest shape of a sheet: auto, rest, uv, input (auto)")
        ->type_name("FROM");
    c.add_option("--uv-scale", f.uvScale, "m a unit of uv; 0: by the area of the polygons (1)")
        ->type_name("M");
    c.add_option("--self-thickness", f.selfThickness, "Of a sheet against itself (1 mm or more)")
        ->type_name("M");
    c.add_option("--self-friction", f.selfFriction, "Of a sheet against itself (0.2)")
        ->type_name("MU");
    c.add_flag("--no-self-collision", f.noSelf, "Let a sheet go through itself");
    c.add_flag("--drape", f.drape, "Every frame is where the sheet comes to rest");
}

void addRun(CLI::App& c, SimFlags& f) {
    c.add_option("--gravity", f.gravity, "m/s2 (0,-9.80665,0)")->type_name("X,Y,Z");
    c.add_option("--wind", f.wind, "Velocity of the air, m/s (0,0,0)")->type_name("X,Y,Z");
    c.add_option("--contact", f.contact,
                 "How yarns touch: acl (linear models, made anew where the cloth deforms), exact "
                 "(all pairs each step: the reference), or none (acl)")
        ->type_name("METHOD");
    c.add_option("--accuracy,--tau", f.tau,
                 "Contact accuracy of acl: 0.04 keeps forces to 1 % (3 % in a landing), 0.004 to "
                 "0.1 %, 0 is exact (0.04)")
        ->type_name("TAU");
    c.add_option("--yarn-friction", f.yarnFriction, "Between yarns, with acl (0.3)")
        ->type_name("MU");
    c.add_option("-o,--out", f.out, "Files to write, in quotes: 'out/f.$F4.bgeo.sc'")
        ->type_name("FILE.$F4");
    c.add_option("--frames", f.frames, "Frames to write (1-48); the first is the input state")
        ->type_name("A-B");
    c.add_option("--fps", f.fps, "Frames a second (24)")->type_name("N");
    c.add_option("--liveliness", f.liveliness,
                 "Of implicit yarns: 0 is calm (backward Euler), 1 keeps its energy (BDF2) (1)")
        ->type_name("0..1");
    c.add_option("--max-step", f.maxStep, "Longest implicit step of yarns (8 ms)")->type_name("S");
    c.add_option("--substeps", f.substeps, "Steps a frame; 0 chooses (0)")->type_name("N");
    c.add_option("--time-scale", f.timeScale, "2 makes everything happen twice as fast (1)")
        ->type_name("S");
    c.add_option("--threads", f.threads, "0 takes all (0); results are the same to the bit")
        ->type_name("N");
    c.add_option("--stats", f.stats, "Figures of every frame, a line of JSON each")
        ->type_name("FILE.jsonl");
    c.add_option("--progress", f.run.progress, "auto, bar, alf, openjd or none")
        ->type_name("STYLE")
        ->check(CLI::IsMember({"auto", "bar", "alf", "openjd", "none"}));
    c.add_option("--frame-budget", f.run.frameBudget,
                 "Wall time that a frame may take, s; longer is exit 4 (any)")
        ->type_name("S")
        ->check(CLI::NonNegativeNumber);
    c.add_flag("--quiet", f.run.quiet, "Say nothing but warnings and errors");
}

void addFarm(CLI::App& c, SimFlags& f) {
    c.add_option("--resume", f.run.resume,
                 "auto: from the newest whole checkpoint of this run, or from the beginning;\n"
                 "a file: from that checkpoint, with what the flags say now")
        ->type_name("auto|FILE");
    c.add_option("--branch", f.run.branch,
                 "Begin with this checkpoint; with --resume auto, later ones of this run go first")
        ->type_name("FILE");
    c.add_option("--checkpoint-every", f.run.checkpointEvery,
                 "Frames (10) or time (90s, 5m, 1h), in the middle of a frame too; with --resume\n"
                 "5m. SIGTERM, SIGUSR1 and Ctrl-C leave one in any case")
        ->type_name("N|T");
    c.add_option("--checkpoint-dir", f.run.checkpointDir, "Folder (checkpoints, beside the frames)")
        ->type_name("DIR");
    c.add_option("--keep", f.run.keep, "Newest checkpoints to keep; 0: all (3)")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber);
    c.add_option("--manifest", f.run.manifest,
                 "What made the frames (manifest.json beside them); none: do without")
        ->type_name("FILE");
    c.add_flag("--dry-run", f.run.dryRun,
               "Forecast memory, time and disk from a few steps; exit 5 if it would not fit");
    c.add_option("--memory", f.run.memory, "What --dry-run may fill, such as 8 GB (what is free)")
        ->type_name("SIZE");
}

// What decides the result: the scene file and the flags, without those that do not (threads, where
// files go, how many frames). A flag that is added later counts by itself.
std::string parametersOf(const CLI::App& c, const std::string& sceneFile) {
    const std::set<std::string> neutral = {"scene",
                                           "--help",
                                           "--yarns",
                                           "--cloth",
                                           "--fabric",
                                           "--nodes",
                                           "--out",
                                           "--frames",
                                           "--stats",
                                           "--threads",
                                           "--progress",
                                           "--quiet",
                                           "--resume",
                                           "--branch",
                                           "--keep",
                                           "--memory",
                                           "--manifest",
                                           "--dry-run",
                                           "--checkpoint-every",
                                           "--checkpoint-dir",
                                           "--frame-budget"};
    nlohmann::ordered_json flags = nlohmann::ordered_json::object();
    for (const CLI::Option* o : c.get_options()) {
        const std::string name =
            o->get_single_name().empty() ? o->get_name() : "--" + o->get_single_name();
        if (o->count() == 0 || neutral.count(name) || neutral.count(o->get_single_name())) continue;
        flags[name] = o->results();
    }
    nlohmann::json scene = nlohmann::json::object();
    if (!sceneFile.empty())
        scene = nlohmann::json::parse(readText(sceneFile), nullptr, false, true);
    for (const char* key : {"about", "out", "stats", "threads"}) scene.erase(key);
    if (scene.contains("time") && scene["time"].is_object()) scene["time"].erase("frames");
    return nlohmann::ordered_json{{"scene", scene}, {"flags", flags}}.dump();
}

} // namespace

void addSim(CLI::App& app, int& exit) {
    auto f = std::make_shared<SimFlags>();
    CLI::App* c = app.add_subcommand("sim", "Simulate yarns or a sheet and write one file a frame");
    addInput(*c, *f);
    addCloth(*c, *f);
    addRun(*c, *f);
    addFarm(*c, *f);
    c->footer(
        "Examples:\n"
        "  purl sim --yarns patch.geo --collider sphere:0,0,0,0.05 --out 'out/f.$F4.geo' --frames "
        "1-48\n"
        "  purl sim --yarns patch.geo --pin edge_top --material cotton --out 'hang/f.$F4.bgeo.sc'\n"
        "  purl sim --cloth shirt.geo --cloth-preset jersey --pin collar --out "
        "'out/f.$F4.bgeo.sc'\n"
        "  purl sim --fabric patch.geo --draft twill2/2 --spacing 0.6mm --pin top --out "
        "'out/f.$F4.bgeo.sc'\n"
        "  purl sim scene.json --out 'out/f.$F4.bgeo.sc'\n\n"
        "Every attribute and group of the input comes out again; v and orient are added; points\n"
        "are never renumbered. Read from the input: P, pscale or width, rest, v, weld, stopped,\n"
        "pintoanimation, targetP, targetstiffness, targetweight; per primitive or detail: "
        "material,\n"
        "density, bendstiffness, twiststiffness, contactstiffness, restcurvature, plasticradius.\n"
        "Of a sheet: P, uv, rest, warpdir, v, density, stretchstiffness, bendstiffness,\n"
        "stretchscale, bendscale, and pins and goals as above.");
    c->callback([f, c, &exit] {
        const SceneFile scene = sceneOf(*f);
        refuseIncomplete(scene);
        f->run.parameters = parametersOf(*c, f->scene);
        f->run.commandLine = commandLine();
        exit = runScene(scene, f->run);
    });
}

} // namespace purl::cli
