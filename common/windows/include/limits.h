#pragma once

#include_next <limits.h>

#define PIPE_BUF 4096
