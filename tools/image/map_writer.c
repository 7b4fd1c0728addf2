#include "image/map_writer.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "image/picture.h"
#include "image/rgb.h"

bool map_writer_is(const MapWriter *writer, const char *format)
{
    return !strcmp(writer->format, format);
}

static FvStatus make_folder(const char *path, FvError *error)
{
    if (!mkdir(path, 0777) || errno == EEXIST)
        return FV_OK;
    error->status = FV_ERROR_OUTPUT;
    snprintf(error->message, sizeof error->message, "the folder %.500s cannot be made: %s", path, strerror(errno));
    return error->status;
}

/*
 * Refuses a path that exists, because a picture there belongs to the user. A folder may exist, but not be a symbolic
 * link.
 */
static FvStatus check_new(const MapWriter *writer, const char *path, bool folder, FvError *error)
{
    struct stat info;
    if (writer->overwrite || lstat(path, &info) || (folder && !S_ISLNK(info.st_mode)))
        return FV_OK;
    error->status = FV_ERROR_USAGE;
    snprintf(error->message, sizeof error->message,
             folder ? "%.500s is a symbolic link; name another folder, or follow it with --overwrite"
                    : "%.500s exists already; name another folder, or replace it with --overwrite",
             path);
    return error->status;
}

static FvOutputParams output_at(const MapWriter *writer, const char *path)
{
    return (FvOutputParams){.path = path,
                            .sources = (const FvSource *const *)writer->sources,
                            .source_count = 2,
                            .session = writer->session,
                            .cancel = writer->cancel};
}

static FvStatus write_picture(const MapWriter *writer, const char *path, PictureKind kind, const void *samples,
                              int width, int height, FvError *error)
{
    FvOutputParams params = output_at(writer, path);
    FvStatus status = check_new(writer, path, false, error);
    return status ? status : picture_write(&params, kind, samples, width, height, error);
}

/* The conversion of values to samples of a picture: (value - low) * scale + half, limited to `most`. */
typedef struct Range {
    double low, high, scale, half;
} Range;

/*
 * Chooses the range. Without --maximum, a map without an upper limit is shown up to its usual maximum, in steps of a
 * power of two. Steps of 16-bit files are eight times larger than the range requires, so that the file also has
 * greater values.
 */
static Range range_of(const MapWriter *writer, const FvMap *map, int most)
{
    Range range = {.low = 0};
    bool usual = isnan(writer->maximum) && isinf(map->maximum) && map->info->shown > 0;
    heat_range(map, writer->maximum, &range.low, &range.high);
    double steps = most, span = range.high - range.low;
    if (usual) {
        steps = most + 1;
        range.half = 0.5;
    }
    if (usual && most > 255) {
        range.low *= 8;
        span *= 8;
    }
    range.scale = span > 0 ? steps / span : 0;
    return range;
}

static bool has_range(const MapWriter *writer, const FvMap *map)
{
    double low, high;
    return heat_range(map, writer->maximum, &low, &high);
}

/* Converts a map to rows without gaps: floats, or integers up to `most`. */
static FvStatus convert_map(MapWriter *writer, const FvMap *map, int most, FvError *error)
{
    size_t count = (size_t)map->width * (size_t)map->height, at = 0, bytes = count * sizeof(float);
    void *grown = bytes > writer->room ? realloc(writer->samples, bytes) : writer->samples;
    if (!grown) {
        error->status = FV_ERROR_MEMORY;
        snprintf(error->message, sizeof error->message, "out of memory for a map of %dx%d", map->width, map->height);
        return error->status;
    }
    writer->samples = grown;
    writer->room = bytes > writer->room ? bytes : writer->room;
    Range range = range_of(writer, map, most);
    for (int y = 0; y < map->height; y++)
        for (int x = 0; x < map->width; x++, at++) {
            float value = map->data[y * map->stride + x];
            double sample = range.scale * ((double)value - range.low) + range.half;
            sample = sample > 0 ? sample < most ? sample : most : 0;
            if (!most)
                ((float *)writer->samples)[at] = value;
            else if (most > 255)
                ((uint16_t *)writer->samples)[at] = (uint16_t)sample;
            else
                ((uint8_t *)writer->samples)[at] = (uint8_t)sample;
        }
    return FV_OK;
}

static FvStatus write_video(MapWriter *writer, const FvMap *map, FvError *error)
{
    FILE *file = fv_output_file(writer->video);
    const FvFormat *format = &map->distorted->format;
    FvStatus status = convert_map(writer, map, 65535, error);
    if (status)
        return status;
    if (writer->taken++ == 0) {
        fprintf(file, "YUV4MPEG2 W%d H%d", map->width, map->height);
        if (format->rate_den)
            fprintf(file, " F%d:%d", format->rate_num, format->rate_den);
        fputs(" Cmono16 XCOLORRANGE=FULL\n", file);
    }
    fputs("FRAME\n", file);
    const uint16_t *samples = writer->samples;
    size_t count = (size_t)map->width * (size_t)map->height;
    for (size_t i = 0; i < count; i++) {
        putc(samples[i] & 255, file);
        putc(samples[i] >> 8, file);
    }
    if (!ferror(file))
        return FV_OK;
    return fv_output_close(&writer->video, error); /* returns the failure's reason */
}

/* Names a map's file. If a metric was chosen more than once, the name includes its number. */
static void name_map(const MapWriter *writer, const FvMap *map, char *name, size_t size)
{
    int before = 0;
    for (int i = 0; i < map->metric; i++)
        before += fv_session_metric(writer->session, i) == fv_session_metric(writer->session, map->metric);
    if (before)
        snprintf(name, size, "%s_%d", map->info->name, before + 1);
    else
        snprintf(name, size, "%s", map->info->name);
}

/* Adds a map to the overlay. The first map with a range defines the legend; maps in other units are left out. */
static void add_to_overlay(MapWriter *writer, const FvMap *map)
{
    Range range = range_of(writer, map, 255);
    const char *unit = map->info->unit ? map->info->unit : "";
    if (!writer->unit) {
        heat_clear(&writer->heat);
        writer->unit = unit;
        writer->low = range.low;
        writer->high = range.high;
    }
    if (!strcmp(writer->unit, unit))
        heat_add(&writer->heat, map, range.low, range.high);
}

static FvStatus write_overlay(MapWriter *writer, const FvMap *map, const char *folder, FvError *error)
{
    char path[4096];
    heat_draw(&writer->heat, map->distorted, writer->low, writer->high, writer->unit);
    snprintf(path, sizeof path, "%s/overlay.png", folder);
    return write_picture(writer, path, PICTURE_RGB8, writer->heat.rgb, writer->heat.width,
                         writer->heat.height + HEAT_LEGEND, error);
}

/* Writes both frames in colour. */
static FvStatus write_frames(const MapWriter *writer, const FvMap *map, const char *folder, FvError *error)
{
    const FvFrame *const frames[2] = {map->distorted, map->reference};
    FvStatus status = FV_OK;
    for (int i = 0; i < 2 && frames[i] && !status; i++) {
        const FvFormat *format = &frames[i]->format;
        char path[4096];
        uint8_t *rgb = rgb_of_frame(frames[i]);
        if (!rgb) {
            error->status = FV_ERROR_MEMORY;
            snprintf(error->message, sizeof error->message, "out of memory for a picture of %dx%d", format->width,
                     format->height);
            return error->status;
        }
        snprintf(path, sizeof path, "%s/%s.png", folder, i ? "reference" : "distorted");
        status = write_picture(writer, path, PICTURE_RGB8, rgb, format->width, format->height, error);
        free(rgb);
    }
    return status;
}

static FvStatus write_pictures(MapWriter *writer, const FvMap *map, FvError *error)
{
    char folder[3072], path[4096], name[256];
    bool pfm = map_writer_is(writer, "pfm"), small = map_writer_is(writer, "png8");
    writer->taken = writer->taken == writer->wanted ? 1 : writer->taken + 1;
    name_map(writer, map, name, sizeof name);
    snprintf(folder, sizeof folder, "%s/frame_%" PRId64, writer->output, map->number);
    snprintf(path, sizeof path, "%s/%s.%s", folder, name, pfm ? "pfm" : "png");
    FvStatus status = check_new(writer, folder, true, error);
    if (!status)
        status = make_folder(folder, error);
    if (!status)
        status = convert_map(writer, map, pfm ? 0 : small ? 255 : 65535, error);
    if (!status)
        status = write_picture(writer, path,
                               pfm     ? PICTURE_PFM
                               : small ? PICTURE_GRAY8
                                       : PICTURE_GRAY16,
                               writer->samples, map->width, map->height, error);
    if (!status && picture_has_png() && writer->frames && writer->taken == 1)
        status = write_frames(writer, map, folder, error);
    if (writer->taken == 1)
        writer->unit = NULL;
    if (!status && picture_has_png() && has_range(writer, map))
        add_to_overlay(writer, map);
    if (!status && writer->unit && writer->taken == writer->wanted)
        status = write_overlay(writer, map, folder, error);
    return status;
}

FvStatus map_writer_take(void *opaque, const FvMap *map, FvError *error)
{
    MapWriter *writer = opaque;
    FvStatus status = FV_OK;
    if (!map_writer_is(writer, "pfm") && !has_range(writer, map)) {
        status = error->status = FV_ERROR_USAGE;
        snprintf(error->message, sizeof error->message,
                 isnan(writer->maximum)
                     ? "the values of %s have no upper limit: say with --maximum which one is white"
                     : "--maximum is below the least value of %s",
                 map->info->name);
    } else if (!writer->heat.rgb && !writer->video && picture_has_png() &&
               heat_open(&writer->heat, &map->distorted->format)) {
        status = error->status = FV_ERROR_MEMORY;
        snprintf(error->message, sizeof error->message, "out of memory for the overlay");
    }
    if (!status)
        status = writer->video ? write_video(writer, map, error) : write_pictures(writer, map, error);
    if (status)
        writer->failure = *error;
    return status;
}

FvStatus map_writer_open(MapWriter *writer, FvError *error)
{
    if (!map_writer_is(writer, "y4m"))
        return make_folder(writer->output, error);
    FvOutputParams params = output_at(writer, writer->output);
    return fv_output_open(&writer->video, &params, error);
}

FvStatus map_writer_end(MapWriter *writer, FvStatus status, char *kept, size_t size, FvError *error)
{
    *kept = '\0';
    if (!writer->video)
        return FV_OK;
    if (!status)
        return fv_output_close(&writer->video, error);
    if (writer->taken)
        return fv_output_keep_partial(&writer->video, kept, size, error);
    fv_output_discard(&writer->video);
    return FV_OK;
}

void map_writer_close(MapWriter *writer)
{
    fv_output_discard(&writer->video);
    heat_close(&writer->heat);
    free(writer->samples);
    writer->samples = NULL;
}
