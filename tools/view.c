/* fovea view: looks at a pair of videos in a browser, while it is scored. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "choice.h"
#include "command.h"
#include "fovea/fovea.h"
#include "geometry.h"
#include "message.h"
#include "rows.h"
#include "stop.h"
#include "videos.h"
#include "view_server.h"

#define CACHE (512u << 20) /* bytes of frames */

typedef struct Viewing {
    const char *reference, *distorted, *reader, *listen, *device, *isa, *still_device;
    ArgList metrics;
    Geometry geometry;
    int64_t threads, port;
    bool shortest;
} Viewing;

#define AT(field) offsetof(Viewing, field)

static const ArgOption options[] = {
    {.section = "Videos", ROW_DISTORTED(AT(distorted)), .help = "the video to look at"},
    {ROW_REFERENCE(AT(reference)), .help = "what it is compared with"},
    {ROW_READER(AT(reader))},
    {ROW_WIDTH(AT(geometry.width))},
    {ROW_HEIGHT(AT(geometry.height))},
    {ROW_PIXEL_FORMAT(AT(geometry.pixel_format))},
    {ROW_BITDEPTH(AT(geometry.depth))},
    {.name = "shortest",
     .kind = ARG_FLAG,
     .offset = AT(shortest),
     .help = "look at the frames that both videos have when their lengths differ"},
    {.section = "Scores",
     .name = "metric",
     .letter = 'm',
     .kind = ARG_LIST,
     .offset = AT(metrics),
     .value = "NAME[=OPTIONS],...",
     .offer = OFFER_METRICS,
     .help =
         "metrics that are scored while you look; may be repeated (those of fovea score, or cambi for one video)"},
    {.section = "Server",
     .name = "port",
     .kind = ARG_INT,
     .offset = AT(port),
     .value = "N",
     .minimum = 0,
     .maximum = 65535,
     .help = "where it listens; 0 takes any port that is free (0)"},
    {.name = "listen",
     .kind = ARG_TEXT,
     .offset = AT(listen),
     .value = "ADDRESS",
     .help = "an address of this machine, in numbers, for other machines to reach; what is sent is not encrypted "
             "(127.0.0.1)"},
    {.section = "Processors", ROW_DEVICE(AT(device))},
    {.name = "map-device",
     .kind = ARG_TEXT,
     .offset = AT(still_device),
     .value = "NAME",
     .help = "the device of maps, as fovea devices names it (cpu)"},
    {ROW_ISA(AT(isa))},
    {ROW_THREADS(AT(threads), 256)},
};

typedef struct Job {
    const Viewing *viewing;
    const FvCancel *cancel;
    FvSession *session;
    FvScoreParams params;
    ViewClipParams clip;
    View view;
    ViewServer *server;
} Job;

static FvStatus add_usual(Job *job, FvError *error)
{
    if (!job->viewing->reference)
        return fv_session_add(job->session, "cambi", error);
    FvSource *sources[2] = {NULL, NULL};
    FvFormat formats[2];
    FvStatus status = FV_OK;
    for (int side = 0; side < 2 && !status; side++)
        status = fv_source_open(&sources[side], &job->clip.file[side], error);
    if (!status)
        status = fv_score_formats(sources[0], sources[1], &job->params, formats, error);
    fv_source_close(&sources[0]);
    fv_source_close(&sources[1]);
    if (!status && choice_add_usual(job->session, &formats[0], &formats[1])) {
        *error = (FvError){.status = FV_ERROR_USAGE};
        snprintf(error->message, sizeof error->message, "choose a metric with --metric");
        status = error->status;
    }
    return status;
}

static FvStatus open_session(Job *job, FvError *error)
{
    const Viewing *viewing = job->viewing;
    FvSessionParams params = {
        .device = viewing->device, .isa = viewing->isa, .threads = (int)viewing->threads, .cancel = job->cancel};
    FvStatus status = fv_session_open(&job->session, &params, error);
    for (int i = 0; i < viewing->metrics.count && !status; i++)
        status = fv_session_add(job->session, viewing->metrics.items[i], error);
    return status || viewing->metrics.count ? status : add_usual(job, error);
}

static FvStatus choose_files(Job *job)
{
    const Viewing *viewing = job->viewing;
    FvFormat raw;
    const char *const paths[2] = {viewing->reference, viewing->distorted};
    FvStatus status = geometry_parse(&viewing->geometry, viewing->reader, &raw);
    for (int side = 0; side < 2 && !status; side++)
        job->clip.file[side] = (FvSourceParams){.path = paths[side],
                                                .reader = viewing->reader,
                                                .raw = raw,
                                                .raw_layout = geometry_layout(&viewing->geometry),
                                                .threads = (int)viewing->threads,
                                                .cancel = job->cancel};
    job->params.shortest = viewing->shortest;
    job->clip.params = &job->params;
    job->clip.device = viewing->still_device;
    job->clip.threads = (int)viewing->threads;
    job->clip.cache_bytes = CACHE;
    return status;
}

static FvStatus prepare(Job *job)
{
    const Viewing *viewing = job->viewing;
    FvError error = {0};
    if (!view_server_exists())
        return complain(FV_ERROR_USAGE,
                        "this build has no libmicrohttpd (Debian: libmicrohttpd-dev), which the viewer needs; fovea "
                        "score -o report.html shows the worst frames without it");
    if (!viewing->distorted)
        return complain(FV_ERROR_USAGE, "no video: name it with -d VIDEO");
    FvStatus status = videos_check(viewing->reference, viewing->distorted);
    if (!status)
        status = choose_files(job);
    if (!status && !(job->cancel = stop_on_signals()))
        status = FV_ERROR_MEMORY;
    if (status)
        return status;
    job->clip.file[0].cancel = job->clip.file[1].cancel = job->cancel;
    if (!view_make_token(job->view.token))
        return complain(FV_ERROR_OUTPUT, "the system has no random numbers for the token");
    status = open_session(job, &error);
    if (!status && !viewing->reference && fv_session_needs_reference(job->session)) {
        snprintf(error.message, sizeof error.message, "a metric compares with a reference: name it with -r FILE");
        status = FV_ERROR_USAGE;
    }
    job->clip.session = job->session;
    if (!status)
        status = view_clip_open(&job->view.clip, &job->clip, &error);
    return status ? complain(status, "%s", error.message) : FV_OK;
}

static FvStatus print_address(const char *address, int port, const char *token)
{
    const bool six = strchr(address, ':') != NULL, loopback = !strncmp(address, "127.", 4) || !strcmp(address, "::1");
    printf("http://%s%s%s:%d/%s/\n", six ? "[" : "", address, six ? "]" : "", port, token);
    if (fflush(stdout))
        return complain(FV_ERROR_OUTPUT, "standard output cannot be written");
    fputs("Open this address in a browser; Ctrl-C ends the viewer.\n", message_file());
    if (loopback)
        fprintf(message_file(),
                "From another machine: ssh -L %d:%s%s%s:%d THIS-MACHINE, then http://localhost:%d/%s/\n", port,
                six ? "[" : "", address, six ? "]" : "", port, port, token);
    else
        warn("whoever can read the network sees the pictures and the token: ssh -L is safer");
    message_flush();
    return FV_OK;
}

static FvStatus serve(Job *job)
{
    const char *address = job->viewing->listen ? job->viewing->listen : "127.0.0.1";
    FvError error = {0};
    int port = (int)job->viewing->port;
    if (view_server_open(&job->server, &job->view, address, &port, &error))
        return complain(error.status, "%s", error.message);
    FvStatus status = print_address(address, port, job->view.token);
    while (!status && !fv_cancel_requested(job->cancel))
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    return status;
}

static int run(const void *values, const ArgList *words)
{
    (void)words;
    Job job = {.viewing = values};
    FvStatus status = prepare(&job);
    if (!status)
        status = serve(&job);
    view_server_close(&job.server);
    view_clip_close(&job.view.clip);
    fv_session_close(&job.session);
    return status;
}

const Command command_view = {
    .name = "view",
    .summary = "look at a pair of videos in a browser while it is scored",
    .synopsis = "[-r REFERENCE] -d DISTORTED [OPTION]...",
    .description =
        "Prints an address to be opened in a browser. The page shows the scores while they are computed, and any "
        "frame: "
        "both videos side by side, split, in flicker, their difference, and maps of metrics, whose options can be "
        "changed while you look. Only who knows the address can look. The server listens on this machine alone "
        "unless "
        "--listen says otherwise, and ends with Ctrl-C.",
    .example = "fovea view -r source.mov -d encode.mp4\n"
               "fovea view -d encode.mp4 --metric cambi --port 8080",
    .refusal = "name the videos: fovea view -r REFERENCE -d DISTORTED",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .values_size = sizeof(Viewing),
    .run = run,
};
