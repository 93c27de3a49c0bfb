#include "cli/signals.h"

#include <csignal>

namespace purl::cli {

namespace {
volatile std::sig_atomic_t asked = 0;

void onSignal(int signal) {
    if (asked) { // asked twice: at once
        std::signal(signal, SIG_DFL);
        std::raise(signal);
    }
    asked = 1;
}
} // namespace

void catchInterrupt() {
    std::signal(SIGINT, onSignal);
    std::signal(SIGPIPE, SIG_IGN); // a reader of our output that ends early is no crash
    std::signal(SIGXFSZ, SIG_IGN); // a limit on the size of files is an error of write()
}

bool interruptAsked() { return asked != 0; }

} // namespace purl::cli
