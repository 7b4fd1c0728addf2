/*
 * Calls every public function with NULL for every pointer, and with values that its enums lack. Each call must return
 * an error with a message, or its value for "none", and must not crash. With --list it prints the names of the
 * functions, which tests/api/functions compares with the headers.
 */
#include "misuse.h"

#include <unistd.h>

char folder[32] = "/tmp/fovea-misuse-XXXXXX", video[64], output_path[64];
FvSession *session;
FvSource *source;
FvFrame *frame;
FvDeviceList *devices;
FvOutput *output;
FvCancel *cancel;
const void *planes[3];

FvError error;
Tap tap;
bool listing;

bool usage(FvStatus status)
{
    return status == FV_ERROR_USAGE && error.status == FV_ERROR_USAGE && *error.message;
}

FvSession *started(void)
{
    static FvSession *one;
    if (!one && (fv_session_open(&one, &(FvSessionParams){.device = "cpu", .threads = 1}, NULL) ||
                 fv_session_add(one, "psnr", NULL) || fv_session_start(one, &format, &format, NULL)))
        abort();
    return one;
}

FvSource *other_source(void)
{
    static FvSource *other;
    if (!other && fv_source_open(&other, &(FvSourceParams){.path = video}, NULL))
        abort();
    return other;
}

void count_release(void *opaque)
{
    ++*(int *)opaque;
}

static bool make_good_ones(void)
{
    FvSource *opened;
    FILE *file = mkdtemp(folder) ? NULL : stderr;
    snprintf(video, sizeof video, "%s/video.y4m", folder);
    snprintf(output_path, sizeof output_path, "%s/output", folder);
    file = file ? NULL : fopen(video, "wb");
    if (!file)
        return false;
    fprintf(file, "YUV4MPEG2 W48 H32 C420\nFRAME\n%*s", 48 * 32 * 3 / 2, "");
    fclose(file);
    bool good = !fv_source_open(&opened, &(FvSourceParams){.path = video}, &error) &&
                !fv_cancel_open(&cancel, &error) && !fv_frame_alloc(&frame, &format, &error) &&
                !fv_devices_list(&devices, &error) &&
                !fv_output_open(&output, &(FvOutputParams){.path = output_path}, &error) &&
                !fv_session_open(&session, &(FvSessionParams){.device = "cpu", .threads = 1}, &error) &&
                !fv_session_add(session, "psnr", &error);
    source = opened;
    for (int plane = 0; good && plane < 3; plane++)
        planes[plane] = frame->data[plane];
    return good;
}

static void close_good_ones(void)
{
    FvSource *other = other_source();
    FvSession *running = started();
    fv_source_close(&source);
    fv_source_close(&other);
    fv_session_close(&session);
    fv_session_close(&running);
    fv_frame_unref(&frame);
    fv_devices_close(&devices);
    fv_output_discard(&output);
    fv_cancel_close(&cancel);
    unlink(video);
    tap_case(&tap, !rmdir(folder), "nothing is left in the folder", folder);
}

int main(int argc, char **argv)
{
    listing = argc > 1 && !strcmp(argv[1], "--list");
    /* After a crash, the last line names the call that crashed or its predecessor. */
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (!listing && !make_good_ones()) {
        tap_case(&tap, false, "set-up", error.message);
        return tap_done(&tap);
    }
    check_pictures();
    check_sources();
    check_outputs();
    check_lists();
    check_sessions();
    check_params();
    check_scores();
    check_plans();
    check_curves();
    check_ladders();
    check_correlations();
    if (listing)
        return 0;
    close_good_ones();
    return tap_done(&tap);
}
