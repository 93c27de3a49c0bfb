#include "purl/base/error.h"
#include "purl/scene/scene.h"

#include <cmath>
#include <sstream>

namespace purl {

namespace {

std::string number(double v) {
    std::ostringstream s;
    s << v;
    return s.str();
}

void positive(const std::string& where, const char* name, double v, const char* unit) {
    if (!(v > 0) || !std::isfinite(v))
        throw Error(where,
                    std::string(name) + " is " + number(v) + ", expected a number > 0 " + unit);
}

void notNegative(const std::string& where, const char* name, double v, const char* unit) {
    if (!(v >= 0) || !std::isfinite(v))
        throw Error(where,
                    std::string(name) + " is " + number(v) + ", expected a number >= 0 " + unit);
}

void checkYarns(const Scene& s, const std::string& name) {
    const Curves& c = s.yarns;
    if (c.yarns() == 0) throw Error(name, "holds no curve, expected at least one yarn");
    for (Index y = 0; y < c.yarns(); ++y) {
        const std::string yarn = name + ": yarn " + std::to_string(y);
        const Index least = c.closed[y] ? 3 : 2;
        if (c.size(y) < least)
            throw Error(yarn, "has " + std::to_string(c.size(y)) + " point" +
                                  (c.size(y) == 1 ? "" : "s") + ", expected at least " +
                                  std::to_string(least));
        positive(yarn, "radius (pscale)", c.radius[y], "m");
        for (Index i = 0; i < c.size(y); ++i) {
            const Index p = c.first[y] + i;
            const std::string point = yarn + ", point " + std::to_string(i);
            if (!c.x[p].allFinite())
                throw Error(point, "P is (" + number(c.x[p].x()) + ", " + number(c.x[p].y()) +
                                       ", " + number(c.x[p].z()) + "), expected finite numbers");
            if (i + 1 < c.size(y) || c.closed[y]) {
                const Index q = c.first[y] + (i + 1) % c.size(y);
                const auto& rest = s.rest.empty() ? c.x : s.rest;
                const double l = (rest[q] - rest[p]).norm(), now = (c.x[q] - c.x[p]).norm();
                if (!(l > 1e-3 * c.radius[y]) || !(now > 1e-3 * c.radius[y]))
                    throw Error(point, "lies " + number(std::min(l, now)) +
                                           " m from the next, expected more than " +
                                           number(1e-3 * c.radius[y]) +
                                           " m (a thousandth of the radius)");
            }
        }
    }
}

void checkSettings(const Settings& s) {
    positive("settings.time", "fps", s.time.fps, "frames a second");
    positive("settings.time", "timescale", s.time.timeScale, "");
    if (s.time.substeps < 0)
        throw Error("settings.time", "substeps is " + std::to_string(s.time.substeps) +
                                         ", expected 0 (automatic) or more");
    if (!s.forces.gravity.allFinite()) throw Error("settings.forces", "gravity is not finite");
    if (!s.forces.wind.allFinite()) throw Error("settings.forces", "wind is not finite");
    notNegative("settings.damping", "proportional", s.damping.proportional, "1/s");
    notNegative("settings.damping", "constant", s.damping.constant, "m/s2");
    notNegative("settings.collision", "friction", s.collision.friction, "");
    notNegative("settings.contact", "friction", s.contact.friction, "");
    if (!(s.contact.tau >= 0 && s.contact.tau <= 1))
        throw Error("settings.contact", "accuracy is " + std::to_string(s.contact.tau) +
                                            ", expected 0 (exact each step) to 1; 0.04 is usual");
    const StepSettings& step = s.step;
    if (!(step.liveliness >= 0 && step.liveliness <= 1))
        throw Error("settings.integrator", "liveliness is " + std::to_string(step.liveliness) +
                                               ", expected 0 (calm) to 1 (lively)");
    positive("settings.integrator", "max_step", step.maxStep, "s");
    if (!(step.tolerance > 0 && step.tolerance < 1))
        throw Error("settings.integrator", "tolerance is " + std::to_string(step.tolerance) +
                                               ", expected more than 0 and less than 1");
    if (!(s.contact.stiffenBelow >= 0 && s.contact.stiffenBelow < 1))
        throw Error("settings.contact", "stiffen_below is " +
                                            std::to_string(s.contact.stiffenBelow) +
                                            ", expected a share of r_a + r_b from 0 (off) to 1");
    notNegative("settings.contact", "stiffen_factor", s.contact.stiffenFactor, "");
    if (s.contact.quadrature < 2 || s.contact.quadrature > 11) // 121 bits cover a pair of segments
        throw Error("settings.contact", "quadrature is " + std::to_string(s.contact.quadrature) +
                                            ", expected 2 to 11 points a segment");
}

} // namespace

void validate(const Scene& s, const std::string& name) {
    checkYarns(s, name);
    checkSettings(s.settings);
    const Index n = s.yarns.points();
    if (!s.rest.empty() && static_cast<Index>(s.rest.size()) != n)
        throw Error(name, "rest has " + std::to_string(s.rest.size()) + " points, expected " +
                              std::to_string(n));
    for (std::size_t y = 0; y < s.material.size(); ++y) {
        const std::string where =
            name + ": yarn " + std::to_string(y) + ", material " + s.material[y].name;
        positive(where, "density", s.material[y].density, "kg/m");
        positive(where, "bend stiffness", s.material[y].bendStiffness, "N m2");
        positive(where, "twist stiffness", s.material[y].twistStiffness, "N m2");
        notNegative(where, "contact stiffness", s.material[y].contactStiffness, "N/m");
        notNegative(where, "stretch stiffness", s.material[y].stretchStiffness, "N");
    }
    for (const Weld& w : s.welds)
        if (w.a < 0 || w.b < 0 || w.a >= n || w.b >= n)
            throw Error(name, "weld of points " + std::to_string(w.a) + " and " +
                                  std::to_string(w.b) + ", expected numbers from 0 to " +
                                  std::to_string(n - 1));
    for (const Goal& g : s.goals)
        notNegative(name + ": point " + std::to_string(g.node), "target stiffness",
                    g.stiffness * g.weight, "N/m");
}

} // namespace purl
