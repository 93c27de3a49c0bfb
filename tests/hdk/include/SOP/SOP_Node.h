#pragma once
#include "GU/GU_DetailHandle.h"
#include "OP/OP_Node.h"
class SOP_NodeVerb;
class SOP_NodeCache;
class SOP_Node : public OP_Network {
public:
    SOP_Node(OP_Network* parent, const char* name, OP_Operator* op);
    ~SOP_Node() override;
    virtual const SOP_NodeVerb* cookVerb() const { return nullptr; }
    void fillInfoTreeNodeSpecific(UT_InfoTree& tree, const OP_NodeInfoTreeParms& parms) override {
        OP_Network::fillInfoTreeNodeSpecific(tree, parms);
    }

    // Not of the HDK: asks for the geometry at a time; cooks only if something changed.
    GU_ConstDetailHandle cooked(OP_Context& context);
    int cooks = 0; // how often it had to
    SOP_NodeCache* verbCache() const { return cache_.get(); }

protected:
    virtual OP_ERROR cookMySop(OP_Context& context) = 0;
    OP_ERROR cookMyselfAsVerb(OP_Context& context);
    GU_Detail* gdp = nullptr;

private:
    GU_DetailHandle handle_;
    std::unique_ptr<SOP_NodeCache> cache_;
    fpreal cookedTime_ = -1e30;
    exint cookedVersion_ = -1;
};
