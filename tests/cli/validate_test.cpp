// `purl check scene.json`: faults that would break a run, by name and place, before it.
#include "cli/command.h"

#include <nlohmann/json.hpp>

namespace purl {
namespace {

class Validate : public Command {};

TEST_F(Validate, ASceneThatIsFit) {
    write("in.geo", straight(4, 40));
    put("s.json", R"({"yarns": {"file": "in.geo"}, "colliders": ["sphere:0,0,0,0.02"]})");
    const Outcome o = purl("check s.json");
    EXPECT_EQ(o.code, 0) << o.text;
    EXPECT_NE(o.text.find("fit for a run"), std::string::npos) << o.text;
}

TEST_F(Validate, EveryFaultOfASceneIsNamed) {
    Detail d = straight(4, 40);
    std::vector<Vec3> x = d.positions();
    x[50] = x[49];               // doubled
    for (int i = 0; i < 40; ++i) // the last yarn goes through all others
        x[120 + i] = {0.05, 0.1, -0.02 + 0.002 * i};
    d.setPositions(x);
    d.addGroup(Owner::Point, "nobody");
    write("in.geo", d);
    put("s.json", R"({"yarns": {"file": "in.geo"}, "pins": ["nobody", "missing"],
                      "colliders": ["none.vdb"], "targets": "t.$F4.geo"})");
    const Outcome o = purl("check s.json --json");
    EXPECT_EQ(o.code, 4) << o.text;
    const auto j = nlohmann::json::parse(o.text);
    EXPECT_EQ(j["fit"], false);
    std::string all;
    for (const auto& f : j["findings"]) {
        all += f["kind"].get<std::string>() + "|" + f["place"].get<std::string>() + "|" +
               f["text"].get<std::string>() + "\n";
        EXPECT_FALSE(f["repair"].get<std::string>().empty());
    }
    EXPECT_NE(all.find("doubled points|yarn 1, point 9"), std::string::npos) << all;
    EXPECT_NE(all.find("crossing|yarn 0"), std::string::npos) << all;
    EXPECT_NE(all.find("pins|group 'nobody'|is empty"), std::string::npos) << all;
    EXPECT_NE(all.find("pins|group 'missing'|is not in"), std::string::npos) << all;
    EXPECT_NE(all.find("collider"), std::string::npos) << all;
    EXPECT_NE(all.find("t.0002.geo is not there"), std::string::npos) << all;
}

TEST_F(Validate, RepairsUnitsAndDoubledPoints) {
    Detail d = straight(4, 40);
    std::vector<Vec3> x = d.positions();
    for (Vec3& p : x) p *= 1000; // 156 m: Houdini units taken for metres
    x[50] = x[49];
    d.setPositions(x);
    for (Index p = 0; p < d.points(); ++p) d.findPoint("pscale")->set(p, 0, 1.0);
    write("in.geo", d);
    const Outcome o = purl("check in.geo --input --repair fixed.geo");
    EXPECT_EQ(o.code, 4) << o.text;
    ASSERT_TRUE(exists("fixed.geo")) << o.text;
    const Outcome after = purl("check fixed.geo --input");
    EXPECT_EQ(after.code, 0) << after.text;
    EXPECT_EQ(read("fixed.geo").points(), 160);
    EXPECT_NEAR(read("fixed.geo").positions()[39].x(), 1.56, 1e-3); // cm
}

} // namespace
} // namespace purl
