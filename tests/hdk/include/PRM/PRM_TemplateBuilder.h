#pragma once
#include "PRM/PRM_Template.h"
#include "UT/UT_StringHolder.h"
class PRM_TemplateBuilder {
public:
    PRM_TemplateBuilder(const UT_StringHolder& name, const char* dialogScript);
    PRM_Template* templates() const { return const_cast<PRM_Template*>(&template_); }
    bool justBuilt() const { return false; }

private:
    PRM_Template template_;
};
