// Layout: magic, then records, then a tail of length and hash. A record is a value (kind, size of
// an element, count, bytes) or the beginning or end of a section. The hash runs over blocks of a
// fixed size, so that it does not depend on how the pieces came.
#include "purl/base/snapshot.h"

#include "purl/base/error.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace purl {

namespace {

constexpr char kMagic[8] = {'P', 'U', 'R', 'L', 'S', 'N', '0', '1'};
constexpr char kTailMagic[8] = {'P', 'U', 'R', 'L', 'E', 'N', 'D', '\n'};
constexpr std::size_t kBlock = 1u << 18; // bytes a piece of the hash

enum Kind : std::uint32_t { Value = 0x4c415656, Open = 0x4e45504f, Close = 0x534f4c43 };

struct Head {
    std::uint32_t kind, elementSize;
    std::uint64_t count;
};

struct Tail {
    std::uint64_t size, hash; // of everything before the tail
    char magic[8];
};

} // namespace

SnapshotWriter::SnapshotWriter() : SnapshotWriter(Sink()) {
    sink_ = [this](const void* data, std::size_t size) {
        const char* p = static_cast<const char*>(data);
        memory_.insert(memory_.end(), p, p + size);
    };
}

SnapshotWriter::SnapshotWriter(Sink sink) : sink_(std::move(sink)) {
    block_.reserve(kBlock);
    raw(kMagic, sizeof kMagic);
}

void SnapshotWriter::raw(const void* data, std::size_t size) {
    const char* p = static_cast<const char*>(data);
    size_ += size;
    while (size > 0) {
        const std::size_t n = std::min(size, kBlock - block_.size());
        block_.insert(block_.end(), p, p + n);
        p += n;
        size -= n;
        if (block_.size() == kBlock) flush();
    }
}

void SnapshotWriter::flush() {
    hash_.bytes(block_.data(), block_.size());
    sink_(block_.data(), block_.size());
    block_.clear();
}

void SnapshotWriter::head(std::uint64_t count, std::uint32_t elementSize) {
    const Head h{Value, elementSize, count};
    raw(&h, sizeof h);
}

void SnapshotWriter::begin(const std::string& section, std::uint32_t version) {
    const Head h{Open, version, section.size()};
    raw(&h, sizeof h);
    raw(section.data(), section.size());
    open_.push_back(section);
}

void SnapshotWriter::end() {
    const Head h{Close, 0, 0};
    raw(&h, sizeof h);
    open_.pop_back();
}

void SnapshotWriter::finish() {
    if (finished_ || !open_.empty())
        throw Error("snapshot", open_.empty() ? std::string("was finished twice")
                                              : "section '" + open_.back() + "' was not ended");
    if (!block_.empty()) flush();
    Tail tail{size_, hash_.value(), {}};
    std::memcpy(tail.magic, kTailMagic, sizeof kTailMagic);
    sink_(&tail, sizeof tail);
    size_ += sizeof tail;
    finished_ = true;
}

SnapshotReader::SnapshotReader(std::vector<char> bytes, std::string name)
    : bytes_(std::move(bytes)), name_(std::move(name)) {
    const std::string found = std::to_string(bytes_.size()) + " bytes";
    if (bytes_.size() < sizeof kMagic || std::memcmp(bytes_.data(), kMagic, sizeof kMagic) != 0)
        throw Error(name_, "is no snapshot of this version of purl (" + found +
                               "), expected one that begins with PURLSN01");
    Tail tail{};
    const bool room = bytes_.size() >= sizeof kMagic + sizeof tail;
    if (room) std::memcpy(&tail, bytes_.data() + bytes_.size() - sizeof tail, sizeof tail);
    if (!room || std::memcmp(tail.magic, kTailMagic, sizeof kTailMagic) != 0 ||
        tail.size != bytes_.size() - sizeof tail)
        throw Error(name_, "is cut off after " + found + ", expected a whole snapshot");
    Hash h;
    for (std::size_t at = 0; at < tail.size; at += kBlock)
        h.bytes(bytes_.data() + at, std::min<std::size_t>(kBlock, tail.size - at));
    if (h.value() != tail.hash)
        throw Error(name_, "is damaged: its bytes have the hash " + hexHash(h.value()) +
                               ", expected " + hexHash(tail.hash));
    at_ = sizeof kMagic;
    end_ = tail.size;
}

SnapshotReader SnapshotReader::fromFile(const std::string& path) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                               &std::fclose);
    if (!file) throw Error(path, std::string("cannot be read: ") + std::strerror(errno));
    std::vector<char> bytes;
    std::size_t n = 0;
    do {
        const std::size_t old = bytes.size(), piece = std::max<std::size_t>(kBlock, old / 2);
        bytes.resize(old + piece);
        n = std::fread(bytes.data() + old, 1, piece, file.get());
        bytes.resize(old + n);
    } while (n > 0);
    if (std::ferror(file.get()))
        throw Error(path, std::string("cannot be read: ") + std::strerror(errno ? errno : EIO));
    return SnapshotReader(std::move(bytes), path);
}

void SnapshotReader::fail(const std::string& what) const {
    std::string place;
    for (const std::string& s : open_) place += (place.empty() ? "" : "/") + s;
    throw Error(name_ + ": " + (place.empty() ? "start" : place) + ", byte " + std::to_string(at_),
                what);
}

void SnapshotReader::raw(void* data, std::size_t size) {
    if (size > end_ - at_) fail("ends inside a value, expected " + std::to_string(size) + " bytes");
    if (size > 0) std::memcpy(data, bytes_.data() + at_, size);
    at_ += size;
}

std::size_t SnapshotReader::head(std::uint32_t elementSize, long count) {
    Head h{};
    raw(&h, sizeof h);
    if (h.kind != Value) fail("a section begins or ends here, expected a value");
    if (h.elementSize != elementSize)
        fail("a value of " + std::to_string(h.elementSize) + " bytes was found, expected one of " +
             std::to_string(elementSize));
    if (count >= 0 && h.count != static_cast<std::uint64_t>(count))
        fail(std::to_string(h.count) + " values were found, expected " + std::to_string(count));
    if (elementSize > 0 && h.count > (end_ - at_) / elementSize)
        fail(std::to_string(h.count) + " values were found, expected no more than the file holds");
    return h.count;
}

void SnapshotReader::checkCount(std::uint64_t n) const {
    if (n > (end_ - at_) / sizeof(Head))
        fail(std::to_string(n) + " lists were found, expected no more than the file holds");
}

void SnapshotReader::wrongCount(const char* what, std::size_t found, std::size_t expected) const {
    fail(std::to_string(found) + " " + what + " were found, expected " + std::to_string(expected) +
         " as in the scene");
}

std::uint32_t SnapshotReader::begin(const std::string& section, std::uint32_t newest) {
    Head h{};
    raw(&h, sizeof h);
    if (h.kind != Open || h.count > end_ - at_)
        fail("a value was found, expected the section '" + section + "'");
    std::string name(h.count, ' ');
    raw(name.data(), name.size());
    if (name != section) fail("the section '" + name + "' was found, expected '" + section + "'");
    if (h.elementSize > newest)
        fail("the section '" + name + "' has version " + std::to_string(h.elementSize) +
             ", expected at most " + std::to_string(newest) + ": it was written by a newer purl");
    open_.push_back(section);
    return h.elementSize;
}

void SnapshotReader::end() {
    Head h{};
    raw(&h, sizeof h);
    if (h.kind != Close) fail("something more was found, expected the end of the section");
    open_.pop_back();
}

} // namespace purl
