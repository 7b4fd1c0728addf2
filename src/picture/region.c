#include "picture/region.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "os/memory.h"

#define BEYOND 64 /* number of readable weights after the end of each row */
#define HEAD 64   /* bytes for FvWeights before the weights of a frame */

FvRegionOptions *fv_region_among(const void *options, const FvOptions *table)
{
    for (int i = 0; i < table->count; i++)
        if (!strcmp(table->info[i].name, "roi"))
            return (FvRegionOptions *)(void *)((char *)options + table->offset[i]);
    return NULL;
}

typedef struct Rectangle {
    int64_t side[4]; /* width, height, x and y of the rectangle */
} Rectangle;

static bool parse_rectangle(Rectangle *rectangle, const char *text)
{
    return fv_parse_ints(text, 4, 0, FV_MAX_SIDE, rectangle->side) && rectangle->side[0] && rectangle->side[1];
}

FvStatus fv_region_check(const FvRegionOptions *region, const char *owner, FvError *error)
{
    Rectangle rectangle;
    if (region->rectangle && region->path)
        return fv_fail(error, FV_ERROR_USAGE, "%s: roi and roi_mask exclude each other; give one of them", owner);
    if (region->rectangle && !parse_rectangle(&rectangle, region->rectangle))
        return fv_fail(error, FV_ERROR_USAGE,
                       "%s: roi takes W:H:X:Y in luma samples, with a width and a height from 1 on, not '%s'", owner,
                       region->rectangle);
    return FV_OK;
}

/* The region in luma samples: a rectangle of weight 1, or a mask. */
typedef struct Luma {
    int width, height; /* size of the frames */
    int x0, y0, x1, y1;
    const uint8_t *mask; /* weights of the mask; NULL: a rectangle */
    ptrdiff_t stride;    /* stride of the mask */
} Luma;

static FvStatus find_luma(Luma *luma, const FvRegionOptions *region, int width, int height, const char *owner,
                          FvError *error)
{
    Rectangle r = {{width, height, 0, 0}};
    const FvMask *mask = region->mask;
    if (region->rectangle)
        (void)parse_rectangle(&r, region->rectangle);
    if (r.side[2] + r.side[0] > width || r.side[3] + r.side[1] > height)
        return fv_fail(
            error, FV_ERROR_INPUT,
            "%s: roi=%s reaches beyond the pictures that are compared, which are %dx%d; keep X + W within %d and "
            "Y + H within %d",
            owner, region->rectangle, width, height, width, height);
    if (mask && (mask->width != width || mask->height != height))
        return fv_fail(
            error, FV_ERROR_INPUT,
            "%s: the mask '%s' is %dx%d, and the pictures that are compared are %dx%d: make a mask of that "
            "size",
            owner, region->path, mask->width, mask->height, width, height);
    *luma = (Luma){.width = width,
                   .height = height,
                   .x0 = (int)r.side[2],
                   .y0 = (int)r.side[3],
                   .x1 = (int)(r.side[2] + r.side[0]),
                   .y1 = (int)(r.side[3] + r.side[1]),
                   .mask = mask ? mask->weight : NULL,
                   .stride = width};
    return FV_OK;
}

static int inside(int at, int end)
{
    return at < end ? at : end - 1;
}

/* Adds the weights of a row of luma samples to the weights of the values that contain it. */
static void add_row(uint32_t *to, const Luma *luma, const FvRegionGrid *grid, int y)
{
    const uint8_t *mask = luma->mask ? luma->mask + y * luma->stride : NULL;
    const int whole = (luma->width - grid->left) / grid->across; /* values with all samples in the picture */
    int done = 0;
    if (y < luma->y0 || y >= luma->y1)
        return;
    if (mask && grid->across <= 2) {
        const uint8_t *from = mask + grid->left;
        done = whole < grid->width ? whole : grid->width;
        for (int x = 0; x < done && grid->across == 1; x++)
            to[x] += from[x];
        for (int x = 0; x < done && grid->across == 2; x++)
            to[x] += (uint32_t)(from[2 * x] + from[2 * x + 1]);
    }
    for (int x = done; x < grid->width; x++)
        for (int i = 0; i < grid->across; i++) {
            const int at = inside(grid->left + x * grid->across + i, luma->width);
            to[x] += mask ? mask[at] : at >= luma->x0 && at < luma->x1;
        }
}

uint64_t fv_common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/*
 * Finds the divisor and the greatest weight. false: all weights are equal. Skips equal neighbours, which are
 * frequent.
 */
static bool compare_weights(FvWeights *weights, const FvRegionGrid *grid)
{
    uint32_t last = grid->width && grid->height ? weights->weight[0] : 0; /* chroma may have no sample */
    bool differ = false;
    weights->divisor = weights->most = last;
    for (int y = 0; y < grid->height; y++)
        for (int x = 0; x < grid->width; x++) {
            const uint32_t value = weights->weight[y * weights->stride + x];
            if (value == last)
                continue;
            weights->divisor = (uint32_t)fv_common_divisor(weights->divisor, value);
            weights->most = value > weights->most ? value : weights->most;
            last = value;
            differ = true;
        }
    return differ;
}

/* Computes the weights into weights->weight, which the caller has allocated. */
static void weigh(FvWeights *weights, const Luma *luma, const FvRegionGrid *grid)
{
    memset(weights->weight, 0, (size_t)weights->stride * (size_t)grid->height * sizeof *weights->weight);
    for (int y = 0; y < grid->height; y++)
        for (int j = 0; j < grid->down; j++)
            add_row(weights->weight + y * weights->stride, luma, grid,
                    inside(grid->above + y * grid->down + j, luma->height));
    if (!compare_weights(weights, grid)) {
        weights->sum = weights->most ? (uint64_t)grid->width * (uint64_t)grid->height : 0;
        weights->most = 1;
        weights->weight = weights->sum ? NULL : weights->weight;
        return;
    }
    const float divisor = (float)weights->divisor;
    weights->most /= weights->divisor;
    weights->sum = 0;
    for (int y = 0; y < grid->height; y++) {
        uint32_t *row = weights->weight + y * weights->stride;
        for (int x = 0; x < grid->width && divisor > 1; x++) /* float is exact below 2^24, and can be vectorised */
            row[x] = (uint32_t)(int32_t)((float)(int32_t)row[x] / divisor);
        for (int x = 0; x < grid->width; x++)
            weights->sum += row[x];
    }
}

static FvStatus weigh_all(FvWeigher *weigher, const Luma *luma, FvError *error)
{
    FvWeights *weights = &weigher->all;
    const FvRegionGrid *grid = &weigher->grid;
    weights->stride = grid->width + BEYOND;
    const size_t count = (size_t)weights->stride * (size_t)grid->height;
    uint32_t *memory = weights->weight = fv_alloc(count * sizeof *memory);
    if (!memory)
        return fv_fail_memory(error, count * sizeof *memory);
    weigh(weights, luma, grid);
    if (!weights->weight)
        fv_free(memory);
    return FV_OK;
}

FvStatus fv_weigher_open(FvWeigher *weigher, const FvRegionOptions *region, int width, int height,
                         const FvRegionGrid *grid, const char *owner, size_t *frame_bytes, FvError *error)
{
    Luma luma = {0};
    *weigher = (FvWeigher){.grid = *grid,
                           .all = {.sum = (uint64_t)grid->width * (uint64_t)grid->height, .most = 1, .divisor = 1},
                           .owner = owner};
    if (!fv_region_given(region))
        return FV_OK;
    FvStatus status = find_luma(&luma, region, width, height, owner, error);
    if (status)
        return status;
    weigher->moving = region->mask && !region->mask->weight;
    if (!weigher->moving) {
        status = weigh_all(weigher, &luma, error);
        return status ? status : fv_weights_check(weigher, &weigher->all, -1, error);
    }
    weigher->at = FV_ROUND_UP(*frame_bytes, FV_ALIGN);
    *frame_bytes = weigher->at + HEAD + (size_t)(grid->width + BEYOND) * (size_t)grid->height * sizeof(uint32_t);
    return FV_OK;
}

FvStatus fv_weigher_open_plane(FvWeigher *weigher, const FvRegionOptions *region, const FvFormat *format, int plane,
                               int columns, int rows, const char *owner, size_t *frame_bytes, FvError *error)
{
    static const char *const samples[] = {"sample of luma", "sample of Cb", "sample of Cr"};
    const FvRegionGrid grid = {.width = columns,
                               .height = rows,
                               .across = plane && format->chroma != FV_CHROMA_444 ? 2 : 1,
                               .down = plane && format->chroma == FV_CHROMA_420 ? 2 : 1,
                               .each = samples[plane]};
    return fv_weigher_open(weigher, region, format->width, format->height, &grid, owner, frame_bytes, error);
}

void fv_weigher_close(FvWeigher *weigher)
{
    fv_free(weigher->all.weight);
    weigher->all.weight = NULL;
}

void fv_weigher_weigh(const FvWeigher *weigher, const FvFrame *mask, void *frame)
{
    uint8_t *memory = (uint8_t *)frame + weigher->at;
    FvWeights *weights = (FvWeights *)(void *)memory;
    if (!mask) {
        *weights = weigher->all;
        return;
    }
    const int width = mask->format.width, height = mask->format.height;
    *weights = (FvWeights){.weight = (uint32_t *)(void *)(memory + HEAD), .stride = weigher->grid.width + BEYOND};
    weigh(weights,
          &(Luma){.width = width,
                  .height = height,
                  .x1 = width,
                  .y1 = height,
                  .mask = mask->data[0],
                  .stride = mask->stride[0]},
          &weigher->grid);
}

const FvWeights *fv_weights_of(const FvWeigher *weigher, const void *frame)
{
    return weigher->moving ? (const FvWeights *)(const void *)((const uint8_t *)frame + weigher->at) : &weigher->all;
}

FvStatus fv_weights_check(const FvWeigher *weigher, const FvWeights *weights, int64_t number, FvError *error)
{
    if (weights->sum)
        return FV_OK;
    if (number < 0)
        return fv_fail(error, FV_ERROR_INPUT, "%s: no %s lies in the region: make it larger", weigher->owner,
                       weigher->grid.each);
    return fv_fail(error, FV_ERROR_INPUT,
                   "%s: no %s lies where frame %lld of the mask is not black: make more of it white", weigher->owner,
                   weigher->grid.each, (long long)number);
}

FvStatus fv_weights_check_sum(const FvWeigher *weigher, const FvWeights *weights, double most, int depth,
                              int64_t number, FvError *error)
{
    char frame[48] = "";
    FvStatus status = number >= 0 ? fv_weights_check(weigher, weights, number, error) : FV_OK;
    if (status || (double)weights->sum <= most)
        return status;
    if (number >= 0)
        snprintf(frame, sizeof frame, "frame %lld of ", (long long)number);
    return fv_fail(
        error, FV_ERROR_INPUT,
        "%s: squares of %d bits with the weights of %sthe mask do not fit into 63 bits: use a mask of black "
        "and white alone",
        weigher->owner, depth, frame);
}
