// One function a command: adds it to the app, with its help. What a command does runs when the app
// has parsed its flags; the number it leaves in `exit` is the exit code.
#pragma once

#include "purl/base/error.h"

namespace CLI {
class App;
}

namespace purl::cli {

// The documented exit codes (docs/cli.md).
enum Exit {
    Ok = 0,
    Usage = 2,
    BadInput = 3,
    Broken = 4,
    NoMemory = 5,
    DiskFull = 6,
    Stopped = 75, // by SIGTERM or SIGUSR1, with a good checkpoint: EX_TEMPFAIL, "try again"
    Interrupted = 130
};

int exitCode(Error::Kind kind);

void addSim(CLI::App& app, int& exit);
void addPattern(CLI::App& app, int& exit);
void addFabric(CLI::App& app, int& exit);
void addFit(CLI::App& app, int& exit);
void addCollider(CLI::App& app, int& exit);
void addRelax(CLI::App& app, int& exit);
void addInfo(CLI::App& app, int& exit);
void addCheck(CLI::App& app, int& exit);
void addPreview(CLI::App& app, int& exit);
void addWedge(CLI::App& app, int& exit);
void addConvert(CLI::App& app, int& exit);
CLI::App* benchGroup(CLI::App& app); // `bench`, made if need be
void addBenchSteps(CLI::App& app, int& exit);
void addBenchWeave(CLI::App& app, int& exit);
void addBenchAcl(CLI::App& app, int& exit);       // under `bench`, which it makes if need be
void addBenchCloth(CLI::App& app, int& exit);     // under `bench`, which it makes if need be
void addBenchCrossings(CLI::App& app, int& exit); // likewise; nothing without the module
void addBenchMixed(CLI::App& app, int& exit);     // likewise

} // namespace purl::cli
