/* Finds cells that change between dark and bright. docs/metrics/flash.md */
#include <stdlib.h>
#include <string.h>

#include "metric/check.h"

/* The direction of a cell since its last change: up (1), down (-1), or unknown (0). */
typedef struct Way {
    int64_t least, most;
    int way;
} Way;

struct FvFlashes {
    int64_t step[FV_FLASH_KINDS], dark;
    bool contrast; /* true: changes of bright cells count by their contrast; false: they do not count */
    int rate, needed;
    int64_t frames;
    Way way[FV_FLASH_KINDS][FV_CHECK_CELLS];
    int recent[FV_FLASH_KINDS][FV_CHECK_CELLS];
    uint8_t hit[]; /* [frame modulo rate][kind][cell]: whether the cell changed */
};

int fv_check_rate(const FvFormat *format)
{
    const int64_t num = format->rate_num, den = format->rate_den,
                  rate = num && den ? (2 * num + den) / (2 * den) : 25;
    return rate < 1 ? 1 : rate > 1000 ? 1000 : (int)rate;
}

FvFlashes *fv_flashes_open(const FvFlashRule *rule, const FvFormat *format)
{
    const int rate = fv_check_rate(format);
    FvFlashes *flashes = calloc(1, sizeof *flashes + (size_t)rate * FV_FLASH_KINDS * FV_CHECK_CELLS);
    if (!flashes)
        return NULL;
    flashes->rate = rate;
    flashes->step[FV_FLASH_LUMINANCE] = (int64_t)rule->step * 256;
    flashes->step[FV_FLASH_RED] = (int64_t)rule->feature.white * 16; /* saturated red changes by 20 of 320 */
    flashes->dark = (int64_t)rule->dark * 256;
    flashes->contrast = fv_check_is_hdr(format);
    flashes->needed = (FV_CHECK_CELLS * rule->area + 999) / 1000;
    return flashes;
}

void fv_flashes_close(FvFlashes *flashes)
{
    free(flashes);
}

static bool is_far(const FvFlashes *flashes, int kind, int64_t low, int64_t high)
{
    if (kind == FV_FLASH_LUMINANCE && low >= flashes->dark)
        return flashes->contrast && 17 * (high - low) >= high + low;
    return high - low >= flashes->step[kind];
}

/*
 * Returns whether the cell's direction reverses at the value. It compares with the extreme value since the last
 * reversal, because noise between consecutive values would end every rise.
 */
static bool turns(const FvFlashes *flashes, int kind, Way *way, int64_t value)
{
    if (way->way <= 0)
        way->least = value < way->least ? value : way->least;
    if (way->way >= 0)
        way->most = value > way->most ? value : way->most;
    if (way->way <= 0 && value > way->least && is_far(flashes, kind, way->least, value)) {
        way->way = 1;
        way->most = value;
        return true;
    }
    if (way->way >= 0 && value < way->most && is_far(flashes, kind, value, way->most)) {
        way->way = -1;
        way->least = value;
        return true;
    }
    return false;
}

/* Returns the maximum number of changes that at least `needed` cells have. */
static int most_of(const FvFlashes *flashes, const int *recent)
{
    int cells[1001] = {0}, found = 0, most = flashes->rate;
    for (int i = 0; i < FV_CHECK_CELLS; i++)
        cells[recent[i]]++;
    while (most > 0 && (found += cells[most]) < flashes->needed)
        most--;
    return most;
}

void fv_flashes_next(FvFlashes *flashes, const FvTerm *terms, int transitions[FV_FLASH_KINDS])
{
    uint8_t *hit = flashes->hit + (size_t)(flashes->frames % flashes->rate) * FV_FLASH_KINDS * FV_CHECK_CELLS;
    for (int kind = 0; kind < FV_FLASH_KINDS; kind++, hit += FV_CHECK_CELLS) {
        for (int i = 0; i < FV_CHECK_CELLS; i++) {
            const uint64_t cell = (uint64_t)terms[i].integer;
            const int64_t value = kind == FV_FLASH_RED ? (int64_t)(cell >> 32) : (int64_t)(cell & 0xffffffffu);
            Way *way = &flashes->way[kind][i];
            if (!flashes->frames)
                *way = (Way){value, value, 0};
            const bool turned = flashes->frames && turns(flashes, kind, way, value);
            flashes->recent[kind][i] += turned - hit[i];
            hit[i] = turned;
        }
        transitions[kind] = most_of(flashes, flashes->recent[kind]);
    }
    flashes->frames++;
}
