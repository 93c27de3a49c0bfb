// Writes the seeds of the fuzz targets with our own writers: make_seeds FOLDER.
#include "io/png_file.h"
#include "io/rich_detail.h"
#include "purl/io/geo_document.h"

#include <filesystem>
#include <fstream>
#include <zlib.h>

using namespace purl;
namespace fs = std::filesystem;

namespace {

using Bytes = std::vector<std::uint8_t>;

void save(const fs::path& folder, const std::string& name, const Bytes& bytes, std::size_t skip) {
    fs::create_directories(folder);
    std::ofstream(folder / name, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()) + skip,
               static_cast<std::streamsize>(bytes.size() - skip));
}

Bytes gzipped(const Bytes& b) {
    Bytes out(b.size() + 1000);
    z_stream z{};
    deflateInit2(&z, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY);
    z.next_in = const_cast<std::uint8_t*>(b.data());
    z.avail_in = static_cast<uInt>(b.size());
    z.next_out = out.data();
    z.avail_out = static_cast<uInt>(out.size());
    deflate(&z, Z_FINISH);
    out.resize(z.total_out);
    deflateEnd(&z);
    return out;
}

// The rich one with few of its attributes: small seeds are fast seeds.
Detail lean() {
    Detail d = richDetail(8);
    for (auto& list : d.attributes)
        for (std::size_t i = list.size(); i-- > 0;)
            if (list[i].name.find("int") == 0 || list[i].name.find("uint") == 0 ||
                (list[i].name.find("fpreal") == 0 && list[i].name != "fpreal16_1"))
                list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
    return d;
}

} // namespace

int main(int argc, char** argv) {
    const fs::path to = argc > 1 ? argv[1] : "seeds";
    const std::pair<const char*, Detail> details[] = {
        {"lean", lean()}, {"curves", plainCurves(12)}, {"empty", Detail()}};
    for (const auto& [name, d] : details) {
        save(to / "geo", name, writeDetailBytes("a.geo", d), 1);
        save(to / "bgeo", name, writeDetailBytes("a.bgeo", d), 5);
        Bytes big;
        MemorySink sink(big);
        writeDocument(d, *binaryJsonWriter(sink, true));
        save(to / "bgeo_big", name, big, 5);
        save(to / "container", std::string(name) + "_sc", writeDetailBytes("a.bgeo.sc", d), 0);
        save(to / "container", std::string(name) + "_gz", gzipped(writeDetailBytes("a.bgeo", d)),
             0);
        if (d.findPoint("P") && !d.findPoint("v")) {
            save(to / "obj", name, writeDetailBytes("a.obj", d), 2);
            save(to / "bcc", name, writeDetailBytes("a.bcc", d), 8);
        }
    }
    const auto text = [&](const char* target, const char* name, const std::string& s) {
        save(to / target, name, Bytes(s.begin(), s.end()), 0);
    };
    text(
        "geo", "kept",
        R"("pointcount",2,"vertexcount",4,"primitivecount",4,"topology",["pointref",["indices",[0,1,0,1]]],
"primitives",[[["type","run","runtype","Poly","varyingfields",["vertex"],"uniformfields",{"closed":true}],[[[3]]]],
[["type","VDB"],["vertex",0,"vdb",[{"tilesize":4},[1,2]]]],[["type","Poly"],["vertex",[2],"closed",false]],
[["type","NURBCurve"],["vertex",[1],"closed",true,"basis",["type","NURBS","order",4,"knots",[0,1e-3]]]]],
"sharedprimitivedata",["a",["b",{"c":null}]]])");
    text(
        "geo", "odd",
        R"("pointcount",4,"vertexcount",8,"primitivecount",2,"topology",["pointref",["indices",[0,1,2,3,0,1,2,3]]],
"attributes",["pointattributes",[[["scope","private","type","arraydata","name","l"],["lengths",[1,0,0,0],"values",[7]]],
[["type","string","name","s"],["size",1,"strings",["a",null],"indices",["size",1,"storage","int8","arrays",[[0,1,-1,0]]]]]]],
"primitives",[[["type","Tetrahedron_run"],["startvertex",0,"nprimitives",1]],[["type","Tetrahedron"],["vertex",[4,5,6,7]]]],
"edgegroups",[[["name","e"],["points",[0,1]]]],"pointgroups",[[["name","o"],["selection",["ordered",[3,1]]]]]])");
    const std::string png = pngFile(chart({"wbr", "gww"}));
    text("chart", "rgb", png);
    PngSpec grey = chart({"w"});
    grey.color = 0;
    grey.depth = 1;
    grey.pixels = {0x80};
    text("chart", "grey", pngFile(grey));
    text("obj", "all", "v 0 0 0\nv 1 0 0\nv 1 1 0\ng a b\nf 1/1 2//3 -1\nl 1 2 \\\n3\n");
    text("pyp", "one",
         " # px\n0.1 0.2 0.01 3\n\n*Q\n0 0 0 0\n1 0 0 0\n2 0 0 0\n*E\n0 1 0 0\n1 2 0 0\n2 0 1 "
         "0\n*RL\n1\n1\n1\n"
         "*RK\n0 0\n0 0\n0 0\n*RT\n0\n0\n0\n*RefD1\n0 0 1\n0 0 1\n0 0 1\n*RefT\n0\n0\n0\n");
    Bytes yarns;
    const auto chunk = [&](const char* id, std::initializer_list<std::uint32_t> words) {
        const auto size = static_cast<std::uint32_t>(4 * words.size());
        const auto put = [&](const void* p, std::size_t n) {
            yarns.insert(yarns.end(), static_cast<const std::uint8_t*>(p),
                         static_cast<const std::uint8_t*>(p) + n);
        };
        put(id, 4);
        put(&size, 4);
        for (std::uint32_t w : words) put(&w, 4);
    };
    chunk("f3..", {0, 0, 0, 0x3f800000, 0, 0, 0x3f800000, 0x3f800000, 0});
    chunk("src.", {1, 2, 3});
    chunk("yarn", {0, 3, 0x3dcccccd, 0xff8040ff});
    chunk("strs", {0});
    chunk("unit", {});
    save(to / "yarns", "one", yarns, 4);
    return 0;
}
