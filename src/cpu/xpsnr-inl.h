/*
 * XPSNR in vectors. cpu/xpsnr.c includes this file once for each type of lane, and first defines
 *   SAMPLE                type of a sample in memory
 *   LANES, LANE, COUNT    vector type, type of a lane, number of lanes
 *   LOAD(from)            loads COUNT samples, one per lane
 *   DISTANCE(a, b)        |a - b| in each lane
 *   ADD(sum, v)           adds the lanes of v to 32-bit lanes
 *   PAIRS                 1 for coarse kernels, which read a vector's memory as COUNT pairs of samples; else 0
 *   NAME(word)            name of a function for this type of lane
 */

/* Returns v with all lanes from `count` on set to 0. */
static inline __attribute__((always_inline)) LANES NAME(first)(LANES v, int count)
{
    LANES index;
    for (int lane = 0; lane < COUNT; lane++)
        index[lane] = (LANE)lane;
    return count >= COUNT ? v : v & (LANES)(index < (LANE)count);
}

static inline __attribute__((always_inline)) const SAMPLE *NAME(row)(const uint8_t *plane, ptrdiff_t stride, int y)
{
    return (const SAMPLE *)(plane + y * stride);
}

#if !PAIRS

/* Returns a row filtered with the weights 1 2 1. */
static inline __attribute__((always_inline)) LANES NAME(wide)(const SAMPLE *row)
{
    return FV_XPSNR_121(LOAD(row - 1), LOAD(row), LOAD(row + 1));
}

static uint64_t NAME(busy)(const FvXpsnrBlock *b)
{
    int width = b->window.x1 - b->window.x0;
    fv_u64 total = {0};
    for (int x = 0; x < width; x += COUNT) {
        const uint8_t *strip = b->luma + (b->window.x0 + x) * (ptrdiff_t)sizeof(SAMPLE);
        LANES above = NAME(wide)(NAME(row)(strip, b->stride, b->window.y0 - 1));
        LANES own = NAME(wide)(NAME(row)(strip, b->stride, b->window.y0));
        fv_u32 sum = {0};
        for (int y = b->window.y0; y < b->window.y1; y++) {
            LANES below = NAME(wide)(NAME(row)(strip, b->stride, y + 1));
            LANES centre = FV_XPSNR_CENTRE(LOAD(NAME(row)(strip, b->stride, y)));
            ADD(sum, NAME(first)(DISTANCE(centre, FV_XPSNR_121(above, own, below)), width - x));
            above = own;
            own = below;
        }
        total += widen(sum);
    }
    return add_up(total);
}

static inline __attribute__((always_inline)) uint64_t NAME(moving)(const FvXpsnrBlock *b, const int order)
{
    int width = b->block.x1 - b->block.x0;
    fv_u64 total = {0};
    for (int x = 0; x < width; x += COUNT) {
        ptrdiff_t strip = (b->block.x0 + x) * (ptrdiff_t)sizeof(SAMPLE);
        fv_u32 sum = {0};
        for (int y = b->block.y0; y < b->block.y1; y++) {
            LANES ends = LOAD(NAME(row)(b->luma + strip, b->stride, y));
            if (order == 2)
                ends += LOAD(NAME(row)(b->before[1] + strip, b->before_stride[1], y));
            LANES steady = FV_XPSNR_STEADY(order, LOAD(NAME(row)(b->before[0] + strip, b->before_stride[0], y)));
            ADD(sum, NAME(first)(DISTANCE(ends, steady), width - x));
        }
        total += widen(sum);
    }
    return add_up(total);
}

#else

/* The even, or the odd, samples from an even index on. */
#define EVEN(from) (FV_LOAD(LANES, from) & (LANE)((1u << 8 * sizeof(SAMPLE)) - 1))
#define ODD(from) (FV_LOAD(LANES, from) >> 8 * sizeof(SAMPLE))

/*
 * Returns row y from column `from` on, valid for the columns before `to`. Coordinates outside the frame mean its
 * edge: if the columns reach outside, the row is copied and extended.
 */
static const SAMPLE *NAME(reach)(const FvXpsnrBlock *b, const uint8_t *plane, ptrdiff_t stride, int y, int from,
                                 int to, SAMPLE *copy)
{
    const SAMPLE *row = NAME(row)(plane, stride, y < b->height ? y : b->height - 1);
    if (to <= b->width)
        return row + from;
    memcpy(copy, row + from, (size_t)(b->width - from) * sizeof *copy);
    for (int x = b->width; x < to; x++)
        copy[x - from] = row[b->width - 1];
    return copy;
}

typedef struct NAME(Three) {
    LANES far, near, own;
} NAME(Three);

static inline __attribute__((always_inline)) NAME(Three) NAME(three)(const SAMPLE *top, const SAMPLE *bottom)
{
    return (NAME(Three)){
        .far = EVEN(top - 2) + ODD(top + 2) + EVEN(bottom - 2) + ODD(bottom + 2),
        .near = ODD(top - 2) + EVEN(top + 2) + ODD(bottom - 2) + EVEN(bottom + 2),
        .own = EVEN(top) + ODD(top) + EVEN(bottom) + ODD(bottom),
    };
}

static uint64_t NAME(busy)(const FvXpsnrBlock *b)
{
    SAMPLE copy[6][MOST_SIDE + 8 + FV_VECTOR_BYTES];
    const SAMPLE *rows[6];
    int x0 = b->window.x0, pairs = (b->window.x1 - x0 + 1) / 2;
    fv_u64 total = {0};
    for (int y = b->window.y0; y < b->window.y1 && pairs > 0; y += 2) {
        for (int i = 0; i < 6; i++)
            rows[i] = 2 + NAME(reach)(b, b->luma, b->stride, y - 2 + i, x0 - 2, x0 + 2 * pairs + 2, copy[i]);
        fv_u32 sum = {0};
        for (int x = 0; x < pairs; x += COUNT) {
            NAME(Three) outer = NAME(three)(rows[0] + 2 * x, rows[5] + 2 * x);
            NAME(Three) inner = NAME(three)(rows[1] + 2 * x, rows[4] + 2 * x);
            NAME(Three) own = NAME(three)(rows[2] + 2 * x, rows[3] + 2 * x);
            LANES ring = FV_XPSNR_RING(outer.near, outer.own, inner.far, inner.near, inner.own, own.far, own.near);
            ADD(sum, NAME(first)(DISTANCE(FV_XPSNR_FOUR(own.own), ring), pairs - x));
        }
        total += widen(sum);
    }
    return add_up(total);
}

static inline __attribute__((always_inline)) LANES NAME(four)(const SAMPLE *const rows[2], int x)
{
    return EVEN(rows[0] + x) + ODD(rows[0] + x) + EVEN(rows[1] + x) + ODD(rows[1] + x);
}

static inline __attribute__((always_inline)) uint64_t NAME(moving)(const FvXpsnrBlock *b, const int order)
{
    SAMPLE copy[6][MOST_SIDE + 8 + FV_VECTOR_BYTES];
    const SAMPLE *now[2], *before[2], *oldest[2] = {NULL, NULL};
    int x0 = b->block.x0, pairs = (b->block.x1 - x0 + 1) / 2, to = x0 + 2 * pairs;
    fv_u64 total = {0};
    for (int y = b->block.y0; y < b->block.y1; y += 2) {
        for (int i = 0; i < 2; i++) {
            now[i] = NAME(reach)(b, b->luma, b->stride, y + i, x0, to, copy[i]);
            before[i] = NAME(reach)(b, b->before[0], b->before_stride[0], y + i, x0, to, copy[2 + i]);
            if (order == 2)
                oldest[i] = NAME(reach)(b, b->before[1], b->before_stride[1], y + i, x0, to, copy[4 + i]);
        }
        fv_u32 sum = {0};
        for (int x = 0; x < pairs; x += COUNT) {
            LANES ends = NAME(four)(now, 2 * x);
            if (order == 2)
                ends += NAME(four)(oldest, 2 * x);
            LANES steady = FV_XPSNR_STEADY(order, NAME(four)(before, 2 * x));
            ADD(sum, NAME(first)(DISTANCE(ends, steady), pairs - x));
        }
        total += widen(sum);
    }
    return add_up(total);
}

#undef EVEN
#undef ODD

#endif

static FvXpsnrActivity NAME(measure)(const FvXpsnrBlock *b)
{
    return (FvXpsnrActivity){NAME(busy)(b), b->order == 2 ? NAME(moving)(b, 2) : NAME(moving)(b, 1)};
}

#undef SAMPLE
#undef LANES
#undef LANE
#undef COUNT
#undef LOAD
#undef DISTANCE
#undef ADD
#undef PAIRS
#undef NAME
