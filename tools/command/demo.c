/* fovea demo: scores the clip pair of demo_clip.h with every metric on the best device. Needs no file. */
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "fovea/fovea.h"
#include "image/demo_clip.h"
#include "table/table.h"

#define FRAMES 24 /* number of frames of the clip */

static FvStatus push_frames(FvSession *session, FvError *error)
{
    FvStatus status = fv_session_start(session, &demo_format, &demo_format, error);
    ProgressStyle style = progress_style(NULL, false);
    for (int i = 0; i < FRAMES && status == FV_OK; i++) {
        FvFrame *reference = NULL, *distorted = NULL;
        status = demo_frame(&reference, i, false, error);
        if (status == FV_OK)
            status = demo_frame(&distorted, i, true, error);
        if (status == FV_OK)
            status = fv_session_push(session, i, reference, distorted, error);
        fv_frame_unref(&reference);
        fv_frame_unref(&distorted);
        progress_show(style, &(FvProgress){.frames = i + 1, .total = FRAMES}, NULL);
    }
    message_wipe_bar();
    return status == FV_OK ? fv_session_finish(session, error) : status;
}

static FvStatus score_demo(FvSession **session, const Options *options, const char *device, FvError *error)
{
    FvSessionParams params = {
        .device = device, .isa = options->run.session.isa, .threads = options->run.session.threads};
    FvStatus status = fv_session_open(session, &params, error);
    for (int i = 0; i < fv_metric_count() && status == FV_OK; i++)
        status = fv_session_add(*session, fv_metric_info(i)->name, error);
    return status == FV_OK ? push_frames(*session, error) : status;
}

/* Scores on the best device, or on the CPU if that device fails and the user did not name it. */
static FvStatus score_anyhow(FvSession **session, const Options *options, FvError *error)
{
    FvStatus status = score_demo(session, options, options->run.session.device, error);
    if (status != FV_ERROR_DEVICE || options->run.session.device || options->run.session.isa)
        return status;
    warn("%s; the CPU scores instead", error->message);
    fv_session_close(session);
    return score_demo(session, options, "cpu", error);
}

/* Prints the devices of the machine, and the one that scored. */
static void print_devices(const FvSession *session)
{
    FvDeviceHandles used;
    FvDeviceList *list = NULL;
    if (fv_devices_list(&list, NULL) != FV_OK)
        return;
    fv_session_device(session, &used);
    char name[32];
    snprintf(name, sizeof name, strcmp(used.kind, "cpu") ? "%s:%d" : "%s", used.kind, used.index);
    printf("Devices:\n");
    for (int i = 0; i < fv_devices_count(list); i++) {
        const FvDeviceInfo *device = fv_devices_info(list, i);
        if (!device->usable)
            printf("  %-9s  not usable: %s\n", device->name, device->lacks);
        else if (!strcmp(device->name, name))
            printf("  %-9s  %s, which scored this clip\n", device->name, device->title);
        else
            printf("  %-9s  %s%s\n", device->name, device->title,
                   device->software ? ", which computes on the CPU: used only by name" : "");
    }
    fv_devices_close(&list);
}

static int run(const void *values, const ArgList *words)
{
    const Options *options = values;
    FvSession *session = NULL;
    FvError error = {0};
    FvStatus status = score_anyhow(&session, options, &error);
    if (status == FV_OK && options->output)
        status = fv_report_write(session, options->output, FV_REPORT_JSON, &error);
    if (!report_error_if(status, &error)) {
        char text[96];
        print_devices(session);
        printf("\nA generated clip, %d frames of %s, against a copy with banding, blur and pale colours:\n\n", FRAMES,
               fv_format_describe(&demo_format, text, sizeof text));
        status = table_print(stdout, session, &(TableParams){.details = false});
        printf("\nNow yours: fovea score reference.mov distorted.mp4\n");
    }
    fv_session_close(&session);
    return status;
}

const Command command_demo = {
    .name = "demo",
    .summary = "score a generated clip pair with every metric",
    .synopsis = "[OPTION]...",
    .description = "Makes a short clip and a damaged copy of it in memory, and scores the copy with every metric on "
                   "the best device it finds. The numbers are the same on every machine and device.",
    .example = "fovea demo --isa scalar",
    .refusal = "fovea demo makes its own clips; to score yours: fovea score -r REFERENCE -d DISTORTED",
    OPTIONS_OF(FOR_DEMO),
    .run = run,
};
