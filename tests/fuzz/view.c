/*
 * Interprets any bytes as a request to a viewer's server. Requests without the token must learn nothing, every
 * refusal must be a sentence in JSON, and no request may make the process do anything but compute.
 */
#include "fuzz.h"
#include "taken.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "json_read.h"
#include "view/answer.h"

#define WIDTH 16
#define HEIGHT 16
#define FRAMES 3

static View view = {.token = "0123456789abcdef0123456789abcdef"};
static ViewEncode encodes[2]; /* the second encode is refused */
static ViewClipParams params = {.encodes = encodes, .count = 2, .cache_bytes = 1 << 16};

static void close_view(void)
{
    view_clip_close(&view.clip);
    view_maps_close(&params.maps);
    fv_session_close(&encodes[0].scores.session);
    for (int side = 0; side < 2; side++)
        fv_source_close(&encodes[0].scores.source[side]);
}

/* Makes a clip of two videos in memory, on the first call. It exists until the process ends. */
static void open_view(void)
{
    static const FvScoreParams score;
    static char path[32] = "/tmp/fovea-fuzz-view-XXXXXX";
    if (view.clip)
        return;
    int descriptor = mkstemp(path);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "wb");
    require(file != NULL, "no file");
    fprintf(file, "YUV4MPEG2 W%d H%d F25:1 C420jpeg\n", WIDTH, HEIGHT);
    for (int frame = 0; frame < FRAMES; frame++) {
        fputs("FRAME\n", file);
        for (int i = 0; i < WIDTH * HEIGHT * 3 / 2; i++)
            putc((i * 7 + frame * 31) & 255, file);
    }
    require(!fclose(file), "the file cannot be written");
    ViewEncode *own = &encodes[0];
    own->file[0] = own->file[1] = (FvSourceParams){.path = path, .reader = "y4m"};
    own->scores.params = &score;
    encodes[1] = (ViewEncode){.file = {own->file[0], own->file[1]}, .refused = "It has another size."};
    require(!fv_session_open(&own->scores.session, &(FvSessionParams){.device = "cpu", .isa = "scalar", .threads = 1},
                             NULL) &&
                !fv_session_add(own->scores.session, "psnr", NULL),
            "no session");
    FvError error = {0};
    require(!view_maps_open(&params.maps, NULL, 1, &error), error.message);
    for (int side = 0; side < 2; side++)
        require(!fv_source_open(&own->scores.source[side], &own->file[side], &error), error.message);
    require(!fv_score_formats(own->scores.source[0], own->scores.source[1], &score, own->format, &error),
            error.message);
    require(!view_clip_open(&view.clip, &params, &error), error.message);
    atexit(close_view);
    for (ViewProgress progress = {0}; !progress.ended;)
        view_scores_progress(view_clip_scores(view.clip, 0), &progress);
    unlink(path); /* the file stays open */
}

static const char *const names[] = {"frame", "side", "from", "metric", "map", "count", "passed", "encode"};
enum { ARGUMENTS = sizeof names / sizeof *names };

typedef struct Asked {
    char *method, *path, *host, *tag, *arguments[ARGUMENTS];
    unsigned given; /* bit i: argument i was given */
} Asked;

static const char *argument_of(void *opaque, const char *name)
{
    const Asked *asked = opaque;
    for (int i = 0; i < ARGUMENTS; i++)
        if (!strcmp(names[i], name))
            return asked->given >> i & 1 ? asked->arguments[i] : NULL;
    require(false, "an argument of another name");
    return NULL;
}

static void check_answer(const ViewAnswer *answer, bool known)
{
    require(answer->type != NULL, "no type");
    if (!known || answer->status == 403)
        require(answer->status == 403 && !answer->size && !*answer->tag, "a stranger learns something");
    require(answer->status == 200 || answer->status == 304 || answer->status == 400 || answer->status == 403 ||
                answer->status == 404 || answer->status == 405 || answer->status == 422 || answer->status == 503,
            "another status");
    if (strcmp(answer->type, "application/json"))
        return;
    FvDocument document;
    FvError error;
    require(!fv_document_open(&document, "answer", answer->body, answer->size, &error), "JSON: does not parse");
    require(answer->status == 200 || fv_member_text(&document.root, "error"), "JSON: no sentence");
    fv_document_close(&document);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    open_view();
    Bytes rest = {bytes, bytes + size};
    Asked asked = {0};
    const unsigned how = rest.at < rest.end ? *rest.at++ : 0;
    asked.given = rest.at < rest.end ? *rest.at++ : 0;
    char **texts[] = {&asked.method, &asked.path, &asked.host, &asked.tag};
    for (int i = 0; i < 4; i++)
        *texts[i] = take_text(&rest);
    for (int i = 0; i < ARGUMENTS; i++)
        asked.arguments[i] = take_text(&rest);
    char path[MOST_TEXT + VIEW_TOKEN + 3];
    snprintf(path, sizeof path, how & 1 ? "/%s/%s" : "%.0s%s", view.token, asked.path);
    ViewRequest request = {.method = how & 2 ? "GET" : asked.method,
                           .path = path,
                           .host = how & 4   ? "localhost:80"
                                   : how & 8 ? NULL
                                             : asked.host,
                           .tag = how & 16 ? asked.tag : NULL,
                           .argument = argument_of,
                           .opaque = &asked};
    ViewAnswer answer;
    view_answer(&view, &request, &answer);
    check_answer(&answer, strstr(path, view.token) != NULL && request.host);
    free(answer.body);
    for (int i = 0; i < 4; i++)
        free(*texts[i]);
    for (int i = 0; i < ARGUMENTS; i++)
        free(asked.arguments[i]);
    return 0;
}
