// .obj: the bytes after a comment.
#include "fuzz/reader_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return purl::fuzzReader("#\n", data, size);
}
