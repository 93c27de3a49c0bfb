#pragma once
#include "GA/GA_Attribute.h"
#include "UT/UT_Vector3.h"
template <class T>
class GA_ROHandleT {
public:
    explicit GA_ROHandleT(const GA_Attribute* a) : a_(usable(a) ? a : nullptr) {}
    bool isValid() const { return a_ != nullptr; }
    bool isInvalid() const { return !a_; }
    T get(GA_Offset o, int component = 0) const {
        return static_cast<T>(a_->numbers[a_->at(o) * a_->tuple + component]);
    }

protected:
    static bool usable(const GA_Attribute* a) {
        return a && (a->storage == GA_STORECLASS_REAL || a->storage == GA_STORECLASS_INT);
    }
    const GA_Attribute* a_;
};
template <>
inline UT_StringHolder GA_ROHandleT<UT_StringHolder>::get(GA_Offset o, int component) const {
    return a_->texts[a_->at(o) * a_->tuple + component];
}
template <>
inline bool GA_ROHandleT<UT_StringHolder>::usable(const GA_Attribute* a) {
    return a && a->storage == GA_STORECLASS_STRING;
}
template <class T>
class GA_RWHandleT : public GA_ROHandleT<T> {
public:
    explicit GA_RWHandleT(GA_Attribute* a) : GA_ROHandleT<T>(a), w_(this->a_ ? a : nullptr) {}
    void set(GA_Offset o, int component, const T& v) const {
        double stored = static_cast<double>(v);
        if (w_->storage == GA_STORECLASS_REAL) stored = static_cast<float>(stored);
        w_->numbers[w_->at(o) * w_->tuple + component] = stored;
    }
    void set(GA_Offset o, const T& v) const { set(o, 0, v); }
    void bumpDataId() const { w_->bumpDataId(); }

private:
    GA_Attribute* w_;
};
template <>
inline void GA_RWHandleT<UT_StringHolder>::set(GA_Offset o, int component,
                                               const UT_StringHolder& v) const {
    w_->texts[w_->at(o) * w_->tuple + component] = v;
}
using GA_ROHandleF = GA_ROHandleT<fpreal32>;
using GA_ROHandleI = GA_ROHandleT<int32>;
using GA_ROHandleS = GA_ROHandleT<UT_StringHolder>;
using GA_RWHandleF = GA_RWHandleT<fpreal32>;
using GA_RWHandleI = GA_RWHandleT<int32>;
using GA_RWHandleS = GA_RWHandleT<UT_StringHolder>;
