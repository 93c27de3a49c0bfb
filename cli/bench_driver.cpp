#include "cli/bench_driver.h"

#include "purl/contact/acl.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace purl::cli {

namespace {

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

Scene with(Scene s, BenchMethod m, double tau, double friction) {
    ContactSettings& c = s.settings.contact;
    c.method = m == BenchMethod::Hierarchy ? ContactMethod::Hierarchy
               : m == BenchMethod::Exact   ? ContactMethod::Exact
                                           : ContactMethod::Acl;
    c.tau = tau;
    c.friction = friction;
    return s;
}

AclStats statsOf(const Simulation& sim) { return sim.acl() ? sim.acl()->stats() : AclStats{}; }

} // namespace

const char* methodName(BenchMethod m) {
    return m == BenchMethod::Hierarchy ? "hierarchy" : m == BenchMethod::Exact ? "exact" : "acl";
}

void StepTally::add(const StepTally& o) {
    steps += o.steps;
    timedSteps += o.timedSteps;
    for (auto m : {&StepTally::total, &StepTally::contact, &StepTally::rods, &StepTally::project,
                   &StepTally::collide, &StepTally::sets, &StepTally::rebuilt, &StepTally::entries,
                   &StepTally::examined, &StepTally::processed, &StepTally::bytesStreamed,
                   &StepTally::detect, &StepTally::create, &StepTally::evaluate, &StepTally::remake,
                   &StepTally::commit})
        this->*m += o.*m;
}

BenchDriver::BenchDriver(const Scene& scene, BenchMethod method, double tau, double friction)
    : sim_(with(scene, method, tau, friction)), colliders_(scene.colliders),
      radius_(*std::max_element(scene.yarns.radius.begin(), scene.yarns.radius.end())),
      dt_(sim_.automaticStep()) {}

void BenchDriver::step(bool timed, StepTally& to) {
    const StepSeconds before = sim_.stepSeconds();
    const AclStats had = statsOf(sim_);
    const double start = now();
    sim_.step(dt_, 1);
    const double total = now() - start;
    const StepSeconds after = sim_.stepSeconds();
    const AclStats has = statsOf(sim_);
    ++to.steps;
    to.sets += static_cast<double>(has.sets);
    to.rebuilt += static_cast<double>(has.rebuilt - had.rebuilt);
    to.entries += static_cast<double>(has.entries);
    to.examined += static_cast<double>(has.examined - had.examined);
    to.processed += static_cast<double>(has.processed - had.processed);
    if (!timed) return;
    ++to.timedSteps;
    to.total += total;
    to.contact += after.contact - before.contact;
    to.rods += after.rods - before.rods;
    to.project += after.project - before.project;
    to.collide += after.collide - before.collide;
    to.bytesStreamed += has.bytesStreamed - had.bytesStreamed;
    to.detect += has.secondsDetect - had.secondsDetect;
    to.create += has.secondsCreate - had.secondsCreate;
    to.evaluate += has.secondsEvaluate - had.secondsEvaluate;
    to.remake += has.secondsRemake - had.secondsRemake;
    to.commit += has.secondsCommit - had.secondsCommit;
}

bool BenchDriver::touchesCollider() const {
    const std::vector<Vec3>& x = sim_.positions();
    std::vector<double> phi(x.size());
    for (const auto& c : colliders_) {
        c->distance(x, 1, phi);
        if (*std::min_element(phi.begin(), phi.end()) < 1.01 * radius_) return true;
    }
    return false;
}

double BenchDriver::speed() const {
    double sum = 0;
    for (const Vec3& v : sim_.velocities()) sum += v.squaredNorm();
    return std::sqrt(sum / static_cast<double>(sim_.velocities().size()));
}

double BenchDriver::bytesPerSet() const {
    const AclStats s = statsOf(sim_);
    return s.sets > 0 ? s.bytesTotal / static_cast<double>(s.sets) : 0;
}

} // namespace purl::cli
