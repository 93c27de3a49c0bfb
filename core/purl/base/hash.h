// A running 64-bit hash of plain data: equal for equal states, to the last bit.
#pragma once

#include "purl/base/types.h"

#include <string>

namespace purl {

class Hash {
public:
    void bytes(const void* data, std::size_t size);
    template <class T>
    void add(const std::vector<T>& v) {
        bytes(v.data(), v.size() * sizeof(T));
    }
    template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
    void add(T value) {
        bytes(&value, sizeof value);
    }
    std::uint64_t value() const { return state_; }

private:
    std::uint64_t state_ = 0;
};

std::string hexHash(std::uint64_t);

} // namespace purl
