#include "purl/check/check.h"

#include "purl/base/parallel.h"
#include "purl/check/finding.h"

#include <algorithm>
#include <cmath>

namespace purl {

bool CheckReport::clean() const {
    for (int k = 0; k < kFindingKinds; ++k)
        if (counts[k] > 0 && static_cast<FindingKind>(k) != FindingKind::Doubtful) return false;
    return true;
}

struct SequenceCheck::Impl {
    CheckSettings settings;
    CheckReport report;
    FineLayout layout;
    GluedPlaces glue;
    std::vector<Index> vertexFirst;               // Curves::first of the frame before
    std::vector<std::uint8_t> ok;                 // per yarn: has points that can be measured
    std::vector<std::uint8_t> whole, wholeBefore; // per yarn: and is not pulled apart
    std::vector<Vec3> fine, fineBefore;
    int frameBefore = 0;

    void note(Finding f) {
        const Index seen = report.counts[static_cast<int>(f.kind)]++;
        if (seen < settings.listed) report.findings.push_back(std::move(f));
    }

    // True if this frame starts anew: the first, or one with another topology.
    bool begin(int frame, const Curves& curves) {
        if (report.frames > 0) {
            if (curves.first == vertexFirst && curves.closed == layout.closed) return false;
            const Index before = static_cast<Index>(vertexFirst.size()) - 1;
            if (before != curves.yarns())
                note(changedFound(frame, frameBefore, "yarns", curves.yarns(), before));
            else if (vertexFirst.back() != curves.points())
                note(changedFound(frame, frameBefore, "points", curves.points(),
                                  vertexFirst.back()));
            else
                note(changedFound(frame, frameBefore, "yarns of the same size and closure", 0,
                                  curves.yarns()));
        } else {
            report.firstFrame = frame;
        }
        layout = FineLayout(curves);
        glue = GluedPlaces();
        vertexFirst = curves.first;
        report.yarns = curves.yarns();
        report.points = curves.points();
        report.lengths.assign(curves.yarns(), {});
        report.worstYarn = -1;
        ok.assign(curves.yarns(), 1); // so that a yarn bad from the start is told
        whole = ok;
        fine.clear();
        return true;
    }

    void checkPoints(int frame, const Curves& curves) {
        for (Index y = 0; y < curves.yarns(); ++y) {
            const bool wasOk = ok[y];
            ok[y] = usable(curves, y);
            if (ok[y] || !wasOk || curves.size(y) < 2) continue;
            Index firstBad = -1, bad = 0;
            for (Index i = curves.first[y]; i < curves.first[y + 1]; ++i)
                if (!(curves.x[i].cwiseAbs().maxCoeff() < 1e12) || !curves.x[i].allFinite()) {
                    if (firstBad < 0) firstBad = i;
                    ++bad;
                }
            if (firstBad >= 0)
                note(nonFiniteFound(frame, y, firstBad, firstBad - curves.first[y],
                                    curves.x[firstBad], bad));
        }
    }

    // Lengths and welds of yarns seen whole for the first time.
    void measure(const Curves& curves) {
        bool news = false;
        for (Index y = 0; y < curves.yarns(); ++y) {
            if (!ok[y] || layout.length[y] > 0) continue;
            layout.measure(curves, y);
            news = true;
        }
        if (!news) return;
        auto pairs = coincidentEnds(curves, ok, settings.weldedEnds);
        pairs.insert(pairs.end(), settings.glued.begin(), settings.glued.end());
        glue = GluedPlaces(curves, layout, pairs);
    }

    // Faults of the yarns as such, told once.
    void checkYarns(int frame, const Curves& curves) {
        for (Index y = 0; y < curves.yarns(); ++y) {
            if (curves.size(y) < 2) note(onePointFound(frame, y, curves.size(y)));
            const double radius = curves.radius[y];
            if (!(radius > 0) || !std::isfinite(radius)) note(badRadiusFound(frame, y, radius));
            if (!ok[y]) continue;
            for (Index s = 0; s < layout.segments(y); ++s) {
                const Index seg = layout.yarnSeg[y] + s;
                const double d = layout.segmentLength(seg),
                             least = settings.doubled * layout.scale[y];
                if (d < least || d == 0)
                    note(doubledFound(frame, y, curves.first[y] + s,
                                      layout.curveU(y, layout.arc[layout.segFirst[seg]]), d,
                                      least));
            }
        }
    }

    void checkLengths(int frame, const Curves& curves) {
        struct PerYarn {
            double length = 0, strain = 0;
            Index edge = -1;
        };
        std::vector<PerYarn> now(curves.yarns());
        parallelFor(curves.yarns(), 4, [&](Index begin, Index end) {
            for (Index y = begin; y < end; ++y) {
                if (!ok[y]) continue;
                const Index n = curves.size(y), f = curves.first[y];
                for (Index s = 0; s < layout.segments(y); ++s) {
                    const double d = (curves.x[f + (s + 1) % n] - curves.x[f + s]).norm();
                    now[y].length += d;
                    const double rest = layout.segmentLength(layout.yarnSeg[y] + s);
                    if (!(rest > settings.doubled * layout.scale[y])) continue;
                    if (now[y].edge < 0 || std::abs(d / rest - 1) > std::abs(now[y].strain)) {
                        now[y].strain = d / rest - 1;
                        now[y].edge = s;
                    }
                }
            }
        });
        for (Index y = 0; y < curves.yarns(); ++y) {
            whole[y] = ok[y] && now[y].strain + 1 < settings.broken;
            if (!ok[y]) continue;
            const Index seg = layout.yarnSeg[y] + now[y].edge;
            if (!whole[y] && wholeBefore[y])
                note(brokenFound(frame, y, layout.curveU(y, layout.arc[layout.segFirst[seg]]),
                                 curves.first[y] + now[y].edge, now[y].strain + 1,
                                 settings.broken));
            YarnLength& l = report.lengths[y];
            if (l.rest == 0) l.rest = now[y].length, l.frame = frame;
            const double change = l.rest > 0 ? now[y].length / l.rest - 1 : 0.0;
            if (std::abs(change) > std::abs(l.change)) l.change = change, l.frame = frame;
            if (report.worstYarn < 0 ||
                std::abs(l.change) > std::abs(report.lengths[report.worstYarn].change))
                report.worstYarn = y;
            EdgeStrain& w = report.worstEdge;
            if (now[y].edge >= 0 && (w.yarn < 0 || std::abs(now[y].strain) > std::abs(w.strain))) {
                const Index piece = layout.segFirst[seg] + FineLayout::kPieces / 2;
                w = {y, now[y].edge, layout.curveU(y, layout.arc[piece]), now[y].strain, frame};
            }
        }
    }

    void checkDistances(int frame, const Curves& curves, const BoxTree& tree,
                        const std::vector<Index>& segments, bool anew) {
        const DistanceSearch search(curves, layout, fine, glue);
        if (anew)
            for (const ClosePlace& p : search.all(tree, segments, settings.crossRatio))
                note(crossFound(frame, p, settings.crossRatio));
        // Only something deeper than the deepest so far is news.
        const double reach = report.deepest.found() ? report.deepest.ratio : 1.0;
        const ClosePlace place = search.deepest(tree, segments, reach);
        if (!place.found()) return;
        report.deepest = place;
        report.deepestFrame = frame;
    }

    void checkPasses(int frame, const BoxTree& tree, const std::vector<Index>& segments) {
        const auto crossings = findCrossings(layout, fineBefore, fine, tree, segments, glue);
        if (crossings.empty()) return;
        const Index judged =
            std::max<Index>(0, settings.listed - report.count(FindingKind::PassThrough) -
                                   report.count(FindingKind::Doubtful));
        for (const Encounter& e :
             judgeCrossings(layout, fineBefore, fine, crossings, settings.pass, judged))
            note(encounterFound(frame, frameBefore, layout, e, settings.pass));
    }

    void add(int frame, const Curves& curves) {
        const bool anew = begin(frame, curves);
        wholeBefore = whole;
        checkPoints(frame, curves);
        measure(curves);
        if (anew) checkYarns(frame, curves);
        checkLengths(frame, curves);

        fineBefore.swap(fine);
        fine = finePoints(curves, layout, whole);
        if (anew ||
            whole != wholeBefore) { // not all yarns have a motion: one tree for now, one for both
            SegmentBoxes now(layout, fine, fine, whole);
            const BoxTree tree(std::move(now.boxes));
            checkDistances(frame, curves, tree, now.segments, anew);
            if (!anew) {
                std::vector<std::uint8_t> both(whole);
                for (std::size_t y = 0; y < both.size(); ++y) both[y] = whole[y] && wholeBefore[y];
                SegmentBoxes moving(layout, fineBefore, fine, both);
                const BoxTree motion(std::move(moving.boxes));
                checkPasses(frame, motion, moving.segments);
            }
        } else {
            SegmentBoxes moving(layout, fineBefore, fine, whole);
            const BoxTree tree(std::move(moving.boxes));
            checkDistances(frame, curves, tree, moving.segments, false);
            checkPasses(frame, tree, moving.segments);
        }
        frameBefore = frame;
        report.lastFrame = frame;
        ++report.frames;
    }
};

SequenceCheck::SequenceCheck(CheckSettings settings) : impl_(std::make_unique<Impl>()) {
    impl_->settings = std::move(settings);
}
SequenceCheck::~SequenceCheck() = default;

void SequenceCheck::add(int frame, const Curves& curves) { impl_->add(frame, curves); }

CheckReport SequenceCheck::report() const {
    CheckReport report = impl_->report;
    for (Index y = 0; y < report.yarns; ++y) {
        const YarnLength& l = report.lengths[y];
        if (!(std::abs(l.change) > impl_->settings.lengthTolerance)) continue;
        const Index seen = report.counts[static_cast<int>(FindingKind::Length)]++;
        if (seen < impl_->settings.listed)
            report.findings.push_back(lengthFound(y, l, impl_->settings.lengthTolerance));
    }
    return report;
}

} // namespace purl
