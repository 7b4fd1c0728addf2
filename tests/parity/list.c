/* Lists the kernel families that are compared and measured. Each has a file in this folder. */
#include "parity.h"

#define PARITY(noun) extern const ParityKernel parity_##noun[];
#include "parity_list.h"
#undef PARITY
#define PARITY(noun) parity_##noun,

const ParityKernel *const parity_nouns[] = {
#include "parity_list.h"
    NULL,
};
