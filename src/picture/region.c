#include "picture/region.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "os/memory.h"

#define BEYOND 64 /* weights behind the end of each row */

FvRegionOptions *fv_region_among(const void *options, const FvOptions *table)
{
    for (int i = 0; i < table->count; i++)
        if (!strcmp(table->info[i].name, "roi"))
            return (FvRegionOptions *)(void *)((char *)options + table->offset[i]);
    return NULL;
}

typedef struct Rectangle {
    int64_t side[4]; /* width, height, x, y */
} Rectangle;

static bool parse(Rectangle *rectangle, const char *text)
{
    for (int i = 0; i < 4; i++) {
        char number[8];
        const size_t length = strcspn(text, ":");
        if (length >= sizeof number || (text[length] == ':') != (i < 3))
            return false;
        memcpy(number, text, length);
        number[length] = '\0';
        if (!fv_parse_int(number, i < 2, FV_MAX_SIDE, &rectangle->side[i]))
            return false;
        text += length + (i < 3);
    }
    return true;
}

FvStatus fv_region_check(const FvRegionOptions *region, const char *owner, FvError *error)
{
    Rectangle rectangle;
    if (region->rectangle && region->path)
        return fv_fail(error, FV_ERROR_USAGE, "%s: roi and roi_mask exclude each other; give one of them", owner);
    if (region->rectangle && !parse(&rectangle, region->rectangle))
        return fv_fail(error, FV_ERROR_USAGE,
                       "%s: roi takes W:H:X:Y in luma samples, with a width and a height from 1 on, not '%s'", owner,
                       region->rectangle);
    return FV_OK;
}

/* The region in luma samples: a rectangle of one weight, or of a mask's weights. */
typedef struct Luma {
    int width, height; /* of the pictures */
    int x0, y0, x1, y1;
    const FvMask *mask; /* or NULL */
} Luma;

static FvStatus find_luma(Luma *luma, const FvRegionOptions *region, int width, int height, const char *owner,
                          FvError *error)
{
    Rectangle r = {{width, height, 0, 0}};
    const FvMask *mask = region->mask;
    if (region->rectangle)
        (void)parse(&r, region->rectangle);
    if (r.side[2] + r.side[0] > width || r.side[3] + r.side[1] > height)
        return fv_fail(error, FV_ERROR_INPUT,
                       "%s: roi=%s reaches beyond the pictures that are compared, which are %dx%d", owner,
                       region->rectangle, width, height);
    if (mask && (mask->width != width || mask->height != height))
        return fv_fail(
            error, FV_ERROR_INPUT,
            "%s: the mask '%s' is %dx%d, and the pictures that are compared are %dx%d: make a mask of that "
            "size",
            owner, region->path, mask->width, mask->height, width, height);
    *luma = (Luma){
        width, height, (int)r.side[2], (int)r.side[3], (int)(r.side[2] + r.side[0]), (int)(r.side[3] + r.side[1]),
        mask};
    return FV_OK;
}

static unsigned luma_at(const Luma *luma, int x, int y)
{
    x = x < luma->width ? x : luma->width - 1;
    y = y < luma->height ? y : luma->height - 1;
    if (x < luma->x0 || x >= luma->x1 || y < luma->y0 || y >= luma->y1)
        return 0;
    return luma->mask ? luma->mask->weight[(size_t)y * (size_t)luma->width + (size_t)x] : 1;
}

static unsigned value_at(const Luma *luma, const FvRegionGrid *grid, int x, int y)
{
    unsigned sum = 0;
    const int left = grid->left + x * grid->across, above = grid->above + y * grid->down;
    for (int j = above; j < above + grid->down; j++)
        for (int i = left; i < left + grid->across; i++)
            sum += luma_at(luma, i, j);
    return sum;
}

static unsigned common_divisor(unsigned a, unsigned b)
{
    while (b) {
        const unsigned rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

FvStatus fv_region_weigh(FvWeights *weights, const FvRegionOptions *region, int width, int height,
                         const FvRegionGrid *grid, const char *owner, FvError *error)
{
    *weights = (FvWeights){.sum = (uint64_t)grid->width * (uint64_t)grid->height, .most = 1};
    if (!fv_region_given(region))
        return FV_OK;
    Luma luma = {0};
    FvStatus status = find_luma(&luma, region, width, height, owner, error);
    if (status)
        return status;
    weights->stride = grid->width + BEYOND;
    const size_t count = (size_t)weights->stride * (size_t)grid->height;
    weights->weight = fv_alloc_zero(count * sizeof *weights->weight);
    if (!weights->weight)
        return fv_fail_memory(error, count * sizeof *weights->weight);
    unsigned divisor = 0;
    bool equal = true;
    for (int y = 0; y < grid->height; y++)
        for (int x = 0; x < grid->width; x++) {
            const unsigned value = value_at(&luma, grid, x, y);
            weights->weight[y * weights->stride + x] = value;
            divisor = common_divisor(divisor, value);
            equal = equal && value == weights->weight[0];
        }
    if (!divisor)
        return fv_fail(error, FV_ERROR_INPUT, "%s: no %s lies in the region: make it larger", owner, grid->each);
    if (equal) {
        fv_free(weights->weight);
        weights->weight = NULL;
        return FV_OK;
    }
    weights->sum = 0;
    for (size_t i = 0; i < count; i++) {
        weights->weight[i] /= divisor;
        weights->sum += weights->weight[i];
        weights->most = weights->weight[i] > weights->most ? weights->weight[i] : weights->most;
    }
    return FV_OK;
}

FvStatus fv_region_weigh_plane(FvWeights *weights, const FvRegionOptions *region, const FvFormat *format, int plane,
                               int columns, int rows, const char *owner, FvError *error)
{
    static const char *const samples[] = {"sample of luma", "sample of Cb", "sample of Cr"};
    const FvRegionGrid grid = {.width = columns,
                               .height = rows,
                               .across = plane && format->chroma != FV_CHROMA_444 ? 2 : 1,
                               .down = plane && format->chroma == FV_CHROMA_420 ? 2 : 1,
                               .each = samples[plane]};
    return fv_region_weigh(weights, region, format->width, format->height, &grid, owner, error);
}

FvStatus fv_region_refuse_sum(int depth, const char *owner, FvError *error)
{
    return fv_fail(error, FV_ERROR_INPUT,
                   "%s: squares of %d bits with these weights do not fit into 63 bits: use a mask of black and white "
                   "alone",
                   owner, depth);
}

void fv_weights_free(FvWeights *weights)
{
    fv_free(weights->weight);
    *weights = (FvWeights){.weight = NULL};
}
