/*
 * A device computes features of frame pairs. The CPU is a device (device/cpu.c), and so is each GPU (gpu/device.c).
 * The session reaches them only through FvDeviceOps.
 */
#pragma once

#include <stdatomic.h>

#include "device/feature.h"
#include "fovea/pixels.h"
#include "picture/frame_feed.h"
#include "picture/packet_memory.h"
#include "picture/prepare.h"

/* How frames arrive at a session. */
typedef enum FvArrival {
    FV_ARRIVES_PUSHED, /* the caller pushes frames in host or device memory with fv_session_push(); the default */
    FV_ARRIVES_RAW,    /* complete frames are read from files, so slowly that small batches suffice */
    FV_ARRIVES_CODED,  /* frames are decoded by the CPU, a GPU's decoders, or the device that gets the packets */
    FV_ARRIVES_AS_ROWS /* no frames arrive; rows of terms come from shards */
} FvArrival;

/* One frame pair in flight. The session owns `in_flight` tasks and reuses them. */
typedef struct FvTask {
    int64_t index;  /* 0, 1, 2, ... in order of pushing */
    int64_t number; /* the caller's frame number, for reports and messages */
    bool skipped;   /* not scored: only feature instances with every_frame are computed */
    FvFrame *ref, *dis;
    FvFrame *prev_ref[FV_MAX_BEHIND], *prev_dis[FV_MAX_BEHIND]; /* [k]: the frame k + 1 back, or NULL */
    void *frame[FV_MAX_INSTANCES];     /* frame_bytes bytes per instance; holds results for FvFeature.terms */
    FvMapPlane *map[FV_MAX_INSTANCES]; /* planes to fill for each instance's maps; NULL: no map is requested */
    FvFrame *mask[FV_MAX_INSTANCES];   /* FvWork.mask of each feature instance */
    int64_t mask_number;
    void *device_state; /* belongs to the device; lasts as long as the task */
} FvTask;

/* The part of a feature instance that a device computes. */
typedef enum FvPlacement {
    FV_NOT_PLACED,
    FV_PLACED_AS_INPUT, /* only for instances on this device that read its memory; another device fills task->frame */
    FV_PLACED,          /* the entire instance, with the results in task->frame */
    /* Placements on two devices that share an instance because one of them cannot make its maps: */
    FV_PLACED_WITHOUT_MAPS, /* every frame, without maps; the results are used for frames whose maps are not wanted */
    FV_PLACED_FOR_MAPS,     /* the frames whose maps are wanted */
} FvPlacement;

/* Returns whether a device with this placement of instance `run` computes its results in this task. */
static inline bool fv_task_has_results(const FvTask *task, int run, FvPlacement placement)
{
    return placement == FV_PLACED || (placement == FV_PLACED_WITHOUT_MAPS && !task->map[run]) ||
           (placement == FV_PLACED_FOR_MAPS && task->map[run]);
}

/* Returns the work of instance `run` in a task. The device must set scratch. */
FvWork fv_task_work(const FvTask *task, const FvFeatureInstance *runs, int run);

typedef struct FvDevice FvDevice;

typedef struct FvDeviceParams {
    const char *name; /* name as the user wrote it: "cpu", "cuda:1", ... */
    FvIsa isa;
    int threads;
    void *cuda_context; /* the caller's CUDA context, as FvSessionParams.cuda_context */
} FvDeviceParams;

/* Returns the N of "vulkan:N"; 0 without N, -1 if N is not a number. */
int fv_device_index(const char *name);

/* Receives what the caller waits for, in the words of FvTiming.limited_by. */
typedef struct FvWaitObserver {
    void (*notify)(void *opaque, const char *text); /* NULL: no observer */
    void *opaque;
} FvWaitObserver;

typedef struct FvDeviceOps {
    const char *kind; /* name of the device's kind: "cpu", "vulkan", "cuda" */
    FvStatus (*open)(FvDevice **device, const FvDeviceParams *params, FvError *error);
    /*
     * Returns the best number of pairs in flight; the user's choice takes precedence. NULL: any number is equally
     * good.
     */
    int (*in_flight)(FvDevice *device, const FvFeatureInstance *runs, int count, FvArrival arrival);
    /*
     * Does the slow parts of `supports` (self-tests) for all these instances together, and notifies the observer.
     * Called before `supports`. NULL: `supports` is never slow.
     */
    void (*expect)(FvDevice *device, const FvFeatureInstance *runs, int count, const FvWaitObserver *observer);
    /*
     * Returns whether the device can compute this feature instance, after FvFeature.init. If it cannot, it writes one
     * sentence for the report to `why`, and the session places the instance, and all instances that read its memory,
     * on the CPU. A device that leaves only a part to the CPU also writes `why`.
     */
    bool (*supports)(FvDevice *device, const FvFeatureInstance *run, char *why, size_t size);
    /*
     * Returns whether the device accepts unprepared frames (FvFramePlace.unprepared) and can do this preparation. If
     * it cannot, it writes one sentence to `why`. NULL: it prepares nothing.
     */
    bool (*prepares)(FvDevice *device, const FvPreparation *preparation, char *why, size_t size);
    /*
     * Returns whether the device accepts ProRes frames that have not been decoded (FvFramePlace.packet). If it does
     * not, it writes one sentence to `why`. NULL: it decodes nothing.
     */
    bool (*decodes)(FvDevice *device, char *why, size_t size);
    /*
     * Prepares for tasks with every runs[i] that placement[i] places on this device. Inputs precede the instances
     * that read them. *in_flight: maximum number of pairs in flight; a device short of memory may lower it, to at
     * least 1.
     */
    FvStatus (*start)(FvDevice *device, FvFeatureInstance *runs, const FvPlacement *placement, int count,
                      int *in_flight, FvError *error);
    /*
     * Starts work on a task and returns at once. Tasks are submitted in the order of their index. A skipped task is
     * submitted only if the device computes a feature with every_frame, or if its frames have not been decoded: they
     * are decoded because damage in any frame ends a session.
     */
    FvStatus (*submit)(FvDevice *device, FvTask *task, FvError *error);
    /* Waits until the task is done. Called in order of index. */
    FvStatus (*wait)(FvDevice *device, FvTask *task, FvError *error);
    /* Returns whether `wait` would return at once. NULL: unknown, so frames are kept until `wait`. */
    bool (*done)(FvDevice *device, const FvTask *task);
    /* Makes a frame in device memory, for fv_session_frame(). NULL: the device has no memory for frames. */
    FvStatus (*frame)(FvDevice *device, FvFrame **frame, const FvFormat *format, FvMemory memory, FvError *error);
    /*
     * Returns the feed (frame_feed.h) into which `lanes` threads read a side's file slice by slice. The device owns
     * it. Called once per side. If `feed` is NULL or returns NULL, files are read into frames.
     */
    FvFeed *(*feed)(FvDevice *device, int side, int lanes);
    /*
     * Allocates memory for a packet that the device can read without a copy. Thread-safe. NULL: the device has none.
     */
    FvStatus (*packet)(FvDevice *device, FvPacketMemory *memory, size_t bytes, FvError *error);
    FvStatus (*wrap)(FvDevice *device, FvFrame **frame, const FvFormat *format, const FvDeviceFrame *where,
                     FvError *error);
    /* Makes a frame of pixels in device memory, for fv_frame_from_pixels(), which has checked the arguments. */
    FvStatus (*pixels)(FvDevice *device, FvFrame **frame, const FvFormat *format, const FvPixels *pixels, int matrix,
                       FvError *error);
    void (*handles)(const FvDevice *device, FvDeviceHandles *handles);
    uint64_t (*room)(FvDevice *device); /* returns the free bytes of device memory; NULL: it has none */
    void (*close)(FvDevice **device);
} FvDeviceOps;

/* The first member of every device's struct; `open` fills it. */
struct FvDevice {
    const FvDeviceOps *ops;
    char title[256];     /* name of the processor or GPU */
    char passed[512];    /* the GPU that "auto" found but could not use, and why; "": none */
    bool failing;        /* the GPU in `passed` failed; false: it lacks a feature */
    bool software;       /* the device is a GPU driver that computes on the CPU */
    bool tested;         /* `expect` has run self-tests, which took long */
    atomic_llong worked; /* nanoseconds of work, summed over all CPU threads; 0 for GPUs */
    double transferring; /* seconds that submit waited for uploads */
    int others;          /* number of other sessions on the same hardware at the same time; set before in_flight() */
    bool reads_once;     /* only this device reads the frames of tasks, so it may release a frame after copying it */
};

extern const FvDeviceOps fv_device_cpu;
