#include "purl/io/byte_source.h"

#include "purl/base/error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

namespace purl {

namespace {

constexpr std::size_t pieceSize = 256u << 10;

class FileInput : public RawInput {
public:
    explicit FileInput(const std::string& path) : RawInput(path) {
        file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        struct stat s {};
        if (file_ < 0) throw Error(path, std::string("cannot open: ") + std::strerror(errno));
        if (::fstat(file_, &s) != 0 || !S_ISREG(s.st_mode)) {
            ::close(file_);
            throw Error(path, S_ISDIR(s.st_mode) ? "is a folder, expected a geometry file"
                                                 : "is not a regular file");
        }
        size_ = static_cast<std::uint64_t>(s.st_size);
    }
    ~FileInput() override { ::close(file_); }
    std::uint64_t size() const override { return size_; }
    void read(std::uint64_t offset, void* to, std::size_t n) override {
        char* p = static_cast<char*>(to);
        while (n > 0) {
            const ssize_t got = ::pread(file_, p, n, static_cast<off_t>(offset));
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) fail(offset, std::string("cannot read: ") + std::strerror(errno));
            if (got == 0) fail(offset, "the file ends here, it was longer when opened");
            p += got;
            n -= static_cast<std::size_t>(got);
            offset += static_cast<std::uint64_t>(got);
        }
    }

private:
    int file_ = -1;
    std::uint64_t size_ = 0;
};

class MemoryInput : public RawInput {
public:
    MemoryInput(Span<const std::uint8_t> bytes, const std::string& name)
        : RawInput(name), bytes_(bytes) {}
    std::uint64_t size() const override { return bytes_.size(); }
    void read(std::uint64_t offset, void* to, std::size_t n) override {
        if (offset > bytes_.size() || n > bytes_.size() - offset)
            fail(offset, "the data ends here");
        if (n > 0) std::memcpy(to, bytes_.data() + offset, n);
    }

private:
    Span<const std::uint8_t> bytes_;
};

class PlainSource : public ByteSource {
public:
    explicit PlainSource(RawInput& in)
        : in_(in), buffer_(headroom + std::min<std::uint64_t>(pieceSize, in.size())) {}
    Span<std::uint8_t> next() override {
        const std::size_t n =
            static_cast<std::size_t>(std::min<std::uint64_t>(pieceSize, in_.size() - at_));
        in_.read(at_, buffer_.data() + headroom, n);
        at_ += n;
        return {buffer_.data() + headroom, n};
    }

private:
    RawInput& in_;
    std::vector<std::uint8_t> buffer_;
    std::uint64_t at_ = 0;
};

class GzipSource : public ByteSource {
public:
    GzipSource(RawInput& in, Budget& budget)
        : in_(in), packed_(std::min<std::uint64_t>(pieceSize, in.size())),
          buffer_(headroom + pieceSize) {
        budget.take(packed_.size() + buffer_.size());
        if (::inflateInit2(&z_, 16 + MAX_WBITS) != Z_OK) in.fail(0, "zlib does not start");
    }
    ~GzipSource() override { ::inflateEnd(&z_); }
    bool decoded() const override { return true; }
    Span<std::uint8_t> next() override {
        z_.next_out = buffer_.data() + headroom;
        z_.avail_out = static_cast<uInt>(pieceSize);
        while (z_.avail_out > 0 && !finished_) {
            if (z_.avail_in == 0) load();
            const int result = ::inflate(&z_, Z_NO_FLUSH);
            if (result == Z_STREAM_END) {
                // gzip members may follow one another; what else follows is not ours
                finished_ = at_ - z_.avail_in + 18 > in_.size();
                if (!finished_) ::inflateReset(&z_);
            } else if (result != Z_OK && result != Z_BUF_ERROR) {
                in_.fail(at_ - z_.avail_in,
                         std::string("bad gzip data: ") + (z_.msg ? z_.msg : "unknown fault"));
            }
        }
        return {buffer_.data() + headroom, pieceSize - z_.avail_out};
    }

private:
    void load() {
        const std::size_t n =
            static_cast<std::size_t>(std::min<std::uint64_t>(packed_.size(), in_.size() - at_));
        if (n == 0) in_.fail(at_, "the file is cut short: the gzip data does not end");
        in_.read(at_, packed_.data(), n);
        at_ += n;
        z_.next_in = packed_.data();
        z_.avail_in = static_cast<uInt>(n);
    }

    RawInput& in_;
    std::vector<std::uint8_t> packed_, buffer_;
    z_stream z_{};
    std::uint64_t at_ = 0;
    bool finished_ = false;
};

} // namespace

void RawInput::fail(std::uint64_t offset, const std::string& what) const {
    throw Error(name_ + ": byte " + std::to_string(offset), what);
}

std::unique_ptr<RawInput> openFile(const std::string& path) {
    return std::make_unique<FileInput>(path);
}
std::unique_ptr<RawInput> openMemory(Span<const std::uint8_t> bytes, const std::string& name) {
    return std::make_unique<MemoryInput>(bytes, name);
}
std::unique_ptr<ByteSource> plainSource(RawInput& in) { return std::make_unique<PlainSource>(in); }
std::unique_ptr<ByteSource> gzipSource(RawInput& in, Budget& budget) {
    return std::make_unique<GzipSource>(in, budget);
}

std::unique_ptr<ByteSource> sniffSource(RawInput& in, Budget& budget) {
    std::uint8_t head[4] = {};
    in.read(0, head, static_cast<std::size_t>(std::min<std::uint64_t>(4, in.size())));
    if (head[0] == 0x1f && head[1] == 0x8b) return gzipSource(in, budget);
    if (std::memcmp(head, "scf1", 4) == 0) return scfSource(in, budget);
    return plainSource(in);
}

bool ByteStream::refill(std::size_t n) {
    std::uint8_t rest[ByteSource::headroom];
    while (available() < n) {
        const std::size_t left = available(); // < n <= headroom
        if (left > 0) std::memcpy(rest, p_, left);
        const Span<std::uint8_t> piece = source_->next();
        if (piece.empty()) {
            // the old piece may be gone: its rest lives on in the headroom of the empty one
            if (piece.data() && left > 0) {
                std::memcpy(piece.data() - left, rest, left);
                p_ = piece.data() - left;
                end_ = piece.data();
            }
            return false;
        }
        if (left > 0) std::memcpy(piece.data() - left, rest, left);
        p_ = piece.data() - left;
        end_ = piece.data() + piece.size();
        passed_ += piece.size();
        if (passed_ > limit_)
            fail("more than " + std::to_string(limit_) + " decoded bytes, too many for this file");
    }
    return true;
}

void ByteStream::copy(void* to, std::size_t n) {
    char* out = static_cast<char*>(to);
    while (n > 0) {
        if (!ensure(1)) failEnd();
        const std::size_t part = std::min(n, available());
        std::memcpy(out, p_, part);
        p_ += part;
        out += part;
        n -= part;
    }
}

void ByteStream::skip(std::uint64_t n) {
    while (n > 0) {
        if (!ensure(1)) failEnd();
        const std::size_t part = static_cast<std::size_t>(std::min<std::uint64_t>(n, available()));
        p_ += part;
        n -= part;
    }
}

void ByteStream::charge(Budget& budget, std::uint64_t n) const {
    if (!budget.take(n))
        fail("what follows needs " + std::to_string(n) +
             " bytes more; with them it exceeds the "
             "limit of " +
             std::to_string(budget.limit()) + " bytes (64 x the file and 64 MB)");
}

void ByteStream::failAt(std::uint64_t offset, const std::string& what) const {
    throw Error(name_ + ": byte " + std::to_string(offset) +
                    (source_->decoded() ? " of the decoded data" : ""),
                what);
}
void ByteStream::failEnd() const {
    failAt(offset() + available(), "the file is cut short: it ends inside a value");
}

} // namespace purl
