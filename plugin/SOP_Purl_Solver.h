// Purl Solver: frames in any order. The node's cook goes through the frames that are missing, each
// with its inputs at its own time; the verb solves one frame and keeps it in the node's cache.
#pragma once

#include "purl/host/session.h"

#include <SOP/SOP_NodeVerb.h>

namespace purl::houdini {

class SolverCache final : public SOP_NodeCache {
public:
    std::shared_ptr<Session> session = std::make_shared<Session>();
    GU_DetailHandle start; // geometry of the start frame: what comes out, with the state put in
    bool resetSaid = false;
    int64 getMemoryUsage(bool inclusive) const override;
};

constexpr const char* kBeganAnew = "the input or a parameter changed: the simulation began anew";

const SOP_NodeVerb* solverVerb();

class SOP_Purl_Solver final : public SOP_Node {
public:
    static OP_Node* make(OP_Network* network, const char* name, OP_Operator* op);
    const SOP_NodeVerb* cookVerb() const override;
    void fillInfoTreeNodeSpecific(UT_InfoTree& tree, const OP_NodeInfoTreeParms& parms) override;
    void setSession(const std::shared_ptr<Session>& session) { session_ = session; }

protected:
    OP_ERROR cookMySop(OP_Context& context) override;

private:
    SOP_Purl_Solver(OP_Network* network, const char* name, OP_Operator* op)
        : SOP_Node(network, name, op) {}
    bool cookFrame(int frame, OP_Context& context);
    SessionSettings physicsAt(int frame) const;
    std::uint64_t startKey(int start) const;
    bool otherKeys(const Session& session) const;

    std::weak_ptr<Session> session_; // the cache's; for the order of frames and the info text
    std::uint64_t startKey_ = 0;     // of its run
};

} // namespace purl::houdini
