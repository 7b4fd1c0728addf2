/* fovea map: where in the picture a metric sees something, for chosen frames. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"
#include "fovea/fovea.h"
#include "geometry.h"
#include "message.h"
#include "picture.h"
#include "rows.h"
#include "stop.h"

typedef struct Map {
    const char *distorted, *reader, *metric, *folder, *isa;
    ArgList frames;
    Geometry geometry;
    int64_t threads;
} Map;

#define AT(field) offsetof(Map, field)

static const ArgOption options[] = {
    {.section = "Video",
     .name = "distorted",
     .letter = 'd',
     .kind = ARG_TEXT,
     .offset = AT(distorted),
     .value = "FILE",
     .offer = OFFER_FILES,
     .help = "the video to look at; - for standard input"},
    {.name = "frame",
     .kind = ARG_LIST,
     .offset = AT(frames),
     .value = "N|A-B",
     .help = "a frame, or all from A to B, counted from 0; may be repeated (default: 0)"},
    {ROW_READER(AT(reader))},
    {ROW_WIDTH(AT(geometry.width))},
    {ROW_HEIGHT(AT(geometry.height))},
    {ROW_PIXEL_FORMAT(AT(geometry.pixel_format))},
    {ROW_BITDEPTH(AT(geometry.depth))},
    {.section = "Map",
     .name = "metric",
     .letter = 'm',
     .kind = ARG_TEXT,
     .offset = AT(metric),
     .value = "cambi[=OPTIONS]",
     .offer = OFFER_METRICS,
     .help = "the metric and its options (cambi)"},
    {.name = "output",
     .letter = 'o',
     .kind = ARG_TEXT,
     .offset = AT(folder),
     .value = "FOLDER",
     .offer = OFFER_FILES,
     .help = "where a folder frame_N appears for every frame (fovea-map)"},
    {.section = "Processors", ROW_ISA(AT(isa))},
    {ROW_THREADS(AT(threads), 256)},
};

/* "7" or "3-9"; false for anything else. */
static bool parse_frames(const char *text, int64_t *first, int64_t *last)
{
    char *end;
    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    *first = *last = strtoll(text, &end, 10);
    if (*end == '-' && end[1] >= '0' && end[1] <= '9')
        *last = strtoll(end + 1, &end, 10);
    return !*end && !errno && *first <= *last;
}

static bool chosen(const Map *map, int64_t frame)
{
    int64_t first, last;
    for (int i = 0; i < map->frames.count; i++)
        if (parse_frames(map->frames.items[i], &first, &last) && frame >= first && frame <= last)
            return true;
    return !map->frames.count && !frame;
}

static FvStatus last_frame(const Map *map, int64_t *frame)
{
    int64_t first, last;
    *frame = 0;
    for (int i = 0; i < map->frames.count; i++) {
        if (!parse_frames(map->frames.items[i], &first, &last))
            return complain(FV_ERROR_USAGE, "--frame takes a number or a range such as 3-9, not '%s'",
                            map->frames.items[i]);
        if (last > *frame)
            *frame = last;
    }
    return FV_OK;
}

static FvStatus make_folder(const char *path)
{
    if (!mkdir(path, 0777) || errno == EEXIST)
        return FV_OK;
    return complain(FV_ERROR_OUTPUT, "the folder %s cannot be made: %s", path, strerror(errno));
}

/* One plane of a heat map: 65535 stands for the greatest value that the metric's options allow. */
typedef struct Heat {
    uint16_t *samples;
    int width, height;
} Heat;

static bool read_plane(const char *path, Heat *heat)
{
    size_t count = (size_t)heat->width * (size_t)heat->height;
    FILE *file = fopen(path, "rb");
    heat->samples = malloc(count * sizeof *heat->samples + 1);
    bool good = file && heat->samples && fread(heat->samples, sizeof *heat->samples, count, file) == count;
    if (file)
        fclose(file);
    return good;
}

static int luma_8bit(const FvFrame *frame, int x, int y)
{
    const uint8_t *row = frame->data[0] + y * frame->stride[0];
    return frame->format.depth == 8 ? row[x] : ((const uint16_t *)row)[x] >> (frame->format.depth - 8);
}

/* The picture in gray, tinted red by the square root of the greatest heat that any scale has there. */
static FvStatus write_overlay(const char *path, const FvFrame *frame, const Heat *heat, int scales)
{
    int width = frame->format.width, height = frame->format.height;
    uint8_t *rgb = malloc((size_t)width * (size_t)height * 3);
    if (!rgb)
        return complain(FV_ERROR_MEMORY, "out of memory for the overlay of %dx%d", width, height);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int most = 0;
            for (int s = 0; s < scales; s++) {
                int64_t at_y = (int64_t)y * heat[s].height / height, at_x = (int64_t)x * heat[s].width / width;
                int value = heat[s].samples[at_y * heat[s].width + at_x];
                most = value > most ? value : most;
            }
            double tint = sqrt(most / 65535.0);
            int gray = luma_8bit(frame, x, y);
            uint8_t *pixel = rgb + 3 * ((size_t)y * (size_t)width + (size_t)x);
            pixel[0] = (uint8_t)(gray + (255 - gray) * tint);
            pixel[1] = pixel[2] = (uint8_t)(gray * (1 - tint));
        }
    FvStatus status = picture_write_rgb8(path, rgb, width, height);
    free(rgb);
    return status;
}

/* Every plane that the metric wrote into the folder becomes a PNG beside it; then the overlay. */
static FvStatus write_pictures(const char *folder, const FvFrame *frame)
{
    enum { SCALES = 16 };
    Heat heat[SCALES] = {{0}};
    int scales = 0;
    FvStatus status = FV_OK;
    DIR *directory = opendir(folder);
    for (struct dirent *entry; directory && !status && (entry = readdir(directory));) {
        int s, width, height, end = 0;
        if (sscanf(entry->d_name, "cambi_heatmap_scale_%2d_%5dx%5d_16b.gray%n", &s, &width, &height, &end) != 3 ||
            !end || entry->d_name[end] || scales == SCALES)
            continue;
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        heat[scales] = (Heat){.width = width, .height = height};
        if (!read_plane(path, &heat[scales++]))
            status = complain(FV_ERROR_OUTPUT, "%s cannot be read back", path);
        snprintf(path, sizeof path, "%s/cambi_heatmap_scale_%d_%dx%d.png", folder, s, width, height);
        if (!status)
            status = picture_write_gray16(path, heat[scales - 1].samples, width, height);
    }
    if (directory)
        closedir(directory);
    if (!status) {
        char path[4096];
        snprintf(path, sizeof path, "%s/overlay.png", folder);
        status = write_overlay(path, frame, heat, scales);
    }
    for (int i = 0; i < scales; i++)
        free(heat[i].samples);
    return status;
}

/* A session of its own for each frame: its maps go to a folder of their own, and memory stays that of one frame. */
static FvStatus map_frame(const Map *map, FvFrame *frame, int64_t number)
{
    char folder[3072], metric[4096];
    FvError error = {0};
    FvSession *session = NULL;
    const char *name = map->metric ? map->metric : "cambi";
    snprintf(folder, sizeof folder, "%s/frame_%" PRId64, map->folder, number);
    snprintf(metric, sizeof metric, "%s%cheatmaps_path=%s", name, strchr(name, '=') ? ':' : '=', folder);
    FvStatus status = make_folder(folder);
    if (status)
        return status;
    FvSessionParams params = {.device = "cpu", .isa = map->isa, .threads = (int)map->threads};
    if (fv_session_open(&session, &params, &error) || fv_session_add(session, metric, &error))
        status = complain(error.status, "%s", error.message);
    if (!status && fv_session_needs_reference(session))
        status = complain(FV_ERROR_USAGE, "fovea map looks at one video: leave full_ref away");
    if (!status && (fv_session_start(session, NULL, &frame->format, &error) ||
                    fv_session_push(session, number, NULL, frame, &error) || fv_session_finish(session, &error)))
        status = complain(error.status, "%s", error.message);
    double score = status ? 0 : fv_session_value(session, 0, 0);
    fv_session_close(&session);
    if (!status && picture_available())
        status = write_pictures(folder, frame);
    if (!status)
        printf("frame %" PRId64 "  cambi %.6f  %s\n", number, score, folder);
    return status;
}

static FvStatus map_frames(const Map *map, FvSource *source, int64_t last)
{
    FvError error = {0};
    FvStatus status = FV_OK;
    int64_t number = 0;
    for (; number <= last && !status; number++) {
        FvFrame *frame = NULL;
        status = fv_source_read(source, &frame, &error);
        if (status == FV_END)
            return complain(FV_ERROR_INPUT, "%s has %" PRId64 " frames; frame %" PRId64 " is not one of them",
                            map->distorted, number, last);
        if (status)
            return complain(status, "%s", error.message);
        if (chosen(map, number))
            status = map_frame(map, frame, number);
        fv_frame_unref(&frame);
    }
    return status;
}

static int run(const void *values, const ArgList *words)
{
    Map map = *(const Map *)values;
    FvError error = {0};
    int64_t last;
    if (words->count)
        return complain(FV_ERROR_USAGE, "'%s' stands alone, without an option: name the video: fovea map -d VIDEO",
                        words->items[0]);
    if (!map.distorted)
        return complain(FV_ERROR_USAGE, "no video: name it with -d VIDEO");
    map.folder = map.folder ? map.folder : "fovea-map";
    if (map.metric && strncmp(map.metric, "cambi", 5))
        return complain(FV_ERROR_USAGE, "'%.40s' has no map; cambi has one", map.metric);
    if (map.metric && strstr(map.metric, "heatmaps_path"))
        return complain(FV_ERROR_USAGE, "the folder of the maps is named with --output, not with heatmaps_path");
    if (strchr(map.folder, ':') || strlen(map.folder) > 2048)
        return complain(FV_ERROR_USAGE,
                        "--output: the name of the folder is too long or has a ':', which ends an option's value");
    FvSourceParams params = {
        .path = map.distorted, .reader = map.reader, .threads = (int)map.threads, .cancel = stop_on_signals()};
    if (!params.cancel)
        return FV_ERROR_MEMORY;
    FvStatus status = last_frame(&map, &last);
    if (!status)
        status = geometry_parse(&map.geometry, map.reader, &params.raw);
    if (status)
        return status;
    if (!picture_available())
        warn("this build has no libpng: maps are written as .gray only, without overlay");
    FvSource *source;
    if (fv_source_open(&source, &params, &error))
        return complain(error.status, "%s", error.message);
    status = make_folder(map.folder);
    if (!status)
        status = map_frames(&map, source, last);
    fv_source_close(&source);
    return status;
}

const Command command_map = {
    .name = "map",
    .summary = "show where in the picture banding is seen",
    .synopsis = "-d VIDEO [--frame N]... [-o FOLDER] [options]",
    .description =
        "Writes the heat maps of CAMBI for chosen frames: for every scale the c-values as raw 16-bit words (.gray) "
        "and as 16-bit PNG, 65535 for the greatest value that the options allow, and overlay.png, the picture in "
        "gray with banding in red.",
    .example = "fovea map -d encode.mp4 --frame 0 --frame 100-103 -o maps",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .values_size = sizeof(Map),
    .run = run,
};
