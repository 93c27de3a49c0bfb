// Quasistatic frames (physics 2.8) and orientation clamps (2.9): rotational inertia is neglected, so
// after each move the angles minimise bending and twist. Angles couple only along a yarn: Newton with
// one tridiagonal solve a yarn, from last step's frames, mostly one iteration.
#include "purl/base/parallel.h"
#include "purl/base/tridiagonal.h"
#include "purl/geometry/transport.h"
#include "purl/rod/kernel.h"
#include "purl/rod/rod.h"

namespace purl {

void Rods::clamp(Index s, const Vec3& director) {
    clamped_[s] = 1;
    clampDirector_[s] = director;
}

void Rods::clampHere(Index s) { clamp(s, Vec3::Zero()); }

void Rods::solveAngles(int maxIterations) {
    const rod::EdgeArrays edge{tangent_.soa(), director_.soa(), invLength_.data()};
    const rod::VertexArrays vertex{bend_.data(),   twist_.data(),  restE1_.data(),   restE2_.data(),
                                   restF1_.data(), restF2_.data(), angle_.data(),    cosAngle_.data(),
                                   sinAngle_.data(), restAngle_.data()};
    const Index packs = (layout_.slots() - 1 + 3) / 4;
    const Index yarns = layout_.yarns();
    for (int it = 0; it < maxIterations; ++it) {
        parallelFor(packs, 128, [&](Index a, Index b) {
            for (Index i = a; i < b; ++i) {
                const long s = 1 + 4 * static_cast<long>(i);
                const auto p = rod::poseAt<Pack4>(edge, s);
                rod::moveTwist(p, vertex, s);
                rod::thetaTerms(p, vertex, s, thetaGE_.data(), thetaGF_.data(), thetaHE_.data(),
                                thetaHF_.data());
            }
        });
        const double change = orderedMax(yarns, 1, [&](Index a, Index b) {
            double most = 0;
            for (Index y = a; y < b; ++y) most = std::max(most, solveYarn(y));
            return most;
        });
        turnDirectors();
        // Newton is quadratic: after a change of 1e-4 what is left is of the order of 1e-8 rad.
        if (change < angleTolerance_) break;
    }
}

// One Newton step on the angles of a yarn's edges, left in turn_.
double Rods::solveYarn(Index y) {
    const Index b = layout_.base[y], n = layout_.size[y];
    const bool closed = layout_.closed[y];
    const Index e0 = b + 1, e1 = closed ? b + n : b + n - 1; // real edges
    if (e1 < e0) return 0;
    // The full Hessian converges fast; where it is not positive, its negative bending terms are
    // dropped and the next iterations come nearer.
    for (bool full : {true, false}) {
        fillSystem(e0, e1, closed, full);
        if (solveCyclic(e1 - e0 + 1, &diag_[e0], &off_[e0], &turn_[e0], &work_[e0])) break;
    }
    double most = 0;
    for (Index s = e0; s <= e1; ++s) {
        if (!clamped_[s]) turn_[s] = min(max(turn_[s], -0.5), 0.5); // never far in one iteration
        most = max(most, std::abs(turn_[s]));
    }
    if (closed) {
        turn_[b] = turn_[e1];
        turn_[e1 + 1] = turn_[e0];
    } else {
        turn_[b] = turn_[b + n] = 0;
    }
    return most;
}

// Gradient and Hessian in the angles of edges e0 .. e1. A clamped edge's turn is known and moves to
// the right-hand side.
void Rods::fillSystem(Index e0, Index e1, bool closed, bool full) {
    auto twistOf = [&](Index s) { return twist_[s] * (angle_[s] - restAngle_[s]); };
    for (Index s = e0; s <= e1; ++s) {
        // Vertex s starts edge s, vertex s+1 ends it; in a ring vertex e1+1 is vertex e0.
        const Index v0 = s, v1 = closed && s == e1 ? e0 : s + 1;
        const double stiff = 2 * (twist_[v0] + twist_[v1]);
        const double hf = thetaHF_[v0], he = thetaHE_[v1];
        diag_[s] = (full ? hf + he : max(hf, 0.0) + max(he, 0.0)) + (1 + 1e-9) * stiff + 1e-300;
        off_[s] = s > e0 || closed ? -2 * twist_[v0] : 0;
        turn_[s] = 2 * (twistOf(v1) - twistOf(v0)) - thetaGF_[v0] - thetaGE_[v1];
    }
    for (Index s = e0; s <= e1; ++s) {
        if (!clamped_[s]) continue;
        const Vec3 d = clampDirector_[s], t = tangent_.at(s);
        const Vec3 want = d - d.dot(t) * t;
        const double turn = want.squaredNorm() > 1e-12 ? signedAngle(director_.at(s), want, t) : 0;
        const Index before = s > e0 ? s - 1 : (closed ? e1 : s);
        const Index after = s < e1 ? s + 1 : (closed ? e0 : s), link = s < e1 ? s + 1 : e0;
        if (before != s) turn_[before] -= off_[s] * turn;
        if (after != s) turn_[after] -= off_[link] * turn;
        off_[s] = 0;
        if (after != s) off_[link] = 0;
        diag_[s] = 1;
        turn_[s] = turn;
    }
}

void Rods::turnDirectors() {
    const rod::EdgeArrays edge{tangent_.soa(), director_.soa(), invLength_.data()};
    const Index packs = (layout_.slots() - 1 + 3) / 4;
    parallelFor(packs + 1, 128, [&](Index a, Index b) {
        for (Index i = a; i < b; ++i) {
            const long s = 4 * static_cast<long>(i);
            Pack4 c, sn;
            rod::sinCos(loadPack(&turn_[s]), c, sn);
            const auto t = load3<Pack4>(edge.tangent, s), m = load3<Pack4>(edge.director, s);
            store3(edge.director, s, c * m + sn * cross(t, m));
        }
    });
    parallelFor(packs, 128, [&](Index a, Index b) {
        for (Index i = a; i < b; ++i) {
            const long s = 1 + 4 * static_cast<long>(i);
            const Pack4 w = loadPack(&turn_[s]) - loadPack(&turn_[s - 1]);
            const Pack4 c0 = loadPack(&cosAngle_[s]), s0 = loadPack(&sinAngle_[s]);
            Pack4 c, sn;
            rod::sinCos(w, c, sn);
            store(&angle_[s], loadPack(&angle_[s]) + w);
            store(&cosAngle_[s], c0 * c - s0 * sn);
            store(&sinAngle_[s], s0 * c + c0 * sn);
        }
    });
}

} // namespace purl
