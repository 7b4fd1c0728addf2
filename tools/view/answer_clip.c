#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/heat.h"
#include "image/rgb.h"
#include "json.h"
#include "path_names.h"
#include "view/answers.h"
#include "view/body.h"
#include "words.h"

bool view_answer_is_open(const FvOptionInfo *option)
{
    return option->type == FV_OPTION_BOOL || option->type == FV_OPTION_INT || option->type == FV_OPTION_REAL ||
           (option->type == FV_OPTION_TEXT && option->choices);
}

static void write_input(FvJson *json, const char *key, const ViewClip *clip, int encode, int side)
{
    const FvSourceInfo *info = view_clip_info(clip, encode, side);
    if (!info) {
        fv_json_null(json, key);
        return;
    }
    char text[128];
    RgbRule rule;
    const FvFormat *format = view_clip_format(clip, encode, side);
    rgb_rule(format, &rule);
    fv_json_open(json, key, '{');
    fv_json_text(json, "name", fv_base_name(info->path));
    fv_json_text(json, "codec", info->codec ? fv_word_codec(info->codec) : NULL);
    fv_json_text(json, "describe", fv_format_describe(&info->format, text, sizeof text));
    fv_json_int(json, "frames", info->frames);
    fv_json_int(json, "width", format->width);
    fv_json_int(json, "height", format->height);
    fv_json_int(json, "planes", fv_format_planes(format));
    fv_json_int(json, "across", format->chroma == FV_CHROMA_444 ? 1 : 2);
    fv_json_int(json, "down", format->chroma == FV_CHROMA_420 ? 2 : 1);
    fv_json_int(json, "depth", format->depth);
    fv_json_int(json, "transfer", format->transfer);
    fv_json_int(json, "primaries", format->primaries);
    fv_json_int(json, "rate_num", info->format.rate_num);
    fv_json_int(json, "rate_den", info->format.rate_den);
    if (info->timecode.base) {
        fv_json_open(json, "timecode", '{');
        fv_json_int(json, "frame", info->timecode.frame);
        fv_json_int(json, "base", info->timecode.base);
        fv_json_bool(json, "drop", info->timecode.drop);
        fv_json_close(json);
    }
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

static void write_encodes(FvJson *json, const ViewClip *clip)
{
    const ViewEncode *encode;
    fv_json_open(json, "encodes", '[');
    for (int e = 0; (encode = view_clip_encode(clip, e)); e++) {
        fv_json_open(json, NULL, '{');
        fv_json_text(json, "name", fv_base_name(encode->file[1].path));
        fv_json_text(json, "refused", encode->refused);
        if (!encode->refused) {
            write_input(json, "reference", clip, e, 0);
            write_input(json, "distorted", clip, e, 1);
        }
        fv_json_close(json);
    }
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

/*
 * Writes a metric's label: its first score's title up to the comma, "PSNR" of "PSNR, luma", or else the metric's
 * title up to the colon.
 */
static void write_label(FvJson *json, const FvMetricInfo *info)
{
    const char *name = NULL;
    for (int i = 0; i < info->output_count && !name; i++) {
        const FvMeaning *meaning = fv_meaning(info->outputs[i].name);
        name = meaning && meaning->display == FV_DISPLAY_FIRST ? meaning->title : NULL;
    }
    char label[64];
    snprintf(label, sizeof label, "%.*s", (int)strcspn(name ? name : info->title, name ? "," : ":"),
             name ? name : info->title);
    fv_json_text(json, "label", label);
}

static void write_metric(FvJson *json, const FvMetricInfo *info)
{
    fv_json_open(json, NULL, '{');
    fv_json_text(json, "name", info->name);
    fv_json_text(json, "title", info->title);
    write_label(json, info);
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
        if (view_answer_is_open(&info->options[i]))
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

/*
 * Writes an argument. Of its words, which '=', ':' and ',' divide, those that are paths lose their folders; a
 * fraction such as 30000/1001 is not a path.
 */
static void write_argument(FvJson *json, const char *argument)
{
    char *text = malloc(strlen(argument) + 1), *to = text;
    for (const char *from = argument; text && *from;) {
        const size_t length = strcspn(from, "=:,"),
                     begin = from == argument && *from == '-' && from[1] != '-' ? 2 : 0;
        const char *base = from;
        for (size_t i = 0; i < length && strspn(from, "0123456789/") < length; i++)
            base = fv_is_slash(from[i]) ? from + i + 1 : base;
        if (base != from && length > begin) {
            memcpy(to, from, begin);
            to += begin;
        }
        memcpy(to, base, (size_t)(from + length - base));
        to += from + length - base;
        from += length;
        if (*from)
            *to++ = *from++;
    }
    if (text) {
        *to = '\0';
        fv_json_text(json, NULL, text);
    }
    free(text);
}

/* Writes the command line that the user typed, without the options that concern only this server. */
static void write_arguments(FvJson *json, char **arguments)
{
    static const char *const own[] = {"--port", "--listen", "--show"};
    fv_json_open_line(json, "arguments", '[');
    for (int i = 1; arguments && arguments[i]; i++) {
        bool left_out = false;
        for (size_t o = 0; o < sizeof own / sizeof *own; o++) {
            const size_t length = strlen(own[o]);
            if (strncmp(arguments[i], own[o], length) || (arguments[i][length] && arguments[i][length] != '='))
                continue;
            left_out = true;
            i += !arguments[i][length] && arguments[i + 1];
            break;
        }
        if (!left_out)
            write_argument(json, arguments[i]);
    }
    fv_json_close(json);
}

void view_answer_clip(const View *view, ViewAnswer *answer)
{
    FILE *file = view_body_begin(answer, 200, "application/json");
    FvJson json = {.file = file};
    if (file) {
        fv_json_open(&json, NULL, '{');
        fv_json_text(&json, "version", fv_version());
        fv_json_int(&json, "numerics_version", fv_numerics_version());
        write_arguments(&json, view->arguments);
        write_encodes(&json, view->clip);
        fv_json_open(&json, "metrics", '[');
        for (int i = 0; i < fv_metric_count(); i++)
            if (fv_metric_info(i)->map_count &&
                (view_clip_encode(view->clip, 0)->file[0].path || !fv_metric_info(i)->needs_reference))
                write_metric(&json, fv_metric_info(i));
        fv_json_close(&json);
        write_colours(&json);
        fv_json_close(&json);
    }
    view_body_end(answer, file);
}
