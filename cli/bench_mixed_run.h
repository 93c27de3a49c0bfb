// A scene's fabric run in one of three ways for `purl bench mixed`: yarns everywhere, yarns where
// the patch is painted, triangles alone; and what such runs are compared by.
#pragma once

#include "cli/collider_spec.h"
#include "purl/host/fabric_from_detail.h"
#include "purl/mixed/fabric_body.h"

#include <string>

namespace purl::cli {

// The fabric of a scene file, laid once and made into bodies as often as asked for.
class MixedScene {
public:
    explicit MixedScene(const std::string& path);
    const FabricInput& input() const { return in_; }
    const SceneFile& file() const { return scene_; }
    double frameSeconds() const { return seconds_; }
    int frameSteps() const { return steps_; }
    int firstFrame() const { return first_; }
    int lastFrame() const { return last_; }
    Regions regions(Span<const double> paint) const;
    FabricSolverSettings settings() const;
    // region: all (the fabric solver), paint, none; whole: all yarns by the mixed solver.
    std::unique_ptr<FabricBody> body(const std::string& region);
    // Pins' targets and colliders, ready for the way to `frame`.
    void beginFrame(FabricBody& body, int frame);

private:
    SceneFile scene_;
    Detail patch_;
    FabricInput in_;
    std::string name_;
    std::vector<LiveCollider> colliders_;
    double seconds_ = 0;
    int steps_ = 1, first_ = 1, last_ = 1;
};

struct MixedFigures {
    std::string region;
    bool finished = false;
    double seconds = 0; // of stepping
    int asked = 0;      // steps of the scene's length
    int taken = 0;      // steps with those that were halved
    int newton = 0;
    long iterations = 0;
    std::size_t bytes = 0; // kept by the solver
    std::string what;      // nodes and vertices
    std::vector<Vec3> x;   // m, per node of the layout, at the end
    std::vector<Vec3> slides;
    double perStep() const { return asked > 0 ? seconds / asked : 0; }
};

// steps: at most so many; 0: the whole scene.
MixedFigures runMixed(MixedScene& scene, const std::string& region, int steps);

} // namespace purl::cli
