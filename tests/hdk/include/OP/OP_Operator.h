#pragma once
#include "OP/OP_Node.h"
#include "PRM/PRM_Template.h"
class CH_LocalVariable;
using OP_Constructor = OP_Node* (*)(OP_Network*, const char*, OP_Operator*);
enum { OP_FLAG_GENERATOR = 2 };
class OP_Operator {
public:
    OP_Operator(const char* name, const char* english, OP_Constructor construct,
                PRM_Template* templates, unsigned minSources, unsigned maxSources = 9999,
                CH_LocalVariable* variables = nullptr, unsigned flags = 0,
                const char** inputLabels = nullptr, int maxOutputs = 1,
                const char* tabSubmenu = nullptr);
    virtual ~OP_Operator() = default;
    void setIconName(const UT_StringHolder& icon) { this->icon = icon; }
    // Not of the HDK.
    std::string name, english, submenu;
    std::vector<std::string> labels;
    OP_Constructor construct;
    PRM_Template* templates;
    unsigned minSources, maxSources;
    UT_StringHolder icon;
};
