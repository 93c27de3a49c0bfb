#include "purl/io/atomic_file.h"

#include "purl/base/error.h"

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace purl {

namespace {

std::string folderOf(const std::string& path) {
    const std::size_t slash = path.find_last_of('/');
    if (slash == std::string::npos) return ".";
    return slash == 0 ? "/" : path.substr(0, slash);
}

// The rename itself reaches the disk only when the folder is synced; a file system that cannot do
// that (some network mounts) is not an error.
void syncFolder(const std::string& folder) {
    const int f = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (f < 0) return;
    (void)::fsync(f);
    ::close(f);
}

} // namespace

AtomicFile::AtomicFile(const std::string& path) : path_(path) {
    static std::atomic<unsigned> serial{0};
    struct stat there {};
    if (path.empty()) fail("write", ENOENT);
    if (::stat(path.c_str(), &there) == 0) {
        if (S_ISDIR(there.st_mode)) fail("write", EISDIR);
        if (!S_ISREG(there.st_mode)) fail("replace a device or pipe", EINVAL);
    }
    temporary_ = path + ".tmp" + std::to_string(::getpid()) + "_" + std::to_string(serial++);
    file_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file_ < 0) {
        const int error = errno;
        temporary_.clear();
        fail("create a file in that folder", error);
    }
}

AtomicFile::~AtomicFile() {
    if (file_ >= 0) ::close(file_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::fail(const std::string& doing, int error) {
    if (file_ >= 0) ::close(file_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
    file_ = -1;
    temporary_.clear();
    throw Error(path_, "cannot " + doing + ": " + std::strerror(error), Error::Kind::Disk);
}

void AtomicFile::write(const void* data, std::size_t size) {
    if (file_ < 0) fail("write", EBADF);
    const char* p = static_cast<const char*>(data);
    while (size > 0) {
        const ssize_t n = ::write(file_, p, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) fail("write", n < 0 ? errno : ENOSPC);
        p += n;
        size -= static_cast<std::size_t>(n);
        written_ += static_cast<std::uint64_t>(n);
    }
    // Lets the disk begin while we still compress, so that the sync at the end has little left.
    constexpr std::uint64_t step = 8u << 20;
    if (written_ - started_ >= step) {
        (void)::sync_file_range(file_, static_cast<off_t>(started_),
                                static_cast<off_t>(written_ - started_), SYNC_FILE_RANGE_WRITE);
        started_ = written_;
    }
}

void AtomicFile::commit() {
    if (file_ < 0) fail("write", EBADF);
    if (::fsync(file_) != 0 && errno != EINVAL) fail("sync", errno);
    const int closed = ::close(file_);
    file_ = -1;
    if (closed != 0) fail("close", errno);
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail("rename onto it", errno);
    temporary_.clear();
    syncFolder(folderOf(path_));
}

void writeFileAtomically(const std::string& path, const void* data, std::size_t size) {
    AtomicFile file(path);
    file.write(data, size);
    file.commit();
}

} // namespace purl
