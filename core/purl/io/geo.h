// Geometry files in and out: the face of this folder. Reading sniffs the content and never the
// name; writing goes by the extension and is atomic.
#pragma once

#include "purl/io/detail.h"

namespace purl {

// Houdini .geo, .bgeo (both byte orders), .bgeo.sc, .geo.sc, .gz of these; .obj, .bcc, .yarns,
// .pyp; .vdb as VDB primitives. Throws Error naming the file and the byte. What is skipped or changed is said in
// `warnings`, one for each kind.
Detail readDetail(const std::string& path, std::vector<std::string>& warnings);
// The same from memory, without .vdb; `name` stands for the path in messages.
Detail readDetailBytes(Span<const std::uint8_t> bytes, const std::string& name,
                       std::vector<std::string>& warnings);

// By extension: .geo, .bgeo, .bgeo.sc, .geo.sc, .obj, .bcc. The same geometry gives the same bytes.
// Throws Error of kind Disk when the file cannot be written, of kind Input when the geometry cannot
// (a number that is not finite, sizes that do not agree, an extension we do not know).
void writeDetail(const std::string& path, const Detail&,
                 std::vector<std::string>* warnings = nullptr);
// The same into memory; `name` gives the extension.
std::vector<std::uint8_t> writeDetailBytes(const std::string& name, const Detail&,
                                           std::vector<std::string>* warnings = nullptr);

// The grids of VDB primitives that a .bgeo holds.
std::vector<EmbeddedVdb> embeddedVdbs(const Detail&);

} // namespace purl
