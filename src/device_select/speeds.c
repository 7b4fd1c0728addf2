#include "device_select/speeds.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "config.h"
#include "fovea/device.h"
#if FV_HAVE_GPU
#include "gpu/cache.h"
#endif
#include "os/file.h"

#define HEAD "fovea-speeds-2 "
#define OTHER_UNITS "fovea-speeds-1 " /* first words of a file with older units, which is ignored and replaced */
#define MOST_WEIGHT 4.0               /* maximum weight of all earlier measurements */
#define MOST_SECONDS 1e3              /* maximum of a speed in seconds, so that its count of units fits 64 bits */
#define UNITS 1e15                    /* the file counts seconds in units of 1 / UNITS */
#define WEIGHTS 1e3                   /* the file counts weights in units of 1 / WEIGHTS */
#define MOST_BYTES (FV_SPEEDS * (sizeof(FvSpeed) + 64))

/* ---- The file: first a hash of the other lines, then one line per speed ---------------------------------------- */

static bool find_path(char *path, size_t size)
{
#if FV_HAVE_GPU
    return fv_gpu_cache_path(path, size, "speeds");
#else
    return false;
#endif
}

static uint64_t hash_of(const char *text, size_t bytes)
{
#if FV_HAVE_GPU
    return fv_gpu_hash(FV_GPU_HASH, text, bytes);
#else
    return 0;
#endif
}

/*
 * Formats to write and to read a line. Value and weight are written as integers, because decimal points depend on the
 * locale.
 */
#define LINE "%" PRIu64 " %" PRIu64 " %d %d %d %s\t%s\n"
#define NUMBERS "%19" SCNu64 " %9" SCNu64 " %5d %5d %2d %n"

static bool parse_speed(char *line, FvSpeed *speed)
{
    uint64_t value = 0, weight = 0;
    int end = 0;
    *speed = (FvSpeed){.width = 0};
    if (sscanf(line, NUMBERS, &value, &weight, &speed->width, &speed->height, &speed->depth, &end) != 5 || !end)
        return false;
    char *where = strchr(line + end, '\t');
    speed->value = (double)value / UNITS;
    speed->weight = (double)weight / WEIGHTS;
    const bool sized = speed->width > 0 && speed->height > 0 && speed->depth > 0;
    const bool unsized = !speed->width && !speed->height && !speed->depth;
    if (!where || !value || value > (uint64_t)(MOST_SECONDS * UNITS) || !weight || speed->weight > MOST_WEIGHT ||
        !(sized || unsized))
        return false;
    *where++ = '\0';
    return (size_t)snprintf(speed->what, sizeof speed->what, "%s", line + end) < sizeof speed->what &&
           (size_t)snprintf(speed->where, sizeof speed->where, "%s", where) < sizeof speed->where;
}

/* Parses a file. An absent or empty file, or one with other units, is valid. */
static bool parse_all(FvSpeeds *speeds, char *text)
{
    uint64_t hash;
    int end = 0;
    if (!*text || !strncmp(text, OTHER_UNITS, strlen(OTHER_UNITS)))
        return true;
    if (sscanf(text, HEAD "%16" SCNx64 "%n", &hash, &end) != 1 || text[end++] != '\n' ||
        hash != hash_of(text + end, strlen(text + end)))
        return false;
    for (char *line = text + end, *next; *line; line = next) {
        next = strchr(line, '\n');
        if (!next || speeds->count == FV_SPEEDS)
            return false;
        *next++ = '\0';
        if (!parse_speed(line, &speeds->item[speeds->count++]))
            return false;
    }
    return true;
}

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = malloc(MOST_BYTES + 1);
    size_t bytes = file && text ? fread(text, 1, MOST_BYTES, file) : 0;
    if (text)
        text[bytes] = '\0';
    if (file)
        fclose(file);
    return text;
}

void fv_speeds_read(FvSpeeds *speeds)
{
    *speeds = (FvSpeeds){.count = 0};
    if (!find_path(speeds->path, sizeof speeds->path) || !(speeds->item = calloc(FV_SPEEDS, sizeof *speeds->item)))
        return;
    char *text = read_text(speeds->path);
    speeds->damaged = text && !parse_all(speeds, text);
    if (speeds->damaged)
        speeds->count = 0;
    free(text);
}

void fv_speeds_free(FvSpeeds *speeds)
{
    free(speeds->item);
    *speeds = (FvSpeeds){.count = 0};
}

void fv_speeds_keep(const FvSpeeds *speeds)
{
    char *text = speeds->item ? malloc(MOST_BYTES) : NULL, head[64];
    size_t bytes = 0;
    if (!text)
        return;
    for (int i = 0; i < speeds->count; i++) {
        const FvSpeed *speed = &speeds->item[i];
        bytes += (size_t)snprintf(text + bytes, MOST_BYTES - bytes, LINE, (uint64_t)(speed->value * UNITS + 0.5),
                                  (uint64_t)(speed->weight * WEIGHTS), speed->width, speed->height, speed->depth,
                                  speed->what, speed->where);
    }
    const int length = snprintf(head, sizeof head, HEAD "%016" PRIx64 "\n", hash_of(text, bytes));
    fv_file_keep(speeds->path, (FvFilePart[]){{head, (size_t)length}, {text, bytes}});
    free(text);
}

/* ---- Looking up and adding ------------------------------------------------------------------------------------- */

static bool is_of(const FvSpeed *speed, const char *what, const char *where)
{
    return !strcmp(speed->what, what) && !strcmp(speed->where, where);
}

const FvSpeed *fv_speeds_find(const FvSpeeds *speeds, const char *what, const char *where, const FvFormat *format)
{
    const FvSpeed *nearest = NULL;
    double least = INFINITY;
    for (int i = 0; i < speeds->count; i++) {
        const FvSpeed *speed = &speeds->item[i];
        if (!is_of(speed, what, where) || !format != !speed->depth ||
            (format && (format->depth > 8) != (speed->depth > 8)))
            continue;
        const double ratio =
            format ? (double)format->width * format->height / ((double)speed->width * speed->height) : 1;
        const double distance = fmax(ratio, 1 / ratio);
        if (distance < least) {
            least = distance;
            nearest = speed;
        }
    }
    return nearest;
}

const char *fv_speeds_latest(const FvSpeeds *speeds, const char *end)
{
    for (int i = speeds->count - 1; i >= 0; i--) {
        const char *where = speeds->item[i].where;
        const size_t length = strlen(where), tail = strlen(end);
        if (length > tail && !strcmp(where + length - tail, end) && strncmp(where, "cpu", 3))
            return where;
    }
    return NULL;
}

static void tidy(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ')
            *text = ' ';
}

void fv_speeds_show(FvSpeeds *speeds, const FvSpeed *shown)
{
    FvSpeed last = *shown;
    int at = 0;
    if (!speeds->item || !(shown->value * UNITS >= 1 && shown->value <= MOST_SECONDS) ||
        !(shown->weight * WEIGHTS >= 1))
        return;
    tidy(last.what);
    tidy(last.where);
    last.weight = last.weight < MOST_WEIGHT ? last.weight : MOST_WEIGHT;
    while (at < speeds->count &&
           !(is_of(&speeds->item[at], last.what, last.where) && speeds->item[at].width == last.width &&
             speeds->item[at].height == last.height && speeds->item[at].depth == last.depth))
        at++;
    if (at < speeds->count) {
        const FvSpeed *before = &speeds->item[at];
        const double weight = last.weight + before->weight;
        last.value = (last.value * last.weight + before->value * before->weight) / weight;
        last.weight = weight < MOST_WEIGHT ? weight : MOST_WEIGHT;
    } else if (speeds->count == FV_SPEEDS)
        at = 0;
    else
        speeds->count++;
    memmove(&speeds->item[at], &speeds->item[at + 1], (size_t)(speeds->count - 1 - at) * sizeof last);
    speeds->item[speeds->count - 1] = last;
}

/* ---- Sentences for users --------------------------------------------------------------------------------------- */

static void tell_speed(const FvSpeed *speed, char *line, size_t size)
{
    if (!speed->depth)
        snprintf(line, size, "%s: %.2f s, %s", speed->what, speed->value, speed->where);
    else if (!strncmp(speed->what, FV_SPEEDS_FIRST, strlen(FV_SPEEDS_FIRST)))
        snprintf(line, size, "%s, %dx%d, %d bits: %.2f s, %s", speed->what, speed->width, speed->height, speed->depth,
                 speed->value, speed->where);
    else
        snprintf(line, size, "%s, %dx%d, %d bits: %.1f pairs/s, %s", speed->what, speed->width, speed->height,
                 speed->depth, 1 / (speed->value * speed->width * speed->height), speed->where);
}

FvStatus fv_speeds_list(void (*tell)(void *opaque, const char *line), void *opaque, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, tell);
    FvSpeeds speeds;
    char line[sizeof(FvSpeed) + 128];
    fv_speeds_read(&speeds);
    FvStatus status = FV_OK;
    if (speeds.damaged)
        status = fv_fail(error, FV_FAIL_DAMAGED, "%.400s is damaged and was ignored; delete it", speeds.path);
    for (int i = 0; i < speeds.count; i++) {
        tell_speed(&speeds.item[i], line, sizeof line);
        tell(opaque, line);
    }
    fv_speeds_free(&speeds);
    return status;
}

FvStatus fv_speeds_clear(FvError *error)
{
    FV_FLOAT_MODE;
    FvSpeeds speeds = {.count = 0};
    if (!find_path(speeds.path, sizeof speeds.path) || !fv_file_exists(speeds.path))
        return FV_OK;
    fv_file_remove(speeds.path);
    return fv_file_exists(speeds.path)
               ? fv_fail(error, FV_ERROR_OUTPUT, "%.400s cannot be removed; check the rights of its folder",
                         speeds.path)
               : FV_OK;
}
