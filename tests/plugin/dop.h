// A DOP object and a solver of ours, stepped as an engine does.
#pragma once

#include "net.h"
#include "plugin/GAS_PurlSolver.h"
#include "plugin/SIM_PurlSolver.h"
#include "plugin/SIM_PurlState.h"

extern "C" void initializeSIM(void*);

namespace purl::test {

inline std::shared_ptr<SIM_GeometryCopy> geometryData(const Detail& d) {
    auto geometry = std::make_shared<SIM_GeometryCopy>(nullptr);
    geometry->handle.allocateAndSet(new GU_Detail);
    houdini::appendGeometry(*geometry->handle.gdpNC(), d);
    return geometry;
}

struct Dop {
    double fps;
    SIM_Engine engine;
    SIM_Object object;
    std::shared_ptr<SIM_Data> solver;
    explicit Dop(const Detail& input, double framesASecond,
                 const std::string& type = "SIM_PurlSolver")
        : fps(framesASecond) {
        initializeSIM(nullptr);
        object.subdata[SIM_GEOMETRY_DATANAME] = geometryData(input);
        solver.reset(hdk::factories().at(type)());
        const SIM_DopDescription* d = type == "SIM_PurlSolver" ? SIM_PurlSolver::dopDescription()
                                                               : GAS_PurlSolver::dopDescription();
        for (const auto& p : d->templates->parms)
            for (const std::string& v : p.defaults) options().values[p.name].emplace_back(v);
        set("gravity", "-9.80665", 1);
        set("useground", "1");
    }
    SIM_Options& options() { return dynamic_cast<SIM_OptionsUser&>(*solver).options; }
    void set(const char* name, const std::string& value, int i = 0) {
        options().values.at(name).at(i) = UT_StringHolder(value);
    }
    bool step(bool isNew) {
        SIM_ObjectArray none;
        return static_cast<SIM_SingleSolver&>(*solver).solveSingleObject(
                   engine, object, none, SIM_Time(1 / fps), isNew) ==
               SIM_Solver::SIM_SOLVER_SUCCESS;
    }
    Detail geometry() const {
        return houdini::readGeometry(*object.getGeometry()->getGeometry().gdp());
    }
    std::string said() const { return solver->said.empty() ? "" : solver->said.back().second; }
    SIM_PurlState& state() {
        return static_cast<SIM_PurlState&>(*object.getNamedSubData("PurlState"));
    }
    // What an engine's cache does with a step: copies of all data, and later those put back.
    struct Kept {
        std::shared_ptr<SIM_Data> state;
        Detail geometry;
    };
    Kept keep() {
        Kept k{std::shared_ptr<SIM_Data>(hdk::factories().at("SIM_PurlState")()), geometry()};
        k.state->makeEqual(&state());
        return k;
    }
    void goBack(const Kept& k) {
        object.subdata["PurlState"] = k.state;
        object.subdata[SIM_GEOMETRY_DATANAME] = geometryData(k.geometry);
    }
};

} // namespace purl::test
