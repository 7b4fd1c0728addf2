/* Options as data: one table serves parsing, help, schema, documentation and completion. */
#pragma once

#include "fovea/fovea.h"

/*
 * A metric has two parallel tables: its options (FvOptionInfo), and the offsets of their values in its options
 * struct, which have these types: BOOL as bool, INT as int, REAL as double, TEXT and PATH as const char *. FV_OPTIONS
 * builds both from one list X(kind, field, ...); see metric/psnr.c.
 */
typedef struct FvOptions {
    const FvOptionInfo *info;
    const size_t *offset;
    int count;
} FvOptions;

#define FV_OPTION_INFO_BOOL(name, alias, def, help) {name, alias, FV_OPTION_BOOL, 0, 1, def, NULL, NULL, NULL, help},
#define FV_OPTION_INFO_INT(name, alias, def, min, max, unit, help)                                                   \
    {name, alias, FV_OPTION_INT, min, max, def, NULL, NULL, unit, help},
#define FV_OPTION_INFO_REAL(name, alias, def, min, max, unit, help)                                                  \
    {name, alias, FV_OPTION_REAL, min, max, def, NULL, NULL, unit, help},
#define FV_OPTION_INFO_TEXT(name, alias, def, choices, help)                                                         \
    {name, alias, FV_OPTION_TEXT, 0, 0, 0, def, choices, NULL, help},
#define FV_OPTION_INFO_PATH(name, alias, help) {name, alias, FV_OPTION_PATH, 0, 0, 0, NULL, NULL, NULL, help},

/*
 * Defines the table `name` from LIST(X), whose entries are X(Struct, field, KIND, (arguments of
 * FV_OPTION_INFO_KIND)).
 */
#define FV_OPTION_INFO_ENTRY(Struct, field, kind, args) FV_OPTION_INFO_##kind args
#define FV_OPTION_OFFSET_ENTRY(Struct, field, kind, args) offsetof(Struct, field),
#define FV_OPTIONS(name, LIST)                                                                                       \
    static const FvOptionInfo name##_info[] = {LIST(FV_OPTION_INFO_ENTRY)};                                          \
    static const size_t name##_offset[] = {LIST(FV_OPTION_OFFSET_ENTRY)};                                            \
    enum { name##_count = sizeof name##_offset / sizeof *name##_offset }

/* Writes every default. TEXT defaults point into the table. */
void fv_options_default(void *options, const FvOptions *table);

/*
 * Parses "name=value:name=value" (may be empty or NULL) into `options`. Modifies `text`, to which text values then
 * point, so that it must outlive `options`.
 * `owner` names the metric in messages. In values, a backslash makes the next character ordinary (":", "," or a
 * quote), and '...' makes everything between ordinary. Booleans: true, false, 1, 0. Numbers: plain C syntax in the C
 * locale; NaN, infinities, trailing characters and values out of range are errors. For an unknown name, the message
 * suggests the nearest name.
 */
FvStatus fv_options_parse(void *options, const FvOptions *table, const char *owner, char *text, FvError *error);

/* Returns whether two structs of the same table have equal values. */
bool fv_options_equal(const void *a, const void *b, const FvOptions *table);

/* Returns whether option i differs from its default. */
bool fv_option_changed(const void *options, const FvOptions *table, int i);

/* Returns the file that option i names; NULL: it is unset, or option i is not a PATH. */
const char *fv_option_path(const void *options, const FvOptions *table, int i);

/* Prints a value as text that fv_options_parse() reads back to the same value. */
void fv_option_print(const void *options, const FvOptions *table, int i, char *text, size_t size);

/*
 * Writes "_alias_value" for each changed option in alphabetical order of name: %g for reals, the alias alone for
 * booleans, a file without its folders.
 */
void fv_options_suffix(const void *options, const FvOptions *table, char *text, size_t size);

/* Returns the index of a name in a list that has it. */
int fv_choice_index(const char *const *names, const char *name);

/* Parses a whole string as a number in the C locale. Returns false unless it is finite and within the bounds. */
bool fv_parse_real(const char *text, double *value);
bool fv_parse_int(const char *text, int64_t minimum, int64_t maximum, int64_t *value);

/* Parses a whole string as `count` integers of up to 7 characters, separated by colons: "6:1:1". */
bool fv_parse_ints(const char *text, int count, int64_t minimum, int64_t maximum, int64_t *values);
