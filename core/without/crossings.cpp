// What stands in for the fabric and mixed modes in a build with -DPURL_CROSSINGS=OFF.
#include "purl/base/error.h"
#include "purl/host/fabric_attribute.h"
#include "purl/host/fabric_from_detail.h"
#include "purl/host/mode.h"

namespace purl {

namespace {
[[noreturn]] void refuse(const std::string& name) {
    throw Error(name, "this purl was built without fabrics of crossings (-DPURL_CROSSINGS=OFF), "
                      "expected yarns or cloth");
}
} // namespace

Detail loadPatch(const FabricEntry& wanted, std::string&, std::vector<std::string>&) {
    refuse(wanted.file.empty() ? "fabric" : wanted.file);
}

bool hasFabricEntry(const Detail&) { return false; }

std::unique_ptr<SolverMode> makeFabricMode(Detail&, const std::string& name, const SceneFile&,
                                           std::vector<std::string>&) {
    refuse(name);
}

std::unique_ptr<SolverMode> makeMixedMode(Detail&, const std::string& name, const SceneFile&,
                                          std::vector<std::string>&) {
    refuse(name);
}

} // namespace purl
