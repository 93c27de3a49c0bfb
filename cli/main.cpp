// The `purl` command: yarn simulation on Houdini's files without Houdini.
#include "cli/commands.h"
#include "cli/signals.h"
#include "cli/suggest.h"
#include "purl/base/error.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <new>

using namespace purl;

namespace {

int complain(const char* what, int code) {
    std::fprintf(stderr, "purl: %s\n", what);
    return code;
}

int run(int argc, char** argv) {
    CLI::App app{"Purl simulates cloth yarn by yarn: it makes knits and weaves, drops them, hangs "
                 "them, pulls them,\nand writes Houdini geometry.\n"};
    app.name("purl");
    app.footer("A first try:\n"
               "  purl pattern stockinette --wales 12 --courses 12 --lie --centre 0,0.1,0 --out "
               "patch.bgeo.sc\n"
               "  purl sim --yarns patch.bgeo.sc --collider sphere:0,0,0,0.05 --out "
               "'out/f.$F4.bgeo.sc' --frames 1-120 --fps 240\n"
               "  purl check 'out/f.$F4.bgeo.sc'\n"
               "  purl preview 'out/f.$F4.bgeo.sc' --sheet 4 --out sheet.png\n\n"
               "purl COMMAND --help tells more. All lengths are in metres.\n"
               "Exit codes: 0 done, 2 usage, 3 bad input, 4 diverged or yarn through yarn,\n"
               "            5 would not fit in memory, 6 disk, 75 stopped with a good checkpoint,\n"
               "            130 interrupted. docs/farm.md tells more.");
    app.set_version_flag("--version", "purl " PURL_VERSION);
    app.require_subcommand(1);
    int code = cli::Ok;
    cli::addPattern(app, code);
    cli::addFabric(app, code);
    cli::addFit(app, code);
    cli::addSuggest(app, code);
    cli::addSim(app, code);
    cli::addWedge(app, code);
    cli::addRelax(app, code);
    cli::addCheck(app, code);
    cli::addPreview(app, code);
    cli::addInfo(app, code);
    cli::addConvert(app, code);
    cli::addCollider(app, code);
    cli::addBenchAcl(app, code);
    cli::addBenchCloth(app, code);
    cli::addBenchCrossings(app, code);
    cli::addBenchMixed(app, code);
    cli::addBenchSteps(app, code);
    cli::addBenchWeave(app, code);
    if (argc < 2) {
        std::cout << app.help();
        return cli::Usage;
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        if (e.get_exit_code() == 0) return app.exit(e); // --help and --version
        std::string command;
        for (const CLI::App* sub : app.get_subcommands()) command = " " + sub->get_name();
        std::fprintf(stderr, "purl:%s%s %s\nRun 'purl%s --help' for what can be said.\n",
                     command.c_str(), command.empty() ? "" : ":", e.what(), command.c_str());
        return cli::Usage;
    }
    return code;
}

} // namespace

int main(int argc, char** argv) {
    cli::catchInterrupt();
    try {
        return run(argc, argv);
    } catch (const Error& e) {
        return complain(e.what(), cli::exitCode(e.kind()));
    } catch (const std::bad_alloc&) {
        return complain("memory: there is not enough for this, expected a smaller scene or a "
                        "larger machine",
                        cli::NoMemory);
    } catch (const std::exception& e) {
        return complain(e.what(), cli::BadInput);
    }
}
