// .yarns: the bytes after the name of the first chunk.
#include "fuzz/reader_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return purl::fuzzReader("f3..", data, size);
}
