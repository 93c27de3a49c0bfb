// Triangles that behave like a fabric, measured on a tile of it (physics 8.5): uniform strains and
// cylindrical bends are imposed on the tile's border, the inside finds its rest, and the energies
// of the inside are matched by an orthotropic sheet, by weighted least squares. Yarns do not slide:
// in the ring where triangles and yarns meet they do not either.
#pragma once

#include "purl/base/monitor.h"
#include "purl/cloth/material.h"
#include "purl/crossing/draft.h"
#include "purl/crossing/fabric_layout.h"

namespace purl {

struct FitSettings {
    Index threads = 24;                            // of the tile, either way
    std::vector<double> strains{0.01, 0.02, 0.05}; // stretches and shears
    std::vector<double> bends{10, 20, 40};         // 1/m
    double border = 3;                             // spacings along the tile's edge that are held
    int steps = 60;                                // to rest, of each sample at most
};

struct FitSample {
    double warp = 0, weft = 0, shear = 0; // Green strains, shear: the angle's
    double bendWarp = 0, bendWeft = 0;    // 1/m
    double energy = 0, fitted = 0;        // J/m2, measured and of the sheet
};

struct FabricFit {
    ClothMaterial material;
    std::vector<FitSample> samples;
    double residualInPlane = 0, residualBend = 0; // RMS of (fitted - energy) / energy
};

// Throws Error if the tile cannot be laid.
FabricFit fitTriangles(const Draft& draft, const LayoutSettings& layout,
                       const FitSettings& settings, Monitor& monitor);

} // namespace purl
