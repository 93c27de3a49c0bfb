// What every fuzz target does: read `prefix` and the bytes as a file, and when that succeeds write
// the geometry and read it again. Errors of our own are fine; anything else is a find, and so are
// reading for more than a second of processor time and holding more than 64 x the file and 64 MB.
#pragma once

#include "purl/base/error.h"
#include "purl/io/geo.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <sanitizer/allocator_interface.h>
#include <string>

namespace purl {

// Bytes that are allocated now, as the sanitizer counts them, and the most there were.
struct HeapWatch {
    static std::atomic<long long>& live() {
        static std::atomic<long long> bytes{0};
        return bytes;
    }
    static std::atomic<long long>& peak() {
        static std::atomic<long long> bytes{0};
        return bytes;
    }
    static void install() {
        static const int done = __sanitizer_install_malloc_and_free_hooks(
            [](const volatile void*, std::size_t n) {
                const long long now = live() += static_cast<long long>(n);
                if (now > peak()) peak() = now;
            },
            [](const volatile void* p) {
                live() -= static_cast<long long>(
                    __sanitizer_get_allocated_size(const_cast<const void*>(p)));
            });
        if (done == 0) std::abort();
    }
};

inline double processorSeconds() {
    timespec t{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// Runs `read` and holds it to the limits that the readers promise for a file of `size` bytes.
template <class F>
void withinLimits(std::size_t size, F&& read) {
    HeapWatch::install();
    const long long before = HeapWatch::live();
    HeapWatch::peak() = before;
    const double start = processorSeconds();
    const auto judge = [&] {
        const double seconds = processorSeconds() - start;
        const long long held = HeapWatch::peak() - before;
        const long long limit = 64 * static_cast<long long>(size) + (64ll << 20);
        if (seconds > 1) std::fprintf(stderr, "took %g s of processor time\n", seconds);
        if (held > limit) std::fprintf(stderr, "held %lld bytes, limit %lld\n", held, limit);
        if (seconds > 1 || held > limit) std::abort();
    };
    try {
        read();
    } catch (const Error&) {
        judge();
        throw;
    }
    judge();
}

inline int fuzzReader(const std::string& prefix, const std::uint8_t* data, std::size_t size) {
    std::vector<std::uint8_t> bytes(prefix.begin(), prefix.end());
    bytes.insert(bytes.end(), data, data + size);
    std::vector<std::string> warnings;
    Detail d;
    try {
        withinLimits(bytes.size(), [&] { d = readDetailBytes(bytes, "f", warnings); });
    } catch (const Error& e) {
        if (std::string(e.what()).find("f: byte ") == std::string::npos) std::abort();
        return 0;
    }
    d.check("what was accepted"); // throws: a find
    if (d.points() > 10000 || d.vertices() > 10000 || d.primitives() > 10000) return 0;
    // Writing and reading again costs more than reading: every fourth input goes that way.
    std::uint32_t sum = 0;
    for (std::uint8_t b : bytes) sum = sum * 31 + b;
    if (sum % 4 != 0) return 0;
    try {
        const std::vector<std::uint8_t> out = writeDetailBytes("f.bgeo", d);
        d = readDetailBytes(out, "again", warnings);
    } catch (const Error& e) {
        const std::string what = e.what();
        // a number that is not finite, and text that is not a JSON value, may be read and not
        // written
        if (what.find("not finite") == std::string::npos) {
            std::fprintf(stderr, "%s\n", what.c_str());
            std::abort();
        }
    }
    return 0;
}

} // namespace purl
