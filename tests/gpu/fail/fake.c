/*
 * The driver "fake", which sessions and sources open by this name: FvGpuOps implemented with the machine of host
 * memory.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "counts.h"
#include "device_select/devices.h"
#include "driver.h"
#include "fault.h"
#include "gpu/device.h"
#include "gpu/selftest/selftest.h"
#include "machine.h"

static const FvGpuOps fake_gpu;

typedef struct FakeGpu {
    FvGpu gpu;
    bool open[FV_GPU_QUEUES]; /* a list is being recorded for this queue */
    uint64_t start[FV_GPU_QUEUES], submitted[FV_GPU_QUEUES];
    const char *broken[FV_GPU_QUEUES]; /* call that failed since begin; NULL: none */
    bool lost, silent;
} FakeGpu;

FakeCounts fake_counts;

static int devices;            /* number of open devices */
static bool trusted;           /* features and ProRes count as tested, without a self-test */
static int64_t recorded, sent; /* number of pairs in recorded lists, and in submitted ones */
static int64_t sent_before;    /* value of `sent` when the failure came */

static FvStatus fail(FakeGpu *fake, const char *what, FvError *error)
{
    static const char *const reasons[FAULTS] = {"out of memory", "the device was lost", "the device does not answer"};
    fake->lost |= fault_kind() == FAULT_LOST;
    fake->silent |= fault_kind() == FAULT_SILENT;
    if (fake->lost)
        machine_lose();
    return fv_fail(error, FV_ERROR_DEVICE, "fake:0 (%s) failed in %s: %s", fake->gpu.info.title, what,
                   reasons[fault_kind()]);
}

static bool strikes(FakeGpu *fake, const char *call)
{
    return fault_strikes(call, !strcmp(call, "wait")) || fake->lost || fake->silent;
}

/* Returns the device's memory. A null device may claim more than the host has, since it touches no pages. */
static uint64_t room(void)
{
    return machine_null ? UINT64_C(64) << 30 : UINT64_C(1) << 30;
}

static bool describe(int index, FvGpuInfo *info, char *absent, size_t size)
{
    *info = (FvGpuInfo){.title = "host memory", .driver = "a test's", .memory = room(), .float64 = true};
    if (index)
        snprintf(absent, size, "there is one only");
    return !index;
}

static FvStatus open_fake(FvGpu **gpu, int index, FvError *error)
{
    FakeGpu *fake = calloc(1, sizeof *fake);
    if (!fake)
        return fv_fail_memory(error, sizeof *fake);
    fake->gpu.ops = &fake_gpu;
    describe(index, &fake->gpu.info, NULL, 0);
    if (strikes(fake, "open")) {
        FvStatus status = fail(fake, "open", error);
        free(fake);
        return status;
    }
    devices++;
    *gpu = &fake->gpu;
    return FV_OK;
}

static void close_fake(FvGpu **gpu)
{
    FakeGpu *fake = (FakeGpu *)*gpu;
    *gpu = NULL;
    if (!fake)
        return;
    for (int q = 0; q < FV_GPU_QUEUES && !fake->silent; q++)
        machine_run(q, fake->submitted[q]);
    if (machine_blocks && !fake->silent)
        machine_object("a device was closed before its memory was freed");
    devices--;
    free(fake);
}

static uint64_t available(FvGpu *gpu)
{
    return room();
}

static FvStatus alloc_memory(FvGpu *gpu, FvGpuMemory *memory, size_t bytes, FvGpuPlace place, FvError *error)
{
    *memory = (FvGpuMemory){0};
    if (strikes((FakeGpu *)gpu, "alloc"))
        return fail((FakeGpu *)gpu, "alloc", error);
    memory->address = machine_alloc(bytes);
    memory->host = place == FV_GPU_HOST ? (uint8_t *)(uintptr_t)memory->address : NULL;
    memory->bytes = bytes;
    fake_counts.allocations++;
    return FV_OK;
}

static void free_memory(FvGpu *gpu, FvGpuMemory *memory)
{
    if (memory->address && !((FakeGpu *)gpu)->silent)
        machine_free(memory->address);
    *memory = (FvGpuMemory){0};
}

static FvStatus load(FvGpu *gpu, const FvKernel *const *kernels, int count, int threads, FvError *error)
{
    return strikes((FakeGpu *)gpu, "load") ? fail((FakeGpu *)gpu, kernels[0]->name, error) : FV_OK;
}

static FvStatus begin(FvGpu *gpu, FvGpuQueue queue, FvError *error)
{
    FakeGpu *fake = (FakeGpu *)gpu;
    if (fake->open[queue])
        machine_drop(queue, fake->start[queue]);
    fake->open[queue] = false;
    fake->broken[queue] = NULL;
    if (strikes(fake, "begin"))
        return fail(fake, "begin", error);
    fake->open[queue] = true;
    recorded = sent;
    fake->start[queue] = machine_position(queue);
    return FV_OK;
}

/* Returns whether a command can be recorded. If it cannot, submit reports the failure. */
static bool records(FakeGpu *fake, FvGpuQueue queue, const char *what)
{
    if (!fake->open[queue])
        machine_object("%s is recorded outside of a list", what);
    if (fake->open[queue] && !fake->broken[queue] && strikes(fake, what))
        fake->broken[queue] = what;
    return fake->open[queue] && !fake->broken[queue];
}

static void after(FvGpu *gpu, FvGpuQueue queue, FvGpuQueue other, uint64_t ticket)
{
    FakeGpu *fake = (FakeGpu *)gpu;
    if (ticket > fake->submitted[other])
        machine_object("a list waits for what was never submitted");
    if (records(fake, queue, "after"))
        machine_after(queue, other, ticket);
}

static void after_foreign(FvGpu *gpu, FvGpuQueue queue, void *sync, uint64_t value)
{
    records((FakeGpu *)gpu, queue, "after_foreign");
}

static void copy(FvGpu *gpu, FvGpuQueue queue, const FvGpuMemory *to, size_t to_offset, const FvGpuMemory *from,
                 size_t from_offset, size_t bytes)
{
    if (records((FakeGpu *)gpu, queue, "copy"))
        machine_copy(queue, to->address + to_offset, from->address + from_offset, bytes);
    fake_counts.uploaded += from->host && !to->host ? (int64_t)bytes : 0;
    fake_counts.read += to->host && !from->host ? (int64_t)bytes : 0;
}

static void fill(FvGpu *gpu, FvGpuQueue queue, const FvGpuMemory *to, size_t offset, size_t bytes, uint32_t word)
{
    if (records((FakeGpu *)gpu, queue, "fill"))
        machine_fill(queue, to->address + offset, bytes, word);
}

static void launch(FvGpu *gpu, FvGpuQueue queue, const FvKernel *kernel, const void *args, uint32_t x, uint32_t y,
                   uint32_t z)
{
    if (records((FakeGpu *)gpu, queue, "launch"))
        machine_launch(queue, kernel->name, args, kernel->args_bytes, x, y, z);
    fake_counts.launches++;
    if (!strncmp(kernel->name, "psnr_sse", 8))
        recorded += z;
}

static void barrier(FvGpu *gpu, FvGpuQueue queue)
{
    records((FakeGpu *)gpu, queue, "barrier");
}

static FvStatus submit(FvGpu *gpu, FvGpuQueue queue, uint64_t *ticket, FvError *error)
{
    FakeGpu *fake = (FakeGpu *)gpu;
    if (!fake->open[queue])
        machine_object("a list is submitted that was not begun");
    fake->open[queue] = false;
    if (fake->broken[queue] || strikes(fake, "submit")) {
        machine_drop(queue, fake->start[queue]);
        return fail(fake, fake->broken[queue] ? fake->broken[queue] : "submit", error);
    }
    sent = recorded;
    fake_counts.lists++;
    *ticket = fake->submitted[queue] = machine_position(queue);
    return FV_OK;
}

static FvStatus wait(FvGpu *gpu, FvGpuQueue queue, uint64_t ticket, FvError *error)
{
    FakeGpu *fake = (FakeGpu *)gpu;
    if (ticket > fake->submitted[queue])
        machine_object("a ticket is waited for that was never given");
    if (strikes(fake, "wait")) {
        FvStatus status = fail(fake, "wait", error);
        for (int q = 0; q < FV_GPU_QUEUES && !fake->lost && !fake->silent; q++)
            machine_run(q, fake->submitted[q]);
        return status;
    }
    return machine_run(queue, ticket) ? FV_OK : fail(fake, "wait", error);
}

static void handles(const FvGpu *gpu, FvDeviceHandles *handles)
{
}

static const FvGpuOps fake_gpu = {
    .kind = "fake",
    .describe = describe,
    .open = open_fake,
    .close = close_fake,
    .available = available,
    .alloc = alloc_memory,
    .free = free_memory,
    .load = load,
    .begin = begin,
    .after = after,
    .after_foreign = after_foreign,
    .copy = copy,
    .fill = fill,
    .launch = launch,
    .barrier = barrier,
    .submit = submit,
    .wait = wait,
    .handles = handles,
};

static FvStatus open_device(FvDevice **device, const FvDeviceParams *params, FvError *error);

static const FvDeviceOps fake_device = {
    .kind = "fake",
    .decodes = fv_gpu_device_decodes,
    .open = open_device,
    .in_flight = fv_gpu_device_in_flight,
    .prepares = fv_gpu_device_prepares,
    .supports = fv_gpu_device_trusted,
    .start = fv_gpu_device_start,
    .submit = fv_gpu_device_submit,
    .wait = fv_gpu_device_wait,
    .frame = fv_gpu_device_frame,
    .feed = fv_gpu_device_feed,
    .wrap = fv_gpu_device_wrap,
    .pixels = fv_gpu_device_pixels,
    .handles = fv_gpu_device_handles,
    .room = fv_gpu_device_room,
    .close = fv_gpu_device_close,
};

static FvStatus open_device(FvDevice **device, const FvDeviceParams *params, FvError *error)
{
    return fv_gpu_device_open(device, &fake_device, &fake_gpu, params, error);
}

/* The linker redirects the library's calls of fv_device_open() to the test's function. */
FvStatus __real_fv_device_open(FvDevice **device, const FvDeviceParams *params, FvError *error);
FvStatus __wrap_fv_device_open(FvDevice **device, const FvDeviceParams *params, FvError *error);
FvStatus __wrap_fv_device_open(FvDevice **device, const FvDeviceParams *params, FvError *error)
{
    return params->name && !strcmp(params->name, "fake") ? open_device(device, params, error)
                                                         : __real_fv_device_open(device, params, error);
}

FvStatus __real_fv_devices_open_gpu(FvGpu **gpu, const char *name, FvError *error);
FvStatus __wrap_fv_devices_open_gpu(FvGpu **gpu, const char *name, FvError *error);
FvStatus __wrap_fv_devices_open_gpu(FvGpu **gpu, const char *name, FvError *error)
{
    *gpu = NULL;
    return !strcmp(name, "fake") ? open_fake(gpu, 0, error) : __real_fv_devices_open_gpu(gpu, name, error);
}

bool __real_fv_gpu_device_trusted(FvDevice *device, const FvFeatureInstance *run, char *why, size_t size);
bool __wrap_fv_gpu_device_trusted(FvDevice *device, const FvFeatureInstance *run, char *why, size_t size);
bool __wrap_fv_gpu_device_trusted(FvDevice *device, const FvFeatureInstance *run, char *why, size_t size)
{
    return trusted ? fv_gpu_device_supports(device, run, why, size)
                   : __real_fv_gpu_device_trusted(device, run, why, size);
}

bool __real_fv_gpu_device_decodes(FvDevice *device, char *why, size_t size);
bool __wrap_fv_gpu_device_decodes(FvDevice *device, char *why, size_t size);
bool __wrap_fv_gpu_device_decodes(FvDevice *device, char *why, size_t size)
{
    return trusted || __real_fv_gpu_device_decodes(device, why, size);
}

FvStatus __real_fv_gpu_device_pixels(FvDevice *device, FvFrame **frame, const FvFormat *format,
                                     const FvPixels *pixels, int matrix, FvError *error);
FvStatus __wrap_fv_gpu_device_pixels(FvDevice *device, FvFrame **frame, const FvFormat *format,
                                     const FvPixels *pixels, int matrix, FvError *error);
FvStatus __wrap_fv_gpu_device_pixels(FvDevice *device, FvFrame **frame, const FvFormat *format,
                                     const FvPixels *pixels, int matrix, FvError *error)
{
    return (trusted ? fv_gpu_device_make_pixels : __real_fv_gpu_device_pixels)(device, frame, format, pixels, matrix,
                                                                               error);
}

static void on_fault(void)
{
    sent_before = sent;
}

static void reset(bool null)
{
    machine_reset(null);
    trusted = null;
    devices = 0;
    recorded = sent = sent_before = 0;
    fault_hook = on_fault;
}

static bool clean(char *why, size_t size)
{
    if (*machine_defect)
        snprintf(why, size, "%s", machine_defect);
    else if (devices || (machine_blocks && !fault_silenced()))
        snprintf(why, size, "%d devices and %d blocks of memory are left", devices, machine_blocks);
    else
        return true;
    return false;
}

static int64_t ensured(void)
{
    return fault_kind() == FAULT_MEMORY && strcmp(fault_struck(), "wait") ? sent_before : 0;
}

const FailingDriver failing_fake = {"fake", true, NULL, reset, clean, ensured};
