// Purl Yarn: centre lines to tubes or plies for the render.
#include "plugin/geometry.h"
#include "plugin/nodes.h"
#include "plugin/verb_sop.h"
#include "purl/host/yarn_tubes.h"

#include "SOP_Purl_Yarn.proto.h"

#include <GU/GU_Detail.h>
#include <PRM/PRM_Include.h>

namespace purl::houdini {

namespace {

constexpr const char* theDsFile = R"THEDSFILE(
{
    name    parameters
    parm {
        name    "output"
        label   "Output"
        type    string
        default { "tube" }
        menu {
            "tube" "Tubes"
            "plies" "Ply Tubes"
            "plycurves" "Ply Curves"
        }
        help    "Polygon tubes of the whole yarn, polygon tubes of each ply, or the plies as curves with width for a curve renderer."
    }
    parm {
        name    "sides"
        label   "Sides"
        type    integer
        default { "8" }
        range   { 3! 32 }
        disablewhen "{ output == plycurves }"
        help    "Polygons around a tube. (count)"
    }
    parm {
        name    "pieces"
        label   "Pieces"
        type    integer
        default { "2" }
        range   { 1! 8 }
        help    "Smooth pieces of each segment of the centre line. (count)"
    }
    parm {
        name    "widthscale"
        label   "Width Scale"
        type    float
        default { "1" }
        range   { 0.1! 2 }
        help    "Multiplies the yarn's radius in the render only. (factor)"
    }
    parm {
        name    "plies"
        label   "Plies"
        type    integer
        default { "3" }
        range   { 2! 8 }
        disablewhen "{ output == tube }"
        help    "Strands that the yarn is twisted from. (count)"
    }
    parm {
        name    "twist"
        label   "Twist"
        type    float
        default { "120" }
        range   { 0 1000 }
        disablewhen "{ output == tube }"
        help    "Turns of the plies in a metre; negative turns the other way. (1/m)"
    }
    parm {
        name    "caps"
        label   "End Caps"
        type    toggle
        default { "1" }
        disablewhen "{ output == plycurves }"
        help    "Closes the ends of open tubes."
    }
}
)THEDSFILE";

class YarnVerb final : public PurlVerb<YarnVerb, SOP_Purl_YarnParms> {
public:
    static constexpr const char* kName = "purl::yarn::1.0";
    static constexpr CookMode kMode = COOK_GENERIC;

    static void work(const CookParms& cook) {
        const auto& parms = cook.parms<SOP_Purl_YarnParms>();
        GU_Detail& out = *cook.gdh().gdpNC();
        out.clearAndDestroy();
        const GU_Detail* in = cook.inputGeo(0);
        if (!in) throw Error("input 1", "is empty, expected yarns");
        TubeSettings s;
        const std::string output = parms.getOutput().toStdString();
        s.output = output == "plies"       ? TubeSettings::Output::Plies
                   : output == "plycurves" ? TubeSettings::Output::PlyCurves
                                           : TubeSettings::Output::Tube;
        s.sides = static_cast<int>(parms.getSides());
        s.pieces = static_cast<int>(parms.getPieces());
        s.widthScale = parms.getWidthscale();
        s.plies = static_cast<int>(parms.getPlies());
        s.twist = parms.getTwist();
        s.caps = parms.getCaps();
        std::vector<std::string> warnings;
        const Detail dressed = dressYarns(readGeometry(*in), "input 1", s, warnings);
        warn(cook, warnings);
        if (dressed.primitives() == 0)
            cook.sopAddWarning(SOP_MESSAGE, "input 1 has no curves; nothing to dress");
        appendGeometry(out, dressed);
    }
};

} // namespace

OP_Operator* yarnOperator() {
    static PRM_TemplateBuilder templates("SOP_Purl_Yarn.C"_sh, theDsFile);
    static const char* labels[] = {"Yarns", nullptr};
    return operatorOf<YarnVerb>("Purl Yarn", templates.templates(), labels, 1);
}

} // namespace purl::houdini
