#pragma once
#include "OP/OP_Operator.h"
#include <map>
class OP_OperatorTable {
public:
    bool addOperator(OP_Operator* op) {
        operators[op->name].reset(op);
        return true;
    }
    std::map<std::string, std::unique_ptr<OP_Operator>> operators; // not of the HDK
};
