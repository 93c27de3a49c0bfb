#include "purl/io/json_writer.h"

#include <charconv>
#include <cmath>

namespace purl {

namespace {

class AsciiWriter : public JsonWriter {
public:
    AsciiWriter(ByteSink& sink, bool lines) : sink_(sink), lines_(lines) {}
    bool binary() const override { return false; }
    void beginArray() override { open('['); }
    void endArray() override { close(']'); }
    void beginMap() override { open('{'); }
    void endMap() override { close('}'); }
    void null() override { word("null"); }
    void boolean(bool v) override { word(v ? "true" : "false"); }
    void integer(std::int64_t v) override {
        separator();
        digits(v);
    }
    void real(double v) override {
        separator();
        if (!std::isfinite(v)) return put("null");
        char text[64];
        const auto end =
            std::to_chars(text, text + sizeof text, v, std::chars_format::general, 17).ptr;
        const std::string_view number(text, static_cast<std::size_t>(end - text));
        put(number);
        // a real stays a real when it is read again
        if (number.find_first_of(".e") == std::string_view::npos) put(".0");
    }
    void string(std::string_view s) override {
        separator();
        quoted(s);
    }
    void shared(std::string_view s) override { string(s); }
    void beginUniform(NumberType type, std::uint64_t) override {
        beginArray();
        type_ = type;
    }
    void elements(const void* data, std::size_t n) override {
        switch (type_) {
        case NumberType::Bool:
            return bools(static_cast<const std::uint8_t*>(data), n);
        case NumberType::Int8:
            return integers(static_cast<const std::int8_t*>(data), n);
        case NumberType::Int16:
            return integers(static_cast<const std::int16_t*>(data), n);
        case NumberType::Int32:
            return integers(static_cast<const std::int32_t*>(data), n);
        case NumberType::Int64:
            return integers(static_cast<const std::int64_t*>(data), n);
        case NumberType::UInt8:
            return integers(static_cast<const std::uint8_t*>(data), n);
        case NumberType::UInt16:
            return integers(static_cast<const std::uint16_t*>(data), n);
        case NumberType::Real16:
            return reals(static_cast<const Eigen::half*>(data), n, 9);
        case NumberType::Real32:
            return reals(static_cast<const float*>(data), n, 9);
        case NumberType::Real64:
            return reals(static_cast<const double*>(data), n, 17);
        }
    }
    void endUniform() override { endArray(); }
    void flush() override {
        sink_.write(buffer_.data(), buffer_.size());
        buffer_.clear();
    }

private:
    void put(std::string_view s) {
        buffer_ += s;
        if (buffer_.size() > (256u << 10)) flush();
    }
    void separator() {
        if (open_.empty()) return;
        char& state = open_.back();
        // '[' and '{': nothing inside yet; ',' after a value; ':' after a key; 'k' before a key
        if (state == ',') put(",");
        if (state == ':') put(":");
        if (state == 'k') put(",");
        if (state == '[')
            state = ',';
        else if (state == '{' || state == 'k')
            state = ':';
        else if (state == ':')
            state = 'k';
    }
    void open(char c) {
        separator();
        put({&c, 1});
        open_.push_back(c);
    }
    void close(char c) {
        open_.pop_back();
        put({&c, 1});
        if (lines_ && open_.size() <= 2) put("\n");
    }
    void word(std::string_view w) {
        separator();
        put(w);
    }
    void digits(std::int64_t v) {
        char text[32];
        put({text,
             static_cast<std::size_t>(std::to_chars(text, text + sizeof text, v).ptr - text)});
    }
    void digits(double v, int precision) {
        char text[64];
        const auto end =
            std::to_chars(text, text + sizeof text, v, std::chars_format::general, precision).ptr;
        put({text, static_cast<std::size_t>(end - text)});
    }
    template <class T>
    void integers(const T* p, std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) integer(static_cast<std::int64_t>(p[i]));
    }
    template <class T>
    void reals(const T* p, std::size_t n, int precision) {
        for (std::size_t i = 0; i < n; ++i) {
            separator();
            const double v = static_cast<double>(p[i]);
            if (std::isfinite(v))
                digits(v, precision);
            else
                put("null");
        }
    }
    void bools(const std::uint8_t* p, std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) boolean(p[i] != 0);
    }
    void quoted(std::string_view s) {
        static const char hex[] = "0123456789abcdef";
        buffer_ += '"';
        for (char c : s) {
            switch (c) {
            case '"':
                buffer_ += "\\\"";
                break;
            case '\\':
                buffer_ += "\\\\";
                break;
            case '\n':
                buffer_ += "\\n";
                break;
            case '\t':
                buffer_ += "\\t";
                break;
            case '\r':
                buffer_ += "\\r";
                break;
            default:
                if (static_cast<unsigned char>(c) < 0x20) {
                    buffer_ += "\\u00";
                    buffer_ += hex[c >> 4 & 15];
                    buffer_ += hex[c & 15];
                } else {
                    buffer_ += c;
                }
            }
        }
        put("\"");
    }

    ByteSink& sink_;
    bool lines_;
    std::string buffer_;
    std::string open_;
    NumberType type_ = NumberType::Int8;
};

} // namespace

std::unique_ptr<JsonWriter> asciiJsonWriter(ByteSink& sink, bool lines) {
    return std::make_unique<AsciiWriter>(sink, lines);
}

} // namespace purl
