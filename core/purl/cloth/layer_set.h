// Which layers press on each other in a step (layer_terms.h): from what is near at its start, and
// after each solve by what that one left: terms that pull are let go, pairs that would still meet
// come in, friction follows the pressure. So contact is part of the implicit solve (active set, as
// Otaduy et al. 2009 iterate it), not a correction of its answer.
#pragma once

#include "purl/cloth/layer_terms.h"
#include "purl/cloth/sheet_contact.h"

namespace purl {

struct LayerStep {
    Span<const Vec3> x0, v0; // m, m/s, at the start
    Span<const double> inverseMass;
    double dt = 0; // s
};

// Adds what is near at the start.
void addNear(const std::vector<SheetContact>& near, double friction, const LayerStep& step,
             LayerTerms& terms);

// Adds pairs that would meet on the way to x1; those that are in already press harder. False if
// there is none that could give way.
bool addHits(const std::vector<SheetContact>& hits, double friction, Span<const Vec3> x1,
             const LayerStep& step, LayerTerms& terms);

// Node, weight, normal, target, carried and friction of a term are given: how stiff it is and how
// it rubs if its points end at x1. False if no point of it can move. An `old` term that was active
// and did not suffice makes it harder.
bool press(LayerTerm& term, const LayerTerm* old, Span<const Vec3> x1, const LayerStep& step);

// Lets go of what pulls at x1, sets friction to the pressure. True if what pulled took the sheet
// further than `reach` (m) from where it would be.
bool settle(Span<const Vec3> x1, const LayerStep& step, double reach, LayerTerms& terms);

} // namespace purl
