#pragma once
#include "SIM/SIM_OptionsUser.h"
#include "SIM/SIM_SingleSolver.h"
class GAS_SubSolver : public SIM_Solver, public SIM_OptionsUser {
public:
    explicit GAS_SubSolver(const SIM_DataFactory* f) : SIM_Solver(f), SIM_OptionsUser(this) {}
    // Not of the HDK: what a test calls.
    bool solveGas(SIM_Engine& e, SIM_Object* o, SIM_Time t, SIM_Time step) {
        return solveGasSubclass(e, o, t, step);
    }

protected:
    virtual bool solveGasSubclass(SIM_Engine& engine, SIM_Object* obj, SIM_Time time,
                                  SIM_Time timestep) = 0;
    static void setGasDescription(SIM_DopDescription&) {}
};
