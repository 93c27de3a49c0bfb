// One face for the two spellings of Houdini's JSON (houdini.md A.1): text and binary. A pull
// parser: next() moves to the next token; a uniform array of numbers is one token whose elements
// are then taken in bulk. Uniform arrays of strings look like plain arrays. Keys are String tokens.
#pragma once

#include "purl/io/byte_source.h"

namespace purl {

enum class Token : std::uint8_t {
    End, // of the data
    Null,
    Bool,
    Int,
    Real,
    String,
    BeginArray,
    EndArray,
    BeginMap,
    EndMap,
    Uniform
};
enum class NumberType : std::uint8_t {
    Bool,
    Int8,
    Int16,
    Int32,
    Int64,
    UInt8,
    UInt16,
    Real16,
    Real32,
    Real64
};
std::size_t bytesOf(NumberType); // 1 for Bool, as uniform() gives it

class JsonReader {
public:
    virtual ~JsonReader() = default;
    Token next(); // also keeps the nesting in order
    Token token() const { return token_; }

    // The value of the present token.
    std::int64_t integer() const { return integer_; } // Int and Bool
    double real() const { return token_ == Token::Real ? real_ : static_cast<double>(integer_); }
    const std::string& text() const { return text_; }
    bool isNumber() const {
        return token_ == Token::Int || token_ == Token::Real || token_ == Token::Bool;
    }

    // The present Uniform token: elements not yet taken, in the machine's byte order.
    NumberType uniformType() const { return uniformType_; }
    std::uint64_t uniformLeft() const { return uniformLeft_; }
    void uniform(void* to, std::size_t n);
    void skipUniform();

    // Read the next value, which must be of this kind.
    void beginArray();
    bool beginMapOrArray(); // true: a map
    std::int64_t readInt();
    std::int64_t readIndex(const char* what, std::int64_t lowest, std::int64_t highest);
    double readReal();
    bool readBool();
    std::string readString();
    void skip();        // the next value, whole
    void skipPresent(); // the rest of the value that the present token begins
    // Walks a flat map (or a real one): calls f(key) before each value, which f must read.
    template <class F>
    void flatMap(F&& f) {
        beginMapOrArray();
        flatMapInside(f);
    }
    template <class F>
    void flatMapInside(F&& f) { // after the bracket
        const int level = depth();
        while (true) {
            const Token t = next();
            if (t == Token::EndArray || t == Token::EndMap) return;
            if (t != Token::String) fail("expected a key");
            f(std::string(text_));
            if (depth() != level) fail("a value ends where it should not");
        }
    }
    // Walks the list that the next value is: calls f() with its first token as the present one.
    template <class F>
    void list(F&& f) {
        beginArray();
        while (next() != Token::EndArray) f();
    }

    int depth() const { return static_cast<int>(open_.size()); }
    void charge(std::uint64_t bytes); // against the memory budget
    std::uint64_t offset() const { return bytes_.offset(); }
    [[noreturn]] void fail(const std::string& what) const { bytes_.failAt(at_, what); }

protected:
    JsonReader(ByteStream& bytes, Budget& budget) : bytes_(bytes), budget_(budget) {}
    virtual Token scan() = 0;
    virtual void uniformData(void* to, std::size_t n) = 0;
    virtual void skipUniformData(std::uint64_t n) = 0;
    bool inMap() const { return !open_.empty() && open_.back() == '{'; }

    ByteStream& bytes_;
    Budget& budget_;
    std::uint64_t at_ = 0; // where the present token began
    std::int64_t integer_ = 0;
    double real_ = 0;
    std::string text_;
    NumberType uniformType_ = NumberType::Int8;
    std::uint64_t uniformLeft_ = 0;
    std::string open_; // '[' and '{' that are open

private:
    Token token_ = Token::Null;
    bool wantValue_ = false; // in a map, after a key
};

std::unique_ptr<JsonReader> asciiJson(ByteStream&, Budget&);
std::unique_ptr<JsonReader> binaryJson(ByteStream&, Budget&); // the magic not yet taken
// By the first byte of the stream.
std::unique_ptr<JsonReader> sniffJson(ByteStream&, Budget&);

} // namespace purl
