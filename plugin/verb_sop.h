// A SOP that does all its work in a verb. Verb has `static const SOP_NodeVerb::Register<Verb>
// theVerb`.
#pragma once

#include <OP/OP_Operator.h>
#include <SOP/SOP_NodeVerb.h>

namespace purl::houdini {

template <class Verb>
class VerbSop : public SOP_Node {
public:
    static OP_Node* make(OP_Network* network, const char* name, OP_Operator* op) {
        return new VerbSop(network, name, op);
    }
    const SOP_NodeVerb* cookVerb() const override { return Verb::theVerb.get(); }

protected:
    VerbSop(OP_Network* network, const char* name, OP_Operator* op) : SOP_Node(network, name, op) {}
    OP_ERROR cookMySop(OP_Context& context) override { return cookMyselfAsVerb(context); }
};

constexpr const char* kTabMenu = "Purl";
constexpr const char* kIcon = "SOP_purl";

} // namespace purl::houdini
