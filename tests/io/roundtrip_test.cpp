// Geometry -> each format -> the same geometry, to the bit; also as an independent reader sees it.
#include "io/detail_compare.h"
#include "io/rich_detail.h"
#include "purl/base/error.h"
#include "purl/io/geo_document.h"

#include <gtest/gtest.h>

#include <blosc.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <zlib.h>

using namespace purl;
namespace fs = std::filesystem;

namespace {

Detail read(const std::vector<std::uint8_t>& bytes, const std::string& name,
            std::vector<std::string>* out = nullptr) {
    std::vector<std::string> warnings;
    Detail d = readDetailBytes(bytes, name, warnings);
    if (out) *out = warnings;
    return d;
}

Detail again(const Detail& d, const std::string& name) {
    return read(writeDetailBytes(name, d), name);
}

fs::path folder() {
    const fs::path p = fs::temp_directory_path() / ("purl_io_" + std::to_string(::getpid()));
    fs::create_directories(p);
    return p;
}

} // namespace

TEST(RoundTrip, EveryHoudiniFormatKeepsEverything) {
    for (Index n : {8, 1024, 5000, 40000}) {
        const Detail d = richDetail(n);
        for (const char* name : {"a.geo", "a.bgeo", "a.bgeo.sc", "a.geo.sc"}) {
            if (n > 10000 && std::string(name).find(".geo") == 1) continue; // text: slow enough
            EXPECT_EQ(difference(d, again(d, name)), "") << name << " " << n;
        }
    }
}

TEST(RoundTrip, BothByteOrders) {
    const Detail d = richDetail(3000);
    std::vector<std::uint8_t> bytes;
    MemorySink sink(bytes);
    writeDocument(d, *binaryJsonWriter(sink, true));
    ASSERT_EQ(std::string(bytes.begin(), bytes.begin() + 5), "\x7f"
                                                             "bJSN");
    EXPECT_EQ(difference(d, read(bytes, "big.bgeo")), "");
}

TEST(RoundTrip, EmptyAndTiny) {
    Detail empty;
    for (const char* name : {"a.geo", "a.bgeo", "a.bgeo.sc"})
        EXPECT_EQ(difference(empty, again(empty, name)), "") << name;
}

TEST(RoundTrip, SameGeometryGivesSameBytes) {
    const Detail d = richDetail(2000);
    EXPECT_EQ(writeDetailBytes("a.bgeo.sc", d), writeDetailBytes("b.bgeo.sc", d));
}

TEST(RoundTrip, ConstantPagesAreShort) {
    Detail d;
    d.addPoints(1 << 20);
    d.addFloat(Owner::Point, "P", 3, "point");
    EXPECT_LT(writeDetailBytes("a.bgeo", d).size(), 20000u); // 1024 pages of 12 bytes
}

TEST(RoundTrip, Gzip) {
    const Detail d = richDetail(3000);
    const fs::path path = folder() / "a.bgeo.gz";
    const auto bytes = writeDetailBytes("a.bgeo", d);
    gzFile f = gzopen(path.c_str(), "wb");
    gzwrite(f, bytes.data(), static_cast<unsigned>(bytes.size()));
    gzclose(f);
    std::vector<std::string> warnings;
    EXPECT_EQ(difference(d, readDetail(path.string(), warnings)), "");
    fs::remove(path);
}

// Chunks of any size and codec, as an SCF of another writer may have them.
TEST(RoundTrip, ScfOfEveryCodecAndBlockSize) {
    const Detail d = richDetail(2000);
    const auto plain = writeDetailBytes("a.bgeo", d);
    for (const char* codec : {"blosclz", "lz4", "lz4hc", "zlib", "zstd"})
        for (std::size_t block : {std::size_t{1000}, std::size_t{65536}, plain.size()}) {
            std::vector<std::uint8_t> file = {'s', 'c', 'f', '1'};
            const auto put64 = [&](std::uint64_t v) {
                for (int s = 56; s >= 0; s -= 8) file.push_back(v >> s & 255);
            };
            put64(3);
            for (char c : {'a', 'b', 'c'}) file.push_back(c); // metadata
            std::vector<std::uint64_t> ends;
            for (std::size_t at = 0; at < plain.size(); at += block) {
                const std::size_t n = std::min(block, plain.size() - at);
                std::vector<std::uint8_t> packed(n + 64);
                const int got = blosc_compress_ctx(7, 1, 8, n, plain.data() + at, packed.data(),
                                                   packed.size(), codec, 0, 1);
                ASSERT_GT(got, 0) << codec;
                file.insert(file.end(), packed.begin(), packed.begin() + got);
                ends.push_back(file.size() - 15);
            }
            for (std::size_t i = 0; i + 1 < ends.size(); ++i) put64(ends[i]);
            put64(block);
            put64(plain.size() - (ends.size() - 1) * block);
            put64(8 * (ends.size() + 1));
            for (char c : {'1', 'f', 'c', 's'}) file.push_back(c);
            EXPECT_EQ(difference(d, read(file, "x.sc")), "") << codec << " " << block;
        }
}

TEST(RoundTrip, ObjAndBcc) {
    const Detail d = plainCurves(600);
    for (const char* name : {"a.obj", "a.bcc"}) {
        Detail back = again(d, name);
        back.remove(Owner::Global, "up_axis");
        EXPECT_EQ(difference(d, back), "") << name;
    }
}

TEST(RoundTrip, KeptPrimitivesComeOutAgain) {
    const fs::path samples = fs::path(PURL_SHARED_DIR) / "samples/houdini";
    if (!fs::exists(samples)) {
        std::cout << "samples folder is not there: nothing to compare with\n";
        return;
    }
    for (const char* file :
         {"bgeo_reader/vol_16.geo", "bgeo_reader/pack_fragments2_16.bgeo",
          "bgeo_reader/sphere_grid.geo", "bgeo_reader/points_partsys_16.bgeo",
          "bgeo_reader/psoup_simple.geo", "MOPS/hip_embedded_h185_packedfragments_a.bgeo",
          "qLib/hip_embedded_h13_palette.bgeo"})
        for (const char* name : {"a.geo", "a.bgeo", "a.bgeo.sc"}) {
            std::vector<std::string> warnings;
            const Detail d = readDetail((samples / file).string(), warnings);
            const Detail back = again(d, name);
            EXPECT_EQ(difference(d, back), "") << file << " " << name;
            // and the kept bytes themselves: once through a format changes nothing any more
            EXPECT_EQ(writeDetailBytes("a.bgeo", back),
                      writeDetailBytes("a.bgeo", again(back, name)))
                << file << " " << name;
        }
}

TEST(RoundTrip, AnIndependentReaderAgrees) {
    const fs::path probe = fs::path(PURL_SHARED_DIR) / "samples/houdini/hgeo_probe.py";
    if (!fs::exists(probe)) {
        std::cout << probe << " is not there: not compared\n";
        return;
    }
    const Detail d = richDetail(3000);
    const fs::path dir = folder();
    for (const char* name : {"t.bgeo", "t.bgeo.sc", "t.geo"}) writeDetail((dir / name).string(), d);
    std::ofstream(dir / "compare.py") << R"(
import sys, os, struct
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import hgeo_probe as h
def numbers(v, count):
    v = h.kv(v); n = v['size']
    if 'tuples' in v: return [x for t in v['tuples'] for x in t]
    if 'arrays' in v: return v['arrays'][0]
    raw = v['rawpagedata']; flags = (v.get('constantpageflags') or [[]])[0]; out = []; at = 0
    for page in range((count + 1023) // 1024):
        m = min(1024, count - 1024 * page)
        if flags and flags[page]: out += raw[at:at + n] * m; at += n
        else: out += raw[at:at + n * m]; at += n * m
    assert at == len(raw)
    return out
seen = []
for f in ('t.geo', 't.bgeo', 't.bgeo.sc'):
    doc, info = h.load(os.path.join(sys.argv[2], f)); d = h.kv(doc)
    assert info.get('trailing', 0) == 0
    count = {'vertexattributes': d['vertexcount'], 'pointattributes': d['pointcount'],
             'primitiveattributes': d['primitivecount'], 'globalattributes': 1}
    flat = [d['pointcount'], d['vertexcount'], d['primitivecount'],
            h.kv(h.kv(d['topology'])['pointref'])['indices']]
    for owner, entries in h.kv(d['attributes']).items():
        for e in entries:
            a, v = h.kv(e[0]), h.kv(e[1])
            flat += [owner, a['name'], a['type'], a['options'], v.get('strings'), v.get('dicts')]
            n = numbers(v['values'] if 'values' in v else v['indices'], count[owner])
            assert len(n) == count[owner] * v['size'], a['name']
            flat.append([struct.unpack('f', struct.pack('f', x))[0] for x in n])
    for k in ('pointgroups', 'vertexgroups', 'primitivegroups', 'edgegroups'): flat.append(d[k])
    long = {'p_r': 'Polygon_run', 'c_r': 'PolygonCurve_run'}
    for r in d['primitives']: flat.append((long.get(r[0][1], r[0][1]), r[1][1::2]))
    seen.append(flat)
for other in seen[1:]:
    for a, b in zip(seen[0], other): assert a == b, (str(a)[:300], str(b)[:300])
    assert len(seen[0]) == len(other)
print(sum(len(x) for x in seen[0] if isinstance(x, list)))
)";
    const std::string command = "python3 " + (dir / "compare.py").string() + " " +
                                probe.parent_path().string() + " " + dir.string();
    EXPECT_EQ(std::system(command.c_str()), 0);
    fs::remove_all(dir);
}
