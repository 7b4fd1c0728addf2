#include <stdio.h>
#include <string.h>

#include "image/heat.h"
#include "json.h"
#include "image/rgb.h"
#include "view/answers.h"
#include "view/body.h"

bool view_answer_is_open(const FvOptionInfo *option)
{
    return option->type == FV_OPTION_BOOL || option->type == FV_OPTION_INT || option->type == FV_OPTION_REAL ||
           (option->type == FV_OPTION_TEXT && option->choices);
}

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

void view_answer_clip(const View *view, ViewAnswer *answer)
{
    FILE *file = view_body_begin(answer, 200, "application/json");
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
    view_body_end(answer, file);
}
