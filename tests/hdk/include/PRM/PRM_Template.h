#pragma once
#include <string>
#include <vector>
class PRM_Template {
public:
    // Not of the HDK: what the DialogScript said.
    struct Parm {
        std::string name, type;
        std::vector<std::string> defaults;
    };
    std::vector<Parm> parms;
};
