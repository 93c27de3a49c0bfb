// Scene -> Simulation: where the parts are joined.
#include "purl/base/error.h"
#include "purl/sim/impl.h"
#include "purl/sim/implicit_parts.h"

#include <algorithm>
#include <cmath>

namespace purl {

namespace {

Curves restCurves(const Scene& s) {
    Curves c = s.yarns;
    if (!s.rest.empty()) c.x = s.rest;
    return c;
}

double largestRadius(const Curves& c) {
    return *std::max_element(c.radius.begin(), c.radius.end());
}

const Scene& checked(const Scene& s) {
    validate(s, "yarns");
    return s;
}

// The largest stable explicit step, from the stiffest bending and contact mode of any yarn, with a
// margin (physics 4.9: contact alone is stable up to 2/omega; shared control points take the rest).
double stableStep(const Curves& rest, const std::vector<Material>& material) {
    double step = 1;
    for (Index y = 0; y < rest.yarns(); ++y) {
        const Material& m = material[y];
        double shortest = 1e30, sum = 0;
        for (Index i = 0; i < rest.edges(y); ++i) {
            const Index a = rest.first[y] + i, b = rest.first[y] + (i + 1) % rest.size(y);
            const double l = (rest.x[b] - rest.x[a]).norm();
            shortest = std::min(shortest, l);
            sum += l;
        }
        const double mean = sum / rest.edges(y), reach = 2 * rest.radius[y];
        // A few short edges (turns, ends) do not carry a mode of their own length alone.
        const double l = std::max(shortest, 0.5 * mean);
        const double bend = 16 * m.bendStiffness / (m.density * l * l * l * l);
        const double contact = 60 * m.contactStiffness / (m.density * std::max(mean, reach));
        step = std::min(step, 0.9 * 2 / std::sqrt(std::max(bend, contact)));
    }
    return step;
}

} // namespace

AclContact Simulation::Impl::newAcl() const {
    ContactSettings c = scene.settings.contact;
    c.positive = isImplicit();
    return {rest, rods.layout(), scene.material, scene.welds, c};
}

Simulation::Impl::Impl(const Scene& s)
    : scene(checked(s)), rest(restCurves(s)), rods(rest, s.material),
      length(rest, s.settings.length.inextensible ? s.welds : std::vector<Weld>{},
             s.settings.length),
      glue(s.settings.length.inextensible ? length.otherWelds() : s.welds),
      damping(rest.x,
              s.settings.damping.blockSize > 0 ? s.settings.damping.blockSize
                                               : 20 * largestRadius(rest),
              s.settings.damping),
      air(rest, s.settings.forces), response(s.yarns), automatic(stableStep(rest, s.material)) {
    const Index n = rest.points();
    if (contactBy(ContactMethod::Exact))
        exact = ExactContact(rest, rods.layout(), s.material, s.welds, s.settings.contact);
    if (contactBy(ContactMethod::Hierarchy))
        hierarchy = HierarchyContact(rest, rods.layout(), s.material, s.welds, s.settings.contact);
    if (contactBy(ContactMethod::Acl)) {
        acl = newAcl();
    } else if (isImplicit() && s.settings.contact.enabled) {
        throw Error("contact", "is not acl, expected acl with the implicit integrator: its linear "
                               "models are the matrix of the step");
    }
    state.x = s.yarns.x;
    state.v = s.velocity.empty() ? std::vector<Vec3>(n, Vec3::Zero()) : s.velocity;
    state.mass.assign(n, 0.0);
    for (Index y = 0; y < rest.yarns(); ++y)
        for (Index i = 0; i < rest.edges(y); ++i) {
            const Index a = rest.first[y] + i, b = rest.first[y] + (i + 1) % rest.size(y);
            const double half = 0.5 * s.material[y].density * (rest.x[b] - rest.x[a]).norm();
            state.mass[a] += half;
            state.mass[b] += half;
        }
    state.inverseMass.resize(n);
    for (Index i = 0; i < n; ++i) state.inverseMass[i] = 1 / state.mass[i];
    for (Index i : s.pins) {
        state.inverseMass[i] = 0;
        state.v[i].setZero();
    }
    if (guarded()) guard = PassGuard(rest, rods.layout(), s.welds, s.settings.guard);
    targetStart = targetEnd = predicted = state.x;
    contactForce.assign(n, Vec3::Zero());
    x.resize(rods.layout().padded() + 4);
    f.resize(rods.layout().padded() + 4);
    next = x;
    for (Index y = 0; y < rest.yarns(); ++y) scatter(rods.layout(), state.x, rest.first[y], y, x);
    // An edge whose two ends are pinned keeps its orientation too.
    for (Index y = 0; y < rest.yarns(); ++y)
        for (Index i = 0; i < rest.edges(y); ++i) {
            const Index a = rest.first[y] + i, b = rest.first[y] + (i + 1) % rest.size(y);
            if (state.inverseMass[a] == 0 && state.inverseMass[b] == 0)
                rods.clampHere(rods.layout().slotOf[a]);
        }
    rods.place(x);
    for (std::size_t c = 0; c < s.colliders.size(); ++c)
        bodies.push_back(
            {s.colliders[c].get(), c < s.collision.size() ? s.collision[c] : s.settings.collision});
    thinnest = *std::min_element(rest.radius.begin(), rest.radius.end());
    if (isImplicit()) {
        implicit = std::make_unique<ImplicitParts>(rest, rods.layout(), s.material, s.welds,
                                                   damping, state);
        automatic = s.settings.step.maxStep;
    }
}

Simulation::Impl::~Impl() = default;
Simulation::Simulation(const Scene& s) : impl_(std::make_unique<Impl>(s)) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;

} // namespace purl
