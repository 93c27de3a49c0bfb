// What the machine itself can do, measured next to what is judged by it: memory bandwidth, memory.
#pragma once

#include "purl/base/types.h"

#include <string>

namespace purl::cli {

// Streams through arrays far larger than any cache with all threads of parallelFor, as STREAM does.
class Bandwidth {
public:
    explicit Bandwidth(std::size_t bytes = std::size_t{192} << 20); // an array; there are three
    void measure();                                                 // one pass of each kind
    double read() const { return middle(read_); }                   // bytes/s, one array summed up
    double triad() const { return middle(triad_); } // bytes/s, a = b + s c: three arrays counted
    double best() const;                            // of the two: what a kernel is held against
    double sum() const { return sum_; } // what was read: nothing may be left out as unused

private:
    static double middle(std::vector<double> v);
    std::vector<double> a_, b_, c_, read_, triad_;
    double sum_ = 0;
};

double peakMemory();      // bytes, the largest resident size of this process so far
std::string processor();  // its name
std::string isoTimeNow(); // UTC
std::string hostName();
std::string commandLine(); // of this process, as a shell would take it
double presentMemory();    // bytes, resident now
double freeMemory();       // bytes that this process may still take: of the machine and its cgroup

} // namespace purl::cli
