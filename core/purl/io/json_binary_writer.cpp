#include "purl/io/json_writer.h"

#include <cstring>
#include <limits>

namespace purl {

namespace {

class BinaryWriter : public JsonWriter {
public:
    BinaryWriter(ByteSink& sink, bool bigEndian) : sink_(sink), swap_(bigEndian) {
        raw(bigEndian ? "\x7f"
                        "bJSN"
                      : "\x7fNSJb",
            5);
    }
    bool binary() const override { return true; }
    void beginArray() override { byte(0x5b); }
    void endArray() override { byte(0x5d); }
    void beginMap() override { byte(0x7b); }
    void endMap() override { byte(0x7d); }
    void null() override { byte(0x00); }
    void boolean(bool v) override { byte(v ? 0x31 : 0x30); }
    void integer(std::int64_t v) override {
        if (fits<std::int8_t>(v)) {
            byte(0x11);
            number(static_cast<std::int8_t>(v));
        } else if (fits<std::int16_t>(v)) {
            byte(0x12);
            number(static_cast<std::int16_t>(v));
        } else if (fits<std::int32_t>(v)) {
            byte(0x13);
            number(static_cast<std::int32_t>(v));
        } else {
            byte(0x14);
            number(v);
        }
    }
    void real(double v) override {
        byte(0x1a);
        number(v);
    }
    void string(std::string_view s) override {
        byte(0x27);
        text(s);
    }
    void shared(std::string_view s) override {
        const auto [it, isNew] = ids_.try_emplace(std::string(s), ids_.size());
        if (isNew) {
            byte(0x2b);
            length(it->second);
            text(s);
        }
        byte(0x26);
        length(it->second);
    }
    void beginUniform(NumberType type, std::uint64_t n) override {
        static const std::uint8_t ids[] = {0x10, 0x11, 0x12, 0x13, 0x14,
                                           0x21, 0x22, 0x18, 0x19, 0x1a};
        byte(0x40);
        byte(ids[static_cast<int>(type)]);
        length(n);
        type_ = type;
        word_ = 0;
        bits_ = 0;
    }
    void elements(const void* data, std::size_t n) override {
        const std::uint8_t* p = static_cast<const std::uint8_t*>(data);
        if (type_ == NumberType::Bool) {
            for (std::size_t i = 0; i < n; ++i) {
                word_ |= static_cast<std::uint32_t>(p[i] != 0) << bits_;
                if (++bits_ == 32) putWord();
            }
            return;
        }
        const std::size_t size = bytesOf(type_);
        if (!swap_ || size == 1) return raw(data, n * size);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t k = size; k-- > 0;) byte(p[i * size + k]);
    }
    void endUniform() override {
        if (bits_ > 0) putWord();
    }
    void flush() override {
        sink_.write(buffer_, used_);
        used_ = 0;
    }

private:
    template <class T>
    static bool fits(std::int64_t v) {
        return v >= std::numeric_limits<T>::min() && v <= std::numeric_limits<T>::max();
    }
    void putWord() {
        number(word_);
        word_ = 0;
        bits_ = 0;
    }
    void byte(std::uint8_t b) {
        if (used_ == sizeof buffer_) flush();
        buffer_[used_++] = b;
    }
    void raw(const void* data, std::size_t n) {
        if (n > sizeof buffer_ - used_) {
            flush();
            if (n > sizeof buffer_ / 2) return sink_.write(data, n);
        }
        if (n > 0) std::memcpy(buffer_ + used_, data, n);
        used_ += n;
    }
    template <class T>
    void number(T v) {
        std::uint8_t b[sizeof(T)];
        std::memcpy(b, &v, sizeof v);
        if (swap_)
            for (std::size_t k = 0; k < sizeof(T) / 2; ++k) std::swap(b[k], b[sizeof(T) - 1 - k]);
        raw(b, sizeof b);
    }
    void length(std::uint64_t n) {
        if (n < 0xf1) return byte(static_cast<std::uint8_t>(n));
        if (n <= 0xffff) {
            byte(0xf2);
            number(static_cast<std::uint16_t>(n));
        } else if (n <= 0xffffffffu) {
            byte(0xf4);
            number(static_cast<std::uint32_t>(n));
        } else {
            byte(0xf8);
            number(static_cast<std::int64_t>(n));
        }
    }
    void text(std::string_view s) {
        length(s.size());
        raw(s.data(), s.size());
    }

    ByteSink& sink_;
    bool swap_;
    std::unordered_map<std::string, std::uint64_t> ids_;
    NumberType type_ = NumberType::Int8;
    std::uint32_t word_ = 0;
    int bits_ = 0;
    std::uint8_t buffer_[4096];
    std::size_t used_ = 0;
};

} // namespace

std::unique_ptr<JsonWriter> binaryJsonWriter(ByteSink& sink, bool bigEndian) {
    return std::make_unique<BinaryWriter>(sink, bigEndian);
}

} // namespace purl
