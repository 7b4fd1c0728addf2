/*
 * Interprets any bytes as a sequence of calls of the public interface, with sessions, frames, sources and reports in
 * any order. Every call must return a status, and a failing call also a message.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MOST_CALLS 24
#define FRAMES 4

typedef struct Caller {
    const uint8_t *at, *end;
    FvSession *session;
    FvFrame *frames[FRAMES];
    FvSource *sources[2];
    int file[2]; /* descriptors of the sources' files in memory */
} Caller;

static unsigned take(Caller *caller, unsigned below)
{
    return caller->at < caller->end ? *caller->at++ % below : 0;
}

static const FvFormat formats[] = {
    {.width = 1, .height = 1, .chroma = FV_CHROMA_420, .depth = 8},
    {.width = 17, .height = 9, .chroma = FV_CHROMA_444, .depth = 10, .range = FV_RANGE_FULL},
    {.width = 32, .height = 32, .chroma = FV_CHROMA_400, .depth = 16},
    {.width = 40, .height = 24, .chroma = FV_CHROMA_422, .depth = 12, .rate_num = 25, .rate_den = 1},
    {.width = 64, .height = 48, .chroma = FV_CHROMA_420, .depth = 10, .range = FV_RANGE_LIMITED},
    {.width = 64, .height = 48, .chroma = FV_CHROMA_420, .depth = 8, .range = FV_RANGE_LIMITED},
    {.width = 224, .height = 32, .chroma = FV_CHROMA_420, .depth = 8},
    {.width = 0, .height = 48, .chroma = FV_CHROMA_420, .depth = 8},
    {.width = 64, .height = 48, .chroma = 9, .depth = 8},
    {.width = 64, .height = 48, .chroma = FV_CHROMA_420, .depth = 17},
};
enum { FORMATS = sizeof formats / sizeof *formats, FORMATS_GOOD = 7 };

static void check(FvStatus status, const FvError *error)
{
    bool failed = status != FV_OK && status != FV_END;
    if (status > FV_ERROR_MEMORY || (failed && (error->status != status || !*error->message))) {
        fprintf(stderr, "status %d, error %d '%s'\n", (int)status, (int)error->status, error->message);
        abort();
    }
}

static void open_session(Caller *caller)
{
    static const char *const devices[] = {"cpu", "cpu", "cpu", "nothing", ""}, *const isas[] = {NULL, "scalar",
                                                                                                "abacus"};
    FvError error = {0};
    FvSessionParams params = {.device = devices[take(caller, 5)],
                              .isa = isas[take(caller, 3)],
                              .threads = (int)take(caller, 4) - 1,
                              .in_flight = (int)take(caller, 5) - 1};
    if (params.threads == 0)
        params.threads = 1; /* a thread for each processor would cost too much */
    fv_session_close(&caller->session);
    check(fv_session_open(&caller->session, &params, &error), &error);
}

static void add_metric(Caller *caller)
{
    static const char *const names[] = {"psnr",
                                        "psnr=enable_mse=true:min_sse=0.5",
                                        "psnr_hvs",
                                        "speed_chroma",
                                        "speed_temporal",
                                        "cambi",
                                        "cambi=full_ref=true",
                                        "psnrr",
                                        "psnr=x",
                                        "",
                                        "psnr="};
    FvError error = {0};
    unsigned most = (unsigned)fv_metric_count() + sizeof names / sizeof *names, which = take(caller, most);
    const char *name =
        which < sizeof names / sizeof *names ? names[which] : fv_metric_info((int)(most - 1 - which))->name;
    check(fv_session_add(caller->session, name, &error), &error);
}

static void start(Caller *caller)
{
    FvError error = {0};
    const FvFormat *ref = &formats[take(caller, FORMATS)];
    const FvFormat *dis = &formats[take(caller, FORMATS)];
    unsigned how = take(caller, 4);
    check(fv_session_start(caller->session, how == 0 ? NULL : ref, how == 1 ? ref : dis, &error), &error);
}

static void make_frame(Caller *caller)
{
    FvError error = {0};
    const FvFormat *format = &formats[take(caller, FORMATS)];
    FvFrame **frame = &caller->frames[take(caller, FRAMES)];
    const unsigned seed = take(caller, 256);
    fv_frame_unref(frame);
    check(fv_frame_alloc(frame, format, &error), &error);
    for (int plane = 0; *frame && plane < fv_format_planes(format); plane++) {
        int width, height;
        fv_format_plane_size(format, plane, &width, &height);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                const unsigned value = (seed * 77 + (unsigned)(x * y) * (seed & 7)) & ((1u << format->depth) - 1);
                uint8_t *row = (*frame)->data[plane] + y * (*frame)->stride[plane];
                if (format->depth > 8)
                    ((uint16_t *)row)[x] = (uint16_t)value;
                else
                    row[x] = (uint8_t)value;
            }
    }
}

static void push(Caller *caller, bool skip)
{
    FvError error = {0};
    FvFrame *ref = caller->frames[take(caller, FRAMES)], *dis = caller->frames[take(caller, FRAMES)];
    check((skip ? fv_session_skip : fv_session_push)(caller->session, (int64_t)take(caller, 9) - 1, ref, dis, &error),
          &error);
}

static void read_scores(Caller *caller)
{
    const int64_t frames = fv_session_frames(caller->session);
    const int outputs = fv_session_outputs(caller->session);
    for (int i = 0; i < outputs; i++) {
        for (int64_t frame = 0; frame < frames; frame++) {
            fv_session_frame_number(caller->session, frame);
            fv_session_value(caller->session, frame, i);
        }
        for (FvPool pool = 0; pool < FV_POOL_COUNT; pool++)
            fv_session_pool(caller->session, i, pool);
        if (!fv_session_output(caller->session, i)->name)
            abort();
    }
    for (int i = 0; i < fv_session_decisions(caller->session); i++)
        if (!fv_session_decision(caller->session, i))
            abort();
    fv_session_memory(caller->session);
    fv_session_needs_reference(caller->session);
}

static void open_source(Caller *caller)
{
    static const char *const sizes[] = {"W16 H16", "W40 H24 C422", "W16 H16 Cmono", "W64 H48 F25:1", "W0 H1"};
    FvError error = {0};
    char text[96], path[32];
    const unsigned which = take(caller, 2), size = take(caller, 5), frames = take(caller, 4);
    uint8_t samples[64 * 48 * 2];
    FvSource **source = &caller->sources[which];
    int *file = &caller->file[which];
    fv_source_close(source);
    if (*file < 0)
        *file = memfd_create("fuzz", 0);
    memset(samples, (int)take(caller, 256), sizeof samples);
    int length = snprintf(text, sizeof text, "YUV4MPEG2 %s%s\n", sizes[size], which ? " XCOLORRANGE=FULL" : "");
    static const int bytes[] = {16 * 24, 40 * 48, 16 * 16, 64 * 72, 1};
    bool good = *file >= 0 && !ftruncate(*file, 0) && lseek(*file, 0, SEEK_SET) == 0 &&
                write(*file, text, (size_t)length) > 0;
    for (unsigned i = 0; i < frames && good; i++)
        good = write(*file, "FRAME\n", 6) == 6 && write(*file, samples, (size_t)bytes[size]) > 0;
    if (!good)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", *file);
    check(fv_source_open(source, &(FvSourceParams){.path = path}, &error), &error);
}

static void score(Caller *caller)
{
    FvError error = {0};
    const unsigned how = take(caller, 256);
    FvScoreParams params = {.shortest = how & 1,
                            .ignore_rate = how & 2,
                            .ignore_range = how & 4,
                            .subsample = how >> 3 & 3,
                            .frames = how >> 5 & 3,
                            .skip_distorted = how >> 7};
    FvSource *ref = caller->sources[take(caller, 2)], *dis = caller->sources[take(caller, 2)];
    check(fv_score(caller->session, ref, dis, &params, &error), &error);
}

static void call(Caller *caller)
{
    FvError error = {0};
    unsigned what = take(caller, 13);
    if (!caller->session && what < 5) /* otherwise most calls would be refused */
        what = 0;
    switch (what) {
    case 0:
        open_session(caller);
        break;
    case 1:
    case 2:
        add_metric(caller);
        break;
    case 3:
        start(caller);
        break;
    case 4:
    case 5:
        make_frame(caller);
        break;
    case 6:
        push(caller, false);
        break;
    case 7:
        push(caller, take(caller, 2));
        break;
    case 8:
        check(fv_session_finish(caller->session, &error), &error);
        break;
    case 9:
        open_source(caller);
        break;
    case 10:
        score(caller);
        break;
    case 11:
        check(fv_report_write(caller->session, "/dev/null", (FvReportFormat)take(caller, 6), &error), &error);
        break;
    default:
        read_scores(caller);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    Caller caller = {.at = bytes, .end = bytes + size, .file = {-1, -1}};
    for (int i = 0; i < MOST_CALLS && caller.at < caller.end; i++)
        call(&caller);
    fv_session_close(&caller.session);
    for (int i = 0; i < 2; i++) {
        fv_source_close(&caller.sources[i]);
        if (caller.file[i] >= 0)
            close(caller.file[i]);
    }
    for (int i = 0; i < FRAMES; i++)
        fv_frame_unref(&caller.frames[i]);
    return 0;
}
