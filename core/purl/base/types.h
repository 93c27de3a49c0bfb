// The words every file uses: vectors, indices, spans of flat arrays.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace purl {

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using Index = std::int32_t;

// A view of a contiguous array, not owning (std::span is C++20).
template <class T>
class Span {
public:
    Span() = default;
    Span(T* data, std::size_t size) : data_(data), size_(size) {}
    template <class V, class = std::enable_if_t<
                           !std::is_same_v<std::decay_t<V>, Span> &&
                           std::is_convertible_v<decltype(std::declval<V&>().data()), T*>>>
    Span(V&& v) : data_(v.data()), size_(v.size()) {} // NOLINT: implicit on purpose
    T* data() const { return data_; }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    T& operator[](std::size_t i) const { return data_[i]; }
    T* begin() const { return data_; }
    T* end() const { return data_ + size_; }
    Span sub(std::size_t first, std::size_t count) const { return {data_ + first, count}; }

private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

} // namespace purl
