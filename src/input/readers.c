/* Sources: the choice of a reader, and the common part of opening, reading and closing. */
#include "input/source.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "compare_text.h"
#include "config.h"
#include "input/decode_device.h"
#include "input/image/sequence.h"
#include "input/slices.h"
#include "os/cancel.h"
#include "os/file.h"
#include "os/memory.h"
#include "picture/colour.h"
#include "picture/rgb.h"
#include "picture/turn.h"

#define MAX_THREADS 256 /* maximum number of threads that a caller may request */

static FvStatus choose_by_name(FvSource *source, const char *name, FvError *error)
{
    size_t length = strcspn(name, ":");
    bool libav = fv_span_is(name, length, "libav");
    for (int i = 0; fv_source_readers[i]; i++) {
        const char *known = fv_source_readers[i]->name;
        if (fv_span_is(name, length, known) && (!name[length] || (libav && name[length + 1]))) {
            source->ops = fv_source_readers[i];
            return FV_OK;
        }
    }
    if (!FV_HAVE_LIBAV && libav)
        return fv_fail(
            error, FV_ERROR_USAGE,
            "%s: this build of fovea has no libav and reads Y4M, raw video and ProRes without container only",
            source->info.path);
    return fv_fail(error, FV_ERROR_USAGE, "unknown reader '%s': use auto, y4m, raw, icpf, libav or libav:FORMAT",
                   name);
}

static FvStatus choose_by_probe(FvSource *source, const FvSourceParams *params, FvError *error)
{
    bool raw =
        !strcmp(source->path, "-") && params->raw.width; /* a geometry with standard input can only mean raw video */
    for (int i = 0; fv_source_readers[i] && !source->ops; i++)
        if (!(raw && !strcmp(fv_source_readers[i]->name, "libav")) && fv_source_readers[i]->probe(source))
            source->ops = fv_source_readers[i];
    if (!source->ops && raw)
        source->ops = &fv_source_raw;
    if (source->ops)
        return FV_OK;
    return fv_fail(error, FV_FAIL_NO_LIBAV,
                   "%s is not Y4M, and this build of fovea reads Y4M, raw video and ProRes without container only; "
                   "convert it to Y4M, or give the reader 'raw' and the geometry if it is raw video",
                   source->info.path);
}

static FvStatus choose_reader(FvSource *source, const FvSourceParams *params, FvError *error)
{
    if (params->reader && strcmp(params->reader, "auto"))
        return choose_by_name(source, params->reader, error);
    return choose_by_probe(source, params, error);
}

static bool same_ratio(const FvFormat *a, const FvFormat *b)
{
    return (int64_t)a->rate_num * b->rate_den == (int64_t)b->rate_num * a->rate_den;
}

/* Replaces the file's tags by those that the caller gave. */
static void override_tags(FvSourceInfo *info, const FvFormat *tags)
{
    info->named = (FvColour){tags->range, tags->transfer, tags->primaries, tags->matrix};
    FvFormat *format = &info->format;
    FvColour *overruled = &info->container_colour;
    overruled->range = tags->range ? FV_RANGE_UNKNOWN : overruled->range;
    overruled->transfer = tags->transfer ? 0 : overruled->transfer;
    overruled->primaries = tags->primaries ? 0 : overruled->primaries;
    overruled->matrix = tags->matrix ? 0 : overruled->matrix;
    format->range = tags->range ? tags->range : format->range;
    format->transfer = tags->transfer ? tags->transfer : format->transfer;
    format->primaries = tags->primaries ? tags->primaries : format->primaries;
    format->matrix = tags->matrix ? tags->matrix : format->matrix;
    format->siting = tags->siting ? tags->siting : format->siting;
}

/*
 * Checks that the caller's range and rate do not contradict the file, and uses them if the file states none. A
 * geometry may be given only for files that state none.
 */
static FvStatus agree(FvSource *source, const FvSourceParams *params, FvError *error)
{
    FvFormat *format = &source->info.format;
    const FvFormat *given = &params->raw;
    source->stated_range = format->range;
    source->fields_named = params->fields;
    if (source->info.rgb && params->tags.range)
        return fv_fail(error, FV_ERROR_USAGE, "%s is RGB, so its range is known; leave out its range",
                       source->info.path);
    override_tags(&source->info, &params->tags);
    if (format->chroma == FV_CHROMA_RGB)
        format->matrix = FV_H273_UNKNOWN;
    if (params->fields)
        source->info.fields = params->fields;
    if (!format->range)
        format->range = given->range;
    if (!format->rate_den && given->rate_num && given->rate_den) {
        format->rate_num = given->rate_num;
        format->rate_den = given->rate_den;
    }
    const char *wrong = given->range && given->range != format->range   ? "range"
                        : given->rate_num && !same_ratio(given, format) ? "frame rate"
                                                                        : NULL;
    char text[128];
    if (wrong)
        return fv_fail(error, FV_ERROR_INPUT, "%s is %s, which is not the %s that was given; leave it out",
                       source->info.path, fv_format_describe(format, text, sizeof text), wrong);
    return FV_OK;
}

static FvStatus check_params(const FvSourceParams *params, FvError *error)
{
    if (!params->path || !*params->path)
        return fv_fail(error, FV_ERROR_USAGE, "no path was given: name a video file, or - for standard input");
    if (params->threads < 0 || params->threads > MAX_THREADS)
        return fv_fail(error, FV_ERROR_USAGE, "%d threads for decoding are outside 0 to %d", params->threads,
                       MAX_THREADS);
    if (params->decoder && strcmp(params->decoder, "prores=fovea") && strcmp(params->decoder, "prores=libavcodec"))
        return fv_fail(error, FV_ERROR_USAGE, "unknown decoder '%s': use prores=fovea or prores=libavcodec",
                       params->decoder);
    if ((unsigned)params->raw.range > FV_RANGE_FULL || (unsigned)params->tags.range > FV_RANGE_FULL)
        return fv_fail(error, FV_ERROR_USAGE, "range number %d does not exist",
                       (int)((unsigned)params->raw.range > FV_RANGE_FULL ? params->raw.range : params->tags.range));
    if ((unsigned)params->tags.siting > FV_SITING_BOTTOM)
        return fv_fail(error, FV_ERROR_USAGE, "chroma siting number %d does not exist", (int)params->tags.siting);
    if ((unsigned)params->fields > FV_FIELDS_BOTTOM_FIRST)
        return fv_fail(error, FV_ERROR_USAGE,
                       "field order number %d does not exist: use FV_FIELDS_PROGRESSIVE, FV_FIELDS_TOP_FIRST or "
                       "FV_FIELDS_BOTTOM_FIRST, or 0 for what the video states",
                       (int)params->fields);
    if (params->rgb == FV_RGB_CONVERT && params->tags.matrix && !fv_rgb_has_matrix(params->tags.matrix))
        return fv_fail(
            error, FV_ERROR_USAGE,
            "%s: RGB is converted by the matrix of BT.709, BT.601 or BT.2020 (1, 5, 6 or 9 of H.273), not %d",
            params->path, params->tags.matrix);
    if ((unsigned)params->rgb > FV_RGB_BOTH)
        return fv_fail(error, FV_ERROR_USAGE, "%s: choice %d for RGB does not exist", params->path, (int)params->rgb);
    if ((unsigned)params->background > 0xffffff)
        return fv_fail(error, FV_ERROR_USAGE, "%s: background %d is outside 0 to 0xFFFFFF", params->path,
                       params->background);
    if ((unsigned)params->rotate > FV_ROTATE_270)
        return fv_fail(error, FV_ERROR_USAGE, "rotation number %d does not exist", (int)params->rotate);
    if (params->rotate && params->alpha)
        return fv_fail(error, FV_ERROR_USAGE, "%s: alpha planes are not turned: leave out one of rotate and alpha",
                       params->path);
    if (params->stream < 0)
        return fv_fail(error, FV_ERROR_USAGE, "video streams are numbered from 1, not %d", params->stream);
    if (params->raw.rate_num < 0 || params->raw.rate_den < 0 || !params->raw.rate_num != !params->raw.rate_den)
        return fv_fail(error, FV_ERROR_USAGE, "%d/%d is not a frame rate", params->raw.rate_num,
                       params->raw.rate_den);
    return FV_OK;
}

static FvStatus no_frame(const FvSource *source, FvError *error)
{
    return fv_fail(error, FV_FAIL_NO_VIDEO, "%s has no video frame; check that the file is complete",
                   source->info.path);
}

/* Opens the GPU that the caller named, which then decodes. */
static FvStatus open_device(FvSource *source, const char *device, FvError *error)
{
    if (!device || !strcmp(device, "cpu"))
        return FV_OK;
    if (!source->prores && (!source->ops->use_hwdec || strncmp(device, "cuda", 4)))
        return fv_fail(error, FV_ERROR_USAGE,
                       "%s: `device` decodes ProRes by fovea's own decoder, and on CUDA what NVIDIA's decoders take; "
                       "this video is neither: leave `device` out",
                       source->info.path);
#if FV_HAVE_GPU
    return fv_decode_device_open(&source->device, source, device, true, error);
#else
    return fv_fail(error, FV_ERROR_DEVICE, "this build decodes on the CPU only, not on '%s'", device);
#endif
}

/* Opens an image sequence, which libavformat joins. The first image represents all of them. */
static FvStatus open_images(FvSource *source, FvSourceParams *params, FvError *error)
{
    char *first = NULL;
    FvStatus status =
        fv_image_sequence_find(source->path, &first, &source->first_image, &source->images, &source->files, error);
    if (!status)
        status = fv_stream_open(&source->stream, first, source->cancel, error);
    free(first);
    if (status)
        return status;
    source->stream.name = source->path;
    params->reader = "libav:image2";
    return FV_OK;
}

static FvStatus open_stream(FvSource *source, FvSourceParams *params, FvError *error)
{
    if (FV_HAVE_LIBAV && fv_image_sequence_named(source->path) && !fv_file_exists(source->path))
        return open_images(source, params, error);
    return fv_stream_open(&source->stream, source->path, source->cancel, error);
}

static FvStatus open_turns(FvSource *source, FvRotate rotate, FvError *error)
{
    FvSourceInfo *info = &source->info;
    const int degrees = rotate == FV_ROTATE_AUTO ? info->display_rotation : 90 * ((int)rotate - FV_ROTATE_0);
    if (!rotate)
        return FV_OK;
    if (rotate == FV_ROTATE_AUTO && info->mirrored)
        return fv_fail(error, FV_ERROR_INPUT,
                       "%s: players mirror it, which `rotate` cannot; compare it as it is stored with `rotate=0`, or "
                       "mirror it with ffmpeg first",
                       info->path);
    if (degrees % 90)
        return fv_fail(error, FV_ERROR_INPUT,
                       "%s: players turn it by %d degrees, and only multiples of 90 are possible; choose one with "
                       "`reference.rotate` "
                       "or `distorted.rotate`",
                       info->path, degrees);
    info->display_rotation = 0;
    info->mirrored = false;
    if (!degrees)
        return FV_OK;
    source->turned = *info;
    source->turned.applied_rotation = degrees;
    if (degrees != 180) {
        source->turned.aspect_num = info->aspect_den;
        source->turned.aspect_den = info->aspect_num;
    }
    FvStatus status = fv_turn_format(&info->format, degrees, info->path, &source->turned.format, error);
    return status ? status : fv_frame_pool_open(&source->turns, &source->turned.format, error);
}

static FvStatus open_source(FvSource *source, const FvSourceParams *given, FvError *error)
{
    FvSourceParams own = *given, *params = &own;
    FvStatus status = open_stream(source, params, error);
    if (status)
        return status;
    source->info.path = source->stream.name;
    fv_guard_add(&source->files, source->stream.id, source->stream.name);
    status = choose_reader(source, params, error);
    if (status)
        return status;
    source->info.reader = source->ops->name;
    status = source->ops->open(source, params, error);
    if (!status && params->stream > 1 && params->stream > source->info.streams)
        status = fv_fail(error, FV_FAIL_NO_VIDEO, "%s has no video stream %d; choose 1 to %d", source->info.path,
                         params->stream, source->info.streams ? source->info.streams : 1);
    if (!status && !source->info.frames)
        status = no_frame(source, error);
    if (!status)
        status = agree(source, params, error);
    if (!status)
        status = open_turns(source, params->rotate, error);
    if (!status)
        status = fv_frame_pool_open(&source->pool, &source->info.format, error);
    if (!status)
        fv_slices_open(source, params->threads);
    if (!status)
        status = open_device(source, params->device, error);
    return status;
}

/*
 * Returns the status, or after a stop request the failure for that: an interrupted reader fails with some error of
 * its library, or succeeds with a part of the data, and neither describes the file.
 */
static FvStatus unless_stopped(const FvCancel *cancel, const char *name, FvStatus status, FvError *error)
{
    return fv_cancel_requested(cancel) ? fv_fail_cancelled(error, name) : status;
}

FvStatus fv_source_open(FvSource **source, const FvSourceParams *params, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, source);
    *source = NULL;
    FV_REQUIRE(error, params);
    FvStatus status = check_params(params, error);
    if (status)
        return status;
    FvSource *opening = fv_alloc_zero(sizeof *opening);
    if (!opening)
        return fv_fail_memory(error, sizeof *opening);
    opening->stream.fd = -1;
    opening->cancel = params->cancel;
    opening->services.planes = FV_ALL_PLANES;
    opening->path = strdup(params->path);
    status = opening->path ? open_source(opening, params, error) : fv_fail_memory(error, strlen(params->path) + 1);
    status = unless_stopped(params->cancel, params->path, status, error);
    if (status)
        fv_source_close(&opening);
    *source = opening;
    return status;
}

void fv_source_convert_rgb(FvSource *source, int matrix, int ycbcr_matrix)
{
    FvSourceInfo *const infos[] = {&source->info, &source->turned};
    for (int i = 0; i < 2; i++) {
        infos[i]->format.matrix = matrix;
        infos[i]->rgb_matrix = ycbcr_matrix;
    }
    source->rgb_matrix = matrix;
}

const FvSourceInfo *fv_source_info(const FvSource *source)
{
    return !source ? NULL : source->turned.applied_rotation ? &source->turned : &source->info;
}

static FvStatus read_frame(FvSource *source, bool pass, FvFrame **frame, FvError *error)
{
    if (fv_cancel_requested(source->cancel))
        return fv_fail_cancelled(error, source->info.path);
#if FV_HAVE_GPU
    if (source->device)
        return fv_decode_device_read(source->device, source, frame, error);
#endif
    return (pass && source->ops->skip ? source->ops->skip : source->ops->read)(source, frame, error);
}

/* Reads the next frame. pass: the frame may be skipped. */
static FvStatus read_next(FvSource *source, bool pass, FvFrame **frame, FvError *error)
{
    source->has_signature = false;
    if (!source->status) {
        source->status = read_frame(source, pass, frame, &source->error);
        if (source->status)
            source->status = unless_stopped(source->cancel, source->info.path, source->status, &source->error);
        if (source->status == FV_END && !source->next)
            source->status = no_frame(source, &source->error);
        source->next += !source->status;
        if (!source->status && source->turned.applied_rotation && !fv_frame_is_undecoded(*frame)) {
            source->has_signature = false; /* the signature is that of the frame before rotation */
            source->status = fv_turn_frame(source->turns, source->turned.applied_rotation, frame, &source->error);
            if (source->status)
                fv_frame_unref(frame);
        }
        if (!source->status)
            fv_frame_vouch(*frame);
    }
    if (source->status && source->status != FV_END && error)
        *error = source->error;
    return source->status;
}

FvStatus fv_source_read(FvSource *source, FvFrame **frame, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, frame);
    *frame = NULL;
    FV_REQUIRE(error, source);
    return read_next(source, false, frame, error);
}

FvStatus fv_source_skip(FvSource *source, FvFrame **frame, FvError *error)
{
    FvFrame *read = *frame = NULL;
    int64_t ticks;
    FvStatus status = read_next(source, true, &read, error);
    if (status || fv_frame_is_undecoded(read)) {
        *frame = read;
        return status;
    }
    status = fv_frame_skip_decoding(frame, &read->format, error);
    if (!status && fv_frame_time(read, &ticks))
        fv_frame_set_time(*frame, ticks);
    fv_frame_unref(&read);
    return status;
}

void fv_source_attach(FvSource *source, const FvSourceServices *services)
{
    static const FvSourceServices nothing = {.planes = FV_ALL_PLANES};
    source->services = services && !source->turned.applied_rotation ? *services : nothing;
    fv_frame_pool_set_maker(source->pool, source->services.make, source->services.opaque);
    if (source->ops->use_hwdec && !source->device)
        source->ops->use_hwdec(source, source->services.hwdec.make ? &source->services.hwdec : NULL);
}

/* Reads forward to a frame, because a pipe cannot be sought. */
static FvStatus read_forward(FvSource *source, int64_t frame, FvError *error)
{
    FvStatus status = FV_OK;
    if (frame < source->next)
        return fv_fail(error, FV_ERROR_USAGE,
                       "%s is not a regular file, and its frame %" PRId64 " has been read already", source->info.path,
                       frame);
    while (!status && source->next < frame) {
        FvFrame *passed;
        status = fv_source_read(source, &passed, error);
        fv_frame_unref(&passed);
    }
    if (status == FV_END)
        return fv_fail(error, FV_ERROR_USAGE, "%s has no frame %" PRId64 "; frames are numbered 0 to %" PRId64,
                       source->info.path, frame, source->next - 1);
    return status;
}

FvStatus fv_source_seek(FvSource *source, int64_t frame, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, source);
    if (frame < 0)
        return fv_fail(error, FV_ERROR_USAGE, "frames are numbered from 0, not %" PRId64, frame);
    if (source->stream.waits)
        return read_forward(source, frame, error);
    FvStatus status = fv_source_make_index(source, error);
    if (!status && frame >= source->index.shown.frames)
        return fv_fail(error, FV_ERROR_USAGE, "%s has no frame %" PRId64 "; frames are numbered 0 to %" PRId64,
                       source->info.path, frame, source->index.shown.frames - 1);
#if FV_HAVE_GPU
    if (source->device && !status)
        fv_decode_device_drop(source->device);
#endif
    fv_frame_unref(&source->alpha);
    source->status = FV_OK;
    if (!status)
        status = source->ops->seek(source, frame, &source->error);
    else
        source->error = error ? *error : (FvError){.status = status};
    source->status = status = unless_stopped(source->cancel, source->info.path, status, &source->error);
    if (status && error)
        *error = source->error;
    return status;
}

#define LITTLE 8  /* maximum distance, in frames, over which reading replaces seeking */
#define MANY 100  /* minimum number of frames, read because seeking is impossible, that a decision explains */
#define LISTED 16 /* minimum number of packets that can be listed in the time in which one is decoded */

/* Returns whether an index exists, or can be made without reading the entire file. */
static bool has_list(const FvSource *source)
{
    return source->has_index || strcmp(source->info.reader, "libav") != 0 ||
           !strncmp(source->info.container, "mov,", 4);
}

/* Returns the number of frames that the video states, or that follows from its duration; -1: unknown. */
static int64_t stated_frames(const FvSource *source)
{
    const FvFormat *format = &source->info.format;
    return source->info.frames >= 0 ? source->info.frames
           : source->info.seconds > 0 && format->rate_den
               ? (int64_t)(source->info.seconds * format->rate_num / format->rate_den)
               : -1;
}

bool fv_source_enters(FvSource *source, int64_t frame, char *why, size_t size)
{
    const int64_t before = frame - source->next;
    const FvSourceIndex *index;
    FvError failure = {.status = FV_OK};
    *why = 0;
    if (before < LITTLE || source->images || !source->ops->seek)
        return false;
    if (source->stream.waits)
        snprintf(why, size, "it is a pipe");
    else if (!has_list(source) && before < stated_frames(source) / LISTED)
        return false;
    else if (fv_source_index(source, &index, &failure))
        snprintf(why, size, "its packets do not tell where frames are (%s)", failure.message);
    else if (frame >= index->frames)
        return false; /* reading will show where the video ends */
    else if (index->entries && !source->index.enter_pts)
        snprintf(why, size, "its packets have no times");
    else if (index->entries && !fv_index_entry(&source->index, frame))
        snprintf(why, size, "decoding can begin at its first frame only");
    if (before < MANY)
        *why = 0;
    return !source->stream.waits && !failure.status;
}

const char *fv_source_decoder(const FvSource *source)
{
    return source && *source->decoder ? source->decoder : NULL;
}

FvFrame *fv_source_alpha(const FvSource *source)
{
    return source ? source->alpha : NULL;
}

int fv_source_damaged(const FvSource *source, int *parts)
{
    if (parts)
        *parts = source ? source->parts : 0;
    return source ? source->damaged : 0;
}

void fv_source_close(FvSource **source)
{
    FvSource *closing = source ? *source : NULL;
    if (!closing)
        return;
    *source = NULL;
#if FV_HAVE_GPU
    if (closing->device)
        fv_decode_device_drop(closing->device);
#endif
    if (closing->ops && closing->ops->close)
        closing->ops->close(closing);
#if FV_HAVE_GPU
    fv_decode_device_close(&closing->device);
#endif
    fv_slices_close(closing);
    fv_frame_unref(&closing->alpha);
    fv_stream_close(&closing->stream);
    fv_frame_pool_close(&closing->pool);
    fv_frame_pool_close(&closing->turns);
    fv_index_free(&closing->index);
    fv_guard_free(&closing->files);
    free(closing->path);
    fv_free(closing);
}
