// Purl Check: what is wrong with yarns, as points at the place and a group of the yarns.
#include "plugin/geometry.h"
#include "plugin/nodes.h"
#include "plugin/verb_sop.h"
#include "purl/check/check.h"
#include "purl/host/yarns_from_detail.h"

#include "SOP_Purl_Check.proto.h"

#include <GU/GU_Detail.h>
#include <PRM/PRM_Include.h>

#include <cmath>

namespace purl::houdini {

namespace {

constexpr const char* theDsFile = R"THEDSFILE(
{
    name    parameters
    parm {
        name    "passthrough"
        label   "Pass-Through"
        type    toggle
        default { "1" }
        help    "Compares each frame with the one before and finds where yarn went through yarn. Play the frames in order."
    }
    parm {
        name    "crossratio"
        label   "Crossing"
        type    float
        default { "0.05" }
        range   { 0! 0.5! }
        help    "Centre lines nearer than this part of the sum of their radii are crossing. (share)"
    }
    parm {
        name    "lengthtolerance"
        label   "Length Tolerance"
        type    float
        default { "0.001" }
        range   { 0! 0.1 }
        help    "Largest change of a yarn's length that is no finding. (share)"
    }
    parm {
        name    "listed"
        label   "Most Findings"
        type    integer
        default { "1000" }
        range   { 1! 10000 }
        help    "Findings of a kind that are marked; all are counted. (count)"
    }
    parm {
        name    "findingsonly"
        label   "Findings Only"
        type    toggle
        default { "0" }
        help    "Outputs the marks alone, without the yarns."
    }
}
)THEDSFILE";

// The judge keeps the frame before; it starts again when frames do not come in order.
class CheckCache final : public SOP_NodeCache {
public:
    std::unique_ptr<SequenceCheck> judge;
    int last = 0;
    Index yarns = 0, points = 0;
    int64 getMemoryUsage(bool inclusive) const override {
        return (inclusive ? static_cast<int64>(sizeof(*this)) : 0) +
               static_cast<int64>(points) * 64; // two frames of positions and their tree
    }
};

Vec3 placeOf(const Curves& c, const Finding& f) {
    if (f.point >= 0 && f.point < c.points() && c.x[f.point].allFinite()) return c.x[f.point];
    if (f.yarnA < 0 || f.yarnA >= c.yarns() || c.size(f.yarnA) == 0) return Vec3::Zero();
    const auto yarn = c.yarn(f.yarnA);
    double length = 0;
    for (std::size_t i = 1; i < yarn.size(); ++i) length += (yarn[i] - yarn[i - 1]).norm();
    double left = f.uA * length; // curveu goes by length
    for (std::size_t i = 1; i < yarn.size(); ++i) {
        const double e = (yarn[i] - yarn[i - 1]).norm();
        if (left <= e && e > 0) return yarn[i - 1] + left / e * (yarn[i] - yarn[i - 1]);
        left -= e;
    }
    return yarn[yarn.size() - 1];
}

Detail marksOf(const CheckReport& report, const Curves& curves) {
    Detail d;
    const Index n = static_cast<Index>(report.findings.size());
    d.addPoints(n);
    std::vector<Vec3> x;
    for (const Finding& f : report.findings) x.push_back(placeOf(curves, f));
    d.setPositions(x);
    Attribute& kind = d.addString(Owner::Point, "kind");
    Attribute& text = d.addString(Owner::Point, "text");
    Attribute& a = d.addInt(Owner::Point, "yarna");
    Attribute& b = d.addInt(Owner::Point, "yarnb");
    Attribute& value = d.addFloat(Owner::Point, "value");
    Attribute& expected = d.addFloat(Owner::Point, "expected");
    Group& group = d.addGroup(Owner::Point, "purl_findings");
    for (Index i = 0; i < n; ++i) {
        const Finding& f = report.findings[i];
        kind.setText(i, 0, nameOf(f.kind));
        text.setText(i, 0, f.text);
        a.set(i, 0, f.yarnA);
        b.set(i, 0, f.yarnB);
        value.set(i, 0, f.value);
        expected.set(i, 0, f.expected);
        group.member[i] = 1;
    }
    return d;
}

class CheckVerb final : public PurlVerb<CheckVerb, SOP_Purl_CheckParms, CheckCache> {
public:
    static constexpr const char* kName = "purl::check::1.0";
    static constexpr CookMode kMode = COOK_DUPLICATE;

    static void work(const CookParms& cook) {
        const auto& parms = cook.parms<SOP_Purl_CheckParms>();
        GU_Detail& out = *cook.gdh().gdpNC();
        const Detail d = readGeometry(out);
        std::vector<std::string> warnings;
        const Yarns yarns = yarnsOf(d, "input 1", std::nullopt, false, warnings);
        if (yarns.curves.yarns() == 0) throw Error("input 1", "has no curves, expected yarns");
        CheckSettings settings;
        settings.crossRatio = parms.getCrossratio();
        settings.lengthTolerance = parms.getLengthtolerance();
        settings.listed = static_cast<Index>(parms.getListed());
        for (const Weld& w : yarns.welds) settings.glued.emplace_back(w.a, w.b);
        const int frame = static_cast<int>(std::lround(cook.getContext().getFloatFrame()));
        auto& cache = *static_cast<CheckCache*>(cook.cache());
        const bool goesOn = parms.getPassthrough() && cache.judge && frame == cache.last + 1 &&
                            cache.yarns == yarns.curves.yarns() &&
                            cache.points == yarns.curves.points();
        if (!goesOn) cache.judge = std::make_unique<SequenceCheck>(settings);
        cache.judge->add(frame, yarns.curves);
        cache.last = frame;
        cache.yarns = yarns.curves.yarns();
        cache.points = yarns.curves.points();
        const CheckReport report = cache.judge->report();
        GA_PrimitiveGroup* bad = out.newPrimitiveGroup("purl_bad");
        for (const Finding& f : report.findings)
            for (const Index y : {f.yarnA, f.yarnB})
                if (y >= 0 && y < yarns.curves.yarns())
                    bad->setElement(out.primitiveOffset(yarns.primitiveOf[y]), true);
        if (parms.getFindingsonly()) out.clearAndDestroy();
        if (report.findings.empty()) return;
        appendGeometry(out, marksOf(report, yarns.curves));
        cook.sopAddWarning(SOP_MESSAGE, (std::to_string(report.findings.size()) +
                                         " findings; the first: " + report.findings[0].text)
                                            .c_str());
    }
};

} // namespace

OP_Operator* checkOperator() {
    static PRM_TemplateBuilder templates("SOP_Purl_Check.C"_sh, theDsFile);
    static const char* labels[] = {"Yarns", nullptr};
    return operatorOf<CheckVerb>("Purl Check", templates.templates(), labels, 1);
}

} // namespace purl::houdini
