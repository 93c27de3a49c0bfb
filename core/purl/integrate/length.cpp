#include "purl/integrate/length.h"

#include "purl/base/parallel.h"
#include "purl/base/tridiagonal.h"

#include <algorithm>

namespace purl {

namespace {
constexpr Index kLong = 1024; // edges from which a chain is solved in blocks
}

LengthProjection::LengthProjection(const Curves& rest, const std::vector<Weld>& welds,
                                   const LengthSettings& settings)
    : settings_(settings) {
    // An end may be joined to one other end; everything else is left to the glue.
    std::vector<Index> isEnd(rest.points(), 0), count(rest.points(), 0), partner(rest.points(), -1);
    for (Index y = 0; y < rest.yarns(); ++y)
        if (!rest.closed[y]) isEnd[rest.first[y]] = isEnd[rest.first[y + 1] - 1] = 1;
    for (const Weld& w : welds) {
        ++count[w.a];
        ++count[w.b];
    }
    for (const Weld& w : welds) {
        if (w.a != w.b && isEnd[w.a] && isEnd[w.b] && count[w.a] == 1 && count[w.b] == 1) {
            partner[w.a] = w.b;
            partner[w.b] = w.a;
        } else {
            otherWelds_.push_back(w);
        }
    }
    std::vector<std::uint8_t> used(rest.yarns(), 0);
    for (Index y = 0; y < rest.yarns(); ++y) // from free ends first, then what is left: rings
        for (bool fromEnd : {false, true}) {
            if (used[y] || rest.closed[y]) continue;
            if (partner[fromEnd ? rest.first[y + 1] - 1 : rest.first[y]] < 0)
                walk(rest, y, fromEnd, partner, used);
        }
    for (Index y = 0; y < rest.yarns(); ++y)
        if (!used[y]) walk(rest, y, false, partner, used);
    const std::size_t n = node_.size();
    at_.resize(n);
    for (auto* a : {&w_, &diag_, &off_, &lambda_, &work_}) a->resize(n);
    chainIterations_.assign(closed_.size(), 0);
    again_.assign(chains(), 0);
    placeOf_.assign(rest.points(), -1);
    chainOf_.assign(rest.points(), -1);
    for (Index c = 0; c < chains(); ++c)
        for (Index i = start_[c]; i < start_[c + 1]; ++i)
            for (Index node : {node_[i], twin_[i]})
                if (node >= 0) {
                    placeOf_[node] = i;
                    chainOf_[node] = c;
                }
    for (Index c = 0; c < chains(); ++c) {
        const Index edges = start_[c + 1] - start_[c] - 1;
        const bool isLong = !closed_[c] && edges >= kLong;
        longOf_.push_back(isLong ? static_cast<Index>(long_.size()) : -1);
        if (isLong)
            long_.emplace_back(
                Span<const double>(&length_[start_[c]], static_cast<std::size_t>(edges)));
    }
}

// Follows a chain from one end of a yarn through its welds until a free end or its own start.
void LengthProjection::walk(const Curves& rest, Index yarn, bool fromEnd,
                            const std::vector<Index>& partner, std::vector<std::uint8_t>& used) {
    const Index chainStart = static_cast<Index>(node_.size());
    bool ring = rest.closed[yarn];
    for (bool back = fromEnd;;) {
        used[yarn] = 1;
        const Index f = rest.first[yarn], n = rest.size(yarn);
        Index i = 0;
        if (static_cast<Index>(node_.size()) > chainStart) { // the joint: one place, two nodes
            twin_.back() = back ? f + n - 1 : f;
            i = 1;
        }
        for (; i < n; ++i) {
            const Index a = back ? f + n - 1 - i : f + i;
            if (i > 0) {
                const Index b = back ? a + 1 : a - 1;
                length_.back() = (rest.x[a] - rest.x[b]).norm();
            }
            node_.push_back(a);
            twin_.push_back(-1);
            length_.push_back(0);
        }
        if (rest.closed[yarn]) {
            length_.back() = (rest.x[f] - rest.x[f + n - 1]).norm();
            break;
        }
        const Index next = partner[node_.back()];
        if (next < 0) break;
        if (next == node_[chainStart]) { // came round: the last place is the first one
            twin_[chainStart] = node_.back();
            node_.pop_back();
            twin_.pop_back();
            length_.pop_back();
            ring = true;
            break;
        }
        yarn = static_cast<Index>(std::upper_bound(rest.first.begin(), rest.first.end(), next) -
                                  rest.first.begin()) -
               1;
        back = next != rest.first[yarn];
    }
    closed_.push_back(ring);
    start_.push_back(static_cast<Index>(node_.size()));
}

double LengthProjection::project(std::vector<Vec3>& x, const std::vector<double>& w) {
    const double left = orderedMax(chains(), 1, [&](Index a, Index b) {
        double most = 0;
        for (Index c = a; c < b; ++c) most = std::max(most, projectChain(c, x, w));
        return most;
    });
    iterations_ = *std::max_element(chainIterations_.begin(), chainIterations_.end());
    return left;
}

void LengthProjection::gather(Index place, const std::vector<Vec3>& x, const std::vector<double>& w,
                              Vec3& at, double& inverse) const {
    const Index a = node_[place], b = twin_[place];
    at = x[a];
    inverse = w[a];
    if (b < 0) return;
    if (w[a] > 0 && w[b] > 0) {
        const double ma = 1 / w[a], mb = 1 / w[b];
        at = (ma * x[a] + mb * x[b]) / (ma + mb);
        inverse = 1 / (ma + mb);
    } else {
        at = w[a] == 0 ? x[a] : x[b];
        inverse = 0;
    }
}

double LengthProjection::projectLong(Index c, std::vector<Vec3>& x, const std::vector<double>& w) {
    LongChain& chain = long_[longOf_[c]];
    const Index f = start_[c], n = start_[c + 1] - f;
    parallelFor(n, 2048, [&](Index a, Index b) {
        for (Index i = a; i < b; ++i) {
            Vec3 at;
            gather(f + i, x, w, at, chain.w[i]);
            chain.x[i] = at.x();
            chain.y[i] = at.y();
            chain.z[i] = at.z();
        }
    });
    chain.touchAll();
    return solveLong(c, x);
}

double LengthProjection::solveLong(Index c, std::vector<Vec3>& x) {
    LongChain& chain = long_[longOf_[c]];
    const Index f = start_[c], n = start_[c + 1] - f;
    const double worst =
        chain.project(settings_.tolerance, settings_.maxIterations, chainIterations_[c]);
    parallelFor(chain.blocks(), 8, [&](Index b0, Index b1) {
        for (Index b = b0; b < b1; ++b) {
            if (!chain.moved(b)) continue;
            const Index end = b + 1 == chain.blocks() ? n : (b + 1) * LongChain::kBlock;
            for (Index i = b * LongChain::kBlock; i < end; ++i) {
                const Vec3 at(chain.x[i], chain.y[i], chain.z[i]);
                x[node_[f + i]] = at;
                if (twin_[f + i] >= 0) x[twin_[f + i]] = at;
            }
        }
    });
    return worst;
}

double LengthProjection::projectAgain(std::vector<Vec3>& x, const std::vector<double>& w,
                                      Span<const Index> moved) {
    std::fill(again_.begin(), again_.end(), std::uint8_t{0});
    for (Index node : moved) {
        const Index c = chainOf_[node], place = placeOf_[node];
        again_[c] = 1;
        if (longOf_[c] < 0) continue;
        LongChain& chain = long_[longOf_[c]];
        const Index i = place - start_[c];
        Vec3 at;
        gather(place, x, w, at, chain.w[i]);
        chain.x[i] = at.x();
        chain.y[i] = at.y();
        chain.z[i] = at.z();
        chain.touch(i);
    }
    return orderedMax(chains(), 1, [&](Index a, Index b) {
        double most = 0;
        for (Index c = a; c < b; ++c)
            if (again_[c])
                most = std::max(most, longOf_[c] >= 0 ? solveLong(c, x) : projectChain(c, x, w));
        return most;
    });
}

double LengthProjection::projectChain(Index c, std::vector<Vec3>& x, const std::vector<double>& w) {
    if (longOf_[c] >= 0) return projectLong(c, x, w);
    const Index f = start_[c], n = start_[c + 1] - f, edges = closed_[c] ? n : n - 1;
    Vec3* p = &at_[f];
    double* wp = &w_[f];
    const double* l = &length_[f];
    for (Index i = 0; i < n; ++i) gather(f + i, x, w, p[i], wp[i]);
    double worst = 0;
    int& it = chainIterations_[c];
    for (it = 0;; ++it) {
        worst = 0;
        Vec3 before = Vec3::Zero(); // e / l of the edge before
        if (closed_[c]) before = (p[0] - p[n - 1]) / l[n - 1];
        for (Index i = 0; i < edges; ++i) {
            const Index j = i + 1 < n ? i + 1 : 0;
            const Vec3 g = (p[j] - p[i]) * (1 / l[i]);
            const double g2 = g.squaredNorm();
            lambda_[f + i] = (g2 - 1) * l[i];
            diag_[f + i] = 4 * g2 * (wp[i] + wp[j]) + 1e-300;
            off_[f + i] = i > 0 || closed_[c] ? -4 * wp[i] * before.dot(g) : 0;
            worst = std::max(worst, std::abs(g2 - 1));
            before = g;
        }
        if (worst <= settings_.tolerance || it == settings_.maxIterations) break;
        solveCyclic(edges, &diag_[f], &off_[f], &lambda_[f], &work_[f]);
        Vec3 last = Vec3::Zero(); // impulse of the edge before: 2 lambda e / l
        if (closed_[c]) last = 2 * lambda_[f + n - 1] / l[n - 1] * (p[0] - p[n - 1]);
        const Vec3 first = p[0];
        for (Index i = 0; i < edges; ++i) {
            const Vec3 impulse =
                2 * lambda_[f + i] / l[i] * ((i + 1 < n ? p[i + 1] : first) - p[i]);
            p[i] += wp[i] * (impulse - last);
            last = impulse;
        }
        if (!closed_[c]) p[n - 1] -= wp[n - 1] * last;
    }
    for (Index i = 0; i < n; ++i) {
        x[node_[f + i]] = p[i];
        if (twin_[f + i] >= 0) x[twin_[f + i]] = p[i];
    }
    return worst;
}

} // namespace purl
