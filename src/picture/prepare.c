#include "picture/prepare.h"

#include <string.h>

#include "base/error.h"
#include "os/memory.h"
#include "picture/colour.h"
#include "picture/frame.h"
#include "picture/rgb.h"
#include "picture/scale_plane.h"
#include "picture/signature.h"

#define MOST_THREADS 16
#define LEAST_ROWS 32 /* minimum number of rows of a job */

struct FvPreparation {
    FvPrepareParams params;
    FvFormat from, to;
    int depth;             /* depth of samples in all steps: the greater of input and output depth */
    int shift;             /* input samples are multiplied by 2^shift */
    int middle;            /* chroma code of gray before the last step */
    uint16_t *tables[2];   /* lookup tables for luma and chroma samples; NULL: samples are shifted */
    FvScalePlane plane[2]; /* resampling of luma and of chroma */
    FvFramePool *pool;     /* pool of output frames */
    /*
     * For a change of the matrix: the resampling of chroma to the size of luma, and pools of frames of 16-bit words.
     */
    FvScalePlane to_luma;
    FvFramePool *words, *whole;
    FvWorkers *workers; /* threads that share the jobs; NULL: the caller's thread only */
    int threads;
    uint8_t *scratch;
    size_t scratch_bytes; /* scratch bytes per thread */
};

/* ---- The output format ----------------------------------------------------------------------------------------- */

FvPrepareParams fv_prepare_nothing(const FvFormat *format)
{
    return (FvPrepareParams){.width = format->width,
                             .height = format->height,
                             .chroma = format->chroma,
                             .depth = format->depth,
                             .range = format->range,
                             .c = 0.6};
}

static bool crops(const FvFormat *format, const FvCrop *crop)
{
    return crop->width && (crop->width != format->width || crop->height != format->height);
}

bool fv_prepare_is_nothing(const FvFormat *format, const FvPrepareParams *params)
{
    return !crops(format, &params->crop) && params->width == format->width && params->height == format->height &&
           params->chroma == format->chroma && params->depth == format->depth && !params->matrix &&
           !params->inside.width && (!params->to_range || params->to_range == params->range) &&
           (!format->chroma || params->siting[0] == params->siting[1]);
}

FvStatus fv_prepare_check_crop(const FvFormat *from, const FvCrop *crop, FvError *error)
{
    const FvChromaSteps steps = fv_chroma_steps(from->chroma);
    if (!crop->width && !crop->height && !crop->x && !crop->y)
        return FV_OK;
    if (crop->width < 1 || crop->height < 1 || crop->x < 0 || crop->y < 0 || crop->x > from->width - crop->width ||
        crop->y > from->height - crop->height)
        return fv_fail(error, FV_ERROR_USAGE, "a crop to %dx%d at column %d, row %d does not fit a picture of %dx%d",
                       crop->width, crop->height, crop->x, crop->y, from->width, from->height);
    if (crop->x % steps.across || crop->y % steps.down)
        return fv_fail(error, FV_ERROR_USAGE,
                       "a crop at column %d, row %d would shift the chroma of %s: the column must be a multiple of "
                       "%d and the row a multiple of %d",
                       crop->x, crop->y, fv_chroma_name(from->chroma), steps.across, steps.down);
    return FV_OK;
}

FvStatus fv_prepare_format(const FvFormat *from, const FvPrepareParams *params, FvFormat *to, FvError *error)
{
    FvStatus status = fv_prepare_check_crop(from, &params->crop, error);
    if (status)
        return status;
    const bool to_rgb = params->chroma == FV_CHROMA_RGB, from_rgb = from->chroma == FV_CHROMA_RGB;
    if (to_rgb && !from_rgb && params->depth != 16)
        return fv_fail(error, FV_ERROR_USAGE, "Y'CbCr becomes RGB of 16 bits, not %d", params->depth);
    if (from_rgb && !to_rgb)
        return fv_fail(error, FV_ERROR_USAGE,
                       "frames of RGB stay RGB here; read the file without `convert` to get Y'CbCr");
    if (params->chroma && !from->chroma && !to_rgb)
        return fv_fail(error, FV_ERROR_USAGE, "a gray video has no chroma to convert");
    *to = *from;
    to->width = params->width;
    to->height = params->height;
    to->chroma = params->chroma;
    to->depth = params->depth;
    to->siting = params->siting[1];
    if (params->to_range)
        to->range = params->to_range;
    if (params->matrix)
        to->matrix = params->matrix == FV_MATRIX_601_TO_709 ? FV_H273_BT709 : FV_H273_BT601;
    if (to_rgb) {
        to->range = FV_RANGE_FULL;
        to->matrix = FV_H273_UNKNOWN;
    }
    return fv_format_check(to, error);
}

/* ---- Opening --------------------------------------------------------------------------------------------------- */

typedef struct Place {
    int x, y;
} Place;

/* Returns the position of chroma samples, in quarters of their distance. */
static Place place_of(FvSiting siting)
{
    static const Place places[] = {{-1, 0}, {-1, 0}, {0, 0}, {-1, -1}, {0, -1}, {-1, 1}, {0, 1}};
    return places[siting];
}

static void make_axes(const FvFormat *from, const FvFormat *to, const FvSiting siting[2], bool chroma,
                      FvScaleAxis *across, FvScaleAxis *down)
{
    const FvChromaSteps sub_in = fv_chroma_steps(chroma ? from->chroma : FV_CHROMA_444),
                        sub_out = fv_chroma_steps(chroma ? to->chroma : FV_CHROMA_444);
    const Place in = place_of(siting[0]), out = place_of(siting[1]);
    *across = (FvScaleAxis){.in = from->width, .out = to->width, .sub_in = sub_in.across, .sub_out = sub_out.across};
    *down = (FvScaleAxis){.in = from->height, .out = to->height, .sub_in = sub_in.down, .sub_out = sub_out.down};
    across->at_in = across->sub_in > 1 ? in.x : 0;
    across->at_out = across->sub_out > 1 ? out.x : 0;
    down->at_in = down->sub_in > 1 ? in.y : 0;
    down->at_out = down->sub_out > 1 ? out.y : 0;
    fv_format_plane_size(from, chroma ? 1 : 0, &across->samples_in, &down->samples_in);
    fv_format_plane_size(to, chroma ? 1 : 0, &across->samples_out, &down->samples_out);
}

static FvStatus open_resample(FvScalePlane *resample, const FvFormat *from, const FvFormat *to,
                              const FvPrepareParams *params, bool chroma, int depth, FvIsa isa, FvError *error)
{
    FvScaleAxis across, down;
    make_axes(from, to, params->siting, chroma, &across, &down);
    return fv_scale_plane_open(resample, &across, &down, params->kernel, params->b, params->c, depth, isa, error);
}

static FvFormat cropped_format(const FvFormat *from, const FvCrop *crop)
{
    FvFormat cropped = *from;
    if (crop->width) {
        cropped.width = crop->width;
        cropped.height = crop->height;
    }
    return cropped;
}

/* Returns whether the last step converts Y'CbCr to RGB. */
static bool restores(const FvPreparation *p)
{
    return p->to.chroma == FV_CHROMA_RGB && p->from.chroma != FV_CHROMA_RGB;
}

static FvStatus open_tables(FvPreparation *p, FvError *error)
{
    const bool ranges = p->params.to_range && p->params.to_range != p->params.range;
    const bool rounds = p->params.range == FV_RANGE_FULL && p->depth > p->from.depth;
    p->shift = p->depth - p->from.depth;
    for (int i = 0; i < 2 && (ranges || rounds); i++) {
        p->tables[i] = fv_alloc(sizeof(uint16_t) << p->from.depth);
        if (!p->tables[i])
            return fv_fail_memory(error, sizeof(uint16_t) << p->from.depth);
        fv_prepare_table(p->tables[i], p->from.depth, p->depth, p->params.range, p->params.to_range, i);
    }
    p->middle = restores(p) && p->tables[1] ? p->tables[1][1 << (p->from.depth - 1)] : 1 << (p->to.depth - 1);
    return FV_OK;
}

/* Returns the format of the part of the output that the picture fills. */
static FvFormat inside_format(const FvPreparation *p)
{
    FvFormat inside = p->to;
    if (p->params.inside.width) {
        inside.width = p->params.inside.width;
        inside.height = p->params.inside.height;
    }
    return inside;
}

/* Opens a pool of frames whose samples are 16-bit words, for any depth. */
static FvStatus open_words(FvFramePool **pool, const FvFormat *cropped, FvChroma chroma, FvError *error)
{
    FvFormat words = *cropped;
    words.depth = 16;
    words.chroma = chroma;
    return fv_frame_pool_open(pool, &words, error);
}

static FvStatus open_matrix(FvPreparation *p, const FvFormat *cropped, FvIsa isa, FvError *error)
{
    FvPrepareParams tent = p->params;
    FvFormat whole = *cropped;
    tent.kernel = FV_KERNEL_BILINEAR;
    tent.siting[1] = tent.siting[0];
    whole.chroma = FV_CHROMA_444;
    FvStatus status = open_resample(&p->to_luma, cropped, &whole, &tent, true, p->depth, isa, error);
    if (!status)
        status = open_words(&p->words, cropped, cropped->chroma, error);
    return status ? status : open_words(&p->whole, cropped, FV_CHROMA_444, error);
}

static FvStatus open_all(FvPreparation *p, FvIsa isa, FvError *error)
{
    const FvFormat cropped = cropped_format(&p->from, &p->params.crop), inside = inside_format(p);
    FvStatus status = open_tables(p, error);
    for (int i = 0; i < (p->to.chroma && p->from.chroma ? 2 : 1) && !status; i++) {
        status = open_resample(&p->plane[i], &cropped, &inside, &p->params, i, p->depth, isa, error);
        if (p->to.depth < p->depth)
            p->plane[i].reduction = (FvReduction){.depth = p->depth,
                                                  .shallow = p->to.depth,
                                                  .full = p->to.range == FV_RANGE_FULL,
                                                  .dither = p->params.dither};
    }
    if (!status && p->params.matrix && p->from.chroma)
        status = open_matrix(p, &cropped, isa, error);
    if (!status)
        status = fv_frame_pool_open(&p->pool, &p->to, error);
    if (status)
        return status;
    if (p->threads > 1 && fv_workers_open(&p->workers, p->threads, NULL))
        p->workers = NULL;
    p->threads = p->workers ? p->threads : 1;
    for (int i = 0; i < 3; i++) {
        const size_t bytes = i < 2 ? p->plane[i].scratch : p->to_luma.scratch;
        p->scratch_bytes = bytes > p->scratch_bytes ? FV_ROUND_UP(bytes, FV_ALIGN) : p->scratch_bytes;
    }
    p->scratch = fv_alloc_zero(p->scratch_bytes * (size_t)p->threads);
    return p->scratch ? FV_OK : fv_fail_memory(error, p->scratch_bytes * (size_t)p->threads);
}

FvStatus fv_prepare_open(FvPreparation **preparation, const FvFormat *from, const FvPrepareParams *params, FvIsa isa,
                         int threads, FvError *error)
{
    FvPreparation *p = *preparation = fv_alloc_zero(sizeof *p);
    if (!p)
        return fv_fail_memory(error, sizeof *p);
    p->params = *params;
    p->from = *from;
    p->params.siting[0] = params->siting[0] ? params->siting[0] : FV_SITING_LEFT;
    p->params.siting[1] = params->siting[1] ? params->siting[1] : p->params.siting[0];
    p->depth = from->depth > params->depth ? from->depth : params->depth;
    p->threads = threads < 1 ? 1 : threads < MOST_THREADS ? threads : MOST_THREADS;
    FvStatus status = fv_prepare_format(from, params, &p->to, error);
    if (!status)
        status = open_all(p, isa, error);
    if (status)
        fv_prepare_close(preparation);
    return status;
}

void fv_prepare_close(FvPreparation **preparation)
{
    FvPreparation *p = *preparation;
    *preparation = NULL;
    if (!p)
        return;
    fv_workers_close(&p->workers);
    for (int i = 0; i < 2; i++) {
        fv_scale_plane_close(&p->plane[i]);
        fv_free(p->tables[i]);
    }
    fv_scale_plane_close(&p->to_luma);
    fv_frame_pool_close(&p->pool);
    fv_frame_pool_close(&p->words);
    fv_frame_pool_close(&p->whole);
    fv_free(p->scratch);
    fv_free(p);
}

/* ---- A frame --------------------------------------------------------------------------------------------------- */

/* The jobs of several threads on a frame: each plane is cut into bands of rows and strips of columns. */
typedef struct Work {
    FvPreparation *preparation;
    const FvScalePlane *resample[3];
    FvPlaneIn in[3];
    FvPlaneOut out[3];
    int band[3], jobs[3]; /* rows per job, jobs per plane */
} Work;

static void run_job(void *opaque, int i, int worker)
{
    Work *work = opaque;
    int plane = 0;
    while (i >= work->jobs[plane])
        i -= work->jobs[plane++];
    const int strips = fv_scale_plane_strips(work->resample[plane]);
    const int first = i / strips * work->band[plane], height = work->out[plane].height;
    const int end = first + work->band[plane] < height ? first + work->band[plane] : height;
    fv_scale_plane_rows(work->resample[plane], &work->in[plane], &work->out[plane], i % strips, first, end,
                        work->preparation->scratch + work->preparation->scratch_bytes * (size_t)worker);
}

static void run_all(Work *work)
{
    FvPreparation *p = work->preparation;
    int count = 0;
    for (int plane = 0; plane < 3; plane++) {
        if (!work->resample[plane])
            continue;
        const int height = work->out[plane].height, even = (height + 2 * p->threads - 1) / (2 * p->threads);
        work->band[plane] = p->threads == 1 ? height : even < LEAST_ROWS ? LEAST_ROWS : even;
        work->jobs[plane] =
            (height + work->band[plane] - 1) / work->band[plane] * fv_scale_plane_strips(work->resample[plane]);
        count += work->jobs[plane];
    }
    if (p->workers)
        fv_workers_run(p->workers, count, run_job, work);
    else
        for (int i = 0; i < count; i++)
            run_job(work, i, 0);
}

/* Returns a plane of an input frame, cropped. */
static FvPlaneIn plane_in(const FvPreparation *p, const FvFrame *frame, int plane)
{
    const FvFormat cropped = cropped_format(&p->from, &p->params.crop);
    const FvChromaSteps steps = fv_chroma_steps(plane ? p->from.chroma : FV_CHROMA_444);
    FvPlaneIn in = {.stride = frame->stride[plane],
                    .bytes = fv_format_sample_bytes(&p->from),
                    .shift = p->shift,
                    .table = p->tables[plane > 0]};
    fv_format_plane_size(&cropped, plane, &in.width, &in.height);
    in.data =
        frame->data[plane] + p->params.crop.y / steps.down * in.stride + p->params.crop.x / steps.across * in.bytes;
    return in;
}

static FvPlaneIn plane_of_words(const FvFrame *frame, int plane)
{
    FvPlaneIn in = {.data = frame->data[plane], .stride = frame->stride[plane], .bytes = 2};
    fv_format_plane_size(&frame->format, plane, &in.width, &in.height);
    return in;
}

static FvPlaneOut plane_out(FvFrame *frame, int plane)
{
    FvPlaneOut out = {.data = frame->data[plane], .stride = frame->stride[plane]};
    fv_format_plane_size(&frame->format, plane, &out.width, &out.height);
    return out;
}

static void copy_words(const FvPlaneIn *in, FvFrame *words, int plane)
{
    for (int y = 0; y < in->height; y++) {
        const uint8_t *row = in->data + y * in->stride;
        uint16_t *to = (uint16_t *)(words->data[plane] + y * words->stride[plane]);
        for (int x = 0; x < in->width; x++) {
            const int v = in->bytes == 1 ? row[x] : ((const uint16_t *)row)[x];
            to[x] = (uint16_t)(in->table ? in->table[v] : v << in->shift);
        }
    }
}

/*
 * Copies a frame to 16-bit words and changes its matrix. Luma is computed with chroma that is resampled to the
 * positions of luma.
 */
static FvStatus change_matrix(FvPreparation *p, const FvFrame *frame, FvFrame **words, FvError *error)
{
    const bool full = p->to.range == FV_RANGE_FULL;
    FvFrame *whole = NULL;
    FvStatus status = fv_frame_pool_get(p->words, words, error);
    if (!status)
        status = fv_frame_pool_get(p->whole, &whole, error);
    if (status)
        return status;
    Work work = {.preparation = p};
    for (int plane = 0; plane < 3; plane++) {
        const FvPlaneIn in = plane_in(p, frame, plane);
        copy_words(&in, *words, plane);
        work.resample[plane] = plane ? &p->to_luma : NULL;
        work.in[plane] = plane_of_words(*words, plane);
        work.out[plane] = plane_out(whole, plane);
    }
    run_all(&work);
    if (p->to_luma.depth == 8) /* chroma was resampled to bytes, but the matrix needs words */
        for (int plane = 1; plane < 3; plane++)
            for (int y = 0; y < work.out[plane].height; y++) {
                uint8_t *row = whole->data[plane] + y * whole->stride[plane];
                for (int x = work.out[plane].width - 1; x >= 0; x--)
                    ((uint16_t *)row)[x] = row[x];
            }
    for (int y = 0; y < work.in[0].height; y++)
        fv_prepare_matrix_luma((uint16_t *)((*words)->data[0] + y * (*words)->stride[0]),
                               (const uint16_t *)(whole->data[1] + y * whole->stride[1]),
                               (const uint16_t *)(whole->data[2] + y * whole->stride[2]), work.in[0].width,
                               p->params.matrix, full, p->depth);
    for (int y = 0; y < work.in[1].height; y++)
        fv_prepare_matrix_chroma((uint16_t *)((*words)->data[1] + y * (*words)->stride[1]),
                                 (uint16_t *)((*words)->data[2] + y * (*words)->stride[2]), work.in[1].width,
                                 p->params.matrix, full, p->depth);
    fv_frame_unref(&whole);
    return FV_OK;
}

static void fill_bars(const FvPlaneOut *out, int bytes, int black, int left, int top, int right, int bottom)
{
    for (int y = top; y < bottom; y++) {
        uint8_t *row = out->data + y * out->stride;
        if (bytes == 1)
            memset(row + left, black, (size_t)(right - left));
        else
            for (int x = left; x < right; x++)
                ((uint16_t *)(void *)row)[x] = (uint16_t)black;
    }
}

/* Returns the part of an output plane that the picture fills. */
static FvPlaneOut inside_plane(const FvPreparation *p, FvFrame *frame, int plane)
{
    const FvCrop *inside = &p->params.inside;
    const FvFormat format = inside_format(p);
    const FvChromaSteps steps = fv_chroma_steps(plane ? p->to.chroma : FV_CHROMA_444);
    FvPlaneOut out = plane_out(frame, plane);
    out.data += inside->y / steps.down * out.stride + inside->x / steps.across * fv_format_sample_bytes(&p->to);
    fv_format_plane_size(&format, plane, &out.width, &out.height);
    return out;
}

/*
 * Makes an output plane black around the picture. Call it after the picture, whose rows are written beyond their
 * ends.
 */
static void add_bars(const FvPreparation *p, FvFrame *frame, int plane)
{
    const int bytes = fv_format_sample_bytes(&p->to), whole = 1 << p->to.depth;
    const bool rgb = p->from.chroma == FV_CHROMA_RGB;
    const FvRange range = restores(p) ? p->params.range : p->to.range;
    const int black = plane && !rgb ? p->middle : range == FV_RANGE_FULL ? 0 : whole / 16;
    const FvPlaneOut out = plane_out(frame, plane), part = inside_plane(p, frame, plane);
    const int before = (int)(part.data - out.data), top = before / (int)out.stride;
    const int left = before % (int)out.stride / bytes, bottom = top + part.height;
    fill_bars(&out, bytes, black, 0, 0, out.width, top);
    fill_bars(&out, bytes, black, 0, top, left, bottom);
    fill_bars(&out, bytes, black, left + part.width, top, out.width, bottom);
    fill_bars(&out, bytes, black, 0, bottom, out.width, out.height);
}

/* Converts a frame to RGB. Gray gets chroma without colour first. */
static void restore(const FvPreparation *p, FvFrame *frame)
{
    for (int plane = 1; plane < 3 && !p->from.chroma; plane++) {
        const FvPlaneOut out = plane_out(frame, plane);
        fill_bars(&out, 2, p->middle, 0, 0, out.width, out.height);
    }
    fv_rgb_restore(frame, p->from.matrix, p->params.range, p->middle);
}

void fv_prepare_sign(const FvPreparation *p, int32_t *signature, const FvFrame *frame)
{
    const FvPlaneIn in = plane_in(p, frame, 0);
    fv_sample_make(signature,
                   &(FvLuma){in.data, in.stride, in.width, in.height, in.bytes, p->depth, in.shift, in.table});
}

FvStatus fv_prepare_run(FvPreparation *p, FvFrame **frame, FvError *error)
{
    FvFrame *words = NULL, *out = NULL;
    int64_t time;
    Work work = {.preparation = p};
    FvStatus status = p->words ? change_matrix(p, *frame, &words, error) : FV_OK;
    if (!status)
        status = fv_frame_pool_get(p->pool, &out, error);
    const int planes = p->from.chroma ? fv_format_planes(&p->to) : 1;
    for (int plane = 0; plane < planes && !status; plane++) {
        work.resample[plane] = &p->plane[plane > 0];
        work.in[plane] = words ? plane_of_words(words, plane) : plane_in(p, *frame, plane);
        work.out[plane] = inside_plane(p, out, plane);
    }
    if (!status) {
        run_all(&work);
        for (int plane = 0; plane < planes && p->params.inside.width; plane++)
            add_bars(p, out, plane);
        if (restores(p))
            restore(p, out);
        if (fv_frame_time(*frame, &time))
            fv_frame_set_time(out, time);
        fv_frame_vouch(out);
        fv_frame_unref(frame);
        *frame = out;
    }
    fv_frame_unref(&words);
    return status;
}

/* ---- Preparing on a device ------------------------------------------------------------------------------------- */

const FvFormat *fv_prepare_from(const FvPreparation *p)
{
    return &p->from;
}

const FvFormat *fv_prepare_to(const FvPreparation *p)
{
    return &p->to;
}

static void release_unprepared(void *opaque)
{
    FvUnprepared *unprepared = opaque;
    fv_frame_unref(&unprepared->frame);
    fv_free(unprepared);
}

FvStatus fv_prepare_defer(FvPreparation *p, FvFrame **frame, FvError *error)
{
    FvUnprepared *unprepared = fv_alloc(sizeof *unprepared);
    FvFrame *out = NULL;
    ptrdiff_t stride[3];
    int64_t time;
    if (!unprepared)
        return fv_fail_memory(error, sizeof *unprepared);
    *unprepared = (FvUnprepared){fv_frame_ref(*frame), p};
    for (int plane = 0; plane < 3; plane++)
        stride[plane] = fv_format_stride(&p->to, plane);
    FvStatus status = fv_frame_wrap(
        &out, &p->to, (uint8_t *[3]){0}, stride,
        &(FvFramePlace){.unprepared = unprepared, .release = release_unprepared, .opaque = unprepared}, error);
    if (status)
        return status;
    if (fv_frame_time(*frame, &time))
        fv_frame_set_time(out, time);
    fv_frame_unref(frame);
    *frame = out;
    return FV_OK;
}

bool fv_prepare_steps(const FvPreparation *p, FvPrepareSteps *steps, char *why, size_t size)
{
    if (p->words || p->plane[0].reduction.shallow || p->params.inside.width || restores(p)) {
        snprintf(why, size, "GPUs have no kernel for %s",
                 p->words                 ? "a change of the matrix"
                 : p->params.inside.width ? "bars around a picture"
                 : restores(p)            ? "RGB of Y'CbCr"
                                          : "a lower bit depth");
        return false;
    }
    *steps = (FvPrepareSteps){.from = p->from,
                              .cropped = cropped_format(&p->from, &p->params.crop),
                              .to = p->to,
                              .depth = p->depth,
                              .shift = p->shift};
    for (int i = 0; i < (p->to.chroma ? 2 : 1); i++) {
        const FvChromaSteps sub = fv_chroma_steps(i ? p->from.chroma : FV_CHROMA_444);
        steps->offset[i] = (size_t)(p->params.crop.y / sub.down) * (size_t)fv_format_stride(&p->from, i) +
                           (size_t)(p->params.crop.x / sub.across * fv_format_sample_bytes(&p->from));
        steps->table[i] = p->tables[i];
        steps->across[i] = &p->plane[i].across;
        steps->down[i] = &p->plane[i].down;
    }
    return true;
}
