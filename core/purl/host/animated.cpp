#include "purl/host/animated.h"

#include "purl/base/hash.h"

namespace purl {

bool sameAnimated(const SceneFile& a, const SceneFile& b) {
    bool same = true;
    forAnimated(a, b, [&](const auto& x, const auto& y) { same = same && x == y; });
    return same;
}

void copyAnimated(const SceneFile& from, SceneFile& to) {
    forAnimated(from, to, [](const auto& x, auto& y) { y = x; });
}

std::uint64_t animatedDigest(const SceneFile& scene) {
    Hash h;
    forAnimated(scene, scene, [&](const auto& x, const auto&) { h.add(static_cast<double>(x)); });
    return h.value();
}

} // namespace purl
