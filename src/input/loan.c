#include "input/loan.h"

#include "machine/devices.h"
#include "base/error.h"
#include "gpu/store.h"
#include "os/memory.h"

#define ROOM ((size_t)256 << 20) /* bytes of frames that wait to be read */
#define DECODERS 4

struct FvGpuLoan {
    FvGpu *gpu;
    FvGpuStore *store;
};

static FvStatus make(void *opaque, FvFrame **frame, const FvFormat *format, FvMemory memory, FvError *error)
{
    (void)memory;
    return fv_gpu_store_frame(((FvGpuLoan *)opaque)->store, frame, format, FV_GPU_HOST, false, error);
}

FvStatus fv_gpu_loan_open(FvGpuLoan **loan, const char *device, FvSourceChip *chip, FvError *error)
{
    FvGpuLoan *l = *loan = fv_alloc_zero(sizeof *l);
    if (!l)
        return fv_fail_memory(error, sizeof *l);
    FvStatus status = fv_devices_open_gpu(&l->gpu, device, error);
    if (!status && !(l->store = fv_gpu_store_open(l->gpu)))
        status = fv_fail_memory(error, sizeof *l);
    if (status) {
        fv_gpu_loan_close(loan);
        return status;
    }
    *chip = (FvSourceChip){
        .on_host = INT64_MAX, .room = ROOM, .decoders = DECODERS, .copies = true, .make = make, .opaque = l};
    FvDeviceHandles handles = {0};
    l->gpu->ops->handles(l->gpu, &handles);
    chip->context = handles.cuda_context;
    return FV_OK;
}

void fv_gpu_loan_close(FvGpuLoan **loan)
{
    FvGpuLoan *l = *loan;
    *loan = NULL;
    if (!l)
        return;
    fv_gpu_store_close(&l->store);
    if (l->gpu)
        l->gpu->ops->close(&l->gpu);
    fv_free(l);
}
