// The patterns that one can ask for by name.
#include "purl/base/error.h"
#include "purl/pattern/pattern.h"

namespace purl {

namespace {

struct Named {
    PatternName name;
    StitchField field;
};

const std::vector<Named>& library() {
    static const std::vector<Named> all{
        {{"stockinette", false, "knit every stitch on the front: V columns, curls at its edges"},
         {1, 1, {1}}},
        {{"garter", false, "rows of knit and purl by turns: ridges, lies flat"}, {2, 1, {1, -1}}},
        {{"rib1x1", false, "columns of knit and purl by turns: narrow and elastic"},
         {1, 2, {1, -1}}},
        {{"rib2x2", false, "two columns knit, two purl: cuffs and hems"}, {1, 4, {1, 1, -1, -1}}},
        {{"moss", false, "knit and purl as on a chess board: pebbled, lies flat"},
         {2, 2, {1, -1, -1, 1}}},
        {{"plain", true, "plain weave: over one, under one"}, {2, 2, {1, 0, 0, 1}}},
        {{"twill2x2", true, "2/2 twill: over two, under two, stepping by one: diagonals"},
         {4, 4, {1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 1}}},
        {{"satin5", true, "5-end satin: each warp floats over four wefts: smooth face"},
         {5, 5, {0, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 0, 1, 1}}}};
    return all;
}

const Named& find(const std::string& name) {
    std::string known;
    for (const Named& n : library()) {
        if (n.name.name == name) return n;
        known += (known.empty() ? "" : ", ") + n.name.name;
    }
    throw Error("pattern: name", "'" + name + "' is not known, expected one of " + known);
}

} // namespace

const std::vector<PatternName>& patternNames() {
    static const std::vector<PatternName> names = [] {
        std::vector<PatternName> out;
        for (const Named& n : library()) out.push_back(n.name);
        return out;
    }();
    return names;
}

StitchField fieldByName(const std::string& name) { return find(name).field; }
bool isWoven(const std::string& name) { return find(name).name.woven; }

} // namespace purl
