// Makes room for the yarn's thickness: inflates thin strands to their radius while pushing apart
// what would overlap, keeping them smooth and evenly spaced. Purely geometric.
#pragma once

#include "purl/pattern/strands.h"

namespace purl {

struct RelaxSettings {
    double radius = 0;      // m, of every strand
    double margin = 0.015;  // gap aimed at, as a part of 2 radius
    double smooth = 0.05;   // strength of the bending pass, 0..1
    double evenness = 0.1;  // strength of the spacing pass, 0..1
    double momentum = 0.7;  // part of the last step that goes on
    int sweeps = 300;       // of the inflation
    int settle = 1200;      // at most, at full radius, contact taking over from smoothness
    double startRadius = 0; // m; 0: what the given shape can hold
};

// Arc (m) under which two points of a strand are not held apart (physics 3.4, without the segment
// rule, which is laxer).
double exclusionArc(double radius);

// Moves the free points of `strands`; crossings are kept because no point moves by more than a
// small part of the distance held, and because it gives up (with that distance) where strands are
// pressed deep into each other. Returns the smallest distance (m) of two centre lines.
double relax(Strands&, const RelaxSettings&);

// Relaxes the free border of a piece cut from a tile that fits: quickly, and with patience if need
// be. Returns as relax.
double relaxBorder(Strands&, double radius);

// The smallest distance (m) between strands, by dense sampling; `reach` if none is nearer.
double clearance(const Strands&, double radius, double reach);

} // namespace purl
