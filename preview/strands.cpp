#include "preview/strands.h"

#include "preview/color.h"
#include "preview/sampling.h"
#include "purl/base/parallel.h"
#include "purl/geometry/catmull_rom.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace purl {
namespace {

constexpr double kTwoPi = 6.283185307179586;

// One point of a yarn's axis with a frame that does not turn about it (parallel transport).
struct AxisSample {
    Vec3 p, tangent, normal, color;
    double arc;
};
struct Axis {
    std::vector<AxisSample> samples;
    double radius = 0, length = 0;
    bool closed = false;
};

Vec3 anyNormal(const Vec3& t) {
    const Vec3 other = std::abs(t.x()) < 0.6 ? Vec3(1, 0, 0) : Vec3(0, 1, 0);
    return other.cross(t).normalized();
}

Vec3 transport(const Vec3& n, const Vec3& from, const Vec3& to) {
    const Vec3 turned = Eigen::Quaterniond::FromTwoVectors(from, to) * n;
    const Vec3 across = turned - turned.dot(to) * to;
    return across.norm() > 1e-9 ? Vec3(across.normalized()) : anyNormal(to);
}

bool drawable(const Curves& curves, Index yarn) {
    if (curves.size(yarn) < (curves.closed[yarn] ? 3 : 2) || !(curves.radius[yarn] > 0)) {
        return false;
    }
    for (const Vec3& p : curves.yarn(yarn)) {
        if (!p.allFinite()) return false;
    }
    return std::isfinite(curves.radius[yarn]);
}

// Samples the axis at most `step` apart, with every vertex among the samples.
Axis sampleAxis(const Curves& curves, const std::vector<Vec3>& color, Index yarn, double step) {
    Axis axis;
    axis.radius = curves.radius[yarn];
    axis.closed = curves.closed[yarn] != 0;
    const Index edges = curves.edges(yarn);
    for (Index e = 0; e < edges; ++e) {
        const Segment seg = segmentOf(curves, yarn, e);
        const double length = arcLength(curves.x, seg);
        const int parts = std::clamp(static_cast<int>(std::ceil(length / step)), 1, 32);
        const bool last = e + 1 == edges && !axis.closed;
        for (int k = 0; k < parts + (last ? 1 : 0); ++k) {
            const double s = static_cast<double>(k) / parts;
            AxisSample a;
            a.p = pointAt(curves.x, seg, s);
            a.tangent = tangentAt(curves.x, seg, s);
            a.color = (1 - s) * color[seg.q[1]] + s * color[seg.q[2]];
            a.arc = axis.length + s * length;
            const bool degenerate = a.tangent.norm() < 1e-12;
            if (axis.samples.empty()) {
                a.tangent = degenerate ? Vec3(1, 0, 0) : Vec3(a.tangent.normalized());
                a.normal = anyNormal(a.tangent);
            } else {
                const AxisSample& before = axis.samples.back();
                a.tangent = degenerate ? before.tangent : Vec3(a.tangent.normalized());
                a.normal = transport(before.normal, before.tangent, a.tangent);
            }
            axis.samples.push_back(a);
        }
        axis.length += length;
    }
    if (axis.closed) { // spread the angle that is missing when the frame has gone once round
        const AxisSample& first = axis.samples.front();
        const AxisSample& end = axis.samples.back();
        const Vec3 n = transport(end.normal, end.tangent, first.tangent);
        const double missing =
            std::atan2(n.cross(first.normal).dot(first.tangent), n.dot(first.normal));
        for (AxisSample& a : axis.samples) {
            a.normal = Eigen::AngleAxisd(missing * a.arc / axis.length, a.tangent) * a.normal;
        }
    }
    return axis;
}

void push(Strands& out, const Vec3& p, double r, const Vec3& normal, double arc, const Vec3& c) {
    for (int k = 0; k < 3; ++k) out.xyzr.push_back(static_cast<float>(p[k]));
    out.xyzr.push_back(static_cast<float>(r));
    out.normal.push_back(normal.cast<float>());
    out.arc.push_back(static_cast<float>(arc));
    out.color.push_back(c.cast<float>());
}

// A strand that runs round the axis at a distance, `phase` turns ahead.
void addStrand(Strands& out, const Axis& axis, double offset, double radius, double turns,
               double phase) {
    const auto base = static_cast<std::uint32_t>(out.arc.size());
    const auto place = [&](std::size_t i, double along, double r) {
        const AxisSample& a = axis.samples[i];
        const double angle = kTwoPi * (phase + turns * a.arc / std::max(axis.length, 1e-30));
        const Vec3 n = std::cos(angle) * a.normal + std::sin(angle) * a.tangent.cross(a.normal);
        // Every ply gets an arc length of its own, so that no two show the same fibres.
        push(out, a.p + offset * n + along * a.tangent, r, n,
             a.arc + along + 41.7 * phase * axis.radius, a.color);
    };
    const std::size_t n = axis.samples.size();
    if (axis.closed) {
        place(n - 1, 0, radius);
        for (std::size_t i = 0; i < n; ++i) place(i, 0, radius);
        place(0, 0, radius);
        place(1, 0, radius);
        out.arc[base] -= static_cast<float>(axis.length);
        for (std::uint32_t k : {0U, 1U})
            out.arc[out.arc.size() - 1 - k] += static_cast<float>(axis.length);
    } else {
        // Embree leaves the ends of round curves open: close them by a round tip, four short
        // pieces.
        constexpr double angle[4] = {1.5708, 1.2, 0.8, 0.4};
        const double whole = 0.999;
        place(0, -1.05 * radius, 0);
        for (double a : angle)
            place(0, -radius * std::sin(a), std::max(radius * std::cos(a), 0.02 * radius));
        for (std::size_t i = 0; i < n; ++i)
            place(i, 0, i == 0 || i + 1 == n ? whole * radius : radius);
        for (int k = 3; k >= 0; --k) {
            place(n - 1, radius * std::sin(angle[k]),
                  std::max(radius * std::cos(angle[k]), 0.02 * radius));
        }
        place(n - 1, 1.05 * radius, 0);
    }
    const auto count = static_cast<std::uint32_t>(out.arc.size()) - base;
    for (std::uint32_t i = 0; i + 3 < count; ++i) out.piece.push_back(base + i);
}

Strands strandsOf(const Axis& axis, const RenderSettings& settings) {
    Strands out;
    const double pitch = settings.plyPitch * 2 * axis.radius;
    double turns = axis.length / pitch;
    if (axis.closed) turns = std::round(turns);
    if (settings.look == YarnLook::Tube) {
        addStrand(out, axis, 0, axis.radius, turns, 0);
        return out;
    }
    // Plies that touch would have the radius r / (1 + 1 / sin(pi / n)); they are thicker than that
    // and sink into each other and a little into the neighbours, as soft ones do.
    const int n = settings.plies;
    const double touching = n > 1 ? 1 / (1 + 1 / std::sin(0.5 * kTwoPi / n)) : 1.0;
    const double share = n > 1 ? std::min(1.2 * touching, 0.57) : 1.0;
    for (int k = 0; k < n; ++k) {
        addStrand(out, axis, (n > 1 ? 1.05 - share : 0.0) * axis.radius, share * axis.radius, turns,
                  static_cast<double>(k) / n);
    }
    return out;
}

// Loose fibres: short bows that leave the yarn's surface and lie nearly along it.
Strands fuzzOf(const Axis& axis, const View& view, double amount, Index yarn) {
    Strands out;
    const double r = axis.radius;
    const auto count = static_cast<std::uint32_t>(amount * 16 * axis.length / r);
    std::size_t at = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        std::uint32_t h = hashOf(static_cast<std::uint32_t>(yarn), i, 99);
        const auto next = [&h] {
            return static_cast<double>(unitFloat(h = mixBits(h + 0x9e3779b9U)));
        };
        const double arc = axis.length * (i + next()) / count;
        while (at + 1 < axis.samples.size() && axis.samples[at + 1].arc < arc) ++at;
        const AxisSample& a = axis.samples[at];
        if (!view.sees(a.p, 4 * r) || next() > (view.pixels(a.p, r) - 1.5) / 8) continue;
        const double angle = kTwoPi * next();
        const Vec3 n = std::cos(angle) * a.normal + std::sin(angle) * a.tangent.cross(a.normal);
        if (n.dot(view.eye() - a.p) < -0.5 * (view.eye() - a.p).norm()) continue; // behind the yarn
        const Vec3 side = a.tangent.cross(n);
        const Vec3 along =
            ((next() < 0.5 ? -1.0 : 1.0) * a.tangent + (1.4 * next() - 0.7) * side).normalized();
        const double wild = next(), reach = r * (0.35 + 0.5 * next() + 0.9 * wild * wild * wild);
        const double lift = reach * (0.1 + 0.35 * next() * next());
        const double curl = reach * (0.9 * next() - 0.45);
        const Vec3 root = a.p + (arc - a.arc) * a.tangent + 0.93 * r * n;
        const double thick = 0.009 * r;
        const auto base = static_cast<std::uint32_t>(out.arc.size());
        push(out, root - 0.4 * reach * along - 1.3 * lift * n, thick, n, arc, a.color);
        push(out, root, thick, n, arc, a.color);
        push(out, root + reach * along + lift * n + curl * side, 0.4 * thick, n, arc, a.color);
        push(out, root + 1.6 * reach * along + 0.5 * lift * n + 2.2 * curl * side, 0.4 * thick, n,
             arc, a.color);
        out.piece.push_back(base);
    }
    return out;
}

template <class Make>
Strands forYarns(const Picture& picture, const RenderSettings& settings, const Make& make) {
    const Curves& curves = picture.curves;
    const std::vector<Vec3> color = picture.color.empty() ? yarnColors(curves) : picture.color;
    std::vector<Strands> parts(static_cast<std::size_t>(curves.yarns()));
    parallelFor(curves.yarns(), 1, [&](Index begin, Index end) {
        for (Index y = begin; y < end; ++y) {
            if (!drawable(curves, y)) continue;
            // A ply needs seven points a turn to be round; a tube only carries the turning frame.
            const double points = settings.look == YarnLook::Tube ? 4 : 7;
            const double step = settings.plyPitch * 2 * curves.radius[y] / points;
            parts[static_cast<std::size_t>(y)] = make(sampleAxis(curves, color, y, step), y);
        }
    });
    Strands all;
    for (const Strands& part : parts) all.append(part);
    return all;
}

} // namespace

void Strands::append(const Strands& other) {
    const auto base = static_cast<std::uint32_t>(arc.size());
    xyzr.insert(xyzr.end(), other.xyzr.begin(), other.xyzr.end());
    normal.insert(normal.end(), other.normal.begin(), other.normal.end());
    arc.insert(arc.end(), other.arc.begin(), other.arc.end());
    color.insert(color.end(), other.color.begin(), other.color.end());
    for (std::uint32_t p : other.piece) piece.push_back(base + p);
}

Strands buildStrands(const Picture& picture, const RenderSettings& settings) {
    return forYarns(picture, settings,
                    [&](const Axis& axis, Index) { return strandsOf(axis, settings); });
}

Strands buildFuzz(const Picture& picture, const RenderSettings& settings, const View& view) {
    if (!(settings.fuzz > 0)) return {};
    return forYarns(picture, settings, [&](const Axis& axis, Index y) {
        return fuzzOf(axis, view, settings.fuzz, y);
    });
}

} // namespace purl
