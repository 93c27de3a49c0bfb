#include "purl/check/finding.h"

#include <cmath>
#include <cstdarg>
#include <cstdio>

namespace purl {

namespace {
std::string format(const char* pattern, ...) {
    char line[512];
    va_list args;
    va_start(args, pattern);
    std::vsnprintf(line, sizeof line, pattern, args);
    va_end(args);
    return line;
}
} // namespace

const char* nameOf(FindingKind kind) {
    constexpr const char* names[kFindingKinds] = {
        "non-finite",       "one-point-yarn", "bad-radius", "doubled-points", "yarns-cross",
        "changed-topology", "broken",         "length",     "pass-through",   "doubtful"};
    return names[static_cast<int>(kind)];
}

Finding nonFiniteFound(int frame, Index yarn, Index point, Index local, const Vec3& value,
                       Index bad) {
    Finding f;
    f.kind = FindingKind::NonFinite;
    f.frame = frame;
    f.yarnA = yarn;
    f.point = point;
    f.value = bad;
    f.text =
        format("frame %d: yarn %d, point %d (number %d of the yarn) is at (%g, %g, %g), expected "
               "finite coordinates; %d bad point%s in this yarn",
               frame, yarn, point, local, value[0], value[1], value[2], bad, bad == 1 ? "" : "s");
    return f;
}

Finding onePointFound(int frame, Index yarn, Index points) {
    Finding f;
    f.kind = FindingKind::OnePointYarn;
    f.frame = frame;
    f.yarnA = yarn;
    f.value = points;
    f.expected = 2;
    f.text = format("frame %d: yarn %d has %d point%s, expected 2 or more", frame, yarn, points,
                    points == 1 ? "" : "s");
    return f;
}

Finding badRadiusFound(int frame, Index yarn, double radius) {
    Finding f;
    f.kind = FindingKind::BadRadius;
    f.frame = frame;
    f.yarnA = yarn;
    f.value = radius;
    f.text =
        format("frame %d: yarn %d has radius %g m, expected a radius > 0 m", frame, yarn, radius);
    return f;
}

Finding doubledFound(int frame, Index yarn, Index point, double u, double distance, double least) {
    Finding f;
    f.kind = FindingKind::DoubledPoints;
    f.frame = frame;
    f.yarnA = yarn;
    f.uA = u;
    f.point = point;
    f.value = distance;
    f.expected = least;
    f.text = format("frame %d: yarn %d at curveu %.4f: point %d and the next are %.3g m apart, "
                    "expected more than %.3g m",
                    frame, yarn, u, point, distance, least);
    return f;
}

Finding crossFound(int frame, const ClosePlace& place, double least) {
    Finding f;
    f.kind = FindingKind::YarnsCross;
    f.frame = frame;
    f.yarnA = place.yarnA;
    f.yarnB = place.yarnB;
    f.uA = place.uA;
    f.uB = place.uB;
    f.value = place.ratio;
    f.expected = least;
    f.text =
        format("frame %d: yarn %d at curveu %.4f and yarn %d at curveu %.4f cross at (%g, %g, "
               "%g): their centre lines are %.3g of the sum of the radii apart, expected %g or "
               "more",
               frame, f.yarnA, f.uA, f.yarnB, f.uB, place.at[0], place.at[1], place.at[2],
               place.ratio, least);
    return f;
}

Finding changedFound(int frame, int before, const char* what, Index value, Index expected) {
    Finding f;
    f.kind = FindingKind::Changed;
    f.frame = frame;
    f.frameBefore = before;
    f.value = value;
    f.expected = expected;
    f.text = format("frame %d has %d %s, expected %d as in frame %d; judged anew from here", frame,
                    value, what, expected, before);
    return f;
}

Finding brokenFound(int frame, Index yarn, double u, Index point, double ratio, double most) {
    Finding f;
    f.kind = FindingKind::Broken;
    f.frame = frame;
    f.yarnA = yarn;
    f.uA = u;
    f.point = point;
    f.value = ratio;
    f.expected = most;
    f.text =
        format("frame %d: yarn %d at curveu %.4f: the edge after point %d is %.3g times as long as "
               "in the first frame, expected less than %g; this yarn's distances and passes are "
               "not judged while it is",
               frame, yarn, u, point, ratio, most);
    return f;
}

Finding lengthFound(Index yarn, const YarnLength& length, double tolerance) {
    Finding f;
    f.kind = FindingKind::Length;
    f.frame = length.frame;
    f.yarnA = yarn;
    f.value = length.change;
    f.expected = tolerance;
    f.text = format("frame %d: yarn %d is %.6g m long, %+.3f %% of its %.6g m in the first frame, "
                    "expected within %.3g %%",
                    length.frame, yarn, length.rest * (1 + length.change), 100 * length.change,
                    length.rest, 100 * tolerance);
    return f;
}

Finding encounterFound(int frame, int before, const FineLayout& layout, const Encounter& e,
                       const PassSettings& settings) {
    Finding f;
    f.kind = e.passed ? FindingKind::PassThrough : FindingKind::Doubtful;
    f.frame = frame;
    f.frameBefore = before;
    f.yarnA = e.yarnA;
    f.yarnB = e.yarnB;
    f.uA = layout.curveU(e.yarnA, e.arcA);
    f.uB = layout.curveU(e.yarnB, e.arcB);
    f.value = e.jump;
    f.expected = settings.gaussJump;
    const std::string where = format("frame %d: yarn %d at curveu %.4f", frame, e.yarnA, f.uA);
    const std::string other = format("yarn %d at curveu %.4f", e.yarnB, f.uB);
    if (e.passed) {
        f.text = where + " went through " + other + " since frame " + std::to_string(before);
        if (std::abs(e.net) > 1) f.text += format(" %d times", std::abs(e.net));
        if (e.jump > 0) f.text += format(" (linking changed by %.2f)", e.jump);
    } else if (e.net == 0) {
        f.text =
            where + " and " + other +
            format(" crossed %d times between frames %d and %d, as often one way as the other: "
                   "slid round, came back, or side by side through each other",
                   e.crossings, before, frame);
    } else {
        f.text = where + " may have gone through " + other + format(" since frame %d, ", before);
        if (e.endWay < settings.endShare * e.move)
            f.text += format("or round the end of a yarn, %.2g yarn diameters away", e.endWay);
        else
            f.text +=
                format("or rolled over it: they lie nearly parallel (linking changed by %.2f, a "
                       "pass by more than %.2f)",
                       e.jump, settings.gaussJump);
    }
    if (e.move > 2)
        f.text +=
            format("; they moved %.1f yarn diameters against each other in one frame, a denser "
                   "sequence makes it sure",
                   e.move);
    return f;
}

} // namespace purl
