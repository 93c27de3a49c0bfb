#pragma once
#include "SYS/SYS_Types.h"
template <class T>
class UT_Vector3T {
public:
    UT_Vector3T() : v_{} {}
    UT_Vector3T(T x, T y, T z) : v_{x, y, z} {}
    T x() const { return v_[0]; }
    T y() const { return v_[1]; }
    T z() const { return v_[2]; }
    T operator()(unsigned i) const { return v_[i]; }
    T& operator()(unsigned i) { return v_[i]; }
    UT_Vector3T& operator+=(const UT_Vector3T& o) {
        for (int i = 0; i < 3; ++i) v_[i] += o.v_[i];
        return *this;
    }

private:
    T v_[3];
};
using UT_Vector3 = UT_Vector3T<fpreal32>;
using UT_Vector3D = UT_Vector3T<fpreal64>;
