// Thousands of damaged files, the same ones each time: each is read or refused with an Error, soon,
// and without more memory than 64 times the file and 64 MB. tools/fuzz.sh goes on where this ends.
#include "io/rich_detail.h"
#include "purl/base/error.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <malloc.h>
#include <new>
#include <zlib.h>

namespace {
std::atomic<std::size_t> present{0}, highest{0};

void* watched(std::size_t n) {
    void* p = std::malloc(n ? n : 1);
    if (!p) throw std::bad_alloc();
    const std::size_t now = present.fetch_add(malloc_usable_size(p)) + malloc_usable_size(p);
    std::size_t seen = highest.load();
    while (now > seen && !highest.compare_exchange_weak(seen, now)) {
    }
    return p;
}
void unwatched(void* p) {
    if (p) present.fetch_sub(malloc_usable_size(p));
    std::free(p);
}
} // namespace

void* operator new(std::size_t n) { return watched(n); }
void* operator new[](std::size_t n) { return watched(n); }
void operator delete(void* p) noexcept { unwatched(p); }
void operator delete[](void* p) noexcept { unwatched(p); }
void operator delete(void* p, std::size_t) noexcept { unwatched(p); }
void operator delete[](void* p, std::size_t) noexcept { unwatched(p); }

using namespace purl;
namespace fs = std::filesystem;

namespace {

using Bytes = std::vector<std::uint8_t>;

// A small generator of our own, so that the mutants are the same with every library.
struct Random {
    std::uint64_t state;
    std::uint32_t next() {
        state = state * 6364136223846793005u + 1442695040888963407u;
        return static_cast<std::uint32_t>(state >> 33);
    }
    std::size_t below(std::size_t n) { return n ? next() % n : 0; }
};

Bytes mutant(const Bytes& seed, Random& r) {
    static const std::uint8_t likely[] = {0x00, 0x01, 0x7f, 0x80, 0xff, 0x40, 0x2b,
                                          0x26, 0x5b, 0x5d, 0x7b, 0x7d, 0xf2, 0xf4,
                                          0xf8, 0x13, 0x14, 0x19, '-',  '9'};
    Bytes b = seed;
    const std::size_t edits = 1 + r.below(4);
    for (std::size_t k = 0; k < edits && !b.empty(); ++k) {
        const std::size_t at = r.below(b.size());
        switch (r.below(6)) {
        case 0:
            b[at] ^= static_cast<std::uint8_t>(1u << r.below(8));
            break;
        case 1:
            b[at] = likely[r.below(sizeof likely)];
            break;
        case 2:
            b[at] = static_cast<std::uint8_t>(r.next());
            break;
        case 3:
            b.erase(b.begin() + at,
                    b.begin() + at + r.below(std::min<std::size_t>(16, b.size() - at)));
            break;
        case 4: {
            const Bytes piece(b.begin() + at,
                              b.begin() + at + r.below(std::min<std::size_t>(32, b.size() - at)));
            b.insert(b.begin() + r.below(b.size()), piece.begin(), piece.end());
            break;
        }
        case 5: // a length of a thousand million
            for (std::size_t i = at; i < std::min(at + 4, b.size()); ++i) b[i] = 0x7f;
            break;
        }
    }
    return b;
}

void run(const std::string& format, const std::vector<Bytes>& seeds, int mutants) {
    Random r{0x9e3779b97f4a7c15u ^ format.size() ^ static_cast<std::uint64_t>(format[0])};
    int good = 0;
    double slowest = 0;
    for (int i = 0; i < mutants; ++i) {
        const Bytes b = mutant(seeds[static_cast<std::size_t>(i) % seeds.size()], r);
        const std::size_t before = present.load();
        highest = before;
        const auto start = std::chrono::steady_clock::now();
        std::vector<std::string> warnings;
        try {
            const Detail d = readDetailBytes(b, format, warnings);
            d.check("mutant"); // what is accepted is sound
            ++good;
        } catch (const Error& e) {
            ASSERT_NE(std::string(e.what()).find(format + ": byte "), std::string::npos)
                << e.what();
        }
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        slowest = std::max(slowest, seconds);
        ASSERT_LE(highest - before, 64 * b.size() + (64u << 20)) << format << " mutant " << i;
    }
    std::cout << format << ": " << mutants << " mutants, " << good << " still readable, slowest "
              << slowest * 1e3 << " ms\n";
    EXPECT_LT(slowest, 1.0);
    EXPECT_LT(good, mutants);
}

std::vector<Bytes> written(const std::string& name) {
    return {writeDetailBytes(name, richDetail(8)), writeDetailBytes(name, plainCurves(30)),
            writeDetailBytes(name, Detail())};
}

std::vector<Bytes> samples(std::initializer_list<const char*> files) {
    std::vector<Bytes> out;
    for (const char* f : files) {
        std::ifstream in(fs::path(PURL_SHARED_DIR) / "samples" / f, std::ios::binary);
        if (in)
            out.emplace_back((std::istreambuf_iterator<char>(in)),
                             std::istreambuf_iterator<char>());
    }
    return out;
}

std::vector<Bytes> operator+(std::vector<Bytes> a, const std::vector<Bytes>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
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

// A .yarns file with two yarns, as none of our writers makes one.
Bytes someYarns() {
    Bytes b;
    const auto chunk = [&](const char* id, const void* p, std::uint32_t n) {
        b.insert(b.end(), id, id + 4);
        const auto* s = reinterpret_cast<const std::uint8_t*>(&n);
        b.insert(b.end(), s, s + 4);
        const auto* d = static_cast<const std::uint8_t*>(p);
        b.insert(b.end(), d, d + n);
    };
    const float x[15] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    const std::uint32_t source[5] = {1, 2, 3, 4, 5};
    const std::uint32_t yarns[8] = {0, 3, 0x3dcccccd, 0xff0000ff, 3, 5, 0x3dcccccd, 0xffffffff};
    chunk("f3..", x, sizeof x);
    chunk("src.", source, sizeof source);
    chunk("yarn", yarns, sizeof yarns);
    chunk("strs", "abc", 3);
    chunk("unit", source, 12);
    chunk("chk.", source, 12);
    return b;
}

Bytes somePyp() {
    const std::string s =
        "*pattern # px py radius n\n0.1 0.2 0.01 3\n\n*Q\n0 0 0 0\n1 0 0 0\n2 0 0 0\n"
        "*E\n0 1 0 0\n1 2 0 0\n2 0 1 0\n*RL\n1\n1\n1\n*RK\n0 0\n0 0\n0 0\n*RT\n0\n0\n0\n"
        "*RefD1\n0 0 1\n0 0 1\n0 0 1\n*RefT\n0\n0\n0\n";
    return Bytes(s.begin(), s.end());
}

} // namespace

TEST(Mutation, Geo) {
    run("m.geo",
        written("a.geo") + samples({"houdini/bgeo_reader/cube_multi_groups.geo",
                                    "houdini/bgeo_reader/pack1_xform_16.geo"}),
        4000);
}
TEST(Mutation, Bgeo) {
    run("m.bgeo",
        written("a.bgeo") + samples({"houdini/SideFXLabs/neuron_tpose.bgeo",
                                     "houdini/qLib/hip_embedded_h13_palette.bgeo",
                                     "houdini/bgeo_reader/vol_16.bgeo"}),
        6000);
}
TEST(Mutation, BgeoSc) {
    run("m.bgeo.sc",
        written("a.bgeo.sc") + samples({"houdini/MOPS/hip_embedded_h165_quads880.bgeo.sc"}), 4000);
}
TEST(Mutation, BgeoGz) {
    std::vector<Bytes> seeds;
    for (const Bytes& b : written("a.bgeo")) seeds.push_back(gzipped(b));
    run("m.bgeo.gz", seeds, 2500);
}
TEST(Mutation, Obj) { run("m.obj", {writeDetailBytes("a.obj", plainCurves(30))}, 3000); }
TEST(Mutation, Bcc) { run("m.bcc", {writeDetailBytes("a.bcc", plainCurves(30))}, 3000); }
TEST(Mutation, Yarns) {
    run("m.yarns", std::vector<Bytes>{someYarns()} + samples({"yarns/knit-2x2.yarns"}), 3000);
}
TEST(Mutation, Pyp) {
    run("m.pyp", std::vector<Bytes>{somePyp()} + samples({"yarns/stocktiny.pyp"}), 3000);
}

// Small files that decode to much: refused before the memory is taken.
TEST(Mutation, Bombs) {
    Bytes zeros(200u << 20, ' ');
    zeros[0] = '[';
    const Bytes bomb = [&] {
        Bytes out = gzipped(zeros);
        return out;
    }();
    zeros = Bytes();
    std::vector<std::string> warnings;
    const std::size_t before = present.load();
    highest = before;
    EXPECT_THROW(readDetailBytes(bomb, "bomb.gz", warnings), Error);
    EXPECT_LE(highest - before, 64 * bomb.size() + (64u << 20));
}
