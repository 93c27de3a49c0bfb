#include "purl/io/json_writer.h"

#include <algorithm>

namespace purl {

namespace {

void copyUniform(JsonReader& in, JsonWriter& out) {
    const NumberType type = in.uniformType();
    out.beginUniform(type, in.uniformLeft());
    std::uint64_t block[512];
    while (in.uniformLeft() > 0) {
        const std::size_t n =
            static_cast<std::size_t>(std::min<std::uint64_t>(in.uniformLeft(), 512));
        in.uniform(block, n);
        out.elements(block, n);
    }
    out.endUniform();
}

} // namespace

void copyValue(JsonReader& in, JsonWriter& out) {
    const Token first = in.token();
    const bool opens = first == Token::BeginArray || first == Token::BeginMap;
    const int outside = in.depth() - (opens ? 1 : 0);
    while (true) {
        switch (in.token()) {
        case Token::Null:
            out.null();
            break;
        case Token::Bool:
            out.boolean(in.integer() != 0);
            break;
        case Token::Int:
            out.integer(in.integer());
            break;
        case Token::Real:
            out.real(in.real());
            break;
        case Token::String:
            out.string(in.text());
            break;
        case Token::BeginArray:
            out.beginArray();
            break;
        case Token::EndArray:
            if (!opens) in.fail("expected a value");
            out.endArray();
            break;
        case Token::BeginMap:
            out.beginMap();
            break;
        case Token::EndMap:
            if (!opens) in.fail("expected a value");
            out.endMap();
            break;
        case Token::Uniform:
            copyUniform(in, out);
            break;
        case Token::End:
            in.fail("expected a value");
        }
        if (in.depth() == outside) return;
        in.next();
    }
}

std::string readJsonText(JsonReader& in) {
    in.next();
    return presentJsonText(in);
}

std::string presentJsonText(JsonReader& in) {
    std::string text;
    ChargedSink<std::string> sink(in, text);
    const auto out = asciiJsonWriter(sink);
    copyValue(in, *out);
    out->flush();
    return text;
}

void writeJsonText(const std::string& json, JsonWriter& out) {
    const std::string text = json + "\n"; // a number must not be the last thing in a stream
    const auto raw =
        openMemory({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, "JSON text");
    Budget budget(text.size());
    ByteStream bytes(plainSource(*raw), raw->name());
    const auto in = asciiJson(bytes, budget);
    in->next();
    copyValue(*in, out);
    if (in->next() != Token::End) in->fail("more than one value");
}

} // namespace purl
