// What stands in for the fabric commands in a build with -DPURL_CROSSINGS=OFF: nothing is offered,
// and a scene that asks for a fabric is refused.
#include "cli/commands.h"
#include "cli/suggest.h"
#include "cli/mode.h"
#include "purl/base/error.h"

namespace purl::cli {

void addFabric(CLI::App&, int&) {}
void addFit(CLI::App&, int&) {}
void addSuggest(CLI::App&, int&) {}
void addBenchCrossings(CLI::App&, int&) {}
void addBenchMixed(CLI::App&, int&) {}

std::unique_ptr<Mode> makeFabricMode(const SceneFile&, int, std::vector<std::string>&) {
    throw Error("fabric", "this purl was built without fabrics of crossings "
                          "(-DPURL_CROSSINGS=OFF), expected yarns or cloth");
}

} // namespace purl::cli
