// A network of the double's nodes, as tests build and cook it.
#pragma once

#include "plugin/geometry.h"
#include "plugin/nodes.h"
#include "purl/io/detail.h"

#include <GU/GU_DetailHandle.h>
#include <OP/OP_OperatorTable.h>
#include <SOP/SOP_NodeVerb.h>
#include <UT/UT_Interrupt.h>
#include <gtest/gtest.h>

namespace purl::test {

// A SOP that makes what a test says, at any time.
class Source : public SOP_Node {
public:
    using Make = std::function<void(GU_Detail&, double frame)>;
    Source(const char* name, Make m) : SOP_Node(nullptr, name, nullptr), make(std::move(m)) {}
    Make make;
    void changed() { ++changes; }
    void animate() { flags().setTimeDep(true); }
    int worked = 0;

protected:
    OP_ERROR cookMySop(OP_Context& context) override {
        gdp->clearAndDestroy();
        make(*gdp, context.getFloatFrame());
        ++worked;
        return UT_ERROR_NONE;
    }
};

inline Source::Make fixed(const Detail& d) {
    return [d](GU_Detail& gdp, double) { houdini::appendGeometry(gdp, d); };
}

class Net {
public:
    Net() {
        CHgetManager()->fps = 24;
        hdk::escape = nullptr;
        newSopOperator(&table_);
    }
    ~Net() { hdk::escape = nullptr; }

    SOP_Node* add(const std::string& type, const char* name, std::vector<OP_Node*> inputs = {}) {
        OP_Operator* op = table_.operators.at(type).get();
        auto* node = static_cast<SOP_Node*>(op->construct(nullptr, name, op));
        node->inputs = std::move(inputs);
        nodes_.emplace_back(node);
        return node;
    }
    Source* source(const char* name, Source::Make make) {
        auto* node = new Source(name, std::move(make));
        nodes_.emplace_back(node);
        return node;
    }
    void remove(SOP_Node* node) {
        for (auto it = nodes_.begin(); it != nodes_.end(); ++it)
            if (it->get() == node) {
                nodes_.erase(it);
                return;
            }
    }
    static void set(OP_Node* n, const std::string& parm, const std::string& value, int index = 0) {
        n->setParm(parm, index, value);
    }
    static void set(OP_Node* n, const std::string& parm, double value, int index = 0) {
        std::ostringstream text;
        text.precision(17);
        text << value;
        n->setParm(parm, index, text.str());
    }
    static GU_ConstDetailHandle cook(SOP_Node* n, double frame) {
        OP_Context context(CHgetManager()->getTime(frame));
        return n->cooked(context);
    }
    static Detail at(SOP_Node* n, double frame) {
        return houdini::readGeometry(*cook(n, frame).gdp());
    }
    static std::string said(const SOP_Node* n, UT_ErrorSeverity severity) {
        std::string all;
        for (const auto& [s, text] : n->errors.said)
            if (s == severity) all += text + "\n";
        return all;
    }
    static std::string errors(const SOP_Node* n) { return said(n, UT_ERROR_ABORT); }
    static std::string warnings(const SOP_Node* n) { return said(n, UT_ERROR_WARNING); }
    static std::string messages(const SOP_Node* n) { return said(n, UT_ERROR_MESSAGE); }

    OP_OperatorTable table_;

private:
    std::vector<std::unique_ptr<SOP_Node>> nodes_;
};

// The middle of mass of yarns of one kind: by their rest lengths.
inline Vec3 middleOfMass(const Detail& d) {
    const Attribute* rest = d.findPoint("rest");
    const std::vector<Vec3> x = d.positions(), r = rest ? d.vectors(*rest) : x;
    Vec3 sum = Vec3::Zero();
    double mass = 0;
    for (Index p = 0; p < d.primitives(); ++p) {
        const auto ids = d.pointsOf(p);
        for (std::size_t k = 0; k + 1 < ids.size(); ++k) {
            const double m = (r[ids[k + 1]] - r[ids[k]]).norm();
            sum += 0.5 * m * (x[ids[k]] + x[ids[k + 1]]);
            mass += m;
        }
    }
    return sum / mass;
}

// Whether a point attribute is the same in both, to the last bit.
inline ::testing::AssertionResult sameBits(const Detail& a, const Detail& b, const char* name) {
    const Attribute *p = a.findPoint(name), *q = b.findPoint(name);
    if (!p || !q) return ::testing::AssertionFailure() << name << " is missing";
    if (p->elements() != q->elements() || p->size != q->size)
        return ::testing::AssertionFailure() << name << " has another size";
    for (std::size_t i = 0; i < p->elements(); ++i)
        for (int k = 0; k < p->size; ++k)
            if (p->real(i, k) != q->real(i, k))
                return ::testing::AssertionFailure()
                       << name << " differs first at point " << i << ": " << p->real(i, k)
                       << " and " << q->real(i, k);
    return ::testing::AssertionSuccess();
}

} // namespace purl::test
