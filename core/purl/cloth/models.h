// The cloth models by name. A new model is one file behind ClothEnergy, one enumerator and one line
// in models.cpp.
#pragma once

#include "purl/cloth/energy.h"
#include "purl/cloth/material.h"
#include "purl/cloth/mesh.h"

#include <memory>

namespace purl {

enum class InPlaneModel {
    StVK,         // orthotropic Saint Venant-Kirchhoff (physics 6.3)
    BaraffWitkin, // stretch and shear conditions (6.2)
    Corotated,    // corotated linear finite elements (6.4)
    Springs       // Provot's mass-springs, with Choi and Ko's compression as an option
};

enum class BendingModel {
    DiscreteShells, // 6.5
    BaraffWitkin,   // dihedral, no metric factor
    Bridson,        // bending mode with rest angles
    Quadratic,      // Bergou: isometric bending
    Linear,         // Volino
    Loop,           // thin-shell subdivision finite elements (6.6)
    Springs,        // Provot's flexion springs
    ChoiKo          // buckling springs
};

// Throw Error on a material or mesh the model cannot take. The energies keep what they need: mesh,
// material and paint may go.
std::unique_ptr<ClothEnergy> makeInPlane(InPlaneModel, const ClothMesh&, const ClothMaterial&,
                                         const ClothPaint& = {});
std::unique_ptr<ClothEnergy> makeBending(BendingModel, const ClothMesh&, const ClothMaterial&,
                                         const ClothPaint& = {});

// Names as scenes and parameters spell them ("stvk", "discrete_shells").
const char* name(InPlaneModel);
const char* name(BendingModel);
// Throw Error naming the models there are; `where` says which key asked.
InPlaneModel inPlaneModel(const std::string& name, const std::string& where);
BendingModel bendingModel(const std::string& name, const std::string& where);
const std::vector<InPlaneModel>& inPlaneModels();
const std::vector<BendingModel>& bendingModels();

} // namespace purl
