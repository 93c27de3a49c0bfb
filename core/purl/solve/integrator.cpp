#include "purl/solve/integrator.h"

#include "purl/base/error.h"
#include "purl/solve/explicit_step.h"
#include "purl/solve/implicit_step.h"

namespace purl {

const std::vector<Scheme>& schemes() {
    static const std::vector<Scheme> all = {
        Scheme::SymplecticEuler, Scheme::Leapfrog,       Scheme::Midpoint,      Scheme::RungeKutta4,
        Scheme::AdamsBashforth2, Scheme::LinearImplicit, Scheme::BackwardEuler, Scheme::Bdf2,
        Scheme::CrankNicolson,   Scheme::Newmark,        Scheme::AdamsMoulton2};
    return all;
}

const char* name(Scheme s) {
    switch (s) {
    case Scheme::SymplecticEuler:
        return "symplectic_euler";
    case Scheme::Leapfrog:
        return "leapfrog";
    case Scheme::Midpoint:
        return "midpoint";
    case Scheme::RungeKutta4:
        return "rk4";
    case Scheme::AdamsBashforth2:
        return "adams_bashforth2";
    case Scheme::LinearImplicit:
        return "linear_implicit";
    case Scheme::BackwardEuler:
        return "backward_euler";
    case Scheme::Bdf2:
        return "bdf2";
    case Scheme::CrankNicolson:
        return "crank_nicolson";
    case Scheme::Newmark:
        return "newmark";
    case Scheme::AdamsMoulton2:
        return "adams_moulton2";
    }
    return "";
}

Scheme schemeOf(const std::string& wanted, const std::string& where) {
    std::string all;
    for (Scheme s : schemes()) {
        if (wanted == name(s)) return s;
        all += std::string(all.empty() ? "" : ", ") + name(s);
    }
    throw Error(where, "integrator '" + wanted + "', expected one of " + all);
}

bool isImplicit(Scheme s) {
    switch (s) {
    case Scheme::SymplecticEuler:
    case Scheme::Leapfrog:
    case Scheme::Midpoint:
    case Scheme::RungeKutta4:
    case Scheme::AdamsBashforth2:
        return false;
    default:
        return true;
    }
}

std::unique_ptr<Integrator> makeIntegrator(const IntegratorSettings& s) {
    if (!(s.newmarkGamma >= 0.5 && s.newmarkGamma <= 1))
        throw Error("integrator",
                    "newmark gamma " + std::to_string(s.newmarkGamma) + ", expected 0.5 to 1");
    if (isImplicit(s.scheme)) return std::make_unique<ImplicitStep>(s);
    return std::make_unique<ExplicitStep>(s.scheme);
}

} // namespace purl
