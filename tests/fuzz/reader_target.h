// What every fuzz target does: read `prefix` and the bytes as a file, and when that succeeds write
// the geometry and read it again. Errors of our own are fine; anything else is a find.
#pragma once

#include "purl/base/error.h"
#include "purl/io/geo.h"

#include <cstdlib>
#include <string>

namespace purl {

inline int fuzzReader(const std::string& prefix, const std::uint8_t* data, std::size_t size) {
    std::vector<std::uint8_t> bytes(prefix.begin(), prefix.end());
    bytes.insert(bytes.end(), data, data + size);
    std::vector<std::string> warnings;
    Detail d;
    try {
        d = readDetailBytes(bytes, "f", warnings);
    } catch (const Error& e) {
        if (std::string(e.what()).find("f: byte ") == std::string::npos) std::abort();
        return 0;
    }
    d.check("what was accepted"); // throws: a find
    if (d.points() > 10000 || d.vertices() > 10000 || d.primitives() > 10000) return 0;
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
