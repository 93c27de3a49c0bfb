// Times reading and writing of a yarn file of 2 million points and 6 attributes as .bgeo.sc against
// Blosc's own decompression and compression of the same chunks in the same run, one thread each.
//   io_bench [folder for the file, default .] [points]
#include "purl/base/parallel.h"
#include "purl/io/geo.h"

#include <algorithm>
#include <blosc.h>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <sys/resource.h>

using namespace purl;

namespace {

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

// The largest memory of the process, in bytes, since resetPeak().
double peak() {
    std::ifstream in("/proc/self/status");
    for (std::string line; std::getline(in, line);)
        if (line.rfind("VmHWM:", 0) == 0) return std::stod(line.substr(6)) * 1024;
    return 0;
}
void resetPeak() { std::ofstream("/proc/self/clear_refs") << "5"; }

Detail yarns(Index points) {
    Detail d;
    d.addPoints(points);
    auto& x = *d.addFloat(Owner::Point, "P", 3, "point").as<float>();
    auto& v = *d.addFloat(Owner::Point, "v", 3, "vector").as<float>();
    auto& r = *d.addFloat(Owner::Point, "pscale").as<float>();
    auto& q = *d.addFloat(Owner::Point, "orient", 4, "quaternion").as<float>();
    auto& u = *d.addFloat(Owner::Point, "curveu").as<float>();
    auto& id = *d.addInt(Owner::Point, "id", 1, "nonarithmetic_integer").as<std::int32_t>();
    const Index yarn = 1000;
    std::uint32_t state = 1;
    const auto noise = [&] {
        return static_cast<float>((state = state * 1664525u + 1013904223u) >> 8) / (1u << 24);
    };
    for (Index i = 0; i < points; ++i) {
        const float s = 0.3f * static_cast<float>(i % yarn),
                    row = 0.01f * static_cast<float>(i / yarn);
        x[3 * i] = 0.002f * s + 0.001f * std::sin(2 * s);
        x[3 * i + 1] = row + 0.004f * std::cos(s);
        x[3 * i + 2] = 0.001f * std::sin(s) + 1e-5f * noise();
        for (int c = 0; c < 3; ++c) v[3 * i + c] = 0.1f * std::sin(s + c) + 1e-3f * noise();
        r[i] = 0.0005f;
        q[4 * i + 1] = std::sin(s);
        q[4 * i + 3] = std::cos(s);
        u[i] = static_cast<float>(i % yarn) / yarn;
        id[i] = i;
    }
    for (Index i = 0; i < points; ++i) d.vertexPoint.push_back(i);
    for (Index i = 0; i < points; i += yarn) {
        d.primitiveKind.push_back(PrimitiveKind::Polyline);
        d.primitiveClosed.push_back(0);
        d.firstVertex.push_back(std::min(i + yarn, points));
    }
    return d;
}

} // namespace

int main(int argc, char** argv) {
    const std::string path = std::string(argc > 1 ? argv[1] : ".") + "/io_bench.bgeo.sc";
    const Index points = argc > 2 ? std::atoi(argv[2]) : 2000000;
    const int threads = argc > 3 ? std::atoi(argv[3]) : 0;
    ThreadLimit limit(threads);
    double write = 1e9, read = 1e9, pack = 1e9, unpack = 1e9, memory = 0;
    const Detail d = yarns(points);
    const std::vector<std::uint8_t> plain = writeDetailBytes("a.bgeo", d);
    const std::size_t block = 1u << 20, blocks = (plain.size() + block - 1) / block;
    std::vector<std::vector<std::uint8_t>> packed(blocks, std::vector<std::uint8_t>(block + 16));
    std::vector<std::uint8_t> out(plain.size());
    std::size_t total = 0;
    for (int round = 0; round < 5; ++round) {
        double t = now();
        writeDetail(path, d);
        write = std::min(write, now() - t);
        total = 0;
        std::vector<int> sizes(blocks);
        t = now();
        for (std::size_t i = 0; i < blocks; ++i) {
            const std::size_t n = std::min(block, plain.size() - i * block);
            sizes[i] = blosc_compress_ctx(5, 1, 4, n, plain.data() + i * block, packed[i].data(),
                                          n + 16, "lz4", n, 1);
        }
        pack = std::min(pack, now() - t);
        for (int n : sizes) total += static_cast<std::size_t>(n);
        t = now();
        for (std::size_t i = 0; i < blocks; ++i)
            blosc_decompress_ctx(packed[i].data(), out.data() + i * block,
                                 std::min(block, plain.size() - i * block), 1);
        unpack = std::min(unpack, now() - t);
        resetPeak();
        const double before = peak();
        t = now();
        std::vector<std::string> warnings;
        const Detail back = readDetail(path, warnings);
        read = std::min(read, now() - t);
        memory = std::max(memory, peak() - before);
        if (*back.findPoint("P")->as<float>() != *d.findPoint("P")->as<float>()) return 1;
    }
    std::remove(path.c_str());
    std::printf("decoded %.1f MB, packed %.1f MB, threads %d (0: all)\n", plain.size() / 1e6,
                total / 1e6, threads);
    std::printf("read  %7.1f ms  Blosc decompression %7.1f ms  ratio %.2f\n", read * 1e3,
                unpack * 1e3, read / unpack);
    std::printf("write %7.1f ms  Blosc compression   %7.1f ms  ratio %.2f\n", write * 1e3,
                pack * 1e3, write / pack);
    std::printf("memory of reading %.1f MB, %.2f of the decoded data\n", memory / 1e6,
                memory / static_cast<double>(plain.size()));
    return 0;
}
