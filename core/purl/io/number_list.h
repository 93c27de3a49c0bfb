// A list of numbers as the files spell it: a plain array, a uniform array of any type, text.
#pragma once

#include "purl/io/json_reader.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace purl {

class NumberList {
public:
    // The present token of `in` must begin a list.
    explicit NumberList(JsonReader& in) : in_(in), uniform_(in.token() == Token::Uniform) {
        if (!uniform_ && in.token() != Token::BeginArray) in.fail("expected a list of numbers");
    }

    // Whether there is another number; the present token is then the number itself (or Uniform).
    bool more() {
        if (uniform_) return in_.uniformLeft() > 0;
        if (!ahead_) {
            in_.next();
            ahead_ = true;
        }
        return in_.token() != Token::EndArray;
    }

    template <class T>
    void read(T* to, std::size_t n) {
        if (uniform_) return readUniform(to, n);
        for (std::size_t i = 0; i < n; ++i) to[i] = one<T>();
    }
    template <class T>
    T one() {
        if (!more()) in_.fail("the list of numbers is too short");
        T value;
        if (uniform_) {
            readUniform(&value, 1);
            return value;
        }
        ahead_ = false;
        if (in_.token() == Token::Real) return convert<T>(in_.real());
        if (!in_.isNumber()) in_.fail("expected a number");
        return convert<T>(in_.integer());
    }
    void finish() {
        if (more()) in_.fail("the list of numbers is too long");
    }

private:
    template <class T, class From>
    T convert(From v) const {
        if constexpr (std::is_same_v<T, From>) {
            return v;
        } else if constexpr (!std::is_integral_v<T>) {
            return static_cast<T>(v);
        } else if constexpr (std::is_integral_v<From>) {
            const auto wide = static_cast<std::int64_t>(v);
            if (wide < static_cast<std::int64_t>(std::numeric_limits<T>::min()) ||
                wide > static_cast<std::int64_t>(std::numeric_limits<T>::max()))
                in_.fail("integer " + std::to_string(wide) + " is out of range");
            return static_cast<T>(wide);
        } else {
            const double d = static_cast<double>(v);
            if (!(std::abs(d) < 9e15) || d != std::floor(d))
                in_.fail("expected an integer, found " + std::to_string(d));
            return convert<T>(static_cast<std::int64_t>(d));
        }
    }
    template <class T>
    void readUniform(T* to, std::size_t n) {
        switch (in_.uniformType()) {
        case NumberType::Bool:
        case NumberType::UInt8:
            return readAs<std::uint8_t>(to, n);
        case NumberType::Int8:
            return readAs<std::int8_t>(to, n);
        case NumberType::Int16:
            return readAs<std::int16_t>(to, n);
        case NumberType::Int32:
            return readAs<std::int32_t>(to, n);
        case NumberType::Int64:
            return readAs<std::int64_t>(to, n);
        case NumberType::UInt16:
            return readAs<std::uint16_t>(to, n);
        case NumberType::Real16:
            return readAs<Eigen::half>(to, n);
        case NumberType::Real32:
            return readAs<float>(to, n);
        case NumberType::Real64:
            return readAs<double>(to, n);
        }
    }
    template <class From, class T>
    void readAs(T* to, std::size_t n) {
        if (n > in_.uniformLeft()) in_.fail("the list of numbers is too short");
        if constexpr (std::is_same_v<From, T>) {
            in_.uniform(to, n);
        } else {
            From block[256];
            for (std::size_t i = 0; i < n; i += 256) {
                const std::size_t part = std::min<std::size_t>(256, n - i);
                in_.uniform(block, part);
                for (std::size_t k = 0; k < part; ++k) to[i + k] = convert<T>(block[k]);
            }
        }
    }

    JsonReader& in_;
    bool uniform_;
    bool ahead_ = false;
};

// The next value of `in` as a list of numbers, charged to the memory budget.
template <class T>
std::vector<T> readNumbers(JsonReader& in) {
    in.next();
    NumberList list(in);
    std::vector<T> out;
    while (list.more()) {
        if (out.size() == out.capacity())
            in.charge(std::max<std::size_t>(64, out.capacity()) * sizeof(T));
        out.push_back(list.one<T>());
    }
    return out;
}

} // namespace purl
