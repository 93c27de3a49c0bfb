// Where bytes go: a file, memory, or through the SCF container into another sink.
#pragma once

#include "purl/base/error.h"
#include "purl/io/atomic_file.h"

namespace purl {

class ByteSink {
public:
    virtual ~ByteSink() = default;
    virtual void write(const void* data, std::size_t size) = 0;
};

class MemorySink : public ByteSink {
public:
    explicit MemorySink(std::vector<std::uint8_t>& to) : to_(to) {}
    void write(const void* data, std::size_t size) override {
        const std::uint8_t* p = static_cast<const std::uint8_t*>(data);
        to_.insert(to_.end(), p, p + size);
    }

private:
    std::vector<std::uint8_t>& to_;
};

class FileSink : public ByteSink {
public:
    explicit FileSink(AtomicFile& to) : to_(to) {}
    void write(const void* data, std::size_t size) override { to_.write(data, size); }

private:
    AtomicFile& to_;
};

// Blosc LZ4 chunks of 1 MiB with byte shuffle, as Houdini writes them (houdini.md A.6).
class ScfSink : public ByteSink {
public:
    explicit ScfSink(ByteSink& out);
    void write(const void* data, std::size_t size) override;
    void finish(); // the last chunk and the index

private:
    static constexpr std::size_t block = 1u << 20;
    static constexpr int blocksAtOnce = 4;
    void flush();

    ByteSink& out_;
    std::vector<std::uint8_t> buffer_, packed_;
    std::size_t used_ = 0, lastSize_ = 0;
    std::vector<std::uint64_t> ends_;
};

} // namespace purl
