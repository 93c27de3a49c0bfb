// Purl as a microsolver: one step for the object it is given.
#pragma once

#include <GAS/GAS_SubSolver.h>

class GAS_PurlSolver : public GAS_SubSolver {
protected:
    explicit GAS_PurlSolver(const SIM_DataFactory* factory);
    bool solveGasSubclass(SIM_Engine& engine, SIM_Object* obj, SIM_Time time,
                          SIM_Time timestep) override;

private:
    static const SIM_DopDescription* getDopDescription();
    DECLARE_STANDARD_GETCASTTOTYPE();
    DECLARE_DATAFACTORY(GAS_PurlSolver, GAS_SubSolver, "Gas Purl", getDopDescription());
};
