#pragma once

#include_next <errno.h>

#define EDQUOT ENOSPC
