// .bcc, .yarns, .pyp and .obj against what is known of the real files.
#include "io/detail_compare.h"
#include "purl/base/error.h"
#include "purl/io/geo.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iostream>

using namespace purl;
namespace fs = std::filesystem;

namespace {

const fs::path yarns = fs::path(PURL_SHARED_DIR) / "samples/yarns";

bool haveSamples() {
    if (fs::exists(yarns)) return true;
    std::cout << "samples folder " << yarns << " is not there: nothing to compare with\n";
    return false;
}

Detail readSample(const char* name) {
    std::vector<std::string> warnings;
    Detail d = readDetail((yarns / name).string(), warnings);
    d.check(name);
    return d;
}

Detail readText(const std::string& text, std::vector<std::string>& warnings) {
    return readDetailBytes({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, "t",
                           warnings);
}

} // namespace

TEST(YarnFiles, Glove) {
    if (!haveSamples()) return;
    const Detail d = readSample("glove.bcc");
    EXPECT_EQ(d.points(), 58545);
    EXPECT_EQ(d.primitives(), 70);
    for (Index p = 0; p < d.primitives(); ++p) EXPECT_TRUE(d.primitiveClosed[p]);
    EXPECT_EQ(d.pointsOf(0).size(), 718u); // 0xfffffd32 = -718
    const Vec3 first = d.positions()[0];   // 5e63ebc0 4d957141 debc2ac1, as the file has them
    EXPECT_FLOAT_EQ(static_cast<float>(first.x()), -7.3558798f);
    EXPECT_FLOAT_EQ(static_cast<float>(first.y()), 15.0989504f);
    EXPECT_FLOAT_EQ(static_cast<float>(first.z()), -10.6711102f);
    // out again: the same bytes but for the 40 letters of text
    std::ifstream in(yarns / "glove.bcc", std::ios::binary);
    std::vector<std::uint8_t> bytes((std::istreambuf_iterator<char>(in)), {});
    std::vector<std::uint8_t> ours = writeDetailBytes("g.bcc", d);
    ASSERT_EQ(ours.size(), bytes.size());
    std::copy(bytes.begin() + 24, bytes.begin() + 64, ours.begin() + 24);
    EXPECT_EQ(ours, bytes);
}

TEST(YarnFiles, OpenBccWithZUp) {
    if (!haveSamples()) return;
    const Detail d = readSample("openwork_trellis_pattern.bcc");
    EXPECT_EQ(d.points(), 19730);
    EXPECT_EQ(d.primitives(), 1);
    EXPECT_FALSE(d.primitiveClosed[0]);
    EXPECT_EQ(d.find(Owner::Global, "up_axis")->integer(0), 2);
}

TEST(YarnFiles, Yarns) {
    if (!haveSamples()) return;
    const Detail d = readSample("knit-2x2.yarns");
    EXPECT_EQ(d.points(), 57);
    ASSERT_EQ(d.primitives(), 1);
    EXPECT_EQ(d.positions()[0], Vec3(2, 0.25, 0));
    EXPECT_EQ(d.positions()[56], Vec3(2, 1.25, 0));
    EXPECT_NEAR(d.findPoint("pscale")->real(3), 0.064861, 1e-6); // 01d6843d
    EXPECT_FLOAT_EQ(static_cast<float>(d.findPrimitive("Cd")->real(0, 1)), 169 / 255.0f);
    const Detail h = readSample("helloworld.yarns");
    EXPECT_GT(h.primitives(), 0);
    EXPECT_EQ(readSample("knit-4x4.yarns").primitives(), 1);
}

TEST(YarnFiles, PypEdgesHaveTheirRestLengths) {
    if (!haveSamples()) return;
    for (const char* name : {"basket.pyp", "satin.pyp", "stockinette.pyp", "stocktiny.pyp"}) {
        SCOPED_TRACE(name);
        const Detail d = readSample(name);
        const std::vector<Vec3> x = d.positions();
        const Attribute* rest = d.findPoint("restlength");
        ASSERT_TRUE(rest);
        const std::vector<Vec3> d1 = d.vectors(*d.findPoint("refd1"));
        double error = 0, length = 0, normal = 0;
        for (Index p = 0; p < d.primitives(); ++p) {
            const auto points = d.pointsOf(p);
            const Attribute* period = d.findPrimitive("period");
            const Vec3 jump = d.vectors(*period)[static_cast<std::size_t>(p)];
            for (std::size_t i = 0; i < points.size(); ++i) {
                const bool last = i + 1 == points.size();
                const Vec3 to = x[points[last ? 0 : i + 1]] + (last ? jump : Vec3::Zero());
                const Vec3 edge = to - x[points[i]];
                normal = std::max(normal, std::abs(edge.normalized().dot(d1[points[i]])));
                error += std::abs(edge.norm() - rest->real(points[i]));
                length += rest->real(points[i]);
            }
        }
        // relaxed models are nearly unstretched; a wrong unwrapping would be off by whole periods
        EXPECT_LT(error / length, 0.03);
        EXPECT_LT(normal, 0.11); // directors are normal to their edges
        EXPECT_EQ(d.vertices(), d.points());
    }
    const Detail tiny = readSample("stocktiny.pyp");
    EXPECT_EQ(tiny.points(), 13);
    EXPECT_NEAR(tiny.find(Owner::Global, "period")->real(0, 0), 0.00144, 1e-9);
    EXPECT_NEAR(tiny.findPoint("pscale")->real(0), 0.0002, 1e-9);
    EXPECT_NEAR(tiny.findPoint("theta")->real(2), -0.27891638, 1e-7);
}

TEST(YarnFiles, ObjWithAllItsSpellings) {
    std::vector<std::string> warnings;
    const Detail d = readText("# comment\nmtllib x.mtl\no thing\nv 0 0 0\nv 1 0 0 1.0\nv 1 1e0 -0\n"
                              "v +2 .5 3\r\nvt 0 0\nvn 0 0 1\ng left top\nf 1/1/1 2//1 3/1\ns off\n"
                              "g left\nl -4 -3 \\\n -1\nusemtl m\ng\nf 1 2 3 4 # quad\n",
                              warnings);
    EXPECT_EQ(d.points(), 4);
    ASSERT_EQ(d.primitives(), 3);
    EXPECT_EQ(d.primitiveKind[0], PrimitiveKind::Polygon);
    EXPECT_EQ(d.primitiveKind[1], PrimitiveKind::Polyline);
    EXPECT_EQ(d.vertexPoint, (std::vector<Index>{0, 1, 2, 0, 1, 3, 0, 1, 2, 3}));
    EXPECT_EQ(d.findGroup(Owner::Primitive, "left")->member, (std::vector<std::uint8_t>{1, 1, 0}));
    EXPECT_EQ(d.findGroup(Owner::Primitive, "top")->member, (std::vector<std::uint8_t>{1, 0, 0}));
    EXPECT_EQ(d.positions()[3], Vec3(2, 0.5, 3));
    EXPECT_EQ(warnings.size(), 1u);
    // groups come back
    std::vector<std::string> none;
    const std::vector<std::uint8_t> bytes = writeDetailBytes("o.obj", d);
    EXPECT_EQ(difference(d, readDetailBytes(bytes, "o", none)), "");
}

TEST(YarnFiles, FaultyObjNamesTheByte) {
    std::vector<std::string> warnings;
    for (const char* bad : {"v 0 0\n", "v 0 0 0\nf 1 2 3\n", "v 0 0 0\nv 1 1 1\nl 1 0\n",
                            "v 0 0 x\n", "v 1 2 3\nhello\n"}) {
        try {
            readText(bad, warnings);
            ADD_FAILURE() << bad;
        } catch (const Error& e) {
            EXPECT_NE(std::string(e.what()).find("t: byte "), std::string::npos) << e.what();
        }
    }
}
