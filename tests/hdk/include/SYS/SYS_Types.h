#pragma once
#include <cstdint>
using exint = std::int64_t;
using int64 = std::int64_t;
using int32 = std::int32_t;
using fpreal = double;
using fpreal64 = double;
using fpreal32 = float;
