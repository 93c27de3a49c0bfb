#pragma once
#include "SYS/SYS_Types.h"
class OP_Node;
class OP_NodeParms {
public:
    virtual ~OP_NodeParms() = default;
    virtual void load(const OP_Node& node,
                      fpreal t) = 0; // not of the HDK: generated classes fill it
};
class OP_NodeCache {
public:
    virtual ~OP_NodeCache() = default;
    virtual int64 getMemoryUsage(bool inclusive) const { return inclusive ? sizeof(*this) : 0; }
};
