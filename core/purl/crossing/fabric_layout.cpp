#include "purl/crossing/fabric_layout.h"

#include "purl/base/error.h"
#include "purl/crossing/fabric_grid.h"
#include "purl/crossing/layout_parts.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace purl {

namespace {

constexpr double kMostCrossings = 50e6;
constexpr double kMargin = 0.25; // spacings from a crossing to an end of its yarns, at least

std::string metres(double v) {
    char text[40];
    std::snprintf(text, sizeof text, "%.4g m", v);
    return text;
}

double meanOf(const std::vector<double>& v) {
    double sum = 0;
    for (double x : v) sum += x;
    return v.empty() ? 0 : sum / static_cast<double>(v.size());
}

void requireLength(const char* key, double v) {
    if (v >= 0 && std::isfinite(v)) return;
    throw Error(std::string("fabric: ") + key, metres(v) + ", expected a length > 0 m, or 0 for "
                                                           "the draft's own");
}

} // namespace

const char* familyName(YarnFamily f) {
    switch (f) {
    case YarnFamily::Warp:
        return "warp";
    case YarnFamily::Weft:
        return "weft";
    case YarnFamily::Course:
        return "course";
    default:
        return "seam";
    }
}

double referenceDiameter(const Draft& draft) {
    return meanOf(draft.warpDiameter.empty() ? draft.weftDiameter : draft.warpDiameter);
}

FabricSizes fabricSizes(const Draft& draft, const LayoutSettings& s, const std::string& name,
                        std::vector<std::string>& warnings) {
    requireLength("warp spacing", s.warpSpacing);
    requireLength("weft spacing", s.weftSpacing);
    requireLength("radius", s.radius);
    FabricSizes z{s.warpSpacing, s.weftSpacing, s.radius};
    // One spacing that is given scales all that the draft says of the others.
    const double warp = meanOf(draft.warpSpacing), weft = meanOf(draft.weftSpacing);
    double scale = 1;
    if (z.warp > 0 && warp > 0)
        scale = z.warp / warp;
    else if (z.weft > 0 && weft > 0)
        scale = z.weft / weft;
    const bool own = s.warpSpacing == 0 && s.weftSpacing == 0;
    if (z.warp == 0 && (own || weft > 0)) z.warp = warp * scale;
    if (z.weft == 0 && (own || warp > 0)) z.weft = weft * scale;
    // A knit's courses are closer than its wales, by the ratio that makePattern takes.
    const double usual = usualSpacing(draft), across = draft.woven ? 1 : 5.3 / 8.3;
    if (z.warp == 0 && z.weft > 0) z.warp = z.weft / across;
    if (z.weft == 0 && z.warp > 0) z.weft = z.warp * across;
    if (z.radius == 0 && (own || warp > 0)) z.radius = 0.5 * referenceDiameter(draft) * scale;
    if (z.radius == 0 && z.warp > 0) z.radius = std::min(z.warp, z.weft / across) / usual;
    if (z.radius == 0)
        throw Error(name, "neither spacing nor radius of the yarns was given, and the draft has "
                          "none, expected a spacing (m)");
    if (z.warp == 0) z.warp = usual * z.radius;
    if (z.weft == 0) z.weft = usual * across * z.radius;
    // Plain threads of radius r jam at 2 sqrt(3) r (Peirce 1937); floats can lie side by side.
    const double least = draft.woven ? 2 * z.radius : 6 * z.radius;
    if (std::min(z.warp, z.weft / across) < 0.999 * least)
        warnings.push_back(name + ": yarns of radius " + metres(z.radius) + " every " +
                           metres(std::min(z.warp, z.weft)) +
                           " are thicker than there is room: they overlap");
    return z;
}

void requireRoomOnPatch(const FabricPatch& p, double alongX, double alongY,
                        const std::string& name) {
    double area = 0;
    Vec2 most(0, 0);
    std::vector<Vec2> lo(p.pieces, Vec2::Constant(1e300)), hi(p.pieces, Vec2::Constant(-1e300));
    for (Index t = 0; t < p.faces(); ++t) {
        if (p.piece[t] < 0) continue;
        const auto& c = p.plane[t];
        const Vec2 a = c[1] - c[0], b = c[2] - c[0];
        area += 0.5 * (a.x() * b.y() - a.y() * b.x());
        for (const Vec2& q : c) {
            lo[p.piece[t]] = lo[p.piece[t]].cwiseMin(q);
            hi[p.piece[t]] = hi[p.piece[t]].cwiseMax(q);
        }
    }
    bool fits = false;
    for (Index i = 0; i < p.pieces; ++i) {
        const Vec2 size = hi[i] - lo[i];
        most = most.cwiseMax(size);
        fits = fits || (size.x() >= 2 * alongX && size.y() >= 2 * alongY);
    }
    if (!fits)
        throw Error(name, "the spacing is " + metres(alongX) + " along u by " + metres(alongY) +
                              " along v, expected at most half of the patch, which is " +
                              metres(most.x()) + " by " + metres(most.y()));
    const double crossings = area / (alongX * alongY);
    if (crossings > kMostCrossings) {
        char text[32];
        std::snprintf(text, sizeof text, "%.3g", crossings);
        throw Error(name,
                    "the spacing of " + metres(alongX) + " by " + metres(alongY) + " gives " +
                        text +
                        " crossings, expected at most 50 million (is the patch in "
                        "metres?)",
                    Error::Kind::Memory);
    }
}

namespace {

class Weaver {
public:
    Weaver(const FabricPatch& patch, const Draft& draft, const LayoutSettings& s,
           const std::string& name, std::vector<std::string>& warnings)
        : p_(patch), draft_(draft), s_(s), name_(name), warnings_(warnings),
          z_(fabricSizes(draft, s, name, warnings)), warps_(draft.warpSpacing, z_.warp),
          wefts_(draft.weftSpacing, z_.weft) {}

    FabricLayout lay() {
        requireRoomOnPatch(p_, z_.weft, z_.warp, name_);
        points_ = gridPoints(p_, warps_, wefts_, name_);
        runs_[0] = threadRuns(p_, warps_, true, name_);
        runs_[1] = threadRuns(p_, wefts_, false, name_);
        assign();
        drop();
        out_.warpSpacing = z_.warp;
        out_.weftSpacing = z_.weft;
        out_.radius = z_.radius;
        addMaterials();
        addNodes();
        addSeamNodes();
        addYarns();
        addSeamYarns(seams_, seamNode_, seamMaterial_, out_);
        sayBare();
        out_.network.connect(name_);
        return std::move(out_);
    }

private:
    // Which run of its warp and of its weft every crossing is on; -1: none, or too near an end.
    void assign() {
        for (int f = 0; f < 2; ++f) {
            runOf_[f].assign(points_.size(), -1);
            order_[f].resize(points_.size());
            for (std::size_t i = 0; i < points_.size(); ++i) order_[f][i] = static_cast<Index>(i);
        }
        std::sort(order_[1].begin(), order_[1].end(), [&](Index a, Index b) {
            const GridPoint &l = points_[a], &r = points_[b];
            return std::tie(l.piece, l.weft, l.warp) < std::tie(r.piece, r.weft, r.warp);
        });
        for (int f = 0; f < 2; ++f) {
            std::size_t run = 0;
            const auto& runs = runs_[f];
            for (Index i : order_[f]) {
                const GridPoint& g = points_[i];
                const Index line = f == 0 ? g.warp : g.weft;
                const double at = placeOf(g, f);
                while (run < runs.size() && std::tie(runs[run].piece, runs[run].line,
                                                     runs[run].to.at) < std::tie(g.piece, line, at))
                    ++run;
                if (run == runs.size()) break;
                const ThreadRun& r = runs[run];
                const double margin = kMargin * (f == 0 ? wefts_.gap(g.weft) : warps_.gap(g.warp));
                if (r.piece == g.piece && r.line == line && r.from.at + margin <= at &&
                    at + margin <= r.to.at)
                    runOf_[f][i] = static_cast<Index>(run);
            }
        }
    }
    double placeOf(const GridPoint& g, int family) const { // m along its warp or weft
        return family == 0 ? wefts_.at(g.weft) : warps_.at(g.warp);
    }

    // Crossings that miss one of their yarns, and yarns that fewer than two crossings hold: until
    // all that is left holds.
    void drop() {
        for (int f = 0; f < 2; ++f) held_[f].assign(runs_[f].size(), 0);
        alive_.assign(points_.size(), 0);
        for (std::size_t i = 0; i < points_.size(); ++i)
            if (runOf_[0][i] >= 0 && runOf_[1][i] >= 0) {
                alive_[i] = 1;
                for (int f = 0; f < 2; ++f) ++held_[f][runOf_[f][i]];
            }
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t i = 0; i < points_.size(); ++i) {
                if (!alive_[i]) continue;
                if (held_[0][runOf_[0][i]] >= 2 && held_[1][runOf_[1][i]] >= 2) continue;
                alive_[i] = 0;
                for (int f = 0; f < 2; ++f) --held_[f][runOf_[f][i]];
                changed = true;
            }
        }
        for (int f = 0; f < 2; ++f)
            for (Index h : held_[f]) out_.leftOut += h < 2;
    }

    void addMaterials() {
        warpMaterial_ =
            addThreadMaterials(out_.network, s_.warp, draft_.warpDiameter, draft_.field.columns,
                               z_.radius, referenceDiameter(draft_));
        weftMaterial_ = addThreadMaterials(out_.network, s_.weft, draft_.weftDiameter,
                                           draft_.field.rows, z_.radius, referenceDiameter(draft_));
        seamMaterial_ = addSeamMaterial(out_.network, s_, z_.radius);
    }

    void addNodes() {
        nodeOf_.assign(points_.size(), -1);
        const double spacing = 0.5 * (z_.warp + z_.weft);
        for (std::size_t i = 0; i < points_.size(); ++i) {
            if (!alive_[i]) continue;
            const GridPoint& g = points_[i];
            nodeOf_[i] = addLayoutNode(p_, out_, NodeKind::Woven, g.triangle, g.weights,
                                       {wefts_.at(g.weft), warps_.at(g.warp)}, spacing);
            ++out_.crossings;
        }
        if (out_.crossings == 0)
            throw Error(name_, "no two yarns hold each other on the patch, expected a spacing "
                               "below " +
                                   metres(std::min(z_.warp, z_.weft)));
    }

    bool sewn(const ThreadEnd& e) const { return s_.seams && p_.seam[e.triangle][e.edge] >= 0; }

    void addSeamNodes() {
        std::vector<SeamEnd> ends;
        for (int f = 0; f < 2; ++f) {
            endNode_[f].assign(runs_[f].size(), {SeamSlot{}, SeamSlot{}});
            for (std::size_t r = 0; r < runs_[f].size(); ++r) {
                if (held_[f][r] < 2) continue;
                for (int e = 0; e < 2; ++e) {
                    const ThreadEnd& end = e == 0 ? runs_[f][r].from : runs_[f][r].to;
                    if (!sewn(end)) continue;
                    slots_.push_back(&endNode_[f][r][e]);
                    ends.push_back({end.triangle, end.edge, end.fraction});
                }
            }
        }
        if (ends.empty()) return;
        seams_ = findSeams(p_, ends, std::min(z_.warp, z_.weft));
        seamNode_ = placeSeamNodes(p_, seams_, slots_, z_, out_);
    }

    void addYarns() {
        for (int f = 0; f < 2; ++f) {
            std::size_t at = 0;
            const auto& order = order_[f];
            for (std::size_t r = 0; r < runs_[f].size(); ++r) {
                if (held_[f][r] < 2) continue;
                const ThreadRun& run = runs_[f][r];
                const Index column =
                    wrap(run.line, f == 0 ? draft_.field.columns : draft_.field.rows);
                FabricYarn yarn;
                yarn.family = f == 0 ? YarnFamily::Warp : YarnFamily::Weft;
                yarn.thread = run.line;
                yarn.piece = run.piece;
                const auto& colors = f == 0 ? draft_.warpColor : draft_.weftColor;
                yarn.color = colors.empty()
                                 ? (f == 0 ? Vec3(0.74, 0.72, 0.66) : Vec3(0.20, 0.27, 0.42))
                                 : colors[column];
                out_.network.addYarn((f == 0 ? warpMaterial_ : weftMaterial_)[column],
                                     static_cast<Index>(out_.yarns.size()));
                out_.yarns.push_back(yarn);
                addEnd(run.from, run, f, 0);
                while (at < order.size() && runOf_[f][order[at]] < static_cast<Index>(r)) ++at;
                for (; at < order.size() && runOf_[f][order[at]] <= static_cast<Index>(r); ++at) {
                    const Index i = order[at];
                    if (!alive_[i]) continue;
                    const bool over = draft_.field.at(points_[i].weft, points_[i].warp) == 1;
                    out_.network.addVisit(nodeOf_[i], f, placeOf(points_[i], f) - run.from.at,
                                          over == (f == 0) ? 1 : -1);
                }
                addEnd(run.to, run, f, 1);
            }
        }
    }

    void addEnd(const ThreadEnd& end, const ThreadRun& run, int f, int which) {
        const SeamSlot& slot = endNode_[f][&run - runs_[f].data()][which];
        const double at = end.at - run.from.at;
        if (slot.node >= 0) {
            out_.network.addVisit(slot.node, slot.side, at, 0);
            return;
        }
        const double line = f == 0 ? warps_.at(run.line) : wefts_.at(run.line);
        const Index node = addLayoutNode(
            p_, out_, NodeKind::End, end.triangle, edgeWeights(end.edge, end.fraction),
            f == 0 ? Vec2(end.at, line) : Vec2(line, end.at), 0.5 * (z_.warp + z_.weft));
        out_.network.addVisit(node, f, at, 0);
    }

    void sayBare() {
        std::vector<std::uint8_t> used(p_.pieces, 0);
        for (const FabricYarn& y : out_.yarns)
            if (y.piece >= 0) used[y.piece] = 1;
        sayBarePieces(p_, used, name_, warnings_);
        if (out_.leftOut > 0)
            warnings_.push_back(name_ + ": " + std::to_string(out_.leftOut) +
                                " yarns at the borders are left out: fewer than two "
                                "crossings would hold them");
    }

    static Index wrap(Index k, Index n) { return ((k % n) + n) % n; }

    const FabricPatch& p_;
    const Draft& draft_;
    const LayoutSettings& s_;
    const std::string& name_;
    std::vector<std::string>& warnings_;
    FabricSizes z_;
    ThreadGrid warps_, wefts_;
    FabricLayout out_;
    std::vector<GridPoint> points_;
    // Of warps and of wefts:
    std::array<std::vector<ThreadRun>, 2> runs_;
    std::array<std::vector<Index>, 2> runOf_, order_, held_;
    std::array<std::vector<std::array<SeamSlot, 2>>, 2> endNode_;
    std::vector<std::uint8_t> alive_;
    std::vector<Index> nodeOf_;
    std::vector<SeamSlot*> slots_; // one a given end
    std::vector<Seam> seams_;
    std::vector<std::vector<Index>> seamNode_;
    std::vector<Index> warpMaterial_, weftMaterial_;
    Index seamMaterial_ = 0;
};

} // namespace

FabricLayout layFabric(const FabricPatch& patch, const Draft& draft, const LayoutSettings& settings,
                       const std::string& name, std::vector<std::string>& warnings) {
    validateDraft(draft, draft.name);
    if (!draft.woven) return layKnit(patch, draft, settings, name, warnings);
    for (const std::string& w : draftWarnings(draft)) warnings.push_back(w);
    return Weaver(patch, draft, settings, name, warnings).lay();
}

} // namespace purl
