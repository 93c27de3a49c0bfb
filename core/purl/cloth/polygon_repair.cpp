#include "purl/cloth/polygon_repair.h"

#include "purl/base/error.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace purl {

namespace {

using Edge = std::array<Index, 2>;
Edge edgeOf(Index a, Index b) { return a < b ? Edge{a, b} : Edge{b, a}; }

std::string primitive(const Polygons& p, Index polygon) {
    return "primitive " + std::to_string(p.number[polygon]);
}

void refuse(const Polygons& p, const std::string& file) {
    for (Index f = 0; f < p.count(); ++f)
        for (Index v = p.first[f]; v < p.first[f + 1]; ++v) {
            const Index point = p.point[v];
            const std::string place = file + ": " + primitive(p, f);
            if (point < 0 || point >= static_cast<Index>(p.x.size()))
                throw Error(place, "uses point " + std::to_string(point) + ", expected 0 to " +
                                       std::to_string(p.x.size() - 1));
            if (!p.x[point].allFinite())
                throw Error(place, "point " + std::to_string(point) + " is not finite, expected m");
            if (!p.rest.empty() && !p.rest[point].allFinite())
                throw Error(place, "rest of point " + std::to_string(point) +
                                       " is not finite, expected m");
            if (!p.uv.empty() && !p.uv[v].allFinite())
                throw Error(place, "uv of point " + std::to_string(point) +
                                       " is not finite, expected two numbers");
        }
}

// Repeated points out; what has no area or was there before too.
std::vector<PolygonLoop> cleanLoops(const Polygons& p, Span<const Vec3> restX,
                                    const std::string& file, std::vector<std::string>& warnings) {
    std::vector<PolygonLoop> loops;
    std::set<std::vector<Index>> seen;
    RepairCount repeated, empty, twice;
    for (Index f = 0; f < p.count(); ++f) {
        PolygonLoop loop{f, {}, {}};
        for (Index v = p.first[f]; v < p.first[f + 1]; ++v) {
            if (!loop.point.empty() && loop.point.back() == p.point[v]) continue;
            loop.point.push_back(p.point[v]);
            if (!p.uv.empty()) loop.uv.push_back(p.uv[v]);
        }
        while (loop.point.size() > 1 && loop.point.front() == loop.point.back()) {
            loop.point.pop_back();
            if (!loop.uv.empty()) loop.uv.pop_back();
        }
        if (static_cast<Index>(loop.point.size()) < p.first[f + 1] - p.first[f])
            repeated.add(p.number[f]);
        double longest = 0;
        for (std::size_t i = 0; i < loop.point.size(); ++i)
            longest = std::max(
                longest, (restX[loop.point[i]] - restX[loop.point[(i + 1) % loop.point.size()]])
                             .squaredNorm());
        if (loop.point.size() < 3 || !(loopNormal(restX, loop.point).norm() > 1e-8 * longest)) {
            empty.add(p.number[f]);
            continue;
        }
        std::vector<Index> key = loop.point;
        std::sort(key.begin(), key.end());
        if (!seen.insert(key).second) {
            twice.add(p.number[f]);
            continue;
        }
        loops.push_back(std::move(loop));
    }
    repeated.say(file, "uses a point twice in a row", "use a point twice in a row", "used once",
                 warnings);
    empty.say(file, "has no area", "have no area", "left out", warnings);
    twice.say(file, "lies on the same points as one before it",
              "lie on the same points as ones before them", "left out", warnings);
    return loops;
}

std::map<Edge, std::vector<Index>> usersOf(const std::vector<PolygonLoop>& loops) {
    std::map<Edge, std::vector<Index>> users;
    for (std::size_t l = 0; l < loops.size(); ++l)
        for (std::size_t i = 0; i < loops[l].point.size(); ++i)
            users[edgeOf(loops[l].point[i], loops[l].point[(i + 1) % loops[l].point.size()])]
                .push_back(static_cast<Index>(l));
    return users;
}

// A border's edge a-c beside a border's chain a-b-..-c on the same line: the chain's points are put
// into the loop of a-c. Points of a sheet that merely touches are not joined by edges and stay out.
void closeJunctions(const Polygons& p, std::vector<PolygonLoop>& loops, const std::string& file,
                    std::vector<std::string>& warnings) {
    std::map<Index, std::vector<Index>> border; // along border edges: neighbours of a point
    std::vector<Edge> edges;
    std::map<Edge, Index> loopOf;
    for (const auto& [edge, users] : usersOf(loops)) {
        if (users.size() != 1) continue;
        border[edge[0]].push_back(edge[1]);
        border[edge[1]].push_back(edge[0]);
        edges.push_back(edge);
        loopOf[edge] = users[0];
    }
    RepairCount joined;
    for (const Edge& e : edges) {
        const Vec3 a = p.x[e[0]], d = p.x[e[1]] - a;
        const double length = d.squaredNorm();
        if (!(length > 0)) continue;
        std::vector<Index> chain;
        std::vector<double> at;
        double last = 0;
        for (Index here = e[0]; here != e[1];) { // walk from a on the line towards c
            Index next = -1;
            double t1 = 0;
            for (Index n : border[here]) {
                const double t = d.dot(p.x[n] - a) / length;
                const bool on = (p.x[n] - a - t * d).squaredNorm() <= 1e-10 * length;
                const bool end = n == e[1] && here != e[0];
                if (on && t > last + 1e-4 && (end || t < 1 - 1e-4)) {
                    next = n;
                    t1 = t;
                }
            }
            if (next < 0) {
                chain.clear();
                break;
            }
            if (next != e[1]) {
                chain.push_back(next);
                at.push_back(t1);
            }
            last = t1;
            here = next;
        }
        if (chain.empty()) continue;
        PolygonLoop& loop = loops[loopOf[e]];
        for (std::size_t i = 0; i < loop.point.size(); ++i) {
            const std::size_t j = (i + 1) % loop.point.size();
            const bool forward = loop.point[i] == e[0] && loop.point[j] == e[1];
            if (!forward && !(loop.point[i] == e[1] && loop.point[j] == e[0])) continue;
            if (!forward) {
                std::reverse(chain.begin(), chain.end());
                std::reverse(at.begin(), at.end());
            }
            std::vector<Vec2> uv;
            for (double t : at)
                if (!loop.uv.empty()) {
                    const double s = forward ? t : 1 - t;
                    uv.push_back((1 - s) * loop.uv[i] + s * loop.uv[j]);
                }
            loop.point.insert(loop.point.begin() + i + 1, chain.begin(), chain.end());
            if (!uv.empty()) loop.uv.insert(loop.uv.begin() + i + 1, uv.begin(), uv.end());
            joined.add(p.number[loop.polygon]);
            break;
        }
    }
    joined.say(file, "has points of its neighbours on an edge (a T-junction)",
               "have points of their neighbours on an edge (T-junctions)", "sewn to them there",
               warnings);
}

// Neighbours over an edge of two must run along it in opposite directions.
void turnLoops(const Polygons& p, std::vector<PolygonLoop>& loops, const std::string& file,
               std::vector<std::string>& warnings) {
    const auto users = usersOf(loops);
    std::vector<std::vector<std::pair<Index, bool>>> next(loops.size()); // loop, same direction
    const auto runs = [&](Index l, const Edge& e) {                      // from e[0] to e[1]
        const std::vector<Index>& q = loops[l].point;
        for (std::size_t i = 0; i < q.size(); ++i)
            if (q[i] == e[0] && q[(i + 1) % q.size()] == e[1]) return true;
        return false;
    };
    RepairCount crowded, onesided, turned;
    for (const auto& [edge, u] : users) {
        if (u.size() > 2) crowded.add(p.number[loops[u[2]].polygon]);
        if (u.size() != 2) continue;
        const bool same = runs(u[0], edge) == runs(u[1], edge);
        next[u[0]].emplace_back(u[1], same);
        next[u[1]].emplace_back(u[0], same);
    }
    std::vector<signed char> turn(loops.size(), -1);
    for (std::size_t seed = 0; seed < loops.size(); ++seed) {
        if (turn[seed] >= 0) continue;
        std::vector<Index> piece{static_cast<Index>(seed)};
        turn[seed] = 0;
        bool moebius = false;
        for (std::size_t k = 0; k < piece.size(); ++k)
            for (const auto& [n, same] : next[piece[k]]) {
                const signed char wanted = same ? 1 - turn[piece[k]] : turn[piece[k]];
                if (turn[n] < 0) {
                    turn[n] = wanted;
                    piece.push_back(n);
                } else if (turn[n] != wanted) {
                    moebius = true;
                }
            }
        if (moebius) onesided.add(p.number[loops[seed].polygon]);
        const auto ones =
            std::count_if(piece.begin(), piece.end(), [&](Index l) { return turn[l] == 1; });
        const signed char few = 2 * ones <= static_cast<long>(piece.size()) ? 1 : 0;
        std::sort(piece.begin(), piece.end());
        for (Index l : piece) {
            if (turn[l] != few) continue;
            std::reverse(loops[l].point.begin(), loops[l].point.end());
            std::reverse(loops[l].uv.begin(), loops[l].uv.end());
            turned.add(p.number[loops[l].polygon]);
        }
    }
    turned.say(file, "runs the other way round than its neighbours",
               "run the other way round than their neighbours", "turned", warnings);
    crowded.say(file, "is the third on one edge", "are the third or more on one edge",
                "kept, and free to bend along that edge", warnings);
    onesided.say(file, "begins a sheet with one side only (a Moebius strip)",
                 "begin sheets with one side only (Moebius strips)", "kept", warnings);
}

} // namespace

void RepairCount::say(const std::string& file, const std::string& one, const std::string& many,
                      const std::string& done, std::vector<std::string>& warnings,
                      const char* what) const {
    if (count == 0) return;
    const std::string which = std::string(what) + " " + std::to_string(first);
    warnings.push_back(count == 1 ? file + ": " + which + " " + one + "; it is " + done
                                  : file + ": " + std::to_string(count) + " " + what + "s " + many +
                                        " (the first is " + which + "); they are " + done);
}

Vec3 loopNormal(Span<const Vec3> x, Span<const Index> loop) {
    Vec3 n = Vec3::Zero();
    for (std::size_t i = 1; i + 1 < loop.size(); ++i)
        n += (x[loop[i]] - x[loop[0]]).cross(x[loop[i + 1]] - x[loop[0]]);
    return n;
}

std::vector<PolygonLoop> repairPolygons(const Polygons& p, Span<const Vec3> restX,
                                        const std::string& file,
                                        std::vector<std::string>& warnings) {
    refuse(p, file);
    std::vector<PolygonLoop> loops = cleanLoops(p, restX, file, warnings);
    if (loops.empty())
        throw Error(file, "has no polygon with an area, expected a sheet of polygons");
    closeJunctions(p, loops, file, warnings);
    turnLoops(p, loops, file, warnings);
    return loops;
}

} // namespace purl
