// Lines of a text file and the words and numbers in them, with the byte where each line began.
#pragma once

#include "purl/io/byte_source.h"

#include <string_view>

namespace purl {

class LineReader {
public:
    LineReader(ByteStream& bytes, Budget& budget) : bytes_(bytes), budget_(budget) {}

    bool next();                          // to the next line; false at the end
    std::string_view word();              // the next word of the line; empty: there is none
    bool real(double& v);                 // the next word as a number; false: there is none
    double needReal();                    // or throws
    std::int64_t needInteger();           // or throws
    bool ended() const { return ended_; } // the present line ended with a line break
    std::uint64_t offset() const { return at_; }
    [[noreturn]] void fail(const std::string& what) const { bytes_.failAt(at_, what); }

private:
    double parse(std::string_view) const;

    ByteStream& bytes_;
    Budget& budget_;
    std::string line_;
    std::size_t place_ = 0, charged_ = 0;
    std::uint64_t at_ = 0;
    bool ended_ = true;
};

} // namespace purl
