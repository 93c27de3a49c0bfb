// The writing face of Houdini's JSON, text and binary (houdini.md A.1).
#pragma once

#include "purl/io/byte_sink.h"
#include "purl/io/json_reader.h"

#include <string_view>
#include <unordered_map>

namespace purl {

class JsonWriter {
public:
    virtual ~JsonWriter() = default;
    virtual bool binary() const = 0;
    virtual void beginArray() = 0;
    virtual void endArray() = 0;
    virtual void beginMap() = 0;
    virtual void endMap() = 0;
    virtual void null() = 0;
    virtual void boolean(bool) = 0;
    virtual void integer(std::int64_t) = 0;
    virtual void real(double) = 0;
    virtual void string(std::string_view) = 0; // a text that need not occur again
    virtual void shared(std::string_view) = 0; // a word of the format: keys, type names
    // A uniform array of n elements follows, in one or more pieces of elements(); text: a list.
    virtual void beginUniform(NumberType, std::uint64_t n) = 0;
    virtual void elements(const void* data, std::size_t n) = 0; // Bool: one byte each
    virtual void endUniform() = 0;
    virtual void flush() = 0;

    void uniform(NumberType type, const void* data, std::size_t n) {
        beginUniform(type, n);
        elements(data, n);
        endUniform();
    }
};

// Memory that asks the budget of a reader before it grows. Container: std::string or bytes.
template <class Container>
class ChargedSink : public ByteSink {
public:
    ChargedSink(JsonReader& in, Container& to) : in_(in), to_(to) {}
    void write(const void* data, std::size_t size) override {
        in_.charge(size);
        const auto* p = static_cast<const typename Container::value_type*>(data);
        to_.insert(to_.end(), p, p + size);
    }

private:
    JsonReader& in_;
    Container& to_;
};

std::unique_ptr<JsonWriter> asciiJsonWriter(ByteSink&, bool lines = false); // broken into lines
// With the magic number; bigEndian only for tests: Houdini writes the machine's order.
std::unique_ptr<JsonWriter> binaryJsonWriter(ByteSink&, bool bigEndian = false);

// Copies the value that the present token of `in` begins. Text to binary and back is lossless but
// for the width of single integers. Non-finite reals become null in text.
void copyValue(JsonReader& in, JsonWriter& out);
// The next (or the present) value of `in` as compact JSON text, charged to the budget.
std::string readJsonText(JsonReader& in);
std::string presentJsonText(JsonReader& in);
// Writes a value given as JSON text (made by readJsonText or by hand).
void writeJsonText(const std::string& json, JsonWriter& out);

} // namespace purl
