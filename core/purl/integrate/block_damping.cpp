#include "purl/integrate/block_damping.h"

#include "purl/base/parallel.h"
#include "purl/base/snapshot.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <map>

namespace purl {

BlockDamping::BlockDamping(const std::vector<Vec3>& rest, double size,
                           const DampingSettings& settings)
    : settings_(settings) {
    std::map<std::array<int, 3>, std::vector<Index>> cells;
    for (std::size_t i = 0; i < rest.size(); ++i) {
        std::array<int, 3> key;
        for (int c = 0; c < 3; ++c) key[c] = static_cast<int>(std::floor(rest[i][c] / size));
        cells[key].push_back(static_cast<Index>(i));
    }
    for (const auto& [key, nodes] : cells) {
        node_.insert(node_.end(), nodes.begin(), nodes.end());
        start_.push_back(static_cast<Index>(node_.size()));
    }
    removed_.assign(cells.size(), 0.0);
}

RigidVelocity rigidFit(Span<const Index> nodes, const std::vector<Vec3>& x,
                       const std::vector<Vec3>& v, const std::vector<double>& mass) {
    RigidVelocity r{Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
    double total = 0;
    for (Index i : nodes) {
        r.centre += mass[i] * x[i];
        r.velocity += mass[i] * v[i];
        total += mass[i];
    }
    r.centre /= total;
    r.velocity /= total;
    Vec3 momentum = Vec3::Zero();
    Mat3 inertia = Mat3::Zero();
    for (Index i : nodes) {
        const Vec3 d = x[i] - r.centre;
        momentum += mass[i] * d.cross(v[i] - r.velocity);
        inertia += mass[i] * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
    }
    // A collinear block does not resist turning about its own line: leave that part out.
    Eigen::SelfAdjointEigenSolver<Mat3> solver;
    solver.computeDirect(inertia);
    const double floor = 1e-9 * solver.eigenvalues()[2];
    for (int k = 0; k < 3; ++k) {
        const double l = solver.eigenvalues()[k];
        if (l > floor)
            r.omega +=
                solver.eigenvectors().col(k).dot(momentum) / l * solver.eigenvectors().col(k);
    }
    return r;
}

void BlockDamping::apply(const std::vector<Vec3>& x, std::vector<Vec3>& v,
                         const std::vector<double>& mass, const std::vector<double>& inverseMass,
                         double dt) {
    const double proportional = 1 - std::exp(-dt * settings_.proportional);
    parallelFor(blocks(), 4, [&](Index b0, Index b1) {
        std::array<Index, 512> few;
        std::vector<Index> many;
        for (Index b = b0; b < b1; ++b) {
            // Pinned nodes are led by their target and count as outside.
            const Index size = start_[b + 1] - start_[b];
            Index* free = few.data();
            if (size > static_cast<Index>(few.size())) {
                many.resize(size);
                free = many.data();
            }
            Index n = 0;
            for (Index k = start_[b]; k < start_[b + 1]; ++k)
                if (inverseMass[node_[k]] > 0) free[n++] = node_[k];
            if (n < 2) continue;
            const Span<const Index> nodes(free, n);
            const RigidVelocity rigid = rigidFit(nodes, x, v, mass);
            double square = 0;
            for (Index i : nodes) square += (v[i] - rigid.at(x[i])).squaredNorm();
            if (square == 0) continue;
            const double constant = dt * settings_.constant * std::sqrt(n / square);
            const double k = std::min(1.0, std::max(proportional, constant));
            double loss = 0;
            for (Index i : nodes) {
                const Vec3 d = v[i] - rigid.at(x[i]), after = v[i] - k * d;
                loss += 0.5 * mass[i] * (v[i].squaredNorm() - after.squaredNorm());
                v[i] = after;
            }
            removed_[b] += loss;
        }
    });
}

double BlockDamping::removedEnergy() const {
    double sum = 0;
    for (double r : removed_) sum += r;
    return sum;
}

void BlockDamping::save(SnapshotWriter& w) const {
    w.begin("block_damping", 1);
    w.put(removedEnergy()); // the blocks' own sums do not outlive a change of their size
    w.put(removed_);
    w.end();
}

void BlockDamping::load(SnapshotReader& r) {
    r.begin("block_damping", 1);
    const double sum = r.take<double>();
    std::vector<double> removed;
    r.get(removed);
    if (removed.size() == removed_.size())
        removed_ = std::move(removed);
    else if (!removed_.empty())
        removed_.assign(removed_.size(), sum / static_cast<double>(removed_.size()));
    r.end();
}

} // namespace purl
