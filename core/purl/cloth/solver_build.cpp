// What a sheet is made of, and what a host may change between frames.
#include "purl/base/error.h"
#include "purl/cloth/solver.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace purl {

namespace {
double restArea(const std::array<Vec2, 3>& r) {
    const Vec2 a = r[1] - r[0], b = r[2] - r[0];
    return 0.5 * (a.x() * b.y() - a.y() * b.x());
}

std::vector<double> massOf(const ClothMesh& mesh, Span<const double> density) {
    if (density.size() != 1 && density.size() != mesh.triangles.size())
        throw Error("cloth", std::to_string(density.size()) +
                                 " densities, expected one, or one a " + "triangle (" +
                                 std::to_string(mesh.triangles.size()) + ")");
    std::vector<double> mass(static_cast<std::size_t>(mesh.points), 0.0);
    for (Index t = 0; t < mesh.faces(); ++t) {
        const double rho = density[density.size() == 1 ? 0 : t];
        if (!(rho > 0) || !std::isfinite(rho))
            throw Error("cloth: triangle " + std::to_string(t),
                        "density is " + std::to_string(rho) + " kg/m2, expected > 0");
        for (Index i : mesh.triangles[t]) mass[i] += rho * restArea(mesh.rest[t]) / 3;
    }
    return mass;
}

// Middles of triangles are tested against colliders as well as points: a coarse sheet does not cut
// the corners of a small ball. The step's solve keeps them off (solver_meet.cpp); what it leaves is
// corrected from a quarter of the radius on.
std::vector<YarnPoint> faceMiddles(const ClothMesh& mesh, double radius) {
    std::vector<YarnPoint> points;
    for (const auto& t : mesh.triangles)
        points.push_back(
            {{t[0], t[1], t[2], t[2]}, {1.0 / 3, 1.0 / 3, 1.0 / 3, 0.0}, 0.25 * radius});
    return points;
}
} // namespace

ClothSolver::ClothSolver(const ClothMesh& mesh, std::vector<Vec3> x, Span<const double> areaDensity,
                         std::vector<std::unique_ptr<ClothEnergy>> energies,
                         const ClothSettings& settings, std::vector<ClothGoal> goals)
    : mesh_(mesh), settings_(settings), energies_(std::move(energies)),
      integrator_(makeIntegrator(settings.integrator)), control_(settings.control),
      x_(std::move(x)) {
    const auto n = static_cast<std::size_t>(mesh_.points);
    if (x_.size() != n)
        throw Error("cloth",
                    std::to_string(x_.size()) + " positions, expected " + std::to_string(n));
    if (!(settings_.radius >= 0))
        throw Error("cloth", "radius is " + std::to_string(settings_.radius) + " m, expected >= 0");
    v_.assign(n, Vec3::Zero());
    state_.assign(n, Touch::None);
    grip_.assign(n, Vec3::Zero());
    meetingOf_.assign(n, -1);
    baseFilter_.reset(mesh_.points);
    x1_ = x_, v1_ = v_, start_ = x_, mean_ = v_, heldV_ = v_;
    std::vector<double> mass = massOf(mesh_, areaDensity);
    for (double m : mass) inverseMass_.push_back(m > 0 ? 1 / m : 0);
    if (!goals.empty()) {
        std::vector<Vec3> targets;
        for (const ClothGoal& g : goals) {
            if (g.node < 0 || g.node >= mesh_.points)
                throw Error("cloth goals", "goal at point " + std::to_string(g.node) +
                                               ", expected 0 to " + std::to_string(n - 1));
            targets.push_back(x_[g.node]);
        }
        goalStart_ = goalEnd_ = goalNow_ = targets;
        auto made = std::make_unique<Goals>(std::move(goals), targets);
        goals_ = made.get();
        energies_.push_back(std::move(made));
    }
    if (settings_.forces.drag) {
        auto made = std::make_unique<AirDrag>(mesh_, settings_.forces);
        air_ = made.get();
        energies_.push_back(std::move(made));
    }
    std::vector<const ClothEnergy*> list;
    for (const auto& e : energies_) list.push_back(e.get());
    dynamics_ =
        std::make_unique<ClothDynamics>(std::move(mass), std::move(list), settings_.preconditioner);
    dynamics_->gravity = settings_.forces.gravity;
    response_ = std::make_unique<CollisionResponse>(std::vector<double>(n, settings_.radius),
                                                    faceMiddles(mesh_, settings_.radius));
    std::map<std::pair<Index, Index>, double> rest;
    for (Index t = 0; t < mesh_.faces(); ++t)
        for (int k = 0; k < 3; ++k) {
            const Index a = mesh_.triangles[t][k], b = mesh_.triangles[t][(k + 1) % 3];
            rest[{std::min(a, b), std::max(a, b)}] =
                (mesh_.rest[t][(k + 1) % 3] - mesh_.rest[t][k]).norm();
        }
    for (const auto& [ab, length] : rest) edges_.push_back({ab.first, ab.second, 1 / length});
}

ClothSolver::~ClothSolver() = default;

void ClothSolver::setPins(std::vector<Index> points) {
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    for (Index i : points)
        if (i < 0 || i >= mesh_.points)
            throw Error("cloth pins", "point " + std::to_string(i) + ", expected 0 to " +
                                          std::to_string(mesh_.points - 1));
    pins_ = std::move(points);
    pinStart_.clear();
    for (Index i : pins_) pinStart_.push_back(x_[i]);
    pinEnd_ = pinStart_;
    rebuildFilter();
    std::vector<std::uint8_t> rigid;
    for (const auto& t : mesh_.triangles)
        rigid.push_back(inverseMass_[t[0]] == 0 && inverseMass_[t[1]] == 0 &&
                        inverseMass_[t[2]] == 0);
    for (const auto& e : energies_) e->setRigid(rigid);
}

void ClothSolver::setSliding(Index point, const Vec3& held) {
    if (point < 0 || point >= mesh_.points || !(held.norm() > 0))
        throw Error("cloth sliding points",
                    "point " + std::to_string(point) + " with a direction of length " +
                        std::to_string(held.norm()) + ", expected a point of the sheet and > 0");
    sliding_.push_back({point, held});
    rebuildFilter();
}

void ClothSolver::rebuildFilter() {
    dynamics_->held.reset(mesh_.points);
    const Span<const double> mass = dynamics_->mass();
    for (Index i = 0; i < mesh_.points; ++i) inverseMass_[i] = 1 / mass[i];
    for (const auto& [i, direction] : sliding_) dynamics_->held.holdDirection(i, direction);
    for (Index i : pins_) {
        dynamics_->held.pin(i);
        inverseMass_[i] = 0;
    }
    baseFilter_ = dynamics_->held;
}

void ClothSolver::setPinTargets(Span<const Vec3> targets) {
    if (targets.size() != pins_.size())
        throw Error("cloth pins", std::to_string(targets.size()) + " targets, expected " +
                                      std::to_string(pins_.size()));
    pinEnd_.assign(targets.begin(), targets.end());
}

void ClothSolver::setGoalTargets(Span<const Vec3> targets) {
    if (targets.size() != goalEnd_.size())
        throw Error("cloth goals", std::to_string(targets.size()) + " targets, expected " +
                                       std::to_string(goalEnd_.size()));
    goalEnd_.assign(targets.begin(), targets.end());
}

void ClothSolver::setColliders(std::vector<CollisionBody> bodies) { bodies_ = std::move(bodies); }

void ClothSolver::setWind(const Vec3& wind) {
    if (!air_) throw Error("cloth", "wind without drag, expected drag to be on");
    air_->setWind(wind);
}

void ClothSolver::setState(Span<const Vec3> x, Span<const Vec3> v) {
    if (x.size() != x_.size() || v.size() != v_.size())
        throw Error("cloth", "a state of " + std::to_string(x.size()) + " points, expected " +
                                 std::to_string(x_.size()));
    x_.assign(x.begin(), x.end());
    v_.assign(v.begin(), v.end());
    for (std::size_t k = 0; k < pins_.size(); ++k) pinStart_[k] = pinEnd_[k] = x_[pins_[k]];
    integrator_->forget();
    control_ = StepControl(settings_.control);
    std::fill(state_.begin(), state_.end(), Touch::None);
    std::fill(grip_.begin(), grip_.end(), Vec3::Zero());
    anyContact_ = true; // what the filter holds is looked at again
}

} // namespace purl
