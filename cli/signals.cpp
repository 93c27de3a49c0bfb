#include "cli/signals.h"

#include <csignal>
#include <ctime>

namespace purl::cli {

namespace {
volatile std::sig_atomic_t asked = 0; // the first signal that came

timespec firstAsked;

double since(const timespec& start) { // s; safe in a handler
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec - start.tv_sec) +
           1e-9 * static_cast<double>(now.tv_nsec - start.tv_nsec);
}

void onInterrupt(int signal) {
    // Asked twice: at once. Wrappers such as timeout(1) signal a process and then its group: what
    // comes within a third of a second is one and the same.
    if (asked == SIGINT && since(firstAsked) > 0.3) {
        std::signal(signal, SIG_DFL);
        std::raise(signal);
    }
    if (asked != SIGINT) clock_gettime(CLOCK_MONOTONIC, &firstAsked);
    asked = signal;
}

void onStop(int signal) {
    if (!asked) asked = signal; // more of them change nothing: the checkpoint is under way
}
} // namespace

void catchInterrupt() {
    std::signal(SIGINT, onInterrupt);
    std::signal(SIGPIPE, SIG_IGN); // a reader of our output that ends early is no crash
    std::signal(SIGXFSZ, SIG_IGN); // a limit on the size of files is an error of write()
}

void catchStop() {
    std::signal(SIGTERM, onStop);
    std::signal(SIGUSR1, onStop);
}

bool interruptAsked() { return asked != 0; }
bool stopAsked() { return asked == SIGTERM || asked == SIGUSR1; }

const char* askedBy() {
    return asked == SIGINT ? "SIGINT" : asked == SIGTERM ? "SIGTERM" : asked ? "SIGUSR1" : "";
}

} // namespace purl::cli
