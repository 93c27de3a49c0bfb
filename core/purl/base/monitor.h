// How the core talks to its host while it works: warnings out, progress out, interruption in.
#pragma once

#include <string>

namespace purl {

class Monitor {
public:
    virtual ~Monitor() = default;
    virtual void warning(const std::string&) {}
    virtual void progress(double /*fraction of the present piece of work, 0..1*/) {}
    virtual bool interrupted() { return false; }
};

} // namespace purl
