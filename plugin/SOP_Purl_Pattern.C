// Purl Pattern: a knitted or woven patch, of a size or over the extent of polygons.
#include "plugin/geometry.h"
#include "plugin/nodes.h"
#include "plugin/verb_sop.h"
#include "purl/geometry/trimesh.h"
#include "purl/host/pattern_detail.h"

#include "SOP_Purl_Pattern.proto.h"

#include <Eigen/Eigenvalues>
#include <PRM/PRM_Include.h>

#include <cmath>

namespace purl::houdini {

namespace {

constexpr const char* theDsFile = R"THEDSFILE(
{
    name    parameters
    parm {
        name    "pattern"
        label   "Pattern"
        type    string
        default { "stockinette" }
        menu {
            "stockinette" "Stockinette (knit)"
            "garter" "Garter (knit)"
            "rib1x1" "Rib 1x1 (knit)"
            "rib2x2" "Rib 2x2 (knit)"
            "moss" "Moss (knit)"
            "plain" "Plain (woven)"
            "twill2x2" "Twill 2/2 (woven)"
            "satin5" "Satin 5 (woven)"
        }
        help    "What is knitted or woven. Knits are loops in rows, weaves are warp and weft."
    }
    parm {
        name    "wales"
        label   "Wales"
        type    integer
        default { "24" }
        range   { 2! 200 }
        help    "Loops in a row; in a weave, warp threads. With polygons in the input the number follows from their width. (count)"
    }
    parm {
        name    "courses"
        label   "Courses"
        type    integer
        default { "24" }
        range   { 2! 200 }
        help    "Rows of loops; in a weave, weft threads. With polygons in the input the number follows from their height. (count)"
    }
    parm {
        name    "radius"
        label   "Yarn Radius"
        type    float
        default { "0.00125" }
        range   { 0.0002! 0.01 }
        help    "Half of the yarn's thickness. It is written as pscale. (m)"
    }
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
        help    "Fibre of the yarn, written as the primitive attribute material. Purl Configure can change it."
    }
    group {
        name  "folder_gauge"
        label "Gauge"
        parm {
            name    "walespacing"
            label   "Wale Spacing"
            type    float
            default { "0" }
            range   { 0! 0.02 }
            help    "Width of a loop. 0 lets the radius decide. (m)"
        }
        parm {
            name    "coursespacing"
            label   "Course Spacing"
            type    float
            default { "0" }
            range   { 0! 0.02 }
            help    "Height of a row. 0 lets the radius decide. (m)"
        }
        parm {
            name    "tube"
            label   "Knit in the Round"
            type    toggle
            default { "0" }
            help    "Closes the rows to a tube around the y axis."
        }
        parm {
            name    "continuous"
            label   "One Yarn"
            type    toggle
            default { "0" }
            help    "One yarn throughout that turns at the sides, instead of one a row."
        }
        parm {
            name    "bindselvedges"
            label   "Bind Selvedges"
            type    toggle
            default { "1" }
            help    "Holds the ends of neighbouring rows together, as flat knitting turns. Free ends ravel."
        }
        parm {
            name    "bindoff"
            label   "Bind Off"
            type    toggle
            default { "1" }
            help    "A last thread closes the loops of the top row."
        }
    }
    group {
        name  "folder_placement"
        label "Placement"
        parm {
            name    "placement"
            label   "Placement"
            type    string
            default { "lie" }
            menu {
                "lie" "Lying (XZ)"
                "stand" "Standing (XY)"
            }
            help    "Lying with its front up, or standing with its front towards +z. Polygons in the input decide by themselves."
        }
        parm {
            name    "t"
            label   "Center"
            type    vector
            size    3
            default { "0" "0" "0" }
            help    "Where the middle of the patch is. (m)"
        }
    }
}
)THEDSFILE";

// A rectangle in space: the extent of polygons in their own plane.
struct Rectangle {
    Vec3 centre = Vec3::Zero(); // m
    Vec3 across = Vec3::UnitX(), up = Vec3::UnitY(), front = Vec3::UnitZ();
    double width = 0, height = 0; // m
};

Rectangle extentOf(const std::vector<Vec3>& x) {
    Vec3 mean = Vec3::Zero();
    for (const Vec3& p : x) mean += p / static_cast<double>(x.size());
    Mat3 spread = Mat3::Zero();
    for (const Vec3& p : x) spread += (p - mean) * (p - mean).transpose();
    const Eigen::SelfAdjointEigenSolver<Mat3> axes(spread); // the least spread comes first
    Rectangle r;
    r.front = axes.eigenvectors().col(0);
    if (r.front.dot(Vec3(0, 1, 0.5)) < 0) r.front = -r.front; // up, or towards +z
    // Rows along x as far as the plane allows, columns across.
    Vec3 x1 = Vec3::UnitX() - r.front.x() * r.front;
    if (x1.norm() < 0.1) x1 = Vec3::UnitZ() - r.front.z() * r.front;
    r.across = x1.normalized();
    r.up = r.front.cross(r.across);
    Vec3 low = Vec3::Constant(1e300), high = -low;
    for (const Vec3& p : x) {
        const Vec3 q(r.across.dot(p - mean), r.up.dot(p - mean), r.front.dot(p - mean));
        low = low.cwiseMin(q);
        high = high.cwiseMax(q);
    }
    const Vec3 middle = 0.5 * (low + high);
    r.centre = mean + middle.x() * r.across + middle.y() * r.up + middle.z() * r.front;
    r.width = high.x() - low.x();
    r.height = high.y() - low.y();
    return r;
}

// As many loops as cover the rectangle, from the spacing that a small patch of the pattern has.
void coverRectangle(PatternSettings& s, const Rectangle& r) {
    PatternSettings sample = s;
    sample.wales = sample.courses = 8;
    const Pattern p = makePattern(sample);
    constexpr double kMost = 4000; // loops along a side: beyond that it is another unit of length
    Vec3 low = p.curves.x[0], high = low; // with the loops' own width at the borders
    for (const Vec3& x : p.curves.x) {
        low = low.cwiseMin(x);
        high = high.cwiseMax(x);
    }
    const Vec3 size = high - low;
    const double wales = sample.wales + (r.width - size.x()) / p.waleSpacing,
                 courses = sample.courses + (r.height - size.y()) / p.courseSpacing;
    if (!(wales >= 2 && courses >= 2 && wales <= kMost && courses <= kMost))
        throw Error("input 1", "polygons of " + std::to_string(r.width) + " x " +
                                   std::to_string(r.height) + " m would need " +
                                   std::to_string(std::lround(wales)) + " x " +
                                   std::to_string(std::lround(courses)) +
                                   " loops, expected 2 to 4000 a side: is the geometry in metres?");
    s.wales = static_cast<Index>(std::lround(wales));
    s.courses = static_cast<Index>(std::lround(courses));
}

void placeOn(Detail& d, const Rectangle& r) {
    for (const char* name : {"P", "rest"}) {
        Attribute& a = *d.findPoint(name);
        for (Index i = 0; i < d.points(); ++i) {
            const Vec3 x(a.real(i, 0), a.real(i, 1), a.real(i, 2));
            const Vec3 y = r.centre + x.x() * r.across + x.y() * r.up + x.z() * r.front;
            for (int k = 0; k < 3; ++k) a.set(i, k, y[k]);
        }
    }
}

class PatternVerb final : public PurlVerb<PatternVerb, SOP_Purl_PatternParms> {
public:
    static constexpr const char* kName = "purl::pattern::1.0";
    static constexpr CookMode kMode = COOK_GENERATOR;

    static void work(const CookParms& cook) {
        const auto& parms = cook.parms<SOP_Purl_PatternParms>();
        PatternEntry entry;
        PatternSettings& s = entry.settings;
        s.name = parms.getPattern().toStdString();
        s.wales = static_cast<Index>(parms.getWales());
        s.courses = static_cast<Index>(parms.getCourses());
        s.radius = parms.getRadius();
        s.waleSpacing = parms.getWalespacing();
        s.courseSpacing = parms.getCoursespacing();
        s.tube = parms.getTube();
        s.continuous = parms.getContinuous();
        s.bindSelvedges = parms.getBindselvedges();
        s.bindOff = parms.getBindoff();
        entry.lie = parms.getPlacement().toStdString() == "lie";
        const UT_Vector3D t = parms.getT();
        entry.centre = Vec3(t.x(), t.y(), t.z());
        GU_Detail& out = *cook.gdh().gdpNC();
        out.clearAndDestroy();
        Rectangle on;
        bool placed = false;
        if (const GU_Detail* in = cook.inputGeo(0); in && in->getNumPrimitives() > 0) {
            const TriMesh mesh = meshOf(*in);
            on = extentOf(mesh.x);
            coverRectangle(s, on);
            on.centre += entry.centre;
            entry.lie = false;
            entry.centre = Vec3::Zero();
            placed = true;
        }
        Detail d = patternDetail(entry, parms.getMaterial().toStdString());
        if (placed) placeOn(d, on);
        appendGeometry(out, d);
    }

    static TriMesh meshOf(const GU_Detail& in) {
        TriMesh used;
        const Detail d = readGeometry(in);
        const std::vector<Vec3> x = d.positions();
        for (Index p = 0; p < d.primitives(); ++p)
            if (d.primitiveKind[p] == PrimitiveKind::Polygon)
                for (Index q : d.pointsOf(p)) {
                    if (!x[q].allFinite())
                        throw Error("input 1: point " + std::to_string(q),
                                    "P is not finite, expected a position in m");
                    used.x.push_back(x[q]);
                }
        if (used.x.empty())
            throw Error("input 1", "has no polygons (" + std::to_string(d.primitives()) +
                                       " primitives of other kinds), expected a mesh to cover");
        return used;
    }
};

} // namespace

OP_Operator* patternOperator() {
    static PRM_TemplateBuilder templates("SOP_Purl_Pattern.C"_sh, theDsFile);
    static const char* labels[] = {"Polygons (optional)", nullptr};
    return operatorOf<PatternVerb>("Purl Pattern", templates.templates(), labels, 0);
}

} // namespace purl::houdini
