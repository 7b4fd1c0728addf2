/* Hides tell(), since other code uses this name. */
#pragma once

#define tell windows_tell
#include_next <io.h>
#undef tell
