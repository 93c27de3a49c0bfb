// Times the three contacts on one motion: ACL drives it; the other two are evaluated at positions
// that the motion went through, in the same run, by the same threads.
#pragma once

#include "cli/bench_driver.h"

namespace purl::cli {

struct BenchOptions {
    std::string scene;     // see benchScene
    long loops = 0;        // 0: as the scene has it
    double tau = 0.04;     // tolerance of ACL
    double friction = 0.3; // between yarns, with ACL
    double seconds = 0.5;  // simulated, from first impact on
    int threads = 0;       // 0: all
    bool full = false;     // three real runs instead of one with samples
    bool threadsCompare = false;
    bool quiet = false;
    int cycle = 192; // steps from one replay of samples to the next
    int window = 32; // consecutive steps of a cycle at which (ii) is timed
    int apart = 8;   // steps between the positions at which lists and models are kept up, else
    int judged = 24; // steps from one sample of (i), and of the force error, to the next
};

struct BenchResult {
    std::string scene, processor, time;
    long loops = 0, yarns = 0, points = 0, segments = 0;
    double tau = 0, dt = 0, seconds = 0; // s
    int threads = 0;
    bool full = false, threadsCompared = false;
    StepTally all;                             // of ACL, from first impact on
    StepTally moving, settled;                 // the same by how fast the cloth was
    StepTally oneThread, manyThreads;          // cycles side by side
    double fallSeconds = 0;                    // simulated, before first impact
    double hierarchySeconds = 0;               // (i), a step
    double exactSeconds = 0;                   // (ii), a step, with its share of making lists
    double exactLists = 0;                     // that share
    double otherHierarchy = 0, otherExact = 0; // s a step beside contact, in real runs of (i), (ii)
    long hierarchyCalls = 0, exactCalls = 0;
    double exactRebuildsPerStep = 0;
    double nearPairs = 0, touchingPairs = 0;      // of segments, as (i) finds them
    double forceError = 0, forceErrorWorst = 0;   // |f - f_exact| / |f_exact|, rms and largest
    double bandwidthRead = 0, bandwidthTriad = 0; // bytes/s
    double bytesPerSet = 0;
    double peakMemory = 0, peakMemoryAcl = 0; // bytes: in all, and before (i) and (ii) were made
    std::uint64_t hash = 0;
    bool interrupted = false;

    double bandwidth() const { return std::max(bandwidthRead, bandwidthTriad); }
    double streamed() const { return all.evaluate > 0 ? all.bytesStreamed / all.evaluate : 0; }
    double acl() const { return all.perStep(all.contact); } // s a step
    double other() const { return all.perStep(all.other()); }
    double overall(double contact, double rest) const { return contact + (full ? rest : other()); }
};

// A cloth slower than this (root mean square, m/s) counts as settled.
constexpr double kSettledSpeed = 0.02;

BenchResult runBench(const BenchOptions&);

} // namespace purl::cli
