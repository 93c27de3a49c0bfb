#include "purl/cloth/self_detect.h"

#include "purl/base/parallel.h"
#include "purl/cloth/continuous.h"

#include <algorithm>

namespace purl {

namespace {

constexpr double kTasks = 96;       // about so many, however many threads there are
constexpr double kLeastWork = 2000; // box tests that are worth a task
constexpr double kPairCost = 4;     // of a pair of features, in box tests

bool apart(const Vec3& p0, const Vec3& p1, const Vec3& q0, const Vec3& q1, const Vec3* a,
           const Vec3* b, int n, double reach) { // box of p's path (two ends) and of n others'
    for (int d = 0; d < 3; ++d) {
        const double lo = std::min({p0[d], p1[d], q0[d], q1[d]}) - reach;
        const double hi = std::max({p0[d], p1[d], q0[d], q1[d]}) + reach;
        bool below = true, above = true;
        for (int i = 0; i < n; ++i) {
            below = below && a[i][d] < lo && b[i][d] < lo;
            above = above && a[i][d] > hi && b[i][d] > hi;
        }
        if (below || above) return true;
    }
    return false;
}

} // namespace

// One task's traversal and what it finds.
struct SelfDetector::Worker {
    SelfDetector& s;
    const Request& r;
    Detected out;
    std::vector<std::array<Index, 4>>* listed = nullptr; // candidates only, of `listedKind`
    FeaturePair listedKind = FeaturePair::VertexFace;
    bool near = r.look == Look::Near;
    // Only a full pass tells what the next one will cost.
    double* selfWork = r.moved.empty() ? s.selfWork_[static_cast<int>(r.look)].data() : nullptr;
    double* crossWork = r.moved.empty() ? s.crossWork_[static_cast<int>(r.look)].data() : nullptr;

    double work() const { return out.boxTests + kPairCost * out.pairs; }

    void self(Index n) {
        const PatchTree& t = s.tree_;
        const double before = work();
        ++out.boxTests;
        if (!t.isLeaf(n) && t.moved(n)) {
            if (r.culling && s.contours_.cannotMeetItself(t, n, r.x0, r.x1)) {
                ++out.culled;
            } else {
                self(t.left(n));
                self(t.right(n));
                const double start = work();
                cross(t.left(n), t.right(n));
                if (crossWork) crossWork[n] = work() - start;
            }
        }
        if (selfWork) selfWork[n] = work() - before;
    }

    void cross(Index a, Index b) {
        const PatchTree& t = s.tree_;
        ++out.boxTests;
        if (!(t.moved(a) || t.moved(b)) || !overlap(t.box(a), t.box(b))) return;
        if (t.isLeaf(a) && t.isLeaf(b)) {
            triangles(a, b);
        } else if (t.size(a) >= t.size(b)) {
            cross(t.left(a), b);
            cross(t.right(a), b);
        } else {
            cross(a, t.left(b));
            cross(a, t.right(b));
        }
    }

    // Whether the way of one or two points comes into reach of a leaf's box, which has half of the
    // reach already.
    bool reaches(Index p, Index q, const PatchBox& box) const {
        const double h = 0.5 * std::min(s.thickness_[p], s.thickness_[q]);
        const Vec3 &p0 = r.x0[p], &q0 = r.x0[q], &p1 = r.x1[p], &q1 = r.x1[q];
        for (int d = 0; d < 3; ++d) {
            const double off = s.drift_[d];
            if (std::min({p0[d], q0[d], p1[d] - off, q1[d] - off}) - h > box.hi[d] ||
                std::max({p0[d], q0[d], p1[d] - off, q1[d] - off}) + h < box.lo[d])
                return false;
        }
        return true;
    }

    void triangles(Index nodeA, Index nodeB) {
        const PatchTree& tree = s.tree_;
        const Index a = tree.triangle(tree.begin(nodeA)), b = tree.triangle(tree.begin(nodeB));
        const MeshFeatures& f = s.features_;
        const auto &ta = s.mesh_.triangles[a], &tb = s.mesh_.triangles[b];
        const PatchBox &boxA = tree.box(nodeA), &boxB = tree.box(nodeB);
        for (int k = 0; k < 3; ++k) {
            if ((f.ownsPoint[a] >> k & 1) && reaches(ta[k], ta[k], boxB)) vertexFace(ta[k], b);
            if ((f.ownsPoint[b] >> k & 1) && reaches(tb[k], tb[k], boxA)) vertexFace(tb[k], a);
        }
        int near = 0;
        for (int j = 0; j < 3; ++j)
            if ((f.ownsEdge[b] >> j & 1) && reaches(tb[j], tb[(j + 1) % 3], boxA)) near |= 1 << j;
        if (near == 0) return;
        for (int i = 0; i < 3; ++i) {
            if (!(f.ownsEdge[a] >> i & 1) || !reaches(ta[i], ta[(i + 1) % 3], boxB)) continue;
            for (int j = 0; j < 3; ++j)
                if (near >> j & 1)
                    edgeEdge(f.edges[f.triangleEdges[a][i]], f.edges[f.triangleEdges[b][j]]);
        }
    }

    void vertexFace(Index v, Index face) {
        const auto& t = s.mesh_.triangles[face];
        if (v == t[0] || v == t[1] || v == t[2]) return;
        pair(FeaturePair::VertexFace, {v, t[0], t[1], t[2]}, face);
    }

    void edgeEdge(std::array<Index, 2> e, std::array<Index, 2> f) {
        if (e[0] == f[0] || e[0] == f[1] || e[1] == f[0] || e[1] == f[1]) return;
        if (f < e) std::swap(e, f); // the same pair, whichever triangle came first
        pair(FeaturePair::EdgeEdge, {e[0], e[1], f[0], f[1]}, -1);
    }

    // Whether a nearness is the business of another pair: closest points at an end of an edge are
    // seen by a vertex and a face too, and a vertex beside a face by the face below it. Their
    // slanting normals would brake what slides over the sheet.
    bool covered(const std::array<double, 4>& weight, const Vec3* x, Index face) const {
        int zeros = 0, last = 0;
        for (int i = 0; i < 4; ++i)
            if (weight[i] == 0) {
                ++zeros;
                last = i;
            }
        if (zeros == 0 || face < 0) return zeros > 0;
        const auto& t = s.mesh_.triangles[face];
        if (zeros == 2) {
            for (int k = 0; k < 3; ++k)
                if (weight[1 + k] != 0) return !s.features_.onBorder[t[k]];
            return true;
        }
        const int k = last % 3; // the side opposite to corner last - 1
        const Index across = s.features_.across[face][k];
        if (across < 0) return false;
        const Vec3 &p = x[1 + k], &q = x[1 + (k + 1) % 3];
        const Vec3 up = x[0] - p - (q - p) * pointOnEdge(x[0], p, q);
        return up.dot(r.x0[across] - p) > 0; // `up` is at right angles to the side
    }

    void pair(FeaturePair kind, const std::array<Index, 4>& node, Index face) {
        if (!r.moved.empty() && !r.moved[node[0]] && !r.moved[node[1]] && !r.moved[node[2]] &&
            !r.moved[node[3]])
            return;
        Vec3 a[4], b[4];
        double h = 1e300;
        for (int i = 0; i < 4; ++i) {
            h = std::min(h, s.thickness_[node[i]]);
            a[i] = r.x0[node[i]];
            b[i] = r.x1[node[i]] - s.drift_;
        }
        const bool vf = kind == FeaturePair::VertexFace;
        if (apart(a[0], b[0], vf ? a[0] : a[1], vf ? b[0] : b[1], a + (vf ? 1 : 2),
                  b + (vf ? 1 : 2), vf ? 3 : 2, h))
            return;
        ++out.pairs;
        if (listed) {
            if (kind == listedKind) listed->push_back(node);
            return;
        }
        const Closest start = closest(kind, a);
        if (near)
            nearness(start, a, node, face, h);
        else
            meeting(kind, start, a, b, node, h);
    }

    void nearness(const Closest& c, const Vec3* x, const std::array<Index, 4>& node, Index face,
                  double h) {
        const double d = std::sqrt(c.squared);
        if (!(d < h) || !(d > 0) || covered(c.weight, x, face)) return;
        out.contacts.push_back(
            {node, c.weight, weighted(c.weight, x) / d, d, d + r.pushOut * (h - d)});
        out.smallestGap = std::min(out.smallestGap, d / h);
    }

    void meeting(FeaturePair kind, const Closest& start, const Vec3* a, const Vec3* b,
                 const std::array<Index, 4>& node, double h) {
        const Meeting m = meet(kind, start, a, b, h);
        if (m.kind == Meeting::Kind::Touching && r.moved.empty()) ++out.touching;
        if (m.kind != Meeting::Kind::Hit) return;
        // The gap left at the end: what there was, or the thickness; and enough to miss each other
        // at the time of the meeting, where the gap is between those of start and end.
        const double gap = m.normal.dot(weighted(m.at.weight, a)), keep = 1.5 * m.separation;
        const double pass = (keep - (1 - m.time) * gap) / std::max(m.time, 1e-3);
        const double stop = std::max({keep, std::min(gap, h), std::min(pass, h)});
        out.contacts.push_back({node, m.at.weight, m.normal, stop, stop});
    }
};

SelfDetector::SelfDetector(const ClothMesh& mesh, Span<const Vec3> x, double thickness)
    : mesh_(mesh), features_(featuresOf(mesh)), thickness_(localThickness(mesh, thickness)),
      tree_(mesh, x), contours_(mesh, features_, tree_) {
    for (int look = 0; look < 2; ++look) {
        crossWork_[look].assign(tree_.nodes(), 0.0);
        for (Index n = 0; n < tree_.nodes(); ++n) selfWork_[look].push_back(20.0 * tree_.size(n));
    }
}

void SelfDetector::fit(const Request& r) {
    if (r.look == Look::Near) {
        drift_.setZero();
    } else if (r.moved.empty()) {
        const Index n = static_cast<Index>(r.x0.size());
        for (int d = 0; d < 3; ++d)
            drift_[d] = orderedSum(n, 4096,
                                   [&](Index begin, Index end) {
                                       double sum = 0;
                                       for (Index i = begin; i < end; ++i)
                                           sum += r.x1[i][d] - r.x0[i][d];
                                       return sum;
                                   }) /
                        std::max<Index>(n, 1);
    }
    tree_.refit(mesh_, {r.x0, r.x1, drift_, thickness_, r.moved, r.culling});
}

// Cuts the traversal wherever a part cost more than `most` in the step before; in its order.
void SelfDetector::cut(const Request& r, double most, std::vector<Task>& tasks, Detected& out) {
    struct Cutter {
        SelfDetector& s;
        const Request& r;
        double most;
        std::vector<Task>& tasks;
        Detected& out;
        std::vector<double>& selfWork;
        const std::vector<double>& crossWork;
        void self(Index n) {
            const PatchTree& t = s.tree_;
            if (t.isLeaf(n) || selfWork[n] <= most) {
                tasks.push_back({n, n, n});
                return;
            }
            ++out.boxTests;
            if (!t.moved(n)) return;
            if (r.culling && s.contours_.cannotMeetItself(t, n, r.x0, r.x1)) {
                ++out.culled;
                if (r.moved.empty()) selfWork[n] = 1;
                return;
            }
            self(t.left(n));
            self(t.right(n));
            cross(t.left(n), t.right(n), n, crossWork[n]);
        }
        void cross(Index a, Index b, Index origin, double estimate) {
            const PatchTree& t = s.tree_;
            if (estimate <= most || (t.isLeaf(a) && t.isLeaf(b))) {
                tasks.push_back({a, b, origin});
                return;
            }
            ++out.boxTests;
            if (!(t.moved(a) || t.moved(b)) || !overlap(t.box(a), t.box(b))) return;
            const bool first = t.size(a) >= t.size(b);
            cross(first ? t.left(a) : a, first ? b : t.left(b), origin, 0.5 * estimate);
            cross(first ? t.right(a) : a, first ? b : t.right(b), origin, 0.5 * estimate);
        }
    };
    const int look = static_cast<int>(r.look);
    Cutter{*this, r, most, tasks, out, selfWork_[look], crossWork_[look]}.self(0);
}

// What the nodes above the cut cost is the sum of their parts (back-propagation, tutorial 5.8.3).
double SelfDetector::addUp(Index n, const std::vector<std::uint8_t>& whole, int look) {
    double& work = selfWork_[look][n];
    if (whole[n] || tree_.isLeaf(n) || work == 1) return work;
    return work = 1 + addUp(tree_.left(n), whole, look) + addUp(tree_.right(n), whole, look) +
                  crossWork_[look][n];
}

Detected SelfDetector::detect(const Request& request) {
    Detected sum;
    if (tree_.nodes() == 0) return sum;
    Request r = request;
    if (r.look == Look::Near) r.x1 = r.x0;
    fit(r);
    const int look = static_cast<int>(r.look);
    std::vector<Task> tasks;
    cut(r, r.coarse ? 1e300 : std::max(kLeastWork, selfWork_[look][0] / kTasks), tasks, sum);
    std::vector<Worker> workers(tasks.size(), Worker{*this, r, {}});
    parallelFor(static_cast<Index>(tasks.size()), 1, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
            if (tasks[i].a == tasks[i].b)
                workers[i].self(tasks[i].a);
            else
                workers[i].cross(tasks[i].a, tasks[i].b);
        }
    });
    if (r.moved.empty()) {
        std::vector<std::uint8_t> whole(tree_.nodes(), 0);
        for (const Task& t : tasks)
            if (t.a != t.b) crossWork_[look][t.origin] = 0;
        for (std::size_t i = 0; i < tasks.size(); ++i) {
            if (tasks[i].a == tasks[i].b)
                whole[tasks[i].a] = 1;
            else
                crossWork_[look][tasks[i].origin] += workers[i].work();
        }
        addUp(0, whole, look);
    }
    for (const Worker& w : workers) {
        const Detected& d = w.out;
        sum.contacts.insert(sum.contacts.end(), d.contacts.begin(), d.contacts.end());
        sum.boxTests += d.boxTests;
        sum.pairs += d.pairs;
        sum.culled += d.culled;
        sum.touching += d.touching;
        sum.smallestGap = std::min(sum.smallestGap, d.smallestGap);
    }
    sum.tasks = static_cast<long>(tasks.size());
    return sum;
}

std::vector<std::array<Index, 4>> SelfDetector::candidates(const Request& r, FeaturePair kind) {
    std::vector<std::array<Index, 4>> found;
    if (tree_.nodes() == 0) return found;
    fit(r);
    Worker w{*this, r, {}};
    w.listed = &found;
    w.listedKind = kind;
    w.self(0);
    return found;
}

} // namespace purl
