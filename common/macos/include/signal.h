#pragma once

#include_next <signal.h>

#define SIGRTMAX SIGINFO /* macOS has no real-time signals */
