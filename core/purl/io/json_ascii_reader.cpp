// The text spelling: JSON, with the nan and inf that some writers let through.
#include "purl/io/json_reader.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace purl {

namespace {

class AsciiReader : public JsonReader {
public:
    AsciiReader(ByteStream& bytes, Budget& budget) : JsonReader(bytes, budget) {}

protected:
    Token scan() override {
        skipSpace();
        if (!bytes_.ensure(1)) return Token::End;
        char c = peek();
        if (c == ']' || c == '}') {
            bytes_.advance(1);
            first_ = false;
            afterKey_ = false;
            return c == ']' ? Token::EndArray : Token::EndMap;
        }
        separator(c);
        at_ = bytes_.offset();
        const bool key = inMap() && !afterKey_;
        afterKey_ = key;
        first_ = false;
        switch (c) {
        case '[':
        case '{':
            bytes_.advance(1);
            first_ = true;
            afterKey_ = false;
            return c == '[' ? Token::BeginArray : Token::BeginMap;
        case '"':
            string();
            return Token::String;
        case 't':
            word("true");
            integer_ = 1;
            return Token::Bool;
        case 'f':
            word("false");
            integer_ = 0;
            return Token::Bool;
        default:
            break;
        }
        if (c == 'n' && bytes_.ensure(2) && bytes_.data()[1] == 'u') {
            word("null");
            return Token::Null;
        }
        return number();
    }
    void uniformData(void*, std::size_t) override {}
    void skipUniformData(std::uint64_t) override {}

private:
    char peek() const { return static_cast<char>(*bytes_.data()); }
    void skipSpace() {
        while (bytes_.ensure(1)) {
            const char c = peek();
            if (c != ' ' && c != '\n' && c != '\t' && c != '\r') return;
            bytes_.advance(1);
        }
    }
    // The comma between values and the colon after a key.
    void separator(char& c) {
        if (open_.empty() || (first_ && !afterKey_)) return;
        const char wanted = inMap() && afterKey_ ? ':' : ',';
        if (c != wanted) bytes_.fail(std::string("expected '") + wanted + "' or a closing bracket");
        bytes_.advance(1);
        skipSpace();
        if (!bytes_.ensure(1)) bytes_.failEnd();
        c = peek();
        if (c == ']' || c == '}') bytes_.fail("expected a value");
    }
    void word(const char* w) {
        const std::size_t n = std::strlen(w);
        if (!bytes_.ensure(n)) bytes_.failEnd();
        if (std::memcmp(bytes_.data(), w, n) != 0) bytes_.fail(std::string("expected ") + w);
        bytes_.advance(n);
    }

    static bool numeric(char c) {
        return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
    }
    Token number() {
        char text[ByteSource::headroom];
        std::size_t n = 0;
        bytes_.ensure(sizeof text); // fewer near the end
        const std::size_t have = std::min(bytes_.available(), sizeof text);
        while (n < have && (numeric(text[n] = static_cast<char>(bytes_.data()[n])))) ++n;
        if (n == have && have == sizeof text) fail("a number of more than 60 characters");
        if (n == have) bytes_.failEnd(); // a number never ends a document
        if (n <= 1 && std::isalpha(static_cast<unsigned char>(text[n]))) return notFinite(text[0]);
        if (n == 0) bytes_.fail("expected a value");
        bytes_.advance(n);
        const char* begin = text[0] == '+' ? text + 1 : text;
        const auto whole = std::from_chars(begin, text + n, integer_);
        if (whole.ec == std::errc() && whole.ptr == text + n) {
            if (integer_ != 0 || text[0] != '-') return Token::Int;
            real_ = -0.0; // the sign of a zero is worth keeping
            return Token::Real;
        }
        const auto part = std::from_chars(begin, text + n, real_);
        if (part.ptr != text + n) fail("not a number: " + std::string(text, n));
        if (part.ec == std::errc::result_out_of_range) {
            const char* e = static_cast<const char*>(std::memchr(text, 'e', n));
            const bool tiny = e && e + 1 < text + n && e[1] == '-';
            real_ =
                tiny ? 0.0 : (text[0] == '-' ? -1 : 1) * std::numeric_limits<double>::infinity();
        } else if (part.ec != std::errc()) {
            fail("not a number: " + std::string(text, n));
        }
        return Token::Real;
    }
    Token notFinite(char sign) {
        const bool negative = sign == '-';
        if (sign == '-' || sign == '+') bytes_.advance(1);
        std::string w;
        while (bytes_.ensure(1) && std::isalpha(static_cast<unsigned char>(peek())) &&
               w.size() < 10) {
            w += static_cast<char>(std::tolower(static_cast<unsigned char>(peek())));
            bytes_.advance(1);
        }
        if (w == "nan")
            real_ = std::numeric_limits<double>::quiet_NaN();
        else if (w == "inf" || w == "infinity")
            real_ = (negative ? -1 : 1) * std::numeric_limits<double>::infinity();
        else
            fail("unknown word \"" + w + "\"");
        return Token::Real;
    }

    void string() {
        bytes_.advance(1);
        text_.clear();
        while (true) {
            if (!bytes_.ensure(1)) bytes_.failEnd();
            // whole stretches without a quote or a backslash at once
            const char* p = reinterpret_cast<const char*>(bytes_.data());
            std::size_t n = 0;
            while (n < bytes_.available() && p[n] != '"' && p[n] != '\\') ++n;
            text_.append(p, n);
            bytes_.advance(n);
            if (n == 0 && p[0] == '"') {
                bytes_.advance(1);
                return;
            }
            if (n == 0) escape();
        }
    }
    void escape() {
        if (!bytes_.ensure(2)) bytes_.failEnd();
        const char c = static_cast<char>(bytes_.data()[1]);
        bytes_.advance(2);
        switch (c) {
        case 'n':
            text_ += '\n';
            return;
        case 't':
            text_ += '\t';
            return;
        case 'r':
            text_ += '\r';
            return;
        case 'b':
            text_ += '\b';
            return;
        case 'f':
            text_ += '\f';
            return;
        case 'u':
            unicode();
            return;
        default:
            text_ += c;
            return; // \" \\ \/ and what else a writer escaped
        }
    }
    unsigned hex4() {
        if (!bytes_.ensure(4)) bytes_.failEnd();
        unsigned v = 0;
        for (int i = 0; i < 4; ++i) {
            const char c = static_cast<char>(bytes_.data()[i]);
            if (!std::isxdigit(static_cast<unsigned char>(c))) bytes_.fail("bad \\u escape");
            v = v * 16 + static_cast<unsigned>(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
        }
        bytes_.advance(4);
        return v;
    }
    void unicode() {
        unsigned v = hex4();
        if (v >= 0xd800 && v < 0xdc00) {
            if (!bytes_.ensure(6)) bytes_.failEnd();
            if (bytes_.data()[0] != '\\' || bytes_.data()[1] != 'u') bytes_.fail("lone surrogate");
            bytes_.advance(2);
            const unsigned low = hex4();
            if (low < 0xdc00 || low > 0xdfff) bytes_.fail("lone surrogate");
            v = 0x10000 + ((v - 0xd800) << 10) + (low - 0xdc00);
        }
        const auto put = [&](unsigned b) { text_ += static_cast<char>(b); };
        if (v < 0x80) {
            put(v);
        } else if (v < 0x800) {
            put(0xc0 | v >> 6);
            put(0x80 | (v & 63));
        } else if (v < 0x10000) {
            put(0xe0 | v >> 12);
            put(0x80 | (v >> 6 & 63));
            put(0x80 | (v & 63));
        } else {
            put(0xf0 | v >> 18);
            put(0x80 | (v >> 12 & 63));
            put(0x80 | (v >> 6 & 63));
            put(0x80 | (v & 63));
        }
    }

    bool first_ = true;     // nothing yet inside the present bracket
    bool afterKey_ = false; // in a map: the last token was a key
};

} // namespace

std::unique_ptr<JsonReader> asciiJson(ByteStream& bytes, Budget& budget) {
    return std::make_unique<AsciiReader>(bytes, budget);
}

} // namespace purl
