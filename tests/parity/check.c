/* Parity cases of the measures of a single video. */
#include "cpu/check.h"

#include <string.h>

#include "parity.h"

/* Returns a picture of the case. The variant chooses 4:2:0, 4:4:4 or no chroma. */
static FvFrame picture(Parity *p, const char *const name[3])
{
    static const FvChroma chroma[] = {FV_CHROMA_420, FV_CHROMA_444, FV_CHROMA_400};
    FvFrame frame = {
        .format = {.width = p->width, .height = p->height, .chroma = chroma[p->variant], .depth = p->depth}};
    for (int plane = 0; plane < fv_format_planes(&frame.format); plane++) {
        int width, height;
        fv_format_plane_size(&frame.format, plane, &width, &height);
        frame.data[plane] = parity_samples(p, name[plane], width, height, &frame.stride[plane]);
    }
    return frame;
}

static FvFrame now_of(Parity *p)
{
    static const char *const names[] = {"y", "cb", "cr"};
    return picture(p, names);
}

/* Returns the previous frame. Its first rows are the same, so some blocks do not move. */
static FvFrame before_of(Parity *p, const FvFrame *now)
{
    FvFrame frame = *now;
    frame.data[0] = parity_samples(p, "before", p->width, p->height, &frame.stride[0]);
    for (int y = 0; y < p->height / 3; y++)
        memcpy(frame.data[0] + y * frame.stride[0], now->data[0] + y * now->stride[0],
               (size_t)p->width * (p->depth > 8 ? 2 : 1));
    return frame;
}

static int bytes_of(const Parity *p)
{
    return p->depth > 8 ? 2 : 1;
}

static double samples_of(const Parity *p)
{
    return (double)p->width * p->height;
}

static uint32_t *blocks_of(Parity *p)
{
    return parity_output(p, "block", ((size_t)p->width + 15) / 16 * 4, 1, 4, 32, NULL);
}

static void siti(Parity *p)
{
    const FvFrame now = now_of(p), before = before_of(p, &now);
    const size_t codes = (size_t)1 << p->depth;
    int32_t *table = parity_input(p, "table", codes * 4, 1, NULL);
    for (size_t i = 0; i < codes; i++)
        table[i] = (int32_t)(((uint64_t)i * i * 1048575) / ((codes - 1) * (codes - 1)));
    void *scratch = parity_scratch(p, "scratch", fv_check_siti_scratch(p->width));
    FvCheckSums sums[2];
    parity_work(p, samples_of(p), 2 * samples_of(p) * bytes_of(p));
    PARITY_CALL(p, {
        memset(sums, 0, sizeof sums);
        fv_check_kernels(p->runner->isa)->siti(table, &now, &before, 0, p->height, &sums[0], &sums[1], scratch);
    });
    for (int i = 0; i < 2; i++) {
        sums[i].high += sums[i].low >> 32;
        sums[i].low &= 0xffffffffu;
    }
    parity_value(p, "sums", sums, sizeof sums);
}

static void differences(Parity *p)
{
    const FvFrame now = now_of(p), before = before_of(p, &now);
    uint32_t *block = blocks_of(p);
    const int rows = p->height < 16 ? p->height : 16;
    uint64_t differ = 0;
    PARITY_CALL(p, differ = fv_check_kernels(p->runner->isa)
                                ->differences(now.data[0], now.stride[0], before.data[0], before.stride[0], p->width,
                                              rows, bytes_of(p), block));
    parity_value(p, "differ", &differ, sizeof differ);
}

static void levels(Parity *p)
{
    const FvFrame now = now_of(p);
    const int rows = p->height < 16 ? p->height : 16, shift = p->depth - 8;
    uint32_t *column = parity_inout(p, "column", (size_t)p->width * 4, 1, 4, 0, NULL);
    for (int x = 0; x < p->width; x++)
        column[x] = (uint32_t)x;
    uint64_t row[16] = {0};
    FvCheckLevels levels = {.least = 65535};
    PARITY_CALL(p, {
        levels = (FvCheckLevels){.least = 65535};
        fv_check_kernels(p->runner->isa)
            ->levels(now.data[0], now.stride[0], p->width, rows, bytes_of(p), 16 << shift, 235 << shift, &levels, row,
                     column);
    });
    parity_value(p, "few", &levels.few, sizeof levels.few);
    parity_value(p, "many", &levels.many, sizeof levels.many);
    parity_value(p, "least", &levels.least, sizeof levels.least);
    parity_value(p, "most", &levels.most, sizeof levels.most);
    parity_value(p, "row", row, sizeof row);
}

static void edges_of(const Parity *p, int edge[FV_CHECK_COLUMNS + 1])
{
    for (int i = 0; i <= FV_CHECK_COLUMNS; i++)
        edge[i] = i * p->width / FV_CHECK_COLUMNS;
}

static void cells(Parity *p)
{
    const FvFrame now = now_of(p);
    int edge[FV_CHECK_COLUMNS + 1];
    uint64_t cell[FV_CHECK_COLUMNS];
    edges_of(p, edge);
    PARITY_CALL(p, {
        memset(cell, 0, sizeof cell);
        fv_check_kernels(p->runner->isa)
            ->cells(now.data[0], now.stride[0], p->width, p->height, bytes_of(p), edge, cell);
    });
    parity_value(p, "cell", cell, sizeof cell);
}

/* Returns the constants of BT.709 with limited range. */
static FvCheckLight light_of(const Parity *p, const FvFrame *frame)
{
    const int shift = p->depth - 8;
    return (FvCheckLight){.low = 16 << shift,
                          .middle = 128 << shift,
                          .ay = (int)(536862720.0 / (219 << shift)),
                          .rv = (int)(1.5748 * 536862720.0 / (224 << shift)),
                          .gu = (int)(0.1873 * 536862720.0 / (224 << shift)),
                          .gv = (int)(0.4681 * 536862720.0 / (224 << shift)),
                          .bu = (int)(1.8556 * 536862720.0 / (224 << shift)),
                          .across = frame->format.chroma == FV_CHROMA_420,
                          .down = frame->format.chroma == FV_CHROMA_420,
                          .gray = frame->format.chroma == FV_CHROMA_400,
                          .weight = {13933, 46871, 4732},
                          .least = 5 << shift,
                          .most = 246 << shift,
                          .bottom = -3291,
                          .top = 68826};
}

static void illegal(Parity *p)
{
    const FvFrame now = now_of(p);
    const FvCheckLight light = light_of(p, &now);
    uint64_t count = 0;
    parity_work(p, samples_of(p), samples_of(p) * bytes_of(p));
    PARITY_CALL(p, count = fv_check_kernels(p->runner->isa)->illegal(&light, &now, 0, p->height));
    parity_value(p, "count", &count, sizeof count);
}

static void places(Parity *p)
{
    const FvFrame now = now_of(p);
    const FvCheckLight light = light_of(p, &now);
    static const char *const names[] = {"red", "green", "blue"};
    uint16_t *out[3];
    for (int i = 0; i < 3; i++)
        out[i] = parity_output(p, names[i], (size_t)p->width * 2, 1, 2, 64, NULL);
    parity_work(p, p->width, p->width * bytes_of(p));
    PARITY_CALL(p, fv_check_kernels(p->runner->isa)->places(&light, &now, p->height - 1, out));
}

static void scan(Parity *p)
{
    const FvFrame now = now_of(p), before = before_of(p, &now);
    uint32_t *block = blocks_of(p);
    FvCheckScan sums;
    const int first = p->height > 16 ? 16 : 0, left = p->height - first, rows = left < 16 ? left : 16;
    PARITY_CALL(p, {
        memset(&sums, 0, sizeof sums);
        fv_check_kernels(p->runner->isa)->scan(&now, &before, first, rows, &sums, block);
    });
    parity_value(p, "sums", &sums, sizeof sums);
}

static void steps(Parity *p)
{
    const FvFrame now = now_of(p);
    uint64_t sums[2][8];
    parity_work(p, samples_of(p), samples_of(p) * bytes_of(p));
    PARITY_CALL(p, {
        memset(sums, 0, sizeof sums);
        fv_check_kernels(p->runner->isa)->steps(&now, 0, p->height, sums[0], sums[1]);
    });
    parity_value(p, "sums", sums, sizeof sums);
}

static void noise(Parity *p)
{
    const FvFrame now = now_of(p);
    uint32_t *block = parity_output(p, "block", ((size_t)p->width + 13) / 16 * 4, 1, 4, 32, NULL);
    const int rows = p->height - 2 < 16 ? p->height - 2 : 16;
    uint64_t sum = 0;
    PARITY_CALL(p, sum = fv_check_kernels(p->runner->isa)->noise(&now, 1, rows, block));
    parity_value(p, "sum", &sum, sizeof sum);
}

static const int depths[] = {8, 9, 10, 12, 0};
static const char *const formats[] = {"4:2:0", "4:4:4", "luma", NULL};
static const ParitySize sizes[] = {{16, 9},  {17, 5},  {31, 9},  {32, 18},  {33, 20}, {63, 10},
                                   {64, 33}, {65, 16}, {128, 7}, {129, 34}, {0, 0}};
/* Rows of 32768 samples with full swings reach the greatest sums. */
static const ParitySize wide[] = {{32768, 17}, {0, 0}};

#define KERNEL(kernel, ...)                                                                                          \
    {.noun = "check", .name = #kernel, .body = kernel, .sizes = sizes, .depths = depths, __VA_ARGS__},               \
    {                                                                                                                \
        .noun = "check", .name = #kernel " wide", .body = kernel, .sizes = wide, .depths = depths,                   \
        .fills = PARITY_EXTREMES, .bench = {                                                                         \
            -1,                                                                                                      \
            0                                                                                                        \
        }                                                                                                            \
    }
const ParityKernel parity_check[] = {
    KERNEL(siti, .bench = {1920, 1080}),  KERNEL(differences, .bench = {1920, 16}),
    KERNEL(levels, .bench = {1920, 16}),  KERNEL(cells, .bench = {1920, 120}),
    KERNEL(illegal, .variants = formats), KERNEL(places, .variants = formats),
    KERNEL(scan, .bench = {1920, 32}),    KERNEL(steps, .bench = {1920, 1080}),
    KERNEL(noise, .bench = {1920, 18}),   {0},
};
