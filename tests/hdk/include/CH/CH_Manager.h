#pragma once
#include "SYS/SYS_Types.h"
class CH_Manager {
public:
    fpreal getSamplesPerSec() const { return fps; }
    fpreal getSample(fpreal time) const { return time * fps + 1; }
    fpreal getTime(fpreal sample) const { return (sample - 1) / fps; }
    fpreal fps = 24; // not of the HDK
};
CH_Manager* CHgetManager();
