// What the benchmarks of the cloth solver share: their flags and the sheet they step.
#pragma once

#include "purl/cloth/models.h"
#include "purl/cloth/self_collision.h"
#include "purl/cloth/sheets.h"
#include "purl/cloth/solver.h"
#include "purl/collide/shapes.h"

#include <nlohmann/json.hpp>

namespace purl::cli {

struct ClothBenchFlags {
    bool json = false, solver = false, threads = false, growth = false;
    bool drop = false, sleeve = false;
    std::string picture;
    int check = 1;
    double seconds = 0;
    int cells = 100, repeat = 5;
    long largest = 250000;
    std::string preset = "cotton";
    double tolerance = 1e-6, dt = 1.0 / 96;
};

inline std::unique_ptr<ClothSolver> sheetOf(const FlatSheet& s, const ClothMaterial& m) {
    std::vector<std::unique_ptr<ClothEnergy>> list;
    list.push_back(makeInPlane(InPlaneModel::StVK, s.mesh, m));
    list.push_back(makeBending(BendingModel::DiscreteShells, s.mesh, m));
    const std::vector<double> density{m.areaDensity};
    return std::make_unique<ClothSolver>(s.mesh, s.x, density, std::move(list), ClothSettings());
}

// A square of 1 m that has begun to drape over a ball, whatever its resolution.
struct BenchSheet {
    SphereCollider ball{{0, -0.2505, 0}, 0.25};
    std::unique_ptr<ClothSolver> solver;
    FlatSheet sheet;
    BenchSheet(FlatSheet s, const ClothMaterial& m, bool self) : sheet(std::move(s)) {
        solver = sheetOf(sheet, m);
        solver->setColliders({{&ball, {}}});
        if (self)
            solver->setCollisionHook(
                std::make_unique<CollisionHookOf<SelfCollision>>(sheet.mesh, sheet.x));
    }
};

// MPCG against Eigen's conjugate gradients on one system.
nlohmann::ordered_json benchClothSolver(const ClothBenchFlags& f);

} // namespace purl::cli
