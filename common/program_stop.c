#include "program_stop.h"

const FvCancel *program_stop;
