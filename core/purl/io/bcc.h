// Binary Curve Collection (.bcc), Cem Yuksel's yarn curves: uniform Catmull-Rom control points.
#pragma once

#include "purl/io/byte_sink.h"
#include "purl/io/byte_source.h"
#include "purl/io/detail.h"

namespace purl {

// Coordinates are kept as they are; the detail attribute "up_axis" says which one is up (0, 1, 2).
Detail readBcc(ByteStream&, Budget&, std::vector<std::string>& warnings);
void writeBcc(const Detail&, ByteSink&, const std::string& name,
              std::vector<std::string>* warnings);

} // namespace purl
