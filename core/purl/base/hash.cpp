#include "purl/base/hash.h"

#include <cstdio>
#include <xxhash.h>

namespace purl {

void Hash::bytes(const void* data, std::size_t size) {
    state_ = XXH3_64bits_withSeed(data, size, state_);
}

std::string hexHash(std::uint64_t value) {
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
    return text;
}

} // namespace purl
