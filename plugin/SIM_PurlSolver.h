// Purl as a DOP solver of an object.
#pragma once

#include <SIM/SIM_DataUtils.h>
#include <SIM/SIM_OptionsUser.h>
#include <SIM/SIM_SingleSolver.h>

class SIM_PurlSolver : public SIM_SingleSolver, public SIM_OptionsUser {
protected:
    explicit SIM_PurlSolver(const SIM_DataFactory* factory);
    SIM_Result solveSingleObjectSubclass(SIM_Engine& engine, SIM_Object& object,
                                         SIM_ObjectArray& feedbacktoobjects,
                                         const SIM_Time& timestep, bool newobject) override;

private:
    static const SIM_DopDescription* getDopDescription();
    DECLARE_STANDARD_GETCASTTOTYPE();
    DECLARE_DATAFACTORY(SIM_PurlSolver, SIM_SingleSolver, "Purl Solver", getDopDescription());
};
