// Cut, wrong and foreign files: an error that names the file and the byte, and says what to do.
#include "io/detail_compare.h"
#include "io/rich_detail.h"
#include "purl/base/error.h"
#include "purl/io/vdb.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <regex>

using namespace purl;
namespace fs = std::filesystem;

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes load(const fs::path& p) {
    std::ifstream in(p, std::ios::binary);
    return Bytes((std::istreambuf_iterator<char>(in)), {});
}
Span<const std::uint8_t> bytesOfText(const std::string& s) {
    return {reinterpret_cast<const std::uint8_t*>(s.data()), s.size()};
}

std::string errorOf(Span<const std::uint8_t> bytes, const std::string& name) {
    std::vector<std::string> warnings;
    try {
        readDetailBytes(bytes, name, warnings);
    } catch (const Error& e) {
        return e.what();
    }
    return "";
}

// Everything before `end` but white space at the end of the file.
std::size_t contentEnd(const Bytes& b) {
    std::size_t n = b.size();
    while (n > 0 && (b[n - 1] == '\n' || b[n - 1] == '\r' || b[n - 1] == ' ')) --n;
    return n;
}

void cutEverywhere(const Bytes& whole, const std::string& name, std::size_t step) {
    const std::regex place(std::regex_replace(name, std::regex(R"([.+])"), "\\$&") +
                           R"(: byte \d+.*)");
    const std::size_t end = std::min(whole.size(), contentEnd(whole));
    for (std::size_t n = 0; n < end; n += step) {
        const std::string what = errorOf({whole.data(), n}, name);
        ASSERT_TRUE(std::regex_search(what, place)) << name << " cut at " << n << ": " << what;
    }
}

const std::string header =
    R"(["fileversion","18.5.0","pointcount",2,"vertexcount",2,"primitivecount",1,)";
const std::string topology = R"("topology",["pointref",["indices",[0,1]]],)";

} // namespace

TEST(FaultyFiles, EverySampleCutAtEvery97thByte) {
    const fs::path samples = fs::path(PURL_SHARED_DIR) / "samples";
    if (!fs::exists(samples)) {
        std::cout << "samples folder is not there: only our own files are cut\n";
        return;
    }
    int files = 0;
    for (const auto& e : fs::recursive_directory_iterator(samples)) {
        const std::string ext = e.path().extension().string();
        if (ext != ".geo" && ext != ".bgeo" && ext != ".sc" && ext != ".bcc" && ext != ".yarns" &&
            ext != ".pyp")
            continue;
        cutEverywhere(load(e.path()), e.path().filename().string(), 97);
        ++files;
    }
    EXPECT_GE(files, 70);
}

// OpenVDB reads it: slower by far, so of every 97th byte each 40th; PURL_ALL_CUTS=1 takes them all.
TEST(FaultyFiles, TheSampleVdbCutShort) {
    const fs::path path = fs::path(PURL_SHARED_DIR) / "samples/houdini/cortex/sphere.vdb";
    if (!fs::exists(path)) GTEST_SKIP() << path << " is not here";
    const Bytes whole = load(path);
    ASSERT_EQ(readVdbGridsBytes(whole, "s.vdb").size(), 1u);
    const std::size_t step = std::getenv("PURL_ALL_CUTS") ? 97 : 97 * 40;
    for (std::size_t n = 0; n < whole.size(); n += step) {
        std::string what;
        try {
            readVdbGridsBytes({whole.data(), n}, "s.vdb");
        } catch (const Error& e) {
            what = e.what();
        }
        ASSERT_EQ(what.find("s.vdb: byte "), 0u) << "cut at " << n << ": " << what;
    }
}

TEST(FaultyFiles, OurOwnFilesCutEverywhere) {
    const Detail d = richDetail(40);
    for (const char* name : {"a.bgeo", "a.geo", "a.bgeo.sc"})
        cutEverywhere(writeDetailBytes(name, d), name, 7);
    cutEverywhere(writeDetailBytes("a.bcc", plainCurves(40)), "a.bcc", 1);
}

TEST(FaultyFiles, ClassicAndForeignFilesSayWhatToDo) {
    EXPECT_NE(
        errorOf(bytesOfText(std::string("BgeoV\0\0\0\5", 9)), "old.bgeo").find("save it again"),
        std::string::npos);
    EXPECT_NE(errorOf(bytesOfText("PGEOMETRY V5\nNPoints 3"), "old.geo").find("save it again"),
              std::string::npos);
    EXPECT_NE(errorOf(bytesOfText("BZh91AY"), "x").find("bzip2"), std::string::npos);
    EXPECT_NE(errorOf(bytesOfText("hello world"), "x").find("not a geometry file"),
              std::string::npos);
    EXPECT_NE(errorOf({}, "x").find("empty"), std::string::npos);
    std::vector<std::string> warnings;
    EXPECT_THROW(readDetail("/no/such/file.bgeo", warnings), Error);
    EXPECT_THROW(readDetail("/tmp", warnings), Error);
}

TEST(FaultyFiles, WrongNumbersAreNamed) {
    const auto expect = [](const std::string& text, const std::string& part) {
        const std::string what = errorOf(bytesOfText(text), "f.geo");
        EXPECT_NE(what.find(part), std::string::npos) << text << "\n-> " << what;
        EXPECT_NE(what.find("f.geo: byte "), std::string::npos) << what;
    };
    expect(R"(["pointcount",-1])", "pointcount is -1");
    expect(R"(["pointcount",99999999999])", "pointcount");
    expect(R"(["topology",[]])", "must come before");
    expect(header + R"("topology",["pointref",["indices",[0,2]]]])", "point 2 of 2");
    expect(header + R"("topology",["pointref",["indices",[0]]]])", "too short");
    expect(header + R"("topology",["pointref",["indices",[0,1,1]]]])", "too long");
    expect(
        header + topology +
            R"("primitives",[[["type","Polygon_run"],["startvertex",0,"nprimitives",1,"nvertices",[3]]]]])",
        "beyond the 2");
    expect(
        header + topology +
            R"("primitives",[[["type","Polygon_run"],["startvertex",0,"nprimitives",1,"nvertices_rle",[1,2]]]]])",
        "add up");
    expect(header + topology +
               R"("primitives",[[["type","Poly"],["vertex",[0,7],"closed",true]]]])",
           "vertex 7 of 2");
    expect(header + topology +
               R"("primitives",[[["type","Poly"],["vertex",[1,1],"closed",true]]]])",
           "two primitives");
    expect(header + topology + R"("primitives",[]])", "primitivecount is 1");
    expect(
        header + topology +
            R"("pointgroups",[[["name","g"],["selection",["unordered",["boolRLE",[3,true]]]]]]])",
        "more than the 2");
    expect(header + topology +
               R"("pointgroups",[[["name","g"],["selection",["unordered",["i8",[1]]]]]]])",
           "covers 1 elements of 2");
    expect(header + topology + R"("attributes",["pointattributes",[[["type","string","name","s"],
        ["size",1,"strings",["a"],"indices",["size",1,"storage","int32","arrays",[[0,1]]]]]]]])",
           "string 1 of 1");
    expect(header + topology + R"("attributes",["pointattributes",[[["type","numeric","name","s"],
        ["size",2,"values",["size",2,"storage","int8","tuples",[[1,2],[3,300]]]]]]]])",
           "300 is out of range");
    expect(header + "\"x\",1 2]", "expected ','");
    expect("[\"x\"," + std::string(300, '['), "nested deeper");
    // a claim of two thousand million points in a hundred bytes
    expect(
        R"(["pointcount",2000000000,"vertexcount",0,"primitivecount",0,"attributes",["pointattributes",[[["type","numeric","name","P"],
        ["values",["size",3,"storage","fpreal32","pagesize",1024,"rawpagedata",[]]]]]]])",
        "exceeds the limit");
}

TEST(FaultyFiles, UnknownThingsAreSkippedWithOneWarningEach) {
    std::vector<std::string> warnings;
    const std::string text =
        R"(["fileversion","22.0.1","pointcount",2,"vertexcount",6,"primitivecount",7,
      "future",{"a":[1,2,{"b":null}]},"topology",["pointref",["indices",[0,1,0,1,0,1]]],
      "attributes",["pointattributes",[[["type","arraydata","name","list"],["anything",[[1],[2]]]],
        [["type","arraydata","name","list2"],5]]],
      "primitives",[[["type","Strange_run"],["startvertex",0,"nprimitives",2,"foo",[]]],
        [["type","Strange"],["vertex",4,"key",{"x":1}]],[["type","Strange"],["vertex",5]],
        [["type","PolygonCurve_run"],["startvertex",0,"nprimitives",2,"nvertices",[2,1]]],
        [["type","run","runtype","NURBCurve","varyingfields",["vertex","basis"],"uniformfields",{"closed":true}],
         [[[3],["type","NURBS","order",2,"knots",[0,1]]]]]]])";
    const Detail d = readDetailBytes(bytesOfText(text), "f.geo", warnings);
    d.check("f.geo");
    EXPECT_EQ(warnings.size(), 6u);
    ASSERT_EQ(d.primitives(), 7);
    EXPECT_EQ(d.primitiveKind[0], PrimitiveKind::Opaque);
    EXPECT_EQ(d.primitiveKind[4], PrimitiveKind::Polyline);
    EXPECT_EQ(d.primitiveKind[6], PrimitiveKind::NurbsCurve);
    EXPECT_TRUE(d.primitiveClosed[6]);
    // vertices are renumbered into primitive order: 4 5 | 0 1 | 2 | 3
    EXPECT_EQ(d.vertexPoint, (std::vector<Index>{0, 1, 0, 1, 0, 1}));
    EXPECT_EQ(d.firstVertex, (std::vector<Index>{0, 0, 0, 1, 2, 4, 5, 6}));
    // the two without a record are left out when it is written, the rest comes back
    std::vector<std::string> lost;
    const Bytes bytes = writeDetailBytes("f.bgeo", d, &lost);
    EXPECT_EQ(lost.size(), 1u);
    warnings.clear();
    const Detail back = readDetailBytes(bytes, "f.bgeo", warnings);
    EXPECT_EQ(back.primitives(), 5);
    EXPECT_EQ(back.kept.size(), 3u);
    EXPECT_EQ(back.primitiveKind[4], PrimitiveKind::NurbsCurve);
    EXPECT_TRUE(back.primitiveClosed[4]);
}

TEST(FaultyFiles, VdbPrimitiveGivesItsStream) {
    std::string text = R"(["pointcount",1,"vertexcount",1,"primitivecount",1,
      "topology",["pointref",["indices",[0]]],"primitives",[[["type","VDB"],["vertex",0,
      "vdb",[{"tilesize":4},[32,66,68,86],[0,255,7]],"visualization",{"mode":"smoke"}]]]])";
    std::vector<std::string> warnings;
    Detail d = readDetailBytes(bytesOfText(text), "v.geo", warnings);
    for (int round = 0; round < 2; ++round) {
        const auto vdbs = embeddedVdbs(d);
        ASSERT_EQ(vdbs.size(), 1u);
        EXPECT_EQ(vdbs[0].primitive, 0);
        EXPECT_EQ(vdbs[0].bytes, (Bytes{32, 66, 68, 86, 0, 255, 7}));
        const Bytes bytes = writeDetailBytes("v.bgeo.sc", d);
        d = readDetailBytes(bytes, "v", warnings);
    }
}
