#include "input/decode_device.h"

#include "base/error.h"
#include "device_select/devices.h"
#include "gpu/selftest/selftest.h"
#include "gpu/store.h"
#include "input/prores/device.h"
#include "os/memory.h"

#define ROOM ((size_t)256 << 20) /* maximum bytes of decoded frames that wait to be read */
#define DECODERS 4               /* maximum number of hardware decoders */

struct FvDecodeDevice {
    FvGpu *gpu;
    FvProresDevice *prores; /* decodes ProRes; NULL for other codecs */
    FvGpuStore *store;      /* allocates the frames of hardware decoders; NULL for ProRes */
};

static FvStatus make(void *opaque, FvFrame **frame, const FvFormat *format, FvMemory memory, FvError *error)
{
    return fv_gpu_store_frame(((FvDecodeDevice *)opaque)->store, frame, format, FV_GPU_HOST, false, error);
}

static FvStatus open_prores(FvDecodeDevice *device, const FvSource *source, bool named, FvError *error)
{
    char why[512];
    if (!fv_gpu_trusts(device->gpu, &fv_gpu_prores, why, sizeof why))
        return fv_fail(error, FV_ERROR_DEVICE, "%s%s", why, named ? "; leave `device` out: the CPU decodes" : "");
    return fv_prores_device_open(&device->prores, device->gpu, source, error);
}

static FvStatus offer_hwdec(FvDecodeDevice *device, FvSource *source, bool named, FvError *error)
{
    device->store = fv_gpu_store_open(device->gpu);
    if (!device->store)
        return fv_fail_memory(error, sizeof *device);
    FvDeviceHandles handles = {0};
    device->gpu->ops->handles(device->gpu, &handles);
    source->ops->use_hwdec(source, &(FvHwdecService){.context = handles.cuda_context,
                                                     .on_host = true,
                                                     .named = named,
                                                     .room = ROOM,
                                                     .decoders = DECODERS,
                                                     .copies = true,
                                                     .make = make,
                                                     .opaque = device});
    return FV_OK;
}

FvStatus fv_decode_device_open(FvDecodeDevice **device, FvSource *source, const char *name, bool named,
                               FvError *error)
{
    FvDecodeDevice *d = *device = fv_alloc_zero(sizeof *d);
    if (!d)
        return fv_fail_memory(error, sizeof *d);
    FvStatus status = fv_devices_open_gpu(&d->gpu, name, error);
    if (!status)
        status = source->prores ? open_prores(d, source, named, error) : offer_hwdec(d, source, named, error);
    if (status)
        fv_decode_device_close(device);
    return status;
}

FvStatus fv_decode_device_read(FvDecodeDevice *device, FvSource *source, FvFrame **frame, FvError *error)
{
    return device->prores ? fv_prores_device_read(device->prores, source, frame, error)
                          : source->ops->read(source, frame, error);
}

void fv_decode_device_drop(FvDecodeDevice *device)
{
    if (device->prores)
        fv_prores_device_drop(device->prores);
}

void fv_decode_device_close(FvDecodeDevice **device)
{
    FvDecodeDevice *d = *device;
    *device = NULL;
    if (!d)
        return;
    fv_prores_device_close(&d->prores);
    fv_gpu_store_close(&d->store);
    if (d->gpu)
        d->gpu->ops->close(&d->gpu);
    fv_free(d);
}
