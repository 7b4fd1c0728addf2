/* Memory of a GPU, lent to a source whose frames its decoders make. */
#ifndef FV_INPUT_LOAN_H
#define FV_INPUT_LOAN_H

#include "input/source.h"

typedef struct FvGpuLoan FvGpuLoan;

/* Opens the device by its name and fills what the source needs to know: frames are copied to ordinary memory. */
FvStatus fv_gpu_loan_open(FvGpuLoan **loan, const char *device, FvSourceChip *chip, FvError *error);

/* After all frames have been released. */
void fv_gpu_loan_close(FvGpuLoan **loan);

#endif
