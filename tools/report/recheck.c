#include "report/recheck.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/message.h"
#include "cli/style.h"
#include "table/lines.h"

Recheck recheck_open(const Stored *old, int64_t tolerance)
{
    return (Recheck){.old = old, .tolerance = tolerance};
}

void recheck_close(Recheck *recheck)
{
    free(recheck->score);
    free(recheck->absent);
    *recheck = (Recheck){.old = NULL};
}

/* ---- One number ------------------------------------------------------------------------------------------------ */

/*
 * Reads a printed number, and returns how many of its decimals are significant; negative: it is not a number. libvmaf
 * 1 printed the shortest decimal of numbers that it had already rounded, such as 98.09274000000001. Of more than nine
 * decimals, those of such a tail do not count.
 */
static int claimed_digits(const Stored *old, const char *text, double *value)
{
    char *end, rounded[400];
    *value = strtod(text, &end);
    if (*end || end == text || !isfinite(*value))
        return -1;
    const char *point = strchr(text, '.'), *exponent = strpbrk(text, "eE");
    int digits = point ? (int)strspn(point + 1, "0123456789") : 0;
    if (exponent)
        digits -= atoi(exponent + 1);
    digits = digits < 0 ? 0 : digits > 60 ? 60 : digits;
    for (int d = 0; digits > 9 && d <= 6 && old->kind != STORED_CSV; d++) {
        snprintf(rounded, sizeof rounded, "%.*f", d, *value);
        if (fabs(strtod(rounded, NULL) - *value) <= 1e-12 * fmax(1, fabs(*value)))
            return d;
    }
    return digits;
}

double recheck_units(const Stored *old, const char *text, double now)
{
    double before;
    char rounded[400];
    const int digits = claimed_digits(old, text, &before);
    /*
     * "null" in a report of fovea means that there is no value; in a report of libvmaf, that the value is not finite.
     */
    if (!strcmp(text, "null"))
        return isnan(now) || (old->kind != STORED_FOVEA && !isfinite(now)) ? 0 : INFINITY;
    if (digits < 0)
        return isnan(before) ? isnan(now) ? 0 : INFINITY : before == now ? 0 : INFINITY;
    if (before == now)
        return 0;
    if (old->kind == STORED_FOVEA || !isfinite(now))
        return INFINITY;
    /* Both texts have the same number of decimals, so their numbers differ by whole units of the last decimal. */
    snprintf(rounded, sizeof rounded, "%.*f", digits, now);
    double units = fabs(strtod(rounded, NULL) - before);
    for (int i = 0; i < digits; i++)
        units *= 10;
    return round(units);
}

static void *grow_list(Recheck *recheck, void *list, int count, size_t size)
{
    void *grown = count % 16 ? list : realloc(list, ((size_t)count + 16) * size);
    if (!grown) {
        report_error(FV_ERROR_MEMORY, "out of memory for the comparison with %s", recheck->old->path);
        recheck->failed = true;
    }
    return grown;
}

void recheck_take(Recheck *recheck, const StoredNumber *number, double now)
{
    int i = 0;
    while (i < recheck->scores && strcmp(recheck->score[i].name, number->name))
        i++;
    if (i == recheck->scores) {
        RecheckScore *grown = grow_list(recheck, recheck->score, i, sizeof *grown);
        if (!grown)
            return;
        recheck->score = grown;
        recheck->score[recheck->scores++] = (RecheckScore){.name = number->name, .gap = -1};
    }
    RecheckScore *score = &recheck->score[i];
    const double units = recheck_units(recheck->old, number->text, now);
    const bool equal = units <= (double)recheck->tolerance;
    score->equal += equal;
    recheck->equal += equal;
    if (equal)
        return;
    score->last_digit += units == 1;
    recheck->last_digit += units == 1;
    score->differ += units != 1;
    recheck->differ += units != 1;
    double gap = fabs(strtod(number->text, NULL) - now);
    gap = isnan(gap) ? INFINITY : gap;
    if (gap > score->gap) {
        score->gap = gap;
        score->worst = *number;
        score->now = now;
    }
}

void recheck_leave(Recheck *recheck, const char *name, const char *reason)
{
    recheck_leave_many(recheck, name, reason, 1);
}

void recheck_leave_many(Recheck *recheck, const char *name, const char *reason, int64_t count)
{
    for (int i = 0; i < recheck->absents; i++)
        if (!strcmp(recheck->absent[i].name, name) && !strcmp(recheck->absent[i].reason, reason)) {
            recheck->absent[i].count += count;
            return;
        }
    RecheckAbsent *grown = grow_list(recheck, recheck->absent, recheck->absents, sizeof *grown);
    if (!grown)
        return;
    recheck->absent = grown;
    recheck->absent[recheck->absents] = (RecheckAbsent){.name = name, .count = count};
    snprintf(recheck->absent[recheck->absents++].reason, sizeof grown->reason, "%s", reason);
}

/* ---- The answer ------------------------------------------------------------------------------------------------ */

char *recheck_count(char text[32], int64_t count)
{
    char plain[32];
    const int length = snprintf(plain, sizeof plain, "%" PRId64, count);
    char *to = text;
    for (int i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            *to++ = ',';
        *to++ = plain[i];
    }
    *to = '\0';
    return text;
}

/* Prints the worst difference, with today's number to as many digits as the file printed, at most 17. */
static void print_worst(const Recheck *recheck, const RecheckScore *score)
{
    double before;
    char now[400];
    const StoredNumber *worst = &score->worst;
    const int digits = claimed_digits(recheck->old, worst->text, &before);
    if (recheck->old->kind == STORED_FOVEA || digits < 0)
        snprintf(now, sizeof now, "%.17g", score->now);
    else
        snprintf(now, sizeof now, "%.*f", digits, score->now);
    if (worst->pool)
        printf("%s: was %s, is %s\n", worst->pool, worst->text, now);
    else
        printf("frame %" PRId64 ": was %s, is %s\n", worst->frame, worst->text, now);
}

static int by_gap(const void *a, const void *b)
{
    const RecheckScore *one = a, *other = b;
    return (one->gap < other->gap) - (one->gap > other->gap);
}

int recheck_print(const Recheck *recheck, const char *how)
{
    char described[256], name[256], count[2][32];
    const Style style = style_of_output();
    const int64_t wrong = recheck->last_digit + recheck->differ, all = recheck->equal + wrong;
    if (recheck->failed)
        return FV_ERROR_MEMORY;
    if (all)
        printf("%s%s of %s numbers differ%s\n", wrong ? style.alarm : style.bold, recheck_count(count[0], wrong),
               recheck_count(count[1], all), style.none);
    else
        printf("%snothing was compared%s\n", style.alarm, style.none);
    printf("  %s: %s\n", recheck->old->path, stored_describe(recheck->old, described, sizeof described));
    if (*how)
        line_wrap(stdout, &style, 4, "  scored again:", how);
    if (recheck->last_digit)
        printf("  %s by one unit of the last printed digit\n", recheck_count(count[0], recheck->last_digit));
    if (recheck->scores)
        qsort(recheck->score, (size_t)recheck->scores, sizeof *recheck->score, by_gap);
    for (int i = 0; i < recheck->scores && recheck->score[i].gap >= 0; i++) {
        const RecheckScore *score = &recheck->score[i];
        printf("  %-28s %8s, most at ", line_cut(name, sizeof name, score->name, 40),
               recheck_count(count[0], score->last_digit + score->differ));
        print_worst(recheck, score);
    }
    for (int i = 0; i < recheck->absents; i++) {
        const RecheckAbsent *absent = &recheck->absent[i];
        printf("%s  %-28s %8s number%s: %s\n", i ? "" : "not compared\n",
               line_cut(name, sizeof name, absent->name, 40), recheck_count(count[0], absent->count),
               absent->count == 1 ? "" : "s", absent->reason);
    }
    return !all ? FV_ERROR_USAGE : wrong ? EXIT_GATE : EXIT_OK;
}
