// Finds where a sheet is near itself at the start of a step, or where it would meet itself during
// it. A traversal of the patch tree against itself, cut into tasks by what each part cost in the
// step before (tutorial 5.8.3). Where it is cut changes nothing but the time taken: what the tasks
// find is put together in the order of the uncut traversal.
#pragma once

#include "purl/cloth/closest.h"
#include "purl/cloth/patch_contour.h"
#include "purl/cloth/sheet_contact.h"

namespace purl {

struct Detected {
    std::vector<SheetContact> contacts;
    long boxTests = 0, pairs = 0, culled = 0, touching = 0, tasks = 0;
    double smallestGap = 1; // of what is near: distance / thickness
};

class SelfDetector {
public:
    SelfDetector(const ClothMesh& mesh, Span<const Vec3> x, double thickness);

    enum class Look { Near /* at x0; x1 is not read */, Meetings /* between x0 and x1 */ };
    struct Request {
        Look look = Look::Meetings;
        Span<const Vec3> x0, x1;        // m
        Span<const std::uint8_t> moved; // per point: x1 changed since the last call; empty: all
        double pushOut = 0;             // see SelfCollisionSettings
        bool culling = true;
        bool coarse = false; // one task: the reference that cutting is tested against
    };
    Detected detect(const Request& request);

    const std::vector<double>& thickness() const { return thickness_; } // m, per point
    const ClothMesh& mesh() const { return mesh_; }

    // Every pair of features that the tree would look at more closely, for tests.
    std::vector<std::array<Index, 4>> candidates(const Request& request, FeaturePair kind);

private:
    struct Task {
        Index a, b;   // nodes; equal: the patch against itself
        Index origin; // node whose halves the pair comes from
    };
    struct Worker;
    void cut(const Request& r, double most, std::vector<Task>& tasks, Detected& out);
    void fit(const Request& r);
    double addUp(Index node, const std::vector<std::uint8_t>& whole, int look);

    ClothMesh mesh_;
    MeshFeatures features_;
    std::vector<double> thickness_;
    PatchTree tree_;
    PatchContours contours_;
    Vec3 drift_{0, 0, 0};
    // What each look cost in its last full pass: the patch against itself, and its halves against
    // each other.
    std::vector<double> selfWork_[2], crossWork_[2];
};

} // namespace purl
