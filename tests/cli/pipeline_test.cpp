// The commands around a simulation: pattern, relax, check, preview, info, convert.
#include "cli/command.h"

namespace purl {
namespace {

class Pipeline : public Command {};

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST_F(Pipeline, PatternSimCheckPreview) {
    ASSERT_EQ(
        purl("pattern stockinette --wales 5 --courses 5 --lie --height 0.05 --out p.bgeo.sc").code,
        0);
    Detail p = read("p.bgeo.sc");
    for (const char* name : {"pscale", "yarnid", "course", "wale", "curveu", "Cd", "rest", "weld"})
        EXPECT_TRUE(p.findPoint(name)) << name;
    for (const char* name : {"edge_left", "edge_right", "edge_top", "edge_bottom"}) {
        ASSERT_TRUE(p.findGroup(Owner::Point, name)) << name;
        EXPECT_GT(p.findGroup(Owner::Point, name)->count(), 0u) << name;
    }
    ASSERT_EQ(purl("collider sphere:0,0,0,0.03 --out ball.vdb").code, 0);
    ASSERT_EQ(purl("sim --yarns p.bgeo.sc --collider ball.vdb --out 'f.$F4.bgeo.sc' --frames 1-12 "
                   "--fps 240 --quiet")
                  .code,
              0);
    Outcome o = purl("check 'f.$F4.bgeo.sc' --json");
    EXPECT_EQ(o.code, 0) << o.text;
    EXPECT_TRUE(has(o.text, "\"clean\": true") && has(o.text, "\"frames\": 12")) << o.text;
    EXPECT_TRUE(has(o.text, "\"passes\": []")) << o.text;
    o = purl("preview 'f.*.bgeo.sc' --sheet 2 --frames 1,6,12 --width 64 --samples 1 --collider "
             "ball.vdb "
             "--color v --out s.png");
    EXPECT_EQ(o.code, 0) << o.text;
    EXPECT_EQ(bytes("s.png").substr(1, 3), "PNG");
}

TEST_F(Pipeline, CheckFindsYarnThroughYarn) {
    Detail d = straight(2, 9);
    std::vector<Vec3> x = d.positions();
    for (int i = 0; i < 9; ++i) x[9 + i] = Vec3(0.016, 0.103, 0.004 * (i - 4));
    for (int frame = 1; frame <= 4; ++frame) { // yarn 1 comes down through yarn 0
        d.setPositions(x);
        write("f.000" + std::to_string(frame) + ".geo", d);
        for (int i = 0; i < 9; ++i) x[9 + i].y() -= 0.002;
    }
    const Outcome o = purl("check 'f.$F4.geo'");
    EXPECT_EQ(o.code, 4) << o.text;
    EXPECT_TRUE(has(o.text, "frame 3: yarn 0 at curveu 0.5")) << o.text;
    EXPECT_EQ(purl("check f.0001.geo").code, 0);
    EXPECT_EQ(purl("check 'g.$F4.geo'").code, 3);
}

TEST_F(Pipeline, RelaxMovesOnlyP) {
    ASSERT_EQ(purl("pattern rib1x1 --wales 6 --courses 6 --out p.bgeo").code, 0);
    const Outcome o = purl("relax p.bgeo r.bgeo --seconds 0.02");
    ASSERT_EQ(o.code, 0) << o.text;
    EXPECT_TRUE(has(o.text, "points moved by")) << o.text;
    Detail a = read("p.bgeo"), b = read("r.bgeo");
    EXPECT_FALSE(a.findPoint("P")->values == b.findPoint("P")->values);
    EXPECT_FALSE(b.findPoint("v"));
    b.findPoint("P")->values = a.findPoint("P")->values;
    write("a.geo", a);
    write("b.geo", b);
    const auto body = [](const std::string& s) { return s.substr(s.find("\"topology\"")); };
    EXPECT_EQ(body(bytes("a.geo")), body(bytes("b.geo")));
}

TEST_F(Pipeline, InfoAndConvert) {
    write("in.geo", straight(3, 5));
    ASSERT_EQ(purl("convert in.geo out.bgeo.sc").code, 0);
    const Outcome o = purl("info out.bgeo.sc --json");
    EXPECT_EQ(o.code, 0);
    for (const char* part :
         {"\"points\": 15", "\"vertices\": 15", "\"primitives\": 3", "\"curves\": 3",
          "\"closed_curves\": 0", "\"pscale\"", "\"groups\"", "\"bounds\"", "\"warnings\": []"})
        EXPECT_TRUE(has(o.text, part)) << part << " in " << o.text;
    ASSERT_EQ(purl("convert out.bgeo.sc back.geo").code, 0);
    EXPECT_TRUE(read("back.geo").findPoint("P")->values == read("in.geo").findPoint("P")->values);
}

TEST_F(Pipeline, EveryCommandHelpsWithAnExample) {
    for (const char* c :
         {"sim", "pattern", "relax", "check", "preview", "info", "convert", "collider"}) {
        const Outcome o = purl(std::string(c) + " --help");
        EXPECT_EQ(o.code, 0);
        EXPECT_TRUE(has(o.text, "Example")) << c;
        EXPECT_TRUE(has(o.text, "  purl " + std::string(c))) << c;
    }
    EXPECT_TRUE(has(purl("--version").text, "purl 0."));
    EXPECT_TRUE(has(purl("pattern --list").text, "stockinette"));
}

} // namespace
} // namespace purl
