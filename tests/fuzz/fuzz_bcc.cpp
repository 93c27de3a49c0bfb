// .bcc: the bytes after curve type, dimensions and up axis.
#include "fuzz/reader_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return purl::fuzzReader("BCC\x44"
                            "C0\x03\x01",
                            data, size);
}
