#pragma once
#include "UT/UT_Error.h"
#include <string>
#include <utility>
#include <vector>
class UT_ErrorManager {
public:
    // Not of the HDK: what tests read.
    std::vector<std::pair<UT_ErrorSeverity, std::string>> said;
    UT_ErrorSeverity add(UT_ErrorSeverity severity, const char* text) {
        said.emplace_back(severity, text ? text : "");
        return severity;
    }
};
