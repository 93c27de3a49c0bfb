// A small static solver, to measure drapes with: Newton's method on the exact Hessians, shifted by
// the mass until a direct factorisation finds it positive. Slower than ClothSolver::drape, but it
// reaches tight tolerances on stiff sheets, which comparing resolutions needs.
#pragma once

#include "purl/cloth/energy.h"
#include "purl/cloth/mesh.h"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <memory>

namespace purl::test {

struct StaticReport {
    int iterations = 0;
    double residual = 0; // largest free force over the largest weight of a point
    double energy = 0;   // J, elastic and gravity
    bool converged = false;
};

class StaticSolver {
public:
    StaticSolver(const ClothMesh& mesh, double areaDensity, const std::vector<Index>& pins,
                 std::vector<std::unique_ptr<ClothEnergy>> energies)
        : energies_(std::move(energies)), mass_(static_cast<std::size_t>(mesh.points), 0),
          free_(mass_.size(), 0) {
        for (Index t = 0; t < mesh.faces(); ++t) {
            const auto& r = mesh.rest[static_cast<std::size_t>(t)];
            const Vec2 a = r[1] - r[0], b = r[2] - r[0];
            for (Index n : mesh.triangles[static_cast<std::size_t>(t)])
                mass_[n] += areaDensity * (a.x() * b.y() - a.y() * b.x()) / 6;
        }
        for (Index p : pins) free_[p] = -1;
        for (Index& f : free_) f = f < 0 ? -1 : count_++;
        buildPattern();
    }

    StaticReport minimise(std::vector<Vec3>& x, double longest, int iterations, double tolerance) {
        StaticReport report;
        std::vector<Vec3> trial = x;
        Eigen::VectorXd g;
        report.energy = energy(x);
        double shift = 1e3; // 1/s2
        const double weight = 9.81 * *std::max_element(mass_.begin(), mass_.end());
        Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower> factor;
        factor.analyzePattern(matrix_);
        for (; report.iterations < iterations; ++report.iterations) {
            gradient(x, g);
            report.residual = 0;
            for (Index i = 0; i < count_; ++i)
                report.residual = std::max(report.residual, g.segment<3>(3 * i).norm() / weight);
            if (report.residual < tolerance) {
                report.converged = true;
                break;
            }
            assemble(x);
            bool better = false;
            for (int attempt = 0; attempt < 30 && !better; ++attempt) {
                Eigen::SparseMatrix<double> a = matrix_;
                for (std::size_t i = 0; i < mass_.size(); ++i)
                    if (free_[i] >= 0)
                        for (int k = 0; k < 3; ++k)
                            a.coeffRef(3 * free_[i] + k, 3 * free_[i] + k) += shift * mass_[i];
                factor.factorize(a);
                if (factor.info() != Eigen::Success || factor.vectorD().minCoeff() <= 0) {
                    shift = std::max(4 * shift, 1e-2);
                    continue;
                }
                const Eigen::VectorXd d = -factor.solve(g);
                double far = 0;
                for (Index i = 0; i < count_; ++i) far = std::max(far, d.segment<3>(3 * i).norm());
                if (far > longest) {
                    shift = std::max(3 * shift, 1e-2);
                    continue;
                }
                for (double share = 1; share > 0.1; share *= 0.5) {
                    for (std::size_t i = 0; i < x.size(); ++i)
                        if (free_[i] >= 0) trial[i] = x[i] + share * d.segment<3>(3 * free_[i]);
                    const double there = energy(trial);
                    if (there <= report.energy + 1e-4 * share * g.dot(d) ||
                        (far < 1e-7 && there <= report.energy + 1e-12 * std::abs(report.energy))) {
                        report.energy = there;
                        x.swap(trial);
                        better = true;
                        if (share == 1) shift = shift < 1e-3 ? 0 : shift / 4;
                        break;
                    }
                }
                if (!better) shift = std::max(4 * shift, 1e-2);
            }
            if (!better) break;
        }
        return report;
    }

private:
    double energy(const std::vector<Vec3>& x) {
        double sum = 0;
        for (const auto& e : energies_) {
            scratch_.resize(static_cast<std::size_t>(e->stencils().count()));
            EnergySlots out;
            out.energy = scratch_;
            e->evaluate(0, e->stencils().count(), x, {}, out);
            for (double s : scratch_) sum += s;
        }
        for (std::size_t i = 0; i < x.size(); ++i) sum += 9.81 * mass_[i] * x[i].y();
        return sum;
    }
    void gradient(const std::vector<Vec3>& x, Eigen::VectorXd& g) {
        g = Eigen::VectorXd::Zero(3 * count_);
        for (std::size_t i = 0; i < x.size(); ++i)
            if (free_[i] >= 0) g[3 * free_[i] + 1] += 9.81 * mass_[i];
        std::vector<Vec3> slots;
        for (const auto& e : energies_) {
            slots.resize(e->stencils().nodes.size());
            EnergySlots out;
            out.gradient = slots;
            e->evaluate(0, e->stencils().count(), x, {}, out);
            for (std::size_t k = 0; k < slots.size(); ++k)
                if (const Index f = free_[e->stencils().nodes[k]]; f >= 0)
                    g.segment<3>(3 * f) += slots[k];
        }
    }
    // Lower blocks of the free points, and where in the columns each slot goes.
    void buildPattern() {
        std::vector<std::int64_t> keys;
        const auto each = [&](auto&& use) {
            for (const auto& e : energies_) {
                const int w = e->stencils().width;
                for (Index s = 0; s < e->stencils().count(); ++s)
                    for (int i = 0; i < w; ++i)
                        for (int j = 0; j < w; ++j) {
                            const Index r = free_[e->stencils().nodes[s * w + i]];
                            const Index c = free_[e->stencils().nodes[s * w + j]];
                            use(r >= c && c >= 0 ? std::int64_t(c) * count_ + r : -1);
                        }
            }
        };
        for (std::int64_t i = 0; i < count_; ++i) keys.push_back(i * count_ + i);
        each([&](std::int64_t k) {
            if (k >= 0) keys.push_back(k);
        });
        std::sort(keys.begin(), keys.end());
        keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
        std::vector<Eigen::Triplet<double>> all;
        for (std::int64_t k : keys)
            for (int r = 0; r < 3; ++r)
                for (int c = 0; c < 3; ++c) {
                    const Index row = 3 * Index(k % count_) + r, col = 3 * Index(k / count_) + c;
                    if (row >= col) all.emplace_back(row, col, 0.0);
                }
        matrix_.resize(3 * count_, 3 * count_);
        matrix_.setFromTriplets(all.begin(), all.end());
        // A block's three columns hold its rows at the same offset less the column number.
        std::vector<Index> first(keys.size());
        for (std::size_t k = 0, seen = 0; k < keys.size(); ++k) {
            seen = k > 0 && keys[k] / count_ == keys[k - 1] / count_ ? seen + 1 : 0;
            first[k] = static_cast<Index>(3 * seen);
        }
        each([&](std::int64_t k) {
            if (k < 0) {
                slots_.push_back({-1, 0});
                return;
            }
            const auto at = std::lower_bound(keys.begin(), keys.end(), k) - keys.begin();
            slots_.push_back({Index(k / count_), first[static_cast<std::size_t>(at)]});
        });
    }
    void assemble(const std::vector<Vec3>& x) {
        double* v = matrix_.valuePtr();
        std::fill(v, v + matrix_.nonZeros(), 0.0);
        std::size_t k = 0;
        std::vector<Mat3> h;
        for (const auto& e : energies_) {
            const auto ww = static_cast<std::size_t>(e->stencils().width * e->stencils().width);
            h.resize(ww * static_cast<std::size_t>(e->stencils().count()));
            e->exactHessian(0, e->stencils().count(), x, h);
            for (const Mat3& block : h) {
                const auto [column, row] = slots_[k++];
                if (column < 0) continue;
                for (int c = 0; c < 3; ++c) {
                    double* to = v + matrix_.outerIndexPtr()[3 * column + c] + row - c;
                    for (int r = row == 0 ? c : 0; r < 3; ++r) to[r] += block(r, c);
                }
            }
        }
    }

    std::vector<std::unique_ptr<ClothEnergy>> energies_;
    std::vector<double> mass_; // kg
    std::vector<Index> free_;  // number among the free points, -1: held
    Index count_ = 0;
    Eigen::SparseMatrix<double> matrix_;
    std::vector<std::pair<Index, Index>> slots_; // block column, row offset
    std::vector<double> scratch_;
};

// Positions of a finer sheet on the surface of a coarser one, by rest coordinates.
inline std::vector<Vec3> prolong(const ClothMesh& coarse, const std::vector<Vec3>& x,
                                 const ClothMesh& fine) {
    std::vector<Vec2> flat(static_cast<std::size_t>(fine.points));
    for (Index t = 0; t < fine.faces(); ++t)
        for (int c = 0; c < 3; ++c)
            flat[fine.triangles[static_cast<std::size_t>(t)][c]] =
                fine.rest[static_cast<std::size_t>(t)][c];
    std::vector<Vec3> out(flat.size());
    for (std::size_t i = 0; i < flat.size(); ++i) {
        double best = -1e9;
        for (std::size_t t = 0; t < coarse.triangles.size(); ++t) {
            const auto& r = coarse.rest[t];
            const Vec2 a = r[1] - r[0], b = r[2] - r[0], p = flat[i] - r[0];
            const double det = a.x() * b.y() - a.y() * b.x();
            const double v = (p.x() * b.y() - p.y() * b.x()) / det;
            const double w = (a.x() * p.y() - a.y() * p.x()) / det;
            const double inside = std::min({1 - v - w, v, w}); // the rim may stick out a little
            if (inside <= best) continue;
            best = inside;
            const auto& n = coarse.triangles[t];
            out[i] = (1 - v - w) * x[n[0]] + v * x[n[1]] + w * x[n[2]];
        }
    }
    return out;
}

} // namespace purl::test
