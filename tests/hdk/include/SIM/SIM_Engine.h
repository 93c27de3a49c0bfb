#pragma once
#include "SIM/SIM_Object.h"
class SIM_Engine {
public:
    const SIM_Time& getSimulationTime() const { return time; }
    SIM_Time time; // not of the HDK
};
