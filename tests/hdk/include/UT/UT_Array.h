#pragma once
#include "SYS/SYS_Types.h"
#include <vector>
template <class T>
class UT_Array {
public:
    exint size() const { return static_cast<exint>(items_.size()); }
    exint entries() const { return size(); }
    const T& operator()(exint i) const { return items_[i]; }
    T& operator()(exint i) { return items_[i]; }
    const T& operator[](exint i) const { return items_[i]; }
    exint append(const T& t) {
        items_.push_back(t);
        return size() - 1;
    }

private:
    std::vector<T> items_;
};
