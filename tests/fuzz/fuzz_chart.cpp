// PNG charts: whole files whose check sums are made right, or nothing but them would be tried.
#include "fuzz/reader_target.h"
#include "purl/io/png_image.h"

#include <zlib.h>

namespace {

std::uint32_t big(const std::uint8_t* p) {
    return std::uint32_t{p[0]} << 24 | p[1] << 16 | p[2] << 8 | p[3];
}

void repair(std::vector<std::uint8_t>& b) {
    for (std::size_t at = 8; at + 12 <= b.size();) {
        const std::uint32_t n = big(b.data() + at);
        if (n > b.size() - at - 12) return;
        const auto sum = static_cast<std::uint32_t>(::crc32(0, b.data() + at + 4, n + 4));
        for (int i = 0; i < 4; ++i)
            b[at + 8 + n + i] = static_cast<std::uint8_t>(sum >> (24 - 8 * i));
        at += 12 + std::size_t{n};
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::vector<std::uint8_t> bytes(data, data + size);
    repair(bytes);
    try {
        purl::withinLimits(size, [&] { purl::readChartBytes(bytes, "f"); });
    } catch (const purl::Error& e) {
        if (std::string(e.what()).find("f: ") != 0) std::abort();
    }
    return 0;
}
