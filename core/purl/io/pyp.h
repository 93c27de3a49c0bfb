// The .pyp files of MADYPG (Sperl, Narain, Wojtan 2021): one period of a relaxed yarn pattern,
// text.
#pragma once

#include "purl/io/byte_source.h"
#include "purl/io/detail.h"

namespace purl {

bool looksLikePyp(Span<const std::uint8_t> head);
// Each chain of edges becomes an open polyline, unwrapped so that it is continuous; the primitive
// attribute `period` is what leads from its last edge's end back to its first point (0 when the
// chain just ends), the detail attribute `period` the size of the pattern. Point attributes: P,
// pscale, theta, restlength and refd1 (of the edge to the next point), restkappa, resttwist,
// reftwist.
Detail readPyp(ByteStream&, Budget&, std::vector<std::string>& warnings);

} // namespace purl
