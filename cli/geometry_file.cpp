#include "cli/geometry_file.h"

#include "purl/base/error.h"
#include "purl/io/geo.h"
#include "purl/io/vdb.h"

#include <cerrno>
#include <functional>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace purl::cli {

namespace {

constexpr unsigned kMostSeconds = 600; // of processor time; a whole film frame takes a few

// The child: reads, frees everything again (the heap finds out then that it was damaged), ends.
[[noreturn]] void tryInChild(const std::function<void()>& read) {
    ::close(STDERR_FILENO); // the heap's last words say nothing to our user
    rlimit none{0, 0}, time{kMostSeconds, kMostSeconds};
    ::setrlimit(RLIMIT_CORE, &none);
    ::setrlimit(RLIMIT_CPU, &time);
    try {
        read();
    } catch (...) { // told when it is read in earnest
    }
    ::_exit(0);
}

void guard(const std::string& path, const std::function<void()>& read) {
    const pid_t child = ::fork();
    if (child == 0) tryInChild(read);
    if (child < 0) return; // no process to be had: read it unguarded
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFSIGNALED(status))
        throw Error(path, "is damaged: OpenVDB cannot read it alive (signal " +
                              std::to_string(WTERMSIG(status)) +
                              "), expected a whole .vdb file or VDB primitive");
}

} // namespace

void guardVdbFile(const std::string& path) {
    guard(path, [&] { tryVdbFile(path); });
}

void guardEmbeddedVdbs(const Detail& d, const std::string& path) {
    if (embeddedVdbs(d).empty()) return;
    guard(path, [&] { joinEmbeddedVdbs(d, path); });
}

Detail readGeometry(const std::string& path, std::vector<std::string>& warnings) {
    if (isVdbFile(path)) guardVdbFile(path);
    return readDetail(path, warnings);
}

} // namespace purl::cli
