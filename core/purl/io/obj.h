// Wavefront .obj: v, f (closed polygons), l (open polylines), g (primitive groups).
#pragma once

#include "purl/io/byte_sink.h"
#include "purl/io/byte_source.h"
#include "purl/io/detail.h"

namespace purl {

bool looksLikeObj(Span<const std::uint8_t> head);
Detail readObj(ByteStream&, Budget&, std::vector<std::string>& warnings);
void writeObj(const Detail&, ByteSink&, const std::string& name,
              std::vector<std::string>* warnings);

} // namespace purl
