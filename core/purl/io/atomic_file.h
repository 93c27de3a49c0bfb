// A file that appears whole or not at all: written under a temporary name in the same folder,
// synced, renamed. A failure removes the temporary and throws Error of kind Disk; what was at the
// path before stays as it was.
#pragma once

#include "purl/base/types.h"

#include <string>

namespace purl {

class AtomicFile {
public:
    explicit AtomicFile(const std::string& path);
    ~AtomicFile(); // without commit: removes the temporary
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    void write(const void* data, std::size_t size);
    void commit();
    const std::string& path() const { return path_; }

private:
    [[noreturn]] void fail(const std::string& doing, int error);

    std::string path_, temporary_;
    int file_ = -1;
    std::uint64_t written_ = 0,
                  started_ = 0; // bytes given to the system; of them, sent to the disk
};

// The same in one call.
void writeFileAtomically(const std::string& path, const void* data, std::size_t size);

} // namespace purl
