#include "purl/io/json_reader.h"

#include "purl/base/error.h"

#include <cmath>

namespace purl {

namespace {
constexpr int deepest = 256;
}

std::size_t bytesOf(NumberType t) {
    switch (t) {
    case NumberType::Bool:
    case NumberType::Int8:
    case NumberType::UInt8:
        return 1;
    case NumberType::Int16:
    case NumberType::UInt16:
    case NumberType::Real16:
        return 2;
    case NumberType::Int32:
    case NumberType::Real32:
        return 4;
    default:
        return 8;
    }
}

Token JsonReader::next() {
    if (token_ == Token::Uniform && uniformLeft_ > 0) skipUniform();
    at_ = bytes_.offset();
    token_ = scan();
    const bool ends = token_ == Token::EndArray || token_ == Token::EndMap;
    if (token_ == Token::End) {
        if (!open_.empty()) bytes_.failEnd();
        return token_;
    }
    if (ends) {
        if (open_.empty() || open_.back() != (token_ == Token::EndArray ? '[' : '{'))
            fail("a closing bracket without its opening one");
        if (inMap() && wantValue_) fail("a key without a value");
        open_.pop_back();
        wantValue_ = false; // what was closed was a value
        return token_;
    }
    if (inMap()) {
        if (!wantValue_ && token_ != Token::String) fail("expected a key (a string)");
        wantValue_ = !wantValue_;
    }
    if (token_ == Token::BeginArray || token_ == Token::BeginMap) {
        if (depth() >= deepest) fail("nested deeper than " + std::to_string(deepest));
        open_.push_back(token_ == Token::BeginArray ? '[' : '{');
        wantValue_ = false;
    }
    return token_;
}

void JsonReader::uniform(void* to, std::size_t n) {
    if (token_ != Token::Uniform || n > uniformLeft_) fail("fewer numbers than expected");
    uniformData(to, n);
    uniformLeft_ -= n;
}
void JsonReader::skipUniform() {
    skipUniformData(uniformLeft_);
    uniformLeft_ = 0;
}

void JsonReader::beginArray() {
    if (next() != Token::BeginArray) fail("expected an array");
}
bool JsonReader::beginMapOrArray() {
    const Token t = next();
    if (t != Token::BeginArray && t != Token::BeginMap) fail("expected an array or a map");
    return t == Token::BeginMap;
}
std::int64_t JsonReader::readInt() {
    next();
    if (token_ == Token::Real && std::abs(real_) < 9e15 && real_ == std::floor(real_))
        return static_cast<std::int64_t>(real_);
    if (token_ != Token::Int && token_ != Token::Bool) fail("expected an integer");
    return integer_;
}
std::int64_t JsonReader::readIndex(const char* what, std::int64_t lowest, std::int64_t highest) {
    const std::int64_t v = readInt();
    if (v < lowest || v > highest)
        fail(std::string(what) + " is " + std::to_string(v) + ", expected " +
             std::to_string(lowest) + " to " + std::to_string(highest));
    return v;
}
double JsonReader::readReal() {
    next();
    if (!isNumber()) fail("expected a number");
    return real();
}
bool JsonReader::readBool() {
    next();
    if (token_ != Token::Bool && token_ != Token::Int) fail("expected true or false");
    return integer_ != 0;
}
std::string JsonReader::readString() {
    if (next() != Token::String) fail("expected a string");
    return text_;
}

void JsonReader::skip() {
    next();
    skipPresent();
}
void JsonReader::skipPresent() {
    if (token_ == Token::Uniform) skipUniform();
    if (token_ == Token::EndArray || token_ == Token::EndMap || token_ == Token::End)
        fail("expected a value");
    if (token_ != Token::BeginArray && token_ != Token::BeginMap) return;
    const int outside = depth() - 1;
    while (depth() > outside) next();
}

void JsonReader::charge(std::uint64_t bytes) {
    if (!budget_.take(bytes))
        throw Error(bytes_.name() + ": byte " + std::to_string(at_),
                    "what follows needs " + std::to_string(bytes) +
                        " bytes more; with them it exceeds the limit of " +
                        std::to_string(budget_.limit()) + " bytes (64 x the file and 64 MB)");
}

std::unique_ptr<JsonReader> sniffJson(ByteStream& bytes, Budget& budget) {
    if (bytes.ensure(1) && bytes.data()[0] == 0x7f) return binaryJson(bytes, budget);
    return asciiJson(bytes, budget);
}

} // namespace purl
