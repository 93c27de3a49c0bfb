// The scenes that integrators are compared on: `purl bench steps`.
#pragma once

#include "purl/scene/scene.h"

#include <functional>
#include <string>

namespace purl::cli {

struct StepsScene {
    std::string name, about;
    Scene scene;
    double seconds = 0; // simulated
    // Where the pins are at a time (s since the start): one position a node. Empty: they stay.
    std::function<void(double t, std::vector<Vec3>& targets)> drive;
    bool lively = false; // its kinetic energy is worth comparing
};

// scarf (`loops` of stockinette fall flat on a plane), drape (the same on a ball), ball (a dense
// patch of an eighth of them drapes over a ball), impact (the patch hits the ball at 3 m/s), pull
// (it is pulled at 0.3 m/s to 1.5 of its length), yank (at 1.5 m/s to 1.6). Throws Error for
// another name.
StepsScene stepsScene(const std::string& name, long loops);
const std::vector<std::string>& stepsScenes();

// The peers' plain weave (docs/steps.md): `pitches` crossings along each of as many warps and
// wefts, pitch 2 mm, r 0.4 mm, amplitude 1.3 r, two segments a pitch, ends pinned, E 1e6 Pa,
// 1300 kg/m3, friction 0.3, gravity.
Scene weaveScene(Index pitches);

} // namespace purl::cli
