// Where Houdini's DOPs enter.
#include "plugin/GAS_PurlSolver.h"
#include "plugin/SIM_PurlSolver.h"
#include "plugin/SIM_PurlState.h"

#include <SYS/SYS_Visibility.h>

extern "C" SYS_VISIBILITY_EXPORT void initializeSIM(void*);

extern "C" SYS_VISIBILITY_EXPORT void initializeSIM(void*) {
    IMPLEMENT_DATAFACTORY(SIM_PurlState);
    IMPLEMENT_DATAFACTORY(SIM_PurlSolver);
    IMPLEMENT_DATAFACTORY(GAS_PurlSolver);
}
