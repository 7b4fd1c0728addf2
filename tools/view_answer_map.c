#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "view_answers.h"
#include "view_body.h"

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
        if (!found || !view_answer_is_open(found) || (*text && *text != ':'))
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

void view_answer_map(const View *view, const ViewRequest *request, ViewAnswer *answer)
{
    const int64_t number = view_body_number(request, "frame", VIEW_MOST_FRAME);
    const char *metric = request->argument(request->opaque, "metric");
    const char *name = request->argument(request->opaque, "map");
    const FvMetricInfo *info = metric && strlen(metric) < 2048 ? find_metric(metric) : NULL;
    if (number < 0 || !info || !name || !is_harmless(info, metric)) {
        view_body_refuse(answer, 400,
                         "frame= is the number of a frame, metric= a metric with options as /clip lists them, "
                         "map= one of its maps.");
        return;
    }
    ViewMap map;
    FvError error = {0};
    FvStatus status = view_clip_map(view->clip, number, info, metric, name, &map, &error);
    if (status) {
        view_body_refuse_for(answer, status, &error);
        return;
    }
    FILE *file = view_body_begin(answer, 200, "application/octet-stream");
    if (file && write_map(file, &map))
        view_body_end(answer, file);
    else
        view_body_give_up(answer, file);
    free(map.data);
}
