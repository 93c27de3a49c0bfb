#include "purl/cloth/models.h"

#include "purl/base/error.h"
#include "purl/cloth/baraff_witkin.h"
#include "purl/cloth/bridson.h"
#include "purl/cloth/choi_ko.h"
#include "purl/cloth/corotated.h"
#include "purl/cloth/dihedral_bend.h"
#include "purl/cloth/discrete_shells.h"
#include "purl/cloth/linear_bend.h"
#include "purl/cloth/loop_shell.h"
#include "purl/cloth/quadratic_bend.h"
#include "purl/cloth/springs.h"
#include "purl/cloth/stvk.h"

namespace purl {

namespace {

using Make = std::unique_ptr<ClothEnergy> (*)(const ClothMesh&, const ClothMaterial&,
                                              const ClothPaint&);

template <class Model>
struct Entry {
    Model model;
    const char* name;
    Make make;
};

const Entry<InPlaneModel> inPlane[] = {
    {InPlaneModel::StVK, "stvk", cloth::makeStVK},
    {InPlaneModel::BaraffWitkin, "baraff_witkin", cloth::makeBaraffWitkin},
    {InPlaneModel::Corotated, "corotated", cloth::makeCorotated},
    {InPlaneModel::Springs, "springs", cloth::makeSprings},
};

const Entry<BendingModel> bending[] = {
    {BendingModel::DiscreteShells, "discrete_shells", cloth::makeDiscreteShells},
    {BendingModel::BaraffWitkin, "baraff_witkin", cloth::makeDihedralBend},
    {BendingModel::Bridson, "bridson", cloth::makeBridson},
    {BendingModel::Quadratic, "quadratic", cloth::makeQuadraticBend},
    {BendingModel::Linear, "linear", cloth::makeLinearBend},
    {BendingModel::Loop, "loop", cloth::makeLoopShell},
    {BendingModel::Springs, "springs", cloth::makeFlexionSprings},
    {BendingModel::ChoiKo, "choi_ko", cloth::makeChoiKo},
};

template <class Model, std::size_t N>
const Entry<Model>& entry(const Entry<Model> (&all)[N], Model model) {
    for (const auto& e : all)
        if (e.model == model) return e;
    throw Error("cloth",
                "model number " + std::to_string(static_cast<int>(model)) + " is not known");
}

template <class Model, std::size_t N>
Model byName(const Entry<Model> (&all)[N], const std::string& name, const std::string& where) {
    std::string known;
    for (const auto& e : all) {
        if (name == e.name) return e.model;
        known += (known.empty() ? "" : ", ") + std::string(e.name);
    }
    throw Error(where, "'" + name + "' is not a cloth model, expected one of " + known);
}

template <class Model, std::size_t N>
std::vector<Model> listed(const Entry<Model> (&all)[N]) {
    std::vector<Model> r;
    for (const auto& e : all) r.push_back(e.model);
    return r;
}

void check(const ClothMesh& mesh, const ClothMaterial& m, const ClothPaint& paint) {
    checkMaterial(m);
    const auto faces = mesh.triangles.size();
    if (mesh.rest.size() != faces)
        throw Error("cloth", std::to_string(faces) + " triangles, but rest shapes of " +
                                 std::to_string(mesh.rest.size()));
    for (const auto* list : {&paint.stretch, &paint.bend}) {
        if (list->empty()) continue;
        if (list->size() != faces)
            throw Error("cloth", std::to_string(faces) + " triangles, but painted stiffness of " +
                                     std::to_string(list->size()));
        for (std::size_t t = 0; t < faces; ++t)
            if (!((*list)[t] >= 0) || !std::isfinite((*list)[t]))
                throw Error("cloth: triangle " + std::to_string(t), "painted stiffness is " +
                                                                        std::to_string((*list)[t]) +
                                                                        ", expected a factor >= 0");
    }
}

} // namespace

std::unique_ptr<ClothEnergy> makeInPlane(InPlaneModel model, const ClothMesh& mesh,
                                         const ClothMaterial& m, const ClothPaint& paint) {
    check(mesh, m, paint);
    return entry(inPlane, model).make(mesh, m, paint);
}

std::unique_ptr<ClothEnergy> makeBending(BendingModel model, const ClothMesh& mesh,
                                         const ClothMaterial& m, const ClothPaint& paint) {
    check(mesh, m, paint);
    return entry(bending, model).make(mesh, m, paint);
}

const char* name(InPlaneModel m) { return entry(inPlane, m).name; }
const char* name(BendingModel m) { return entry(bending, m).name; }

InPlaneModel inPlaneModel(const std::string& name, const std::string& where) {
    return byName(inPlane, name, where);
}
BendingModel bendingModel(const std::string& name, const std::string& where) {
    return byName(bending, name, where);
}

const std::vector<InPlaneModel>& inPlaneModels() {
    static const std::vector<InPlaneModel> all = listed(inPlane);
    return all;
}
const std::vector<BendingModel>& bendingModels() {
    static const std::vector<BendingModel> all = listed(bending);
    return all;
}

} // namespace purl
