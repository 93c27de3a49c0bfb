// Where Houdini enters: the one file with the version stamp, and the list of nodes.
#include "plugin/nodes.h"

#include <OP/OP_OperatorTable.h>
#include <SYS/SYS_Visibility.h>
#include <UT/UT_DSOVersion.h>

extern "C" SYS_VISIBILITY_EXPORT void newSopOperator(OP_OperatorTable* table) {
    table->addOperator(purl::houdini::patternOperator());
    table->addOperator(purl::houdini::fabricOperator());
    table->addOperator(purl::houdini::configureOperator());
    table->addOperator(purl::houdini::solverOperator());
    table->addOperator(purl::houdini::colliderOperator());
    table->addOperator(purl::houdini::checkOperator());
    table->addOperator(purl::houdini::yarnOperator());
}
