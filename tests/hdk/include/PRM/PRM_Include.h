#pragma once
#include "PRM/PRM_Template.h"
