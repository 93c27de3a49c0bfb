#pragma once
#include "SIM/SIM_Data.h"
class SIM_OptionsUser {
public:
    explicit SIM_OptionsUser(SIM_Data*) {}
    const SIM_Options& getOptions() const { return options; }
    SIM_Options options; // not of the HDK
};
