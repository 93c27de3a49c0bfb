#include "purl/pattern/relax.h"

#include "purl/base/parallel.h"
#include "purl/pattern/contacts.h"

#include <algorithm>
#include <cmath>

namespace purl {

double exclusionArc(double radius) { return 1.1 * 3.14159265358979323846 * radius; }

namespace {

// Adds to `move` what brings control points to even spacing and low bending.
void addSmoothing(const Strands& strands, const RelaxSettings& settings, double strength,
                  std::vector<Vec3>& move) {
    for (const Chain& chain : strands.flow.empty() ? strands.chains : strands.flow) {
        const Index n = chain.size();
        for (Index k = 0; k < n; ++k) {
            const Index point = chain.points[k];
            if (strands.isFixed(point)) continue;
            const auto at = [&](Index i) {
                if (chain.goesOn) return strands.at(chain, i);
                if (i < 0)
                    return Vec3(2 * strands.x[chain.points[0]] - strands.x[chain.points[-i]]);
                if (i >= n)
                    return Vec3(2 * strands.x[chain.points[n - 1]] -
                                strands.x[chain.points[2 * (n - 1) - i]]);
                return strands.x[chain.points[i]];
            };
            const Vec3 x = strands.x[point];
            if (n > 3) { // bending: down the fourth difference
                const Vec3 fourth = at(k - 2) - 4 * at(k - 1) + 6 * x - 4 * at(k + 1) + at(k + 2);
                move[point] -= strength * settings.smooth / 16 * fourth;
            }
            // A bend sharper than about 95 degrees at a point would fold the yarn into itself.
            for (Index side : {-2, 2}) {
                if (!chain.goesOn && (k + side < 0 || k + side >= n)) continue;
                const Vec3 e = at(k + side) - x;
                const double length = e.norm(), least = 1.35 * chain.edge;
                if (length > 0 && length < least) move[point] += 0.25 * (1 - least / length) * e;
            }
            for (Index side : {-1, 1}) { // spacing: both edges towards the wanted length
                if (!chain.goesOn && (k + side < 0 || k + side >= n)) continue;
                const Vec3 e = at(k + side) - x;
                const double length = e.norm();
                if (length > 0)
                    move[point] +=
                        0.25 * strength * settings.evenness * (1 - chain.edge / length) * e;
            }
        }
    }
}

struct Arms {
    Index a, b;   // points
    double least; // m
};

// Where a strand is welded to the side of another, their arms must stand apart like at a bend: the
// excluded arc hides the weld itself from contact.
std::vector<Arms> weldedArms(const Strands& strands) {
    std::vector<std::vector<std::array<Index, 3>>> visits(strands.x.size()); // before, after, chain
    const auto& chains = strands.flow.empty() ? strands.chains : strands.flow;
    for (std::size_t c = 0; c < chains.size(); ++c) {
        const auto& points = chains[c].points;
        for (std::size_t k = 0; k < points.size() && !chains[c].goesOn; ++k)
            visits[points[k]].push_back({k > 0 ? points[k - 1] : -1,
                                         k + 1 < points.size() ? points[k + 1] : -1,
                                         static_cast<Index>(c)});
    }
    std::vector<Arms> arms;
    for (const auto& visit : visits)
        for (std::size_t i = 0; i < visit.size(); ++i)
            for (std::size_t j = i + 1; j < visit.size(); ++j)
                for (int m = 0; m < 4; ++m) {
                    const Index a = visit[i][m / 2], b = visit[j][m % 2];
                    if (a >= 0 && b >= 0) arms.push_back({a, b, 1.35 * chains[visit[i][2]].edge});
                }
    return arms;
}

void spreadArms(const Strands& strands, const std::vector<Arms>& arms, std::vector<Vec3>& move) {
    for (const Arms& arm : arms) {
        const Vec3 e = strands.x[arm.b] - strands.x[arm.a];
        const double length = e.norm();
        if (length == 0 || length >= arm.least) continue;
        move[arm.a] += 0.25 * (1 - arm.least / length) * e;
        move[arm.b] -= 0.25 * (1 - arm.least / length) * e;
    }
}

struct Gap {
    double distance; // m, negative: not a local minimum
    Vec3 direction;
};

struct Touch {
    Index a, b; // samples
    Shift shift;
    Vec3 n;
    double lack; // m
};

// Sets `push` to what brings every near pair to the distance `wanted`, shared out where a point is
// pushed by many, so that actio stays equal to reactio; returns the smallest distance.
double contactPush(const Strands& strands, const Contacts& contacts, double wanted,
                   std::vector<Gap>& gaps, std::vector<Touch>& touches, std::vector<double>& load,
                   std::vector<Vec3>& push) {
    // Two samples are farther apart than the curves between them by up to a spacing.
    const double limit = std::hypot(wanted, 1.1 * contacts.spacing());
    const Index n = static_cast<Index>(contacts.pairs().size());
    gaps.resize(n);
    parallelFor(n, 4096, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i)
            gaps[i].distance =
                contacts.localMinimum(strands, contacts.pairs()[i], limit, gaps[i].direction);
    });
    double least = 1e300;
    touches.clear();
    std::fill(push.begin(), push.end(), Vec3::Zero());
    std::fill(load.begin(), load.end(), 0.0);
    for (Index i = 0; i < n; ++i) {
        const double d = gaps[i].distance;
        if (d < 0) continue;
        least = std::min(least, d);
        if (d >= wanted) continue;
        const NearPair& pair = contacts.pairs()[i];
        touches.push_back({pair.a, pair.b, pair.shift, gaps[i].direction, wanted - d});
        for (const Sample* s : {&contacts.samples()[pair.a], &contacts.samples()[pair.b]})
            for (int k = 0; k < 4; ++k) load[s->point[k]] += std::abs(s->w[k]);
    }
    for (const Touch& touch : touches) {
        const Sample &a = contacts.samples()[touch.a], &b = contacts.samples()[touch.b];
        double sum = 0, most = 1; // squared weights that can move; the heaviest load among them
        for (const Sample* s : {&a, &b})
            for (int k = 0; k < 4; ++k)
                if (!strands.isFixed(s->point[k])) {
                    sum += s->w[k] * s->w[k];
                    if (std::abs(s->w[k]) > 0.2) most = std::max(most, load[s->point[k]]);
                }
        if (sum < 1e-3) continue;
        const Vec3 na = touch.lack / (sum * most) * touch.n;
        const Vec3 nb = strands.lattice.turnBack(touch.shift, na);
        for (int k = 0; k < 4; ++k) {
            push[a.point[k]] += a.w[k] * strands.lattice.turnBack(a.shift[k], na);
            push[b.point[k]] -= b.w[k] * strands.lattice.turnBack(b.shift[k], nb);
        }
    }
    return least;
}

// A tube would shrink under the tension of its courses.
void keepRadius(Strands& strands) {
    double mean = 0;
    for (const Vec3& x : strands.x) mean += std::hypot(x[0], x[2]);
    mean /= static_cast<double>(strands.x.size());
    for (Vec3& x : strands.x) x += (strands.tubeRadius - mean) * Vec3(x[0], 0, x[2]).normalized();
}

} // namespace

double relax(Strands& strands, const RelaxSettings& settings) {
    const double r = settings.radius, goal = 2 * r * (1 + settings.margin), slack = 0.6 * r;
    Contacts contacts(strands, 0.4 * r, exclusionArc(r));
    std::vector<Vec3> move(strands.x.size()), push(strands.x.size());
    std::vector<Vec3> last(strands.x.size(), Vec3::Zero());
    std::vector<double> load(strands.x.size());
    std::vector<Gap> gaps;
    std::vector<Touch> touches;
    const std::vector<Arms> arms = weldedArms(strands);
    std::vector<Vec3> seen; // positions when the pairs were found
    double start = 2 * settings.startRadius;
    if (start == 0) {
        contacts.find(strands, goal);
        start = std::clamp(0.6 * contacts.smallest(strands, goal), 0.05 * goal, goal);
    }
    int good = 0;
    for (int sweep = 0; sweep < settings.sweeps + settings.settle && good < 20; ++sweep) {
        const double grown = std::min(1.0, (sweep + 1.0) / std::max(1, settings.sweeps));
        const double now = start + (goal - start) * grown;
        bool stale = seen.empty();
        for (std::size_t i = 0; !stale && i < seen.size(); ++i)
            stale = (strands.x[i] - seen[i]).squaredNorm() > 0.16 * slack * slack;
        contacts.update(strands);
        if (stale) {
            contacts.find(strands, goal + slack);
            seen = strands.x;
        }
        std::fill(move.begin(), move.end(), Vec3::Zero());
        // Smoothness gives way to contact at the end, so that the gap is really reached.
        const double late =
            std::max(0, sweep - settings.sweeps) / std::max(1.0, 0.7 * settings.settle);
        addSmoothing(strands, settings, std::max(0.02, 1 - late), move);
        spreadArms(strands, arms, move);
        const double least = contactPush(strands, contacts, now, gaps, touches, load, push);
        // So deep in each other that strands might pass through: the space is too small.
        if (least < 0.4 * now) return least;
        good = grown == 1 && least >= 0.5 * (goal + 2 * r) ? good + 1 : 0;
        const double limit = 0.05 * now;
        for (std::size_t i = 0; i < strands.x.size(); ++i) {
            if (strands.isFixed(static_cast<Index>(i))) continue;
            Vec3 step = move[i] + push[i] + settings.momentum * last[i];
            const double length = step.norm();
            if (length > limit) step *= limit / length;
            strands.x[i] += step;
            last[i] = step;
        }
        if (strands.tubeRadius > 0) keepRadius(strands);
    }
    return clearance(strands, r, goal);
}

double relaxBorder(Strands& strands, double radius) {
    RelaxSettings settings;
    settings.radius = radius;
    settings.sweeps = 60;
    settings.settle = 160;
    const double distance = relax(strands, settings);
    if (distance >= 2 * radius) return distance;
    settings.settle = 1200;
    return relax(strands, settings);
}

double clearance(const Strands& strands, double radius, double reach) {
    Contacts contacts(strands, 0.2 * radius, exclusionArc(radius));
    contacts.find(strands, reach);
    return contacts.smallest(strands, reach);
}

} // namespace purl
