#include "purl/mixed/regions.h"

#include "purl/base/error.h"

#include <algorithm>
#include <cmath>

namespace purl {

Regions findRegions(Span<const std::array<Index, 3>> triangles, Span<const double> paint,
                    const std::string& where) {
    const Index points = static_cast<Index>(paint.size());
    const Index faces = static_cast<Index>(triangles.size());
    Regions out;
    out.face.assign(triangles.size(), Region::Triangles);
    out.alpha.assign(paint.size(), 0);
    out.free.assign(paint.size(), 0);
    Index clamped = 0, firstClamped = -1;
    std::vector<char> painted(paint.size(), 0), used(paint.size(), 0);
    for (Index i = 0; i < points; ++i) {
        if (!std::isfinite(paint[i]))
            throw Error(where + ": point " + std::to_string(i),
                        "has a `yarn` of " + std::to_string(paint[i]) + ", expected 0 to 1");
        if (paint[i] < 0 || paint[i] > 1) {
            if (clamped++ == 0) firstClamped = i;
        }
        painted[i] = paint[i] > kPainted;
    }
    if (clamped > 0)
        out.warnings.push_back(where + ": " + std::to_string(clamped) +
                               " points have a `yarn` outside 0 to 1, the first is point " +
                               std::to_string(firstClamped) + " with " +
                               std::to_string(paint[firstClamped]) + "; taken as 0 or 1");
    for (Index f = 0; f < faces; ++f) {
        const auto& t = triangles[f];
        if (!painted[t[0]] || !painted[t[1]] || !painted[t[2]]) continue;
        out.face[f] = Region::Yarn;
        ++out.yarnFaces;
        for (Index v : t) out.alpha[v] = 1, used[v] = 1;
    }
    Index lost = 0, firstLost = -1;
    for (Index i = 0; i < points; ++i)
        if (painted[i] && !used[i] && lost++ == 0) firstLost = i;
    if (lost > 0)
        out.warnings.push_back(where + ": " + std::to_string(lost) +
                               " painted points are in no triangle that is painted at all its "
                               "corners, the first is point " +
                               std::to_string(firstLost) +
                               "; they stay triangles (paint whole triangles)");
    for (Index f = 0; f < faces; ++f) {
        if (out.face[f] == Region::Yarn) continue;
        const auto& t = triangles[f];
        for (Index v : t) out.free[v] = 1;
        if (out.alpha[t[0]] > 0 || out.alpha[t[1]] > 0 || out.alpha[t[2]] > 0) {
            out.face[f] = Region::Hybrid;
            ++out.hybridFaces;
        }
    }
    return out;
}

double blend(const Regions& regions, Span<const std::array<Index, 3>> triangles, Index face,
             const std::array<double, 3>& barycentric) {
    if (regions.face[face] == Region::Yarn) return 1;
    if (regions.face[face] == Region::Triangles) return 0;
    double a = 0;
    for (int k = 0; k < 3; ++k) a += barycentric[k] * regions.alpha[triangles[face][k]];
    return std::clamp(a, kLeastAlpha, 1.0);
}

} // namespace purl
