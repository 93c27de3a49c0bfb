// .bgeo.sc and .gz: whole files.
#include "fuzz/reader_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return purl::fuzzReader("", data, size);
}
