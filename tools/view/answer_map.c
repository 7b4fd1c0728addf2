#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "little_endian.h"
#include "metric_text.h"
#include "text.h"
#include "view/answers.h"
#include "view/body.h"

/*
 * Returns whether "name=option=value:..." has only options that cannot name a file, with values of plain characters.
 */
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
            if (fv_span_is(name, (size_t)(value - name), info->options[i].name))
                found = &info->options[i];
        text = value + 1 + strspn(value + 1, plain);
        if (!found || !view_answer_is_open(found) || (*text && *text != ':'))
            return false;
    }
    return true;
}

/* Returns the description of a map as JSON, which the caller frees. NULL: out of memory. */
static char *describe_map(const ViewMap *map, size_t *size)
{
    char *head;
    FILE *text = fv_text_open(&head, size);
    if (!text)
        return NULL;
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
    return fv_text_close(text, &head) ? head : NULL;
}

/*
 * Writes the length of the JSON, the JSON padded so that the data begin at a multiple of 8 bytes, and the data as
 * binary32 numbers. false: out of memory.
 */
static bool write_map(ViewAnswer *answer, const ViewMap *map)
{
    size_t size = 0;
    char *head = describe_map(map, &size);
    if (!head)
        return false;
    const size_t begin = (size + 4 + 7) / 8 * 8, count = (size_t)map->width * (size_t)map->height;
    *answer =
        (ViewAnswer){.status = 200, .type = "application/octet-stream", .size = begin + count * sizeof *map->data};
    char *to = answer->body = malloc(answer->size);
    if (to) {
        for (int i = 0; i < 4; i++)
            to[i] = (char)((begin - 4) >> 8 * i & 255);
        memcpy(to + 4, head, size);
        memset(to + 4 + size, ' ', begin - 4 - size);
        fv_copy_little(to + begin, map->data, count * sizeof *map->data, sizeof *map->data);
    }
    free(head);
    return to != NULL;
}

void view_answer_map(const View *view, const ViewRequest *request, ViewAnswer *answer)
{
    const int64_t number = view_body_number(request, "frame", VIEW_MOST_FRAME);
    const char *metric = request->argument(request->opaque, "metric");
    const char *name = request->argument(request->opaque, "map");
    const FvMetricInfo *info = metric && strlen(metric) < 2048 ? fv_metric_named(metric, strcspn(metric, "=")) : NULL;
    const int encode = view_body_encode(view, request, answer);
    if (encode < 0)
        return;
    if (number < 0 || !info || !name || !is_harmless(info, metric)) {
        view_body_refuse(answer, 400,
                         "frame= is the number of a frame, metric= a metric with options as /clip lists them, "
                         "map= one of its maps.");
        return;
    }
    ViewMap map;
    FvError error = {0};
    FvStatus status = view_clip_map(view->clip, encode, number, info, metric, name, &map, &error);
    if (status) {
        view_body_refuse_for(answer, status, &error);
        return;
    }
    if (!write_map(answer, &map))
        view_body_give_up(answer, NULL);
    free(map.data);
}
