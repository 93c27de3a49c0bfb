#pragma once
#include "OP/OP_NodeParms.h"
#include "SOP/SOP_Error.h"
#include "SOP/SOP_Node.h"
class SOP_NodeParms : public OP_NodeParms {};
class SOP_NodeCache : public OP_NodeCache {};
class SOP_NodeVerb {
public:
    enum CookMode {
        COOK_INPLACE,
        COOK_DUPLICATE,
        COOK_GENERATOR,
        COOK_INSTANCE,
        COOK_GENERIC,
        COOK_PASSTHROUGH
    };
    class CookParms {
    public:
        CookParms(GU_DetailHandle& gdh, const UT_Array<GU_ConstDetailHandle>& inputs,
                  SOP_Node* node, const OP_Context& context, const SOP_NodeParms* parms,
                  SOP_NodeCache* cache, UT_ErrorManager* errors)
            : gdh_(gdh), inputs_(inputs), node_(node), context_(context), parms_(parms),
              cache_(cache), errors_(errors) {}
        GU_DetailHandle& gdh() const { return gdh_; }
        exint nInputs() const { return inputs_.size(); }
        bool hasInput(exint i) const { return i < inputs_.size() && inputs_(i).isValid(); }
        const GU_Detail* inputGeo(exint i) const {
            return hasInput(i) ? inputs_(i).gdp() : nullptr;
        }
        GU_ConstDetailHandle inputGeoHandle(exint i) const {
            return hasInput(i) ? inputs_(i) : GU_ConstDetailHandle();
        }
        template <class T>
        const T& parms() const {
            return static_cast<const T&>(*parms_);
        }
        SOP_NodeCache* cache() const { return cache_; }
        fpreal getCookTime() const { return context_.getTime(); }
        const OP_Context& getContext() const { return context_; }
        SOP_Node* getNode() const { return node_; }
        UT_ErrorSeverity sopAddError(int, const char* text,
                                     const UT_SourceLocation* = nullptr) const {
            return errors_->add(UT_ERROR_ABORT, text);
        }
        UT_ErrorSeverity sopAddWarning(int, const char* text,
                                       const UT_SourceLocation* = nullptr) const {
            return errors_->add(UT_ERROR_WARNING, text);
        }
        UT_ErrorSeverity sopAddMessage(int, const char* text,
                                       const UT_SourceLocation* = nullptr) const {
            return errors_->add(UT_ERROR_MESSAGE, text);
        }

    private:
        GU_DetailHandle& gdh_;
        const UT_Array<GU_ConstDetailHandle>& inputs_;
        SOP_Node* node_;
        OP_Context context_;
        const SOP_NodeParms* parms_;
        SOP_NodeCache* cache_;
        UT_ErrorManager* errors_;
    };
    virtual ~SOP_NodeVerb() = default;
    virtual SOP_NodeParms* allocParms() const = 0;
    virtual SOP_NodeCache* allocCache() const { return nullptr; }
    virtual UT_StringHolder name() const = 0;
    virtual CookMode cookMode(const SOP_NodeParms*) const { return COOK_INPLACE; }
    virtual void cook(const CookParms& cookparms) const = 0;
    template <class V>
    class Register {
    public:
        const SOP_NodeVerb* get() const {
            static const V verb;
            return &verb;
        }
    };
};
