#pragma once
#include "UT/UT_Error.h"
using OP_ERROR = UT_ErrorSeverity;
