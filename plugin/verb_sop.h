// What every SOP of ours is made of: a verb that does its work with errors as messages on the node,
// a node that cooks by it, and its entry in Houdini's table. A Verb derives from PurlVerb and has
// kName, kMode and work().
#pragma once

#include "plugin/cook.h"

#include <OP/OP_Operator.h>
#include <PRM/PRM_TemplateBuilder.h>

#include <type_traits>

namespace purl::houdini {

template <class Verb, class Parms, class Cache = void>
class PurlVerb : public SOP_NodeVerb {
public:
    static const SOP_NodeVerb::Register<Verb> theVerb;
    SOP_NodeParms* allocParms() const override { return new Parms(); }
    SOP_NodeCache* allocCache() const override {
        if constexpr (std::is_void_v<Cache>)
            return SOP_NodeVerb::allocCache();
        else
            return new Cache();
    }
    UT_StringHolder name() const override { return UT_StringHolder(Verb::kName); }
    CookMode cookMode(const SOP_NodeParms*) const override { return Verb::kMode; }
    void cook(const CookParms& cook) const override {
        guarded(cook, [&] { Verb::work(cook); });
    }
};

template <class Verb, class Parms, class Cache>
const SOP_NodeVerb::Register<Verb> PurlVerb<Verb, Parms, Cache>::theVerb;

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

// The entry in Houdini's table. Labels end in a null; all but the first `least` inputs are
// optional.
template <class Verb, std::size_t N>
OP_Operator* operatorOf(const char* label, PRM_Template* templates, const char* (&inputs)[N],
                        unsigned least, OP_Constructor make = VerbSop<Verb>::make) {
    auto* op = new OP_Operator(Verb::kName, label, make, templates, least, N - 1, nullptr,
                               least == 0 ? OP_FLAG_GENERATOR : 0, inputs, 1, "Purl");
    op->setIconName("SOP_purl");
    return op;
}

} // namespace purl::houdini
