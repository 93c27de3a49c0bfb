// The binary spelling (houdini.md A.1), in both byte orders.
#include "purl/io/json_reader.h"

#include <cstring>
#include <unordered_map>

namespace purl {

namespace {

template <class T>
void swapBytes(T* p, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
        std::uint8_t b[sizeof(T)];
        std::memcpy(b, p + i, sizeof(T));
        for (std::size_t k = 0; k < sizeof(T) / 2; ++k) std::swap(b[k], b[sizeof(T) - 1 - k]);
        std::memcpy(p + i, b, sizeof(T));
    }
}

class BinaryReader : public JsonReader {
public:
    BinaryReader(ByteStream& bytes, Budget& budget) : JsonReader(bytes, budget) {
        if (!bytes.ensure(5)) bytes.failEnd();
        if (std::memcmp(bytes.data(), "\x7fNSJb", 5) == 0)
            swap_ = false;
        else if (std::memcmp(bytes.data(),
                             "\x7f"
                             "bJSN",
                             5) == 0)
            swap_ = true;
        else
            bytes.failAt(1, "bad magic number of binary JSON");
        bytes.advance(5);
    }

protected:
    Token scan() override {
        if (inStrings_) {
            if (stringsLeft_ == 0) {
                inStrings_ = false;
                return Token::EndArray;
            }
            --stringsLeft_;
            string(text_);
            return Token::String;
        }
        while (true) {
            if (!bytes_.ensure(1)) return Token::End;
            at_ = bytes_.offset();
            const std::uint8_t id = *bytes_.data();
            bytes_.advance(1);
            switch (id) {
            case 0x00:
                return Token::Null;
            case 0x10:
                integer_ = take<std::uint8_t>() != 0;
                return Token::Bool;
            case 0x11:
                integer_ = take<std::int8_t>();
                return Token::Int;
            case 0x12:
                integer_ = take<std::int16_t>();
                return Token::Int;
            case 0x13:
                integer_ = take<std::int32_t>();
                return Token::Int;
            case 0x14:
                integer_ = take<std::int64_t>();
                return Token::Int;
            case 0x21:
                integer_ = take<std::uint8_t>();
                return Token::Int;
            case 0x22:
                integer_ = take<std::uint16_t>();
                return Token::Int;
            case 0x18:
                real_ =
                    static_cast<float>(Eigen::numext::bit_cast<Eigen::half>(take<std::uint16_t>()));
                return Token::Real;
            case 0x19:
                real_ = take<float>();
                return Token::Real;
            case 0x1a:
                real_ = take<double>();
                return Token::Real;
            case 0x27:
                string(text_);
                return Token::String;
            case 0x26:
                reference();
                return Token::String;
            case 0x2b:
                define();
                break;
            case 0x2d:
                undefine();
                break;
            case 0x30:
                integer_ = 0;
                return Token::Bool;
            case 0x31:
                integer_ = 1;
                return Token::Bool;
            case 0x2c:
            case 0x3a:
                break; // optional separators
            case 0x40:
                return uniformArray();
            case 0x5b:
                return Token::BeginArray;
            case 0x5d:
                return Token::EndArray;
            case 0x7b:
                return Token::BeginMap;
            case 0x7d:
                return Token::EndMap;
            default:
                fail("unknown token " + std::to_string(id));
            }
        }
    }

    void uniformData(void* to, std::size_t n) override {
        if (uniformType_ == NumberType::Bool) return bits(static_cast<std::uint8_t*>(to), n);
        const std::size_t size = bytesOf(uniformType_);
        bytes_.copy(to, n * size);
        if (!swap_ || size == 1) return;
        if (size == 2) swapBytes(static_cast<std::uint16_t*>(to), n);
        if (size == 4) swapBytes(static_cast<std::uint32_t*>(to), n);
        if (size == 8) swapBytes(static_cast<std::uint64_t*>(to), n);
    }
    void skipUniformData(std::uint64_t n) override {
        if (uniformType_ != NumberType::Bool) return bytes_.skip(n * bytesOf(uniformType_));
        std::uint8_t sink[256];
        for (std::uint64_t left = n; left > 0; left -= std::min<std::uint64_t>(left, 256))
            bits(sink, static_cast<std::size_t>(std::min<std::uint64_t>(left, 256)));
    }

private:
    template <class T>
    T take() {
        if (!bytes_.ensure(sizeof(T))) bytes_.failEnd();
        T v;
        std::memcpy(&v, bytes_.data(), sizeof v);
        bytes_.advance(sizeof v);
        if (swap_) swapBytes(&v, 1);
        return v;
    }
    std::uint64_t length() {
        const std::uint8_t n = take<std::uint8_t>();
        if (n < 0xf1) return n;
        if (n == 0xf2) return take<std::uint16_t>();
        if (n == 0xf4) return take<std::uint32_t>();
        if (n != 0xf8) bytes_.fail("bad length code " + std::to_string(n));
        const std::int64_t v = take<std::int64_t>();
        if (v < 0) bytes_.fail("negative length");
        return static_cast<std::uint64_t>(v);
    }
    // Grows with the bytes that are really there, never by the length alone.
    void string(std::string& to) {
        std::uint64_t n = length();
        to.clear();
        while (n > 0) {
            if (!bytes_.ensure(1)) bytes_.failEnd();
            const std::size_t part =
                static_cast<std::size_t>(std::min<std::uint64_t>(n, bytes_.available()));
            if (to.size() + part > to.capacity()) chargeText(to.size() + part);
            to.append(reinterpret_cast<const char*>(bytes_.data()), part);
            bytes_.advance(part);
            n -= part;
        }
    }
    void chargeText(std::size_t n) {
        if (n < (1u << 20)) return;
        charge(n);
    }
    void define() {
        const std::uint64_t id = length();
        std::string s;
        string(s);
        charge(64 + s.size());
        shared_[id] = std::move(s);
    }
    void undefine() { shared_.erase(length()); }
    void reference() {
        const std::uint64_t id = length();
        const auto it = shared_.find(id);
        if (it == shared_.end()) fail("string number " + std::to_string(id) + " was not defined");
        text_ = it->second;
    }
    Token uniformArray() {
        const std::uint8_t type = take<std::uint8_t>();
        const std::uint64_t n = length();
        if (type == 0x27) {
            inStrings_ = true;
            stringsLeft_ = n;
            return Token::BeginArray;
        }
        switch (type) {
        case 0x10:
            uniformType_ = NumberType::Bool;
            break;
        case 0x11:
            uniformType_ = NumberType::Int8;
            break;
        case 0x12:
            uniformType_ = NumberType::Int16;
            break;
        case 0x13:
            uniformType_ = NumberType::Int32;
            break;
        case 0x14:
            uniformType_ = NumberType::Int64;
            break;
        case 0x18:
            uniformType_ = NumberType::Real16;
            break;
        case 0x19:
            uniformType_ = NumberType::Real32;
            break;
        case 0x1a:
            uniformType_ = NumberType::Real64;
            break;
        case 0x21:
            uniformType_ = NumberType::UInt8;
            break;
        case 0x22:
            uniformType_ = NumberType::UInt16;
            break;
        default:
            fail("uniform array of unknown type " + std::to_string(type));
        }
        if (n > (std::uint64_t{1} << 60)) fail("uniform array of " + std::to_string(n));
        uniformLeft_ = n;
        bitsLeft_ = 0;
        return Token::Uniform;
    }
    // Bools are the bits of 32-bit words, the lowest first.
    void bits(std::uint8_t* to, std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) {
            if (bitsLeft_ == 0) {
                word_ = take<std::uint32_t>();
                bitsLeft_ = 32;
            }
            to[i] = word_ & 1;
            word_ >>= 1;
            --bitsLeft_;
        }
    }

    bool swap_ = false;
    std::unordered_map<std::uint64_t, std::string> shared_;
    bool inStrings_ = false;
    std::uint64_t stringsLeft_ = 0;
    std::uint32_t word_ = 0;
    int bitsLeft_ = 0;
};

} // namespace

std::unique_ptr<JsonReader> binaryJson(ByteStream& bytes, Budget& budget) {
    return std::make_unique<BinaryReader>(bytes, budget);
}

} // namespace purl
