#include "option/option.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "option_text.h"
#include "os/locale.h"
#include "path_names.h"

static bool *bool_at(const void *options, const FvOptions *table, int i)
{
    return (bool *)((char *)options + table->offset[i]);
}

static int *int_at(const void *options, const FvOptions *table, int i)
{
    return (int *)((char *)options + table->offset[i]);
}

static double *real_at(const void *options, const FvOptions *table, int i)
{
    return (double *)((char *)options + table->offset[i]);
}

static const char **text_at(const void *options, const FvOptions *table, int i)
{
    return (const char **)((char *)options + table->offset[i]);
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

void fv_options_default(void *options, const FvOptions *table)
{
    for (int i = 0; i < table->count; i++) {
        const FvOptionInfo *info = &table->info[i];
        switch (info->type) {
        case FV_OPTION_BOOL:
            *bool_at(options, table, i) = info->value != 0;
            break;
        case FV_OPTION_INT:
            *int_at(options, table, i) = (int)info->value;
            break;
        case FV_OPTION_REAL:
            *real_at(options, table, i) = info->value;
            break;
        case FV_OPTION_TEXT:
        case FV_OPTION_PATH:
            *text_at(options, table, i) = info->text;
            break;
        }
    }
}

bool fv_parse_real(const char *text, double *value)
{
    char *end;
    if (!*text || strchr(" \t\n\v\f\r", *text))
        return false;
    *value = fv_locale_number(text, &end);
    return !*end && end != text && isfinite(*value);
}

bool fv_parse_int(const char *text, int64_t minimum, int64_t maximum, int64_t *value)
{
    char *end;
    if (!*text || strchr(" \t\n\v\f\r", *text))
        return false;
    errno = 0;
    *value = strtoll(text, &end, 10);
    return !*end && !errno && *value >= minimum && *value <= maximum;
}

bool fv_parse_ints(const char *text, int count, int64_t minimum, int64_t maximum, int64_t *values)
{
    for (int i = 0; i < count; i++) {
        char number[8];
        const size_t length = strcspn(text, ":");
        if (length >= sizeof number || (text[length] == ':') != (i < count - 1))
            return false;
        memcpy(number, text, length);
        number[length] = '\0';
        if (!fv_parse_int(number, minimum, maximum, &values[i]))
            return false;
        text += length + (i < count - 1);
    }
    return true;
}

static int lesser(int a, int b)
{
    return a < b ? a : b;
}

static bool same_letter(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/*
 * Returns the least number of letters to insert, delete, replace, or exchange with their neighbour to turn one word
 * into the other, ignoring case. Words of more than 63 letters are far from all others.
 */
static int distance(const char *a, const char *b)
{
    enum { LONGEST = 63 };
    const size_t m = strlen(a), n = strlen(b);
    int rows[3][LONGEST + 1];
    if (m > LONGEST || n > LONGEST)
        return LONGEST;
    for (size_t i = 0; i <= m; i++) {
        int *row = rows[i % 3];
        const int *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
        for (size_t j = 0; j <= n; j++) {
            if (!i || !j) {
                row[j] = (int)(i + j);
                continue;
            }
            row[j] = lesser(lesser(row[j - 1], above[j]) + 1, above[j - 1] + !same_letter(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]))
                row[j] = lesser(row[j], two_above[j - 2] + 1);
        }
    }
    return rows[m % 3][n];
}

const char *fv_nearest(const char *word, const char *const *candidates, int count)
{
    const char *nearest = NULL;
    if (!word || !candidates)
        return NULL;
    int best = lesser((int)strlen(word) / 2 + 2, (int)strlen(word));
    for (int i = 0; i < count; i++) {
        if (!candidates[i])
            continue;
        int d = distance(word, candidates[i]);
        /*
         * If a word is part of several names, the shortest name is suggested. libvmaf's prefix "float_" does not
         * count as length: 'ssim' suggests float_ssim.
         */
        if (strlen(word) > 2 && strcasestr(candidates[i], word))
            d = (int)strlen(candidates[i]) - (strncmp(candidates[i], "float_", 6) ? 1000 : 1006);
        if (d < best) {
            best = d;
            nearest = candidates[i];
        }
    }
    return nearest;
}

static FvStatus unknown_option(const char *owner, const char *name, const FvOptions *table, FvError *error)
{
    const char *names[64];
    int count = table->count < 64 ? table->count : 64;
    for (int i = 0; i < count; i++)
        names[i] = table->info[i].name;
    const char *near = fv_nearest(name, names, count);
    if (!count)
        return fv_fail(error, FV_ERROR_USAGE, "%s has no options; leave '%s' out", owner, name);
    return fv_fail(error, FV_ERROR_USAGE, "%s has no option '%s'; %s%s%s'fovea metrics %s' lists its options", owner,
                   name, near ? "did you mean '" : "", near ? near : "", near ? "'? " : "", owner);
}

static FvStatus parse_text(const char **place, const FvOptionInfo *info, const char *owner, const char *value,
                           FvError *error)
{
    *place = value;
    if (!info->choices)
        return FV_OK;
    char list[256] = "";
    for (int i = 0; info->choices[i]; i++) {
        if (!strcmp(info->choices[i], value))
            return FV_OK;
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", info->choices[i]);
    }
    return fv_fail(error, FV_ERROR_USAGE, "%s: '%s' is not a value of option %s; it takes %s", owner, value,
                   info->name, list);
}

static FvStatus parse_value(void *options, const FvOptions *table, int i, const char *owner, const char *value,
                            FvError *error)
{
    const FvOptionInfo *info = &table->info[i];
    int64_t integer;
    switch (info->type) {
    case FV_OPTION_BOOL: {
        bool yes = !strcmp(value, "true") || !strcmp(value, "1");
        if (!yes && strcmp(value, "false") && strcmp(value, "0"))
            return fv_fail(error, FV_ERROR_USAGE, "%s: option %s takes true or false, not '%s'", owner, info->name,
                           value);
        *bool_at(options, table, i) = yes;
        return FV_OK;
    }
    case FV_OPTION_INT:
        if (!fv_parse_int(value, (int64_t)info->minimum, (int64_t)info->maximum, &integer))
            return fv_fail(error, FV_FAIL_VALUE, "%s: option %s takes a whole number from %.0f to %.0f, not '%s'",
                           owner, info->name, info->minimum, info->maximum, value);
        *int_at(options, table, i) = (int)integer;
        return FV_OK;
    case FV_OPTION_REAL: {
        double *real = real_at(options, table, i);
        if (!fv_parse_real(value, real) || *real < info->minimum || *real > info->maximum)
            return fv_fail(error, FV_FAIL_VALUE, "%s: option %s takes a number from %g to %g, not '%s'", owner,
                           info->name, info->minimum, info->maximum, value);
        return FV_OK;
    }
    case FV_OPTION_TEXT:
    case FV_OPTION_PATH:
        return parse_text(text_at(options, table, i), info, owner, value, error);
    }
    return FV_OK;
}

/* Removes the escapes and quotes from a value. */
static FvStatus unquote(char *value, const char *owner, FvError *error)
{
    char *to = value;
    bool quoted = false;
    for (const char *from = value; *from; from++) {
        if (*from == '\'')
            quoted = !quoted;
        else if (*from == '\\' && !quoted) {
            if (!*++from)
                return fv_fail(error, FV_ERROR_USAGE,
                               "%s: a value ends with a backslash; write \\\\ for a backslash of the value", owner);
            *to++ = *from;
        } else
            *to++ = *from;
    }
    *to = '\0';
    return quoted ? fv_fail(error, FV_ERROR_USAGE, "%s: a quote ' is not closed; write \\' for a quote of the value",
                            owner)
                  : FV_OK;
}

FvStatus fv_options_parse(void *options, const FvOptions *table, const char *owner, char *text, FvError *error)
{
    bool seen[64] = {false};
    for (char *next = text && *text ? text : NULL; next;) {
        char *pair = next;
        next += fv_option_span(pair, ":");
        if (*next)
            *next++ = '\0';
        else
            next = NULL;
        char *value = strchr(pair, '=');
        if (!value)
            return fv_fail(error, FV_ERROR_USAGE, "%s: '%s' is not of the form option=value", owner, pair);
        *value++ = '\0';
        int i = 0;
        while (i < table->count && strcmp(table->info[i].name, pair))
            i++;
        if (i == table->count)
            return unknown_option(owner, pair, table, error);
        if (i < 64 && seen[i])
            return fv_fail(error, FV_ERROR_USAGE, "%s: option %s is given twice", owner, pair);
        if (i < 64)
            seen[i] = true;
        FvStatus status = unquote(value, owner, error);
        if (!status)
            status = parse_value(options, table, i, owner, value, error);
        if (status)
            return status;
    }
    return FV_OK;
}

bool fv_options_equal(const void *a, const void *b, const FvOptions *table)
{
    bool equal = true;
    for (int i = 0; i < table->count && equal; i++)
        switch (table->info[i].type) {
        case FV_OPTION_BOOL:
            equal = *bool_at(a, table, i) == *bool_at(b, table, i);
            break;
        case FV_OPTION_INT:
            equal = *int_at(a, table, i) == *int_at(b, table, i);
            break;
        case FV_OPTION_REAL:
            equal = *real_at(a, table, i) == *real_at(b, table, i);
            break;
        case FV_OPTION_TEXT:
        case FV_OPTION_PATH:
            equal = same_text(*text_at(a, table, i), *text_at(b, table, i));
            break;
        }
    return equal;
}

bool fv_option_changed(const void *options, const FvOptions *table, int i)
{
    const FvOptionInfo *info = &table->info[i];
    switch (info->type) {
    case FV_OPTION_BOOL:
        return *bool_at(options, table, i) != (info->value != 0);
    case FV_OPTION_INT:
        return *int_at(options, table, i) != (int)info->value;
    case FV_OPTION_REAL:
        return *real_at(options, table, i) != info->value;
    case FV_OPTION_TEXT:
    case FV_OPTION_PATH:
        return !same_text(*text_at(options, table, i), info->text);
    }
    return false;
}

/* Prints a double in the C locale. */
static void print_real(char *text, size_t size, const char *format, double value)
{
    FvLocale before;
    fv_locale_enter(&before);
    snprintf(text, size, format, value);
    fv_locale_leave(before);
}

static void print_value(const void *options, const FvOptions *table, int i, const char *real_format, char *text,
                        size_t size)
{
    switch (table->info[i].type) {
    case FV_OPTION_BOOL:
        snprintf(text, size, "%s", *bool_at(options, table, i) ? "true" : "false");
        break;
    case FV_OPTION_INT:
        snprintf(text, size, "%d", *int_at(options, table, i));
        break;
    case FV_OPTION_REAL:
        print_real(text, size, real_format, *real_at(options, table, i));
        break;
    case FV_OPTION_TEXT:
    case FV_OPTION_PATH: {
        const char *value = *text_at(options, table, i);
        snprintf(text, size, "%s", value ? value : "");
        break;
    }
    }
}

const char *fv_option_path(const void *options, const FvOptions *table, int i)
{
    return table->info[i].type == FV_OPTION_PATH ? *text_at(options, table, i) : NULL;
}

void fv_option_print(const void *options, const FvOptions *table, int i, char *text, size_t size)
{
    FvOptionType type = table->info[i].type;
    if (type != FV_OPTION_TEXT && type != FV_OPTION_PATH) {
        print_value(options, table, i, "%.17g", text, size);
        return;
    }
    const char *value = *text_at(options, table, i);
    size_t used = 0;
    fv_option_append(text, size, &used, value ? value : "", true);
}

/* Prints a value as names of scores contain it: a file without its folders. */
static void print_short(const void *options, const FvOptions *table, int i, char *text, size_t size)
{
    const char *path = fv_option_path(options, table, i);
    if (path)
        snprintf(text, size, "%s", fv_base_name(path));
    else
        print_value(options, table, i, "%g", text, size);
}

void fv_options_suffix(const void *options, const FvOptions *table, char *text, size_t size)
{
    size_t used = 0;
    *text = '\0';
    const char *last = "";
    for (;;) {
        int next = -1;
        for (int i = 0; i < table->count; i++)
            if (fv_option_changed(options, table, i) && strcmp(table->info[i].name, last) > 0 &&
                (next < 0 || strcmp(table->info[i].name, table->info[next].name) < 0))
                next = i;
        if (next < 0)
            return;
        const FvOptionInfo *info = &table->info[next];
        last = info->name;
        if (info->alias && !*info->alias)
            continue;
        char value[128];
        print_short(options, table, next, value, sizeof value);
        const char *label = info->alias ? info->alias : info->name;
        bool bare = info->type == FV_OPTION_BOOL && *bool_at(options, table, next);
        int length = snprintf(text + used, size - used, bare ? "_%s" : "_%s_%s", label, value);
        if (length < 0 || (used += (size_t)length) >= size)
            return;
    }
}

int fv_choice_index(const char *const *names, const char *name)
{
    int i = 0;
    while (strcmp(names[i], name))
        i++;
    return i;
}
