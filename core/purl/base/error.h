// What the core throws while reading, validating and building. A host turns it into a message and
// an exit code; the core itself never prints and never exits.
#pragma once

#include <stdexcept>
#include <string>

namespace purl {

class Error : public std::runtime_error {
public:
    enum class Kind {
        Input,    // a file, scene or value that cannot be used (exit 3)
        Diverged, // the simulation broke: non-finite, or yarn through yarn (exit 4)
        Memory,   // would not fit (exit 5)
        Disk      // could not write (exit 6)
    };
    // where: the file, key or node the fault is in, with the place inside it ("in.geo: point 12").
    // what: the value found and what was expected ("pscale is 0, expected a radius > 0 m").
    Error(std::string where, const std::string& what, Kind kind = Kind::Input)
        : std::runtime_error(where.empty() ? what : where + ": " + what), where_(std::move(where)),
          kind_(kind) {}
    const std::string& where() const { return where_; }
    Kind kind() const { return kind_; }

private:
    std::string where_;
    Kind kind_;
};

} // namespace purl
