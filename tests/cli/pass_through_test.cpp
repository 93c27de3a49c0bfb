// Everything that came in comes out of a simulation: on real files of Houdini, and on a file with
// everything that we know of and some that we do not.
#include "cli/command.h"
#include "io/detail_compare.h"
#include "io/rich_detail.h"

namespace purl {

class PassThrough : public Command {
protected:
    // Simulates `file` for three frames; the last is as the input but for P, v, orient, pscale.
    void expectThrough(const std::string& file, const std::string& format, bool moves = true) {
        SCOPED_TRACE(file);
        std::vector<std::string> warnings;
        const Detail in = readDetail(file, warnings);
        const Outcome o = purl("sim --yarns '" + file +
                               "' --radius 1mm --frames 1-3 --fps 4800 "
                               "--contact none --out 'f.$F." +
                               format + "' --quiet");
        ASSERT_EQ(o.code, 0) << o.text;
        Detail out = read("f.3." + format);
        EXPECT_EQ(out.positions() != in.positions(), moves);
        Detail same = in;
        for (const char* name : {"P", "v", "orient", "pscale"}) {
            same.remove(Owner::Point, name);
            out.remove(Owner::Point, name);
        }
        EXPECT_EQ(difference(same, out), "");
    }
    static std::string sample(const std::string& name) {
        const std::string path = std::string(PURL_SHARED_DIR) + "/samples/houdini/" + name;
        return std::filesystem::exists(path) ? std::filesystem::absolute(path).string() : "";
    }
};

TEST_F(PassThrough, RealFiles) {
    if (sample("PROVENANCE.md").empty()) GTEST_SKIP() << "../shared/samples is not here";
    // a dict, matrices and strings on a tree of lines; vertex normals, strings on a mesh; groups
    for (const char* name :
         {"SideFXLabs/neuron_tpose.bgeo", "SideFXLabs/hip_embedded_h19_quads.bgeo",
          "bgeo_reader/cube_multi_groups_16.geo", "bgeo_reader/cubes_connectivity.bgeo"})
        expectThrough(sample(name), "bgeo.sc");
    expectThrough(sample("bgeo_reader/sphere_grid_16.bgeo"), "geo"); // a sphere beside polygons
}

TEST_F(PassThrough, EveryKindOfThing) {
    // lines that are lines, and all of the rich attributes, groups and types on them
    Detail d = richDetail(64);
    std::vector<Vec3> x;
    for (int i = 0; i < 64; ++i) x.emplace_back(0.004 * i, 0.002 * std::sin(i), 0.03 * (i / 16));
    d.setPositions(x);
    std::vector<std::uint8_t> keep(static_cast<std::size_t>(d.primitives()), 0);
    keep[0] = keep[1] = keep[4] = 1; // those with points enough for a yarn
    d = d.withPrimitives(keep);
    for (const char* name : {"pscale", "v", "weld"}) d.remove(Owner::Point, name);
    for (Owner o : {Owner::Point, Owner::Vertex, Owner::Primitive, Owner::Global}) {
        Attribute& a = d.add(o, "unknown", Storage::Int8, 0);
        a.type = Attribute::Type::Kept;
        a.keptType = "arraydata";
        a.defaults = Values{};
        // [7, "x"] in binary JSON
        a.kept = {0x7f, 'N', 'S', 'J', 'b', '[', 0x11, 7, 0x27, 1, 'x', ']'};
    }
    write("rich.bgeo", d);
    expectThrough(path("rich.bgeo"), "bgeo");
    expectThrough(path("rich.bgeo"), "bgeo.sc");
    expectThrough(path("rich.bgeo"), "geo");
    const Detail out = read("f.3.geo");
    EXPECT_EQ(out.find(Owner::Vertex, "unknown")->keptType, "arraydata");
    EXPECT_EQ(out.edgeGroups.size(), 1u);
    EXPECT_EQ(out.findPoint("v")->typeInfo, "vector");
    EXPECT_EQ(out.findPoint("orient")->typeInfo, "quaternion");
    EXPECT_NEAR(out.findPoint("pscale")->real(0), 0.001, 1e-9); // told, for there was none
}

TEST_F(PassThrough, VdbPrimitivesAreLevelSetsToCollideWith) {
    ASSERT_EQ(purl("collider sphere:0.02,0.05,0.01,0.03 --voxel 0.002 --out a.vdb").code, 0);
    ASSERT_EQ(purl("collider sphere:0,9,0,0.03 --voxel 0.002 --out far.vdb").code, 0);
    ASSERT_EQ(purl("convert a.vdb a.bgeo.sc").code, 0);
    ASSERT_EQ(purl("convert far.vdb far.bgeo").code, 0);
    Detail yarns = straight(3, 20);
    write("in.geo", yarns);
    const std::string sim = "sim --yarns in.geo --frames 1-8 --fps 48 --quiet --collider ";
    ASSERT_EQ(purl(sim + "a.vdb --out 'v.$F.geo'").code, 0);
    ASSERT_EQ(purl(sim + "a.bgeo.sc --out 'b.$F.geo'").code, 0);
    ASSERT_EQ(purl(sim + "far.vdb --out 'n.$F.geo'").code, 0);
    EXPECT_EQ(bytes("v.8.geo"), bytes("b.8.geo"));
    EXPECT_NE(bytes("v.8.geo"), bytes("n.8.geo")); // it was hit
    // Two primitives; which one is the surface is said by the name that Houdini shows.
    Detail two = read("far.bgeo");
    const Detail near = read("a.bgeo.sc");
    const Index point = two.addPoints(1);
    KeptRecord k = near.kept[0];
    k.primitive = two.addPrimitive(PrimitiveKind::Opaque, {&point, 1});
    two.kept.push_back(k);
    two.find(Owner::Primitive, "name")->setText(0, 0, "elsewhere");
    two.find(Owner::Primitive, "name")->setText(1, 0, "surface");
    write("two.bgeo.sc", two);
    ASSERT_EQ(purl(sim + "two.bgeo.sc --out 't.$F.geo'").code, 0);
    EXPECT_EQ(bytes("t.8.geo"), bytes("v.8.geo"));
    put("scene.json",
        R"({"yarns": {"file": "in.geo"}, "out": "s.$F.geo", "time": {"frames": "1-8", "fps": 48},
        "colliders": [{"file": "two.bgeo.sc", "surface": "elsewhere"}]})");
    ASSERT_EQ(purl("sim scene.json --quiet").code, 0);
    EXPECT_EQ(bytes("s.8.geo"), bytes("n.8.geo"));
    // what is damaged is told with the file and the byte
    const std::string whole = bytes("a.bgeo.sc");
    put("cut.bgeo.sc", whole.substr(0, whole.size() / 2));
    const Outcome o = purl(sim + "cut.bgeo.sc --out 'c.$F.geo'");
    EXPECT_EQ(o.code, 3) << o.text;
    EXPECT_NE(o.text.find("cut.bgeo.sc: byte "), std::string::npos) << o.text;
}

TEST_F(PassThrough, OtherUnits) {
    Detail d = straight(2, 10);
    Detail cm = d;
    std::vector<Vec3> x = d.positions();
    for (Vec3& p : x) p *= 100;
    cm.setPositions(x);
    for (Index p = 0; p < cm.points(); ++p) cm.findPoint("pscale")->set(p, 0, 0.1);
    write("m.geo", d);
    write("cm.geo", cm);
    ASSERT_EQ(purl("convert cm.geo back.geo --scale cm").code, 0);
    EXPECT_EQ(difference(d, read("back.geo"), 1e-6), "");
    ASSERT_EQ(
        purl("sim --yarns cm.geo --scale 0.01 --frames 1-3 --fps 480 --out 'a.$F.geo' --quiet")
            .code,
        0);
    ASSERT_EQ(purl("sim --yarns m.geo --frames 1-3 --fps 480 --out 'b.$F.geo' --quiet").code, 0);
    EXPECT_EQ(difference(read("a.3.geo"), read("b.3.geo"), 1e-5), "");
    Outcome o = purl("sim --yarns cm.geo --radius 1mm --frames 1-1 --out 'c.$F.geo' --quiet");
    EXPECT_NE(o.text.find("--scale cm"), std::string::npos) << o.text;
    o = purl("convert cm.geo x.geo --scale parsec");
    EXPECT_EQ(o.code, 3) << o.text;
    EXPECT_NE(o.text.find("--scale: 'parsec' was found"), std::string::npos) << o.text;
}

TEST_F(PassThrough, ARingThatRepeatsItsFirstPoint) {
    Detail d;
    std::vector<Vec3> x;
    std::vector<Index> ids;
    for (int i = 0; i <= 24; ++i) {
        const double a = 2 * 3.14159265358979 * (i % 24) / 24;
        x.emplace_back(0.02 * std::cos(a), 0.02 * std::sin(a), 0);
        ids.push_back(i);
    }
    d.addPoints(25);
    d.setPositions(x);
    d.addPrimitive(PrimitiveKind::Polygon, ids);
    write("ring.bcc", d);
    const Outcome o =
        purl("sim --yarns ring.bcc --radius 1mm --frames 1-3 --fps 240 --out 'f.$F.bgeo.sc'");
    ASSERT_EQ(o.code, 0) << o.text;
    EXPECT_NE(o.text.find("1 closed yarns end on the very place"), std::string::npos) << o.text;
    const Detail out = read("f.3.bgeo.sc");
    EXPECT_EQ(out.points(), 25); // none is lost
    EXPECT_EQ(out.positions()[0], out.positions()[24]);
    EXPECT_EQ(purl("check 'f.$F.bgeo.sc'").code, 0); // pscale was written, too
}

} // namespace purl
