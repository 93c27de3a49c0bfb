#pragma once
#include "SIM/SIM_DataUtils.h"
#include "SIM/SIM_GeometryCopy.h"
class SIM_Object;
class SIM_Time {
public:
    SIM_Time(fpreal t = 0) : t_(t) {}
    operator fpreal() const { return t_; }

private:
    fpreal t_;
};
class SIM_ObjectArray : public UT_Array<SIM_Object*> {};
class SIM_ConstObjectArray : public UT_Array<const SIM_Object*> {};
class SIM_Force : public SIM_Data {
public:
    using SIM_Data::SIM_Data;
    virtual void getForce(const SIM_Object& object, const UT_Vector3& position,
                          const UT_Vector3& velocity, const UT_Vector3& angvel, fpreal mass,
                          UT_Vector3& force, UT_Vector3& torque) const = 0;
};
class SIM_ConstDataArray : public UT_Array<const SIM_Data*> {};
class SIM_DataFilterByType {
public:
    explicit SIM_DataFilterByType(const char* t) : type(t) {}
    std::string type; // not of the HDK
};
class SIM_DataFilterNone {};
constexpr const char* SIM_FORCES_DATANAME = "Forces";
constexpr const char* SIM_SOLVER_DATANAME = "Solver";
constexpr const char* SIM_GEOMETRY_DATANAME = "Geometry";
class SIM_Object : public SIM_Data {
public:
    SIM_Object() : SIM_Data(nullptr) {}
    const SIM_Geometry* getGeometry() const;
    const SIM_Data* getConstNamedSubData(const char* name) const;
    SIM_Data* getNamedSubData(const char* name);
    void getConstAffectors(SIM_ConstObjectArray& out, const char* relationship) const;
    void filterConstSubData(SIM_ConstDataArray& out, const char* path,
                            const SIM_DataFilterByType& filter, const char* below,
                            const SIM_DataFilterNone& none) const;
    // Not of the HDK.
    std::vector<const SIM_Object*> affectors;
    std::vector<std::shared_ptr<SIM_Force>> forces;
};
