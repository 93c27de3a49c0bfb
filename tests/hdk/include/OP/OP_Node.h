#pragma once
#include "OP/OP_Context.h"
#include "OP/OP_Error.h"
#include "OP/OP_NodeInfoParms.h"
#include "UT/UT_Array.h"
#include "UT/UT_ErrorManager.h"
#include "UT/UT_InfoTree.h"
#include "UT/UT_StringHolder.h"
#include <functional>
#include <map>
#include <memory>
class OP_Operator;
class OP_Network;
class DEP_MicroNode;
class OP_NodeFlags {
public:
    void setTimeDep(bool on) { timeDep = on; }
    bool timeDep = false; // not of the HDK
};
class OP_Node {
public:
    OP_Node(OP_Network*, const char* name, OP_Operator* op);
    virtual ~OP_Node() = default;
    OP_NodeFlags& flags() { return flags_; }
    void getFullPath(UT_StringHolder& path) const { path = UT_StringHolder("/obj/" + name); }
    virtual void fillInfoTreeNodeSpecific(UT_InfoTree&, const OP_NodeInfoTreeParms&) {}
    int64 evalInt(const UT_StringRef& parm, int index, fpreal t) const;
    fpreal evalFloat(const UT_StringRef& parm, int index, fpreal t) const;
    bool isParmTimeDependent(const char* parm, int component = -1) const;
    void evalString(UT_StringHolder& value, const UT_StringRef& parm, int index, fpreal t) const;

    // Not of the HDK: the network as tests see it.
    std::string evaluated(const std::string& parm, int index, fpreal t) const;
    void setParm(const std::string& parm, int index, const std::string& value);
    using Curve = std::function<double(double frame)>;
    void key(const std::string& parm, int index, Curve curve); // null: no keys any more
    bool timeDependent() const;
    exint version() const; // of the node and of everything above it
    std::string name;
    OP_Operator* op;
    std::vector<OP_Node*> inputs;
    std::map<std::string, std::vector<std::string>> parms;
    std::map<std::pair<std::string, int>, Curve> keys;
    exint changes = 0;
    UT_ErrorManager errors;

private:
    OP_NodeFlags flags_;
};
class OP_Network : public OP_Node {
public:
    using OP_Node::OP_Node;
};
