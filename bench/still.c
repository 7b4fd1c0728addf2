/* The part of fovea bench that measures how soon a map follows a change of options. */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/message.h"
#include "clock.h"
#include "measure.h"
#include "picture/frame.h"
#include "steady.h"

/* Two sets of options, between which the measurement alternates. */
typedef struct Change {
    const char *name, *options[2];
} Change;

static const Change changes[] = {
    {"pooling", {"vdm=pool=1", "vdm=pool=5"}},
    {"transducer", {"vdm=n=2.4", "vdm=n=3"}},
    {"sensitivity", {"vdm=csf_gain=0.6", "vdm=csf_gain=0.7"}},
    {"display", {"vdm=lw=100", "vdm=lw=120"}},
    {"distance", {"vdm=distance_h=3", "vdm=distance_h=3.1"}},
};

/* A still, with its map left on the device or (`fetches`) copied to the host. */
typedef struct Viewer {
    FvStill *still;
    const Change *change;
    bool fetches;
    int64_t calls;
} Viewer;

/* A SteadyWork that changes the options. */
static FvStatus change_for(void *what, double seconds, double *rate, FvError *error)
{
    Viewer *viewer = what;
    const double start = fv_seconds();
    const int64_t first = viewer->calls;
    FvStatus status = FV_OK;
    double passed = 0;
    while (!status && passed < seconds) {
        const char *options = viewer->change->options[viewer->calls++ % 2];
        FvMap map;
        FvDeviceMap left;
        status = viewer->fetches ? fv_still_map(viewer->still, options, "jnd", &map, error)
                                 : fv_still_map_on_device(viewer->still, options, "jnd", &left, error);
        passed = fv_seconds() - start;
    }
    *rate = (double)(viewer->calls - first) / passed;
    return status;
}

static void print_row(const Clip *clip, const char *device, const char *change, const Steady results[2])
{
    char text[64];
    snprintf(text, sizeof text, "%dx%d %s %d-bit", clip->format.width, clip->format.height,
             fv_chroma_name(clip->format.chroma), clip->format.depth);
    printf("%-22s %-14s %-12s", text, device, change);
    for (int i = 0; i < 2; i++)
        printf(" %10.3f ms %5.1f%%%s", 1e3 / results[i].median, 100 * results[i].spread,
               results[i].settled ? " " : "+");
    putchar('\n');
    fflush(stdout);
}

static FvStatus measure_still(const Plan *plan, const Clip *clip, const char *device, int threads, FvError *error)
{
    Viewer viewers[2] = {{.fetches = false}, {.fetches = true}};
    void *what[2] = {&viewers[0], &viewers[1]};
    char name[64];
    FvStillParams params = {.device = device, .isa = plan->isas[0], .threads = threads};
    FvStatus status = FV_OK;
    if (strcmp(device, "cpu"))
        snprintf(name, sizeof name, "%s", device);
    else
        snprintf(name, sizeof name, "cpu, %d thread%s", threads, threads == 1 ? "" : "s");
    for (int i = 0; i < 2 && !status; i++)
        status = fv_still_open(&viewers[i].still, &params, clip->ref[0], clip->dis[0], error);
    for (size_t c = 0; c < sizeof changes / sizeof *changes && !status; c++) {
        Steady results[2];
        viewers[0].change = viewers[1].change = &changes[c];
        status = steady_measure(change_for, NULL, what, 2, plan->seconds, results, error);
        if (!status)
            print_row(clip, name, changes[c].name, results);
    }
    fv_still_close(&viewers[0].still);
    fv_still_close(&viewers[1].still);
    return status;
}

static int bench_clip(void *opaque, const Clip *clip)
{
    const Plan *plan = opaque;
    FvError error = {0};
    FvStatus status = FV_OK;
    for (int i = 0; i < plan->device_count && !status; i++)
        status = measure_still(plan, clip, plan->devices[i], 1, &error);
    for (int i = 0; i < plan->thread_count && !plan->device_count && !status; i++)
        status = measure_still(plan, clip, "cpu", plan->threads[i] > 256 ? 256 : plan->threads[i], &error);
    return status ? report_error(status, "%s", error.message) : EXIT_OK;
}

int bench_stills(const Plan *plan)
{
    printf("%-22s %-14s %-12s %21s %21s\n", "video", "device", "change", "to device memory", "to host memory");
    return plan_each_clip(plan, bench_clip, (void *)plan);
}
