// .bgeo in the other byte order: the bytes after the magic number.
#include "fuzz/reader_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return purl::fuzzReader("\x7f"
                            "bJSN",
                            data, size);
}
