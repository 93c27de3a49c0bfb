// The SOPs of the plugin, each ready for Houdini's table.
#pragma once

class OP_Operator;
class OP_OperatorTable;

namespace purl::houdini {

OP_Operator* patternOperator();
OP_Operator* fabricOperator();
OP_Operator* configureOperator();
OP_Operator* solverOperator();
OP_Operator* colliderOperator();
OP_Operator* checkOperator();
OP_Operator* yarnOperator();

const char* solverDialog(); // the solver's DialogScript, of which the DOPs take a part

} // namespace purl::houdini

extern "C" void newSopOperator(OP_OperatorTable* table);
