#include "purl/rod/rod.h"

#include "purl/base/parallel.h"
#include "purl/geometry/transport.h"
#include "purl/rod/kernel.h"

namespace purl {

namespace {
constexpr Index kGrain = 128; // packs a task
} // namespace

namespace {
rod::EdgeArrays edgeArrays(Padded3& t, Padded3& d, std::vector<double>& inv) {
    return {t.soa(), d.soa(), inv.data()};
}
} // namespace

Rods::Rods(const Curves& rest, const std::vector<Material>& material) : layout_(rest) {
    const Index n = layout_.padded() + 4;
    for (auto* a : {&tangent_, &director_, &gradE_, &gradF_}) a->resize(n);
    for (auto* a : {&invLength_,     &restLength_, &bend_,    &twist_,    &restE1_,     &restE2_,
                    &restF1_,        &restF2_,     &angle_,   &cosAngle_, &sinAngle_,   &restAngle_,
                    &plasticRadius_, &plasticMax_, &thetaGE_, &thetaGF_,  &thetaHE_,    &thetaHF_,
                    &turn_,          &diag_,       &off_,     &work_,     &plasticLoss_})
        a->assign(n, 0.0);
    clamped_.assign(n, 0);
    clampDirector_.assign(n, Vec3::Zero());
    for (Index s = 0; s < n; ++s) {
        tangent_.set(s, Vec3::UnitX());
        director_.set(s, Vec3::UnitY());
        cosAngle_[s] = 1;
        plasticMax_[s] = 1e30;
        plasticRadius_[s] = 1e30;
    }
    Padded3 x;
    x.resize(n);
    for (Index y = 0; y < layout_.yarns(); ++y) {
        scatter(layout_, rest.x, rest.first[y], y, x);
        const Index b = layout_.base[y], m = layout_.size[y];
        const Material& mat = material[y];
        // Edges b .. b+m: the real ones and a ghost at either end; directors without twist.
        Vec3 d = Vec3::Zero();
        for (Index s = b; s <= b + m + 1; ++s) {
            const Vec3 e = x.at(s + 1) - x.at(s);
            const Vec3 t = e.normalized();
            d = s == b ? anyNormal(t) : transport(d, tangent_.at(s - 1), t);
            d = (d - d.dot(t) * t).normalized();
            tangent_.set(s, t);
            director_.set(s, d);
            restLength_[s] = e.norm();
            invLength_[s] = 1 / e.norm();
        }
        if (layout_.closed[y]) { // ghosts repeat real edges; what the frame turned by is rest twist
            for (auto [ghost, real] : {std::pair<Index, Index>{b, b + m}, {b + m + 1, b + 1}}) {
                tangent_.set(ghost, tangent_.at(real));
                director_.set(ghost, director_.at(real));
            }
        }
        const Index v0 = layout_.closed[y] ? b + 1 : b + 2,
                    v1 = layout_.closed[y] ? b + m : b + m - 1;
        for (Index s = v0; s <= v1; ++s) {
            const double l = restLength_[s - 1] + restLength_[s];
            bend_[s] = mat.bendStiffness / l;
            twist_[s] = mat.twistStiffness / l;
            const auto p = rod::poseAt<double>(edgeArrays(tangent_, director_, invLength_), s);
            const double k = mat.restCurvature;
            restE1_[s] = k * dot(p.m2e, p.kb);
            restE2_[s] = -k * dot(p.m1e, p.kb);
            restF1_[s] = k * dot(p.m2f, p.kb);
            restF2_[s] = -k * dot(p.m1f, p.kb);
            rod::twistAngle(p, cosAngle_[s], sinAngle_[s]);
            angle_[s] = restAngle_[s] = std::atan2(sinAngle_[s], cosAngle_[s]);
            if (mat.plasticRadius > 0) {
                plasticRadius_[s] = mat.plasticRadius;
                plasticMax_[s] = mat.plasticMax;
                anyPlastic_ = true;
            }
        }
    }
}

void Rods::moveFrames(Padded3& x) {
    const rod::EdgeArrays edge = edgeArrays(tangent_, director_, invLength_);
    const Soa3 p = x.soa();
    const Index packs = (layout_.slots() + 3) / 4;
    parallelFor(packs, kGrain, [&](Index a, Index b) {
        for (Index i = a; i < b; ++i) rod::moveEdge<Pack4>(p, 4 * static_cast<long>(i), edge);
    });
}

void Rods::place(Padded3& x) {
    moveFrames(x);
    solveAngles(50);
}

void Rods::visit(Padded3& x) {
    moveFrames(x);
    solveAngles(3);
}

void Rods::settle(Padded3& x) {
    visit(x);
    if (plasticity_ && anyPlastic_) yield();
}

void Rods::force(Padded3& f) {
    const rod::EdgeArrays edge = edgeArrays(tangent_, director_, invLength_);
    const rod::VertexArrays vertex{
        bend_.data(),   twist_.data(), restE1_.data(),   restE2_.data(),   restF1_.data(),
        restF2_.data(), angle_.data(), cosAngle_.data(), sinAngle_.data(), restAngle_.data()};
    const Soa3 ge = gradE_.soa(), gf = gradF_.soa(), out = f.soa();
    overSlots([&](long s) { rod::edgeGradients<Pack4>(edge, vertex, s, ge, gf); });
    for (Index y = 0; y < layout_.yarns(); ++y) {
        if (!layout_.closed[y]) continue;
        const Index b = layout_.base[y], n = layout_.size[y];
        gradF_.set(b, gradF_.at(b + n));
        gradE_.set(b + n + 1, gradE_.at(b + 1));
    }
    overSlots([&](long s) {
        const V3<Pack4> g = load3<Pack4>(gf, s - 1) + load3<Pack4>(ge, s) - load3<Pack4>(gf, s) -
                            load3<Pack4>(ge, s + 1);
        store3(out, s, Pack4(-1.0) * g);
    });
    for (Index y = 0; y < layout_.yarns(); ++y) {
        const Index b = layout_.base[y], n = layout_.size[y];
        for (Index g : {b, b + n + 1, b + n + 2}) f.set(g, Vec3::Zero());
    }
}

double Rods::bendEnergy() const {
    auto& self = const_cast<Rods&>(*this);
    const rod::EdgeArrays edge = edgeArrays(self.tangent_, self.director_, self.invLength_);
    return orderedSum(layout_.slots() - 1, 1024, [&](Index a, Index b) {
        double e = 0;
        for (Index s = a + 1; s <= b; ++s) {
            if (bend_[s] == 0) continue;
            const auto p = rod::poseAt<double>(edge, s);
            const double e1 = dot(p.m2e, p.kb) - restE1_[s], e2 = -dot(p.m1e, p.kb) - restE2_[s];
            const double f1 = dot(p.m2f, p.kb) - restF1_[s], f2 = -dot(p.m1f, p.kb) - restF2_[s];
            e += 0.5 * bend_[s] * (e1 * e1 + e2 * e2 + f1 * f1 + f2 * f2);
        }
        return e;
    });
}

double Rods::twistEnergy() const {
    return orderedSum(layout_.slots(), 4096, [&](Index a, Index b) {
        double e = 0;
        for (Index s = a; s < b; ++s) {
            const double m = angle_[s] - restAngle_[s];
            if (twist_[s] > 0) e += twist_[s] * m * m;
        }
        return e;
    });
}

void Rods::yield() {
    const rod::EdgeArrays edge = edgeArrays(tangent_, director_, invLength_);
    overSlots([&](long s) {
        const auto p = rod::poseAt<Pack4>(edge, s);
        const Pack4 radius = loadPack(&plasticRadius_[s]), cap = loadPack(&plasticMax_[s]);
        const Pack4 half = Pack4(0.5) * loadPack(&bend_[s]);
        const Pack4 loss = rod::yieldPair(dot(p.m2e, p.kb), Pack4(-1.0) * dot(p.m1e, p.kb), radius,
                                          cap, &restE1_[s], &restE2_[s]) +
                           rod::yieldPair(dot(p.m2f, p.kb), Pack4(-1.0) * dot(p.m1f, p.kb), radius,
                                          cap, &restF1_[s], &restF2_[s]);
        store(&plasticLoss_[s], loadPack(&plasticLoss_[s]) + half * loss);
    });
}

double Rods::plasticWork() const {
    double sum = 0;
    for (double w : plasticLoss_) sum += w;
    return sum;
}

void Rods::setRest(Index s, const Vec2& e, const Vec2& f, double twist) {
    restE1_[s] = e[0];
    restE2_[s] = e[1];
    restF1_[s] = f[0];
    restF2_[s] = f[1];
    restAngle_[s] = twist;
}

void Rods::hash(Hash& h) const {
    for (const auto* a : {&tangent_, &director_}) {
        h.add(a->x);
        h.add(a->y);
        h.add(a->z);
    }
    for (const auto* a : {&angle_, &restE1_, &restE2_, &restF1_, &restF2_}) h.add(*a);
}

} // namespace purl
