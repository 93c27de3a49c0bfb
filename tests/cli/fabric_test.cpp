// `purl fabric` and `purl sim --fabric` on real files, sound and damaged.
#include "cli/command.h"

#include <cmath>

using namespace purl;

namespace {

constexpr int kBadInput = 3, kMemory = 5;

class Fabric : public Command {
protected:
    // A rectangle of quads, 24 by 18 mm, upright, with uv in metres and a group `top`.
    static Detail patch(int columns = 4, int rows = 3) {
        Detail d;
        d.addPoints((columns + 1) * (rows + 1));
        std::vector<Vec3> x;
        Attribute& uv = d.addFloat(Owner::Point, "uv", 3);
        for (int j = 0; j <= rows; ++j)
            for (int i = 0; i <= columns; ++i) {
                const double u = 0.024 * i / columns, v = 0.018 * j / rows;
                uv.set(x.size(), 0, u);
                uv.set(x.size(), 1, v);
                x.emplace_back(u, v, 0);
            }
        d.setPositions(x);
        Group& top = d.addGroup(Owner::Point, "top");
        for (int i = 0; i <= columns; ++i) top.member[i + rows * (columns + 1)] = 1;
        for (int j = 0; j < rows; ++j)
            for (int i = 0; i < columns; ++i) {
                const Index a = i + j * (columns + 1), b = a + columns + 1;
                const std::array<Index, 4> quad{a, a + 1, b + 1, b};
                d.addPrimitive(PrimitiveKind::Polygon, quad);
            }
        return d;
    }
    static void expect(const Outcome& o, int code, const std::string& part) {
        EXPECT_EQ(o.code, code) << o.text;
        EXPECT_NE(o.text.find(part), std::string::npos) << o.text;
    }
};

const char* kWif = "[WIF]\nVersion=1.1\n[CONTENTS]\nTHREADING=true\n[WARP]\nThreads=2\nColor=1\n"
                   "[WEFT]\nThreads=2\nColor=2\n[THREADING]\n1=1\n2=2\n[LIFTPLAN]\n1=1\n2=2\n"
                   "[PRIVATE ACME]\nanything\n[COLOR PALETTE]\nRange=0,999\nEntries=2\n"
                   "[COLOR TABLE]\n1=999,0,0\n2=0,0,999\n";

} // namespace

TEST_F(Fabric, YarnsComeOutWithWhatARendererAsksFor) {
    write("p.geo", patch());
    const Outcome o =
        purl("fabric p.geo --draft twill2/2 --spacing 1mm --nodes n.geo --out y.bgeo.sc");
    expect(o, 0, "42 yarns, 432 crossings");
    const Detail d = read("y.bgeo.sc");
    EXPECT_EQ(d.primitives(), 42);
    EXPECT_EQ(d.points(), 18 * (25 * 4 + 1) + 24 * (19 * 4 + 1));
    for (const char* name :
         {"P", "v", "pscale", "width", "orient", "N", "slide", "curveu", "yarnid", "Cd"})
        EXPECT_NE(d.findPoint(name), nullptr) << name;
    EXPECT_EQ(d.findPrimitive("family")->text(0), "warp");
    EXPECT_EQ(d.findGroup(Owner::Primitive, "weft")->count(), 24u);
    const Detail n = read("n.geo");
    EXPECT_EQ(n.points(), 432 + 2 * 42);
    // Where `prim` and `bary` say a node is, it is.
    const Detail p = read("p.geo");
    EXPECT_EQ(n.primitives(), 42);
    for (Index i = 0; i < n.points(); ++i) {
        const Index prim = static_cast<Index>(n.findPoint("prim")->integer(i));
        Vec3 lo = Vec3::Constant(1), hi = -lo;
        for (Index q : p.pointsOf(prim)) {
            lo = lo.cwiseMin(p.positions()[q]);
            hi = hi.cwiseMax(p.positions()[q]);
        }
        const Vec3 x = n.positions()[i];
        EXPECT_TRUE((x.array() >= lo.array() - 1e-7).all() &&
                    (x.array() <= hi.array() + 1e-7).all());
    }
}

TEST_F(Fabric, EveryKindOfDraftIsRead) {
    write("p.geo", patch());
    put("a.wif", kWif);
    put("a.txt", "01\n10\n");
    put("a.json", "[[0, 1], [1, 0]]");
    put("s.json", R"({"fabric": {"file": "p.geo", "draft": [[0, 1], [1, 0]], "spacing": "1 mm"}})");
    std::string first;
    for (const char* draft : {"plain", "01,10", "a.txt", "a.json"}) {
        expect(purl("fabric p.geo --spacing 1mm --draft " + std::string(draft) + " --out y.geo"), 0,
               "432 crossings");
        if (first.empty()) first = bytes("y.geo");
        EXPECT_EQ(bytes("y.geo"), first) << draft;
    }
    expect(purl("fabric s.json --out y.geo"), 0, "432 crossings");
    EXPECT_EQ(bytes("y.geo"), first);
    expect(purl("fabric p.geo --spacing 1mm --draft a.wif --out w.geo"), 0, "432 crossings");
    const Detail w = read("w.geo");
    EXPECT_NEAR(w.findPoint("Cd")->real(0, 0), 1, 1e-6); // a red warp
    EXPECT_NEAR(w.findPoint("Cd")->real(w.points() - 1, 2), 1, 1e-6);
    for (const char* knit : {"stockinette", "rib2x2", "garter"})
        expect(purl("fabric p.geo --spacing 2mm --draft " + std::string(knit) + " --out k.geo"), 0,
               knit);
}

TEST_F(Fabric, DamageIsNamed) {
    write("p.geo", patch());
    const std::string lay = "fabric p.geo --spacing 1mm --out y.geo --draft ";
    put("a.txt", "01\n021\n");
    expect(purl(lay + "a.txt"), kBadInput, "a.txt: line 2, column 2: '2' was found");
    put("a.json", "[[0, 1], [1]]");
    expect(purl(lay + "a.json"), kBadInput, "expected a row of 2 cells");
    put("a.wif", std::string(kWif).replace(std::string(kWif).find("1=1\n2=2\n[LIFT"), 3, "1=x"));
    expect(purl(lay + "a.wif"), kBadInput,
           "a.wif: line 12: 'x' was found, expected the number of a shaft");
    put("b.wif", std::string(kWif) + "junk\n");
    expect(purl(lay + "b.wif"), 0, "b.wif: line 25: is neither key=value");
    expect(purl(lay + "c.wif"), kBadInput, "c.wif");
    expect(purl(lay + "tweed"), kBadInput, "'tweed' was found, expected one of plain");
    expect(purl("fabric p.geo --spacing 50mm --out y.geo"), kBadInput,
           "expected at most half of the patch");
    expect(purl("fabric p.geo --spacing 1e-9 --out y.geo"), kMemory, "expected at most 50 million");
    Detail folded = patch();
    for (Index i = 0; i < folded.points(); ++i)
        if (i % 5 == 4) folded.findPoint("uv")->set(i, 0, 0.013);
    write("f.geo", folded);
    expect(purl("fabric f.geo --spacing 1mm --out y.geo"), kBadInput,
           "primitive 3: is folded over in uv");
    expect(purl("fabric p.geo --out y.geo"), kBadInput, "neither spacing nor radius");
    EXPECT_EQ(purl("fabric p.geo --spacing 1mm").code, 2);
}

TEST_F(Fabric, ASimulationHangsFromItsPins) {
    write("p.geo", patch());
    const std::string run =
        "sim --fabric p.geo --draft plain --spacing 1.5mm --pin top --substeps 8 "
        "--gravity 0,0,-9.80665 "
        "--quiet --stats s.jsonl --frames ";
    const Outcome o = purl(run + "1-3 --out 'a/f.$F4.bgeo.sc' --nodes 'a/n.$F4.geo'");
    ASSERT_EQ(o.code, 0) << o.text;
    const Detail first = read("a/n.0001.geo"), last = read("a/n.0003.geo");
    ASSERT_EQ(first.points(), last.points());
    double most = 0;
    for (Index i = 0; i < first.points(); ++i) {
        const Vec3 a = first.positions()[i], b = last.positions()[i];
        ASSERT_TRUE(b.allFinite());
        if (a.y() > 0.0179) { // ends at the top edge
            EXPECT_NEAR((a - b).norm(), 0, 1e-7);
        }
        most = std::max(most, a.z() - b.z());
    }
    EXPECT_GT(most, 1e-4);         // it bends down,
    EXPECT_LT(most, 0.018 + 1e-3); // but hangs
    EXPECT_EQ(read("a/f.0001.bgeo.sc").points(), read("a/f.0003.bgeo.sc").points());
    EXPECT_NE(bytes("s.jsonl").find("\"max_slide\""), std::string::npos);
    // The same bits on another number of threads, and from a checkpoint.
    ASSERT_EQ(purl(run + "1-2 --threads 1 --out 'b/f.$F4.bgeo.sc' --checkpoint-every 1").code, 0);
    ASSERT_EQ(purl(run + "1-3 --threads 2 --out 'b/f.$F4.bgeo.sc' --resume auto").code, 0);
    EXPECT_EQ(bytes("a/f.0003.bgeo.sc"), bytes("b/f.0003.bgeo.sc"));
}

TEST_F(Fabric, RegionsOfAWeaveAndOfAKnit) {
    write("p.geo", patch());
    const std::string sim = "sim --fabric p.geo --pin top --frames 1-2 --out 'f.$F4.bgeo.sc' ";
    // No yarn at all is a sheet of triangles that carries the yarns along.
    expect(purl(sim + "--draft plain --spacing 1mm --region none"), 0, "0 crossings of yarn alone");
    EXPECT_EQ(read("f.0002.bgeo.sc").primitives(), 42);
    expect(purl(sim + "--draft stockinette --spacing 3mm --region none"), 0,
           "stiffness of a weave");
    expect(purl(sim + "--draft stockinette --spacing 3mm --region all"), 0, "done");
    expect(purl(sim + "--draft plain --spacing 1mm --region foo"), kBadInput,
           "'foo' was found, expected paint, all or none");
}
