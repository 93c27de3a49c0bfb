#pragma once
#include "SIM/SIM_Engine.h"
class SIM_Solver : public SIM_Data {
public:
    enum SIM_Result { SIM_SOLVER_SUCCESS, SIM_SOLVER_REPEAT, SIM_SOLVER_SUBSTEP, SIM_SOLVER_FAIL };
    using SIM_Data::SIM_Data;
};
class SIM_SingleSolver : public SIM_Solver {
public:
    using SIM_Solver::SIM_Solver;
    SIM_Result solveSingleObject(SIM_Engine& engine, SIM_Object& object, SIM_ObjectArray& feedback,
                                 const SIM_Time& step, bool isNew) {
        return solveSingleObjectSubclass(engine, object, feedback, step, isNew);
    }

protected:
    virtual SIM_Result solveSingleObjectSubclass(SIM_Engine& engine, SIM_Object& object,
                                                 SIM_ObjectArray& feedbacktoobjects,
                                                 const SIM_Time& timestep, bool newobject) = 0;
};
