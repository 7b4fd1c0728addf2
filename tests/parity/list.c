/* The nouns whose kernels are compared and measured: those that have a file here. */
#include "parity.h"

#define PARITY(noun) extern const ParityKernel parity_##noun[];
#include "parity_list.h"
#undef PARITY
#define PARITY(noun) parity_##noun,

const ParityKernel *const parity_nouns[] = {
#include "parity_list.h"
    NULL,
};
