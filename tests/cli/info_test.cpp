// `purl info`: the keys of its JSON, the record of the samples, and OpenVDB files.
#include "cli/command.h"

#include <nlohmann/json.hpp>
#include <regex>

namespace purl {

using nlohmann::json;

class Info : public Command {
protected:
    json info(const std::string& file) const {
        const Outcome o = purl("info --json '" + file + "'");
        EXPECT_EQ(o.code, 0) << o.text;
        return json::parse(o.text, nullptr, false);
    }
    static std::string sample(const std::string& name) {
        const std::string path = std::string(PURL_SHARED_DIR) + "/samples/houdini/" + name;
        return std::filesystem::exists(path) ? std::filesystem::absolute(path).string() : "";
    }
};

TEST_F(Info, HasTheKeysThatScriptsReadAndTheRightNumbers) {
    Detail d = straight(3, 5);
    const std::vector<Index> ring{0, 1, 2, 3};
    d.addPrimitive(PrimitiveKind::Polygon, ring);
    d.addGroup(Owner::Point, "ends").member[4] = 1;
    d.addGroup(Owner::Primitive, "rings").member[3] = 1;
    d.addGroup(Owner::Vertex, "none");
    d.edgeGroups.push_back({"seam", {{0, 1}, {1, 2}}});
    d.addString(Owner::Primitive, "name").setText(0, 0, "a");
    d.addInt(Owner::Global, "take").set(0, 0, 7);
    d.addFloat(Owner::Vertex, "uv", 3, "texturecoord");
    write("in.bgeo.sc", d);
    const json j = info("in.bgeo.sc");
    for (const char* key : {"points", "vertices", "primitives", "curves", "closed_curves",
                            "attributes", "groups", "bounds", "warnings"})
        EXPECT_TRUE(j.contains(key)) << key;
    EXPECT_EQ(j["points"], 15);
    EXPECT_EQ(j["vertices"], 19);
    EXPECT_EQ(j["primitives"], 4);
    EXPECT_EQ(j["curves"], 4);
    EXPECT_EQ(j["closed_curves"], 1);
    EXPECT_TRUE(j["warnings"].is_array() && j["warnings"].empty());
    EXPECT_NEAR(j["bounds"]["min"][1].get<double>(), 0.1, 1e-6);
    EXPECT_NEAR(j["bounds"]["max"][0].get<double>(), 0.016, 1e-6);
    EXPECT_EQ(j["attributes"]["point"]["P"]["size"], 3);
    EXPECT_EQ(j["attributes"]["point"]["pscale"]["type"], "float");
    EXPECT_NEAR(j["attributes"]["point"]["pscale"]["max"][0].get<double>(), 0.001, 1e-9);
    EXPECT_EQ(j["attributes"]["vertex"]["uv"]["type_info"], "texturecoord");
    EXPECT_EQ(j["attributes"]["primitive"]["name"]["type"], "string");
    EXPECT_EQ(j["attributes"]["detail"]["take"]["max"][0], 7);
    EXPECT_EQ(j["groups"]["point"]["ends"], 1);
    EXPECT_EQ(j["groups"]["primitive"]["rings"], 1);
    EXPECT_EQ(j["groups"]["vertex"]["none"], 0);
    EXPECT_EQ(j["groups"]["edge"]["seam"], 2);
    EXPECT_EQ(j["software"], "Purl");
}

TEST_F(Info, EverySampleIsAsItsRecordSays) {
    const std::string list = sample("PROVENANCE.md");
    if (list.empty()) GTEST_SKIP() << "../shared/samples is not here";
    std::ifstream record(list);
    const std::regex row(
        R"(\| (\S+) \| \d+ \|.*H([0-9.]+); pts (\d+) vtx (\d+) prims (\d+); .*attrs ([^|;]*))");
    int files = 0;
    for (std::string line; std::getline(record, line);) {
        std::smatch m;
        if (!std::regex_search(line, m, row)) continue;
        SCOPED_TRACE(m[1].str());
        const json j = info(sample(m[1].str()));
        EXPECT_EQ(j["version"], m[2].str());
        EXPECT_EQ(j["points"], std::stoi(m[3]));
        EXPECT_EQ(j["vertices"], std::stoi(m[4]));
        EXPECT_EQ(j["primitives"], std::stoi(m[5]));
        std::istringstream words(m[6].str());
        std::size_t expected = 0, found = 0;
        for (std::string w; words >> w; ++expected) {
            const std::string owner = w.substr(0, w.find(':')), name = w.substr(w.find(':') + 1);
            const char* const full = owner == "pt"     ? "point"
                                     : owner == "vtx"  ? "vertex"
                                     : owner == "prim" ? "primitive"
                                                       : "detail";
            EXPECT_TRUE(j["attributes"][full].contains(name)) << w;
        }
        for (const auto& owner : j["attributes"]) found += owner.size();
        EXPECT_EQ(found, expected);
        EXPECT_EQ(line.find("primitivegroups") != std::string::npos,
                  !j["groups"]["primitive"].empty());
        EXPECT_EQ(line.find("pointgroups") != std::string::npos, !j["groups"]["point"].empty());
        ++files;
    }
    EXPECT_GE(files, 60);
}

TEST_F(Info, OfAnOpenVdbFile) {
    ASSERT_EQ(purl("collider sphere:0.1,0.2,0.3,0.05 --voxel 0.005 --out ball.vdb").code, 0);
    std::filesystem::rename(folder / "ball.vdb", folder / "ball.dat"); // known by its content
    const json j = info("ball.dat");
    EXPECT_EQ(j["primitives"], 1);
    EXPECT_EQ(j["curves"], 0);
    ASSERT_EQ(j["vdb"].size(), 1u);
    const json& g = j["vdb"][0];
    EXPECT_EQ(g["name"], "surface");
    EXPECT_EQ(g["class"], "level set");
    EXPECT_EQ(g["type"], "float");
    EXPECT_NEAR(g["voxel_size"][0].get<double>(), 0.005, 1e-9);
    EXPECT_GT(g["active_voxels"].get<int>(), 100);
    EXPECT_TRUE(g["metadata"].contains("name"));
    for (int a = 0; a < 3; ++a) { // the band reaches about three voxels out of the ball
        const double centre = 0.1 * (a + 1);
        EXPECT_NEAR(g["bounds"]["min"][a].get<double>(), centre - 0.05 - 0.015, 0.006);
        EXPECT_NEAR(g["bounds"]["max"][a].get<double>(), centre + 0.05 + 0.015, 0.006);
        EXPECT_EQ(j["bounds"]["min"][a], g["bounds"]["min"][a]);
    }
    const Outcome text = purl("info ball.dat");
    EXPECT_NE(text.text.find("VDB surface: level set, float"), std::string::npos) << text.text;
    // as geometry it carries the same grid
    ASSERT_EQ(purl("convert ball.dat ball.bgeo.sc").code, 0);
    const json inside = info("ball.bgeo.sc");
    EXPECT_EQ(inside["vdb"][0]["active_voxels"], g["active_voxels"]);
    EXPECT_EQ(inside["vdb"][0]["primitive"], 0);
    EXPECT_EQ(inside["attributes"]["primitive"]["name"]["type"], "string");
}

TEST_F(Info, OfTheSampleVdb) {
    const std::string path = sample("cortex/sphere.vdb");
    if (path.empty()) GTEST_SKIP() << "../shared/samples is not here";
    const json j = info(path);
    ASSERT_EQ(j["vdb"].size(), 1u);
    EXPECT_EQ(j["vdb"][0]["class"], "level set");
    EXPECT_EQ(j["vdb"][0]["active_voxels"].dump(),
              j["vdb"][0]["metadata"]["file_voxel_count"].get<std::string>());
}

TEST_F(Info, OfAFileThatIsCutShort) {
    ASSERT_EQ(purl("collider sphere:0,0,0,0.05 --voxel 0.01 --out ball.vdb").code, 0);
    const std::string whole = bytes("ball.vdb");
    for (int part = 1; part < 15; ++part) {
        put("cut.vdb", whole.substr(0, whole.size() * part / 15));
        const Outcome o = purl("info cut.vdb");
        EXPECT_EQ(o.code, 3) << part << ": " << o.text;
        EXPECT_NE(o.text.find("purl: cut.vdb: byte "), std::string::npos) << o.text;
    }
}

// Bytes of every part of the file changed: an answer or a refusal, never a crash.
TEST_F(Info, OfADamagedVdb) {
    ASSERT_EQ(purl("collider sphere:0,0,0,0.05 --voxel 0.01 --out ball.vdb").code, 0);
    const std::string whole = bytes("ball.vdb");
    unsigned state = 5;
    const auto random = [&] { return (state = state * 1664525u + 1013904223u) >> 8; };
    int refused = 0;
    for (int k = 0; k < 60; ++k) {
        std::string m = whole;
        m[random() % m.size()] = static_cast<char>(k % 3 == 0 ? 0xff : random());
        put("m.vdb", m);
        const Outcome o = purl("info m.vdb");
        EXPECT_TRUE(o.code == 0 || o.code == 3) << k << ": " << o.code << " " << o.text;
        if (o.code == 3) {
            EXPECT_EQ(o.text.find("purl: m.vdb"), 0u) << o.text;
        }
        refused += o.code == 3 ? 1 : 0;
    }
    EXPECT_GT(refused, 10);
}

} // namespace purl
