// What goes wrong is told with place, value and expectation, by the documented exit code, and
// leaves no file behind (issue "first drape", must show 7).
#include "cli/command.h"

namespace purl {
namespace {

class BadInput : public Command {
protected:
    void SetUp() override {
        Command::SetUp();
        write("in.geo", straight(2, 6));
    }
    // Runs a simulation that must be refused with `code`, saying all of `words`.
    void refused(const std::string& flags, int code, const std::vector<std::string>& words) {
        const Outcome o = purl("sim " + flags + " --out 'out/f.$F4.geo' --frames 1-2 --quiet");
        EXPECT_EQ(o.code, code) << o.text;
        EXPECT_EQ(o.text.rfind("purl: ", 0), 0u) << o.text;
        for (const std::string& w : words)
            EXPECT_NE(o.text.find(w), std::string::npos) << "no '" << w << "' in: " << o.text;
        EXPECT_FALSE(exists("out"));
    }
};

TEST_F(BadInput, GoodInputIsTakenByTheSameLine) {
    const Outcome o = purl("sim --yarns in.geo --out 'out/f.$F4.geo' --frames 1-2 --quiet");
    EXPECT_EQ(o.code, 0) << o.text;
    EXPECT_TRUE(exists("out/f.0001.geo"));
    EXPECT_TRUE(exists("out/f.0002.geo"));
}

TEST_F(BadInput, PointThatIsNoNumber) {
    std::string text = bytes("in.geo");
    const std::string tuples = "\"tuples\",[[";
    const std::size_t at = text.find(tuples) + tuples.size();
    text.replace(at, text.find(',', at) - at, "nan");
    put("nan.geo", text);
    refused("--yarns nan.geo", 3, {"nan.geo", "nan", "expected"});
}

TEST_F(BadInput, YarnOfOnePoint) {
    Detail d = straight(2, 6);
    const Index p = d.addPoints(1);
    d.findPoint("pscale")->set(p, 0, 0.001);
    const std::vector<Index> ids{p};
    d.addPrimitive(PrimitiveKind::Polyline, ids);
    write("one.geo", d);
    refused("--yarns one.geo", 3, {"one.geo: yarn 2", "1 point", "expected at least 2"});
}

TEST_F(BadInput, RadiusZero) {
    Detail d = straight(2, 6);
    d.findPoint("pscale")->set(7, 0, 0);
    write("thin.geo", d);
    refused("--yarns thin.geo", 3, {"thin.geo: point 7", "pscale is 0", "> 0 m"});
    refused("--yarns in.geo --radius 0", 3, {"--radius", "is 0", "> 0 m"});
    refused("--yarns in.geo --radius 1.25", 3, {"--radius", "1.25", "0.1 m"});
}

TEST_F(BadInput, NoRadius) {
    Detail d = straight(2, 6);
    d.remove(Owner::Point, "pscale");
    write("none.geo", d);
    refused("--yarns none.geo", 3, {"none.geo", "pscale", "width", "--radius"});
}

TEST_F(BadInput, CentreLinesCross) {
    Detail d = straight(2, 6);
    std::vector<Vec3> x = d.positions();
    for (int i = 0; i < 6; ++i) x[6 + i] = Vec3(0.01, 0.1, 0.004 * (i - 2.5)); // across yarn 0
    d.setPositions(x);
    write("cross.geo", d);
    refused("--yarns cross.geo", 3,
            {"cross.geo: yarn 0 at curveu 0.5 and yarn 1 at curveu 0.5", "cross", "0.0001 m"});
}

TEST_F(BadInput, GroupThatIsNotThere) {
    Detail d = straight(2, 6);
    d.addGroup(Owner::Point, "corner");
    d.addGroup(Owner::Primitive, "warp");
    write("groups.geo", d);
    refused("--yarns groups.geo --pin edge", 3, {"groups.geo", "'edge'", "corner", "warp"});
}

TEST_F(BadInput, TruncatedVdb) {
    ASSERT_EQ(purl("collider sphere:0,0,0,0.05 --out ball.vdb").code, 0);
    const std::string whole = bytes("ball.vdb");
    put("cut.vdb", whole.substr(0, whole.size() / 2));
    refused("--yarns in.geo --collider cut.vdb", 3, {"cut.vdb", "expected"});
    put("empty.vdb", "");
    refused("--yarns in.geo --collider empty.vdb", 3, {"empty.vdb"});
}

TEST_F(BadInput, UnknownSceneKey) {
    put("scene.json", R"({"yarns": {"file": "in.geo", "radiuss": 0.001}})");
    refused("scene.json", 3,
            {"scene.json: /yarns/radiuss", "unknown key", "radius, rest_curvature"});
    put("unit.json", R"({"yarns": {"file": "in.geo", "radius": "2 kg"}})");
    refused("unit.json", 3, {"unit.json: /yarns/radius", "2 kg", "a length in m"});
}

TEST_F(BadInput, FilesThatAreNotThere) {
    refused("--yarns nowhere.geo", 3, {"nowhere.geo"});
    refused("nowhere.json", 3, {"nowhere.json", "cannot be read"});
    refused("--yarns in.geo --collider nowhere.vdb", 3, {"nowhere.vdb"});
}

TEST_F(BadInput, ContactThatDoesNotExist) {
    refused("--yarns in.geo --contact glue", 3, {"--contact", "'glue'", "acl, exact or none"});
    refused("--yarns in.geo --accuracy 2", 3, {"accuracy", "2", "0 (exact each step) to 1"});
    refused("--yarns in.geo --yarn-friction -1", 3, {"friction", "-1"});
}

TEST_F(BadInput, UsageIsExit2) {
    EXPECT_EQ(purl("sim --yarns in.geo --bogus").code, 2);
    EXPECT_EQ(purl("sim --yarns in.geo").code, 2);
    EXPECT_EQ(purl("sim --yarns in.geo --out one.geo --frames 1-2").code, 2);
    EXPECT_FALSE(exists("one.geo"));
    EXPECT_EQ(purl("sim --yarns in.geo --fps fast --out 'f.$F.geo'").code, 2);
    EXPECT_EQ(purl("knit").code, 2);
    EXPECT_EQ(purl("").code, 2);
}

TEST_F(BadInput, DiskIsExit6) {
    put("file", "in the way");
    Outcome o = purl("sim --yarns in.geo --out 'file/f.$F4.geo' --frames 1-2 --quiet");
    EXPECT_EQ(o.code, 6) << o.text;
    EXPECT_EQ(bytes("file"), "in the way");
    std::filesystem::create_directories(folder / "f.0001.geo");
    o = purl("sim --yarns in.geo --out 'f.$F4.geo' --frames 1-2 --quiet");
    EXPECT_EQ(o.code, 6) << o.text;
    o = purl("convert in.geo /proc/nowhere.geo");
    EXPECT_EQ(o.code, 6) << o.text;
}

TEST_F(BadInput, DivergenceIsExit4AndKeepsFrames) {
    // A step a hundred times too long for a wire of steel.
    Detail d = straight(2, 6);
    std::vector<Vec3> x = d.positions();
    for (int i = 0; i < 12; ++i) x[i].y() += 0.002 * (i % 2);
    d.setPositions(x);
    write("stiff.geo", d);
    put("stiff.json", R"({"yarns": {"file": "stiff.geo", "bend_stiffness": 1e9,
        "rest_curvature": 0, "plastic_radius": 0}, "length": {"inextensible": false}, "damping": {"enabled": false},
        "forces": {"drag": false},
        "time": {"frames": "1-3", "substeps": 400}, "out": "f.$F4.geo"})");
    const Outcome o = purl("sim stiff.json --quiet");
    EXPECT_EQ(o.code, 4) << o.text;
    EXPECT_NE(o.text.find("purl: frame 2"), std::string::npos) << o.text;
    EXPECT_TRUE(exists("f.0001.geo"));
    EXPECT_FALSE(exists("f.0002.geo"));
}

} // namespace
} // namespace purl
