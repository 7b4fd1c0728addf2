/* Finds the black bars around the picture of a video. docs/scaling.md */
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "input/source.h"
#include "input/source_params.h"
#include "os/memory.h"
#include "picture/bars.h"
#include "picture/frame.h"

#define LEAST_FRAMES 8

typedef struct Bars {
    int width, height;
    uint32_t *rows, *columns; /* sums of luma in the current frame */
    int lines[FV_BARS];       /* rows and columns that were bars in every frame so far */
    int64_t frames;           /* number of frames that are not all black */
} Bars;

static void add_up(Bars *bars, const FvFrame *frame)
{
    memset(bars->columns, 0, (size_t)bars->width * sizeof *bars->columns);
    for (int y = 0; y < bars->height; y++) {
        const uint8_t *bytes = frame->data[0] + y * frame->stride[0];
        const uint16_t *words = (const uint16_t *)bytes;
        uint32_t sum = 0;
        for (int x = 0; x < bars->width; x++) {
            const unsigned sample = frame->format.depth == 8 ? bytes[x] : words[x];
            sum += sample;
            bars->columns[x] += sample;
        }
        bars->rows[y] = sum;
    }
}

static void look_at(Bars *bars, const FvFrame *frame)
{
    int lines[FV_BARS];
    add_up(bars, frame);
    fv_find_black_lines(lines, &frame->format, bars->rows, bars->columns);
    if (lines[FV_BAR_TOP] == bars->height || lines[FV_BAR_LEFT] == bars->width)
        return;
    for (int i = 0; i < FV_BARS; i++)
        if (!bars->frames || lines[i] < bars->lines[i])
            bars->lines[i] = lines[i];
    bars->frames++;
}

static FvStatus read_all(Bars *bars, FvSource *source, FvError *error)
{
    FvStatus status = FV_OK;
    fv_source_attach(source, &(FvSourceServices){.planes = 1}); /* only luma */
    while (!status) {
        FvFrame *frame = NULL;
        status = fv_source_read(source, &frame, error);
        if (!status)
            look_at(bars, frame);
        fv_frame_unref(&frame);
    }
    if (status == FV_END && bars->frames < LEAST_FRAMES)
        return fv_fail(error, FV_ERROR_INPUT,
                       "%s has only %" PRId64
                       " frames that are not black, too few to find bars, which takes %d: give the crop as "
                       "WIDTH:HEIGHT:X:Y",
                       source->info.path, bars->frames, LEAST_FRAMES);
    return status == FV_END ? FV_OK : status;
}

/* Chooses the picture within the bars. Its edges do not cut through chroma samples. */
static void choose_crop(const Bars *bars, FvChroma chroma, FvCrop *crop)
{
    const FvChromaSteps steps = fv_chroma_steps(chroma);
    crop->x = bars->lines[FV_BAR_LEFT] / steps.across * steps.across;
    crop->y = bars->lines[FV_BAR_TOP] / steps.down * steps.down;
    crop->width = bars->width - crop->x - bars->lines[FV_BAR_RIGHT] / steps.across * steps.across;
    crop->height = bars->height - crop->y - bars->lines[FV_BAR_BOTTOM] / steps.down * steps.down;
    crop->frames = bars->frames;
}

FvStatus fv_find_bars(FvCrop *crop, const FvSourceParams *params, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, crop);
    *crop = (FvCrop){0};
    FV_REQUIRE(error, params);
    FvSource *source;
    Bars bars = {0};
    const FvSourceParams luma = fv_source_params_luma(params);
    FvStatus status = fv_source_open(&source, &luma, error);
    if (status)
        return status;
    const FvSourceInfo *info = fv_source_info(source);
    bars.width = info->format.width;
    bars.height = info->format.height;
    bars.rows = fv_alloc((size_t)bars.height * sizeof *bars.rows);
    bars.columns = fv_alloc((size_t)bars.width * sizeof *bars.columns);
    if (source->stream.waits)
        status = fv_fail(error, FV_FAIL_READ_ONCE,
                         "%s can be read only once, and finding bars reads all of it first: store it in a file",
                         info->path);
    else if (!bars.rows || !bars.columns)
        status = fv_fail_memory(error, (size_t)(bars.width + bars.height) * sizeof *bars.rows);
    else
        status = read_all(&bars, source, error);
    if (!status)
        choose_crop(&bars, info->format.chroma, crop);
    fv_free(bars.rows);
    fv_free(bars.columns);
    fv_source_close(&source);
    return status;
}
