// Scene files: every key read in its unit, every mistake told with its path.
#include "purl/scene/scene_file.h"

#include "purl/base/error.h"
#include "purl/scene/quantity.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace purl {
namespace {

std::string complaint(const std::string& text) {
    try {
        parseScene(text, "dir/s.json");
    } catch (const Error& e) {
        return e.what();
    }
    return "";
}

TEST(SceneFile, ReadsValuesInTheirUnits) {
    const SceneFile s = parseScene(R"({
        "yarns": {"file": "in.geo", "radius": "1.25 mm", "tex": 120, "ply": 3, "density": "500 tex"},
        "colliders": ["sphere:1,2,3,4cm", {"file": "/abs/b.vdb", "friction": 0.7, "thickness": "2 mm",
            "keys": [{"frame": 1}, {"frame": 5, "translate": [0, "10 cm", 0], "axis": [0,0,2], "angle": 90}]}],
        "pins": "top", "goals": [{"group": "side", "stiffness": "2 N/mm"}],
        "forces": {"gravity": [0, -1.6, 0], "wind": ["36 km/h", 0, 0]}, // moon
        "contact": {"method": "none"}, "time": {"frames": "5-9", "fps": 25, "substeps": 7},
        "out": "o/f.$F.geo"})",
                                   "dir/s.json");
    EXPECT_EQ(s.yarns.file, "dir/in.geo");
    EXPECT_DOUBLE_EQ(*s.yarns.radius, 1.25e-3);
    EXPECT_DOUBLE_EQ(s.yarns.tex, 120);
    EXPECT_DOUBLE_EQ(*s.yarns.density, 5e-4);
    ASSERT_EQ(s.colliders.size(), 2u);
    EXPECT_EQ(s.colliders[0].a, Vec3(1, 2, 3));
    EXPECT_DOUBLE_EQ(s.colliders[0].size, 0.04);
    EXPECT_EQ(s.colliders[1].file, "/abs/b.vdb");
    EXPECT_DOUBLE_EQ(*s.colliders[1].thickness, 2e-3);
    ASSERT_EQ(s.colliders[1].keys.size(), 2u);
    const Pose& pose = s.colliders[1].keys[1].pose;
    EXPECT_TRUE(
        (pose.rotation * Vec3(1, 0, 0) + pose.translation).isApprox(Vec3(0, 1.1, 0), 1e-12));
    EXPECT_EQ(s.pins, std::vector<std::string>{"top"});
    EXPECT_DOUBLE_EQ(s.goals.at(0).stiffness, 2000);
    EXPECT_DOUBLE_EQ(s.settings.forces.wind.x(), 10);
    EXPECT_DOUBLE_EQ(s.settings.forces.gravity.y(), -1.6);
    EXPECT_EQ(s.contact, "none");
    EXPECT_EQ(s.settings.time.substeps, 7);
    EXPECT_EQ(s.out, "dir/o/f.$F.geo");
}

TEST(SceneFile, MistakesAreToldWithTheirPath) {
    const struct {
        const char* text;
        const char* where;
        const char* what;
    } cases[] = {
        {R"({"yarn": {}})", "dir/s.json: /yarn", "unknown key, expected one of about, cloth"},
        {R"({"yarns": {"radiuss": 1}})", "dir/s.json: /yarns/radiuss", "unknown key"},
        {R"({"yarns": {"radius": 1.25}})", "dir/s.json: /yarns/radius", "at most 0.1 m"},
        {R"({"yarns": {"radius": "1 tex"}})", "dir/s.json: /yarns/radius", "a length in m, cm"},
        {R"({"yarns": {"ply": 1.5}})", "dir/s.json: /yarns/ply", "a whole number"},
        {R"({"yarns": 3})", "dir/s.json: /yarns", "expected an object"},
        {R"({"cloth": {"presett": "silk"}})", "dir/s.json: /cloth/presett", "unknown key"},
        {R"({"cloth": {"density": "1 kg/m3"}})", "/cloth/density", "a mass per area in kg/m2"},
        {R"({"cloth": {"bend_warp": "1 N/m"}})", "/cloth/bend_warp", "gf cm2/cm"},
        {R"({"cloth": {"grid": {"width": 0}}})", "/cloth/grid/width", "> 0 m"},
        {R"({"cloth": {"self_collision": {"thickness": 0}}})", "/cloth/self_collision/thickness",
         "> 0 m"},
        {R"({"cloth": {"solver": {"drape": 1}}})", "/cloth/solver/drape", "true or false"},
        {R"({"forces": {"gravity": [0, 1]}})", "dir/s.json: /forces/gravity", "three numbers"},
        {R"({"forces": {"gravity": [0, "1 m", 0]}})", "/forces/gravity/1", "an acceleration"},
        {R"({"forces": {"drag": 1}})", "dir/s.json: /forces/drag", "true or false"},
        {R"({"colliders": ["cube:1"]})", "dir/s.json: /colliders/0", "sphere:x,y,z,r"},
        {R"({"colliders": ["sphere:1,2,3"]})", "dir/s.json: /colliders/0", "3 numbers, expected 4"},
        {R"({"colliders": [{"file": "a.vdb", "fric": 1}]})", "/colliders/0/fric", "unknown key"},
        {R"({"time": {"fps": 0}})", "dir/s.json: /time/fps", "> 0"},
        {"{\n  \"time\": {\n    \"fps\" 24}}", "dir/s.json: line 3", "not JSON"},
        {"[1]", "dir/s.json: /", "expected an object"},
    };
    for (const auto& c : cases) {
        const std::string told = complaint(c.text);
        EXPECT_NE(told.find(c.where), std::string::npos) << c.text << " -> " << told;
        EXPECT_NE(told.find(c.what), std::string::npos) << c.text << " -> " << told;
    }
}

TEST(SceneFile, TheDemoSceneIsWhatTheDemoPromises) {
    std::ifstream in(PURL_SOURCE_DIR "/scenes/demo.json");
    std::ostringstream text;
    text << in.rdbuf();
    const SceneFile s = parseScene(text.str(), "scenes/demo.json");
    ASSERT_TRUE(s.pattern);
    EXPECT_EQ(s.pattern->settings.name, "stockinette");
    EXPECT_EQ(s.pattern->settings.wales, 24);
    EXPECT_EQ(s.pattern->settings.courses, 24);
    EXPECT_EQ(s.frames, "1-48");
    EXPECT_EQ(s.settings.time.fps, 24);
    ASSERT_EQ(s.colliders.size(), 2u) << "a ball, and the floor it lies on";
    EXPECT_GT(s.pattern->centre.y(), s.colliders[0].size) << "it starts above the ball";
}

TEST(Quantity, RefusesWhatIsNoNumber) {
    EXPECT_DOUBLE_EQ(parseQuantity("3", Dimension::Length, "x"), 3);
    EXPECT_DOUBLE_EQ(parseQuantity("3um", Dimension::Length, "x"), 3e-6);
    for (const char* bad : {"", "mm", "1e999", "nan", "3 furlongs", "3 m m"})
        EXPECT_THROW(parseQuantity(bad, Dimension::Length, "x"), Error) << bad;
}

} // namespace
} // namespace purl
