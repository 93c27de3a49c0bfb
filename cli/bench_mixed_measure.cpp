#include "cli/bench_mixed_measure.h"

#include <algorithm>
#include <cmath>

namespace purl::cli {

namespace {
constexpr double kPi = 3.14159265358979323846;
}

Wrinkles measureWrinkles(const FabricLayout& layout, Span<const Vec3> x, YarnFamily family,
                         const Vec3& up, const std::function<bool(const Vec3&)>& chosen) {
    const CrossingNetwork& net = layout.network;
    Wrinkles out;
    double height = 0, slope = 0, length = 0;
    for (Index y = 0; y < net.yarns(); ++y) {
        if (layout.yarns[y].family != family) continue;
        const Index first = net.first[y], count = net.first[y + 1] - first;
        Vec3 middle = Vec3::Zero();
        for (Index k = 0; k < count; ++k) middle += net.x[net.node[first + k]] / count;
        if (!chosen(middle) || count < 20) continue;
        const Index a = count / 10, b = count - a;
        // Along the line from end to end, less the line of least squares.
        const Vec3 along = (x[net.node[first + b - 1]] - x[net.node[first + a]]).normalized();
        std::vector<double> s, h;
        for (Index k = a; k < b; ++k) {
            const Vec3& p = x[net.node[first + k]];
            s.push_back(p.dot(along));
            h.push_back(p.dot(up));
        }
        const double n = static_cast<double>(s.size());
        double ms = 0, mh = 0, sh = 0, ss = 0;
        for (std::size_t k = 0; k < s.size(); ++k) ms += s[k] / n, mh += h[k] / n;
        for (std::size_t k = 0; k < s.size(); ++k)
            sh += (s[k] - ms) * (h[k] - mh), ss += (s[k] - ms) * (s[k] - ms);
        for (std::size_t k = 0; k < s.size(); ++k) h[k] -= mh + sh / ss * (s[k] - ms);
        for (std::size_t k = 0; k + 1 < s.size(); ++k) {
            const double d = std::max(1e-9, s[k + 1] - s[k]);
            height += 0.5 * (h[k] * h[k] + h[k + 1] * h[k + 1]) * d;
            slope += (h[k + 1] - h[k]) * (h[k + 1] - h[k]) / d;
            length += d;
        }
        ++out.yarns;
    }
    if (!(length > 0)) return out;
    out.amplitude = std::sqrt(2 * height / length);
    out.wavelength = slope > 0 ? 2 * kPi * std::sqrt(height / slope) : 0;
    return out;
}

double measureShear(const FabricLayout& layout, Span<const Vec3> x,
                    const std::function<bool(const Vec3&)>& chosen) {
    const CrossingNetwork& net = layout.network;
    double sum = 0, count = 0;
    for (Index i = 0; i < net.nodes(); ++i) {
        if (net.kind[i] != NodeKind::Woven || !chosen(net.x[i])) continue;
        Vec3 way[2];
        bool whole = true;
        for (int s = 0; s < 2; ++s) {
            const Index k = net.visits[i][s];
            whole = whole && k != CrossingNetwork::kNone && !net.isFirst(k) && !net.isLast(k);
            if (whole) way[s] = (x[net.node[k + 1]] - x[net.node[k - 1]]).normalized();
        }
        if (!whole) continue;
        sum += std::abs(90 - std::acos(std::clamp(way[0].dot(way[1]), -1.0, 1.0)) * 180 / kPi);
        ++count;
    }
    return count > 0 ? sum / count : 0;
}

BorderStrain measureBorder(const FabricLayout& layout, const Regions& regions, Span<const Vec3> x,
                           Span<const Vec3> slides, YarnFamily family, double reach,
                           double margin) {
    const CrossingNetwork& net = layout.network;
    Vec3 lo = net.x[0], hi = net.x[0];
    for (const Vec3& p : net.x) lo = lo.cwiseMin(p), hi = hi.cwiseMax(p);
    std::vector<Vec3> ring;
    for (Index i = 0; i < net.nodes(); ++i)
        if (regions.face[layout.triangle[i]] == Region::Hybrid) ring.push_back(net.x[i]);
    double sum[3] = {}, count[3] = {};
    for (Index y = 0; y < net.yarns(); ++y) {
        if (layout.yarns[y].family != family) continue;
        for (Index k = net.first[y]; k + 1 < net.first[y + 1]; ++k) {
            const Index a = net.node[k], b = net.node[k + 1];
            const Region ra = regions.face[layout.triangle[a]],
                         rb = regions.face[layout.triangle[b]];
            if (ra != rb) continue;
            const Vec3 at = 0.5 * (net.x[a] + net.x[b]);
            double inside = 1e30; // of the patch, along the directions it has
            for (int c = 0; c < 3; ++c)
                if (hi[c] - lo[c] > 4 * margin)
                    inside = std::min({inside, at[c] - lo[c], hi[c] - at[c]});
            if (inside < margin) continue;
            if (ra != Region::Hybrid) {
                bool near = false;
                for (const Vec3& p : ring) near = near || (p - at).squaredNorm() < reach * reach;
                if (!near) continue;
            }
            const int which = ra == Region::Yarn ? 0 : ra == Region::Hybrid ? 1 : 2;
            const double rest = slides[b][net.side[k + 1]] - slides[a][net.side[k]];
            sum[which] += (x[b] - x[a]).norm() / rest - 1;
            ++count[which];
        }
    }
    BorderStrain out;
    const auto mean = [&](int k) { return count[k] > 0 ? sum[k] / count[k] : 0; };
    out.yarn = mean(0), out.ring = mean(1), out.triangles = mean(2);
    const double all = (out.yarn + out.ring + out.triangles) / 3;
    out.jump = std::max(std::abs(out.yarn - out.ring), std::abs(out.ring - out.triangles)) /
               std::max(1e-12, std::abs(all));
    return out;
}

} // namespace purl::cli
