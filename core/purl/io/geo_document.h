// The parts of the reader and of the writer of Houdini documents (houdini.md A.2 to A.5), shared by
// their source files only. The face is geo.h.
#pragma once

#include "purl/io/detail.h"
#include "purl/io/json_writer.h"

namespace purl {

// Adds a warning unless the same one is already there.
void warnOnce(std::vector<std::string>& warnings, const std::string& what);

class GeoReader {
public:
    GeoReader(JsonReader& in, const std::string& name, std::vector<std::string>& warnings)
        : in_(in), name_(name), warnings_(warnings) {}
    Detail read();

private:
    // geo_read.cpp
    void info();
    void topology();
    void groups(Owner);
    void group(Owner);
    void edgeGroups();
    void selection(Owner, Group&);
    void sharedData();
    void warn(const std::string& what) { warnOnce(warnings_, name_ + ": " + what); }
    void needCounts(const char* what);
    std::size_t countOf(Owner) const; // as declared
    // geo_read_attributes.cpp
    void attributes();
    void attribute(Owner);
    void options(Attribute&);
    void data(Attribute&, std::size_t count);
    void defaults(Attribute&);
    void values(Attribute&, std::size_t count);
    void table(Attribute&);
    // geo_read_primitives.cpp
    struct Run;
    void primitives();
    void record();
    void compactRun(const std::string& type);
    void oldRun(const Run&);
    void single(const std::string& type);
    bool field(const std::string& key, JsonWriter& body, Run&);
    void finishKept(const Run&, std::vector<std::uint8_t> body);
    void addPrimitive(PrimitiveKind, bool closed, Index vertices);
    void own(std::int64_t first, std::int64_t n);
    void orderVertices();

    JsonReader& in_;
    const std::string& name_;
    std::vector<std::string>& warnings_;
    Detail d_;
    std::int64_t pointCount_ = -1, vertexCount_ = -1, primitiveCount_ = -1;
    // The vertices in the order in which the primitives name them: 0 .. owned_-1 as long as
    // vertexOrder_ is empty, which is how Houdini writes them.
    std::vector<Index> vertexOrder_;
    Index owned_ = 0;
    bool plainOrder_ = true;
};

void writeDocument(const Detail&, JsonWriter&);
void writePrimitives(const Detail&, JsonWriter&);

} // namespace purl
