#include "view_answer.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base64.h"
#include "heat.h"
#include "json.h"
#include "page.h"
#include "rgb.h"

#define MOST_SCORES 16384 /* frames in an answer */
#define MOST_FRAME INT64_C(1000000000000)

bool view_make_token(char token[VIEW_TOKEN + 1])
{
    uint8_t random[VIEW_TOKEN / 2];
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
        return false;
    for (int i = 0; i < VIEW_TOKEN / 2; i++)
        snprintf(token + 2 * i, 3, "%02x", random[i]);
    return true;
}

/* ---- Bodies --------------------------------------------------------------------------------------------------- */

/* Starts a body that is written as a file; NULL without memory. */
static FILE *begin(ViewAnswer *answer, int status, const char *type)
{
    answer->status = status;
    answer->type = type;
    return open_memstream(&answer->body, &answer->size);
}

/* `file` may be NULL. */
static void give_up(ViewAnswer *answer, FILE *file)
{
    if (file)
        (void)fclose(file);
    free(answer->body);
    *answer = (ViewAnswer){.status = 503, .type = "text/plain"};
}

static void end(ViewAnswer *answer, FILE *file)
{
    if (!file || ferror(file))
        give_up(answer, file);
    else if (fclose(file) || !answer->body) /* the C library closes it without complaint when memory ends just then */
        give_up(answer, NULL);
}

/* A sentence for a person, as JSON. */
static void refuse(ViewAnswer *answer, int status, const char *message)
{
    FILE *file = begin(answer, status, "application/json");
    FvJson json = {.file = file};
    if (file) {
        fv_json_open(&json, NULL, '{');
        fv_json_text(&json, "error", message);
        fv_json_close(&json);
    }
    end(answer, file);
}

static void refuse_for(ViewAnswer *answer, FvStatus status, const FvError *error)
{
    if (status == FV_END)
        refuse(answer, 404, "There is no such frame.");
    else
        refuse(answer, status == FV_ERROR_USAGE ? 400 : status == FV_ERROR_MEMORY ? 503 : 500, error->message);
}

/* A number in [0, most]; -1 when the argument is missing or is none. */
static int64_t number_of(const ViewRequest *request, const char *name, int64_t most)
{
    const char *text = request->argument(request->opaque, name);
    char *rest;
    if (!text || !isdigit((unsigned char)*text) || strlen(text) > 15)
        return -1;
    const long long value = strtoll(text, &rest, 10);
    return *rest || value > most ? -1 : value;
}

/* ---- The page ------------------------------------------------------------------------------------------------- */

static void write_hash(char *policy, size_t size, const FvPageText *text)
{
    const size_t used = strlen(policy);
    snprintf(policy + used, size - used, " 'sha256-%s'", text->sha256);
}

static void write_element(FILE *file, const char *name, const FvPageText *text)
{
    fprintf(file, "<%s>", name);
    fwrite(text->text, 1, text->size, file);
    fprintf(file, "</%s>\n", name);
}

static void answer_page(ViewAnswer *answer)
{
    FILE *file = begin(answer, 200, "text/html; charset=utf-8");
    snprintf(answer->policy, sizeof answer->policy,
             "default-src 'none'; connect-src 'self'; img-src data:; base-uri "
             "'none'; form-action 'none'; frame-ancestors 'none'; style-src");
    write_hash(answer->policy, sizeof answer->policy, &fv_page_style);
    strcat(answer->policy, "; script-src");
    write_hash(answer->policy, sizeof answer->policy, &fv_page_timeline);
    write_hash(answer->policy, sizeof answer->policy, &fv_page_view);
    if (file) {
        fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
              "<meta name=\"viewport\" content=\"width=device-width\">\n<title>fovea</title>\n",
              file);
        write_element(file, "style", &fv_page_style);
        fputs("</head>\n<body>\n", file);
        fwrite(fv_page_view_body.text, 1, fv_page_view_body.size, file);
        write_element(file, "script", &fv_page_timeline);
        write_element(file, "script", &fv_page_view);
        fputs("</body>\n</html>\n", file);
    }
    end(answer, file);
}

/* ---- The clip ------------------------------------------------------------------------------------------------- */

/* The name of the file without its folders: those are nobody's business. */
static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

static void write_input(FvJson *json, const char *key, const ViewClip *clip, int side)
{
    const FvSourceInfo *info = view_clip_info(clip, side);
    if (!info) {
        fv_json_null(json, key);
        return;
    }
    char text[128];
    RgbRule rule;
    const FvFormat *format = view_clip_format(clip, side);
    rgb_rule(format, &rule);
    fv_json_open(json, key, '{');
    fv_json_text(json, "name", base_name(info->path));
    fv_json_text(json, "codec", info->codec);
    fv_json_text(json, "describe", fv_format_describe(&info->format, text, sizeof text));
    fv_json_int(json, "frames", info->frames);
    fv_json_int(json, "width", format->width);
    fv_json_int(json, "height", format->height);
    fv_json_int(json, "planes", fv_format_planes(format));
    fv_json_int(json, "across", format->chroma == FV_CHROMA_444 ? 1 : 2);
    fv_json_int(json, "down", format->chroma == FV_CHROMA_420 ? 2 : 1);
    fv_json_int(json, "depth", format->depth);
    fv_json_int(json, "rate_num", info->format.rate_num);
    fv_json_int(json, "rate_den", info->format.rate_den);
    fv_json_open(json, "rgb", '{');
    fv_json_real(json, "red", rule.red);
    fv_json_real(json, "blue", rule.blue);
    fv_json_real(json, "low", rule.low);
    fv_json_real(json, "luma", rule.luma);
    fv_json_real(json, "middle", rule.middle);
    fv_json_real(json, "chroma", rule.chroma);
    fv_json_close(json);
    fv_json_close(json);
}

static void write_option(FvJson *json, const FvOptionInfo *option)
{
    static const char *const types[] = {"bool", "int", "real", "text", "path"};
    fv_json_open_line(json, NULL, '{');
    fv_json_text(json, "name", option->name);
    fv_json_text(json, "type", types[option->type]);
    fv_json_real(json, "minimum", option->minimum);
    fv_json_real(json, "maximum", option->maximum);
    fv_json_real(json, "value", option->value);
    fv_json_text(json, "text", option->text);
    fv_json_text(json, "unit", option->unit);
    fv_json_text(json, "help", option->help);
    fv_json_open(json, "choices", '[');
    for (int i = 0; option->choices && option->choices[i]; i++)
        fv_json_text(json, NULL, option->choices[i]);
    fv_json_close(json);
    fv_json_close(json);
}

/* Options that a request may set: those that can name no file. */
static bool is_open(const FvOptionInfo *option)
{
    return option->type == FV_OPTION_BOOL || option->type == FV_OPTION_INT || option->type == FV_OPTION_REAL ||
           (option->type == FV_OPTION_TEXT && option->choices);
}

static void write_metric(FvJson *json, const FvMetricInfo *info)
{
    fv_json_open(json, NULL, '{');
    fv_json_text(json, "name", info->name);
    fv_json_text(json, "title", info->title);
    fv_json_open(json, "maps", '[');
    for (int i = 0; i < info->map_count; i++) {
        fv_json_open_line(json, NULL, '{');
        fv_json_text(json, "name", info->maps[i].name);
        fv_json_text(json, "unit", info->maps[i].unit);
        fv_json_text(json, "help", info->maps[i].help);
        fv_json_bool(json, "on_request", info->maps[i].on_request);
        fv_json_close(json);
    }
    fv_json_close(json);
    fv_json_open(json, "options", '[');
    for (int i = 0; i < info->option_count; i++)
        if (is_open(&info->options[i]))
            write_option(json, &info->options[i]);
    fv_json_close(json);
    fv_json_close(json);
}

static void write_colours(FvJson *json)
{
    uint8_t scale[HEAT_COLOURS][3];
    heat_scale(scale);
    fv_json_open_line(json, "colours", '[');
    for (int i = 0; i < HEAT_COLOURS; i++)
        for (int c = 0; c < 3; c++)
            fv_json_int(json, NULL, scale[i][c]);
    fv_json_close(json);
}

static void answer_clip(const View *view, ViewAnswer *answer)
{
    FILE *file = begin(answer, 200, "application/json");
    FvJson json = {.file = file};
    if (file) {
        fv_json_open(&json, NULL, '{');
        fv_json_text(&json, "version", fv_version());
        fv_json_int(&json, "numerics_version", fv_numerics_version());
        write_input(&json, "reference", view->clip, 0);
        write_input(&json, "distorted", view->clip, 1);
        fv_json_open(&json, "metrics", '[');
        for (int i = 0; i < fv_metric_count(); i++)
            if (fv_metric_info(i)->map_count &&
                (view_clip_info(view->clip, 0) || !fv_metric_info(i)->needs_reference))
                write_metric(&json, fv_metric_info(i));
        fv_json_close(&json);
        write_colours(&json);
        fv_json_close(&json);
    }
    end(answer, file);
}

/* ---- Scores --------------------------------------------------------------------------------------------------- */

static void write_outputs(FvJson *json, const View *view, int count)
{
    fv_json_open(json, "outputs", '[');
    for (int o = 0; o < count; o++) {
        const FvOutputInfo *info = view_clip_output(view->clip, o);
        fv_json_open_line(json, NULL, '{');
        fv_json_text(json, "name", info->name);
        fv_json_text(json, "unit", info->unit);
        fv_json_text(json, "help", info->help);
        fv_json_text(json, "better", info->better == FV_HIGHER_IS_BETTER ? "higher" : "lower");
        fv_json_bool(json, "sequence", info->sequence);
        fv_json_close(json);
    }
    fv_json_close(json);
}

static void write_scores(FILE *file, const View *view, int64_t from, double *numbers, double *values)
{
    ViewProgress progress;
    FvJson json = {.file = file};
    view_clip_progress(view->clip, &progress);
    const int64_t count = progress.outputs ? view_clip_scores(view->clip, from, MOST_SCORES, numbers, values) : 0;
    fv_json_open(&json, NULL, '{');
    fv_json_int(&json, "frames", progress.frames);
    fv_json_int(&json, "total", progress.total);
    fv_json_bool(&json, "ended", progress.ended);
    fv_json_text(&json, "message", progress.message);
    fv_json_open(&json, "decisions", '[');
    for (int i = 0; progress.ended && view_clip_decision(view->clip, i); i++)
        fv_json_text(&json, NULL, view_clip_decision(view->clip, i));
    fv_json_close(&json);
    write_outputs(&json, view, progress.outputs);
    fv_json_int(&json, "from", from);
    fv_json_int(&json, "count", count);
    fv_json_begin_text(&json, "numbers");
    fv_base64_reals(file, numbers, count, 1);
    fv_json_end_text(&json);
    fv_json_open(&json, "values", '[');
    for (int o = 0; o < progress.outputs; o++) {
        fv_json_begin_text(&json, NULL);
        fv_base64_reals(file, values + o, count, progress.outputs);
        fv_json_end_text(&json);
    }
    fv_json_close(&json);
    fv_json_close(&json);
}

static void answer_scores(const View *view, const ViewRequest *request, ViewAnswer *answer)
{
    const int64_t from = number_of(request, "from", MOST_FRAME);
    if (from < 0) {
        refuse(answer, 400, "from= is the place of the first frame.");
        return;
    }
    ViewProgress progress;
    view_clip_progress(view->clip, &progress);
    double *numbers = malloc(MOST_SCORES * sizeof *numbers);
    double *values = malloc(MOST_SCORES * (size_t)(progress.outputs + 1) * sizeof *values);
    FILE *file = numbers && values ? begin(answer, 200, "application/json") : NULL;
    if (file)
        write_scores(file, view, from, numbers, values);
    end(answer, file);
    free(numbers);
    free(values);
}

/* ---- Frames and maps ------------------------------------------------------------------------------------------ */

/* Planes one after the other, rows without gaps; words have the lower byte first. */
static void write_planes(FILE *file, const FvFrame *frame)
{
    const int bytes = fv_format_sample_bytes(&frame->format);
    for (int plane = 0; plane < fv_format_planes(&frame->format); plane++) {
        int width, height;
        fv_format_plane_size(&frame->format, plane, &width, &height);
        for (int y = 0; y < height; y++) {
            const uint8_t *row = frame->data[plane] + y * frame->stride[plane];
            if (bytes == 1 || __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) {
                fwrite(row, (size_t)bytes, (size_t)width, file);
                continue;
            }
            for (int x = 0; x < width; x++) {
                putc(row[2 * x + 1], file);
                putc(row[2 * x], file);
            }
        }
    }
}

static void answer_frame(const View *view, const ViewRequest *request, ViewAnswer *answer)
{
    const int64_t number = number_of(request, "frame", MOST_FRAME), side = number_of(request, "side", 1);
    if (number < 0 || side < 0 || !view_clip_format(view->clip, (int)side)) {
        refuse(answer, 400, "frame= is the number of a frame, side= is 0 for the reference and 1 for the distorted.");
        return;
    }
    /* Equal for the life of the server, which has another token each time. */
    char tag[sizeof answer->tag];
    snprintf(tag, sizeof tag, "\"%.8s-%d-%" PRId64 "\"", view->token + 24, (int)side, number);
    if (request->tag && !strcmp(request->tag, tag)) {
        answer->status = 304;
        answer->type = "application/octet-stream";
        return;
    }
    FvFrame *frames[2];
    FvError error = {0};
    FvStatus status = view_clip_frames(view->clip, number, frames, &error);
    if (status) {
        refuse_for(answer, status, &error);
        return;
    }
    FILE *file = begin(answer, 200, "application/octet-stream");
    if (file)
        write_planes(file, frames[side]);
    end(answer, file);
    if (answer->status == 200)
        strcpy(answer->tag, tag);
    fv_frame_unref(&frames[0]);
    fv_frame_unref(&frames[1]);
}

static const FvMetricInfo *find_metric(const char *text)
{
    const size_t length = strcspn(text, "=");
    for (int i = 0; i < fv_metric_count(); i++)
        if (strlen(fv_metric_info(i)->name) == length && !strncmp(fv_metric_info(i)->name, text, length))
            return fv_metric_info(i);
    return NULL;
}

/* Whether "name=option=value:..." has only options that can name no file, with values of plain characters. */
static bool is_harmless(const FvMetricInfo *info, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-";
    text += strlen(info->name);
    while (*text) {
        const char *name = text + 1, *value = name + strspn(name, plain);
        const FvOptionInfo *found = NULL;
        if (*value != '=')
            return false;
        for (int i = 0; i < info->option_count; i++)
            if (strlen(info->options[i].name) == (size_t)(value - name) &&
                !strncmp(info->options[i].name, name, (size_t)(value - name)))
                found = &info->options[i];
        text = value + 1 + strspn(value + 1, plain);
        if (!found || !is_open(found) || (*text && *text != ':'))
            return false;
    }
    return true;
}

/* A length, that many bytes of JSON up to a multiple of 8 with what is before, and binary32 numbers. False without
 * memory. */
static bool write_map(FILE *file, const ViewMap *map)
{
    char *head = NULL;
    size_t size = 0;
    FILE *text = open_memstream(&head, &size);
    if (!text)
        return false;
    FvJson json = {.file = text};
    fv_json_open_line(&json, NULL, '{');
    fv_json_text(&json, "name", map->info->name);
    fv_json_text(&json, "unit", map->info->unit);
    fv_json_int(&json, "width", map->width);
    fv_json_int(&json, "height", map->height);
    fv_json_real(&json, "low", map->low);
    fv_json_real(&json, "high", map->high);
    fv_json_open(&json, "values", '{');
    for (int i = 0; i < map->value_count; i++)
        fv_json_real(&json, map->values[i].name, map->values[i].value);
    fv_json_close(&json);
    fv_json_close(&json);
    const bool written = !ferror(text), whole = !fclose(text) && written && head;
    if (whole) {
        const size_t padded = (size + 4 + 7) / 8 * 8 - 4;
        for (int i = 0; i < 4; i++)
            putc((int)(padded >> 8 * i & 255), file);
        fwrite(head, 1, size, file);
        for (; size < padded; size++)
            putc(' ', file);
        const size_t count = (size_t)map->width * (size_t)map->height;
        if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
            fwrite(map->data, sizeof *map->data, count, file);
        else
            for (size_t i = 0; i < count; i++)
                for (int byte = 0; byte < 4; byte++)
                    putc(((const uint8_t *)&map->data[i])[3 - byte], file);
    }
    free(head);
    return whole;
}

static void answer_map(const View *view, const ViewRequest *request, ViewAnswer *answer)
{
    const int64_t number = number_of(request, "frame", MOST_FRAME);
    const char *metric = request->argument(request->opaque, "metric");
    const char *name = request->argument(request->opaque, "map");
    const FvMetricInfo *info = metric && strlen(metric) < 2048 ? find_metric(metric) : NULL;
    if (number < 0 || !info || !name || !is_harmless(info, metric)) {
        refuse(answer, 400,
               "frame= is the number of a frame, metric= a metric with options as /clip lists them, "
               "map= one of its maps.");
        return;
    }
    ViewMap map;
    FvError error = {0};
    FvStatus status = view_clip_map(view->clip, number, info, metric, name, &map, &error);
    if (status) {
        refuse_for(answer, status, &error);
        return;
    }
    FILE *file = begin(answer, 200, "application/octet-stream");
    if (file && write_map(file, &map))
        end(answer, file);
    else
        give_up(answer, file);
    free(map.data);
}

/* ---- All requests --------------------------------------------------------------------------------------------- */

/* The address itself or this machine's own name: a browser that was led here by another name is not meant. */
static bool is_good_host(const char *host)
{
    static const char *const names[] = {"localhost", "127.0.0.1", "[::1]"};
    size_t length = host && *host == '[' ? strcspn(host, "]") + 1 : host ? strcspn(host, ":") : 0;
    if (!length || length > strlen(host) || (host[length] && host[length] != ':'))
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && !strncmp(names[i], host, length))
            return true;
    return *host == '[' ? strspn(host + 1, "0123456789abcdefABCDEF:.") == length - 2
                        : strspn(host, "0123456789.") == length;
}

/* In a time that does not depend on where they differ. */
static bool knows_token(const char *token, const char *path)
{
    unsigned different = 0;
    if (strnlen(path, VIEW_TOKEN + 2) < VIEW_TOKEN + 2 || path[0] != '/' || path[VIEW_TOKEN + 1] != '/')
        return false;
    for (int i = 0; i < VIEW_TOKEN; i++)
        different |= (unsigned)(token[i] ^ path[1 + i]);
    return !different;
}

void view_answer(const View *view, const ViewRequest *request, ViewAnswer *answer)
{
    *answer = (ViewAnswer){.status = 403, .type = "text/plain"};
    if (!is_good_host(request->host) || !knows_token(view->token, request->path))
        return;
    const char *what = request->path + VIEW_TOKEN + 2;
    if (strcmp(request->method, "GET") && strcmp(request->method, "HEAD"))
        answer->status = 405;
    else if (!*what)
        answer_page(answer);
    else if (!strcmp(what, "clip"))
        answer_clip(view, answer);
    else if (!strcmp(what, "scores"))
        answer_scores(view, request, answer);
    else if (!strcmp(what, "frame"))
        answer_frame(view, request, answer);
    else if (!strcmp(what, "map"))
        answer_map(view, request, answer);
    else
        refuse(answer, 404, "There is nothing here.");
}
