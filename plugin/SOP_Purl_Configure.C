// Purl Configure: material, pins, goals and layers as attributes that the solver reads.
#include "plugin/geometry.h"
#include "plugin/nodes.h"
#include "plugin/verb_sop.h"
#include "purl/cloth/material.h"
#include "purl/host/attributes.h"
#include "purl/host/yarns_from_detail.h"
#include "purl/model/material.h"

#include "SOP_Purl_Configure.proto.h"

#include <GU/GU_Detail.h>
#include <PRM/PRM_Include.h>

#include <random>

namespace purl::houdini {

namespace {

constexpr const char* theDsFile = R"THEDSFILE(
{
    name    parameters
    parm {
        name    "kind"
        label   "Kind"
        type    string
        default { "yarn" }
        menu {
            "yarn" "Yarn"
            "cloth" "Cloth"
        }
        help    "What the input is: curves of yarn, or polygons of cloth."
    }
    parm {
        name    "group"
        label   "Group"
        type    string
        default { "" }
        help    "Primitives that are changed; empty means all."
    }
    group {
        name  "folder_yarnmaterial"
        label "Yarn Material"
        parm {
            name    "material"
            label   "Material"
            type    string
            default { "wool" }
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
            disablewhen "{ kind != yarn }"
            help    "Fibre of the yarn: its density and its stiffnesses follow from it and the yarn's count."
        }
        parm {
            name    "setradius"
            label   "Set Radius"
            type    toggle
            default { "0" }
            disablewhen "{ kind != yarn }"
            help    "Replaces the yarns' own pscale."
        }
        parm {
            name    "radius"
            label   "Radius"
            type    float
            default { "0.00125" }
            range   { 0.0002! 0.01 }
            disablewhen "{ kind != yarn } { setradius == 0 }"
            help    "Half of the yarn's thickness. (m)"
        }
        parm {
            name    "tex"
            label   "Count"
            type    float
            default { "0" }
            range   { 0! 2000 }
            disablewhen "{ kind != yarn }"
            help    "Mass of 1 km of one ply in g. 0 takes the usual packing of the fibre at this radius. (tex)"
        }
        parm {
            name    "ply"
            label   "Plies"
            type    integer
            default { "1" }
            range   { 1! 8 }
            disablewhen "{ kind != yarn }"
            help    "Plies of a yarn. More plies of thinner yarn bend more easily. (count)"
        }
        parm {
            name    "bendscale"
            label   "Bend Scale"
            type    float
            default { "1" }
            range   { 0.1! 10 }
            help    "Multiplies the bending stiffness of yarn or cloth. (factor)"
        }
        parm {
            name    "twistscale"
            label   "Twist Scale"
            type    float
            default { "1" }
            range   { 0.1! 10 }
            disablewhen "{ kind != yarn }"
            help    "Multiplies the twisting stiffness. (factor)"
        }
        parm {
            name    "contactscale"
            label   "Contact Scale"
            type    float
            default { "1" }
            range   { 0.1! 10 }
            disablewhen "{ kind != yarn }"
            help    "Multiplies the contact stiffness: how hard the yarn is when squeezed. (factor)"
        }
        parm {
            name    "densityscale"
            label   "Density Scale"
            type    float
            default { "1" }
            range   { 0.1! 10 }
            help    "Multiplies the mass. (factor)"
        }
        parm {
            name    "restcurvature"
            label   "Rest Curvature"
            type    float
            default { "0.5" }
            range   { 0! 1! }
            disablewhen "{ kind != yarn }"
            help    "How much of the shape it comes in the yarn takes for its natural one: 0 straight, 1 all of it. (share)"
        }
        parm {
            name    "variation"
            label   "Variation"
            type    float
            default { "0" }
            range   { 0! 0.5! }
            disablewhen "{ kind != yarn }"
            help    "Largest random change of bending and density from yarn to yarn, for the irregularity of real yarn. (share)"
        }
        parm {
            name    "seed"
            label   "Seed"
            type    integer
            default { "1" }
            range   { 0! 1000 }
            disablewhen "{ kind != yarn }"
            help    "Which variation; the same seed gives the same yarns. (number)"
        }
    }
    group {
        name  "folder_clothmaterial"
        label "Cloth Material"
        parm {
            name    "preset"
            label   "Preset"
            type    string
            default { "cotton" }
            menu {
                "cotton" "Cotton"
                "denim" "Denim"
                "silk" "Silk"
                "jersey" "Jersey"
                "interlock" "Interlock"
                "rib" "Rib"
                "twill" "Twill"
                "windbreaker" "Windbreaker"
                "wool" "Wool"
            }
            disablewhen "{ kind != cloth }"
            help    "Measured cloth: weight, stretch, shear and bending."
        }
        parm {
            name    "stretchscale"
            label   "Stretch Scale"
            type    float
            default { "1" }
            range   { 0.1! 10 }
            disablewhen "{ kind != cloth }"
            help    "Multiplies the stretch stiffness. (factor)"
        }
    }
    group {
        name  "folder_pins"
        label "Pins"
        parm {
            name    "pingroup"
            label   "Pin Group"
            type    string
            default { "" }
            help    "Points that are held. Empty means none."
        }
        parm {
            name    "pintype"
            label   "Pin Type"
            type    string
            default { "pintoanimation" }
            menu {
                "stopped" "Stopped"
                "pintoanimation" "Follow Animation"
                "soft" "Soft Goal"
            }
            help    "Stopped points stay; pinned ones follow the animated input of the solver exactly; soft goals are pulled to it."
        }
        parm {
            name    "targetstiffness"
            label   "Goal Stiffness"
            type    float
            default { "10" }
            range   { 0.01! 1000 }
            disablewhen "{ pintype != soft }"
            help    "Pull of a soft goal on each point. (N/m)"
        }
        parm {
            name    "targetweight"
            label   "Goal Weight"
            type    float
            default { "1" }
            range   { 0! 1! }
            disablewhen "{ pintype != soft }"
            help    "Scales the pull; paint it as targetweight to vary it. (share)"
        }
        parm {
            name    "layer"
            label   "Layer"
            type    integer
            default { "0" }
            range   { 0! 10 }
            help    "Order of garments from the skin outwards; written as the point attribute layer. (number)"
        }
    }
}
)THEDSFILE";

using Parms = SOP_Purl_ConfigureParms;

// Which primitives are meant: a group's, or all.
std::vector<std::uint8_t> chosen(const Detail& d, const std::string& group) {
    if (group.empty()) return std::vector<std::uint8_t>(d.primitives(), 1);
    const Group* g = d.findGroup(Owner::Primitive, group);
    if (!g) noSuchGroup(d, group, "input 1");
    return g->member;
}

// The primitive attribute with its present values, or new with `initial` everywhere.
Attribute& primitiveFloat(Detail& d, const char* name, double initial) {
    if (Attribute* a = d.find(Owner::Primitive, name);
        a && a->type == Attribute::Type::Numeric && a->size == 1)
        return *a;
    Attribute& a = d.addFloat(Owner::Primitive, name);
    for (Index p = 0; p < d.primitives(); ++p) a.set(p, 0, initial);
    return a;
}

void configureYarns(Detail& d, const Parms& parms, GU_Detail& out) {
    const std::vector<std::uint8_t> in = chosen(d, parms.getGroup().toStdString());
    if (parms.getSetradius()) {
        Attribute* a = d.findPoint("pscale");
        if (!a) a = &d.addFloat(Owner::Point, "pscale");
        for (Index p = 0; p < d.primitives(); ++p)
            if (in[p])
                for (Index q : d.pointsOf(p)) a->set(q, 0, parms.getRadius());
        writeAttribute(out, Owner::Point, *a);
    }
    std::vector<std::string> warnings;
    const Yarns yarns = yarnsOf(d, "input 1", std::nullopt, true, warnings);
    Attribute* material = d.find(Owner::Primitive, "material");
    if (!material || material->type != Attribute::Type::String)
        material = &d.addString(Owner::Primitive, "material");
    // One after the other: a reference stays good while others are added (deques).
    Attribute& density = primitiveFloat(d, "density", 0);
    Attribute& bend = primitiveFloat(d, "bendstiffness", 0);
    Attribute& twist = primitiveFloat(d, "twiststiffness", 0);
    Attribute& contact = primitiveFloat(d, "contactstiffness", 0);
    Attribute& curvature = primitiveFloat(d, "restcurvature", 0.5);
    for (Index y = 0; y < yarns.curves.yarns(); ++y) {
        const Index p = yarns.primitiveOf[y];
        const std::string name = in[p]                       ? parms.getMaterial().toStdString()
                                 : material->text(p).empty() ? "wool"
                                                             : material->text(p);
        const Material m = materialByName(name, yarns.curves.radius[y], in[p] ? parms.getTex() : 0,
                                          in[p] ? static_cast<int>(parms.getPly()) : 1);
        if (!in[p]) { // what is not meant gets what it would have had
            if (density.real(p) == 0) density.set(p, 0, m.density);
            if (bend.real(p) == 0) bend.set(p, 0, m.bendStiffness);
            if (twist.real(p) == 0) twist.set(p, 0, m.twistStiffness);
            if (contact.real(p) == 0) contact.set(p, 0, m.contactStiffness);
            continue;
        }
        // The same yarn gets the same numbers whatever else is in the geometry.
        std::minstd_rand random(static_cast<unsigned>(parms.getSeed() * 7919 + y * 104729 + 1));
        random.discard(3);
        const auto vary = [&] {
            const double u = static_cast<double>(random()) / std::minstd_rand::max();
            return 1 + parms.getVariation() * (2 * u - 1);
        };
        material->setText(p, 0, name);
        density.set(p, 0, m.density * parms.getDensityscale() * vary());
        const double stiffer = vary();
        bend.set(p, 0, m.bendStiffness * parms.getBendscale() * stiffer);
        twist.set(p, 0, m.twistStiffness * parms.getTwistscale() * stiffer);
        contact.set(p, 0, m.contactStiffness * parms.getContactscale());
        curvature.set(p, 0, parms.getRestcurvature());
    }
    for (const char* name : {"material", "density", "bendstiffness", "twiststiffness",
                             "contactstiffness", "restcurvature"})
        writeAttribute(out, Owner::Primitive, *d.find(Owner::Primitive, name));
}

void configureCloth(Detail& d, const Parms& parms, GU_Detail& out) {
    const std::vector<std::uint8_t> in = chosen(d, parms.getGroup().toStdString());
    const std::string preset = parms.getPreset().toStdString();
    const ClothMaterial m = clothPreset(preset);
    Attribute& material = d.addString(Owner::Global, "material");
    material.setText(0, 0, preset);
    Attribute& stretch = primitiveFloat(d, "stretchscale", 1);
    Attribute& bend = primitiveFloat(d, "bendscale", 1);
    for (Index p = 0; p < d.primitives(); ++p) {
        if (!in[p]) continue;
        stretch.set(p, 0, parms.getStretchscale());
        bend.set(p, 0, parms.getBendscale());
    }
    writeAttribute(out, Owner::Global, material);
    for (const Attribute* a : {&stretch, &bend}) writeAttribute(out, Owner::Primitive, *a);
    // The preset's own weight is not written: an attribute has but single precision.
    if (parms.getDensityscale() == 1 && !d.find(Owner::Primitive, "density")) return;
    Attribute& density = primitiveFloat(d, "density", m.areaDensity);
    for (Index p = 0; p < d.primitives(); ++p)
        if (in[p]) density.set(p, 0, m.areaDensity * parms.getDensityscale());
    writeAttribute(out, Owner::Primitive, density);
}

void configurePins(Detail& d, const Parms& parms, GU_Detail& out) {
    Attribute& layer = d.addInt(Owner::Point, "layer");
    for (Index i = 0; i < d.points(); ++i) layer.set(i, 0, static_cast<double>(parms.getLayer()));
    writeAttribute(out, Owner::Point, layer);
    const std::string group = parms.getPingroup().toStdString();
    if (group.empty()) return;
    const Group* g = d.findGroup(Owner::Point, group);
    if (!g) noSuchGroup(d, group, "input 1");
    const std::string type = parms.getPintype().toStdString();
    const auto pointAttribute = [&](const char* name, bool whole) -> Attribute& {
        if (Attribute* a = d.findPoint(name)) return *a;
        return whole ? d.addInt(Owner::Point, name) : d.addFloat(Owner::Point, name);
    };
    if (type == "soft") {
        Attribute& target = d.addFloat(Owner::Point, "targetP", 3, "vector");
        const std::vector<Vec3> x = d.positions();
        for (Index i = 0; i < d.points(); ++i)
            for (int k = 0; k < 3; ++k) target.set(i, k, x[i][k]);
        Attribute& stiffness = pointAttribute("targetstiffness", false);
        Attribute& weight = pointAttribute("targetweight", false);
        for (Index i = 0; i < d.points(); ++i)
            if (g->member[i]) {
                stiffness.set(i, 0, parms.getTargetstiffness());
                weight.set(i, 0, parms.getTargetweight());
            }
        for (const Attribute* a : {&target, &stiffness, &weight})
            writeAttribute(out, Owner::Point, *a);
        return;
    }
    Attribute& pin = pointAttribute(type == "stopped" ? "stopped" : "pintoanimation", true);
    for (Index i = 0; i < d.points(); ++i)
        if (g->member[i]) pin.set(i, 0, 1);
    writeAttribute(out, Owner::Point, pin);
}

class ConfigureVerb final : public PurlVerb<ConfigureVerb, Parms> {
public:
    static constexpr const char* kName = "purl::configure::1.0";
    static constexpr CookMode kMode = COOK_DUPLICATE;

    static void work(const CookParms& cook) {
        const auto& parms = cook.parms<Parms>();
        GU_Detail& out = *cook.gdh().gdpNC();
        Detail d = readGeometry(out);
        if (d.primitives() == 0)
            throw Error("input 1", "has no primitives, expected yarns or cloth");
        if (parms.getKind().toStdString() == "cloth")
            configureCloth(d, parms, out);
        else
            configureYarns(d, parms, out);
        configurePins(d, parms, out);
    }
};

} // namespace

OP_Operator* configureOperator() {
    static PRM_TemplateBuilder templates("SOP_Purl_Configure.C"_sh, theDsFile);
    static const char* labels[] = {"Yarns or Cloth", nullptr};
    return operatorOf<ConfigureVerb>("Purl Configure", templates.templates(), labels, 1);
}

} // namespace purl::houdini
