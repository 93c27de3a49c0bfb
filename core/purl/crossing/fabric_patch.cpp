#include "purl/crossing/fabric_patch.h"

#include "purl/base/error.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <tuple>

namespace purl {

namespace {

using Corners = std::array<Vec2, 3>;

double twice(const Corners& t) {
    const Vec2 a = t[1] - t[0], b = t[2] - t[0];
    return a.x() * b.y() - a.y() * b.x();
}

bool thin(const Corners& t) {
    const double longest = std::max(
        {(t[1] - t[0]).squaredNorm(), (t[2] - t[1]).squaredNorm(), (t[0] - t[2]).squaredNorm()});
    return !(std::abs(twice(t)) > 1e-8 * longest);
}

std::string text(double v) {
    char out[32];
    std::snprintf(out, sizeof out, "%.4g", v);
    return out;
}

// A half edge: which triangle, which of its edges.
struct Half {
    Index a, b; // nodes, a < b
    Index triangle;
    int k;
};

class Flattener {
public:
    Flattener(const PatchInput& in, const PatchSettings& s, const std::string& file,
              std::vector<std::string>& warnings)
        : in_(in), s_(s), file_(file), warnings_(warnings) {
        p_.x = in.x;
        p_.triangles = in.triangles;
        p_.number = in.number;
        p_.inside.assign(in.triangles.size(), {-1, -1, -1});
        p_.seam = p_.inside;
        p_.piece.assign(in.triangles.size(), FabricPatch::kNone);
    }

    FabricPatch make() {
        if (p_.faces() == 0) throw Error(file_, "has no triangles, expected a patch of polygons");
        const bool uv = s_.useUv && !in_.uv.empty();
        if (uv)
            fromUv();
        else
            fromRest();
        connect();
        findPieces();
        turnFaceUp();
        if (s_.angle != 0) turn();
        measure();
        return std::move(p_);
    }

private:
    std::string primitive(Index t) const {
        return file_ + ": primitive " + std::to_string(in_.number[t]);
    }
    const std::vector<Vec3>& rest() const { return in_.rest.empty() ? in_.x : in_.rest; }

    double area3(Index t) const {
        const auto& r = rest();
        const auto& c = in_.triangles[t];
        return 0.5 * (r[c[1]] - r[c[0]]).cross(r[c[2]] - r[c[0]]).norm();
    }

    void fromUv() {
        double flat = 0, solid = 0;
        Index none = 0, first = -1;
        for (Index t = 0; t < p_.faces(); ++t) {
            flat += 0.5 * std::abs(twice(in_.uv[t]));
            solid += area3(t);
            if (thin(in_.uv[t]) && none++ == 0) first = in_.number[t];
        }
        if (!(flat > 0)) throw Error(file_, "uv covers no area, expected the patch laid flat");
        double scale = s_.uvScale;
        const double byArea = std::sqrt(solid / flat), ratio = flat * scale * scale / solid;
        if (scale == 0) {
            scale = byArea;
        } else if (s_.autoScale && (ratio < 0.5 || ratio > 2)) {
            warnings_.push_back(file_ + ": uv covers " + text(ratio) +
                                " times the area of the polygons: it is taken for a texture's, " +
                                text(byArea) + " m a unit so that the areas agree");
            scale = byArea;
        }
        p_.uvScale = scale;
        if (none > 0)
            warnings_.push_back(file_ + ": " + std::to_string(none) +
                                " triangles have no area in uv (the first is of primitive " +
                                std::to_string(first) + "); no yarn is laid on them");
        p_.plane.resize(p_.triangles.size());
        for (Index t = 0; t < p_.faces(); ++t)
            for (int k = 0; k < 3; ++k) p_.plane[t][k] = scale * in_.uv[t][k];
    }

    // One plane for all: the rest shape has to lie in one.
    void fromRest() {
        const auto& r = rest();
        Vec3 normal = Vec3::Zero(), lo = Vec3::Constant(1e300), hi = -lo;
        for (const auto& c : in_.triangles) {
            normal += (r[c[1]] - r[c[0]]).cross(r[c[2]] - r[c[0]]);
            for (Index q : c) {
                lo = lo.cwiseMin(r[q]);
                hi = hi.cwiseMax(r[q]);
            }
        }
        const double size = (hi - lo).norm();
        const char* expected = " is not flat, expected uv (vertex or point attribute) that lays "
                               "it out, or a flat point attribute rest";
        if (!(normal.norm() > 0)) throw Error(file_, std::string("the patch") + expected);
        normal.normalize();
        const Vec3 middle = 0.5 * (lo + hi);
        double offset = 0;
        for (const auto& c : in_.triangles) offset += normal.dot(r[c[0]] - middle);
        offset /= static_cast<double>(in_.triangles.size());
        for (Index t = 0; t < p_.faces(); ++t)
            for (Index q : in_.triangles[t])
                if (!(std::abs(normal.dot(r[q] - middle) - offset) <= 1e-4 * size))
                    throw Error(primitive(t), std::string("there the patch") + expected);
        // Warp as triangle cloth has it: the longest side of the bounds.
        int axis = 0;
        for (int d = 1; d < 3; ++d)
            if ((hi - lo)[d] > 1.001 * (hi - lo)[axis]) axis = d;
        Vec3 along = Vec3::Unit(axis);
        along = (along - normal.dot(along) * normal).normalized();
        const Vec3 across = normal.cross(along);
        p_.plane.resize(p_.triangles.size());
        for (Index t = 0; t < p_.faces(); ++t)
            for (int k = 0; k < 3; ++k) {
                const Vec3 d = r[in_.triangles[t][k]] - middle;
                p_.plane[t][k] = {d.dot(along), d.dot(across)};
            }
    }

    void connect() {
        std::vector<Half> half;
        half.reserve(3 * p_.triangles.size());
        for (Index t = 0; t < p_.faces(); ++t)
            for (int k = 0; k < 3; ++k) {
                const Index a = p_.triangles[t][k], b = p_.triangles[t][(k + 1) % 3];
                half.push_back({std::min(a, b), std::max(a, b), t, k});
            }
        std::sort(half.begin(), half.end(), [](const Half& l, const Half& r) {
            return std::tie(l.a, l.b, l.triangle) < std::tie(r.a, r.b, r.triangle);
        });
        for (std::size_t i = 0; i < half.size();) {
            std::size_t n = i + 1;
            while (n < half.size() && half[n].a == half[i].a && half[n].b == half[i].b) ++n;
            if (n - i == 2) join(half[i], half[i + 1]);
            i = n;
        }
    }

    const Vec2& corner(const Half& h, Index node) const {
        const bool start = p_.triangles[h.triangle][h.k] == node;
        return p_.plane[h.triangle][start ? h.k : (h.k + 1) % 3];
    }
    void join(const Half& l, const Half& r) {
        const bool flat = corner(l, l.a) == corner(r, l.a) && corner(l, l.b) == corner(r, l.b);
        if (flat && !thin(p_.plane[l.triangle]) && !thin(p_.plane[r.triangle])) {
            p_.inside[l.triangle][l.k] = r.triangle;
            p_.inside[r.triangle][r.k] = l.triangle;
        } else {
            p_.seam[l.triangle][l.k] = 3 * r.triangle + r.k;
            p_.seam[r.triangle][r.k] = 3 * l.triangle + l.k;
        }
    }

    void findPieces() {
        std::vector<Index> open;
        for (Index seed = 0; seed < p_.faces(); ++seed) {
            if (p_.piece[seed] >= 0 || thin(p_.plane[seed])) continue;
            open.assign(1, seed);
            p_.piece[seed] = p_.pieces;
            while (!open.empty()) {
                const Index t = open.back();
                open.pop_back();
                for (Index n : p_.inside[t])
                    if (n >= 0 && p_.piece[n] < 0) {
                        p_.piece[n] = p_.pieces;
                        open.push_back(n);
                    }
            }
            ++p_.pieces;
        }
    }

    // Pieces that run clockwise are mirrored; a triangle that does inside one that does not is
    // folded over its neighbours.
    void turnFaceUp() {
        std::vector<double> area(p_.pieces, 0);
        for (Index t = 0; t < p_.faces(); ++t)
            if (p_.piece[t] >= 0) area[p_.piece[t]] += twice(p_.plane[t]);
        Index mirrored = 0, first = -1;
        std::vector<std::uint8_t> told(p_.pieces, 0);
        for (Index t = 0; t < p_.faces(); ++t) {
            const Index piece = p_.piece[t];
            if (piece < 0) continue;
            if (area[piece] < 0) {
                for (Vec2& c : p_.plane[t]) c.y() = -c.y();
                if (!told[piece]) {
                    told[piece] = 1;
                    if (mirrored++ == 0) first = in_.number[t];
                }
            }
            if (!(twice(p_.plane[t]) > 0))
                throw Error(primitive(t), "is folded over in uv, expected every polygon of a piece "
                                          "to lie the same way round");
        }
        if (mirrored > 0)
            warnings_.push_back(file_ + ": " + std::to_string(mirrored) +
                                " uv pieces are mirrored (the first has primitive " +
                                std::to_string(first) + "); mirrored back");
    }

    void turn() {
        const double c = std::cos(s_.angle), s = std::sin(s_.angle);
        for (Corners& t : p_.plane)
            for (Vec2& q : t) q = Vec2(c * q.x() + s * q.y(), c * q.y() - s * q.x());
    }

    void measure() {
        bool any = false;
        for (Index t = 0; t < p_.faces(); ++t) {
            if (p_.piece[t] < 0) continue;
            for (int k = 0; k < 3; ++k) {
                const double flat = (p_.plane[t][(k + 1) % 3] - p_.plane[t][k]).norm();
                const double solid =
                    (in_.x[in_.triangles[t][(k + 1) % 3]] - in_.x[in_.triangles[t][k]]).norm();
                const double ratio = solid / flat;
                p_.leastStretch = any ? std::min(p_.leastStretch, ratio) : ratio;
                p_.mostStretch = any ? std::max(p_.mostStretch, ratio) : ratio;
                any = true;
            }
        }
    }

    const PatchInput& in_;
    PatchSettings s_;
    const std::string& file_;
    std::vector<std::string>& warnings_;
    FabricPatch p_;
};

} // namespace

FabricPatch flattenPatch(const PatchInput& input, const PatchSettings& settings,
                         const std::string& file, std::vector<std::string>& warnings) {
    return Flattener(input, settings, file, warnings).make();
}

} // namespace purl
