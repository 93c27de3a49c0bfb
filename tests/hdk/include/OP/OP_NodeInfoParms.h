#pragma once
#include "SYS/SYS_Types.h"
class OP_NodeInfoTreeParms {
public:
    fpreal getTime() const { return time; }
    fpreal time = 0; // not of the HDK
};
