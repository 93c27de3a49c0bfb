#include "purl/crossing/seam.h"

#include <algorithm>
#include <tuple>

namespace purl {

namespace {

constexpr double kNear = 0.35;    // spacings: ends that share a node
constexpr double kLeastGap = 0.3; // spacings between nodes of the seam

// An edge of a seam in space, seen from the triangle with the smaller number.
struct SeamEdge {
    Index a, b;    // nodes of the patch, as the triangle runs
    Index half;    // 3 * triangle + edge
    Index other;   // the same of the other side
    double length; // m
};

class SeamFinder {
public:
    SeamFinder(const FabricPatch& patch, Span<const SeamEnd> ends, double spacing)
        : p_(patch), ends_(ends), spacing_(spacing) {
        for (Index t = 0; t < p_.faces(); ++t)
            for (int k = 0; k < 3; ++k) {
                const Index other = p_.seam[t][k], half = 3 * t + k;
                if (other < 0 || other < half) continue;
                edges_.push_back({p_.triangles[t][k], p_.triangles[t][(k + 1) % 3], half, other,
                                  0.5 * (lengthOf(half) + lengthOf(other))});
            }
        at_.resize(p_.x.size());
        for (std::size_t e = 0; e < edges_.size(); ++e) {
            at_[edges_[e].a].push_back(static_cast<Index>(e));
            at_[edges_[e].b].push_back(static_cast<Index>(e));
        }
        endsOf_.resize(edges_.size());
        std::vector<std::pair<Index, Index>> byHalf;
        for (std::size_t e = 0; e < edges_.size(); ++e) {
            byHalf.emplace_back(edges_[e].half, static_cast<Index>(e));
            byHalf.emplace_back(edges_[e].other, static_cast<Index>(e));
        }
        std::sort(byHalf.begin(), byHalf.end());
        for (std::size_t i = 0; i < ends_.size(); ++i) {
            const Index half = 3 * ends_[i].triangle + ends_[i].edge;
            const auto it =
                std::lower_bound(byHalf.begin(), byHalf.end(), std::make_pair(half, Index(-1)));
            if (it != byHalf.end() && it->first == half)
                endsOf_[it->second].push_back(static_cast<Index>(i));
        }
    }

    std::vector<Seam> find() {
        done_.assign(edges_.size(), 0);
        std::vector<Seam> seams;
        // Open runs from their tips first, then what goes round.
        for (int round = 0; round < 2; ++round)
            for (std::size_t e = 0; e < edges_.size(); ++e)
                for (Index tip : {edges_[e].a, edges_[e].b}) {
                    if (done_[e] || (round == 0 && at_[tip].size() == 2)) continue;
                    Seam seam = walk(static_cast<Index>(e), tip, round == 1);
                    if (!seam.nodes.empty()) seams.push_back(std::move(seam));
                }
        return seams;
    }

private:
    double lengthOf(Index half) const {
        const auto& c = p_.plane[half / 3];
        return (c[(half % 3 + 1) % 3] - c[half % 3]).norm();
    }

    struct Place {
        double at; // m along the seam
        bool otherSide;
        Index end; // given
        Index edge;
    };

    Seam walk(Index e, Index from, bool closed) {
        Seam seam;
        seam.closed = closed;
        run_.clear();
        std::vector<Place> places;
        while (e >= 0) {
            done_[e] = 1;
            const SeamEdge& edge = edges_[e];
            const bool forward = edge.a == from;
            run_.push_back({e, forward, seam.length});
            for (Index i : endsOf_[e]) {
                const bool own = 3 * ends_[i].triangle + ends_[i].edge == edge.half;
                // The other side's triangle runs the other way along the edge.
                const Index start = p_.triangles[ends_[i].triangle][ends_[i].edge];
                const double f = start == from ? ends_[i].fraction : 1 - ends_[i].fraction;
                places.push_back({seam.length + f * edge.length, !own == forward, i, e});
            }
            seam.length += edge.length;
            const Index to = forward ? edge.b : edge.a;
            Index next = -1;
            if (at_[to].size() == 2)
                for (Index n : at_[to])
                    if (!done_[n]) next = n;
            from = to;
            e = next;
        }
        std::sort(places.begin(), places.end(), [](const Place& l, const Place& r) {
            return std::tie(l.at, l.otherSide, l.end) < std::tie(r.at, r.otherSide, r.end);
        });
        join(places, seam);
        return seam;
    }

    void join(const std::vector<Place>& places, Seam& seam) const {
        for (std::size_t i = 0; i < places.size();) {
            SeamNode node;
            node.at = places[i].at;
            node.first = places[i].end;
            ++i;
            if (i < places.size() && places[i].at - node.at <= kNear * spacing_) {
                node.second = places[i].end;
                node.at = 0.5 * (node.at + places[i].at);
                ++i;
            }
            seam.nodes.push_back(node);
        }
        if (seam.nodes.empty()) return;
        const double n = static_cast<double>(seam.nodes.size());
        const double gap = std::min(kLeastGap * spacing_, seam.length / (n + 1));
        double least = 0;
        for (SeamNode& s : seam.nodes) {
            s.at = std::max(s.at, least);
            least = s.at + gap;
        }
        double most = seam.length;
        for (std::size_t k = seam.nodes.size(); k-- > 0;) {
            seam.nodes[k].at = std::min(seam.nodes[k].at, most);
            most = seam.nodes[k].at - gap;
        }
        for (SeamNode& s : seam.nodes) place(s);
    }

    void place(SeamNode& s) const {
        auto it = std::upper_bound(run_.begin(), run_.end(), s.at,
                                   [](double at, const Run& r) { return at < r.start; });
        const Run& r = *(it == run_.begin() ? it : it - 1);
        const SeamEdge& edge = edges_[r.edge];
        double f = std::clamp((s.at - r.start) / edge.length, 0.0, 1.0);
        if (!r.forward) f = 1 - f;
        s.triangle = edge.half / 3;
        const int k = edge.half % 3;
        s.weights = edgeWeights(k, f);
        s.plane = (1 - f) * p_.plane[s.triangle][k] + f * p_.plane[s.triangle][(k + 1) % 3];
    }

    struct Run {
        Index edge;
        bool forward;
        double start; // m
    };
    const FabricPatch& p_;
    Span<const SeamEnd> ends_;
    double spacing_;
    std::vector<SeamEdge> edges_;
    std::vector<std::vector<Index>> at_, endsOf_;
    std::vector<std::uint8_t> done_;
    std::vector<Run> run_; // of the seam that is walked
};

} // namespace

std::vector<Seam> findSeams(const FabricPatch& patch, Span<const SeamEnd> ends, double spacing) {
    return SeamFinder(patch, ends, spacing).find();
}

} // namespace purl
