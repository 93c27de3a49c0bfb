// The SCF container of .bgeo.sc (houdini.md A.6): "scf1", metadata, Blosc-1 chunks one after the
// other, an index, "1fcs". One chunk is decoded at a time: its data is still in the cache when it
// is parsed, and the whole is never held.
#include "purl/base/parallel.h"
#include "purl/io/byte_sink.h"
#include "purl/io/byte_source.h"

#include <algorithm>
#include <blosc.h>
#include <cstring>

namespace purl {

namespace {

constexpr std::size_t bloscHeader = 16;

std::uint64_t bigEndian64(const std::uint8_t* p) {
    std::uint64_t v = 0;
    for (int i = 0; i < 8; ++i) v = v << 8 | p[i];
    return v;
}
std::uint32_t littleEndian32(const std::uint8_t* p) {
    return p[0] | p[1] << 8 | p[2] << 16 | static_cast<std::uint32_t>(p[3]) << 24;
}

class ScfSource : public ByteSource {
public:
    ScfSource(RawInput& in, Budget& budget) : in_(in), budget_(budget) {
        if (in.size() < 12 + 28)
            in.fail(in.size(), "the file is cut short: no room for an SCF index");
        std::uint8_t head[12], tail[12];
        in.read(0, head, 12);
        const std::uint64_t end = in.size();
        in.read(end - 12, tail, 12);
        if (std::memcmp(tail + 8, "1fcs", 4) != 0)
            in.fail(end - 4, "the file is cut short: the SCF end mark \"1fcs\" is missing");
        const std::uint64_t metadata = bigEndian64(head + 4), index = bigEndian64(tail);
        if (index < 16 || index % 8 != 0 || index > end - 24)
            in.fail(end - 12, "SCF index of " + std::to_string(index) + " bytes");
        if (metadata > end - 24 - index)
            in.fail(4, "SCF metadata of " + std::to_string(metadata) + " bytes");
        at_ = 12 + metadata;
        last_ = end - 12 - index;
        chunks_ = index / 8 - 1;
        std::uint8_t sizes[16];
        in.read(end - 28, sizes, 16);
        block_ = bigEndian64(sizes);
        lastBlock_ = bigEndian64(sizes + 8);
        if (block_ == 0 || block_ > BLOSC_MAX_BUFFERSIZE || lastBlock_ > block_)
            in.fail(end - 28, "SCF block sizes " + std::to_string(block_) + " and " +
                                  std::to_string(lastBlock_));
    }
    bool decoded() const override { return true; }

    Span<std::uint8_t> next() override {
        if (done_ == chunks_) {
            if (at_ != last_) in_.fail(at_, "bytes between the last SCF chunk and the index");
            return {buffer_.data() + std::min(headroom, buffer_.size()), 0};
        }
        std::size_t packedSize = 0, size = 0;
        readHeader(packedSize, size);
        grow(packed_, packedSize);
        grow(buffer_, headroom + size);
        in_.read(at_, packed_.data(), packedSize);
        if (!decode(packedSize, size)) in_.fail(at_, "Blosc cannot decode this chunk");
        at_ += packedSize;
        ++done_;
        return {buffer_.data() + headroom, size};
    }

private:
    void readHeader(std::size_t& packedSize, std::size_t& size) {
        std::uint8_t head[bloscHeader];
        if (last_ - at_ < bloscHeader) in_.fail(at_, "no room for a Blosc chunk");
        in_.read(at_, head, bloscHeader);
        packedSize = littleEndian32(head + 12);
        size = littleEndian32(head + 4);
        if (packedSize < bloscHeader || packedSize > last_ - at_)
            in_.fail(at_, "Blosc chunk of " + std::to_string(packedSize) + " bytes, " +
                              std::to_string(last_ - at_) + " are left");
        const std::uint64_t expected = done_ + 1 == chunks_ ? lastBlock_ : block_;
        if (size != expected)
            in_.fail(at_, "Blosc chunk of " + std::to_string(size) + " decoded bytes, expected " +
                              std::to_string(expected));
    }
    bool decode(std::size_t packedSize, std::size_t size) {
        std::size_t valid = 0;
        if (blosc_cbuffer_validate(packed_.data(), packedSize, &valid) != 0 || valid != size)
            return false;
        return size == 0 || blosc_decompress_ctx(packed_.data(), buffer_.data() + headroom, size,
                                                 1) == static_cast<int>(size);
    }
    void grow(std::vector<std::uint8_t>& v, std::size_t n) {
        if (n <= v.size()) return;
        if (!budget_.take(n - v.size()))
            in_.fail(at_, "decoding this needs more than " + std::to_string(budget_.limit()) +
                              " bytes of memory");
        v = std::vector<std::uint8_t>(n);
    }

    RawInput& in_;
    Budget& budget_;
    std::vector<std::uint8_t> packed_, buffer_;
    std::uint64_t at_ = 0, last_ = 0, chunks_ = 0, done_ = 0, block_ = 0, lastBlock_ = 0;
};

} // namespace

std::unique_ptr<ByteSource> scfSource(RawInput& in, Budget& budget) {
    return std::make_unique<ScfSource>(in, budget);
}

ScfSink::ScfSink(ByteSink& out) : out_(out), buffer_(block * blocksAtOnce) {
    const std::uint8_t head[12] = {'s', 'c', 'f', '1'};
    out_.write(head, sizeof head);
}

void ScfSink::write(const void* data, std::size_t size) {
    const std::uint8_t* p = static_cast<const std::uint8_t*>(data);
    while (size > 0) {
        const std::size_t part = std::min(size, buffer_.size() - used_);
        std::memcpy(buffer_.data() + used_, p, part);
        used_ += part;
        p += part;
        size -= part;
        if (used_ == buffer_.size()) flush();
    }
}

void ScfSink::flush() {
    const Index n = static_cast<Index>((used_ + block - 1) / block);
    packed_.resize(blocksAtOnce * (block + bloscHeader));
    int packedSize[blocksAtOnce] = {};
    parallelFor(n, 1, [&](Index a, Index b) {
        for (Index i = a; i < b; ++i) {
            const std::size_t size = std::min(block, used_ - i * block);
            packedSize[i] = blosc_compress_ctx(
                5, BLOSC_SHUFFLE, 4, size, buffer_.data() + i * block,
                packed_.data() + i * (block + bloscHeader), size + bloscHeader, "lz4", size, 1);
        }
    });
    for (Index i = 0; i < n; ++i) {
        if (packedSize[i] <= 0) throw Error("Blosc", "cannot compress a block");
        out_.write(packed_.data() + i * (block + bloscHeader), packedSize[i]);
        ends_.push_back((ends_.empty() ? 0 : ends_.back()) + packedSize[i]);
        lastSize_ = std::min(block, used_ - i * block);
    }
    used_ = 0;
}

void ScfSink::finish() {
    if (used_ > 0) flush();
    std::vector<std::uint8_t> index;
    const auto put = [&](std::uint64_t v) {
        for (int shift = 56; shift >= 0; shift -= 8) index.push_back(v >> shift & 0xff);
    };
    for (std::size_t i = 0; i + 1 < ends_.size(); ++i) put(ends_[i]);
    put(block);
    put(lastSize_);
    put(index.size());
    for (char c : {'1', 'f', 'c', 's'}) index.push_back(static_cast<std::uint8_t>(c));
    out_.write(index.data(), index.size());
}

} // namespace purl
