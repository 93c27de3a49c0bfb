// Stitches of a knit field on a patch: courses run along the plane's first axis, wales along the
// second. A loop is there where its cell is inside the piece; loops above each other hold each
// other by four nodes.
#include "purl/base/error.h"
#include "purl/crossing/layout_parts.h"
#include "purl/crossing/stitch_field.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <tuple>

namespace purl {

namespace {

constexpr double kMargin = 0.25; // wales from a yarn's end to its first node
// Feet and heads of loops that nothing holds below or above, in wales and courses.
const std::array<Vec2, 4> kBare{Vec2(-0.2, -0.3), Vec2(0.2, -0.3), Vec2(-0.3, 0.38),
                                Vec2(0.3, 0.38)};

class Knitter {
public:
    Knitter(const FabricPatch& patch, const Draft& draft, const LayoutSettings& s,
            const std::string& name, std::vector<std::string>& warnings)
        : p_(patch), draft_(draft), s_(s), name_(name), warnings_(warnings),
          z_(fabricSizes(draft, s, name, warnings)), wales_({}, z_.warp), courses_({}, z_.weft) {}

    FabricLayout lay() {
        requireRoomOnPatch(p_, z_.warp, z_.weft, name_);
        for (Index piece = 0; piece < p_.pieces; ++piece) findLoops(piece);
        std::sort(loops_.begin(), loops_.end(), [](const Loop& a, const Loop& b) {
            return std::tie(a.piece, a.course, a.wale) < std::tie(b.piece, b.course, b.wale);
        });
        dropLonely();
        out_.warpSpacing = z_.warp;
        out_.weftSpacing = z_.weft;
        out_.radius = z_.radius;
        CrossingMaterial yarn = s_.warp;
        yarn.radius = z_.radius;
        out_.network.materials.push_back(yarn);
        const Index seamMaterial = addSeamMaterial(out_.network, s_, z_.radius);
        addContacts();
        findBare();
        findEnds();
        addYarns();
        addSeamYarns(seams_, seamNode_, seamMaterial, out_);
        faceFront(p_, out_);
        addStitches(p_, contacts(), out_);
        shapeLoops(contacts(), s_, name_, out_);
        if (s_.bindKnit) bind();
        std::vector<std::uint8_t> used(p_.pieces, 0);
        for (const Loop& l : loops_) used[l.piece] = 1;
        sayBarePieces(p_, used, name_, warnings_);
        out_.network.connect(name_);
        return std::move(out_);
    }

private:
    struct Loop {
        Index piece, course, wale;
        Index below = -1, above = -1;              // loops
        std::array<Index, 4> node{-1, -1, -1, -1}; // that it shares with the one below
    };
    struct Stop { // of a yarn
        Index node;
        int side, lift;
        Vec2 plane;
    };

    Vec2 middle(Index course, Index wale) const { return {wales_.at(wale), courses_.at(course)}; }
    Vec2 inLoop(const Loop& l, const Vec2& at /*wales, courses*/) const {
        return middle(l.course, l.wale) + Vec2(at.x() * z_.warp, at.y() * z_.weft);
    }

    // Cells whose middle and corners (a little in) are all on the piece.
    void findLoops(Index piece) {
        Vec2 lo = Vec2::Constant(1e300), hi = -lo;
        for (Index t = 0; t < p_.faces(); ++t)
            if (p_.piece[t] == piece)
                for (const Vec2& q : p_.plane[t]) {
                    lo = lo.cwiseMin(q);
                    hi = hi.cwiseMax(q);
                }
        std::vector<Vec2> probes;
        std::vector<std::array<Index, 2>> cells;
        for (Index i = courses_.from(lo.y()); courses_.at(i) <= hi.y(); ++i)
            for (Index j = wales_.from(lo.x()); wales_.at(j) <= hi.x(); ++j) {
                cells.push_back({i, j});
                const Vec2 m = middle(i, j);
                probes.push_back(m);
                for (double a : {-0.45, 0.45})
                    for (double b : {-0.45, 0.45})
                        probes.push_back(m + Vec2(a * z_.warp, b * z_.weft));
            }
        const auto feet = feetOf(p_, piece, probes);
        for (std::size_t k = 0; k < cells.size(); ++k) {
            bool inside = true;
            for (int c = 0; c < 5; ++c) inside = inside && feet[5 * k + c].triangle >= 0;
            if (inside) loops_.push_back({piece, cells[k][0], cells[k][1]});
        }
    }

    Index find(Index piece, Index course, Index wale) const {
        const auto key = std::make_tuple(piece, course, wale);
        const auto it =
            std::lower_bound(loops_.begin(), loops_.end(), key, [](const Loop& l, const auto& k) {
                return std::tie(l.piece, l.course, l.wale) < k;
            });
        if (it == loops_.end() || std::tie(it->piece, it->course, it->wale) != key) return -1;
        return static_cast<Index>(it - loops_.begin());
    }
    bool follows(std::size_t k) const { // loop k is on the same yarn as k - 1
        return k > 0 && loops_[k].piece == loops_[k - 1].piece &&
               loops_[k].course == loops_[k - 1].course && loops_[k].wale == loops_[k - 1].wale + 1;
    }

    // A run of fewer than two loops, or that holds on to no other, is left out, until all hold.
    void dropLonely() {
        for (bool changed = true; changed;) {
            changed = false;
            std::vector<std::uint8_t> keep(loops_.size(), 1);
            for (std::size_t k = 0; k < loops_.size();) {
                std::size_t end = k + 1;
                while (end < loops_.size() && follows(end)) ++end;
                bool held = false;
                for (std::size_t m = k; m < end; ++m) {
                    const Loop& l = loops_[m];
                    held = held || find(l.piece, l.course - 1, l.wale) >= 0 ||
                           find(l.piece, l.course + 1, l.wale) >= 0;
                }
                if (end - k < 2 || !held) {
                    std::fill(keep.begin() + k, keep.begin() + end, 0);
                    ++out_.leftOut;
                    changed = true;
                }
                k = end;
            }
            std::vector<Loop> left;
            for (std::size_t k = 0; k < loops_.size(); ++k)
                if (keep[k]) left.push_back(loops_[k]);
            loops_.swap(left);
        }
        if (loops_.empty())
            throw Error(name_, "no two loops hold each other on the patch, expected a smaller "
                               "spacing");
    }

    void addContacts() {
        const double spacing = 0.5 * (z_.warp + z_.weft);
        std::vector<std::vector<Index>> upper(p_.pieces); // loops that may hold one below
        for (std::size_t k = 0; k < loops_.size(); ++k)
            if (find(loops_[k].piece, loops_[k].course - 1, loops_[k].wale) >= 0)
                upper[loops_[k].piece].push_back(static_cast<Index>(k));
        for (Index piece = 0; piece < p_.pieces; ++piece) {
            std::vector<Vec2> at;
            for (Index k : upper[piece])
                for (const Vec2& q : stitchShape().all()) at.push_back(inLoop(loops_[k], q));
            const auto feet = feetOf(p_, piece, at);
            for (std::size_t u = 0; u < upper[piece].size(); ++u) {
                bool inside = true;
                for (int q = 0; q < 4; ++q) inside = inside && feet[4 * u + q].triangle >= 0;
                if (!inside) continue;
                Loop& l = loops_[upper[piece][u]];
                l.below = find(piece, l.course - 1, l.wale);
                loops_[l.below].above = upper[piece][u];
                for (int q = 0; q < 4; ++q)
                    l.node[q] = addLayoutNode(p_, out_, NodeKind::Stitch, feet[4 * u + q].triangle,
                                              feet[4 * u + q].weights, at[4 * u + q], spacing);
                out_.crossings += 4;
            }
        }
    }

    // Borders that courses and wales run into: ends of yarns, and loops that are sewn to a seam.
    void findEnds() {
        runs_ = threadRuns(p_, courses_, true, name_);
        ends_.assign(runs_.size(), {SeamSlot{}, SeamSlot{}});
        if (!s_.seams) return;
        std::vector<SeamEnd> ends;
        std::vector<SeamSlot*> slots;
        const auto add = [&](const ThreadEnd& e, SeamSlot& slot) {
            if (p_.seam[e.triangle][e.edge] < 0) return;
            ends.push_back({e.triangle, e.edge, e.fraction});
            slots.push_back(&slot);
        };
        std::vector<std::uint8_t> used(runs_.size(), 0);
        for (const Loop& l : loops_) {
            const Index r = runOf(l);
            if (r >= 0) used[r] = 1;
        }
        for (std::size_t r = 0; r < runs_.size(); ++r)
            if (used[r]) {
                add(runs_[r].from, ends_[r][0]);
                add(runs_[r].to, ends_[r][1]);
            }
        wale_ = threadRuns(p_, wales_, false, name_);
        heads_.resize(loops_.size());
        feet_.resize(loops_.size());
        for (std::size_t k = 0; k < loops_.size(); ++k) {
            const Loop& l = loops_[k];
            const Index r = waleRun(l);
            if (r < 0) continue;
            if (l.above < 0 && wale_[r].to.at - courses_.at(l.course) < 1.5 * z_.weft)
                add(wale_[r].to, heads_[k]);
            if (l.below < 0 && courses_.at(l.course) - wale_[r].from.at < 1.5 * z_.weft)
                add(wale_[r].from, feet_[k]);
        }
        if (ends.empty()) return;
        seams_ = findSeams(p_, ends, std::min(z_.warp, z_.weft));
        seamNode_ = placeSeamNodes(p_, seams_, slots, z_, out_);
    }
    Index runAt(const std::vector<ThreadRun>& runs, Index piece, Index line, double at) const {
        auto it = std::lower_bound(runs.begin(), runs.end(), std::make_tuple(piece, line, at),
                                   [](const ThreadRun& r, const auto& k) {
                                       return std::tie(r.piece, r.line, r.to.at) < k;
                                   });
        if (it == runs.end() || it->piece != piece || it->line != line || it->from.at > at)
            return -1;
        return static_cast<Index>(it - runs.begin());
    }
    Index runOf(const Loop& l) const { return runAt(runs_, l.piece, l.course, wales_.at(l.wale)); }
    Index waleRun(const Loop& l) const {
        return runAt(wale_, l.piece, l.wale, courses_.at(l.course));
    }

    void addYarns() {
        for (std::size_t k = 0; k < loops_.size();) {
            std::size_t end = k + 1;
            while (end < loops_.size() && follows(end)) ++end;
            stops_.clear();
            for (std::size_t m = k; m < end; ++m) addLoop(static_cast<Index>(m));
            const Index r = runOf(loops_[k]);
            if (r >= 0 && runOf(loops_[end - 1]) == r) addEnds(r, loops_[k].course);
            FabricYarn yarn;
            yarn.family = YarnFamily::Course;
            yarn.thread = loops_[k].course;
            yarn.piece = loops_[k].piece;
            yarn.color = colorOf(loops_[k].course);
            out_.network.addYarn(0, static_cast<Index>(out_.yarns.size()));
            out_.yarns.push_back(yarn);
            double at = 0;
            for (std::size_t n = 0; n < stops_.size(); ++n) {
                if (n > 0) at += (stops_[n].plane - stops_[n - 1].plane).norm();
                out_.network.addVisit(stops_[n].node, stops_[n].side, at, stops_[n].lift);
            }
            k = end;
        }
    }
    Vec3 colorOf(Index course) const {
        const Index n = static_cast<Index>(draft_.weftColor.size());
        return n == 0 ? Vec3(0.58, 0.22, 0.16) : draft_.weftColor[((course % n) + n) % n];
    }

    // Left contact with the loop below, up and over through the loop above, down, right contact.
    void addLoop(Index k) {
        const Loop& l = loops_[k];
        const int own = draft_.field.at(l.course, l.wale);
        if (!feet_.empty() && feet_[k].node >= 0)
            stops_.push_back({feet_[k].node, feet_[k].side, 0, inLoop(l, {-0.3, -0.5})});
        for (int q = 0; q < 2; ++q) lower(k, q, own);
        if (l.above >= 0) {
            const Loop& a = loops_[l.above];
            const int stitch = draft_.field.at(a.course, a.wale);
            for (int q = 0; q < 4; ++q)
                stops_.push_back(
                    {a.node[q], 1, -upperLift(stitch, q), inLoop(a, stitchShape().all()[q])});
        } else {
            bare(k, 2);
            if (!heads_.empty() && heads_[k].node >= 0)
                stops_.push_back({heads_[k].node, heads_[k].side, 0, inLoop(l, {0, 0.5})});
            bare(k, 3);
        }
        for (int q = 2; q < 4; ++q) lower(k, q, own);
    }
    void lower(Index k, int q, int stitch) {
        const Loop& l = loops_[k];
        if (l.below >= 0)
            stops_.push_back(
                {l.node[q], 0, upperLift(stitch, q), inLoop(l, stitchShape().all()[q])});
        else if (q == 1 || q == 2)
            bare(k, q - 1);
    }
    // Points of the yarn that cross nothing, of all loops that nothing holds above or below.
    void findBare() {
        bare_.resize(loops_.size());
        for (Index piece = 0; piece < p_.pieces; ++piece) {
            std::vector<Vec2> at;
            std::vector<Index> of;
            for (std::size_t k = 0; k < loops_.size(); ++k)
                if (loops_[k].piece == piece && (loops_[k].below < 0 || loops_[k].above < 0)) {
                    of.push_back(static_cast<Index>(k));
                    for (const Vec2& q : kBare) at.push_back(inLoop(loops_[k], q));
                }
            const auto feet = feetOf(p_, piece, at);
            for (std::size_t n = 0; n < of.size(); ++n)
                for (int q = 0; q < 4; ++q) bare_[of[n]][q] = feet[4 * n + q];
        }
    }
    void bare(Index k, int which) {
        const PlaneFoot& foot = bare_[k][which];
        if (foot.triangle < 0) return;
        const Vec2 q = inLoop(loops_[k], kBare[which]);
        const Index node = addLayoutNode(p_, out_, NodeKind::End, foot.triangle, foot.weights, q,
                                         0.5 * (z_.warp + z_.weft));
        out_.network.frozen[node] = 1;
        stops_.push_back({node, 0, 0, q});
    }

    void addEnds(Index r, Index course) {
        const double y = courses_.at(course);
        for (int e = 0; e < 2; ++e) {
            const ThreadEnd& end = e == 0 ? runs_[r].from : runs_[r].to;
            const Stop& next = e == 0 ? stops_.front() : stops_.back();
            const Vec2 at(end.at, y);
            Stop stop{ends_[r][e].node, ends_[r][e].side, 0, at};
            if (stop.node < 0) {
                if ((at - next.plane).norm() < kMargin * z_.warp) continue;
                stop.node = addLayoutNode(p_, out_, NodeKind::End, end.triangle,
                                          edgeWeights(end.edge, end.fraction), at,
                                          0.5 * (z_.warp + z_.weft));
                stop.side = 0;
            }
            stops_.insert(e == 0 ? stops_.begin() : stops_.end(), stop);
        }
    }

    std::vector<StitchPair> contacts() const {
        std::vector<StitchPair> all;
        for (const Loop& l : loops_)
            if (l.below >= 0) {
                const int stitch = draft_.field.at(l.course, l.wale);
                all.push_back({l.node[0], l.node[1], stitch});
                all.push_back({l.node[2], l.node[3], -stitch});
            }
        return all;
    }

    void bind() {
        for (const Loop& l : loops_) {
            if (l.below < 0) continue;
            const Loop& b = loops_[l.below];
            if (l.above >= 0 && b.below >= 0 && find(l.piece, l.course, l.wale - 1) >= 0 &&
                find(l.piece, l.course, l.wale + 1) >= 0)
                continue;
            for (Index n : l.node) out_.network.frozen[n] |= 3;
        }
    }

    const FabricPatch& p_;
    const Draft& draft_;
    const LayoutSettings& s_;
    const std::string& name_;
    std::vector<std::string>& warnings_;
    FabricSizes z_;
    ThreadGrid wales_, courses_;
    FabricLayout out_;
    std::vector<Loop> loops_;
    std::vector<ThreadRun> runs_, wale_; // along courses, along wales
    std::vector<std::array<SeamSlot, 2>> ends_;
    std::vector<SeamSlot> heads_, feet_;         // per loop
    std::vector<std::array<PlaneFoot, 4>> bare_; // per loop, as kBare
    std::vector<Seam> seams_;
    std::vector<std::vector<Index>> seamNode_;
    std::vector<Stop> stops_; // of the present yarn
};

} // namespace

FabricLayout layKnit(const FabricPatch& patch, const Draft& draft, const LayoutSettings& settings,
                     const std::string& name, std::vector<std::string>& warnings) {
    return Knitter(patch, draft, settings, name, warnings).lay();
}

} // namespace purl
