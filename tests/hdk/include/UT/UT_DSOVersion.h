#pragma once
inline const char* HoudiniDSOVersion() { return "double"; }
