// What nodes and networks of the double do: parameters with a few variables, cooking when dirty.
#include "OP/OP_OperatorTable.h"
#include "PRM/PRM_TemplateBuilder.h"
#include "SOP/SOP_NodeVerb.h"

#include <cstdlib>
#include <sstream>
#include <stdexcept>

CH_Manager* CHgetManager() {
    static CH_Manager manager;
    return &manager;
}

namespace {

// Words of a DialogScript; braces are words.
std::vector<std::string> words(const std::string& text) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < text.size();) {
        if (std::isspace(static_cast<unsigned char>(text[i]))) {
            ++i;
        } else if (text[i] == '{' || text[i] == '}') {
            out.emplace_back(1, text[i++]);
        } else if (text[i] == '"') {
            std::string w = "\"";
            for (++i; text[i] != '"'; ++i) {
                if (text[i] == '\\') ++i;
                w += text[i];
            }
            ++i;
            out.push_back(w);
        } else {
            std::string w;
            while (i < text.size() && !std::isspace(static_cast<unsigned char>(text[i])))
                w += text[i++];
            out.push_back(w);
        }
    }
    return out;
}

std::string bare(const std::string& w) { return w[0] == '"' ? w.substr(1) : w; }

} // namespace

PRM_TemplateBuilder::PRM_TemplateBuilder(const UT_StringHolder&, const char* script) {
    const std::vector<std::string> w = words(script);
    for (std::size_t i = 0; i + 1 < w.size(); ++i) {
        if (w[i] != "parm" || w[i + 1] != "{") continue;
        PRM_Template::Parm p;
        int depth = 1;
        for (i += 2; depth > 0; ++i) {
            if (w[i] == "{") ++depth;
            if (w[i] == "}") --depth;
            if (depth != 1) continue;
            if (w[i] == "name") p.name = bare(w[i + 1]);
            if (w[i] == "type") p.type = bare(w[i + 1]);
            if (w[i] == "default") {
                for (i += 2; w[i] != "}"; ++i) p.defaults.push_back(bare(w[i]));
            }
        }
        --i;
        if (p.defaults.empty()) p.defaults.push_back(p.type == "string" ? "" : "0");
        template_.parms.push_back(p);
    }
}

OP_Operator::OP_Operator(const char* n, const char* e, OP_Constructor c, PRM_Template* t,
                         unsigned least, unsigned most, CH_LocalVariable*, unsigned,
                         const char** inputLabels, int, const char* tab)
    : name(n), english(e), submenu(tab ? tab : ""), construct(c), templates(t), minSources(least),
      maxSources(most) {
    for (; inputLabels && *inputLabels; ++inputLabels) labels.emplace_back(*inputLabels);
}

OP_Node::OP_Node(OP_Network*, const char* n, OP_Operator* o) : name(n), op(o) {
    if (op && op->templates)
        for (const auto& p : op->templates->parms) parms[p.name] = p.defaults;
}

std::string OP_Node::evaluated(const std::string& parm, int index, fpreal t) const {
    const auto it = parms.find(parm);
    if (it == parms.end()) throw std::logic_error(name + " has no parameter " + parm);
    const std::string& text = it->second.at(static_cast<std::size_t>(index));
    const fpreal frame = CHgetManager()->getSample(t);
    if (const auto k = keys.find({parm, index}); k != keys.end()) {
        std::ostringstream exact;
        exact.precision(17);
        exact << k->second(frame);
        return exact.str();
    }
    if (text == "$FF") return std::to_string(frame);
    if (text == "$F") return std::to_string(static_cast<long>(frame));
    std::string out = text;
    for (const auto& [variable, value] :
         {std::pair<std::string, std::string>{"$OS", name}, {"$HIP", "."}})
        if (const auto at = out.find(variable); at != std::string::npos)
            out.replace(at, variable.size(), value);
    return out;
}

int64 OP_Node::evalInt(const UT_StringRef& p, int i, fpreal t) const {
    return std::atoll(evaluated(p.toStdString(), i, t).c_str());
}
fpreal OP_Node::evalFloat(const UT_StringRef& p, int i, fpreal t) const {
    return std::atof(evaluated(p.toStdString(), i, t).c_str());
}
void OP_Node::evalString(UT_StringHolder& v, const UT_StringRef& p, int i, fpreal t) const {
    v = UT_StringHolder(evaluated(p.toStdString(), i, t));
}

void OP_Node::setParm(const std::string& parm, int index, const std::string& value) {
    const auto it = parms.find(parm);
    if (it == parms.end()) throw std::logic_error(name + " has no parameter " + parm);
    it->second.at(static_cast<std::size_t>(index)) = value;
    ++changes;
}

void OP_Node::key(const std::string& parm, int index, Curve curve) {
    if (parms.find(parm) == parms.end()) throw std::logic_error(name + " has no parameter " + parm);
    keys.erase({parm, index});
    if (curve) keys[{parm, index}] = std::move(curve);
    ++changes;
}

bool OP_Node::isParmTimeDependent(const char* parm, int component) const {
    const auto it = parms.find(parm);
    if (it == parms.end()) throw std::logic_error(name + " has no parameter " + parm);
    for (std::size_t i = 0; i < it->second.size(); ++i) {
        if (component >= 0 && static_cast<int>(i) != component) continue;
        if (keys.count({parm, static_cast<int>(i)}) ||
            it->second[i].find("$F") != std::string::npos)
            return true;
    }
    return false;
}

bool OP_Node::timeDependent() const {
    if (flags_.timeDep || !keys.empty()) return true;
    for (const auto& [n, values] : parms)
        for (const std::string& v : values)
            if (v.find("$F") != std::string::npos) return true;
    for (const OP_Node* in : inputs)
        if (in && in->timeDependent()) return true;
    return false;
}

exint OP_Node::version() const {
    exint n = changes;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (inputs[i])
            n += 1000003 * (static_cast<exint>(i) + 1) + inputs[i]->version() +
                 static_cast<exint>(reinterpret_cast<std::intptr_t>(inputs[i]) % 1000);
    return n;
}

SOP_Node::SOP_Node(OP_Network* parent, const char* n, OP_Operator* o) : OP_Network(parent, n, o) {}
SOP_Node::~SOP_Node() = default;

GU_ConstDetailHandle SOP_Node::cooked(OP_Context& context) {
    const bool late = timeDependent() && context.getTime() != cookedTime_;
    if (handle_.isValid() && !late && version() == cookedVersion_) return handle_;
    errors.said.clear();
    handle_.allocateAndSet(new GU_Detail); // who still holds the old one keeps it
    gdp = handle_.gdpNC();
    ++cooks;
    cookMySop(context);
    cookedTime_ = context.getTime();
    cookedVersion_ = version();
    return handle_;
}

OP_ERROR SOP_Node::cookMyselfAsVerb(OP_Context& context) {
    const SOP_NodeVerb* verb = cookVerb();
    UT_Array<GU_ConstDetailHandle> in;
    for (OP_Node* node : inputs) {
        auto* sop = static_cast<SOP_Node*>(node);
        in.append(sop ? sop->cooked(context) : GU_ConstDetailHandle());
        if (sop)
            for (const auto& [severity, text] : sop->errors.said)
                if (severity >= UT_ERROR_ABORT)
                    return errors.add(UT_ERROR_ABORT, "an input has an error");
    }
    if (op && in.size() < static_cast<exint>(op->minSources))
        return errors.add(UT_ERROR_ABORT, "Not enough sources specified.");
    const std::unique_ptr<SOP_NodeParms> parms(verb->allocParms());
    parms->load(*this, context.getTime());
    if (!cache_) cache_.reset(verb->allocCache());
    switch (verb->cookMode(parms.get())) {
    case SOP_NodeVerb::COOK_GENERATOR:
        gdp->clearAndDestroy();
        break;
    case SOP_NodeVerb::COOK_INPLACE:
    case SOP_NodeVerb::COOK_DUPLICATE:
        if (in.size() > 0 && in(0).isValid()) gdp->replaceWith(*in(0).gdp());
        break;
    default: // whatever was there
        break;
    }
    verb->cook({handle_, in, this, context, parms.get(), cache_.get(), &errors});
    return UT_ERROR_NONE;
}
