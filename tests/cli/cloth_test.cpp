// `purl sim --cloth`: files in, files out, bad input by name and exit code.
#include "cli/command.h"

#include "purl/check/triangles.h"

#include <cmath>

namespace purl {
namespace {

class ClothCommand : public Command {
protected:
    // n x n quads of 2 cm, lying at height 0.1.
    static Detail sheet(int n) {
        Detail d;
        std::vector<Vec3> x;
        for (int j = 0; j <= n; ++j)
            for (int i = 0; i <= n; ++i)
                x.emplace_back(0.02 * (i - 0.5 * n), 0.1, -0.02 * (j - 0.5 * n));
        d.addPoints(static_cast<Index>(x.size()));
        d.setPositions(x);
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) {
                const Index a = i + j * (n + 1);
                const std::vector<Index> quad{a, a + 1, a + n + 2, a + n + 1};
                d.addPrimitive(PrimitiveKind::Polygon, quad);
            }
        Group& g = d.addGroup(Owner::Point, "edge");
        for (int i = 0; i <= n; ++i) g.member[i] = 1;
        return d;
    }
    void SetUp() override {
        Command::SetUp();
        write("in.geo", sheet(8));
    }
    Outcome run(const std::string& flags) {
        return purl("sim " + flags + " --out 'out/f.$F4.geo' --frames 1-3 --quiet");
    }
    void refused(const std::string& flags, int code, const std::vector<std::string>& words) {
        std::filesystem::remove_all(folder / "out");
        const Outcome o = run(flags);
        EXPECT_EQ(o.code, code) << o.text;
        EXPECT_EQ(o.text.rfind("purl: ", 0), 0u) << o.text;
        for (const std::string& w : words)
            EXPECT_NE(o.text.find(w), std::string::npos) << "no '" << w << "' in: " << o.text;
        EXPECT_FALSE(exists("out"));
    }
    void warned(const std::string& flags, const std::vector<std::string>& words) {
        const Outcome o = run(flags);
        EXPECT_EQ(o.code, 0) << o.text;
        for (const std::string& w : words)
            EXPECT_NE(o.text.find(w), std::string::npos) << "no '" << w << "' in: " << o.text;
        EXPECT_TRUE(exists("out/f.0003.geo"));
    }
};

TEST_F(ClothCommand, FallsFreelyAndPassesEverythingThrough) {
    Detail d = sheet(8);
    d.addFloat(Owner::Vertex, "uv", 3, "texturecoord").set(3, 0, 0.25);
    d.addInt(Owner::Primitive, "piece").set(5, 0, 7);
    d.addString(Owner::Global, "note").setText(0, 0, "keep me");
    d.addPoints(1);
    write("in.geo", d);
    const Outcome o = purl("sim --cloth in.geo --out 'out/f.$F4.geo' --frames 1-7 --quiet "
                           "--stats s.jsonl --rest input");
    EXPECT_EQ(o.code, 0) << o.text;
    const Detail first = read("out/f.0001.geo"), last = read("out/f.0007.geo");
    EXPECT_EQ(first.positions(), d.positions());
    EXPECT_EQ(last.points(), d.points());
    EXPECT_EQ(last.primitives(), 64);
    EXPECT_EQ(last.find(Owner::Vertex, "uv")->real(3), 0.25);
    EXPECT_EQ(last.findPrimitive("piece")->integer(5), 7);
    EXPECT_EQ(last.find(Owner::Global, "note")->text(0), "keep me");
    EXPECT_NE(last.findGroup(Owner::Point, "edge"), nullptr);
    EXPECT_EQ(last.positions()[81], Vec3(0, 0, 0)); // in no polygon: not moved
    // Falling flat in air for a quarter of a second: m v' = m g - rho/2 v^2 for 0.12 kg/m2 of
    // cotton, so v = vt tanh(g t / vt) and the way is vt^2 / g ln cosh(g t / vt).
    const double g = 9.80665, vt = std::sqrt(2 * 0.12 * g / 1.2);
    EXPECT_NEAR(last.positions()[40].y(), 0.1 - vt * vt / g * std::log(std::cosh(g * 0.25 / vt)),
                0.01);
    EXPECT_NEAR(last.findPoint("v")->real(40, 1), -vt * std::tanh(g * 0.25 / vt), 0.05);
    const std::string stats = bytes("s.jsonl");
    EXPECT_EQ(std::count(stats.begin(), stats.end(), '\n'), 7);
    for (const char* key : {"\"hash\"", "\"iterations\"", "\"self\"", "\"max_speed\""})
        EXPECT_NE(stats.find(key), std::string::npos) << key;
}

TEST_F(ClothCommand, DrapesOverABallWithoutMeetingItself) {
    const Outcome o = purl("sim --cloth in.geo --cloth-preset jersey --collider sphere:0,0,0,0.05 "
                           "--friction 0.4 --out 'out/f.$F4.geo' --frames 1-14 --quiet");
    EXPECT_EQ(o.code, 0) << o.text;
    const Detail last = read("out/f.0014.geo");
    const std::vector<Vec3> x = last.positions();
    std::vector<std::array<Index, 3>> t;
    for (Index f = 0; f < last.primitives(); ++f) {
        const Span<const Index> q = last.pointsOf(f);
        t.push_back({q[0], q[1], q[2]});
        t.push_back({q[0], q[2], q[3]});
    }
    for (const Vec3& p : x) EXPECT_GT(p.norm(), 0.0495);
    EXPECT_EQ(countIntersections(x, t), 0);
    EXPECT_NEAR(x[40].y(), 0.05, 0.004); // its middle rests on top
    EXPECT_LT(x[0].y(), 0.04);           // and the corners hang
}

TEST_F(ClothCommand, PinsGoalsAndTargets) {
    Detail d = sheet(8);
    d.addInt(Owner::Point, "pintoanimation").set(80, 0, 1);
    write("pinned.geo", d);
    std::vector<Vec3> x = d.positions();
    for (Vec3& p : x) p.y() += 0.02;
    Detail target = d;
    target.setPositions(x);
    for (int f = 2; f <= 3; ++f) write("to.000" + std::to_string(f) + ".geo", target);
    const Outcome o = run("--cloth pinned.geo --pin edge --targets 'to.$F4.geo'");
    EXPECT_EQ(o.code, 0) << o.text;
    const std::vector<Vec3> end = read("out/f.0003.geo").positions();
    for (Index p : {0, 4, 8, 80}) EXPECT_NEAR(end[p].y(), 0.12, 1e-7) << p;
    EXPECT_LT(end[40].y(), 0.119);
    refused("--cloth in.geo --pin nothere", 3,
            {"in.geo", "no point or primitive group 'nothere'", "edge"});
}

TEST_F(ClothCommand, EveryModelAndIntegratorRuns) {
    for (const char* m : {"stvk", "baraff_witkin", "corotated", "springs"}) {
        const Outcome o = run(std::string("--cloth in.geo --pin edge --in-plane ") + m);
        EXPECT_EQ(o.code, 0) << m << ": " << o.text;
    }
    for (const char* m : {"discrete_shells", "baraff_witkin", "bridson", "quadratic", "linear",
                          "loop", "springs", "choi_ko"}) {
        const Outcome o = run(std::string("--cloth in.geo --pin edge --bending ") + m);
        EXPECT_EQ(o.code, 0) << m << ": " << o.text;
    }
    for (const char* m :
         {"backward_euler", "bdf2", "crank_nicolson", "newmark", "leapfrog", "rk4"}) {
        const Outcome o = run(std::string("--cloth in.geo --cloth-preset jersey --pin edge "
                                          "--integrator ") +
                              m);
        EXPECT_EQ(o.code, 0) << m << ": " << o.text;
    }
    const Outcome o = run("--cloth in.geo --pin edge --drape");
    EXPECT_EQ(o.code, 0) << o.text;
}

TEST_F(ClothCommand, SceneFileAndFlagsSayTheSame) {
    put("s.json", R"({"cloth": {"file": "in.geo", "preset": "denim", "bending": "quadratic",
                     "density": "300 g/m2", "bend_warp": "0.1 gf cm2/cm",
                     "self_collision": {"thickness": "1.5 mm", "friction": 0.4},
                     "solver": {"integrator": "bdf2"}}, "pins": "edge"})");
    const Outcome scene = purl("sim s.json --out 'a/f.$F4.geo' --frames 1-3 --quiet");
    EXPECT_EQ(scene.code, 0) << scene.text;
    put("t.json", R"({"cloth": {"density": 0.3, "bend_warp": 9.80665e-6}, "pins": "edge"})");
    const Outcome flags = purl("sim t.json --cloth in.geo --cloth-preset denim --bending quadratic "
                               "--integrator bdf2 --self-thickness 1.5mm --self-friction 0.4 "
                               "--out 'b/f.$F4.geo' --frames 1-3 --quiet");
    EXPECT_EQ(flags.code, 0) << flags.text;
    EXPECT_EQ(read("a/f.0003.geo").positions(), read("b/f.0003.geo").positions());
}

TEST_F(ClothCommand, GridScenesNeedNoFile) {
    put("g.json", R"({"cloth": {"grid": {"columns": 10, "rows": 6, "width": 0.5, "height": 0.3,
                     "lie": false}}, "pins": "edge_top"})");
    const Outcome o = run("g.json");
    EXPECT_EQ(o.code, 0) << o.text;
    EXPECT_EQ(read("out/f.0003.geo").points(), 77);
}

TEST_F(ClothCommand, ShippedScenesRun) {
    for (const char* name : {"cloth_ball", "cloth_flag", "cloth_drape"}) {
        const Outcome o = purl(std::string("sim '" PURL_SOURCE_DIR "/scenes/") + name +
                               ".json' --out 'out/f.$F4.geo' --frames 1-2 --quiet");
        EXPECT_EQ(o.code, 0) << name << ": " << o.text;
        EXPECT_EQ(o.text, "") << name; // and nothing to warn about
        EXPECT_EQ(purl("check 'out/f.$F4.geo'").code, 0) << name;
    }
}

TEST_F(ClothCommand, SameBitsAtEveryThreadCount) {
    std::string hash;
    for (const char* n : {"1", "2", "3"}) {
        const Outcome o =
            purl(std::string("sim --cloth in.geo --collider sphere:0,0.04,0,0.05 "
                             "--out 'o/f.$F4.geo' --frames 1-6 --quiet --stats s.jsonl "
                             "--threads ") +
                 n);
        ASSERT_EQ(o.code, 0) << o.text;
        const std::string text = bytes("s.jsonl"), key = "\"hash\":\"";
        const std::string last = text.substr(text.rfind(key) + key.size(), 16);
        if (hash.empty()) hash = last;
        EXPECT_EQ(last, hash) << n;
    }
}

TEST_F(ClothCommand, BadGeometryIsNamedByPrimitive) {
    Detail d = sheet(4);
    const auto add = [&](std::vector<Index> ids) { d.addPrimitive(PrimitiveKind::Polygon, ids); };
    add({0, 1, 6, 5}); // 16: again primitive 0
    add({0, 1, 2});    // 17: no area
    add({7, 12, 20});  // 18: the third on edge 7-12
    d.addPoints(1);    // 25
    const std::vector<Index> line{0, 1};
    d.addPrimitive(PrimitiveKind::Polyline, line); // 19
    write("bad.geo", d);
    warned("--cloth bad.geo --no-self-collision",
           {"primitive 16 lies on the same points", "primitive 17 has no area",
            "primitive 18 is the third on one edge", "point 25 is in no polygon",
            "no polygons (the first is primitive 19)"});
}

TEST_F(ClothCommand, TurnedPolygonAndMirroredUvAreRepaired) {
    Detail d = sheet(4);
    std::swap(d.vertexPoint[4 * 5 + 1], d.vertexPoint[4 * 5 + 3]);
    Attribute& uv = d.addFloat(Owner::Point, "uv", 2);
    const std::vector<Vec3> x = d.positions();
    for (Index p = 0; p < d.points(); ++p) {
        uv.set(p, 0, x[p].x());
        uv.set(p, 1, x[p].z()); // mirrored: z runs against the front
    }
    write("uv.geo", d);
    warned("--cloth uv.geo",
           {"primitive 5 runs the other way round", "uv island that is mirrored"});
}

TEST_F(ClothCommand, SelfIntersectingInputIsTold) {
    Detail d = sheet(4);
    std::vector<Vec3> x = d.positions();
    x[12] += Vec3(0.001, 0, 0); // and a second sheet through the first
    d.setPositions(x);
    const Index a = d.addPoints(3);
    x = d.positions();
    x[a] = Vec3(0.001, 0.05, 0.001);
    x[a + 1] = Vec3(0.013, 0.15, 0.004);
    x[a + 2] = Vec3(0.004, 0.15, 0.013);
    d.setPositions(x);
    const std::vector<Index> t{a, a + 1, a + 2};
    d.addPrimitive(PrimitiveKind::Polygon, t);
    write("through.geo", d);
    warned("--cloth through.geo", {"starts through itself", "primitives", "16"});
}

TEST_F(ClothCommand, CheckAndPreviewTakeSheets) {
    Outcome o = purl("check in.geo");
    EXPECT_EQ(o.code, 0) << o.text;
    EXPECT_NE(o.text.find("sheet of 128 triangles"), std::string::npos) << o.text;
    Detail d = sheet(8); // folded over so that the first row passes through the fourth
    std::vector<Vec3> x = d.positions();
    for (int i = 0; i <= 8; ++i) {
        x[i] = x[36 + i] + Vec3(0.003, -0.01, 0.002);
        x[9 + i] = x[36 + i] + Vec3(0.003, 0.02, 0.004);
    }
    d.setPositions(x);
    write("bad.geo", d);
    o = purl("check bad.geo");
    EXPECT_EQ(o.code, 4) << o.text;
    EXPECT_NE(o.text.find("pairs of triangles meet"), std::string::npos) << o.text;
    EXPECT_NE(o.text.find("primitives"), std::string::npos) << o.text;
    o = purl("check bad.geo --json");
    EXPECT_NE(o.text.find("\"clean\": false"), std::string::npos) << o.text;
    o = purl("preview in.geo --out p.png --width 64 --samples 1 --quiet");
    EXPECT_EQ(o.code, 0) << o.text;
    EXPECT_TRUE(exists("p.png"));
}

TEST_F(ClothCommand, Refusals) {
    std::string text = bytes("in.geo");
    const std::string tuples = "\"tuples\",[[";
    const std::size_t at = text.find(tuples) + tuples.size();
    text.replace(at, text.find(',', at) - at, "nan");
    put("nan.geo", text);
    refused("--cloth nan.geo", 3, {"nan.geo", "nan", "expected"});
    write("curves.geo", straight(2, 6));
    refused("--cloth curves.geo", 3, {"curves.geo", "no polygons", "expected"});
    refused("--cloth nothere.geo", 3, {"nothere.geo"});
    refused("--cloth in.geo --cloth-preset velvet", 3, {"velvet", "cotton", "denim"});
    refused("--cloth in.geo --in-plane rubber", 3, {"--in-plane", "rubber", "stvk"});
    refused("--cloth in.geo --bending rubber", 3, {"--bending", "rubber", "discrete_shells"});
    refused("--cloth in.geo --integrator magic", 3, {"--integrator", "magic", "bdf2"});
    refused("--cloth in.geo --rest magic", 3, {"magic", "auto, rest, uv or input"});
    refused("--cloth in.geo --rest uv", 3, {"in.geo", "no uv"});
    refused("--cloth in.geo --self-thickness 0", 3, {"--self-thickness", "> 0 m"});
    refused("--cloth in.geo --self-friction -1", 3, {"--self-friction", "-1"});
    refused("--cloth in.geo --yarns in.geo", 2,
            {"--cloth", "besides others", "either yarns, a sheet or a fabric"});
    Detail d = sheet(4);
    d.addFloat(Owner::Primitive, "density").set(3, 0, -1);
    write("light.geo", d);
    refused("--cloth light.geo", 3, {"light.geo: primitive 0", "density is 0", "> 0"});
    put("k.json", R"({"cloth": {"file": "in.geo", "presett": "cotton"}})");
    refused("k.json", 3, {"k.json: /cloth/presett", "unknown key"});
    put("u.json", R"({"cloth": {"file": "in.geo", "bend_warp": "3 kg"}})");
    refused("u.json", 3, {"u.json: /cloth/bend_warp", "3 kg", "gf cm2/cm"});
    put("m.json", R"({"cloth": {"file": "in.geo", "poisson": 3}})");
    refused("m.json", 3, {"poisson", "3"});
    put("g.json", R"({"cloth": {"grid": {"columns": 0}}})");
    refused("g.json", 3, {"g.json: /cloth/grid/columns", "0"});
}

TEST_F(ClothCommand, PaintedStiffnessIsRead) {
    const auto sag = [&](double factor) {
        Detail d = sheet(8);
        Attribute& a = d.addFloat(Owner::Point, "stretchscale");
        for (Index p = 0; p < d.points(); ++p) a.set(p, 0, factor);
        write("paint.geo", d);
        const Outcome o = purl("sim --cloth paint.geo --cloth-preset jersey --pin edge --drape "
                               "--out 'p/f.$F4.geo' --frames 1-2 --quiet");
        EXPECT_EQ(o.code, 0) << o.text;
        double lowest = 1;
        for (const Vec3& x : read("p/f.0002.geo").positions()) lowest = std::min(lowest, x.y());
        return lowest;
    };
    EXPECT_LT(sag(0.05), sag(1.0) - 1e-4); // softer hangs lower
}

} // namespace
} // namespace purl
