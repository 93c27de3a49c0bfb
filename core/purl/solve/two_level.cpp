#include "purl/solve/two_level.h"

#include "purl/base/parallel.h"
#include "purl/solve/graph_parts.h"

#include <Eigen/SparseCholesky>

#include <algorithm>
#include <unordered_map>

namespace purl {

namespace {
constexpr Index kSpread = 48;       // nodes an aggregate at least
constexpr Index kMostCoarse = 2000; // functions at most: their factorisation is not parallel
constexpr int kPasses = 2;          // of averaging
constexpr double kLeast = 0.02;     // weights below are dropped
} // namespace

struct TwoLevel::Coarse {
    Eigen::SparseMatrix<double> matrix; // lower triangle
    using Factor = Eigen::SimplicialLLT<Eigen::SparseMatrix<double>, Eigen::Lower>;
    Factor factor;
    Eigen::SparseMatrix<double> joined; // with loose couplings, of another pattern every time
    Factor joinedFactor;
    bool useJoined = false;
    // Per function b, the functions a >= b it meets, ascending: the blocks of `matrix`.
    std::vector<Index> first, row;
    mutable Eigen::VectorXd rhs, answer;
};

TwoLevel::TwoLevel(std::shared_ptr<const BlockPattern> pattern)
    : pattern_(pattern), near_(pattern), system_(std::make_unique<Coarse>()) {
    buildWeights();
    buildCoarse();
}

TwoLevel::~TwoLevel() = default;

void TwoLevel::buildWeights() {
    const BlockPattern& q = *pattern_;
    const Index n = q.size();
    std::vector<std::vector<Index>> near(static_cast<std::size_t>(n));
    for (Index i = 0; i < n; ++i)
        for (Index k = q.row[i] + 1; k < q.row[i + 1]; ++k) {
            const Index j = q.column[k];
            near[i].push_back(j);
            if (q.partOf(i) == q.partOf(j)) near[j].push_back(i);
        }
    std::vector<Index> first{0}, all;
    for (auto& list : near) {
        std::sort(list.begin(), list.end());
        all.insert(all.end(), list.begin(), list.end());
        first.push_back(static_cast<Index>(all.size()));
    }
    const GraphParts parts =
        cutGraph(first, all, std::max<Index>(kSpread, (n + kMostCoarse - 1) / kMostCoarse));
    coarse_ = static_cast<Index>(parts.first.size()) - 1;
    using Weights = std::vector<std::pair<Index, double>>; // ascending by function
    std::vector<Weights> now(static_cast<std::size_t>(n)), next(static_cast<std::size_t>(n));
    for (Index c = 0; c < coarse_; ++c)
        for (Index k = parts.first[c]; k < parts.first[c + 1]; ++k)
            now[parts.order[k]] = {{c, 1.0}};
    for (int pass = 0; pass < kPasses; ++pass) {
        parallelFor(n, 256, [&](Index i0, Index i1) {
            Weights sum;
            for (Index i = i0; i < i1; ++i) {
                sum = now[i];
                for (Index j : near[i]) sum.insert(sum.end(), now[j].begin(), now[j].end());
                std::stable_sort(sum.begin(), sum.end(),
                                 [](const auto& a, const auto& b) { return a.first < b.first; });
                Weights& out = next[i];
                out.clear();
                const double share = 1.0 / (near[i].size() + 1.0);
                for (const auto& [c, w] : sum) {
                    if (out.empty() || out.back().first != c) out.push_back({c, 0.0});
                    out.back().second += share * w;
                }
            }
        });
        now.swap(next);
    }
    first_.assign(1, 0);
    for (const Weights& w : now) {
        double kept = 0;
        for (const auto& e : w)
            if (e.second >= kLeast) kept += e.second;
        for (const auto& e : w) {
            if (e.second < kLeast) continue;
            function_.push_back(e.first);
            weight_.push_back(e.second / kept);
        }
        first_.push_back(static_cast<Index>(function_.size()));
    }
}

// Which functions meet, part by part, and the pattern of their matrix.
void TwoLevel::buildCoarse() {
    const BlockPattern& q = *pattern_;
    std::vector<std::vector<Index>> meets(static_cast<std::size_t>(coarse_)); // rows a >= b
    partFirst_.assign(1, 0);
    std::vector<Index> mine;
    for (Index p = 0; p < q.parts(); ++p) {
        mine.clear();
        const auto use = [&](Index i) {
            mine.insert(mine.end(), function_.begin() + first_[i],
                        function_.begin() + first_[i + 1]);
        };
        for (Index i = q.part[p]; i < q.part[p + 1]; ++i)
            for (Index k = q.row[i]; k < q.row[i + 1]; ++k) {
                const Index j = q.column[k];
                if (j == i || q.partOf(j) != p) use(j);
                for (Index a = first_[i]; a < first_[i + 1]; ++a)
                    for (Index b = first_[j]; b < first_[j + 1]; ++b)
                        meets[std::min(function_[a], function_[b])].push_back(
                            std::max(function_[a], function_[b]));
            }
        std::sort(mine.begin(), mine.end());
        mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
        partFunction_.insert(partFunction_.end(), mine.begin(), mine.end());
        partFirst_.push_back(static_cast<Index>(partFunction_.size()));
        partMatrix_.emplace_back(mine.size() * mine.size());
        for (auto& list : meets) { // keep the lists short
            if (list.size() < 4096) continue;
            std::sort(list.begin(), list.end());
            list.erase(std::unique(list.begin(), list.end()), list.end());
        }
    }
    std::vector<Eigen::Triplet<double>> entries;
    system_->first.assign(1, 0);
    for (Index b = 0; b < coarse_; ++b) {
        auto& list = meets[b];
        list.push_back(b);
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
        system_->row.insert(system_->row.end(), list.begin(), list.end());
        system_->first.push_back(static_cast<Index>(system_->row.size()));
        for (Index a : list)
            for (int r = 0; r < 3; ++r)
                for (int c = 0; c < 3; ++c)
                    if (a != b || r >= c) entries.emplace_back(3 * a + r, 3 * b + c, 1.0);
    }
    system_->matrix.resize(3 * coarse_, 3 * coarse_);
    system_->matrix.setFromTriplets(entries.begin(), entries.end());
    system_->matrix.makeCompressed();
    system_->factor.analyzePattern(system_->matrix);
    system_->rhs.resize(3 * coarse_);
}

// H with P^T A P = H + H^T over the part's rows: half of what is kept in both rows or is diagonal.
void TwoLevel::gatherPart(Index p, const BlockMatrix& m, const NodeFilter& s) {
    const BlockPattern& q = *pattern_;
    const Index* names = partFunction_.data() + partFirst_[p];
    const auto count = static_cast<std::size_t>(partFirst_[p + 1] - partFirst_[p]);
    std::vector<Mat3>& h = partMatrix_[p];
    std::fill(h.begin(), h.end(), Mat3::Zero());
    std::vector<Mat3> row(count);
    std::vector<char> touched(count, 0);
    std::vector<Index> list;
    // Functions of the part by name, so that the inner loop does not search.
    std::vector<Index> place(static_cast<std::size_t>(coarse_), -1);
    for (std::size_t k = 0; k < count; ++k) place[names[k]] = static_cast<Index>(k);
    for (Index i = q.part[p]; i < q.part[p + 1]; ++i) {
        list.clear();
        for (Index k = q.row[i]; k < q.row[i + 1]; ++k) {
            const Index j = q.column[k];
            Mat3 block = m.blocks()[k];
            if (!s.isFree(i) || !s.isFree(j)) block = s.at(i) * block * s.at(j);
            if (j == i || k >= q.outer[i]) block *= 0.5;
            for (Index e = first_[j]; e < first_[j + 1]; ++e) {
                const Index f = place[function_[e]];
                if (!touched[f]) {
                    touched[f] = 1;
                    list.push_back(f);
                    row[f] = weight_[e] * block;
                } else {
                    row[f] += weight_[e] * block;
                }
            }
        }
        for (Index e = first_[i]; e < first_[i + 1]; ++e) {
            Mat3* to = h.data() + static_cast<std::size_t>(place[function_[e]]) * count;
            for (Index f : list) to[f] += weight_[e] * row[f];
        }
        for (Index f : list) touched[f] = 0;
    }
}

// P^T S B S P of the loose blocks, added to the coarse matrix; lower triangle.
void TwoLevel::addLoose(const LooseBlocks& loose, const NodeFilter& s) {
    Coarse& c = *system_;
    std::unordered_map<std::int64_t, Mat3> sum; // each added up in the order of the entries
    for (const LooseBlocks::Entry& e : loose.entries()) {
        Mat3 block = loose.block(e);
        if (!s.isFree(e.row) || !s.isFree(e.column)) block = s.at(e.row) * block * s.at(e.column);
        for (Index a = first_[e.row]; a < first_[e.row + 1]; ++a)
            for (Index b = first_[e.column]; b < first_[e.column + 1]; ++b) {
                if (function_[a] < function_[b]) continue; // the entry's mirror image has it
                const std::int64_t key = std::int64_t(function_[a]) * coarse_ + function_[b];
                const Mat3 part = weight_[a] * weight_[b] * block;
                const auto [at, fresh] = sum.try_emplace(key, part);
                if (!fresh) at->second += part;
            }
    }
    std::vector<Eigen::Triplet<double>> entries;
    for (const auto& [key, m] : sum) {
        const Index fa = static_cast<Index>(key / coarse_), fb = static_cast<Index>(key % coarse_);
        for (int r = 0; r < 3; ++r)
            for (int col = 0; col < 3; ++col)
                if (fa != fb || r >= col) entries.emplace_back(3 * fa + r, 3 * fb + col, m(r, col));
    }
    Eigen::SparseMatrix<double> more(3 * coarse_, 3 * coarse_);
    more.setFromTriplets(entries.begin(), entries.end());
    c.joined = c.matrix + more;
    c.joinedFactor.compute(c.joined);
    c.useJoined = c.joinedFactor.info() == Eigen::Success;
}

void TwoLevel::factor(const BlockMatrix& a, const NodeFilter& s, const LooseBlocks* loose) {
    near_.factor(a, s);
    const BlockPattern& q = *pattern_;
    parallelFor(q.parts(), 1, [&](Index p0, Index p1) {
        for (Index p = p0; p < p1; ++p) gatherPart(p, a, s);
    });
    Coarse& c = *system_;
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
    for (Index p = 0; p < q.parts(); ++p) {
        const Index* names = partFunction_.data() + partFirst_[p];
        const auto count = static_cast<std::size_t>(partFirst_[p + 1] - partFirst_[p]);
        const std::vector<Mat3>& h = partMatrix_[p];
        for (std::size_t x = 0; x < count; ++x)
            for (std::size_t y = 0; y <= x; ++y) {
                const Mat3 m = h[x * count + y] + h[y * count + x].transpose();
                if (!m.isZero(0)) add(names[x], names[y], m);
            }
    }
    // Functions over nothing but pins have no stiffness: any will do, nobody asks for them.
    double largest = 0;
    for (Index k = 0; k < 3 * coarse_; ++k) largest = std::max(largest, values[start[k]]);
    for (Index k = 0; k < 3 * coarse_; ++k) values[start[k]] += 1e-9 * largest;
    c.useJoined = false;
    if (loose && !loose->empty() && largest > 0) addLoose(*loose, s);
    if (c.useJoined) {
        used_ = true;
        return;
    }
    c.factor.factorize(c.matrix);
    used_ = c.factor.info() == Eigen::Success && largest > 0;
}

void TwoLevel::apply(Span<const Vec3> r, Span<Vec3> z) const {
    if (r.empty()) return;
    const BlockPattern& q = *pattern_;
    Coarse& c = *system_;
    // The coarse solve is one more piece of work beside the parts.
    parallelFor(q.parts() + 1, 1, [&](Index p0, Index p1) {
        for (Index p = p0; p < p1; ++p) {
            if (p > 0) {
                near_.solvePart(p - 1, r[0].data(), z[0].data());
                continue;
            }
            if (!used_) continue;
            c.rhs.setZero();
            for (Index i = 0; i < q.size(); ++i)
                for (Index e = first_[i]; e < first_[i + 1]; ++e)
                    c.rhs.segment<3>(3 * function_[e]) += weight_[e] * r[i];
            if (c.useJoined)
                c.answer = c.joinedFactor.solve(c.rhs);
            else
                c.answer = c.factor.solve(c.rhs);
        }
    });
    if (!used_) return;
    parallelFor(q.size(), 1024, [&](Index i0, Index i1) {
        for (Index i = i0; i < i1; ++i)
            for (Index e = first_[i]; e < first_[i + 1]; ++e)
                z[i] += weight_[e] * c.answer.segment<3>(3 * function_[e]);
    });
}

} // namespace purl
