/*
 * A device computes features of frame pairs. The CPU is a device (device/cpu.c), and so is each GPU (gpu/device.c).
 * The session reaches them only through FvDeviceOps.
 */
#pragma once

#include <stdatomic.h>

#include "device/feature.h"
#include "picture/frame_feed.h"
#include "picture/packet_memory.h"
#include "picture/prepare.h"

/* The arrival of frames at the session. By default its caller pushes them. */
typedef enum FvArrival {
    FV_ARRIVES_PUSHED, /* pushed with fv_session_push(), in host or device memory */
    FV_ARRIVES_RAW,    /* complete frames are read from files; small batches keep up with the reading */
    FV_ARRIVES_CODED,  /* decoded by the CPU, by a GPU's decoders, or by the device that gets the packets */
    FV_ARRIVES_AS_ROWS /* no frames; rows of terms come from shards */
} FvArrival;

/* One frame pair in flight. Owned by the session, which recycles in_flight of them. */
typedef struct FvTask {
    int64_t index;  /* 0, 1, 2, ... in order of pushing */
    int64_t number; /* the caller's frame number, for reports and messages */
    bool skipped;   /* not scored: only feature instances with every_frame are computed */
    FvFrame *ref, *dis;
    FvFrame *prev_ref[FV_MAX_BEHIND], *prev_dis[FV_MAX_BEHIND]; /* [k]: the frame k + 1 back, or NULL */
    void *frame[FV_MAX_INSTANCES];     /* frame_bytes of each instance; a device leaves its results here for
                                          FvFeature.terms */
    FvMapPlane *map[FV_MAX_INSTANCES]; /* planes to fill for each instance's maps; NULL: no map is requested */
    FvFrame *mask[FV_MAX_INSTANCES];   /* FvWork.mask of each feature instance */
    int64_t mask_number;
    void *device_state; /* belongs to the device; lasts as long as the task */
} FvTask;

/* The part of a feature instance that a device computes. */
typedef enum FvPlacement {
    FV_NOT_PLACED,
    FV_PLACED_AS_INPUT, /* only for instances on this device that read its memory; task->frame is the other device's
                         */
    FV_PLACED,          /* the entire instance, with the results in task->frame */
    /* Two devices share an instance when one cannot make its maps: */
    FV_PLACED_WITHOUT_MAPS, /* every frame, without maps; the results count for frames whose maps are not wanted */
    FV_PLACED_FOR_MAPS,     /* the frames whose maps are wanted */
} FvPlacement;

/* Returns whether the device with this placement computes the results of this instance in this task. */
static inline bool fv_task_has_results(const FvTask *task, int run, FvPlacement placement)
{
    return placement == FV_PLACED || (placement == FV_PLACED_WITHOUT_MAPS && !task->map[run]) ||
           (placement == FV_PLACED_FOR_MAPS && task->map[run]);
}

/* The task as one instance sees it. The device sets scratch. */
FvWork fv_task_work(const FvTask *task, const FvFeatureInstance *runs, int run);

typedef struct FvDevice FvDevice;

typedef struct FvDeviceParams {
    const char *name; /* name as the user wrote it: "cpu", "cuda:1", ... */
    FvIsa isa;
    int threads;
    void *cuda_context; /* FvSessionParams.cuda_context */
} FvDeviceParams;

/* The N of "vulkan:N"; 0 without one, -1 when N is not a number. */
int fv_device_index(const char *name);

/* Receives what a caller waits for, as FvTiming.limited_by says it. */
typedef struct FvWaitObserver {
    void (*notify)(void *opaque, const char *text); /* NULL: nobody observes */
    void *opaque;
} FvWaitObserver;

typedef struct FvDeviceOps {
    const char *kind; /* "cpu", "vulkan", "cuda" */
    FvStatus (*open)(FvDevice **device, const FvDeviceParams *params, FvError *error);
    /*
     * Returns the best number of pairs in flight; the user's choice takes precedence. NULL: any number is equally
     * good.
     */
    int (*in_flight)(FvDevice *device, const FvFeatureInstance *runs, int count, FvArrival arrival);
    /*
     * Prepares the slow parts of `supports` for all these instances together, and reports it. Called before
     * `supports`. NULL: there are none.
     */
    void (*expect)(FvDevice *device, const FvFeatureInstance *runs, int count, const FvWaitObserver *observer);
    /*
     * Returns whether the device can compute this feature instance, after FvFeature.init. If it cannot, `why` gets
     * one sentence for the report, and the session gives the instance, with all instances that read its memory, to
     * the CPU. A device that leaves only a part to the CPU says so in `why`.
     */
    bool (*supports)(FvDevice *device, const FvFeatureInstance *run, char *why, size_t size);
    /*
     * Returns whether the device accepts unprepared frames (FvFramePlace.unprepared) and can do this preparation. If
     * it cannot, `why` gets one sentence. NULL: it prepares nothing.
     */
    bool (*prepares)(FvDevice *device, const FvPreparation *preparation, char *why, size_t size);
    /*
     * Returns whether the device accepts ProRes frames that have not been decoded (FvFramePlace.packet). If it does
     * not, `why` gets one sentence. NULL: it decodes nothing.
     */
    bool (*decodes)(FvDevice *device, char *why, size_t size);
    /*
     * Prepares for tasks with runs[i] for every i that placement[i] gives to this device. Inputs are before the
     * instances that read them. *in_flight is the largest number of pairs that the session will have in flight. A
     * device short of memory may lower it, to at least 1.
     */
    FvStatus (*start)(FvDevice *device, FvFeatureInstance *runs, const FvPlacement *placement, int count,
                      int *in_flight, FvError *error);
    /*
     * Starts work on a task and returns at once. Tasks are submitted in the order of their index. A skipped task is
     * submitted only if the device computes a feature with every_frame, or if its frames have not been decoded: they
     * are decoded because damage in any frame ends a session.
     */
    FvStatus (*submit)(FvDevice *device, FvTask *task, FvError *error);
    /* Returns when the task is done. Called in order of index. */
    FvStatus (*wait)(FvDevice *device, FvTask *task, FvError *error);
    /* Returns whether `wait` would return at once. NULL: frames of this device use no host memory. */
    bool (*done)(FvDevice *device, const FvTask *task);
    /* Make frames in device memory (fv_session_frame(), fv_session_wrap()). NULL: the device has none. */
    FvStatus (*frame)(FvDevice *device, FvFrame **frame, const FvFormat *format, FvMemory memory, FvError *error);
    /*
     * The feed (frame_feed.h) into which `lanes` threads read a side's file slice by slice. It lasts as long as the
     * device. Called once a side. When this is or returns NULL, files are read into frames.
     */
    FvFeed *(*feed)(FvDevice *device, int side, int lanes);
    /* Gives memory for packets, which the device reads by itself. Thread-safe. NULL: the device has none. */
    FvStatus (*packet)(FvDevice *device, FvPacketMemory *memory, size_t bytes, FvError *error);
    FvStatus (*wrap)(FvDevice *device, FvFrame **frame, const FvFormat *format, const FvDeviceFrame *where,
                     FvError *error);
    void (*handles)(const FvDevice *device, FvDeviceHandles *handles);
    uint64_t (*room)(FvDevice *device); /* free bytes of the device's memory; NULL: it has no memory of its own */
    void (*close)(FvDevice **device);
} FvDeviceOps;

/* Every device starts with this; open fills it. */
struct FvDevice {
    const FvDeviceOps *ops;
    char title[256];     /* the processor's own name */
    char passed[512];    /* the GPU that "auto" found but did not choose, and why; "": none */
    bool failing;        /* the GPU in `passed` failed; false: it lacks something */
    bool software;       /* a GPU whose driver computes on the CPU */
    bool tested;         /* expect has tested it, which took long */
    atomic_llong worked; /* nanoseconds of work of all CPU threads together; 0 for GPUs */
    double transferring; /* seconds that submit waited for uploads */
    int others;          /* sessions that score on the same hardware at the same time; set before in_flight */
    bool reads_once;     /* only the device reads the frames of tasks, so it may release a frame after copying it */
};

extern const FvDeviceOps fv_device_cpu;
