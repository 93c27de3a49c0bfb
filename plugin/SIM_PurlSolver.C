#include "plugin/SIM_PurlSolver.h"

#include "plugin/SIM_PurlState.h"
#include "plugin/dop_input.h"
#include "plugin/nodes.h"

#include <PRM/PRM_Include.h>
#include <PRM/PRM_TemplateBuilder.h>

#include <string>

namespace {

// The solver SOP's own parameters from the first to the last that is not about frames and caches,
// but with a gravity of 0: a network has a force of that kind.
std::string dopDialog() {
    const std::string all = purl::houdini::solverDialog();
    const std::size_t from = all.find("    parm {\n        name    \"mode\"");
    const std::size_t to = all.find("    group {\n        name  \"folder_cache\"");
    std::string own = all.substr(from, to - from);
    const std::string down = "\"-9.80665\"";
    own.replace(own.find(down), down.size(), "\"0\"");
    return "{\n    name    parameters\n" + own + "}\n";
}

} // namespace

PRM_Template* purl::houdini::dopTemplates() {
    static const std::string script = dopDialog();
    static PRM_TemplateBuilder templates("SIM_PurlSolver.C"_sh, script.c_str());
    return templates.templates();
}

SIM_PurlSolver::SIM_PurlSolver(const SIM_DataFactory* factory)
    : SIM_SingleSolver(factory), SIM_OptionsUser(this) {}

const SIM_DopDescription* SIM_PurlSolver::getDopDescription() {
    static SIM_DopDescription description(true, "purl_solver", "Purl Solver", SIM_SOLVER_DATANAME,
                                          classname(), purl::houdini::dopTemplates());
    return &description;
}

SIM_Solver::SIM_Result SIM_PurlSolver::solveSingleObjectSubclass(SIM_Engine&, SIM_Object& object,
                                                                 SIM_ObjectArray&,
                                                                 const SIM_Time& timestep,
                                                                 bool newobject) {
    auto* state = SIM_DATA_CREATE(object, "PurlState", SIM_PurlState,
                                  SIM_DATA_RETURN_EXISTING | SIM_DATA_ADOPT_EXISTING_ON_DELETE);
    std::string problem;
    const bool good = state && state->solve(object, getOptions(), timestep, newobject, problem);
    if (!problem.empty())
        addError(nullptr, SIM_MESSAGE, problem.c_str(), good ? UT_ERROR_WARNING : UT_ERROR_ABORT);
    return good ? SIM_SOLVER_SUCCESS : SIM_SOLVER_FAIL;
}
