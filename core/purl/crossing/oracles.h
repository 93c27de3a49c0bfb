// Woven fabric against what can be worked out by hand (physics 9, rows 20 to 23): the solver's
// answers beside the closed forms. What the tests demand and `purl bench crossings --oracles`
// plots.
#pragma once

#include <string>
#include <vector>

namespace purl {

struct OraclePoint {
    double at, found, byHand;
};

struct Oracle {
    std::string name, across, up; // of a plot: title and axes
    std::vector<OraclePoint> points;
};

// Row 20. Shear (degrees) and the pull along the frame's diagonal (mN): a square of crossings that
// are all taken along by the frame's hinged sides, the corners of its border counted as they are.
Oracle pictureFrameOracle(const std::vector<double>& shear /*rad*/);
// Row 21. Strain (%) and force (mN) along the warps, before anything slips.
Oracle uniaxialOracle(const std::vector<double>& strains);
// Row 22. A strip cut at 45 degrees: elongation (%) and shear in its middle (degrees), against the
// trellis. Sliding is frozen, as the formula assumes; yarns bend as cotton does, as hinges would
// let the middle lag.
Oracle biasOracle(int steps /*of 1.5 %*/);
// Row 23. A warp is drawn out of a weave whose other warps stand still: way (mm) and force (mN),
// against the sum of what friction may give at its crossings.
Oracle pullOutOracle(int steps /*of a tenth of a spacing*/);

} // namespace purl
