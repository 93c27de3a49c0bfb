#include "cli/bench_mixed_run.h"

#include "cli/draft_file.h"
#include "cli/flags.h"
#include "cli/sequence.h"
#include "cli/signals.h"
#include "purl/base/error.h"
#include "purl/io/geo.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace purl::cli {

MixedScene::MixedScene(const std::string& path) : scene_(loadScene(path)) {
    if (!scene_.fabric.there()) throw Error(path, "has no fabric, expected one");
    std::vector<std::string> warnings;
    patch_ = loadPatch(scene_.fabric, name_, warnings);
    scene_.fabric.region = "paint";
    in_ = fabricOf(patch_, name_, scene_, readDraft(scene_.fabric, warnings), warnings);
    if (in_.paint.empty())
        throw Error(name_, "has no point attribute yarn, expected paint of 0 to 1");
    ColliderSizes sizes;
    sizes.yarnRadius = in_.layout.radius;
    sizes.thickness = scene_.settings.collision.thickness;
    const FrameRange range = parseRange(scene_.frames, "time/frames");
    first_ = range.first, last_ = range.last;
    for (const ColliderEntry& c : scene_.colliders) colliders_.emplace_back(c, first_, sizes);
    seconds_ = scene_.settings.time.timeScale / scene_.settings.time.fps;
    steps_ = std::max(1, scene_.settings.time.substeps);
}

Regions MixedScene::regions(Span<const double> paint) const {
    return findRegions(in_.patch.triangles, paint, name_);
}

FabricSolverSettings MixedScene::settings() const {
    FabricSolverSettings s;
    s.forces = scene_.settings.forces;
    s.sliding = scene_.fabric.sliding;
    s.touch.self = scene_.fabric.selfCollision;
    return s;
}

std::unique_ptr<FabricBody> MixedScene::body(const std::string& region) {
    std::unique_ptr<FabricBody> b;
    if (region == "all")
        b = makeFabricBody(in_.layout, settings());
    else
        b = makeMixedBody(in_.patch, in_.layout,
                          regions(region == "none"    ? std::vector<double>(in_.paint.size(), 0)
                                  : region == "whole" ? std::vector<double>(in_.paint.size(), 1)
                                                      : in_.paint),
                          patchMaterial(in_.layout), settings());
    b->setPins(in_.sheet.pins, in_.pins);
    std::vector<CollisionBody> bodies;
    for (LiveCollider& c : colliders_) {
        c.startAt(first_, first_, seconds_);
        bodies.push_back({c.collider().get(), c.settings(scene_.settings.collision)});
    }
    b->setColliders(std::move(bodies));
    return b;
}

void MixedScene::beginFrame(FabricBody& body, int frame) {
    for (LiveCollider& c : colliders_) c.setFrame(frame, seconds_);
    if (!scene_.targets.empty()) {
        std::vector<std::string> warnings;
        const std::vector<Vec3> p =
            readDetail(framePath(scene_.targets, frame), warnings).positions();
        const ClothInput& c = in_.sheet.cloth;
        for (std::size_t n = 0; n < c.pointOf.size(); ++n)
            in_.sheet.targets[n] = p.at(static_cast<std::size_t>(c.pointOf[n]));
    }
    if (!in_.pins.empty())
        body.setPinTargets(in_.sheet.targets, pinTargets(in_, in_.sheet.targets));
}

MixedFigures runMixed(MixedScene& scene, const std::string& region, int steps) {
    using Clock = std::chrono::steady_clock;
    MixedFigures out;
    out.region = region;
    const std::vector<Vec3> start = scene.input().sheet.targets;
    const std::unique_ptr<FabricBody> body = scene.body(region);
    Monitor monitor;
    const int perFrame = scene.frameSteps();
    for (int frame = scene.firstFrame() + 1;
         frame <= scene.lastFrame() && !interruptAsked() && (steps == 0 || out.asked < steps);
         ++frame) {
        scene.beginFrame(*body, frame);
        // A bench that is cut short takes the first part of the frame's way at its pace: targets
        // and colliders are reached later than asked for, so such a run is timed, not compared.
        const int now = steps == 0 ? perFrame : std::min(perFrame, steps - out.asked);
        const auto t = Clock::now();
        const FabricReport r =
            body->advanceFrame(scene.frameSeconds() * now / perFrame, now, monitor);
        out.seconds += std::chrono::duration<double>(Clock::now() - t).count();
        out.asked += now, out.taken += r.steps, out.newton += r.newton;
        out.iterations += r.linear;
        if (r.broken) break;
        out.finished = frame == scene.lastFrame() || (steps > 0 && out.asked >= steps);
    }
    out.bytes = body->bytes();
    out.what = region == "all" ? std::to_string(scene.input().layout.network.nodes()) + " nodes"
                               : body->describe();
    out.x.assign(body->x().begin(), body->x().end());
    out.slides.assign(body->slides().begin(), body->slides().end());
    return out;
}

} // namespace purl::cli
