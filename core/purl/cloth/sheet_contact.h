// Contacts of a sheet with itself, solved on the positions at the end of the step: each asks for a
// gap along its normal and takes Coulomb friction from what slides. Gauss-Seidel by colours: no two
// contacts of a colour share a point, so a colour may run on any number of threads.
#pragma once

#include "purl/base/types.h"

#include <array>

namespace purl {

struct SheetContact {
    std::array<Index, 4> node;
    std::array<double, 4> weight; // gap vector: sum of weight * x
    Vec3 normal;                  // unit
    double stop = 0;              // m, the gap that must be left at the end of the step
    double push = 0;              // m, the gap wanted there; more than `stop` leaves no speed
};

struct ContactWork {
    Span<const Vec3> x0; // m
    Span<Vec3> x1;       // m, changed
    Span<Vec3> pushed;   // m, per point: the part of the change that shall leave no speed
    Span<const double> inverseMass;
    double friction = 0;
};

// Makes `contacts` hold, as far as `sweeps` go. Returns how often one was applied.
long solveContacts(std::vector<SheetContact>& contacts, int sweeps, const ContactWork& work);

} // namespace purl
