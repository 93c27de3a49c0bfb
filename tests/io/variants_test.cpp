// What a file of Houdini 13 to 22 may hold beyond the samples that we have: hand-made, each also as
// its binary twins, and each written and read again.
#include "io/binary_twin.h"
#include "io/detail_compare.h"
#include "purl/io/geo.h"

#include <blosc.h>
#include <gtest/gtest.h>

using namespace purl;

namespace {

using Bytes = std::vector<std::uint8_t>;

Detail readText(const std::string& text, std::vector<std::string>& warnings) {
    return readDetailBytes({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()},
                           "v.geo", warnings);
}

// Reads `text`, holds its four binary twins and every format that we write against it.
Detail readAll(const std::string& text, std::vector<std::string>& warnings) {
    const Detail d = readText(text, warnings);
    d.check("v.geo");
    for (const bool big : {false, true})
        for (const bool compact : {false, true}) {
            std::vector<std::string> again;
            const Bytes twin = BinaryTwin(big, compact).of(text);
            EXPECT_EQ(difference(d, readDetailBytes(twin, "v.geo", again)), "")
                << "big " << big << " compact " << compact;
            EXPECT_EQ(again, warnings);
        }
    for (const char* name : {"v.geo", "v.bgeo", "v.bgeo.sc", "v.geo.sc"}) {
        std::vector<std::string> again;
        EXPECT_EQ(difference(d, readDetailBytes(writeDetailBytes(name, d), name, again)), "")
            << name;
    }
    return d;
}
Detail readAll(const std::string& text) {
    std::vector<std::string> warnings;
    return readAll(text, warnings);
}

bool mentions(const std::vector<std::string>& warnings, const std::string& part) {
    return std::any_of(warnings.begin(), warnings.end(),
                       [&](const std::string& w) { return w.find(part) != std::string::npos; });
}

std::string head(int points, int vertices, int primitives) {
    return R"(["fileversion","19.5.640","hasindex",false,"pointcount",)" + std::to_string(points) +
           R"(,"vertexcount",)" + std::to_string(vertices) + R"(,"primitivecount",)" +
           std::to_string(primitives) + ",";
}
std::string topology(int n) {
    std::string s = R"("topology",["pointref",["indices",[)";
    for (int i = 0; i < n; ++i) s += (i ? "," : "") + std::to_string(i);
    return s + "]]],";
}
// A point attribute of `type` whose data is `data`.
std::string attribute(const std::string& name, const std::string& type, const std::string& data) {
    return R"([["scope","public","type",")" + type + R"(","name",")" + name +
           R"(","options",{}],)" + data + "]";
}

TEST(Variants, EveryStorage) {
    std::string list;
    const auto add = [&](const char* storage, const char* values) {
        const std::string s = storage;
        list +=
            (list.empty() ? "" : ",") +
            attribute(s, "numeric",
                      R"(["size",1,"storage",")" + s + R"(","defaults",["size",1,"storage","int64",
                          "values",[0]],"values",["size",1,"storage",")" +
                          s + R"(","arrays",[)" + values + "]]]");
    };
    add("int8", "[-128,127,0]");
    add("int16", "[-32768,32767,5]");
    add("int32", "[-2147483648,2147483647,5]");
    add("int64", "[-9223372036854775807,4611686018427387905,5]");
    add("uint8", "[0,255,7]");
    add("bool", "[true,false,true]");
    add("fpreal16", "[0.5,-65504,0.0999755859375]");
    add("fpreal32", "[1,2.5,0.100000001490116119]");
    add("fpreal64", "[1e300,-0.1,5]");
    const Detail d = readAll(head(3, 0, 0) + R"("attributes",["pointattributes",[)" + list + "]]]");
    EXPECT_EQ(d.attributes[1].size(), 9u);
    EXPECT_EQ(d.findPoint("int64")->integer(0), -9223372036854775807ll);
    EXPECT_EQ(d.findPoint("int64")->integer(1), 4611686018427387905ll);
    EXPECT_EQ(d.findPoint("uint8")->integer(1), 255);
    EXPECT_EQ(d.findPoint("bool")->integer(0), 1);
    EXPECT_EQ(d.findPoint("bool")->integer(1), 0);
    EXPECT_EQ(d.findPoint("fpreal16")->storage(), Storage::Float16);
    EXPECT_EQ(d.findPoint("fpreal16")->real(1), -65504);
    EXPECT_EQ(d.findPoint("fpreal64")->real(0), 1e300);
}

TEST(Variants, PagesPacksAndConstantPages) {
    // 5 points in pages of 2: three pages; the first pack of three is constant on page 1, the
    // second pack (the weight) on pages 0 and 2
    const std::string text =
        head(5, 0, 0) + R"("attributes",["pointattributes",[)" +
        attribute("P", "numeric",
                  R"(["size",4,"storage","fpreal32","defaults",["size",4,"storage","fpreal64",
        "values",[0,0,0,1]],"values",["size",4,"storage","fpreal32","pagesize",2,"packing",[3,1],
        "constantpageflags",[[false,true,false],[true,false,true]],"rawpagedata",
        [1,2,3, 4,5,6, 1,  7,8,9, 2,3,  10,11,12, 1]]])") +
        "," +
        attribute(
            "one", "numeric",
            R"(["size",1,"storage","int32","values",["size",1,"storage","int32","pagesize",1024,
        "constantpageflags",[[true]],"rawpagedata",[42]]])") +
        "," +
        attribute("open", "numeric",
                  R"(["size",2,"storage","int32","values",["size",2,"storage","int32","pagesize",4,
        "packing",[1,1],"constantpageflags",[[],[true,true]],"rawpagedata",[1,2,3,4,9, 5,8]]])") +
        "]]]";
    const Detail d = readAll(text);
    const std::vector<float> p{1, 2, 3, 1, 4, 5, 6, 1, 7, 8, 9, 2, 7, 8, 9, 3, 10, 11, 12, 1};
    EXPECT_EQ(*d.findPoint("P")->as<float>(), p);
    EXPECT_EQ(*d.findPoint("one")->as<std::int32_t>(), (std::vector<std::int32_t>(5, 42)));
    EXPECT_EQ(*d.findPoint("open")->as<std::int32_t>(),
              (std::vector<std::int32_t>{1, 9, 2, 9, 3, 9, 4, 9, 5, 8}));
}

TEST(Variants, Strings) {
    const auto indices = [](const std::string& storage, const std::string& how) {
        return R"("indices",["size",1,"storage",")" + storage + R"(",)" + how + "]]";
    };
    const std::string text =
        head(4, 0, 0) + R"("attributes",["pointattributes",[)" +
        attribute("unset", "string",
                  R"(["size",1,"storage","int32","strings",["a","b c"],)" +
                      indices("int32", R"("arrays",[[0,-1,1,0]])")) +
        "," +
        attribute("hole", "string",
                  R"(["size",1,"storage","int32","strings",["a",null,"c"],)" +
                      indices("int32", R"("arrays",[[0,1,2,0]])")) +
        "," +
        attribute("narrow", "string",
                  R"(["size",1,"storage","int32","strings",["x","y"],)" +
                      indices("int8", R"("pagesize",1024,"rawpagedata",[0,1,1,-1])")) +
        "," +
        attribute(
            "wide", "string",
            R"(["size",1,"storage","int32","strings",["x","y"],)" +
                indices("int64",
                        R"("pagesize",1024,"constantpageflags",[[true]],"rawpagedata",[1])")) +
        "," +
        attribute("pair", "string",
                  R"(["size",2,"storage","int32","strings",["x","y"],"indices",["size",2,
                      "storage","int32","tuples",[[0,1],[1,0],[-1,-1],[0,0]]]])") +
        "," +
        attribute("none", "string",
                  R"(["size",1,"storage","int32","strings",[],)" +
                      indices("int32", R"("arrays",[[-1,-1,-1,-1]])")) +
        "]]]";
    const Detail d = readAll(text);
    EXPECT_EQ(d.findPoint("unset")->text(1), "");
    EXPECT_EQ(d.findPoint("unset")->text(2), "b c");
    EXPECT_EQ(d.findPoint("hole")->text(1), "");
    EXPECT_EQ(d.findPoint("hole")->text(2), "c");
    EXPECT_EQ(d.findPoint("narrow")->text(2), "y");
    EXPECT_EQ(d.findPoint("wide")->text(3), "y");
    EXPECT_EQ(d.findPoint("pair")->text(1, 0), "y");
}

TEST(Variants, TypesThatWeDoNotKnowAreKept) {
    std::vector<std::string> warnings;
    const std::string text =
        head(2, 2, 1) + topology(2) + R"("attributes",["vertexattributes",[)" +
        attribute("weights", "indexpair",
                  R"(["idefault",[-1],"entries",2,"index",["size",2],"value",[0.5,{"a":null}]])") +
        R"(],"pointattributes",[)" +
        attribute(
            "P", "numeric",
            R"(["size",3,"values",["size",3,"storage","fpreal32","tuples",[[0,0,0],[1,0,0]]]])") +
        "," +
        attribute("list", "arraydata",
                  R"(["size",1,"storage","int32","lengths",[2,0],"values",[7,8]])") +
        "," + attribute("texts", "stringarray", R"(["strings",["a"],"indices",[[0,0],[]]])") + "," +
        R"([["scope","private","type","numeric","name","P","options",{}],["size",1,"values",["size",1,
            "storage","int32","arrays",[[1,2]]]]]],"globalattributes",[)" +
        attribute("what", "something_new", "17") +
        R"(]],"primitives",[[["type","c_r"],["s_v",0,"n_p",1,"r_v",[2,1]]]]])";
    const Detail d = readAll(text, warnings);
    EXPECT_EQ(d.findPoint("list")->type, Attribute::Type::Kept);
    EXPECT_EQ(d.findPoint("list")->keptType, "arraydata");
    EXPECT_TRUE(mentions(warnings, "point attribute \"list\" of type \"arraydata\" is kept"));
    EXPECT_TRUE(mentions(warnings, "a second point attribute \"P\" (private)"));
    EXPECT_EQ(d.findPoint("P")->size, 3);
    // what it held is in the text that we write
    const Bytes out = writeDetailBytes("o.geo", d);
    const std::string written(out.begin(), out.end());
    std::string packed;
    for (char c : written)
        if (!std::isspace(static_cast<unsigned char>(c))) packed += c;
    EXPECT_NE(packed.find(R"("lengths",[2,0],"values",[7,8])"), std::string::npos) << packed;
    EXPECT_NE(packed.find(R"("type","indexpair","name","weights")"), std::string::npos);
    // more points, and it cannot follow
    Detail grown = d;
    grown.addPoints(1);
    EXPECT_EQ(grown.findPoint("list"), nullptr);
    grown.check("grown");
}

TEST(Variants, Tetrahedra) {
    std::vector<std::string> warnings;
    const Detail d =
        readAll(head(18, 18, 4) + topology(18) +
                    R"("primitives",[[["type","Tetrahedron_run"],["startvertex",0,"nprimitives",2]],
            [["type","run","runtype","Tetrahedron","varyingfields",["vertex"],"uniformfields",{}],[[[8,9,10,11]]]],
            [["type","Polygon_run"],["startvertex",12,"nprimitives",1,"nvertices",[6]]]]])",
                warnings);
    ASSERT_EQ(d.primitives(), 4);
    EXPECT_EQ(d.primitiveKind[0], PrimitiveKind::Tetrahedron);
    EXPECT_EQ(d.primitiveKind[2], PrimitiveKind::Tetrahedron);
    EXPECT_FALSE(d.isCurve(1));
    EXPECT_TRUE(d.isCurve(3));
    EXPECT_EQ(d.firstVertex, (std::vector<Index>{0, 4, 8, 12, 18}));
    EXPECT_EQ(warnings.size(), 1u);
    // the short name of binary files
    std::vector<std::string> again;
    const Detail s = readText(head(4, 4, 1) + topology(4) +
                                  R"("primitives",[[["type","t_r"],["s_v",0,"n_p",1]]]])",
                              again);
    EXPECT_EQ(s.primitiveKind[0], PrimitiveKind::Tetrahedron);
    EXPECT_THROW(readText(head(3, 3, 1) + topology(3) +
                              R"("primitives",[[["type","t_r"],["s_v",0,"n_p",1]]]])",
                          again),
                 std::exception);
}

TEST(Variants, CurvesWithABasis) {
    std::vector<std::string> warnings;
    const Detail d = readAll(
        head(15, 15, 4) + topology(15) +
            R"("primitives",[[["type","NURBCurve"],["vertex",[0,1,2,3],"closed",false,"basis",["type",
            "NURBS","order",4,"endinterpolation",true,"knots",[0,0,0,0,1,1,1,1]]]],
            [["type","run","runtype","BezierCurve","varyingfields",["vertex","closed"],"uniformfields",
            {"basis":["type","Bezier","order",4,"knots",[0,1]]}],[[[4,5,6,7],false],[[8,9,10],true]]],
            [["type","run","runtype","NURBCurve","varyingfields",["vertex","basis"],"uniformfields",
            {"closed":true}],[[[11,12,13,14],["type","NURBS","order",3,"endinterpolation",false,
            "knots",[0,1,2,3.5]]]]]]])",
        warnings);
    EXPECT_EQ(warnings.size(), 2u); // one a kind
    EXPECT_EQ(d.primitiveKind[0], PrimitiveKind::NurbsCurve);
    EXPECT_EQ(d.primitiveKind[1], PrimitiveKind::BezierCurve);
    EXPECT_EQ(d.primitiveClosed, (std::vector<std::uint8_t>{0, 0, 1, 1}));
    for (Index p = 0; p < 4; ++p) EXPECT_TRUE(d.isCurve(p));
    EXPECT_EQ(d.kept.size(), 4u);
}

TEST(Variants, OldRunsWithAnOpenFlagAndVerticesOutOfOrder) {
    const Detail d = readAll(
        head(7, 7, 3) + topology(7) + R"("attributes",["vertexattributes",[)" +
        attribute(
            "k", "numeric",
            R"(["size",1,"values",["size",1,"storage","int32","arrays",[[0,1,2,3,4,5,6]]]])") +
        R"(]],"primitives",[[["type","run","runtype","Poly","varyingfields",["closed","vertex"],
        "uniformfields",{}],[[0,[4,5,6]],[1,[2,3]]]],[["type","Poly"],["vertex",[1,0],"closed",0]]],
        "vertexgroups",[[["name","g","type","vertex"],["selection",["defaults",["size",1],"unordered",
        ["boolRLE",[4,false,3,true]]]]]],
        "pointgroups",[[["name","o"],["selection",["ordered",[6,0,3]]]]],
        "edgegroups",[[["name","e"],["points",[0,1,5,6]]]]])");
    EXPECT_EQ(d.primitiveClosed, (std::vector<std::uint8_t>{0, 1, 0}));
    EXPECT_EQ(d.vertexPoint, (std::vector<Index>{4, 5, 6, 2, 3, 1, 0}));
    EXPECT_EQ(*d.find(Owner::Vertex, "k")->as<std::int32_t>(),
              (std::vector<std::int32_t>{4, 5, 6, 2, 3, 1, 0}));
    EXPECT_EQ(d.findGroup(Owner::Vertex, "g")->member,
              (std::vector<std::uint8_t>{1, 1, 1, 0, 0, 0, 0}));
    EXPECT_EQ(d.findGroup(Owner::Point, "o")->order, (std::vector<Index>{6, 0, 3}));
    ASSERT_EQ(d.edgeGroups.size(), 1u);
    EXPECT_EQ(d.edgeGroups[0].edges[1], (std::array<Index, 2>{5, 6}));
}

TEST(Variants, WhatIsNotSimulatedComesThrough) {
    std::vector<std::string> warnings;
    const Detail d =
        readAll(head(9, 12, 7) +
                    R"("topology",["pointref",["indices",[0,1,2,3,4,5,6,7,8,0,1,2]]],"primitives",[
            [["type","MetaBall"],["vertex",0,"transform",[1,0,0,0,1,0,0,0,1],"metaweight",2.5,"kernel","wyvill"]],
            [["type","Tube"],["vertex",1,"transform",[1,0,0,0,1,0,0,0,1],"caps",true,"taper",0.5]],
            [["type","PolySoup"],["vertex",[2,3,4],"polyinfo",[1]]],
            [["type","NURBMesh"],["vertex",[5,6,7,8],"surface","quads","uwrap",false]],
            [["type","PackedGeometry"],["parameters",{"embedded":"embed:1"},"pivot",[0,0,0],"vertex",9]],
            [["type","Agent"],["vertex",10,"parameters",{"deep":[[[{"x":[]}]]]}]],
            [["type","HeightField"],["vertex",11]]],
            "sharedprimitivedata",["PackedGeometry",["gu:embeddedgeo","embed:1",["pointcount",0]]]])",
                warnings);
    EXPECT_EQ(warnings.size(), 7u);
    EXPECT_EQ(d.kept.size(), 7u);
    EXPECT_FALSE(d.sharedData.empty());
    for (Index p = 0; p < 7; ++p) EXPECT_FALSE(d.isCurve(p));
}

TEST(Variants, NothingAtAll) {
    std::vector<std::string> warnings;
    const Detail d = readAll(head(0, 0, 0) + R"("info",{},"topology",["pointref",["indices",[]]],
        "attributes",["pointattributes",[)" +
                                 attribute("P", "numeric",
                                           R"(["size",3,"values",["size",3,"storage","fpreal32",
        "pagesize",1024,"rawpagedata",[]]])") +
                                 R"(]],"primitives",[]])",
                             warnings);
    EXPECT_EQ(d.points(), 0);
    EXPECT_TRUE(warnings.empty());
    EXPECT_EQ(d.positions().size(), 0u);
}

// The container of houdini.md A.6, made by hand: metadata, chunks of any size, stored or packed.
Bytes container(const Bytes& plain, std::size_t block, int level, const std::string& metadata) {
    const auto big = [](Bytes& out, std::uint64_t v) {
        for (int i = 7; i >= 0; --i) out.push_back(static_cast<std::uint8_t>(v >> 8 * i));
    };
    Bytes out{'s', 'c', 'f', '1'}, index;
    big(out, metadata.size());
    out.insert(out.end(), metadata.begin(), metadata.end());
    const std::size_t start = out.size();
    std::size_t last = 0;
    for (std::size_t at = 0; at < plain.size(); at += block) {
        if (at > 0) big(index, out.size() - start);
        last = std::min(block, plain.size() - at);
        Bytes chunk(last + BLOSC_MAX_OVERHEAD);
        const int n = blosc_compress_ctx(level, 1, 4, last, plain.data() + at, chunk.data(),
                                         chunk.size(), "lz4", 0, 1);
        out.insert(out.end(), chunk.begin(), chunk.begin() + n);
    }
    big(index, block);
    big(index, last);
    out.insert(out.end(), index.begin(), index.end());
    big(out, index.size());
    for (char c : {'1', 'f', 'c', 's'}) out.push_back(static_cast<std::uint8_t>(c));
    return out;
}

TEST(Variants, ContainersOfManyStoredChunksAndMetadata) {
    Detail d;
    d.addPoints(3000);
    Attribute& a = d.addFloat(Owner::Point, "P", 3, "point");
    for (std::size_t i = 0; i < 9000; ++i) (*a.as<float>())[i] = static_cast<float>(i * i % 977);
    for (const char* inner : {"a.bgeo", "a.geo"}) {
        const Bytes plain = writeDetailBytes(inner, d);
        for (const std::size_t block : {std::size_t{64}, std::size_t{1000}, plain.size()})
            for (const int level : {0, 9}) { // 0: stored as it is
                std::vector<std::string> warnings;
                EXPECT_EQ(difference(d, readDetailBytes(container(plain, block, level, "{\"n\":1}"),
                                                        "c", warnings)),
                          "")
                    << inner << " blocks of " << block << " level " << level;
            }
    }
}

} // namespace
