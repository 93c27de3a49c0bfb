#include "cli/commands.h"

namespace purl::cli {

int exitCode(Error::Kind kind) {
    switch (kind) {
    case Error::Kind::Input:
        return BadInput;
    case Error::Kind::Diverged:
        return Broken;
    case Error::Kind::Memory:
        return NoMemory;
    case Error::Kind::Disk:
        return DiskFull;
    }
    return BadInput;
}

} // namespace purl::cli
