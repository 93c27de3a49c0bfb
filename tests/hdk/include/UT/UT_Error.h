#pragma once
enum UT_ErrorSeverity {
    UT_ERROR_NONE,
    UT_ERROR_MESSAGE,
    UT_ERROR_PROMPT,
    UT_ERROR_WARNING,
    UT_ERROR_ABORT,
    UT_ERROR_FATAL
};
class UT_SourceLocation;
