// `purl relax`: lets yarns come to rest without gravity.
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/geometry_file.h"
#include "cli/progress.h"
#include "cli/run.h"
#include "cli/sequence.h"
#include "cli/units.h"
#include "purl/base/error.h"
#include "purl/base/parallel.h"
#include "purl/host/yarns_from_detail.h"
#include "purl/io/geo.h"
#include "purl/sim/simulation.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

namespace purl::cli {

namespace {

struct RelaxFlags {
    std::string in, out, scale = "1", radius, material, seconds = "0.15";
    std::vector<std::string> pins;
    int threads = 0;
    bool quiet = false;
};

constexpr double kPiece = 0.0025;  // s, between two looks at the speeds
constexpr double kRestSpeed = 0.5; // radii a second: slower than this is at rest
constexpr double kMoreDamping = 2; // times the usual proportional damping

Vec3 sizeOf(const std::vector<Vec3>& x) {
    Vec3 lo = x[0], hi = x[0];
    for (const Vec3& p : x) {
        lo = lo.cwiseMin(p);
        hi = hi.cwiseMax(p);
    }
    return hi - lo;
}

void say(const std::vector<Vec3>& before, const std::vector<Vec3>& after, const Energies& e0,
         const Energies& e1, double radius) {
    double sum = 0, most = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        const double d = (after[i] - before[i]).norm();
        sum += d;
        most = std::max(most, d);
    }
    const Vec3 s0 = sizeOf(before), s1 = sizeOf(after);
    std::printf("points moved by %.3g m on average, %.3g m at most (%.2g yarn radii)\n",
                sum / double(before.size()), most, most / radius);
    std::printf("size %.4g x %.4g x %.4g m before, %.4g x %.4g x %.4g m after\n", s0.x(), s0.y(),
                s0.z(), s1.x(), s1.y(), s1.z());
    std::printf("energy: bending %.3g -> %.3g J, twist %.3g -> %.3g J, contact %.3g -> %.3g J\n",
                e0.bend, e1.bend, e0.twist, e1.twist, e0.contact, e1.contact);
}

int relax(const RelaxFlags& f) {
    const ThreadLimit threads(f.threads);
    const double seconds = parseQuantity(f.seconds, Dimension::Time, "--seconds");
    if (!(seconds > 0)) throw Error("--seconds", "is " + numberText(seconds) + ", expected > 0 s");
    SceneFile wanted;
    wanted.pins = f.pins;
    if (!f.radius.empty())
        wanted.yarns.radius = parseQuantity(f.radius, Dimension::Length, "--radius");
    if (!f.material.empty()) wanted.yarns.material = f.material;
    std::vector<std::string> warnings;
    Detail d = readGeometry(f.in, warnings);
    scaleDetail(d, parseScale(f.scale), f.in, warnings);
    SceneInput in = sceneOf(d, f.in, wanted, warnings);
    putRadii(d, in.yarns);
    Scene& s = in.scene;
    s.velocity.clear();
    s.settings.forces.gravity = Vec3::Zero();
    s.settings.damping.proportional *= kMoreDamping;
    s.settings.time.fps = 1 / kPiece;
    validate(s, f.in);
    refuseCrossings(s, f.in);

    const int pieces = std::max(1, static_cast<int>(std::ceil(seconds / kPiece)));
    Progress progress(progressStyle("auto", f.quiet), 1, pieces);
    for (const std::string& w : warnings) progress.warning(w);
    Simulation sim(s);
    const std::vector<Vec3> before = sim.positions();
    const Energies energy = sim.energies();
    const double radius = *std::min_element(s.yarns.radius.begin(), s.yarns.radius.end());
    bool atRest = false;
    for (int k = 1; k <= pieces && !atRest; ++k) {
        const FrameReport r = sim.advanceFrame(progress);
        if (r.outcome == FrameReport::Outcome::Interrupted) return Interrupted;
        if (r.outcome != FrameReport::Outcome::Done)
            throw Error(
                f.in, "diverged while it was relaxed: " + r.reason + ", expected finite positions",
                Error::Kind::Diverged);
        atRest = k > 4 && r.maxSpeed < kRestSpeed * radius;
        progress.frameDone(k);
    }
    putPositions(d, in.yarns, sim.positions());
    makeFolderOf(f.out);
    writeDetail(f.out, d);
    if (!f.quiet) {
        progress.note(f.out + ": " + (atRest ? "at rest" : "still moving") + " after " +
                      numberText(sim.time()) + " s" +
                      (atRest ? "" : "; more --seconds bring it nearer to rest"));
        say(before, sim.positions(), energy, sim.energies(), radius);
    }
    return Ok;
}

} // namespace

void addRelax(CLI::App& app, int& exit) {
    auto f = std::make_shared<RelaxFlags>();
    CLI::App* c = app.add_subcommand("relax", "Bring yarns to rest, without gravity");
    c->add_option("in", f->in, "Geometry file with curves")->required();
    c->add_option("out", f->out, "File to write; only P changes, rest is kept")->required();
    c->add_option("--seconds", f->seconds, "Longest time that is simulated (0.15)")->type_name("S");
    c->add_option("--radius", f->radius, "Yarn radius; else pscale, else width / 2")
        ->type_name("M");
    c->add_option("--scale", f->scale, "Metres in a unit of IN, or its unit: 0.01 or cm (1)")
        ->type_name("S");
    c->add_option("--material", f->material, "Else the file's own, else wool")->type_name("NAME");
    c->add_option("--pin", f->pins, "Group that is held. May be repeated")
        ->type_name("GROUP")
        ->allow_extra_args(false);
    c->add_option("--threads", f->threads, "0 takes all (0)")->check(CLI::NonNegativeNumber);
    c->add_flag("--quiet", f->quiet, "Say nothing but warnings and errors");
    c->footer("Example:\n  purl relax patch.bgeo.sc relaxed.bgeo.sc --seconds 0.2");
    c->callback([f, &exit] { exit = relax(*f); });
}

} // namespace purl::cli
