#include "purl/cloth/dynamics.h"

#include "purl/base/error.h"
#include "purl/base/parallel.h"

#include <chrono>
#include <cmath>
#include <string>

namespace purl {

namespace {
class Stopwatch {
public:
    explicit Stopwatch(double& total) : total_(total), start_(Clock::now()) {}
    ~Stopwatch() { total_ += std::chrono::duration<double>(Clock::now() - start_).count(); }

private:
    using Clock = std::chrono::steady_clock;
    double& total_;
    Clock::time_point start_;
};

struct Coupled final : LinearOperator {
    const BlockMatrix& a;
    const LooseBlocks& loose;
    Coupled(const BlockMatrix& m, const LooseBlocks& l) : a(m), loose(l) {}
    Index size() const override { return a.size(); }
    void apply(Span<const Vec3> x, Span<Vec3> y) const override {
        a.apply(x, y);
        loose.addProduct(x, y);
    }
};
} // namespace

ClothDynamics::ClothDynamics(std::vector<double> mass, std::vector<const ClothEnergy*> energies,
                             ClothPreconditioner preconditioner)
    : held(static_cast<Index>(mass.size())), mass_(std::move(mass)),
      assembly_(static_cast<Index>(mass_.size()), std::move(energies)),
      matrix_(assembly_.pattern()), kind_(preconditioner) {
    for (std::size_t i = 0; i < mass_.size(); ++i)
        if (!(mass_[i] > 0) || !std::isfinite(mass_[i]))
            throw Error("cloth: point " + std::to_string(i),
                        "mass is " + std::to_string(mass_[i]) + " kg, expected > 0");
    if (kind_ == ClothPreconditioner::IncompleteCholesky)
        cholesky_ = std::make_unique<BlockIncompleteCholesky>(assembly_.pattern());
    if (kind_ == ClothPreconditioner::TwoLevel)
        twoLevel_ = std::make_unique<TwoLevel>(assembly_.pattern());
    b_.resize(mass_.size()), z_.resize(mass_.size()), y_.resize(mass_.size());
}

double ClothDynamics::withGravity(double energy, Span<const Vec3> x, Span<Vec3> f) const {
    return energy + orderedSum(nodes(), 2048, [&](Index i0, Index i1) {
               double sum = 0;
               for (Index i = i0; i < i1; ++i) {
                   f[i] = mass_[i] * gravity - f[i];
                   if (!external.empty()) f[i] += external[i];
                   if (!outside.empty()) f[i] += outside[i];
                   sum -= mass_[i] * gravity.dot(x[i]);
               }
               return sum;
           });
}

double ClothDynamics::force(Span<const Vec3> x, Span<const Vec3> v, Span<Vec3> f) {
    const Stopwatch watch(seconds_.assemble);
    const double energy = withGravity(assembly_.evaluate(x, v, f), x, f);
    layers.addForce(x, v, f);
    return energy;
}

void ClothDynamics::addMass() {
    const BlockPattern& q = matrix_.pattern();
    for (Index r = 0; r < q.size(); ++r)
        matrix_.blocks()[q.row[r]].diagonal().array() += mass_[q.order[r]];
}

bool ClothDynamics::factorDirectly(Span<const Vec3> x, double stiffness, bool exact, Span<Vec3> f) {
    ClothAssembly::Derivatives d;
    d.matrix = &matrix_;
    d.stiffness = stiffness;
    d.exact = exact;
    withGravity(assembly_.evaluate(x, {}, f, d), x, f);
    addMass();
    held.permuted(matrix_.pattern().position, rowFilter_);
    if (!direct_) direct_ = std::make_unique<BlockCholesky>(assembly_.pattern());
    return direct_->factor(matrix_, rowFilter_);
}

void ClothDynamics::solveDirectly(Span<const Vec3> b, Span<Vec3> y) {
    const std::vector<Index>& order = matrix_.pattern().order;
    for (Index r = 0; r < nodes(); ++r) b_[r] = b[order[r]];
    rowFilter_.apply(b_);
    direct_->solve(b_, b_);
    rowFilter_.apply(b_);
    for (Index r = 0; r < nodes(); ++r) y[order[r]] = b_[r];
}

void ClothDynamics::linearise(Span<const Vec3> x, Span<const Vec3> v, double damping,
                              double stiffness, Span<const Vec3> w, Span<Vec3> f, Span<Vec3> kw) {
    {
        const Stopwatch watch(seconds_.assemble);
        ClothAssembly::Derivatives d;
        d.matrix = &matrix_;
        d.damping = damping;
        d.stiffness = stiffness;
        d.w = w;
        d.kw = kw;
        withGravity(assembly_.evaluate(x, v, f, d), x, f);
        layers.addForce(x, v, f);
        if (!w.empty()) layers.addStiffness(w, kw);
        layers.assemble(damping, stiffness, matrix_, loose_);
        addMass();
    }
    const Stopwatch watch(seconds_.factor);
    held.permuted(matrix_.pattern().position, rowFilter_);
    if (twoLevel_)
        twoLevel_->factor(matrix_, rowFilter_, &loose_);
    else if (cholesky_)
        cholesky_->factor(matrix_, rowFilter_);
    else
        jacobi_.factor(matrix_, rowFilter_);
}

SolveReport ClothDynamics::solve(Span<const Vec3> b, Span<const Vec3> z, Span<Vec3> y,
                                 const SolveSettings& settings) {
    const Stopwatch watch(seconds_.solve);
    const std::vector<Index>& order = matrix_.pattern().order;
    parallelFor(nodes(), 4096, [&](Index r0, Index r1) {
        for (Index r = r0; r < r1; ++r) {
            b_[r] = b[order[r]];
            y_[r] = y[order[r]];
            z_[r] = z.empty() ? Vec3::Zero() : z[order[r]];
        }
    });
    const Preconditioner& p = twoLevel_   ? static_cast<const Preconditioner&>(*twoLevel_)
                              : cholesky_ ? static_cast<const Preconditioner&>(*cholesky_)
                                          : jacobi_;
    const SolveReport report =
        solver_.solve(Coupled(matrix_, loose_), p, rowFilter_, b_, z_, y_, settings);
    parallelFor(nodes(), 4096, [&](Index r0, Index r1) {
        for (Index r = r0; r < r1; ++r) y[order[r]] = y_[r];
    });
    return report;
}

void ClothDynamics::reaction(Span<Vec3> out) {
    Coupled(matrix_, loose_).apply(y_, z_);
    const BlockPattern& q = matrix_.pattern();
    parallelFor(nodes(), 4096, [&](Index r0, Index r1) {
        for (Index r = r0; r < r1; ++r) {
            const Vec3 j = z_[r] - b_[r];
            Vec3 unheld = j;
            rowFilter_.applyRow(r, unheld);
            out[q.order[r]] = rowFilter_.isFree(r) ? Vec3::Zero() : Vec3(j - unheld);
        }
    });
}

} // namespace purl
