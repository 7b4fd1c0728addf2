/* Counters of runs: how they change when a run enters or leaves the windows, and what the current row reads. */
#pragma once

#include "cpu/cambi_list-inl.h"

/*
 * Returns the counters of value v. The first counter belongs to the column that is the window's radius before column
 * 0 of a List.
 */
FV_FN uint16_t *counts_of(Strip *s, int v)
{
    return s->count + (v + FV_CAMBI_CONTRASTS) * CAMBI_PITCH;
}

/*
 * Value v has appeared in the window's rows (present 1) or disappeared (0): updates the partners of all values up to
 * D codes away.
 */
FV_FN void turn_partners(Strip *s, int v, uint32_t present, const int contrasts)
{
    const uint8_t *there = s->value.present + CAMBI_PAD + v;
    const uint32_t *visible = s->value.visible + CAMBI_PAD + v;
    uint32_t *partners = s->value.partners + CAMBI_PAD + v;
    for (int d = 1; d <= contrasts; d++) {
        const uint32_t bit = 1u << (d - 1);
        partners[d] = (partners[d] & ~bit) | ((present | there[2 * d]) << (d - 1) & visible[d]);
        partners[-d] = (partners[-d] & ~bit) | ((present | there[-2 * d]) << (d - 1) & visible[-d]);
    }
}

static __attribute__((noinline)) void turn(Strip *s, int v, bool present)
{
    const int contrasts = s->job.tables->contrasts;
    s->value.present[CAMBI_PAD + v] = present;
    if (contrasts == 4)
        turn_partners(s, v, present, 4);
    else
        turn_partners(s, v, present, contrasts);
    if (s->value.booked[v])
        return;
    s->value.booked[v] = 1;
    for (int u = v - contrasts; u <= v + contrasts; u++)
        if (!s->value.cleared[u + FV_CAMBI_CONTRASTS]) {
            s->value.cleared[u + FV_CAMBI_CONTRASTS] = 1;
            memset(counts_of(s, u), 0, s->job.room * sizeof(uint16_t));
        }
}

FV_FN void change_counters(uint16_t *count, const uint16_t *change, bool enter)
{
    FV_STORE(count, enter ? FV_LOAD(Counters, count) + FV_LOAD(Counters, change)
                          : FV_LOAD(Counters, count) - FV_LOAD(Counters, change));
}

/*
 * Adds the runs of row y to the windows (enter), or removes them. A run changes the counters by a trapezoid: the
 * difference of two ramps, which start where the run's first and last pixel enter the window. Counters are accessed
 * at aligned addresses, so that a store can be forwarded to the load of the next run of the same value. The shortest
 * runs do not reach the last vector.
 */
FV_FN void slide_list(Strip *s, int y, bool enter, const int vectors)
{
    const List *list = list_of(s, y);
    uint16_t *const counts = counts_of(s, 0);
    const uint16_t *const trapezoids = s->shape.trapezoid[0];
    int32_t *const last = s->value.last;
    for (ptrdiff_t r = 0, runs = list->count; r < runs; r++) {
        const uint32_t v = list->run[r] >> 16, shape = list->shape[r];
        const ptrdiff_t offset = list->run[r] % CAMBI_STEP, pixels = shape >> 16,
                        stop = offset + pixels + 2 * s->job.radius;
        uint16_t *count = counts + list->at[r];
        if (enter) {
            if (__builtin_expect(last[v] == CAMBI_ABSENT, 0))
                turn(s, (int)v, true);
            last[v] = y;
        } else if (__builtin_expect(last[v] == y, 0)) {
            turn(s, (int)v, false);
            last[v] = CAMBI_ABSENT;
        }
        if (__builtin_expect(shape < (CAMBI_SHORT + 1) << 16, 1)) {
            const uint16_t *change = trapezoids + (uint16_t)shape;
            const ptrdiff_t last_vector = (vectors - 1) * CAMBI_STEP;
            for (ptrdiff_t i = 0; i < last_vector; i += CAMBI_STEP)
                change_counters(count + i, change + i, enter);
            if (stop > last_vector)
                change_counters(count + last_vector, change + last_vector, enter);
        } else {
            const uint16_t *begins = s->shape.ramp + CAMBI_PITCH - offset, *ends = begins - pixels;
            const uint16_t *plus = enter ? begins : ends, *minus = enter ? ends : begins;
            for (ptrdiff_t i = 0; i < stop; i += CAMBI_STEP)
                FV_STORE(count + i,
                         FV_LOAD(Counters, count + i) + FV_LOAD(Counters, plus + i) - FV_LOAD(Counters, minus + i));
        }
    }
}

/* Calls slide_list() with the usual numbers of vectors (1080 and 2160 lines) as constants, for speed. */
FV_FN void slide_runs(Strip *s, int y, bool enter)
{
    if (s->job.vectors == (2 * CAMBI_STEP + CAMBI_SHORT + 2 * 16 - 2) / CAMBI_STEP)
        slide_list(s, y, enter, (2 * CAMBI_STEP + CAMBI_SHORT + 2 * 16 - 2) / CAMBI_STEP);
    else if (s->job.vectors == (2 * CAMBI_STEP + CAMBI_SHORT + 2 * 32 - 2) / CAMBI_STEP)
        slide_list(s, y, enter, (2 * CAMBI_STEP + CAMBI_SHORT + 2 * 32 - 2) / CAMBI_STEP);
    else
        slide_list(s, y, enter, s->job.vectors);
}

static __attribute__((noinline)) void enter_runs(Strip *s, int y)
{
    slide_runs(s, y, true);
}

static __attribute__((noinline)) void leave_runs(Strip *s, int y)
{
    slide_runs(s, y, false);
}

/*
 * Row y enters the windows while a row with equal runs leaves. The counters stay; row y is the last row of its
 * values.
 */
static void renew_row(Strip *s, int y)
{
    const List *list = list_of(s, y);
    for (int r = 0; r < list->count; r++)
        s->value.last[list->run[r] >> 16] = y;
}

FV_FN Eight greater(Eight a, Eight b)
{
#if defined(__AVX2__)
    return (Eight)_mm_max_epu16((__m128i)a, (__m128i)b);
#else
    return fv_max_u16(a, b);
#endif
}

/* Collects the counts for eight pixels of one value; `gate` has the contrasts at which the value has partners. */
FV_FN void collect_eight(const uint16_t *count, uint16_t *own, const Eight *gate[], const int contrasts)
{
    Eight n = FV_LOAD(Eight, count);
    FV_STORE(own, n);
    for (int d = 0; d < contrasts; d++) {
        Eight upper = FV_LOAD(Eight, count + (d + 1) * CAMBI_PITCH),
              lower = FV_LOAD(Eight, count - (d + 1) * CAMBI_PITCH);
        FV_STORE(own + (d + 1) * CAMBI_ROW, n + (greater(upper, lower) & gate[d / 4][d % 4]));
    }
}

/*
 * Collects the counts of row y's runs. in_place: each pixel's counts go to its own column, because the c-values are
 * stored; else they follow the previous pixel's.
 */
FV_FN void collect_list(Strip *s, int y, bool in_place, const int contrasts)
{
    const List *list = list_of(s, y);
    const uint16_t *const counts = counts_of(s, 0) + s->job.radius;
    uint16_t *const owns = s->runs.own - s->job.radius, *own = s->runs.own;
    uint32_t used = 0;
    for (ptrdiff_t r = list->inner, outer = list->outer; r < outer; r++) {
        const uint32_t run = list->run[r], a = run & 0xffff, v = run >> 16,
                       partners = s->value.partners[CAMBI_PAD + v];
        if (!partners)
            continue;
        used |= partners;
        const Eight *gate[FV_CAMBI_CONTRASTS / 4];
        for (int d = 0; d < contrasts; d += 4)
            gate[d / 4] = s->gate[partners >> d & 15];
        const uint16_t *count = counts + (size_t)(v * CAMBI_PITCH + a);
        const ptrdiff_t pixels = list->shape[r] >> 16;
        if (in_place)
            own = owns + a;
        collect_eight(count, own, gate, contrasts);
        for (ptrdiff_t i = 8; __builtin_expect(i < pixels, 0); i += 8)
            collect_eight(count + i, own + i, gate, contrasts);
        own += pixels;
        if (in_place)
            FV_STORE(own, (Eight){0});
    }
    s->used = used;
    if (in_place) {
        s->row.collected = s->job.columns;
        return;
    }
    s->row.collected = (int)(own - s->runs.own);
    for (int i = 0; i < CAMBI_GROUP; i += CAMBI_LANES16)
        FV_STORE(own + i, (fv_u16){0});
}

/* Calls collect_list() with four contrasts, the usual number, as a constant, for speed. */
static __attribute__((noinline)) void collect_runs(Strip *s, int y, bool in_place)
{
    if (s->job.tables->contrasts == 4 && in_place)
        collect_list(s, y, true, 4);
    else if (s->job.tables->contrasts == 4)
        collect_list(s, y, false, 4);
    else
        collect_list(s, y, in_place, s->job.tables->contrasts);
}
