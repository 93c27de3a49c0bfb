// Adds the time it lives to a sum.
#pragma once

#include <chrono>

namespace purl {

class Timed {
public:
    explicit Timed(std::chrono::duration<double>& sum)
        : sum_(sum), start_(std::chrono::steady_clock::now()) {}
    ~Timed() { sum_ += std::chrono::steady_clock::now() - start_; }
    Timed(const Timed&) = delete;
    Timed& operator=(const Timed&) = delete;

private:
    std::chrono::duration<double>& sum_;
    std::chrono::steady_clock::time_point start_;
};

} // namespace purl
