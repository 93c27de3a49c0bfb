// The judge behind `purl check`: reads frame after frame of any yarns, from this solver or another,
// and says what is wrong with them. It knows nothing of the solver and shares no contact code with
// it.
#pragma once

#include "purl/check/distance.h"
#include "purl/check/pass_through.h"

#include <array>
#include <memory>
#include <string>

namespace purl {

struct CheckSettings {
    double lengthTolerance = 1e-3; // largest relative change of a yarn's length that is no finding
    double crossRatio = 0.05; // first frame: nearer than this part of the radii's sum is crossing
    double doubled = 1e-3;    // neighbour points nearer than this part of the radius are doubled
    double broken =
        4; // an edge longer than this times its rest length: the yarn is not judged further
    Index listed = 1000; // findings of a kind that are listed; all are counted
    PassSettings pass;
    std::vector<GluedPoints>
        glued; // vertices held together on purpose; near them nothing is judged
    // Also taken for glued: an end of a yarn and a vertex nearer than this part of the radius in
    // the first frame. 0 for none.
    double weldedEnds = 1e-3;
};

enum class FindingKind {
    NonFinite,     // a point that is not a number, or beyond 1e12 m
    OnePointYarn,  // fewer than two points
    BadRadius,     // zero, negative or not a number
    DoubledPoints, // neighbours along a yarn at one place
    YarnsCross,    // centre lines that cross in the first frame already
    Changed,       // another number of yarns or points than in the frame before
    Broken,        // a yarn pulled apart beyond sense; its distances and passes are not judged
    Length,        // a yarn longer or shorter than the tolerance allows
    PassThrough,   // yarn went through yarn between two frames
    Doubtful       // centre lines crossed between two frames, but may have gone round or come back
};
constexpr int kFindingKinds = 10;
const char* nameOf(FindingKind kind); // as printed: "pass-through"

struct Finding {
    FindingKind kind;
    int frame = 0; // between the frame before and this one, for pass-through
    int frameBefore = 0;
    Index yarnA = -1, yarnB = -1; // -1: not about a yarn
    double uA = 0, uB = 0;        // curveu, 0..1 along the yarns by length
    Index point = -1;             // index into Curves::x, where one point is meant
    double value = 0, expected = 0;
    std::string text; // the whole finding as one line, with place, value and what was expected
};

struct YarnLength {
    double rest = 0;   // m, sum of chords in the first frame; 0: never seen whole
    double change = 0; // the largest |length / rest - 1| over the frames, with its sign
    int frame = 0;     // where that was
};

struct EdgeStrain {
    Index yarn = -1, edge = -1; // -1: no edge
    double u = 0;               // curveu of its middle
    double strain = 0;          // length / rest - 1, the largest by size over all frames
    int frame = 0;
};

struct CheckReport {
    int frames = 0, firstFrame = 0, lastFrame = 0;
    Index yarns = 0, points = 0;
    std::vector<YarnLength> lengths; // per yarn
    Index worstYarn = -1;            // the one whose length changed most
    EdgeStrain worstEdge;
    ClosePlace
        deepest; // the smallest distance / sum of radii over all frames; not found() if none < 1
    int deepestFrame = 0;
    std::array<Index, kFindingKinds> counts{}; // of each kind, listed or not
    std::vector<Finding> findings;             // in the order they were met, Length last

    Index count(FindingKind kind) const { return counts[static_cast<int>(kind)]; }
    // Nothing found but doubts: those ask for a denser sequence.
    bool clean() const;
};

class SequenceCheck {
public:
    explicit SequenceCheck(CheckSettings settings = {});
    ~SequenceCheck();
    SequenceCheck(const SequenceCheck&) = delete;
    SequenceCheck& operator=(const SequenceCheck&) = delete;

    // The next frame. A single file is a sequence of one. Only this frame and the one before are
    // kept.
    void add(int frame, const Curves& curves);
    CheckReport report() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace purl
