// Purl Fabric: a draft laid on polygons, as the solver's patch or as curves.
#include "plugin/geometry.h"
#include "plugin/nodes.h"
#include "plugin/verb_sop.h"
#include "purl/host/fabric_attribute.h"
#include "purl/host/fabric_detail.h"
#include "purl/host/fabric_from_detail.h"

#include "SOP_Purl_Fabric.proto.h"

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
        default { "patch" }
        menu {
            "patch" "Patch for the Solver"
            "yarns" "Yarns"
        }
        help    "The polygons with the fabric's description, for the mode Fabric of Purl Solver; or the yarns as curves, to look at or to render."
    }
    parm {
        name    "draft"
        label   "Draft"
        type    string
        default { "plain" }
        menu {
            "plain" "Plain Weave"
            "twill2/2" "Twill 2/2"
            "twill3/1" "Twill 3/1"
            "satin5" "Satin 5"
            "basket2" "Basket 2"
            "herringbone2/2" "Herringbone 2/2"
            "stockinette" "Stockinette"
            "garter" "Garter"
            "moss" "Moss"
            "rib1x1" "Rib 1x1"
            "rib2x2" "Rib 2x2"
            "file" "From File"
        }
        help    "What is woven or knitted."
    }
    parm {
        name    "draftfile"
        label   "Draft File"
        type    file
        default { "" }
        disablewhen "{ draft != file }"
        help    "A .wif of any weaving program, or a .txt with rows of 0 and 1."
    }
    parm {
        name    "warpspacing"
        label   "Warp Spacing"
        type    float
        default { "0.002" }
        range   { 0! 0.02 }
        help    "Between warps, in a knit between wales. 0 takes the draft's own, or follows from the radius. (m)"
    }
    parm {
        name    "weftspacing"
        label   "Weft Spacing"
        type    float
        default { "0" }
        range   { 0! 0.02 }
        help    "Between wefts, in a knit between courses. 0 follows from the warps. (m)"
    }
    parm {
        name    "radius"
        label   "Yarn Radius"
        type    float
        default { "0" }
        range   { 0! 0.01 }
        help    "Half of the yarn's thickness. 0 follows from the spacing. (m)"
    }
    parm {
        name    "angle"
        label   "Angle"
        type    float
        default { "0" }
        range   { -180 180 }
        help    "Turns the warps against the direction of u: 45 is cut on the bias. (degrees)"
    }
    group {
        name  "folder_fabricmaterial"
        label "Fabric Material"
        parm {
            name    "material"
            label   "Material"
            type    string
            default { "cotton" }
            menu {
                "wool" "Wool"
                "cotton" "Cotton"
                "acrylic" "Acrylic"
                "linen" "Linen"
                "polyester" "Polyester"
                "nylon" "Nylon"
                "silk" "Silk"
                "mohair" "Mohair"
            }
            help    "Fibre of the yarns."
        }
        parm {
            name    "tex"
            label   "Count"
            type    float
            default { "0" }
            range   { 0! 2000 }
            help    "Mass of 1 km of one ply in g. 0 follows from the radius. (tex)"
        }
        parm {
            name    "ply"
            label   "Plies"
            type    integer
            default { "1" }
            range   { 1! 8 }
            help    "Plies of a yarn. (count)"
        }
        parm {
            name    "sliding"
            label   "Yarns Slide"
            type    toggle
            default { "1" }
            help    "Yarns slide over each other where friction gives way. Paint the point attribute nosliding to hold them in places."
        }
        parm {
            name    "selfcollision"
            label   "Self Collision"
            type    toggle
            default { "1" }
            help    "Keeps folds from going through each other."
        }
    }
    group {
        name  "folder_laying"
        label "Laying"
        parm {
            name    "rest"
            label   "Lay In"
            type    string
            default { "auto" }
            menu {
                "auto" "Automatic"
                "uv" "UV"
                "rest" "Attribute rest"
                "input" "Input"
            }
            help    "The plane in which the yarns are laid. Automatic takes uv, else a flat rest or input."
        }
        parm {
            name    "uvscale"
            label   "UV Scale"
            type    float
            default { "1" }
            range   { 0! 10 }
            help    "Metres in a unit of uv. 0 makes the area that of the polygons. (m)"
        }
        parm {
            name    "seams"
            label   "Sew Seams"
            type    toggle
            default { "1" }
            help    "Sews yarns together where pieces meet; else they end free."
        }
        parm {
            name    "bind"
            label   "Bind Borders"
            type    toggle
            default { "1" }
            help    "Border stitches of a knit do not slide."
        }
        parm {
            name    "points"
            label   "Points"
            type    integer
            default { "4" }
            range   { 1! 16 }
            help    "Points of a yarn's curve from one crossing to the next. (count)"
        }
        parm {
            name    "twist"
            label   "Twist"
            type    float
            default { "0" }
            range   { -1000 1000 }
            help    "Turns of the yarn in a metre, carried in orient. (1/m)"
        }
        parm {
            name    "settle"
            label   "Settle"
            type    float
            default { "0" }
            range   { 0! 1 }
            help    "Rest that is found before the first frame moves. (s)"
        }
    }
}
)THEDSFILE";

FabricEntry entryOf(const SOP_Purl_FabricParms& parms) {
    FabricEntry f;
    f.draft = parms.getDraft().toStdString();
    if (f.draft == "file") f.draft = parms.getDraftfile().toStdString();
    f.warpSpacing = parms.getWarpspacing();
    f.weftSpacing = parms.getWeftspacing();
    f.radius = parms.getRadius();
    f.angle = parms.getAngle();
    f.material = parms.getMaterial().toStdString();
    f.tex = parms.getTex();
    f.ply = static_cast<int>(parms.getPly());
    f.sliding = parms.getSliding();
    f.selfCollision = parms.getSelfcollision();
    f.rest = parms.getRest().toStdString();
    f.uvScale = parms.getUvscale();
    f.seams = parms.getSeams();
    f.bind = parms.getBind();
    f.points = static_cast<int>(parms.getPoints());
    f.twist = parms.getTwist();
    f.settle = parms.getSettle();
    return f;
}

class FabricVerb final : public PurlVerb<FabricVerb, SOP_Purl_FabricParms> {
public:
    static constexpr const char* kName = "purl::fabric::1.0";
    static constexpr CookMode kMode = COOK_DUPLICATE;

    static void work(const CookParms& cook) {
        const auto& parms = cook.parms<SOP_Purl_FabricParms>();
        GU_Detail& out = *cook.gdh().gdpNC();
        Detail patch = readGeometry(out);
        SceneFile wanted;
        wanted.fabric = entryOf(parms);
        std::vector<std::string> warnings;
        const Draft draft = draftOf(wanted.fabric, warnings);
        // Laid in any case: what is wrong is said here, where it can be put right.
        const FabricInput in = fabricOf(patch, "input 1", wanted, draft, warnings);
        warn(cook, warnings);
        if (parms.getOutput().toStdString() == "patch") {
            putFabricEntry(patch, wanted.fabric);
            writeAttribute(out, Owner::Global, *patch.find(Owner::Global, "fabric"));
            return;
        }
        FabricCurveSettings curve;
        curve.perCrossing = wanted.fabric.points;
        curve.twist = wanted.fabric.twist;
        const CrossingNetwork& net = in.layout.network;
        out.clearAndDestroy();
        appendGeometry(
            out, fabricDetail(in.layout, fabricCurves(net, {}, {}, curve), net.materials[0].name));
    }
};

} // namespace

OP_Operator* fabricOperator() {
    static PRM_TemplateBuilder templates("SOP_Purl_Fabric.C"_sh, theDsFile);
    static const char* labels[] = {"Polygons", nullptr};
    return operatorOf<FabricVerb>("Purl Fabric", templates.templates(), labels, 1);
}

} // namespace purl::houdini
