#include "page/worst_pictures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "image/heat.h"
#include "image/jpeg.h"
#include "image/picture.h"
#include "image/rgb.h"

#define CANDIDATES 24        /* number of worst frames considered for each metric */
#define PICTURE_BYTES 620000 /* maximum bytes of all pictures before Base64, so that the page stays below 1.5 MB */
#define WIDTH 960            /* maximum width of a picture of a whole frame, in pixels; HEIGHT: its maximum height */
#define HEIGHT 600
#define PART_WIDTH 192 /* width of a part that is shown sample by sample */
#define PART_HEIGHT 128
#define QUALITY 75 /* quality of the JPEG pictures of exhibit_frames(), [1, 100] */
#define BLOCK 32   /* step, in samples, of the search for the part that is shown sample by sample */

/* The samples of a picture: gray, or RGB. */
typedef struct Raster {
    uint8_t *samples;
    int width, height, bytes; /* `bytes` of a pixel */
    bool exact;               /* the picture must be PNG, because its samples are compared; else JPEG */
} Raster;

/* The pictures of one frame, in the form that the session accepts. It owns their files. */
typedef struct FramePictures {
    int64_t frame;
    int rank; /* 0: the first of choose_frames() */
    FvReportPicture *pictures;
    Raster *rasters; /* samples of each picture */
    int count;
} FramePictures;

typedef struct PageFrames {
    FvSession *session;
    const ExhibitParams *params;
    FramePictures frames[EXHIBIT_FRAMES];
    int count;
    bool lossy; /* pictures of whole frames are JPEG */
    Heat heat;
} PageFrames;

/* ---- Which frames --------------------------------------------------------------------------------------------- */

/* Returns the n-th of the scores that tables show first and that have a worst frame; -1 after the last. */
static int first_output(const FvSession *session, int n)
{
    for (int i = 0; i < fv_meaning_count(); i++)
        for (int o = 0; o < fv_session_outputs(session); o++)
            if (fv_session_meaning(session, o) == fv_meaning_at(i) &&
                fv_session_display(session, o) == FV_DISPLAY_FIRST && !fv_session_output(session, o)->sequence &&
                !n--)
                return o;
    return -1;
}

static bool has_near(const PageFrames *show, int64_t frame, int64_t apart)
{
    for (int i = 0; i < show->count; i++)
        if (llabs(show->frames[i].frame - frame) < apart)
            return true;
    return false;
}

static bool was_scored(const FvSession *session, int64_t frame)
{
    for (int64_t i = 0; i < fv_session_frames(session); i++)
        if (fv_session_frame_number(session, i) == frame)
            return true;
    return false;
}

static int by_number(const void *a, const void *b)
{
    const FramePictures *x = a, *y = b;
    return x->frame < y->frame ? -1 : x->frame > y->frame;
}

static void add_moment(PageFrames *show, int64_t frame, int64_t apart)
{
    if (show->count == EXHIBIT_FRAMES || has_near(show, frame, apart))
        return;
    show->frames[show->count] = (FramePictures){.frame = frame, .rank = show->count};
    show->count++;
}

/*
 * Chooses frames and sorts them by number: first the frames that the caller chose, then the worst frame of each shot
 * of the bad segments, the first frame of each event that a check found, and the worst by each metric in turn.
 */
static FvStatus choose_frames(PageFrames *show, FvError *error)
{
    FvSession *session = show->session;
    const FvClipVerdict *verdict;
    int64_t apart = fv_session_frames(session) / (2 * EXHIBIT_FRAMES), places[CANDIDATES];
    apart = apart > 25 ? 25 : apart < 1 ? 1 : apart;
    const FvStatus status = fv_session_judge(session, &verdict, error);
    if (status)
        return status;
    for (int i = 0; i < show->params->chosen_count; i++)
        if (was_scored(session, show->params->chosen[i]))
            add_moment(show, show->params->chosen[i], 1);
    for (int s = 0; s < verdict->segment_count; s++)
        for (int i = 0; i < verdict->segments[s].shot_count; i++)
            add_moment(show, verdict->segments[s].shots[i].worst_frame, apart);
    for (int i = 0; i < fv_session_check_events(show->session); i++)
        if (fv_session_check_event(show->session, i)->side == FV_DISTORTED)
            add_moment(show, fv_session_check_event(show->session, i)->first, apart);
    for (int round = 0; round < CANDIDATES && show->count < EXHIBIT_FRAMES; round++)
        for (int n = 0, output; (output = first_output(session, n)) >= 0 && show->count < EXHIBIT_FRAMES; n++)
            if (fv_session_worst(session, output, apart, places, round + 1) > round)
                add_moment(show, fv_session_frame_number(session, places[round]), apart);
    qsort(show->frames, (size_t)show->count, sizeof *show->frames, by_number);
    return FV_OK;
}

/* ---- Pictures ------------------------------------------------------------------------------------------------- */

/* The samples of a picture: `bytes` per pixel, `row` pixels per row. */
typedef struct Samples {
    const uint8_t *first;
    int row, bytes;
} Samples;

/* Returns a part of a picture, reduced by averaging scale x scale pixels. NULL: out of memory. */
static uint8_t *reduce(const Samples *from, const FvReportPicture *part, int *width, int *height)
{
    const int bytes = from->bytes;
    const int scale = part->scale;
    *width = (part->width + scale - 1) / scale;
    *height = (part->height + scale - 1) / scale;
    uint8_t *made = malloc((size_t)bytes * (size_t)*width * (size_t)*height), *to = made;
    for (int y = 0; made && y < *height; y++)
        for (int x = 0; x < *width; x++, to += bytes) {
            const int right = (x + 1) * scale < part->width ? (x + 1) * scale : part->width;
            const int bottom = (y + 1) * scale < part->height ? (y + 1) * scale : part->height;
            const uint32_t count = (uint32_t)((right - x * scale) * (bottom - y * scale));
            uint32_t sum[3] = {count / 2, count / 2, count / 2};
            for (int j = y * scale; j < bottom; j++)
                for (int i = x * scale; i < right; i++)
                    for (int c = 0; c < bytes; c++)
                        sum[c] += from->first[(size_t)bytes * ((size_t)(part->y + j) * (size_t)from->row +
                                                               (size_t)(part->x + i)) +
                                              (size_t)c];
            for (int c = 0; c < bytes; c++)
                to[c] = (uint8_t)(sum[c] / count);
        }
    return made;
}

/* Adds a part of a picture; `part` states its place, its scale and what it shows. */
static FvStatus add_part(FramePictures *frame_pictures, const Samples *from, FvReportPicture part, bool exact,
                         FvError *error)
{
    const size_t room = (size_t)frame_pictures->count + 1;
    FvReportPicture *grown = realloc(frame_pictures->pictures, room * sizeof *grown);
    frame_pictures->pictures = grown ? grown : frame_pictures->pictures;
    Raster *rasters = realloc(frame_pictures->rasters, room * sizeof *rasters),
           made = {.bytes = from->bytes, .exact = exact};
    frame_pictures->rasters = rasters ? rasters : frame_pictures->rasters;
    if (!grown || !rasters || !(made.samples = reduce(from, &part, &made.width, &made.height)))
        return fv_failure_memory(error, "pictures of the worst frames");
    part.frame = frame_pictures->frame;
    frame_pictures->rasters[frame_pictures->count] = made;
    frame_pictures->pictures[frame_pictures->count++] = part;
    return FV_OK;
}

/*
 * Adds the whole frame and, at the worst moment, the part that the page shows sample by sample, unless the whole
 * frame already is.
 */
static FvStatus add_picture(const PageFrames *show, FramePictures *frame_pictures, const Samples *from,
                            const FvFormat *format, FvReportPicture what, const FvCrop *part, FvError *error)
{
    const int across = (format->width + WIDTH - 1) / WIDTH, down = (format->height + HEIGHT - 1) / HEIGHT;
    what.x = what.y = 0;
    what.width = format->width;
    what.height = format->height;
    what.scale = across > down ? across : down;
    FvStatus status = add_part(frame_pictures, from, what, !show->lossy, error);
    if (status || frame_pictures->rank || (what.scale == 1 && !show->lossy) || !picture_has_png())
        return status;
    what.x = part->x;
    what.y = part->y;
    what.width = part->width;
    what.height = part->height;
    what.scale = 1;
    return add_part(frame_pictures, from, what, true, error);
}

/*
 * Adds both frames and their difference, computed before any lossy compression: four times as large, around middle
 * gray.
 */
static FvStatus add_frames(const PageFrames *show, FramePictures *frame_pictures, FvFrame *const frames[2],
                           const FvCrop *part, FvError *error)
{
    const FvFormat *format = &frames[1]->format;
    const size_t count = 3 * (size_t)format->width * (size_t)format->height;
    uint8_t *rgb[2] = {frames[0] ? rgb_of_frame(frames[0]) : NULL, rgb_of_frame(frames[1])};
    FvStatus status =
        rgb[1] && (rgb[0] || !frames[0]) ? FV_OK : fv_failure_memory(error, "pictures of the worst frames");
    for (int side = 1; side >= 0 && !status; side--)
        if (rgb[side])
            status = add_picture(show, frame_pictures, &(Samples){rgb[side], format->width, 3}, format,
                                 (FvReportPicture){.name = side ? "distorted" : "reference"}, part, error);
    if (!status && rgb[0] && show->lossy) {
        const int across = (format->width + WIDTH - 1) / WIDTH, down = (format->height + HEIGHT - 1) / HEIGHT;
        for (size_t i = 0; i < count; i++) {
            const int value = 128 + (rgb[1][i] - rgb[0][i]) * 4;
            rgb[1][i] = (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
        }
        status = add_part(frame_pictures, &(Samples){rgb[1], format->width, 3},
                          (FvReportPicture){.name = "difference",
                                            .width = format->width,
                                            .height = format->height,
                                            .scale = across > down ? across : down},
                          false, error);
    }
    free(rgb[0]);
    free(rgb[1]);
    return status;
}

/* ---- Maps ----------------------------------------------------------------------------------------------------- */

static FvCrop middle_part(int width, int height)
{
    FvCrop part = {.width = width < PART_WIDTH ? width : PART_WIDTH,
                   .height = height < PART_HEIGHT ? height : PART_HEIGHT};
    part.x = (width - part.width) / 2;
    part.y = (height - part.height) / 2;
    return part;
}

static double sum_of(const Heat *heat, int left, int top)
{
    const int right = left + BLOCK < heat->width ? left + BLOCK : heat->width;
    const int bottom = top + BLOCK < heat->height ? top + BLOCK : heat->height;
    double sum = 0;
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++)
            sum += heat->share[(size_t)y * (size_t)heat->width + (size_t)x];
    return sum;
}

/* Finds the part of the frame with the largest sum of the map, in steps of a block; the middle if the map is even. */
static FvCrop find_part(const Heat *heat)
{
    static const int part_columns = PART_WIDTH / BLOCK, part_rows = PART_HEIGHT / BLOCK;
    FvCrop part = middle_part(heat->width, heat->height);
    const int columns = (heat->width + BLOCK - 1) / BLOCK, rows = (heat->height + BLOCK - 1) / BLOCK;
    double *sums = malloc((size_t)columns * (size_t)rows * sizeof *sums), most = 0;
    for (int i = 0; sums && i < columns * rows; i++)
        sums[i] = sum_of(heat, i % columns * BLOCK, i / columns * BLOCK);
    for (int top = 0; sums && top + part_rows <= rows; top++)
        for (int left = 0; left + part_columns <= columns; left++) {
            double here = 0;
            for (int i = 0; i < part_rows * part_columns; i++)
                here += sums[(top + i / part_columns) * columns + left + i % part_columns];
            if (here <= most)
                continue;
            most = here;
            part.x = left * BLOCK < heat->width - part.width ? left * BLOCK : heat->width - part.width;
            part.y = top * BLOCK < heat->height - part.height ? top * BLOCK : heat->height - part.height;
        }
    free(sums);
    return part;
}

/* A map to show: the combination of one metric's maps that have the same unit. */
typedef struct Shown {
    const char *name, *unit;
    double low;
    bool any;
} Shown;

#define RANGE 1e6 /* assumed maximum of the values while they are collected, before their maximum is known */

/* Draws a metric's maps. Returns FV_OK with shown->any false if the metric has no map that a still can compute. */
static FvStatus draw_maps(PageFrames *show, FvStill *still, const char *metric, const FvMetricInfo *info,
                          Shown *shown, FvError *error)
{
    *shown = (Shown){.name = info->name};
    for (int i = 0; i < info->map_count; i++) {
        FvMap map;
        if (info->maps[i].on_request)
            continue;
        FvStatus status = fv_still_map(still, metric, info->maps[i].name, &map, error);
        if (status == FV_ERROR_MEMORY)
            return status;
        const char *unit = !status && map.info->unit ? map.info->unit : "";
        if (status)
            continue;
        if (!shown->any) {
            heat_clear(&show->heat);
            *shown = (Shown){info->name, unit, isfinite(map.minimum) ? map.minimum : -RANGE, true};
        }
        if (!strcmp(unit, shown->unit))
            heat_add(&show->heat, &map, shown->low, RANGE);
    }
    return FV_OK;
}

/* Adds the map's values in equal steps up to the maximum; the page colours them. */
static FvStatus add_map(PageFrames *show, FramePictures *frame_pictures, const Shown *shown, const FvFrame *frame,
                        const FvCrop *part, FvError *error)
{
    const Heat *heat = &show->heat;
    const size_t count = (size_t)heat->width * (size_t)heat->height;
    const double low = shown->low < 0 ? 0 : shown->low;
    uint8_t *steps = malloc(count);
    float most = 0;
    if (!steps)
        return fv_failure_memory(error, "pictures of the worst frames");
    for (size_t i = 0; i < count; i++)
        most = heat->share[i] > most ? heat->share[i] : most;
    for (size_t i = 0; i < count; i++)
        steps[i] = most > 0 ? (uint8_t)(heat->share[i] / most * 255 + 0.5f) : 0;
    FvReportPicture what = {.name = shown->name,
                            .unit = shown->unit,
                            .low = low,
                            .high = low + (most > 0 ? most * (RANGE - low) : 1),
                            .colours = (const uint8_t(*)[3])heat->scale,
                            .colour_count = HEAT_COLOURS};
    const FvStatus status =
        add_picture(show, frame_pictures, &(Samples){steps, heat->width, 1}, &frame->format, what, part, error);
    free(steps);
    return status;
}

/* Returns the i-th metric to show if none of the scored metrics has maps; NULL after the last. */
static const FvMetricInfo *usual_metric(int i)
{
    static const char *const names[] = {"vdm", "butteraugli"};
    for (int m = 0; i < 2 && m < fv_metric_count(); m++)
        if (!strcmp(fv_metric_info(m)->name, names[i]))
            return fv_metric_info(m);
    return NULL;
}

static FvStatus add_one_map(PageFrames *show, FramePictures *frame_pictures, FvStill *still, const char *metric,
                            const FvMetricInfo *info, const FvFrame *frame, FvCrop *part, bool *any, FvError *error)
{
    Shown shown;
    FvStatus status = draw_maps(show, still, metric, info, &shown, error);
    if (status || !shown.any)
        return status;
    if (!*any)
        *part = find_part(&show->heat);
    *any = true;
    return add_map(show, frame_pictures, &shown, frame, part, error);
}

/* Adds the maps. The first map decides which part of the frame is shown sample by sample. */
static FvStatus add_maps(PageFrames *show, FramePictures *frame_pictures, FvFrame *const frames[2], FvCrop *part,
                         FvError *error)
{
    FvStill *still;
    bool any = false;
    FvStatus status =
        fv_still_open(&still, &(FvStillParams){.threads = show->params->threads}, frames[0], frames[1], error);
    if (status)
        return status;
    for (int m = 0; m < fv_session_metrics(show->session) && !status; m++) {
        char text[8192];
        FvError refused; /* discarded: a metric whose text, with file names, is too long gets no map */
        if (!fv_session_metric_text(show->session, m, text, sizeof text, &refused))
            status = add_one_map(show, frame_pictures, still, text, fv_session_metric(show->session, m), frames[1],
                                 part, &any, error);
    }
    for (int i = 0; frames[0] && !any && !status && usual_metric(i); i++)
        status = add_one_map(show, frame_pictures, still, usual_metric(i)->name, usual_metric(i), frames[1], part,
                             &any, error);
    fv_still_close(&still);
    return status;
}

/* ---- All together --------------------------------------------------------------------------------------------- */

static FvStatus show_frame(PageFrames *show, FramePictures *frame_pictures, FvFrame *const frames[2], FvError *error)
{
    const FvFormat *format = &frames[1]->format;
    FvCrop part = middle_part(format->width, format->height);
    FvStatus status = FV_OK;
    const bool whole = !show->params->params->fields; /* maps are defined for frames, not for fields */
    if (whole && !show->heat.rgb && heat_open(&show->heat, format))
        status = fv_failure_memory(error, "pictures of the worst frames");
    if (!status && whole)
        status = add_maps(show, frame_pictures, frames, &part, error);
    return status ? status : add_frames(show, frame_pictures, frames, &part, error);
}

static FvStatus read_frames(PageFrames *show, FvError *error)
{
    FvPairs *pairs;
    const ExhibitParams *params = show->params;
    if (params->pair)
        return show->count ? show_frame(show, &show->frames[0], params->pair, error) : FV_OK;
    const FvSourceParams *reference = params->file[0].path ? &params->file[0] : NULL;
    FvStatus status = fv_pairs_open(&pairs, reference, &params->file[1], params->params, error);
    for (int i = 0; i < show->count && !status; i++) {
        FvFrame *frames[2] = {NULL, NULL};
        status = fv_pairs_read(pairs, show->frames[i].frame, frames, error);
        if (!status)
            status = show_frame(show, &show->frames[i], frames, error);
        fv_frame_unref(&frames[0]);
        fv_frame_unref(&frames[1]);
    }
    fv_pairs_close(&pairs);
    return status;
}

/* Halves the width and height of a picture. false: out of memory. */
static bool halve_raster(Raster *raster, FvReportPicture *picture)
{
    const FvReportPicture whole = {.width = raster->width, .height = raster->height, .scale = 2};
    const Samples from = {raster->samples, raster->width, raster->bytes};
    uint8_t *made = reduce(&from, &whole, &raster->width, &raster->height);
    if (!made)
        return false;
    free(raster->samples);
    raster->samples = made;
    picture->scale *= 2;
    return true;
}

/* Encodes a picture into its file, which replaces an earlier one. */
static FvStatus encode(const Raster *raster, FvReportPicture *picture, int quality, FvError *error)
{
    const size_t count = (size_t)raster->width * (size_t)raster->height;
    void *file = NULL;
    if (raster->exact && picture->png)
        return FV_OK;
    free((void *)picture->png);
    picture->png = NULL;
    if (raster->exact) {
        const FvStatus status = picture_encode(raster->bytes == 3 ? PICTURE_RGB8 : PICTURE_GRAY8, raster->samples,
                                               raster->width, raster->height, &file, &picture->bytes, error);
        picture->png = file;
        return status;
    }
    uint8_t *rgb = raster->bytes == 1 ? malloc(3 * count) : NULL;
    for (size_t i = 0; i < 3 * count && rgb; i++)
        rgb[i] = raster->samples[i / 3];
    if (rgb || raster->bytes == 3)
        file = jpeg_encode(rgb ? rgb : raster->samples, raster->width, raster->height,
                           strcmp(picture->name, "difference") ? quality : quality - 25, &picture->bytes);
    free(rgb);
    picture->png = file;
    return file ? FV_OK : fv_failure_memory(error, "pictures of the worst frames");
}

/* Adds all moments to the session in good quality, or in the best quality and number for which there is room. */
static FvStatus hand_over(PageFrames *show, FvError *error)
{
    static const struct {
        int quality, moments, halves;
    } levels[] = {
        {80, EXHIBIT_FRAMES, 0}, {65, EXHIBIT_FRAMES, 0}, {65, 4, 0}, {65, 3, 0}, {70, 3, 1}, {50, 3, 1}, {50, 1, 2}};
    const int last = (int)(sizeof levels / sizeof *levels) - 1;
    FvStatus status = FV_OK;
    size_t used = SIZE_MAX;
    int level = 0, halves = 0;
    for (; used > PICTURE_BYTES && level <= last && !status; level++) {
        used = 0;
        for (int i = 0; i < show->count; i++) {
            FramePictures *frame_pictures = &show->frames[i];
            for (int p = 0; p < frame_pictures->count && frame_pictures->rank < levels[level].moments && !status;
                 p++) {
                for (int n = halves; n < levels[level].halves && !frame_pictures->rasters[p].exact && !status; n++)
                    status = halve_raster(&frame_pictures->rasters[p], &frame_pictures->pictures[p])
                                 ? FV_OK
                                 : fv_failure_memory(error, "pictures of the worst frames");
                if (!status)
                    status = encode(&frame_pictures->rasters[p], &frame_pictures->pictures[p], levels[level].quality,
                                    error);
                used += frame_pictures->pictures[p].bytes;
            }
        }
        halves = levels[level].halves;
    }
    for (int rank = 0; rank < levels[level - 1].moments; rank++)
        for (int i = 0; i < show->count; i++)
            for (int p = 0; show->frames[i].rank == rank && p < show->frames[i].count && !status; p++)
                status = fv_session_add_picture(show->session, &show->frames[i].pictures[p], error);
    return status;
}

FvStatus exhibit_add(FvSession *session, const ExhibitParams *params, FvError *error)
{
    PageFrames show = {.session = session, .params = params};
    if (fv_session_identical(session)) /* all frames are equal, so no moment is worse */
        return FV_OK;
    if (choose_frames(&show, error))
        return error->status;
    const FvFormat *format = fv_session_format(session, FV_DISTORTED);
    /* Samples of both frames and a map, each of which takes about a byte as PNG. */
    const double samples = 3.0 * show.count * format->width * format->height;
    show.lossy = !picture_has_png() || samples > PICTURE_BYTES || format->width > WIDTH || format->height > HEIGHT;
    FvStatus status = read_frames(&show, error);
    if (!status)
        status = hand_over(&show, error);
    for (int i = 0; i < show.count; i++) {
        for (int p = 0; p < show.frames[i].count; p++) {
            free((void *)show.frames[i].pictures[p].png);
            free(show.frames[i].rasters[p].samples);
        }
        free(show.frames[i].pictures);
        free(show.frames[i].rasters);
    }
    heat_close(&show.heat);
    return status == FV_END ? FV_OK : status;
}

static FvStatus reduce_frame(const FvFrame *frame, int columns, FvReportPicture *picture, FvError *error)
{
    const FvFormat *format = &frame->format;
    const int across = (format->width + columns - 1) / columns, down = (format->height + columns - 1) / columns;
    FvReportPicture whole = {
        .width = format->width, .height = format->height, .scale = across > down ? across : down};
    int width, height;
    uint8_t *rgb = rgb_of_frame(frame),
            *small = rgb ? reduce(&(Samples){rgb, format->width, 3}, &whole, &width, &height) : NULL;
    whole.png = small ? jpeg_encode(small, width, height, QUALITY, &whole.bytes) : NULL;
    free(small);
    free(rgb);
    *picture = whole;
    return whole.png ? FV_OK : fv_failure_memory(error, "pictures of the worst frames");
}

FvStatus exhibit_frames(const ExhibitParams *params, const int64_t *frames, int count, int columns,
                        FvReportPicture *distorted, FvReportPicture *reference, FvError *error)
{
    FvPairs *pairs;
    FvStatus status = fv_pairs_open(&pairs, params->file[0].path ? &params->file[0] : NULL, &params->file[1],
                                    params->params, error);
    for (int i = 0; i < count && !status; i++) {
        FvFrame *pair[2] = {NULL, NULL};
        status = fv_pairs_read(pairs, frames[i], pair, error);
        if (!status)
            status = reduce_frame(pair[1], columns, &distorted[i], error);
        if (!status && reference && pair[0])
            status = reduce_frame(pair[0], columns, &reference[i], error);
        status = status == FV_END ? FV_OK : status;
        fv_frame_unref(&pair[0]);
        fv_frame_unref(&pair[1]);
    }
    fv_pairs_close(&pairs);
    return status;
}
