// Ctrl-C: asks for an end after the present step instead of killing the process.
#pragma once

namespace purl::cli {

void catchInterrupt();
bool interruptAsked();

} // namespace purl::cli
