#include "cli/bench_scene.h"

#include "cli/collider_spec.h"
#include "cli/flags.h"
#include "cli/run.h"
#include "purl/base/error.h"
#include "purl/host/yarns_from_detail.h"

#include <algorithm>
#include <cmath>

namespace purl::cli {

namespace {

SceneFile common(Index wales, Index courses) {
    SceneFile f;
    f.pattern.emplace();
    f.pattern->settings.name = "stockinette";
    f.pattern->settings.wales = wales;
    f.pattern->settings.courses = courses;
    f.pattern->settings.radius = 1.25e-3;
    f.pattern->lie = true;
    f.yarns.material = "wool";
    return f;
}

SceneFile scarf() {
    SceneFile f = common(54, 60);
    f.pattern->centre = Vec3(0, 0.05, 0);
    f.colliders = {parseCollider("plane:0,1,0,0", "scarf")};
    return f;
}

SceneFile afghan() {
    SceneFile f = common(190, 286);
    f.pattern->centre = Vec3(0, 0.45, 0);
    f.colliders = {parseCollider("sphere:0,0,0,0.4", "afghan"),
                   parseCollider("plane:0,1,0,-0.4", "afghan")};
    return f;
}

// Loops in the proportions of the scene, exactly so many if a near proportion allows it.
void resize(SceneFile& f, long loops) {
    PatternSettings& s = f.pattern->settings;
    const double ratio = static_cast<double>(s.wales) / s.courses;
    const Index middle = std::max<Index>(2, std::lround(std::sqrt(loops * ratio)));
    Index wales = middle;
    for (Index off = 0; off <= middle / 4; ++off) {
        const Index narrow = middle - off, wide = middle + off;
        if (loops % narrow == 0 || loops % wide == 0) {
            wales = loops % narrow == 0 ? narrow : wide;
            break;
        }
    }
    const double scale = std::sqrt(static_cast<double>(loops) / (1.0 * s.wales * s.courses));
    s.wales = wales;
    s.courses = std::max<Index>(2, std::lround(static_cast<double>(loops) / wales));
    // What it falls on keeps its proportion; the height above it stays.
    double rise = 0;
    for (ColliderEntry& c : f.colliders) {
        if (c.kind == ColliderEntry::Kind::Sphere) rise = (scale - 1) * (c.a.y() + c.size);
        c.a *= c.kind == ColliderEntry::Kind::Plane ? 1 : scale;
        c.b *= scale;
        c.size *= scale;
    }
    f.pattern->centre.y() += rise;
}

} // namespace

BenchScene benchScene(const std::string& name, long loops) {
    BenchScene b;
    b.name = !name.empty() ? name : loops > 10000 ? "afghan" : "scarf";
    if (b.name == "scarf")
        b.file = scarf();
    else if (b.name == "afghan")
        b.file = afghan();
    else if (endsIn(b.name, ".json"))
        b.file = loadScene(b.name);
    else
        throw Error("--scene", "'" + name + "' was found, expected scarf, afghan or a .json file");
    if (!b.file.pattern)
        throw Error(b.name, "has no /pattern, expected one: loops are what is counted");
    if (loops > 0 &&
        loops != 1L * b.file.pattern->settings.wales * b.file.pattern->settings.courses) {
        if (loops < 16 || loops > 2000000)
            throw Error("--loops", std::to_string(loops) + ", expected 16 to 2000000");
        resize(b.file, loops);
    }
    b.wales = b.file.pattern->settings.wales;
    b.courses = b.file.pattern->settings.courses;
    std::vector<std::string> warnings;
    std::string made;
    const Detail detail = loadYarns(b.file, made, warnings);
    b.scene = sceneOf(detail, made, b.file, warnings).scene;
    b.scene.settings = settingsOf(b.file);
    validate(b.scene, made);
    ColliderSizes sizes;
    sizes.yarnRadius = b.scene.yarns.radius[0];
    for (const ColliderEntry& entry : b.file.colliders) {
        LiveCollider live(entry, 1, sizes);
        b.scene.colliders.push_back(live.collider());
        b.scene.collision.push_back(live.settings(b.scene.settings.collision));
    }
    return b;
}

} // namespace purl::cli
