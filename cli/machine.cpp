#include "cli/machine.h"

#include "cli/wedge.h"

#include "purl/base/parallel.h"
#include "purl/base/simd.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

namespace purl::cli {

namespace {

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

constexpr Index kPiece = 1 << 16; // doubles a task: half a megabyte

// Four sums at once: one would wait for each addition.
double sumOf(const double* p, Index n) {
    Pack4 s[4] = {0.0, 0.0, 0.0, 0.0};
    for (Index i = 0; i < n; i += 16)
        for (int k = 0; k < 4; ++k) s[k] += loadPack(p + i + 4 * k);
    const Pack4 t = (s[0] + s[1]) + (s[2] + s[3]);
    return (t[0] + t[1]) + (t[2] + t[3]);
}

std::string lineOf(const char* path, const std::string& key) {
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);)
        if (line.rfind(key, 0) == 0) return line.substr(line.find(':') + 1);
    return "";
}

} // namespace

Bandwidth::Bandwidth(std::size_t bytes) {
    const std::size_t n = std::max<std::size_t>(bytes / 8 / kPiece, 1) * kPiece;
    a_.assign(n, 0.0);
    b_.assign(n, 1.0);
    c_.assign(n, 2.0);
}

void Bandwidth::measure() {
    const Index pieces = static_cast<Index>(a_.size() / kPiece);
    const double bytes = 8.0 * static_cast<double>(a_.size());
    double t = now();
    sum_ += orderedSum(pieces, 8, [&](Index first, Index last) {
        double s = 0;
        for (Index i = first; i < last; ++i)
            s += sumOf(b_.data() + static_cast<std::size_t>(i) * kPiece, kPiece);
        return s;
    });
    read_.push_back(bytes / (now() - t));
    t = now();
    parallelFor(pieces, 8, [&](Index first, Index last) {
        const std::size_t begin = static_cast<std::size_t>(first) * kPiece;
        double* a = a_.data();
        for (std::size_t i = begin; i < static_cast<std::size_t>(last) * kPiece; i += 4)
            store(a + i, loadPack(&b_[i]) + Pack4(3.0) * loadPack(&c_[i]));
    });
    triad_.push_back(3 * bytes / (now() - t));
    sum_ += a_[a_.size() / 2];
}

double Bandwidth::middle(std::vector<double> v) {
    if (v.empty()) return 0;
    std::nth_element(v.begin(), v.begin() + v.size() / 2, v.end());
    return v[v.size() / 2];
}

double Bandwidth::best() const { return std::max(read(), triad()); }

double peakMemory() {
    const std::string kilobytes = lineOf("/proc/self/status", "VmHWM:");
    return kilobytes.empty() ? 0 : std::stod(kilobytes) * 1024;
}

std::string processor() {
    const std::string name = lineOf("/proc/cpuinfo", "model name");
    const std::size_t start = name.find_first_not_of(" \t");
    return (start == std::string::npos ? "unknown" : name.substr(start)) + " x " +
           std::to_string(std::thread::hardware_concurrency());
}

double presentMemory() {
    const std::string kilobytes = lineOf("/proc/self/status", "VmRSS:");
    return kilobytes.empty() ? 0 : std::stod(kilobytes) * 1024;
}

namespace {
double numberIn(const char* path) { // 1e300 if there is none ("max", or no such file)
    std::ifstream in(path);
    double value = 1e300;
    return in >> value ? value : 1e300;
}
} // namespace

double freeMemory() {
    const std::string kilobytes = lineOf("/proc/meminfo", "MemAvailable:");
    double free = kilobytes.empty() ? 1e300 : std::stod(kilobytes) * 1024;
    // Slurm, Docker and the like hold jobs to a cgroup, of version 2 or 1.
    const double limit2 = numberIn("/sys/fs/cgroup/memory.max");
    if (limit2 < 1e300) free = std::min(free, limit2 - numberIn("/sys/fs/cgroup/memory.current"));
    const double limit1 = numberIn("/sys/fs/cgroup/memory/memory.limit_in_bytes");
    if (limit1 < 1e18)
        free = std::min(free, limit1 - numberIn("/sys/fs/cgroup/memory/memory.usage_in_bytes"));
    rlimit most{};
    if (getrlimit(RLIMIT_AS, &most) == 0 && most.rlim_cur != RLIM_INFINITY)
        free = std::min(free, static_cast<double>(most.rlim_cur) - presentMemory());
    return std::max(0.0, free);
}

std::string commandLine() {
    std::ifstream in("/proc/self/cmdline", std::ios::binary);
    std::string out;
    for (std::string word; std::getline(in, word, '\0');)
        out += (out.empty() ? "" : " ") + shellWord(word);
    return out;
}

std::string hostName() {
    char name[256] = "unknown";
    gethostname(name, sizeof name - 1);
    return name;
}

std::string isoTimeNow() {
    const std::time_t t = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&t, &utc);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return text;
}

} // namespace purl::cli
