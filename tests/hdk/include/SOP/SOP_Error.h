#pragma once
enum SOP_ErrorCodes { SOP_MESSAGE = 0 };
