// Purl Collider: polygons to a level set `surface` with velocities `v`; level sets pass through.
#include "plugin/collider_input.h"
#include "plugin/nodes.h"
#include "plugin/verb_sop.h"

#include "SOP_Purl_Collider.proto.h"

#include <GU/GU_Detail.h>
#include <PRM/PRM_Include.h>

namespace purl::houdini {

namespace {

constexpr const char* theDsFile = R"THEDSFILE(
{
    name    parameters
    parm {
        name    "voxelsize"
        label   "Voxel Size"
        type    float
        default { "0" }
        range   { 0! 0.05 }
        help    "Edge of a voxel. 0 takes about the yarn radius, but no more than 400 voxels along the longest side. (m)"
    }
    parm {
        name    "yarnradius"
        label   "Yarn Radius"
        type    float
        default { "0.00125" }
        range   { 0.0002! 0.01 }
        help    "Of the yarns that will touch it; decides the voxel size when that is 0. (m)"
    }
    parm {
        name    "usevelocity"
        label   "Velocity"
        type    toggle
        default { "1" }
        help    "Writes the VDB v from the point attribute v (m/s), so that friction and fast motion are right."
    }
    parm {
        name    "surfacename"
        label   "Surface Name"
        type    string
        default { "surface" }
        help    "Name of the level set."
    }
    parm {
        name    "velocityname"
        label   "Velocity Name"
        type    string
        default { "v" }
        help    "Name of the velocity grid."
    }
}
)THEDSFILE";

class ColliderVerb final : public PurlVerb<ColliderVerb, SOP_Purl_ColliderParms> {
public:
    static constexpr const char* kName = "purl::collider::1.0";
    static constexpr CookMode kMode = COOK_GENERIC;

    static void work(const CookParms& cook) {
        const auto& parms = cook.parms<SOP_Purl_ColliderParms>();
        GU_Detail& out = *cook.gdh().gdpNC();
        out.clearAndDestroy();
        std::vector<std::string> warnings;
        const ColliderFrame c = readCollider(cook.inputGeo(0), "input 1", warnings);
        warn(cook, warnings);
        if (!c.there())
            throw Error("input 1", "has neither polygons nor VDBs, expected a collider");
        if (c.grids) {
            c.grids({}); // throws for what is no level set, with what it found
            out.replaceWith(*cook.inputGeo(0));
            return;
        }
        if (parms.getUsevelocity() && c.velocity.empty())
            cook.sopAddMessage(SOP_MESSAGE,
                               "the input has no point attribute v: the collider is taken as "
                               "standing still within a frame");
        appendMeshVdb(out, c, parms.getVoxelsize(), parms.getYarnradius(), parms.getUsevelocity(),
                      parms.getSurfacename().toStdString(), parms.getVelocityname().toStdString(),
                      "input 1");
    }
};

} // namespace

OP_Operator* colliderOperator() {
    static PRM_TemplateBuilder templates("SOP_Purl_Collider.C"_sh, theDsFile);
    static const char* labels[] = {"Polygons or VDB", nullptr};
    return operatorOf<ColliderVerb>("Purl Collider", templates.templates(), labels, 1);
}

} // namespace purl::houdini
