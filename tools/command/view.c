/* fovea view: shows one or several encodes of a reference in a browser while they are scored. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/commands.h"
#include "cli/message.h"
#include "cli/process.h"
#include "cli/stop.h"
#include "fovea/fovea.h"
#include "path_names.h"
#include "scoring/encodes.h"
#include "scoring/scoring.h"
#include "scoring/videos.h"
#include "table/gate.h"
#include "view/server.h"

#define CACHE (512u << 20) /* bytes of cached frames */

typedef struct Job Job;

typedef struct Encode {
    Job *job;
    Options options; /* the command's options; without a reference and --metric, they get a metric that needs no
                        reference */
    Opened opened;
    FvStatus gate_status; /* error of gates that name no score; set when scoring has begun */
    char refused[1024];
} Encode;

struct Job {
    const Options *options;
    ArgList names;
    Encode *encodes;   /* an encode for each name */
    ViewEncode *shown; /* the encodes in the form of the viewer */
    bool several;
    FvSource *shared; /* the reference, if all encodes are scored against one open source */
    Gates gates;
    ViewGate *drawn; /* `gates` in the form of the viewer */
    ViewMaps *maps;
    View view;
    ViewServer *server;
};

static FvStatus on_start(void *opaque, FvSession *session)
{
    Encode *encode = opaque;
    return encode->gate_status = gates_check(&encode->job->gates, session);
}

static FvStatus choose_gates(Job *job)
{
    FvStatus status = gates_parse(&job->gates, job->options);
    if (status)
        return status;
    job->drawn = calloc((size_t)job->gates.count + 1, sizeof *job->drawn);
    if (!job->drawn)
        return report_error(FV_ERROR_MEMORY, "out of memory while reading the options");
    for (int i = 0; i < job->gates.count; i++) {
        const Gate *gate = &job->gates.gates[i];
        job->drawn[i] = (ViewGate){gate->output, gate->pool, gate->above, gate->limit};
    }
    return FV_OK;
}

/* ---- The encodes ------------------------------------------------------------------------------------------------
 */

static FvStatus list_encodes(Job *job)
{
    const Options *options = job->options;
    if (!options->encodes.count)
        return report_error(FV_FAIL_MISSING_VIDEO, "the video is missing: fovea view REFERENCE DISTORTED");
    FvStatus status = encodes_list(&job->names, &options->encodes);
    if (status)
        return status;
    job->several = job->names.count > 1;
    if (job->names.count > VIEW_ENCODES)
        return report_error(FV_ERROR_USAGE, "%d encodes are more than the %d that the viewer shows: name fewer",
                            job->names.count, VIEW_ENCODES);
    for (int e = -1; e < job->names.count && job->several; e++) {
        const char *name = e < 0 ? options->reference : job->names.items[e];
        if (name && videos_is_stream(name))
            return report_error(FV_ERROR_USAGE, "%s is not a file, and the viewer reads files: store it in one",
                                strcmp(name, "-") ? name : "standard input");
    }
    job->encodes = calloc((size_t)job->names.count, sizeof *job->encodes);
    job->shown = calloc((size_t)job->names.count, sizeof *job->shown);
    return job->encodes && job->shown ? FV_OK : report_error(FV_ERROR_MEMORY, "out of memory for the encodes");
}

static FvStatus open_scoring(Encode *encode, int threads)
{
    const Job *job = encode->job;
    FvSessionParams params = job->options->run.session;
    params.threads = threads;
    params.log = job->several ? NULL : message_log; /* the page shows each encode's messages */
    FvStatus status = scoring_open(&encode->opened, &encode->options, &params);
    return status ? status : scoring_align(&encode->opened, &encode->options);
}

/* Checks that standard output, to which the address is printed, is none of the videos. */
static FvStatus check_output(const Encode *encode)
{
    FvError error = {0};
    const FvOutputParams params = {.sources = (const FvSource *const *)encode->opened.source,
                                   .source_count = 2,
                                   .session = encode->opened.session};
    return report_error_if(outputs_check(&params, &error), &error);
}

static FvStatus open_encode(Job *job, int number, int threads)
{
    static const char *alone[] = {"cambi"};
    Encode *encode = &job->encodes[number];
    ViewEncode *shown = &job->shown[number];
    const Opened *opened = &encode->opened;
    FvError error = {0};
    *encode = (Encode){.job = job, .options = *job->options, .opened.shared = job->shared};
    encode->options.draws_ycbcr = true;
    encode->options.distorted = job->names.items[number];
    if (!encode->options.reference && !encode->options.metrics.count && !encode->options.run.model_count)
        encode->options.metrics = (ArgList){.items = alone, .count = 1};
    FvStatus status = open_scoring(encode, threads);
    if (!status)
        status = check_output(encode);
    for (int side = encode->options.reference ? 0 : 1; side < 2; side++)
        shown->file[side] = opened->run.source[side];
    shown->file[0].path = encode->options.reference;
    shown->file[1].path = encode->options.distorted;
    shown->scores = (ViewScoresParams){.session = opened->session,
                                       .source = {opened->source[0], opened->source[1]},
                                       .params = &opened->run.score,
                                       .gates = job->drawn,
                                       .gate_count = job->gates.count,
                                       .started = on_start,
                                       .opaque = encode};
    return status ? status
                  : report_error_if(fv_score_ycbcr_formats(opened->source[0], opened->source[1], &opened->run.score,
                                                           shown->format, &error),
                                    &error);
}

/* Removes the folder of `path` from a message, because pages show names without folders. */
static void drop_folder(char *text, const char *path)
{
    const char *slash = path ? fv_last_slash(path) : NULL;
    char *at = slash ? strstr(text, path) : NULL;
    if (at)
        memmove(at, at + (slash + 1 - path), strlen(at + (slash + 1 - path)) + 1);
}

/* Marks an encode as refused, and removes its name from the reason, because the page shows the name next to it. */
static void refuse(Job *job, int number, const char *why)
{
    Encode *encode = &job->encodes[number];
    const char *name = job->names.items[number];
    const size_t length = strlen(name);
    if (why && !strncmp(why, name, length) && !strncmp(why + length, ": ", 2))
        why += length + 2;
    snprintf(encode->refused, sizeof encode->refused, "%s", why ? why : "");
    drop_folder(encode->refused, name);
    drop_folder(encode->refused, job->options->reference);
    job->shown[number].refused = encode->refused;
}

/*
 * Opens the encodes. Wrong usage concerns all encodes and ends the command. Otherwise an encode that is refused does
 * not stop the others, and the page shows the reason.
 */
static FvStatus open_encodes(Job *job)
{
    const Options *options = job->options;
    const int all = options->run.session.threads ? options->run.session.threads : fv_processors(),
              count = job->names.count;
    const bool shares = job->several && options->reference && !scoring_gpu_memory(options);
    const FvCancel *cancel = stop_on_signals();
    FvStatus status = cancel ? FV_OK : FV_ERROR_MEMORY, first = FV_OK;
    int good = 0;
    Options tagged = *options;
    tagged.draws_ycbcr = true;
    if (!status && shares)
        status = scoring_open_reference(&job->shared, &tagged,
                                        options->run.session.device ? options->run.session.device : "auto", cancel);
    for (int e = 0; e < count && !status; e++) {
        message_forget_error();
        message_about(job->several ? job->names.items[e] : NULL);
        const FvStatus own = open_encode(job, e,
                                         !shares       ? options->run.session.threads
                                         : all > count ? all / count
                                                       : 1);
        message_about(NULL);
        if (own == FV_ERROR_USAGE || (own && !job->several))
            return own;
        good += !own;
        first = first ? first : own;
        if (own)
            refuse(job, e, message_first_error());
    }
    return status || good ? status : first;
}

static FvStatus open_clip(Job *job)
{
    FvError error = {0};
    const ViewClipParams params = {.encodes = job->shown,
                                   .count = job->names.count,
                                   .shared = job->shared,
                                   .threads = job->options->run.session.threads,
                                   .maps = job->maps,
                                   .cache_bytes = CACHE};
    FvStatus status = view_clip_open(&job->view.clip, &params, &error);
    return report_error_if(status, &error);
}

/* ---- The start --------------------------------------------------------------------------------------------------
 */

static FvStatus open_maps(Job *job)
{
    const int threads = job->options->run.session.threads ? job->options->run.session.threads : fv_processors();
    FvError error = {0};
    FvStatus status = view_maps_open(&job->maps, job->options->map_device, threads < 256 ? threads : 256, &error);
    return report_error_if(status, &error);
}

/*
 * Waits for the device of maps, because an unusable device is a mistake on the command line, which the command
 * reports before it opens the page.
 */
static FvStatus wait_for_maps(Job *job)
{
    FvError error = {0};
    FvStatus status = view_maps_wait(job->maps, &error);
    return !status ? FV_OK
                   : report_error(fv_failure_of(&error),
                                  "--map-device: %s; without this option the CPU makes the maps", error.message);
}

static FvStatus prepare_view(Job *job)
{
    if (!view_server_exists())
        return report_error(
            FV_ERROR_USAGE,
            "the viewer needs a build with libmicrohttpd (Debian: libmicrohttpd-dev); without it, 'fovea "
            "score -o report.html' shows the worst frames");
    FvStatus status = list_encodes(job);
    if (!status && !view_make_token(job->view.token))
        status = report_error(FV_ERROR_OUTPUT, "the system provides no random numbers for the token");
    if (!status)
        status = choose_gates(job);
    if (!status)
        status = open_maps(job);
    if (!status)
        status = open_encodes(job);
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
        return report_error(FV_ERROR_OUTPUT, "standard output cannot be written");
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

/* Returns the result of the gates of all encodes, after scoring has ended. */
static FvStatus gates_of_all(const Job *job)
{
    FvStatus status = FV_OK;
    for (int e = 0; e < job->names.count && !status; e++) {
        ViewProgress progress = {0};
        if (!job->shown[e].refused)
            view_scores_progress(view_clip_scores(job->view.clip, e), &progress);
        if (progress.ended)
            status = job->encodes[e].gate_status;
    }
    return status;
}

static FvStatus serve(Job *job)
{
    const FvCancel *cancel = stop_on_signals();
    const char *address = job->options->listen ? job->options->listen : "127.0.0.1";
    FvError error = {0};
    int port = (int)job->options->port;
    if (report_error_if(view_server_open(&job->server, &job->view, address, &port, &error), &error))
        return error.status;
    FvStatus status = print_address(address, port, job->view.token, job->options->show);
    while (!status && !fv_cancel_requested(cancel)) {
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
        status = gates_of_all(job);
    }
    return status;
}

static int run(const void *values, const ArgList *words)
{
    Job job = {.options = values, .view.arguments = process_arguments()};
    FvStatus status = prepare_view(&job);
    if (!status)
        status = serve(&job);
    view_server_close(&job.server);
    view_clip_close(&job.view.clip);
    view_maps_close(&job.maps);
    for (int e = 0; job.encodes && e < job.names.count; e++)
        scoring_close(&job.encodes[e].opened);
    fv_source_close(&job.shared);
    free(job.encodes);
    free(job.shown);
    encodes_free(&job.names);
    gates_free(&job.gates);
    free(job.drawn);
    return status;
}

const Command command_view = {
    .name = "view",
    .summary = "look at videos in a browser while they are scored",
    .synopsis = "[REFERENCE] DISTORTED... [OPTION]...",
    .description =
        "Prints an address to open in a browser. The page shows the scores while they are computed, and any frame: "
        "both videos side by side, split or flickering, their difference, and maps of metrics, whose options can be "
        "changed while you look. Several encodes of a reference have their curves over each other, and keys 1 to 9 "
        "choose one. Only someone who knows the address can open it. The server listens on this machine "
        "alone unless --listen gives another address; Ctrl-C ends it.",
    .example = "fovea view -r source.mov -d encode.mp4\n"
               "fovea view source.mov low.mp4 middle.mp4 high.mp4\n"
               "fovea view -r source.mov -d encode.mp4 --scale dis --crop-ref auto --fail-below psnr_y=35:p5\n"
               "fovea view -d encode.mp4 --metric cambi --port 8080",
    .refusal = "name the videos: fovea view -r REFERENCE -d DISTORTED",
    OPTIONS_OF(FOR_VIEW),
    .run = run,
};
