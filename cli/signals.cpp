#include "cli/signals.h"

#include <csignal>

namespace purl::cli {

namespace {
volatile std::sig_atomic_t asked = 0; // the first signal that came

void onInterrupt(int signal) {
    if (asked == SIGINT) { // asked twice: at once
        std::signal(signal, SIG_DFL);
        std::raise(signal);
    }
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
