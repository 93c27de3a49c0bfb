// Where bytes come from: a file or memory, and through gzip or an SCF container. A source hands out
// pieces; ByteStream joins them for a parser. Nothing here trusts a length it has read.
#pragma once

#include "purl/base/types.h"

#include <memory>
#include <string>

namespace purl {

// What a reader may allocate in all: 64 times the file and 64 MB. Every array asks here first.
class Budget {
public:
    explicit Budget(std::uint64_t fileSize) : limit_(64 * fileSize + (64u << 20)) {}
    bool take(std::uint64_t bytes) {
        if (bytes > limit_ - used_) return false;
        used_ += bytes;
        return true;
    }
    void giveBack(std::uint64_t bytes) { used_ -= bytes; }
    std::uint64_t limit() const { return limit_; }

private:
    std::uint64_t limit_, used_ = 0;
};

// Random access to the bytes of the file itself.
class RawInput {
public:
    virtual ~RawInput() = default;
    virtual std::uint64_t size() const = 0;
    virtual void read(std::uint64_t offset, void* to, std::size_t n) = 0; // all n, or throws
    const std::string& name() const { return name_; }
    [[noreturn]] void fail(std::uint64_t offset, const std::string& what) const;

protected:
    explicit RawInput(std::string name) : name_(std::move(name)) {}

private:
    std::string name_;
};
std::unique_ptr<RawInput> openFile(const std::string& path);
std::unique_ptr<RawInput> openMemory(Span<const std::uint8_t> bytes, const std::string& name);

// A piece is valid until the next call and has `headroom` writable bytes before it.
class ByteSource {
public:
    static constexpr std::size_t headroom = 64;
    virtual ~ByteSource() = default;
    virtual Span<std::uint8_t> next() = 0;         // empty: the end
    virtual bool decoded() const { return false; } // offsets are into decoded data, not the file
};
std::unique_ptr<ByteSource> plainSource(RawInput&);
std::unique_ptr<ByteSource> gzipSource(RawInput&, Budget&);
std::unique_ptr<ByteSource> scfSource(RawInput&, Budget&); // io/scf.cpp
// The above by the first bytes of the input.
std::unique_ptr<ByteSource> sniffSource(RawInput&, Budget&);

class ByteStream {
public:
    // More decoded bytes than `limit` are an error: a small file must not take hours to read.
    ByteStream(std::unique_ptr<ByteSource> source, std::string name,
               std::uint64_t limit = ~std::uint64_t{0})
        : source_(std::move(source)), name_(std::move(name)), limit_(limit) {}

    // At least n (<= headroom) bytes at data(); false when the stream ends before that.
    bool ensure(std::size_t n) { return available() >= n || refill(n); }
    const std::uint8_t* data() const { return p_; }
    std::size_t available() const { return static_cast<std::size_t>(end_ - p_); }
    void advance(std::size_t n) { p_ += n; }
    void copy(void* to, std::size_t n); // or throws
    void skip(std::uint64_t n);         // or throws
    template <class T>
    T take() { // a little-endian number; we run on little-endian machines only
        T v;
        copy(&v, sizeof v);
        return v;
    }
    // Appends n numbers to v, which grows with what is really there.
    template <class T>
    void append(std::vector<T>& v, std::uint64_t n) {
        constexpr std::uint64_t step = (1u << 20) / sizeof(T);
        for (std::uint64_t left = n; left > 0;) {
            const std::size_t part = static_cast<std::size_t>(left < step ? left : step);
            const std::size_t from = v.size();
            v.resize(from + part);
            copy(v.data() + from, part * sizeof(T));
            left -= part;
        }
    }
    // Asks `budget` for n bytes, or throws.
    void charge(Budget& budget, std::uint64_t n) const;
    std::uint64_t offset() const { return passed_ - available(); }
    const std::string& name() const { return name_; }
    [[noreturn]] void fail(const std::string& what) const { failAt(offset(), what); }
    [[noreturn]] void failAt(std::uint64_t offset, const std::string& what) const;
    [[noreturn]] void failEnd() const;

private:
    bool refill(std::size_t n);

    std::unique_ptr<ByteSource> source_;
    std::string name_;
    const std::uint8_t* p_ = nullptr;
    const std::uint8_t* end_ = nullptr;
    std::uint64_t passed_ = 0; // bytes taken from the source
    std::uint64_t limit_;
};

} // namespace purl
