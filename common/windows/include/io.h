/* Without tell(), a name that is wanted elsewhere. */
#pragma once

#define tell windows_tell
#include_next <io.h>
#undef tell
