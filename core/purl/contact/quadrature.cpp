#include "purl/contact/quadrature.h"

#include "purl/base/parallel.h"
#include "purl/geometry/catmull_rom.h"

#include <limits>

namespace purl {

namespace {
constexpr double kPi = 3.14159265358979323846;
double sumLanes(Pack4 p) { return (p.v[0] + p.v[1]) + (p.v[2] + p.v[3]); }
} // namespace

Quadrature::Quadrature(const Curves& rest, const Layout& layout,
                       const std::vector<Material>& material, int pointsPerSegment)
    : closed(rest.closed), points_(pointsPerSegment), blocksPerSegment_((pointsPerSegment + 3) / 4),
      layout_(&layout) {
    const int b = points_, nb = blocksPerSegment_;
    weight_.assign(nb * 16, 0.0);
    for (int g = 0; g < 4 * nb; ++g) {
        const Weights4 w = catmullRom((g + 0.5) / b);
        for (int c = 0; c < 4; ++c)
            weight_[(g / 4) * 16 + 4 * c + g % 4] =
                g < b ? w[c] : std::numeric_limits<double>::quiet_NaN();
    }
    arcOfNode.resize(rest.points());
    for (Index y = 0; y < rest.yarns(); ++y) {
        double start = 0;
        const double r = rest.radius[y], k = std::sqrt(material[y].contactStiffness);
        for (Index s = 0; s < rest.edges(y); ++s) {
            const Index seg = static_cast<Index>(slot.size());
            const double length = arcLength(rest.x, purl::segmentOf(rest, y, s));
            arcOfNode[rest.first[y] + s] = start;
            slot.push_back(layout.base[y] + 1 + s);
            for (int k4 = 0; k4 < nb; ++k4) {
                segmentOf.push_back(seg);
                yarnOf.push_back(y);
                scale.push_back(k * length / b);
                radius.push_back(r);
                for (int lane = 0; lane < 4; ++lane)
                    arc.push_back(start + length * (4 * k4 + lane + 0.5) / b);
            }
            start += length;
        }
        if (!rest.closed[y]) arcOfNode[rest.first[y + 1] - 1] = start;
        yarnLength.push_back(start);
        // A bend of radius r closes on itself after an arc of pi r (physics 3.4).
        exclusion.push_back(std::max(2 * start / rest.edges(y), 1.1 * kPi * r));
    }
}

void Quadrature::evaluate(const Padded3& x) {
    if (at.empty()) {
        at.assign(12 * segmentOf.size(), 0.0);
        force.assign(12 * segmentOf.size(), 0.0);
        out_.assign(12, std::vector<double>(layout_->padded() + 8, 0.0));
    }
    const std::vector<double>* coordinate[3] = {&x.x, &x.y, &x.z};
    parallelFor(segments(), 128, [&](Index a, Index b) {
        for (Index seg = a; seg < b; ++seg) {
            const Index s = slot[seg];
            for (int k = 0; k < blocksPerSegment_; ++k) {
                double* to = &at[12 * (static_cast<std::size_t>(seg) * blocksPerSegment_ + k)];
                for (int c = 0; c < 3; ++c) {
                    const double* q = coordinate[c]->data() + s - 1;
                    Pack4 p = 0.0;
                    for (int i = 0; i < 4; ++i)
                        p += loadPack(&weight_[16 * k + 4 * i]) * Pack4(q[i]);
                    store(to + 4 * c, p);
                }
            }
        }
    });
}

void Quadrature::spread(Padded3& f) {
    // Segments write what their points exert on the four control points; slots then gather.
    parallelFor(segments(), 128, [&](Index a, Index b) {
        for (Index seg = a; seg < b; ++seg) {
            const Index s = slot[seg];
            for (int c = 0; c < 3; ++c)
                for (int i = 0; i < 4; ++i) {
                    Pack4 sum = 0.0;
                    for (int k = 0; k < blocksPerSegment_; ++k) {
                        const double* from =
                            &force[12 * (static_cast<std::size_t>(seg) * blocksPerSegment_ + k)];
                        const Pack4 w = loadPack(&weight_[16 * k + 4 * i]);
                        sum += select(w.v == w.v, w, Pack4(0.0)) * loadPack(from + 4 * c);
                    }
                    out_[3 * i + c][s + 4] = sumLanes(sum);
                }
        }
    });
    double* coordinate[3] = {f.x.data(), f.y.data(), f.z.data()};
    parallelFor(layout_->slots(), 1024, [&](Index a, Index b) {
        for (int c = 0; c < 3; ++c)
            for (Index s = a; s < b; ++s)
                coordinate[c][s] += (out_[c][s + 5] + out_[3 + c][s + 4]) +
                                    (out_[6 + c][s + 3] + out_[9 + c][s + 2]);
    });
    for (Index y = 0; y < layout_->yarns(); ++y) foldGhosts(*layout_, y, f);
}

} // namespace purl
