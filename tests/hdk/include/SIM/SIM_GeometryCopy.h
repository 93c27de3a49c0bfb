#pragma once
#include "GU/GU_DetailHandle.h"
#include "SIM/SIM_Data.h"
class UT_DMatrix4 {
public:
    UT_DMatrix4() : m{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}} {}
    fpreal64 operator()(unsigned row, unsigned column) const { return m[row][column]; }
    fpreal64 m[4][4]; // not of the HDK
};
class SIM_Geometry : public SIM_Data {
public:
    using SIM_Data::SIM_Data;
    GU_ConstDetailHandle getGeometry() const { return handle; }
    void getTransform(UT_DMatrix4& x) const { x = xform; }
    GU_DetailHandle handle; // not of the HDK, as what follows
    UT_DMatrix4 xform;
};
class SIM_GeometryCopy : public SIM_Geometry {
public:
    using SIM_Geometry::SIM_Geometry;
    GU_DetailHandle lockGeometry() { return handle; }
    void releaseGeometry() {}
};
class SIM_GeometryAutoWriteLock {
public:
    explicit SIM_GeometryAutoWriteLock(SIM_GeometryCopy* g) : g_(g) {}
    GU_Detail& getGdp() const { return *g_->handle.gdpNC(); }

private:
    SIM_GeometryCopy* g_;
};
