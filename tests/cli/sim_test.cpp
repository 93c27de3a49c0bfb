// `purl sim` end to end: what comes in comes out, the same bits at every thread count.
#include "cli/command.h"

namespace purl {
namespace {

class Sim : public Command {};

// A geometry with a bit of everything that a simulation must hand on.
Detail rich(Detail d) {
    Attribute& id = d.addInt(Owner::Point, "id");
    for (Index p = 0; p < d.points(); ++p) id.set(p, 0, 1000 - p);
    Attribute& name = d.addString(Owner::Primitive, "name");
    for (Index p = 0; p < d.primitives(); ++p) name.setText(p, 0, "yarn" + std::to_string(p));
    Attribute& uv = d.add(Owner::Vertex, "uv", Storage::Float64, 3, "texturecoord");
    for (Index v = 0; v < d.vertices(); ++v) uv.set(v, 1, 0.1 * v);
    d.addFloat(Owner::Global, "shot").set(0, 0, 42);
    Group& g = d.addGroup(Owner::Point, "ends");
    g.member.front() = g.member.back() = 1;
    d.addGroup(Owner::Primitive, "first").member[0] = 1;
    return d;
}

TEST_F(Sim, EveryAttributeAndGroupComesOutAgain) {
    const Detail in = rich(straight(2, 6));
    write("in.bgeo", in);
    put("noair.json", R"({"forces": {"drag": false}})");
    const Outcome o =
        purl("sim noair.json --yarns in.bgeo --out 'out/f.$F4.bgeo' --frames 1-3 --quiet");
    ASSERT_EQ(o.code, 0) << o.text;
    for (int frame : {1, 3}) {
        const Detail out = read("out/f.000" + std::to_string(frame) + ".bgeo");
        ASSERT_EQ(out.vertexPoint, in.vertexPoint);
        EXPECT_EQ(out.firstVertex, in.firstVertex);
        for (int owner = 0; owner < 4; ++owner)
            for (const Attribute& a : in.attributes[owner]) {
                if (a.name == "P") continue;
                const Attribute* b = out.find(static_cast<Owner>(owner), a.name);
                ASSERT_TRUE(b) << a.name;
                EXPECT_EQ(b->storage(), a.storage()) << a.name;
                EXPECT_TRUE(b->values == a.values) << a.name;
                EXPECT_EQ(b->strings, a.strings) << a.name;
            }
        for (int owner = 0; owner < 3; ++owner)
            for (const Group& g : in.groups[owner]) {
                const Group* h = out.findGroup(static_cast<Owner>(owner), g.name);
                ASSERT_TRUE(h) << g.name;
                EXPECT_EQ(h->member, g.member);
            }
        ASSERT_TRUE(out.findPoint("v"));
        EXPECT_EQ(out.findPoint("v")->typeInfo, "vector");
        ASSERT_TRUE(out.findPoint("orient"));
        EXPECT_EQ(out.findPoint("orient")->typeInfo, "quaternion");
    }
    const Detail first = read("out/f.0001.bgeo"), last = read("out/f.0003.bgeo");
    EXPECT_TRUE(first.findPoint("P")->values == in.findPoint("P")->values)
        << "frame 1 is the input";
    // Two frames of free fall at 24 fps: g t, and g t^2 / 2.
    EXPECT_NEAR(last.findPoint("v")->real(3, 1), -9.80665 * 2 / 24, 1e-4);
    EXPECT_NEAR(last.positions()[3].y(), 0.1 - 0.5 * 9.80665 / 144, 2e-4);
    double norm = 0;
    for (int k = 0; k < 4; ++k) norm += std::pow(last.findPoint("orient")->real(3, k), 2);
    EXPECT_NEAR(norm, 1, 1e-5);
}

TEST_F(Sim, PinsStayAndFollowTargets) {
    Detail in = straight(1, 6);
    in.addGroup(Owner::Point, "start").member[0] = 1;
    write("in.geo", in);
    for (int frame = 1; frame <= 3; ++frame) {
        std::vector<Vec3> x = in.positions();
        for (Vec3& p : x) p.z() += 0.002 * (frame - 1);
        Detail moved = in;
        moved.setPositions(x);
        write("anim.000" + std::to_string(frame) + ".geo", moved);
    }
    ASSERT_EQ(purl("sim --yarns in.geo --pin start --out 'a.$F.geo' --frames 1-3 --quiet").code, 0);
    EXPECT_TRUE(read("a.3.geo").positions()[0].isApprox(in.positions()[0], 1e-6));
    EXPECT_LT(read("a.3.geo").positions()[5].y(), 0.09);
    ASSERT_EQ(purl("sim --yarns in.geo --pin start --targets 'anim.$F4.geo' --out 'b.$F.geo' "
                   "--frames 1-3 --quiet")
                  .code,
              0);
    EXPECT_NEAR(read("b.3.geo").positions()[0].z(), 0.004, 1e-6);
}

TEST_F(Sim, SharedPointsStayTogether) {
    // A cross of two yarns that share their middle point.
    Detail d = straight(1, 7);
    std::vector<Vec3> x = d.positions();
    const Index first = d.addPoints(6);
    std::vector<Index> ids;
    for (int i = 0; i < 7; ++i) {
        if (i == 3) {
            ids.push_back(3);
            continue;
        }
        ids.push_back(first + i - (i > 3 ? 1 : 0));
        x.emplace_back(0.012, 0.1, 0.004 * (i - 3));
    }
    d.addPrimitive(PrimitiveKind::Polyline, ids);
    d.setPositions(x);
    for (Index p = first; p < d.points(); ++p) d.findPoint("pscale")->set(p, 0, 0.001);
    d.addGroup(Owner::Point, "start").member[0] = 1;
    write("in.geo", d);
    const Outcome o = purl("sim --yarns in.geo --pin start --out 'f.$F.geo' --frames 1-4 --quiet");
    ASSERT_EQ(o.code, 0) << o.text;
    const std::vector<Vec3> end = read("f.4.geo").positions();
    EXPECT_LT(end[3].y(), 0.0999);
    EXPECT_NEAR((end[first + 2] - end[3]).norm(), 0.004, 2e-5)
        << "the edge beside the shared point";
}

TEST_F(Sim, SameBytesAtEveryThreadCount) {
    ASSERT_EQ(
        purl("pattern stockinette --wales 6 --courses 6 --lie --height 0.05 --out in.bgeo").code,
        0);
    for (const char* n : {"1", "2", "3"}) {
        const Outcome o =
            purl("sim --yarns in.bgeo --collider sphere:0,0,0,0.04 --frames 1-4 --quiet "
                 "--out 't" +
                 std::string(n) + "/f.$F4.bgeo.sc' --threads " + n);
        ASSERT_EQ(o.code, 0) << o.text;
    }
    for (const char* frame : {"f.0001.bgeo.sc", "f.0002.bgeo.sc", "f.0004.bgeo.sc"}) {
        const std::string one = bytes(std::string("t1/") + frame);
        EXPECT_GT(one.size(), 1000u);
        EXPECT_TRUE(one == bytes(std::string("t2/") + frame)) << frame;
        EXPECT_TRUE(one == bytes(std::string("t3/") + frame)) << frame;
    }
    EXPECT_FALSE(bytes("t1/f.0002.bgeo.sc") == bytes("t1/f.0004.bgeo.sc"));
}

TEST_F(Sim, SceneFileAndFlagsAreTheSame) {
    write("in.geo", straight(2, 6));
    put("scene.json", R"({"yarns": {"file": "in.geo", "radius": "0.8 mm", "material": "cotton"},
        "colliders": ["plane:0,1,0,0.099"], "collision": {"friction": 0.5},
        "forces": {"gravity": [0.5, -9, 0]}, "time": {"frames": "1-3", "fps": 30}, "out": "a.$F.geo"})");
    ASSERT_EQ(purl("sim scene.json --quiet").code, 0);
    ASSERT_EQ(
        purl("sim --yarns in.geo --radius 0.0008 --material cotton --collider plane:0,1,0,0.099 "
             "--friction 0.5 --gravity 0.5,-9,0 --frames 1-3 --fps 30 --out 'b.$F.geo' --quiet")
            .code,
        0);
    EXPECT_TRUE(bytes("a.3.geo") == bytes("b.3.geo"));
    ASSERT_EQ(purl("sim scene.json --quiet --friction 0 --out 'c.$F.geo'").code, 0);
    EXPECT_FALSE(bytes("a.3.geo") == bytes("c.3.geo"));
}

TEST_F(Sim, ProgressForFarmsRisesTo100) {
    write("in.geo", straight(2, 6));
    const Outcome o =
        purl("sim --yarns in.geo --out 'f.$F.geo' --frames 1-4 --progress alf --stats s.jsonl");
    ASSERT_EQ(o.code, 0) << o.text;
    int last = -1;
    std::istringstream lines(o.text);
    for (std::string line; std::getline(lines, line);) {
        int n;
        if (std::sscanf(line.c_str(), "ALF_PROGRESS %d%%", &n) != 1) continue;
        EXPECT_GT(n, last);
        last = n;
    }
    EXPECT_EQ(last, 100);
    EXPECT_EQ(o.text.find("error"), std::string::npos);
    const std::string stats = bytes("s.jsonl");
    EXPECT_EQ(std::count(stats.begin(), stats.end(), '\n'), 4);
    EXPECT_NE(stats.find("\"hash\":"), std::string::npos);
}

TEST_F(Sim, InterruptKeepsWholeFramesAndIsExit130) {
    write("in.geo", straight(4, 40));
    const Outcome o = purl("sim --yarns in.geo --out 'f.$F.geo' --frames 1-100000 --quiet",
                           "timeout --preserve-status -s INT 1"); // which signals twice
    EXPECT_EQ(o.code, 130) << o.text;
    int frames = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if (name == "in.geo" || name == "manifest.json" || name == "checkpoints") continue;
        EXPECT_EQ(read(name).points(), 160) << name; // whole, and nothing temporary
        ++frames;
    }
    EXPECT_GT(frames, 1);
    EXPECT_NE(o.text.find("frames up to " + std::to_string(frames) + " are whole"),
              std::string::npos)
        << o.text;
}

} // namespace
} // namespace purl
