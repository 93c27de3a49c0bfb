// Signals that ask for an end after the present step instead of killing the process.
#pragma once

namespace purl::cli {

// Ctrl-C, for every command. Asked twice, it is at once.
void catchInterrupt();
// SIGTERM and SIGUSR1 as well, for commands that keep their state: a farm's preemption sends
// SIGTERM, more than once, and after a grace time SIGKILL.
void catchStop();

bool interruptAsked(); // by any of them
bool stopAsked();      // by SIGTERM or SIGUSR1
const char* askedBy(); // the signal's name; "" if none came

} // namespace purl::cli
