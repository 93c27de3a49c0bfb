#include "plugin/GAS_PurlSolver.h"

#include "plugin/SIM_PurlState.h"
#include "plugin/dop_input.h"

GAS_PurlSolver::GAS_PurlSolver(const SIM_DataFactory* factory) : GAS_SubSolver(factory) {}

const SIM_DopDescription* GAS_PurlSolver::getDopDescription() {
    static SIM_DopDescription description(true, "purl_gas", "Gas Purl", "$OS", classname(),
                                          purl::houdini::dopTemplates());
    setGasDescription(description);
    return &description;
}

bool GAS_PurlSolver::solveGasSubclass(SIM_Engine&, SIM_Object* obj, SIM_Time, SIM_Time timestep) {
    if (!obj) return true;
    // A microsolver is not told of new objects: one without a state is new.
    const bool isNew = obj->getConstNamedSubData("PurlState") == nullptr;
    auto* state = SIM_DATA_CREATE(*obj, "PurlState", SIM_PurlState,
                                  SIM_DATA_RETURN_EXISTING | SIM_DATA_ADOPT_EXISTING_ON_DELETE);
    std::string problem;
    bool good = state && state->solve(*obj, getOptions(), timestep, isNew, problem);
    if (good && isNew) // it was to move, too
        good = state->solve(*obj, getOptions(), timestep, false, problem);
    if (!problem.empty())
        addError(nullptr, SIM_MESSAGE, problem.c_str(), good ? UT_ERROR_WARNING : UT_ERROR_ABORT);
    return good;
}
