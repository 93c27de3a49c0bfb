// What was found, put into words: each names the place, the value found and what was expected.
#pragma once

#include "purl/check/check.h"

namespace purl {

Finding nonFiniteFound(int frame, Index yarn, Index point, Index local, const Vec3& value,
                       Index bad);
Finding onePointFound(int frame, Index yarn, Index points);
Finding badRadiusFound(int frame, Index yarn, double radius);
Finding doubledFound(int frame, Index yarn, Index point, double u, double distance, double least);
Finding crossFound(int frame, const ClosePlace& place, double least);
Finding changedFound(int frame, int before, const char* what, Index value, Index expected);
Finding brokenFound(int frame, Index yarn, double u, Index point, double ratio, double most);
Finding lengthFound(Index yarn, const YarnLength& length, double tolerance);
Finding encounterFound(int frame, int before, const FineLayout& layout, const Encounter& e,
                       const PassSettings& settings);

} // namespace purl
