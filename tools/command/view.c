/* fovea view: shows a pair of videos in a browser while it is scored. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/commands.h"
#include "fovea/fovea.h"
#include "result/gate.h"
#include "cli/message.h"
#include "cli/process.h"
#include "scoring/scoring.h"
#include "scoring/videos.h"
#include "view/server.h"

#define CACHE (512u << 20) /* bytes of frames */

typedef struct Job {
    const Options *options;
    Options scoring; /* without a reference and a choice: with a metric that needs none */
    Opened opened;
    Gates gates;
    ViewGate *drawn;      /* the same gates */
    FvStatus gate_status; /* of those that name no score; known when scoring has ended */
    ViewMaps *maps;
    View view;
    ViewServer *server;
} Job;

static FvStatus on_start(void *opaque, FvSession *session)
{
    Job *job = opaque;
    return job->gate_status = gates_check(&job->gates, session);
}

static FvStatus choose_gates(Job *job)
{
    FvStatus status = gates_parse(&job->gates, job->options);
    if (status)
        return status;
    job->drawn = calloc((size_t)job->gates.count + 1, sizeof *job->drawn);
    if (!job->drawn)
        return complain(FV_ERROR_MEMORY, "out of memory while reading the options");
    for (int i = 0; i < job->gates.count; i++) {
        const Gate *gate = &job->gates.gates[i];
        job->drawn[i] = (ViewGate){gate->output, gate->pool, gate->above, gate->limit};
    }
    return FV_OK;
}

static FvStatus open_scoring(Job *job)
{
    static const char *alone[] = {"cambi"};
    const Options *options = job->options;
    const FvSessionParams params = {.device = options->device,
                                    .isa = options->isa,
                                    .threads = (int)options->threads,
                                    .log = message_log,
                                    .scenes = options->scenes};
    job->scoring = *options;
    job->scoring.draws_ycbcr = true;
    if (!options->reference && !options->metrics.count && !options->models.count)
        job->scoring.metrics = (ArgList){alone, 1};
    FvStatus status = scoring_open(&job->opened, &job->scoring, &params);
    return status ? status : scoring_align(&job->opened, &job->scoring);
}

static FvStatus open_clip(Job *job)
{
    const Opened *opened = &job->opened;
    FvError error = {0};
    ViewClipParams params = {
        .scores = {.session = opened->session,
                   .source = {opened->source[0], opened->source[1]},
                   .params = &opened->params,
                   .gates = job->drawn,
                   .gate_count = job->gates.count,
                   .started = on_start,
                   .opaque = job},
        .maps = job->maps,
        .cache_bytes = CACHE,
    };
    for (int side = opened->source[0] ? 0 : 1; side < 2; side++)
        params.file[side] = opened->source_params[side];
    FvStatus status = view_clip_open(&job->view.clip, &params, &error);
    return complain_if(status, &error);
}

static FvStatus open_maps(Job *job)
{
    const int threads = job->options->threads ? (int)job->options->threads : fv_processors();
    FvError error = {0};
    FvStatus status = view_maps_open(&job->maps, job->options->map_device, threads < 256 ? threads : 256, &error);
    return complain_if(status, &error);
}

/* An unusable device is a mistake on the command line: reported before the page is opened. */
static FvStatus wait_for_maps(Job *job)
{
    FvError error = {0};
    FvStatus status = view_maps_wait(job->maps, &error);
    return !status ? FV_OK
                   : complain(status, "--map-device: %s; without this option the CPU makes the maps", error.message);
}

/* It gets the address. */
static FvStatus check_output(const Job *job)
{
    FvError error = {0};
    const FvOutputParams params = {
        .sources = (const FvSource *const *)job->opened.source, .source_count = 2, .session = job->opened.session};
    return complain_if(outputs_check(&params, &error), &error);
}

static FvStatus prepare(Job *job)
{
    if (!view_server_exists())
        return complain(FV_ERROR_USAGE,
                        "the viewer needs a build with libmicrohttpd (Debian: libmicrohttpd-dev); without it, 'fovea "
                        "score -o report.html' shows the worst frames");
    if (!job->options->distorted)
        return complain(FV_ERROR_USAGE, "the video is missing: fovea view REFERENCE DISTORTED");
    if (!view_make_token(job->view.token))
        return complain(FV_ERROR_OUTPUT, "the system provides no random numbers for the token");
    FvStatus status = choose_gates(job);
    if (!status)
        status = open_maps(job);
    if (!status)
        status = open_scoring(job);
    if (!status)
        status = check_output(job);
    if (!status)
        status = open_clip(job);
    return status ? status : wait_for_maps(job);
}

static FvStatus print_address(const char *address, int port, const char *token, const char *show)
{
    const bool six = strchr(address, ':') != NULL, loopback = !strncmp(address, "127.", 4) || !strcmp(address, "::1");
    printf("http://%s%s%s:%d/%s/%s%s\n", six ? "[" : "", address, six ? "]" : "", port, token, show ? "#" : "",
           show ? show : "");
    if (fflush(stdout))
        return complain(FV_ERROR_OUTPUT, "standard output cannot be written");
    fputs("Open this address in a browser; Ctrl-C ends the viewer.\n", message_file());
    if (loopback)
        fprintf(message_file(),
                "From another machine: ssh -L %d:%s%s%s:%d THIS-MACHINE, then http://localhost:%d/%s/\n", port,
                six ? "[" : "", address, six ? "]" : "", port, port, token);
    else
        warn("the pictures and the token cross the network unencrypted: ssh -L is safer");
    message_flush();
    return FV_OK;
}

static FvStatus serve(Job *job)
{
    const char *address = job->options->listen ? job->options->listen : "127.0.0.1";
    FvError error = {0};
    int port = (int)job->options->port;
    if (complain_if(view_server_open(&job->server, &job->view, address, &port, &error), &error))
        return error.status;
    FvStatus status = print_address(address, port, job->view.token, job->options->show);
    while (!status && !fv_cancel_requested(job->opened.cancel)) {
        ViewProgress progress;
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
        view_scores_progress(view_clip_scores(job->view.clip), &progress);
        if (progress.ended)
            status = job->gate_status;
    }
    return status;
}

static int run(const void *values, const ArgList *words)
{
    Job job = {.options = values, .view.arguments = process_arguments()};
    FvStatus status = prepare(&job);
    if (!status)
        status = serve(&job);
    view_server_close(&job.server);
    view_clip_close(&job.view.clip);
    view_maps_close(&job.maps);
    scoring_close(&job.opened);
    gates_free(&job.gates);
    free(job.drawn);
    return status;
}

const Command command_view = {
    .name = "view",
    .summary = "look at a pair of videos in a browser while it is scored",
    .synopsis = "[REFERENCE] DISTORTED [OPTION]...",
    .description =
        "Prints an address to open in a browser. The page shows the scores while they are computed, and any frame: "
        "both videos side by side, split or flickering, their difference, and maps of metrics, whose options can be "
        "changed while you look. Only someone who knows the address can open it. The server listens on this machine "
        "alone unless --listen gives another address; Ctrl-C ends it.",
    .example = "fovea view -r source.mov -d encode.mp4\n"
               "fovea view -r source.mov -d encode.mp4 --scale dis --crop-ref auto --fail-below psnr_y=35:p5\n"
               "fovea view -d encode.mp4 --metric cambi --port 8080",
    .refusal = "name the videos: fovea view -r REFERENCE -d DISTORTED",
    OPTIONS_OF(FOR_VIEW),
    .run = run,
};
