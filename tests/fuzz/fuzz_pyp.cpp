// .pyp: the bytes after the name of the first section.
#include "fuzz/reader_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return purl::fuzzReader("*pattern", data, size);
}
