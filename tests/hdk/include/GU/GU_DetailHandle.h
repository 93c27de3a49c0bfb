#pragma once
#include "GU/GU_Detail.h"
#include <memory>
class GU_ConstDetailHandle {
public:
    GU_ConstDetailHandle() = default;
    explicit GU_ConstDetailHandle(std::shared_ptr<GU_Detail> d) : d_(std::move(d)) {}
    bool isValid() const { return d_ != nullptr; }
    const GU_Detail* gdp() const { return d_.get(); }

protected:
    std::shared_ptr<GU_Detail> d_;
};
class GU_DetailHandle : public GU_ConstDetailHandle {
public:
    using GU_ConstDetailHandle::GU_ConstDetailHandle;
    void allocateAndSet(GU_Detail* d) { d_.reset(d); }
    GU_Detail* gdpNC() const { return d_.get(); }
};
