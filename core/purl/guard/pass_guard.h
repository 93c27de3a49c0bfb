// Yarns never pass through yarns: the staged test of physics 4.10, on every step.
//
// 1. Free reject. A pair of blocks (block_pairs.h) that has moved less against each other than it
//    was apart cannot have met. Nearly all pairs, nearly all steps.
// 2. Distance. What is left is measured: segments farther apart at the step's end than they moved
//    in it cannot have met either.
// 3. Decider. The rest is followed through the step as polygons whose corners go straight (the
//    coplanarity cubic); crossings of one encounter are summed with their signs, and a sum other
//    than zero is judged by the Gauss integral, as `purl check` judges frames.
//
// What is found depends on the two positions alone, never on what came before: every crossing, and
// every pair nearer than `floor` at the step's end. A checkpoint needs nothing of it.
#pragma once

#include "purl/check/pass_through.h"
#include "purl/guard/block_pairs.h"
#include "purl/model/settings.h"

namespace purl {

struct ClosePair {
    Index yarnA = -1, yarnB = -1;
    Index pointA = 0, pointB = 0; // of the yarns: where the segments begin
    Vec3 place = Vec3::Zero();    // m
    double gap = 1, before = 1;   // of r_a + r_b, at the end and at the start of the step
};

struct StepVerdict {
    std::vector<Encounter> passes; // yarn through yarn
    std::vector<Encounter> doubts; // centre lines crossed near an end or along each other
    std::vector<ClosePair> fast;   // gaps that closed too fast, in order of segments
    ClosePair nearest;             // the nearest of all below the floor
    long watched = 0;              // pairs of blocks
    long examined = 0;             // of them, looked at in this step
    long measured = 0;             // distances of segments
    long followed = 0;             // pairs of segments followed through the step
    long crossings = 0;            // of centre lines, in all encounters
    long returned = 0;             // encounters that crossed and came back
    bool clear() const { return passes.empty() && doubts.empty() && fast.empty(); }
};

class PassGuard {
public:
    PassGuard() = default;
    PassGuard(const Curves& rest, const Layout& layout, const std::vector<Weld>& welds,
              const GuardSettings& settings = {});

    // The step from x0 to x1, which must be finite. The answer is valid until the next call.
    const StepVerdict& test(const Padded3& x0, const Padded3& x1);
    const StepVerdict& verdict() const { return verdict_; } // the last
    void reject() { pairs_.back(); }                        // the step just tested is undone
    // "yarn 3, point 17 and yarn 4, point 2 at (0.1 0.2 0.3) m"
    std::string describe(const Encounter&) const;
    std::string describe(const ClosePair&) const;
    long rebuilds() const { return pairs_.rebuilds(); }
    bool empty() const { return segments_.segments() == 0; }

private:
    struct Work { // of one chunk of pairs; kept to reuse its memory
        std::vector<Index> due;
        std::vector<Crossing> crossings;
        std::vector<ClosePair> fast;
        ClosePair nearest;
        long measured = 0, followed = 0;
    };
    struct View; // of the pair at work
    void examine(Index pair, const Padded3& x0, const Padded3& x1, Work&);
    void close(const Padded3& x0, const Padded3& x1, Index a, Index b, PieceMask, double reach,
               Work&) const;
    void follow(const Padded3& x0, const Padded3& x1, Index a, Index b, PieceMask, Work&) const;
    void judge(const Padded3& x0, const Padded3& x1, std::vector<Crossing>& all);
    std::string placeName(Index yarn, double arc) const;

    GuardSettings settings_;
    SegmentPairs segments_;
    BlockPairs pairs_;
    std::vector<Index> first_; // of Curves
    std::vector<Work> work_;
    StepVerdict verdict_;
    std::vector<Vec3> end_; // m, fine points of the last step that had crossings
};

} // namespace purl
