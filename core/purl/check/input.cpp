#include "purl/check/input.h"

#include "purl/check/distance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

namespace purl {

namespace {

using Kind = InputFinding::Kind;

std::string number(double v) {
    std::ostringstream s;
    s.precision(3);
    s << v;
    return s.str();
}

std::string at(Index yarn, Index point) {
    return "yarn " + std::to_string(yarn) + ", point " + std::to_string(point);
}

// Keeps lists short: the first few of a kind, then how many more there are.
class List {
public:
    explicit List(Index most) : most_(most) {}
    void add(InputFinding f) {
        const int k = static_cast<int>(f.kind);
        if (++count_[k] <= most_) out_.push_back(std::move(f));
    }
    std::vector<InputFinding> take() {
        for (std::size_t k = 0; k < count_.size(); ++k)
            if (count_[k] > most_)
                for (std::size_t i = out_.size(); i-- > 0;)
                    if (static_cast<std::size_t>(out_[i].kind) == k) {
                        out_[i].text += " (and " + std::to_string(count_[k] - most_) + " more)";
                        break;
                    }
        return std::move(out_);
    }

private:
    Index most_;
    std::array<Index, 16> count_{};
    std::vector<InputFinding> out_;
};

void checkSize(Span<const Vec3> x, double scale, const InputLimits& l, List& list) {
    Vec3 low = Vec3::Constant(1e300), high = -low;
    for (const Vec3& p : x)
        if (p.allFinite()) {
            low = low.cwiseMin(p);
            high = high.cwiseMax(p);
        }
    if ((low.array() > high.array()).any()) return;
    const double size = (high - low).maxCoeff();
    if (size >= l.smallest && size <= l.largest) return;
    InputFinding f{Kind::Units, true, "all points", "", "", true};
    f.text = "the whole is " + number(size) + " m large, expected " + number(l.smallest) + " to " +
             number(l.largest) + " m";
    // The unit that makes it the size of cloth, the nearest first.
    struct Unit {
        const char* name;
        double metres;
    };
    f.repair = "tell its unit with --scale";
    f.safe = false;
    for (const Unit& u : {Unit{"cm", 0.01}, Unit{"mm", 0.001}, Unit{"m", 100}, Unit{"m", 1000}}) {
        const double there = size * u.metres;
        if (there < 0.05 || there > 5) continue;
        f.repair = u.metres < 1
                       ? std::string("if its unit is ") + u.name + ": --scale " +
                             number(scale * u.metres) + " (then it is " + number(there) + " m)"
                       : "it was scaled twice: --scale " + number(scale * u.metres);
        f.safe = true;
        break;
    }
    list.add(f);
}

void checkYarn(const Curves& c, Index y, const InputLimits& l, List& list) {
    const double r = c.radius[y];
    const std::string name = "yarn " + std::to_string(y);
    if (!(r > 0) || !std::isfinite(r)) {
        list.add({Kind::BadRadius, true, name, "radius is " + number(r) + " m, expected > 0",
                  "set pscale, or --radius"});
        return;
    }
    if (r < l.thinnest || r > l.thickest)
        list.add({Kind::Units, false, name,
                  "radius is " + number(1e3 * r) + " mm, expected " + number(1e3 * l.thinnest) +
                      " to " + number(1e3 * l.thickest) + " mm",
                  "pscale is a radius in units of the file: look at --scale and --radius"});
    if (c.size(y) < 2) {
        list.add(
            {Kind::Spacing, true, name, "has one point, expected two or more", "remove the curve"});
        return;
    }
    Index shortest = -1, longest = -1;
    double least = 1e300, most = 0;
    for (Index i = 0; i < c.edges(y); ++i) {
        const Vec3 a = c.x[c.first[y] + i], b = c.x[c.first[y] + (i + 1) % c.size(y)];
        if (!a.allFinite()) {
            list.add({Kind::NonFinite, true, at(y, i), "P is not finite, expected numbers",
                      "remove the point, or cook the input anew"});
            return;
        }
        const double e = (b - a).norm();
        if (e < 1e-3 * r) {
            list.add({Kind::DoubledPoints, true, at(y, i),
                      "lies on the next point (" + number(e) + " m away), expected at least " +
                          number(l.shortEdge * r) + " m",
                      "--repair spreads them along the yarn; or Fuse/Resample before", true});
            continue;
        }
        if (e < least) least = e, shortest = i;
        if (e > most) most = e, longest = i;
    }
    if (shortest >= 0 && least < l.shortEdge * r)
        list.add({Kind::Spacing, false, at(y, shortest),
                  "the next point is " + number(least / r) + " radii away, expected more than " +
                      number(l.shortEdge) + ": steps will be short",
                  "resample the yarn to about one radius"});
    if (longest >= 0 && most > l.longEdge * r)
        list.add({Kind::Spacing, false, at(y, longest),
                  "the next point is " + number(most / r) + " radii away, expected less than " +
                      number(l.longEdge) + ": it cannot bend round another yarn",
                  "resample the yarn to one to four radii"});
}

} // namespace

const char* nameOf(InputFinding::Kind kind) {
    constexpr const char* name[] = {"non-finite", "bad radius",     "doubled points", "crossing",
                                    "overlap",    "units",          "spacing",        "pins",
                                    "uv overlap", "uv without area"};
    return name[static_cast<int>(kind)];
}

std::vector<InputFinding> checkYarnInput(const Curves& c, const std::vector<GluedPoints>& glued,
                                         double scale, const InputLimits& l) {
    List list(l.listed);
    checkSize(c.x, scale, l, list);
    for (Index y = 0; y < c.yarns(); ++y) checkYarn(c, y, l, list);
    for (const ClosePlace& p : closePlaces(c, l.deep, glued)) {
        std::ostringstream place;
        place << "yarn " << p.yarnA << " at curveu " << number(p.uA) << ", yarn " << p.yarnB
              << " at curveu " << number(p.uB) << ", (" << number(p.at.x()) << " "
              << number(p.at.y()) << " " << number(p.at.z()) << ") m";
        if (p.ratio < l.crossed)
            list.add({Kind::Crossing, true, place.str(),
                      "centre lines cross: " + number(p.distance) +
                          " m apart, expected more than " +
                          number(p.distance / std::max(1e-12, p.ratio) * l.crossed) + " m",
                      "move one yarn to its right side: the run would keep the wrong topology"});
        else
            list.add({Kind::Overlap, false, place.str(),
                      "yarns begin " + number(100 * (1 - p.ratio)) +
                          " % inside each other, expected less than 50 %",
                      "a smaller radius, or purl relax first: they would burst apart"});
    }
    return list.take();
}

std::vector<InputFinding> checkSheetInput(Span<const Vec3> x, const InputLimits& l) {
    List list(l.listed);
    checkSize(x, 1, l, list);
    for (std::size_t i = 0; i < x.size(); ++i)
        if (!x[i].allFinite())
            list.add({Kind::NonFinite, true, "point " + std::to_string(i),
                      "P is not finite, expected numbers", "cook the input anew"});
    return list.take();
}

Index spreadDoubled(Curves& c, double least) {
    Index moved = 0;
    for (Index y = 0; y < c.yarns(); ++y) {
        const double r = c.radius[y];
        const Index first = c.first[y], n = c.size(y);
        if (!(r > 0) || n < 3) continue;
        // Runs of points at one place, from a to b; the neighbours outside give them room.
        for (Index a = 0; a < n - 1; ++a) {
            Index b = a;
            while (b + 1 < n && (c.x[first + b + 1] - c.x[first + a]).norm() < least * r) ++b;
            if (b == a) continue;
            const Index before = std::max<Index>(0, a - 1), after = std::min(n - 1, b + 1);
            const Vec3 from = c.x[first + before], to = c.x[first + after], here = c.x[first + a];
            for (Index k = before + 1; k < after; ++k) {
                // Along the corner before - here - after, evenly by number.
                const double t =
                    static_cast<double>(k - before) / static_cast<double>(after - before);
                c.x[first + k] = t < 0.5 ? Vec3(from + 2 * t * (here - from))
                                         : Vec3(here + (2 * t - 1) * (to - here));
                ++moved;
            }
            a = b;
        }
    }
    return moved;
}

} // namespace purl
