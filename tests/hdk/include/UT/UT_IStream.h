#pragma once
#include "SYS/SYS_Types.h"
#include <istream>
class UT_IStream {
public:
    explicit UT_IStream(std::istream& in) : in_(in) {}
    exint bread(char* buffer, exint count) {
        in_.read(buffer, count);
        return static_cast<exint>(in_.gcount());
    }

private:
    std::istream& in_;
};
