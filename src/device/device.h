/*
 * A device carries frame pairs through the features that were given to it. The CPU is one (device/cpu.c); GPUs are
 * others (gpu/device.c). The session knows them by this table only.
 */
#ifndef FV_DEVICE_H
#define FV_DEVICE_H

#include <stdatomic.h>

#include "device/feature.h"
#include "picture/frame_feed.h"
#include "picture/packet_memory.h"
#include "picture/prepare.h"

/* One frame pair in flight. Owned by the session, which recycles in_flight of them. */
typedef struct FvTask {
    int64_t index;  /* in order of pushing, 0, 1, 2, ... */
    int64_t number; /* the caller's frame number, for reports and messages */
    bool skipped;   /* not scored: only runs of features with every_frame are computed */
    FvFrame *ref, *dis;
    FvFrame *prev_ref[FV_MAX_BEHIND], *prev_dis[FV_MAX_BEHIND]; /* [k]: the frame k + 1 back, or NULL */
    void *frame[FV_MAX_RUNS];     /* frame_bytes of each run; a device leaves its results there for FvFeature.terms */
    FvMapPlane *map[FV_MAX_RUNS]; /* planes of each run's maps that it fills; NULL: none of this frame is wanted */
    void *device_state;           /* the device's own, for as long as the task lives */
} FvTask;

/* The part of a device in a run. */
typedef enum FvCarry {
    FV_CARRIES_NOT,
    FV_CARRIES_INNER, /* for runs on the same device that read its memory; task->frame is somebody else's */
    FV_CARRIES,       /* and leaves its results in task->frame */
    /* The two devices share a run of which one cannot make the maps: */
    FV_CARRIES_PLAIN,  /* every frame, without maps; its results count for frames of which no map is wanted */
    FV_CARRIES_MAPPED, /* the frames of which maps are wanted */
} FvCarry;

/* Whether the results of this run in this task are those of a device that carries it so. */
static inline bool fv_task_counts(const FvTask *task, int run, FvCarry carry)
{
    return carry == FV_CARRIES || (carry == FV_CARRIES_PLAIN && !task->map[run]) ||
           (carry == FV_CARRIES_MAPPED && task->map[run]);
}

/* What a run sees of a task; scratch is left to the device. */
FvWork fv_task_work(const FvTask *task, const FvRun *runs, int run);

typedef struct FvDevice FvDevice;

typedef struct FvDeviceParams {
    const char *name; /* as the user wrote it: "cpu", "cuda:1", ... */
    FvIsa isa;
    int threads;
    void *cuda_context; /* FvSessionParams.cuda_context */
} FvDeviceParams;

/* The N of "vulkan:N"; 0 without one, -1 when N is not a number. */
int fv_device_index(const char *name);

typedef struct FvDeviceOps {
    const char *kind; /* "cpu", "vulkan", "cuda" */
    bool decodes;     /* takes frames that are still packets: FvFramePlace.packet */
    FvStatus (*open)(FvDevice **device, const FvDeviceParams *params, FvError *error);
    /* How many pairs it would like in flight when the user does not say; `raw`: whole frames come from files. NULL:
     * any number. */
    int (*in_flight)(FvDevice *device, const FvRun *runs, int count, bool raw);
    /*
     * Whether it can carry this run (after FvFeature.init). When not, `why` gets one sentence, the session gives the
     * run, and what needs its memory, to the CPU and the report says so. A device that leaves a part of the run to
     * the CPU says that in `why`, and the report too.
     */
    bool (*supports)(FvDevice *device, const FvRun *run, char *why, size_t size);
    /*
     * Whether it takes frames that are not prepared yet (FvFramePlace.unprepared) and prepares them so. When not,
     * `why` gets one sentence. NULL: it does not.
     */
    bool (*prepares)(FvDevice *device, const FvPreparation *preparation, char *why, size_t size);
    /*
     * Prepares for tasks: runs[i] for every i that mine[i] carries; inputs come before what reads them. *in_flight is
     * the most pairs that the session will have in flight; a device may lower it (to at least 1) to what its memory
     * allows.
     */
    FvStatus (*start)(FvDevice *device, FvRun *runs, const FvCarry *mine, int count, int *in_flight, FvError *error);
    /*
     * Starts work on a task; returns at once. Tasks come in order of index, skipped ones only when it carries a
     * feature with every_frame or they are packets still: these are decoded, because damage ends a session wherever
     * it is.
     */
    FvStatus (*submit)(FvDevice *device, FvTask *task, FvError *error);
    /* Returns when the task is done; tasks are waited for in order of index. */
    FvStatus (*wait)(FvDevice *device, FvTask *task, FvError *error);
    /* Whether wait would return at once; NULL: nobody asks, as its frames cost no memory of the host. */
    bool (*done)(FvDevice *device, const FvTask *task);
    /* Frames in memory of the device (fv_session_frame, fv_session_wrap, fv_session_device); NULL: it has none. */
    FvStatus (*frame)(FvDevice *device, FvFrame **frame, const FvFormat *format, FvMemory memory, FvError *error);
    /*
     * What a side's file is read into slice by slice, by so many threads, for as long as the device is open
     * (frame_feed.h); NULL, or giving NULL: frame has to do. Once a side.
     */
    FvFeed *(*feed)(FvDevice *device, int side, int lanes);
    /* Memory for packets that it decodes, in any thread, which it reads by itself; NULL: it has none. */
    FvStatus (*packet)(FvDevice *device, FvPacketMemory *memory, size_t bytes, FvError *error);
    FvStatus (*wrap)(FvDevice *device, FvFrame **frame, const FvFormat *format, const FvDeviceFrame *where,
                     FvError *error);
    void (*handles)(const FvDevice *device, FvDeviceHandles *handles);
    uint64_t (*room)(FvDevice *device); /* bytes of its memory that can be allocated now; NULL: it has none */
    void (*close)(FvDevice **device);
} FvDeviceOps;

/* Every device starts with this; open fills it. */
struct FvDevice {
    const FvDeviceOps *ops;
    char title[256];     /* the processor's own name */
    char passed[512];    /* of "auto": which GPU it is not, although that was found, and why; "": none */
    bool failing;        /* and whether that GPU failed; else it lacks something */
    atomic_llong worked; /* nanoseconds of work by all threads of the CPU together; else 0 */
    double transferring; /* seconds that submit waited for uploads */
    bool reads_once;     /* nobody but the device reads the frames of tasks: what it has copied can be let go */
};

extern const FvDeviceOps fv_device_cpu;

#endif
