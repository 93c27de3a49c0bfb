#include "cli/bench_cloth_solver.h"

#include "purl/base/parallel.h"

#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCore>

#include <chrono>

namespace purl::cli {

namespace {
using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;
double since(Clock::time_point t) {
    return std::chrono::duration<double>(Clock::now() - t).count();
}

Eigen::SparseMatrix<double> toEigen(const BlockMatrix& a) {
    const BlockPattern& p = a.pattern();
    std::vector<Eigen::Triplet<double>> t;
    const auto put = [&](Index i, Index j, const Mat3& b) {
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) t.emplace_back(3 * i + r, 3 * j + c, b(r, c));
    };
    for (Index i = 0; i < a.size(); ++i)
        for (Index k = p.row[i]; k < p.row[i + 1]; ++k) {
            const Index j = p.column[k];
            put(i, j, a.blocks()[k]);
            if (j != i && p.partOf(i) == p.partOf(j)) put(j, i, a.blocks()[k].transpose());
        }
    Eigen::SparseMatrix<double> m(3 * a.size(), 3 * a.size());
    m.setFromTriplets(t.begin(), t.end());
    return m;
}

template <class Solver>
Json eigenSolve(const Eigen::SparseMatrix<double>& a, const Eigen::VectorXd& b,
                const ClothBenchFlags& f) {
    double best = 1e300;
    Solver solver;
    solver.setTolerance(f.tolerance);
    solver.setMaxIterations(20000);
    Eigen::VectorXd x;
    for (int k = 0; k < f.repeat; ++k) {
        const auto start = Clock::now();
        solver.compute(a);
        x = solver.solve(b);
        best = std::min(best, since(start));
    }
    return {{"seconds", best},
            {"iterations", solver.iterations()},
            {"residual", (b - a * x).norm() / b.norm()}};
}
} // namespace

// Eigen and ours on the matrix and right-hand side of one step of the same sheet, no pins: both
// solve the same unfiltered system to the same |b - A x| / |b|. Setting up the preconditioner
// counts for both.
Json benchClothSolver(const ClothBenchFlags& f) {
    BenchSheet scene(rectangleSheet(f.cells, f.cells, 1, 1), clothPreset(f.preset), false);
    Monitor monitor;
    for (int k = 0; k < 24; ++k) scene.solver->step(f.dt);
    ClothDynamics& d = scene.solver->dynamics();
    const auto n = static_cast<std::size_t>(d.nodes());
    std::vector<Vec3> force(n), kw(n), b(n), w(n);
    for (std::size_t i = 0; i < n; ++i) w[i] = f.dt * scene.solver->v()[i];
    d.linearise(scene.solver->x(), scene.solver->v(), f.dt, f.dt * f.dt, w, force, kw);
    const BlockPattern& p = d.matrix().pattern();
    for (std::size_t r = 0; r < n; ++r) b[r] = f.dt * (force[p.order[r]] - kw[p.order[r]]);
    const Eigen::SparseMatrix<double> a = toEigen(d.matrix());
    const Eigen::VectorXd rhs = Eigen::Map<const Eigen::VectorXd>(b[0].data(), 3 * n);
    Json out;
    out["nodes"] = n;
    out["triangles"] = scene.sheet.mesh.faces();
    out["nonzeros"] = a.nonZeros();
    out["tolerance"] = f.tolerance;
    out["eigen"] = eigenSolve<Eigen::ConjugateGradient<Eigen::SparseMatrix<double>>>(a, rhs, f);
    out["eigen_both_triangles"] = eigenSolve<
        Eigen::ConjugateGradient<Eigen::SparseMatrix<double>, Eigen::Lower | Eigen::Upper>>(a, rhs,
                                                                                            f);
    const auto ours = [&](const char* name, auto&& make, int threads) {
        ThreadLimit limit(threads);
        SolveSettings settings;
        settings.tolerance = f.tolerance;
        settings.norm = SolveSettings::Norm::Euclidean;
        settings.maxIterations = 20000;
        const NodeFilter free(d.nodes());
        Mpcg mpcg;
        std::vector<Vec3> x(n), y(n);
        double best = 1e300, factor = 1e300;
        SolveReport report;
        for (int k = 0; k < f.repeat; ++k) {
            std::fill(x.begin(), x.end(), Vec3::Zero());
            const auto start = Clock::now();
            const Preconditioner& pre = make(free);
            factor = std::min(factor, since(start));
            report = mpcg.solve(d.matrix(), pre, free, b, {}, x, settings);
            best = std::min(best, since(start));
        }
        const Eigen::VectorXd answer = Eigen::Map<const Eigen::VectorXd>(x[0].data(), 3 * n);
        out[name] = {{"seconds", best},
                     {"of_it_factor", factor},
                     {"iterations", report.iterations},
                     {"residual", (rhs - a * answer).norm() / rhs.norm()},
                     {"outcome", purl::name(report.outcome)}};
    };
    BlockJacobi jacobi;
    auto pattern = std::make_shared<BlockPattern>(p);
    BlockIncompleteCholesky cholesky(pattern);
    const auto makeJacobi = [&](const NodeFilter& s) -> const Preconditioner& {
        jacobi.factor(d.matrix(), s);
        return jacobi;
    };
    const auto makeCholesky = [&](const NodeFilter& s) -> const Preconditioner& {
        cholesky.factor(d.matrix(), s);
        return cholesky;
    };
    ours("jacobi_1_thread", makeJacobi, 1);
    ours("jacobi_2_threads", makeJacobi, 2);
    ours("cholesky_1_thread", makeCholesky, 1);
    ours("cholesky_2_threads", makeCholesky, 2);
    TwoLevel twoLevel(pattern);
    const auto makeTwoLevel = [&](const NodeFilter& s) -> const Preconditioner& {
        twoLevel.factor(d.matrix(), s);
        return twoLevel;
    };
    ours("two_level_1_thread", makeTwoLevel, 1);
    ours("two_level_2_threads", makeTwoLevel, 2);
    const double eigen = std::min(out["eigen"]["seconds"].get<double>(),
                                  out["eigen_both_triangles"]["seconds"].get<double>());
    out["speedup"] = eigen / out["two_level_2_threads"]["seconds"].get<double>();
    out["speedup_1_thread"] = eigen / out["two_level_1_thread"]["seconds"].get<double>();
    return out;
}

} // namespace purl::cli
