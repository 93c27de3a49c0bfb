#include "purl/pattern/contacts.h"

#include <algorithm>
#include <cmath>

namespace purl {

Contacts::Contacts(const Strands& strands, double spacing, double exclude)
    : spacing_(spacing), exclude_(exclude) {
    std::vector<int> uses(strands.x.size(), 0);
    for (const Chain& chain : strands.chains)
        for (Index p : chain.points) ++uses[p];
    for (int n : uses) weld_.push_back(n > 1);
    const Index chains = static_cast<Index>(strands.chains.size());
    for (Index c = 0; c < chains; ++c) {
        const Chain& chain = strands.chains[c];
        firstSample_.push_back(static_cast<Index>(samples_.size()));
        double edge = chain.edge;
        for (Index k = 0; k < chain.segments(); ++k)
            edge = std::max(edge, (strands.at(chain, k + 1) - strands.at(chain, k)).norm());
        const int per = std::max(2, static_cast<int>(std::ceil(edge / spacing)));
        for (Index k = 0; k < chain.segments(); ++k) {
            Segment ends;
            ends.reflectStart = !chain.goesOn && k == 0;
            ends.reflectEnd = !chain.goesOn && k == chain.size() - 2;
            Sample sample;
            sample.chain = c;
            sample.seg = k;
            for (int i = 0; i < 4; ++i) {
                Index at = k - 1 + i;
                if (!chain.goesOn) at = std::clamp(at, Index{0}, chain.size() - 1);
                std::tie(sample.point[i], sample.shift[i]) = strands.node(chain, at);
                if (!strands.isFixed(sample.point[i])) sample.active = true;
            }
            for (int i = 0; i < per; ++i) {
                sample.s = (i + 0.5) / per;
                if (ends.reflectStart && i == 0) sample.s = 0; // a yarn's end touches, too
                if (ends.reflectEnd && i == per - 1) sample.s = 1;
                sample.w = ends.fold(catmullRom(sample.s));
                samples_.push_back(sample);
            }
        }
    }
    firstSample_.push_back(static_cast<Index>(samples_.size()));
    const Index n = static_cast<Index>(samples_.size());
    p_.resize(n);
    before_.resize(n);
    after_.resize(n);
    for (Index i = 0; i < n; ++i) locate(strands, i);
    for (Index i = 0; i < n; ++i) look(strands, i);
    for (Index i = 0; i < n; ++i)
        if (samples_[i].active || (i > 0 && samples_[i - 1].active) ||
            (i + 1 < n && samples_[i + 1].active))
            active_.push_back(i);
    keepNearActive(16 * spacing);
    measure(strands);
}

void Contacts::locate(const Strands& strands, Index i) {
    const Sample& s = samples_[i];
    Vec3 p = Vec3::Zero();
    for (int k = 0; k < 4; ++k)
        p += s.w[k] * strands.lattice.apply(s.shift[k], strands.x[s.point[k]]);
    p_[i] = p;
}

void Contacts::look(const Strands& strands, Index i) {
    const Index c = samples_[i].chain;
    const Chain& chain = strands.chains[c];
    const Index first = firstSample_[c], last = firstSample_[c + 1] - 1;
    before_[i] = i > first      ? p_[i - 1]
                 : chain.goesOn ? strands.lattice.apply(chain.wrap * -1, p_[last])
                                : p_[i];
    after_[i] = i < last       ? p_[i + 1]
                : chain.goesOn ? strands.lattice.apply(chain.wrap, p_[first])
                               : p_[i];
}

void Contacts::update(const Strands& strands) {
    for (Index i : active_) locate(strands, i);
    for (Index i : active_) look(strands, i);
}

// Most of a patch is fixed while its border is relaxed: leave out what no free sample can reach.
void Contacts::keepNearActive(double reach) {
    const auto cell = [&](const Vec3& p, int dx, int dy, int dz) {
        return std::array<Index, 3>{static_cast<Index>(std::floor(p[0] / reach)) + dx,
                                    static_cast<Index>(std::floor(p[1] / reach)) + dy,
                                    static_cast<Index>(std::floor(p[2] / reach)) + dz};
    };
    std::vector<std::array<Index, 3>> cells;
    for (std::size_t i = 0; i < samples_.size(); ++i)
        if (samples_[i].active) cells.push_back(cell(p_[i], 0, 0, 0));
    const auto unique = [&] {
        std::sort(cells.begin(), cells.end());
        cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    };
    unique();
    const auto home = cells;
    for (const auto& c : home)
        for (int i = 0; i < 27; ++i)
            cells.push_back({c[0] + i % 3 - 1, c[1] + i / 3 % 3 - 1, c[2] + i / 9 - 1});
    unique();
    const bool all = home.empty() || active_.size() == samples_.size();
    for (Index i = 0; i < static_cast<Index>(samples_.size()); ++i)
        if (all || std::binary_search(cells.begin(), cells.end(), cell(p_[i], 0, 0, 0)))
            relevant_.push_back(i);
}

void Contacts::measure(const Strands& strands) {
    length_.assign(strands.chains.size(), 0);
    for (std::size_t c = 0; c < strands.chains.size(); ++c) {
        double arc = 0;
        for (Index i = firstSample_[c]; i < firstSample_[c + 1]; ++i) {
            const double step = 0.5 * ((p_[i] - before_[i]).norm() + (after_[i] - p_[i]).norm());
            samples_[i].arc = arc + 0.5 * step;
            arc += step;
        }
        length_[c] = arc;
        markJoints(strands.chains[c], firstSample_[c], firstSample_[c + 1]);
    }
}

// Tells the samples of a chain which weld is within the excluded arc of them.
void Contacts::markJoints(const Chain& chain, Index first, Index last) {
    for (Index i = first; i < last; ++i) samples_[i].joint = -1;
    const Index per = (last - first) / std::max(chain.segments(), Index{1});
    for (Index k = 0; k < chain.size(); ++k) {
        if (!weld_[chain.points[k]]) continue;
        const Index at = std::clamp(first + k * per, first, last - 1);
        double arc = samples_[at].arc - 0.5 * (after_[at] - p_[at]).norm();
        if (k == chain.segments()) arc = length_[samples_[at].chain];
        for (int side : {-1, 1})
            for (Index i = side < 0 ? std::min(first + k * per, last) - 1 : first + k * per;
                 i >= first && i < last; i += side) {
                const double far = std::abs(samples_[i].arc - arc);
                if (far > exclude_) break;
                if (samples_[i].joint >= 0 && samples_[i].jointArc <= far) continue;
                samples_[i].joint = chain.points[k];
                samples_[i].jointArc = far;
            }
    }
}

bool Contacts::excluded(const Strands& strands, Index a, Index b, Shift g) const {
    const Sample &sa = samples_[a], &sb = samples_[b];
    if (sa.joint >= 0 && sa.joint == sb.joint && sa.jointArc + sb.jointArc < exclude_) return true;
    if (sa.chain != sb.chain) return false;
    const Chain& chain = strands.chains[sa.chain];
    const double length = length_[sa.chain];
    double arc = sb.arc - sa.arc;
    if (chain.ring()) {
        if (!(g == Shift{})) return false;
        arc -= length * std::round(arc / length);
    } else if (chain.goesOn) {
        // The same strand if the image is a whole number of its own repeats away.
        const Index m = chain.wrap.a ? g.a / chain.wrap.a : g.b / chain.wrap.b;
        if (!(chain.wrap * m == g)) return false;
        arc += m * length;
    } else if (!(g == Shift{})) {
        return false;
    }
    return std::abs(arc) < exclude_;
}

namespace {

struct Image {
    Vec3 p;
    Index sample;
    Shift shift;
};

// Images in cells of a box, by counting sort.
struct Grid {
    Vec3 low;
    double cell;
    std::array<Index, 3> size;
    std::vector<Index> first;
    std::vector<Index> order;

    Index clampedCell(const Vec3& p, int axis) const {
        const double c = std::floor((p[axis] - low[axis]) / cell);
        return static_cast<Index>(std::clamp(c, 0.0, static_cast<double>(size[axis] - 1)));
    }
    std::size_t cellOf(Index i, Index j, Index k) const {
        return (static_cast<std::size_t>(i) * size[1] + j) * size[2] + k;
    }
    Grid(const std::vector<Image>& images, const Vec3& lo, const Vec3& hi, double cutoff)
        : low(lo), cell(cutoff) {
        for (;;) { // at most a few million cells, whatever the shape
            double cells = 1;
            for (int a = 0; a < 3; ++a) {
                const double n = std::floor((hi[a] - lo[a]) / cell) + 1;
                size[a] = static_cast<Index>(std::min(n, 1e9));
                cells *= n;
            }
            if (cells < 4e6) break;
            cell *= 1.5;
        }
        first.assign(cellOf(size[0] - 1, size[1] - 1, size[2] - 1) + 2, 0);
        std::vector<std::size_t> home(images.size());
        for (std::size_t i = 0; i < images.size(); ++i) {
            home[i] = cellOf(clampedCell(images[i].p, 0), clampedCell(images[i].p, 1),
                             clampedCell(images[i].p, 2));
            ++first[home[i] + 1];
        }
        for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
        order.resize(images.size());
        std::vector<Index> next(first.begin(), first.end() - 1);
        for (std::size_t i = 0; i < images.size(); ++i)
            order[next[home[i]]++] = static_cast<Index>(i);
    }
};

} // namespace

void Contacts::find(const Strands& strands, double cutoff) {
    measure(strands);
    pairs_.clear();
    if (samples_.empty()) return;
    Vec3 lo = Vec3::Constant(1e300), hi = -lo;
    for (Index i : active_)
        if (samples_[i].active) {
            lo = lo.cwiseMin(p_[i]);
            hi = hi.cwiseMax(p_[i]);
        }
    if (lo[0] > hi[0]) return;
    lo.array() -= cutoff;
    hi.array() += cutoff;
    const Lattice& lattice = strands.lattice;
    std::vector<Image> images;
    for (Index a = -lattice.countA; a <= lattice.countA; ++a)
        for (Index b = -lattice.countB; b <= lattice.countB; ++b)
            for (Index i : relevant_) {
                const Vec3 p = lattice.apply({a, b}, p_[i]);
                if ((p.array() >= lo.array()).all() && (p.array() <= hi.array()).all())
                    images.push_back({p, i, {a, b}});
            }
    const Grid grid(images, lo, hi, cutoff);
    for (Index s : active_) {
        if (!samples_[s].active) continue;
        std::array<Index, 3> c0, c1;
        for (int a = 0; a < 3; ++a) {
            const Index c = grid.clampedCell(p_[s], a);
            c0[a] = std::max(c - 1, Index{0});
            c1[a] = std::min(c + 1, grid.size[a] - 1);
        }
        for (Index i = c0[0]; i <= c1[0]; ++i)
            for (Index j = c0[1]; j <= c1[1]; ++j)
                for (Index n = grid.first[grid.cellOf(i, j, c0[2])];
                     n < grid.first[grid.cellOf(i, j, c1[2]) + 1]; ++n) {
                    const Image& image = images[grid.order[n]];
                    const Index t = image.sample;
                    const Shift g = image.shift;
                    // Each unordered pair once: from its lower sample, or its active one.
                    if (samples_[t].active &&
                        (t < s || (t == s && (g.a < 0 || (g.a == 0 && g.b <= 0)))))
                        continue;
                    if ((image.p - p_[s]).squaredNorm() >= cutoff * cutoff) continue;
                    if (!excluded(strands, s, t, g)) pairs_.push_back({s, t, g});
                }
    }
}

namespace {

// A strand near a sample: p + i u + i i c / 2 with i in half steps, straight at an end.
struct Parabola {
    Vec3 u, c;
    double low = -1, high = 1;
    Parabola(const Vec3& before, const Vec3& p, const Vec3& after)
        : u(0.25 * (after - before)), c(0.25 * (after + before - 2 * p)) {
        if (before != p && after != p) return;
        u *= 2;
        c.setZero();
        (before == p ? low : high) = 0;
    }
};

} // namespace

double Contacts::localMinimum(const Strands& strands, const NearPair& pair, double limit,
                              Vec3& direction) const {
    const Index a = pair.a, b = pair.b;
    const Lattice& lattice = strands.lattice;
    const Vec3 q = lattice.apply(pair.shift, p_[b]);
    const Vec3 d = p_[a] - q;
    const double dd = d.squaredNorm();
    if (dd > limit * limit) return -1;
    if ((before_[a] - q).squaredNorm() < dd || (after_[a] - q).squaredNorm() < dd) return -1;
    if ((p_[a] - lattice.apply(pair.shift, before_[b])).squaredNorm() < dd ||
        (p_[a] - lattice.apply(pair.shift, after_[b])).squaredNorm() < dd)
        return -1;
    // Between the samples: one Newton step on parabolas; bends that face each other need the
    // curvature.
    Parabola pa(before_[a], p_[a], after_[a]), pb(before_[b], p_[b], after_[b]);
    if (lattice.angle != 0 && pair.shift.a != 0) {
        const Mat3 turn = lattice.rotation(pair.shift);
        pb.u = turn * pb.u;
        pb.c = turn * pb.c;
    }
    const double du = d.dot(pa.u), dv = d.dot(pb.u), uv = pa.u.dot(pb.u);
    const double hu = pa.u.squaredNorm() + d.dot(pa.c), hv = pb.u.squaredNorm() - d.dot(pb.c);
    const double det = hu * hv - uv * uv;
    direction = d;
    if (hu > 0 && det > 0.05 * hu * hv) {
        const double i = std::clamp((uv * dv - hv * du) / det, pa.low, pa.high);
        const double j = std::clamp((hu * dv - uv * du) / det, pb.low, pb.high);
        direction += i * pa.u + 0.5 * i * i * pa.c - j * pb.u - 0.5 * j * j * pb.c;
    }
    const double distance = direction.norm();
    if (distance > 0) direction /= distance;
    return distance;
}

double Contacts::smallest(const Strands& strands, double otherwise) const {
    double least = otherwise;
    Vec3 n;
    for (const NearPair& pair : pairs_) {
        least =
            std::min(least, (p_[pair.a] - strands.lattice.apply(pair.shift, p_[pair.b])).norm());
        const double d = localMinimum(strands, pair, otherwise, n);
        if (d >= 0) least = std::min(least, d);
    }
    return least;
}

} // namespace purl
