#include "purl/sim/energy_audit.h"

#include "purl/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace purl {

namespace {
constexpr Index kBlock = 2048;

// One free node: each stage's impulse times the mean of the velocities before and after the step.
void bookNode(double m, const Vec3& push, double dt, const Vec3& v0, const Vec3& pulled,
              const Vec3& damped, const Vec3& held, const Vec3& v1, EnergyLedger& sum) {
    const Vec3 mean = 0.5 * (v0 + v1), forced = v0 + dt / m * push;
    sum.air += m * (pulled - forced).dot(mean);
    sum.damping += m * (damped - pulled).dot(mean);
    sum.held += m * (held - damped).dot(mean);
    sum.colliders += m * (v1 - held).dot(mean) + dt * push.dot(mean);
}
} // namespace

void book(const EnergyLedger& step, EnergyLedger& all) {
    all.air += step.air;
    all.damping += step.damping;
    all.held += step.held;
    all.pins += step.pins;
    all.colliders += step.colliders;
    all.pushed += step.pushed;
    all.forces += step.forces;
}

double kineticEnergy(const State& s) {
    return orderedSum(s.size(), kBlock, [&](Index a, Index b) {
        double sum = 0;
        for (Index i = a; i < b; ++i)
            if (s.inverseMass[i] > 0) sum += 0.5 * s.mass[i] * s.v[i].squaredNorm();
        return sum;
    });
}

void EnergyAudit::start(const State& s, double stored) {
    kineticStart_ = kinetic_ = kineticEnergy(s);
    stored_ = stored;
    potential_ = given_ = fallen_ = 0;
    moved_.assign(s.x.size(), Vec3::Zero());
}

EnergyAudit::Step EnergyAudit::measure(const State& s, const Layout& layout, const Padded3& x0,
                                       const Padded3* f, const Vec3& gravity,
                                       const std::vector<Vec3>& constant, double dt,
                                       const std::vector<Vec3>& v0, const Stages& stages) {
    const bool books = f && !stages.held.empty();
    const Index blocks = (s.size() + kBlock - 1) / kBlock;
    part_.resize(static_cast<std::size_t>(blocks));
    parallelFor(blocks, 1, [&](Index first, Index last) {
        for (Index block = first; block < last; ++block) {
            Step sum;
            double fastest = 0;
            const Index end = std::min(s.size(), (block + 1) * kBlock);
            for (Index i = block * kBlock; i < end; ++i) {
                const double speed = s.v[i].squaredNorm();
                // Written so that what is not a number fails.
                if (!(speed <= fastest)) fastest = speed;
                if (!(s.x[i].squaredNorm() < 1e12) || !(speed < 1e12))
                    sum.fastest = std::numeric_limits<double>::infinity();
                if (s.inverseMass[i] == 0 && !books) continue;
                const Index slot = layout.slotOf[i];
                Vec3 weight = s.mass[i] * gravity;
                if (!constant.empty()) weight += constant[i];
                const Vec3 push = f ? Vec3(f->at(slot) + weight) : weight;
                const Vec3 move = s.x[i] - x0.at(slot);
                if (books) {
                    const double done = 0.5 * push.dot(moved_[i] + move);
                    EnergyLedger& booked = sum.booked;
                    booked.forces += done;
                    if (!constant.empty()) booked.pushed += 0.5 * constant[i].dot(moved_[i] + move);
                    if (s.inverseMass[i] == 0) {
                        booked.pins -= done;
                        continue;
                    }
                    // Colliders also push nodes out, against forces: what the forces did beyond
                    // what the velocities say.
                    booked.colliders -= done;
                    bookNode(s.mass[i], push, dt, v0[i], stages.pulled[i], stages.damped[i],
                             stages.held[i], s.v[i], booked);
                }
                sum.kinetic += 0.5 * s.mass[i] * speed;
                sum.before += 0.5 * push.dot(moved_[i]);
                sum.now += 0.5 * push.dot(move);
                sum.gravity += weight.dot(move);
            }
            sum.fastest = std::max(sum.fastest, std::sqrt(fastest));
            part_[block] = sum;
        }
    });
    Step all;
    for (const Step& p : part_) {
        all.kinetic += p.kinetic;
        all.before += p.before;
        all.now += p.now;
        all.gravity += p.gravity;
        book(p.booked, all.booked);
        all.fastest = p.fastest <= all.fastest ? all.fastest : p.fastest;
    }
    return all;
}

double EnergyAudit::excess(const Step& m) const {
    return kinetic_ + potential_ - m.before - kineticStart_ - given_;
}

double EnergyAudit::scale(const Step& m) const {
    const double released = std::max(0.0, m.before - potential_);
    return kineticStart_ + stored_ + given_ + std::max(fallen_, released) + 1e-12;
}

void EnergyAudit::accept(const Step& m, double given, const State& s, const Layout& layout,
                         const Padded3& x0) {
    potential_ -= m.before + m.now;
    kinetic_ = m.kinetic;
    given_ += given;
    fallen_ += std::abs(m.gravity);
    parallelFor(s.size(), kBlock, [&](Index a, Index b) {
        for (Index i = a; i < b; ++i) moved_[i] = s.x[i] - x0.at(layout.slotOf[i]);
    });
}

} // namespace purl
