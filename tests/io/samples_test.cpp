// Every real file of the samples folder (when it is there) against its record and its twin.
#include "io/detail_compare.h"
#include "purl/base/error.h"
#include "purl/io/geo.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <regex>

using namespace purl;
namespace fs = std::filesystem;

namespace {

const fs::path shared = PURL_SHARED_DIR;
const fs::path houdini = shared / "samples/houdini";

bool haveSamples() {
    if (fs::exists(houdini / "PROVENANCE.md")) return true;
    std::cout << "samples folder " << houdini << " is not there: nothing to compare with\n";
    return false;
}

Detail readSample(const fs::path& p, std::vector<std::string>* out = nullptr) {
    std::vector<std::string> warnings;
    Detail d = readDetail(p.string(), warnings);
    d.check(p.string());
    if (out) *out = warnings;
    return d;
}

std::vector<std::string> words(const std::string& line) {
    std::istringstream in(line);
    std::vector<std::string> out;
    for (std::string w; in >> w;) out.push_back(w);
    return out;
}

} // namespace

TEST(Samples, CountsAndAttributesAreThoseOfTheRecord) {
    if (!haveSamples()) return;
    std::ifstream record(houdini / "PROVENANCE.md");
    const std::regex row(
        R"(\| (\S+) \| \d+ \|.*H([0-9.]+); pts (\d+) vtx (\d+) prims (\d+); .*attrs ([^|;]*))");
    int files = 0;
    for (std::string line; std::getline(record, line);) {
        std::smatch m;
        if (!std::regex_search(line, m, row)) continue;
        SCOPED_TRACE(m[1].str());
        Detail d;
        ASSERT_NO_THROW(d = readSample(houdini / m[1].str()));
        EXPECT_EQ(d.fileVersion, m[2].str());
        EXPECT_EQ(d.points(), std::stoi(m[3]));
        EXPECT_EQ(d.vertices(), std::stoi(m[4]));
        EXPECT_EQ(d.primitives(), std::stoi(m[5]));
        std::vector<std::string> found;
        const char* const owners[] = {"vtx:", "pt:", "prim:", "detail:"};
        for (int o = 0; o < 4; ++o)
            for (const Attribute& a : d.attributes[o]) found.push_back(owners[o] + a.name);
        std::vector<std::string> expected = words(m[6]);
        std::sort(found.begin(), found.end());
        std::sort(expected.begin(), expected.end());
        EXPECT_EQ(found, expected);
        EXPECT_EQ(line.find("pointgroups") != std::string::npos,
                  !d.groups[static_cast<int>(Owner::Point)].empty());
        EXPECT_EQ(line.find("primitivegroups") != std::string::npos,
                  !d.groups[static_cast<int>(Owner::Primitive)].empty());
        ++files;
    }
    EXPECT_GE(files, 60);
}

TEST(Samples, TextAndBinaryTwinsAreEqual) {
    if (!haveSamples()) return;
    int pairs = 0;
    for (const auto& e : fs::directory_iterator(houdini / "bgeo_reader")) {
        fs::path twin = e.path();
        if (twin.extension() != ".geo") continue;
        twin.replace_extension(".bgeo");
        if (!fs::exists(twin)) continue;
        SCOPED_TRACE(e.path().filename().string());
        Detail text = readSample(e.path()), binary = readSample(twin);
        if (e.path().filename() == "simple_partanim.0017.geo") {
            // the binary file of this pair has lost the type info of two integers (hgeo_probe.py
            // says so too)
            text.findPoint("sourceptnum")->typeInfo.clear();
            text.find(Owner::Global, "nextid")->typeInfo.clear();
        }
        // Houdini's text holds fewer digits than the float it was made from
        EXPECT_EQ(difference(text, binary, 1e-6), "");
        ++pairs;
    }
    EXPECT_GE(pairs, 30);
    const fs::path min = houdini / "self_written_not_houdini";
    EXPECT_EQ(difference(readSample(min / "yarn_min.geo"), readSample(min / "yarn_min.bgeo")), "");
    EXPECT_EQ(difference(readSample(min / "yarn_min.bgeo"), readSample(min / "yarn_min.bgeo.sc")),
              "");
}

TEST(Samples, NeuronCurvesAndDict) {
    if (!haveSamples()) return;
    const Detail d = readSample(houdini / "SideFXLabs/neuron_tpose.bgeo");
    ASSERT_EQ(d.primitives(), 71);
    for (Index p = 0; p < d.primitives(); ++p) {
        EXPECT_EQ(d.primitiveKind[p], PrimitiveKind::Polyline);
        EXPECT_EQ(d.pointsOf(p).size(), 2u);
    }
    const Attribute* m = d.findPoint("transform");
    ASSERT_TRUE(m);
    EXPECT_EQ(m->size, 9);
    EXPECT_EQ(m->typeInfo, "matrix");
    const Attribute* clip = d.find(Owner::Global, "clipinfo");
    ASSERT_TRUE(clip);
    EXPECT_EQ(clip->type, Attribute::Type::Dict);
    EXPECT_NE(clip->text(0).find("\"rate\""), std::string::npos) << clip->text(0);
    EXPECT_EQ(d.software, "Houdini 18.5.317");
}
