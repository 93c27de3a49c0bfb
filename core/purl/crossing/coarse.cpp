#include "purl/crossing/coarse.h"

#include "purl/base/parallel.h"
#include "purl/solve/graph_parts.h"

#include <Eigen/SparseCholesky>
#include <algorithm>

namespace purl {

namespace {
constexpr Index kSpread = 64;   // nodes an aggregate, at most
constexpr Index kPart = 1024;   // nodes a part
constexpr Index kAtOnce = 4;    // parts whose sums are in memory at a time
constexpr int kPasses = 6;      // of averaging
constexpr double kLeast = 0.03; // weights below are dropped
constexpr int kNear = 7;        // a node and what its links lead to, at most

Vec3 vec(const float* p) { return {p[0], p[1], p[2]}; }

// A node's elements over itself and its neighbours along the yarns, as one small matrix.
struct LocalMatrix {
    Index node[kNear];
    int count = 1;
    Mat3 block[kNear][kNear];

    explicit LocalMatrix(Index i) {
        node[0] = i;
        block[0][0].setZero();
    }
    int add(Index i) {
        for (int k = 0; k < count; ++k)
            if (node[k] == i) return k;
        for (int k = 0; k <= count; ++k) block[k][count] = block[count][k] = Mat3::Zero();
        node[count] = i;
        return count++;
    }
    void square(const int* at, const Vec3* g, int terms) {
        for (int a = 0; a < terms; ++a)
            for (int b = 0; b < terms; ++b) block[at[a]][at[b]] += g[a] * g[b].transpose();
    }
};

LocalMatrix localOf(const Stiffness& a, Index i) {
    const Fabric& fabric = a.fabric();
    const YarnLinks& l = fabric.links();
    LocalMatrix m(i);
    const Index k0 = l.first[i];
    int arm[3][2] = {{0, 0}, {0, 0}, {0, 0}};
    for (Index k = k0; k < l.first[i + 1]; ++k) {
        if (l.after[k] >= 0) arm[k - k0][0] = m.add(l.node[l.after[k]]);
        if (l.before[k] >= 0) arm[k - k0][1] = m.add(l.node[l.before[k]]);
    }
    for (Index k = k0; k < l.first[i + 1]; ++k) {
        const int* to = arm[k - k0];
        if (l.after[k] < 0) continue;
        const PieceForm& c = a.piece(k);
        const Vec3 d = vec(c.d);
        const Mat3 pull =
            c.t * Mat3::Identity() + (static_cast<double>(c.a) + c.span - c.t) * d * d.transpose();
        const Mat3 mass = c.m * Mat3::Identity();
        m.block[0][0] += pull + 2 * mass;
        m.block[to[0]][to[0]] += pull + 2 * mass;
        m.block[0][to[0]] += mass - pull;
        m.block[to[0]][0] += mass - pull;
        if (!a.hasBend(k)) continue;
        const BendForm& b = a.bend(k);
        const int at[3] = {0, to[0], to[1]};
        const Vec3 g1 = vec(b.g1), g2 = vec(b.g2), n = vec(b.b);
        const Vec3 g[3] = {-g1 - g2, g1, g2}, t[3] = {-(b.b1 + b.b2) * n, b.b1 * n, b.b2 * n};
        m.square(at, g, 3);
        m.square(at, t, 3);
    }
    if (fabric.isWoven(i))
        for (int c = 0; c < 4; ++c) {
            const Vec3 g0 = vec(a.corner(i, c).g0), g1 = vec(a.corner(i, c).g1);
            const int at[3] = {0, arm[0][c / 2], arm[1][c % 2]};
            const Vec3 g[3] = {-g0 - g1, g0, g1};
            m.square(at, g, 3);
        }
    return m;
}
} // namespace

struct FabricCoarse::System {
    Eigen::SparseMatrix<double> matrix; // lower triangle
    Eigen::SimplicialLLT<Eigen::SparseMatrix<double>, Eigen::Lower> factor;
    std::vector<Index> first, row; // per function b: the functions a >= b it meets, ascending
    std::vector<std::vector<Mat3>> sums;
    Eigen::VectorXd rhs, answer;
};

FabricCoarse::FabricCoarse(const Fabric& fabric)
    : fabric_(fabric), system_(std::make_unique<System>()) {
    buildWeights();
    buildPattern();
    system_->factor.analyzePattern(system_->matrix);
}

FabricCoarse::FabricCoarse(const Fabric& fabric, Index functions, std::vector<Index> first,
                           std::vector<Index> function, std::vector<float> weight)
    : fabric_(fabric), count_(functions), first_(std::move(first)), function_(std::move(function)),
      weight_(std::move(weight)), system_(std::make_unique<System>()) {
    std::vector<Index> links, near;
    cutParts(links, near);
    buildPattern();
}

FabricCoarse::~FabricCoarse() = default;

void FabricCoarse::cutParts(std::vector<Index>& first, std::vector<Index>& near) {
    const YarnLinks& l = fabric_.links();
    const Index n = l.nodes;
    first.assign(1, 0);
    for (Index i = 0; i < n; ++i) {
        for (Index k = l.first[i]; k < l.first[i + 1]; ++k)
            for (Index to : {l.after[k], l.before[k]})
                if (to >= 0) near.push_back(l.node[to]);
        std::sort(near.begin() + first.back(), near.end());
        near.erase(std::unique(near.begin() + first.back(), near.end()), near.end());
        first.push_back(static_cast<Index>(near.size()));
    }
    const GraphParts parts = cutGraph(first, near, kPart);
    part_ = parts.first;
    order_ = parts.order;
}

void FabricCoarse::buildWeights() {
    const Index n = fabric_.nodes();
    std::vector<Index> first, near;
    cutParts(first, near);
    const GraphParts aggregates = cutGraph(first, near, kSpread);
    count_ = static_cast<Index>(aggregates.first.size()) - 1;
    using Weights = std::vector<std::pair<Index, double>>;
    std::vector<Weights> now(n), next(n);
    for (Index c = 0; c < count_; ++c)
        for (Index k = aggregates.first[c]; k < aggregates.first[c + 1]; ++k)
            now[aggregates.order[k]] = {{c, 1.0}};
    for (int pass = 0; pass < kPasses; ++pass) {
        parallelFor(n, 256, [&](Index i0, Index i1) {
            Weights sum;
            for (Index i = i0; i < i1; ++i) {
                sum = now[i];
                for (Index e = first[i]; e < first[i + 1]; ++e)
                    sum.insert(sum.end(), now[near[e]].begin(), now[near[e]].end());
                std::stable_sort(sum.begin(), sum.end(),
                                 [](const auto& a, const auto& b) { return a.first < b.first; });
                next[i].clear();
                const double share = 1.0 / (first[i + 1] - first[i] + 1.0);
                for (const auto& [c, w] : sum) {
                    if (next[i].empty() || next[i].back().first != c) next[i].push_back({c, 0.0});
                    next[i].back().second += share * w;
                }
            }
        });
        now.swap(next);
    }
    first_.assign(1, 0);
    for (const Weights& w : now) {
        double kept = 0;
        for (const auto& e : w) kept += e.second >= kLeast ? e.second : 0;
        for (const auto& e : w) {
            if (e.second < kLeast) continue;
            function_.push_back(e.first);
            weight_.push_back(static_cast<float>(e.second / kept));
        }
        first_.push_back(static_cast<Index>(function_.size()));
    }
}

void FabricCoarse::buildPattern() {
    const YarnLinks& l = fabric_.links();
    std::vector<std::vector<Index>> meets(count_);
    partFirst_.assign(1, 0);
    std::vector<Index> mine, local;
    const auto tidy = [](std::vector<Index>& v) {
        std::sort(v.begin(), v.end());
        v.erase(std::unique(v.begin(), v.end()), v.end());
    };
    for (std::size_t p = 0; p + 1 < part_.size(); ++p) {
        mine.clear();
        for (Index o = part_[p]; o < part_[p + 1]; ++o) {
            const Index i = order_[o];
            local.clear();
            const auto use = [&](Index j) {
                local.insert(local.end(), function_.begin() + first_[j],
                             function_.begin() + first_[j + 1]);
            };
            use(i);
            for (Index k = l.first[i]; k < l.first[i + 1]; ++k)
                for (Index to : {l.after[k], l.before[k]})
                    if (to >= 0) use(l.node[to]);
            tidy(local);
            mine.insert(mine.end(), local.begin(), local.end());
            for (Index a : local)
                for (Index b : local)
                    if (a >= b) meets[b].push_back(a);
        }
        tidy(mine);
        partFunction_.insert(partFunction_.end(), mine.begin(), mine.end());
        partFirst_.push_back(static_cast<Index>(partFunction_.size()));
        for (Index f : mine) tidy(meets[f]);
    }
    std::vector<Eigen::Triplet<double>> entries;
    System& c = *system_;
    c.first.assign(1, 0);
    for (Index b = 0; b < count_; ++b) {
        meets[b].push_back(b);
        tidy(meets[b]);
        c.row.insert(c.row.end(), meets[b].begin(), meets[b].end());
        c.first.push_back(static_cast<Index>(c.row.size()));
        for (Index a : meets[b])
            for (int r = 0; r < 3; ++r)
                for (int s = 0; s < 3; ++s)
                    if (a != b || r >= s) entries.emplace_back(3 * a + r, 3 * b + s, 1.0);
    }
    c.matrix.resize(3 * count_, 3 * count_);
    c.matrix.setFromTriplets(entries.begin(), entries.end());
    c.matrix.makeCompressed();
    c.rhs.resize(3 * count_);
}

// P^T A P over the elements of a part's nodes, dense over the part's functions.
void FabricCoarse::sumPart(Index p, const Stiffness& a, const NodeFilter& s,
                           std::vector<Mat3>& out) const {
    const Index* names = partFunction_.data() + partFirst_[p];
    const auto count = static_cast<std::size_t>(partFirst_[p + 1] - partFirst_[p]);
    out.assign(count * count, Mat3::Zero());
    std::vector<Mat3> row;
    std::vector<Index> list;
    for (Index o = part_[p]; o < part_[p + 1]; ++o) {
        const LocalMatrix m = localOf(a, order_[o]);
        list.clear();
        for (int k = 0; k < m.count; ++k)
            list.insert(list.end(), function_.begin() + first_[m.node[k]],
                        function_.begin() + first_[m.node[k] + 1]);
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
        const auto functions = list.size();
        std::vector<double> w(functions * kNear, 0.0);
        for (int k = 0; k < m.count; ++k) {
            const Index j = m.node[k];
            if (!s.isFree(j) && s.at(j).trace() < 0.5) continue; // pinned
            for (Index e = first_[j]; e < first_[j + 1]; ++e) {
                const auto at = std::lower_bound(list.begin(), list.end(), function_[e]);
                w[(at - list.begin()) * kNear + k] = weight_[e];
            }
        }
        row.assign(functions * kNear, Mat3::Zero()); // A P
        for (std::size_t f = 0; f < functions; ++f)
            for (int b = 0; b < m.count; ++b) {
                if (w[f * kNear + b] == 0) continue;
                for (int r = 0; r < m.count; ++r)
                    row[f * kNear + r] += w[f * kNear + b] * m.block[r][b];
            }
        for (std::size_t f = 0; f < functions; ++f) {
            const auto to = std::lower_bound(names, names + count, list[f]) - names;
            for (std::size_t g = 0; g <= f; ++g) {
                Mat3 sum = Mat3::Zero();
                for (int k = 0; k < m.count; ++k)
                    if (w[f * kNear + k] != 0) sum += w[f * kNear + k] * row[g * kNear + k];
                const auto at = std::lower_bound(names, names + count, list[g]) - names;
                out[to * count + at] += sum;
            }
        }
    }
}

const Eigen::SparseMatrix<double>& FabricCoarse::sum(const Stiffness& a, const NodeFilter& s) {
    System& c = *system_;
    double* values = c.matrix.valuePtr();
    const auto* start = c.matrix.outerIndexPtr();
    std::fill(values, values + c.matrix.nonZeros(), 0.0);
    // The rows of a column are in the order of the blocks, three a block; in the block on the
    // diagonal the first column has three, the second two, the last one.
    const auto add = [&](Index fa, Index fb, const Mat3& m) { // fa >= fb
        const auto begin = c.row.begin() + c.first[fb], end = c.row.begin() + c.first[fb + 1];
        const auto at = std::lower_bound(begin, end, fa) - begin;
        for (int col = 0; col < 3; ++col)
            for (int r = fa == fb ? col : 0; r < 3; ++r)
                values[start[3 * fb + col] + 3 * at + r - col] += m(r, col);
    };
    const Index parts = static_cast<Index>(part_.size()) - 1;
    c.sums.resize(std::min(parts, kAtOnce));
    for (Index p0 = 0; p0 < parts; p0 += kAtOnce) {
        const Index p1 = std::min(parts, p0 + kAtOnce);
        parallelFor(p1 - p0, 1, [&](Index b, Index e) {
            for (Index p = b; p < e; ++p) sumPart(p0 + p, a, s, c.sums[p]);
        });
        for (Index p = p0; p < p1; ++p) {
            const Index* names = partFunction_.data() + partFirst_[p];
            const auto count = static_cast<std::size_t>(partFirst_[p + 1] - partFirst_[p]);
            for (std::size_t f = 0; f < count; ++f)
                for (std::size_t g = 0; g <= f; ++g) {
                    const Mat3& m = c.sums[p - p0][f * count + g];
                    if (!m.isZero(0)) add(names[f], names[g], m);
                }
        }
    }
    return c.matrix;
}

void FabricCoarse::factor(const Stiffness& a, const NodeFilter& s) {
    sum(a, s);
    System& c = *system_;
    double* values = c.matrix.valuePtr();
    const auto* start = c.matrix.outerIndexPtr();
    // Functions over nothing but pins have no stiffness: any will do, nobody asks for them.
    double largest = 0;
    for (Index k = 0; k < 3 * count_; ++k) largest = std::max(largest, values[start[k]]);
    for (Index k = 0; k < 3 * count_; ++k) values[start[k]] += 1e-9 * largest;
    c.factor.factorize(c.matrix);
    used_ = c.factor.info() == Eigen::Success && largest > 0;
}

void FabricCoarse::solve(Span<const Vec3> r) const {
    System& c = *system_;
    c.rhs.setZero();
    for (Index i = 0; i < fabric_.nodes(); ++i)
        for (Index e = first_[i]; e < first_[i + 1]; ++e)
            c.rhs.segment<3>(3 * function_[e]) += weight_[e] * r[i];
    c.answer = c.factor.solve(c.rhs);
}

void FabricCoarse::addTo(Index i, Vec3& z) const {
    for (Index e = first_[i]; e < first_[i + 1]; ++e)
        z += weight_[e] * system_->answer.segment<3>(3 * function_[e]);
}

std::size_t FabricCoarse::bytes() const {
    const System& c = *system_;
    std::size_t sums = 0;
    for (const auto& s : c.sums) sums += bytesOf(s);
    return bytesOf(first_) + bytesOf(function_) + bytesOf(weight_) + bytesOf(part_) +
           bytesOf(order_) + bytesOf(partFirst_) + bytesOf(partFunction_) + bytesOf(c.first) +
           bytesOf(c.row) + sums + 12 * static_cast<std::size_t>(c.matrix.nonZeros()) +
           12 * static_cast<std::size_t>(c.factor.matrixL().nestedExpression().nonZeros()) +
           6 * 8 * static_cast<std::size_t>(count_);
}

} // namespace purl
