#include "cli/args.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "compare_text.h"
#include "fovea/fovea.h"
#include "fovea/param.h"

#define MAX_NAMES 256 /* maximum number of names of the options of one command */
#define MAX_GIVEN 128 /* maximum number of given options that are remembered, to refuse one that is given twice */

bool arg_list_add(ArgList *list, const char *item)
{
    const char **items = realloc(list->items, (size_t)(list->count + 1) * sizeof *items);
    if (!items) {
        report_error(FV_ERROR_MEMORY, "out of memory for the list that '%s' belongs to", item);
        list->lacks = true;
        return false;
    }
    items[list->count++] = item;
    list->items = items;
    return true;
}

bool arg_parse_int(const char *text, int64_t minimum, int64_t maximum, int64_t *value)
{
    if (!*text || text[strspn(text, "-0123456789")])
        return false;
    char *end;
    errno = 0;
    int64_t number = strtoll(text, &end, 10);
    if (errno || *end || end == text || number < minimum || number > maximum)
        return false;
    *value = number;
    return true;
}

static bool arg_parse_unsigned(const char *text, unsigned *value)
{
    char *end;
    *value = (unsigned)strtoul(text, &end, 0);
    return end != text && !*end;
}

const char *arg_suggest(char *text, size_t size, const char *word, const char *const *candidates, int count)
{
    const char *nearest = fv_nearest(word, candidates, count);
    *text = '\0';
    if (nearest)
        snprintf(text, size, "; did you mean '%s'?", nearest);
    return text;
}

const ArgOption *arg_next(const Command *command, const ArgOption *option)
{
    for (option = option ? option + 1 : command->options; option && option->name; option++)
        if ((!option->taken_by || option->taken_by & command->taken_by) && !(option->left_out_by & command->taken_by))
            return option;
    return NULL;
}

const char *arg_section(const Command *command, const ArgOption *option)
{
    while (!option->section && option > command->options)
        option--;
    return option->section;
}

/* Returns whether `name` begins with the first `length` characters of `word`, in which '_' stands for '-'. */
static bool begins(const char *name, const char *word, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (name[i] != (word[i] == '_' ? '-' : word[i]))
            return false;
    return true;
}

/* Returns fovea's name for an option of another program, in commands that choose metrics; NULL: unknown. */
static const char *meant_elsewhere(const Command *command, const char *name)
{
    static const struct {
        const char *name, *meant;
    } options[] = {{"vmaf", "--metric vmaf"},
                   {"ssim", "--metric float_ssim"},
                   {"ms-ssim", "--metric float_ms_ssim"},
                   {"msssim", "--metric float_ms_ssim"},
                   {"feature", "--metric"},
                   {"features", "--metric"},
                   {"metrics", "--metric"},
                   {"lavfi", "--metric"},
                   {"n-threads", "--threads"},
                   {"log", "--output"},
                   {"log-path", "--output"},
                   {"n-subsample", "--subsample"},
                   {"model-path", "--model path=FILE"}};
    static char text[96];
    const ArgOption *option = NULL;
    while ((option = arg_next(command, option)) && strcmp(option->name, "metric") != 0)
        ;
    for (size_t i = 0; option && i < sizeof options / sizeof *options; i++)
        if (!strcmp(name, options[i].name))
            return options[i].meant;
    for (int i = 0; option && i < fv_metric_count(); i++) {
        char spelt[64];
        snprintf(spelt, sizeof spelt, "%s", fv_metric_info(i)->name);
        for (char *c = spelt; *c; c++)
            *c = *c == '_' ? '-' : *c;
        if (!strcmp(name, spelt)) {
            snprintf(text, sizeof text, "--metric %s", fv_metric_info(i)->name);
            return text;
        }
    }
    return NULL;
}

/*
 * Finds the option for a long name: the option of this name, or the only one that begins with it. On failure, prints
 * a message and returns NULL.
 */
static const ArgOption *find_long(const Command *command, const char *word, bool *help)
{
    size_t length = strcspn(word, "=");
    const ArgOption *found = NULL;
    const char *names[MAX_NAMES] = {"help"};
    int matches = 0, count = 1;
    *help = !strcmp(word, "help");
    if (*help)
        return NULL;
    for (const ArgOption *option = NULL; (option = arg_next(command, option));) {
        const char *both[2] = {option->name, option->alias};
        for (int k = 0; k < 2 && both[k] && count < MAX_NAMES; k++) {
            names[count++] = both[k];
            if (!begins(both[k], word, length))
                continue;
            if (!both[k][length])
                return option;
            if (option->whole)
                continue;
            matches += found != option;
            found = option;
        }
    }
    if (matches == 1)
        return found;
    char given[128], hint[192];
    snprintf(given, sizeof given, "%.*s", (int)length, word);
    if (matches > 1)
        report_error(FV_ERROR_USAGE, "option '--%s' is ambiguous: write more of it; 'fovea %s --help' lists all",
                     given, command->name);
    else {
        for (char *c = given; *c; c++)
            *c = *c == '_' ? '-' : *c;
        const char *nearest = fv_nearest(given, names, count);
        const char *meant = meant_elsewhere(command, given);
        if (meant) {
            report_error(FV_FAIL_OPTION, "unknown option '--%.*s' of 'fovea %s': did you mean '%s'?", (int)length,
                         word, command->name, meant);
            return NULL;
        }
        snprintf(hint, sizeof hint, nearest ? "did you mean '--%s'?" : "'fovea %s --help' lists all",
                 nearest ? nearest : command->name);
        report_error(FV_FAIL_OPTION, "unknown option '--%.*s' of 'fovea %s': %s", (int)length, word, command->name,
                     hint);
    }
    return NULL;
}

static const ArgOption *find_letter(const Command *command, char letter)
{
    const ArgOption *option = NULL;
    while ((option = arg_next(command, option)) && option->letter != letter)
        ;
    return option;
}

static bool known_choice(const ArgOption *option, const char *value)
{
    int count = 0;
    for (; option->choices[count]; count++)
        if (fv_is_choice(option->choices[count], value))
            return true;
    for (int i = 0; option->gone && option->gone[i]; i += 2)
        if (!strcmp(option->gone[i], value)) {
            report_error(FV_FAIL_VALUE, "--%s %s is gone; %s", option->name, value, option->gone[i + 1]);
            return false;
        }
    char list[256] = "", hint[128];
    for (int i = 0; i < count; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", option->choices[i]);
    report_error(FV_FAIL_VALUE, "--%s does not know '%s': it takes %s%s", option->name, value, list,
                 arg_suggest(hint, sizeof hint, value, option->choices, count));
    return false;
}

/*
 * Returns whether this option, or another that sets the same value, was given before. Only lists may be given
 * repeatedly.
 */
static bool given_before(const ArgOption *option, const ArgOption *given[MAX_GIVEN])
{
    int i = 0;
    const bool is_param = option->kind == ARG_PARAM;
    if (option->kind == ARG_FLAG || option->kind == ARG_LIST || option->repeats || (is_param && !option->value))
        return false;
    for (; i < MAX_GIVEN - 1 && given[i]; i++)
        if (is_param ? given[i] == option : given[i]->offset == option->offset) {
            if (given[i] == option)
                report_error(FV_ERROR_USAGE, "--%s is given twice; leave one out", option->name);
            else
                report_error(FV_ERROR_USAGE, "--%s and --%s contradict each other: leave one of them out",
                             given[i]->name, option->name);
            return true;
        }
    given[i] = option;
    return false;
}

static bool store(const ArgOption *option, const char *value, void *values, const ArgOption *given[MAX_GIVEN])
{
    if (given_before(option, given))
        return false;
    void *field = (char *)values + option->offset;
    switch (option->kind) {
    case ARG_FLAG:
        *(bool *)field = true;
        return true;
    case ARG_TEXT:
        if (option->choices && !option->fixed && !known_choice(option, value))
            return false;
        *(const char **)field = option->fixed ? option->fixed : value;
        return true;
    case ARG_INT:
        if (arg_parse_int(value, option->minimum, option->maximum, field))
            return true;
        report_error(FV_FAIL_VALUE, "--%s takes a whole number from %" PRId64 " to %" PRId64 ", not '%s'",
                     option->name, option->minimum, option->maximum, value);
        return false;
    case ARG_UNSIGNED:
        if (arg_parse_unsigned(value, field))
            return true;
        report_error(FV_FAIL_VALUE, "--%s takes a whole number, not '%s'", option->name, value);
        return false;
    case ARG_LIST:
        return arg_list_add(field, value);
    case ARG_PARAM: {
        FvError error = {0};
        return !report_error_if(fv_run_set(field, option->param, value ? value : "true", &error), &error);
    }
    }
    return false;
}

static ArgResult parse_long(const Command *command, int argc, char **argv, int *i, void *values,
                            const ArgOption *given[MAX_GIVEN])
{
    const char *word = argv[*i] + 2, *equals = strchr(word, '=');
    bool help;
    const ArgOption *option = find_long(command, word, &help);
    if (!option)
        return help ? ARGS_HELP : ARGS_WRONG;
    const char *value = NULL;
    if (equals && !option->value) {
        report_error(FV_ERROR_USAGE, "--%s takes no value", option->name);
        return ARGS_WRONG;
    }
    if (option->value) {
        value = equals ? equals + 1 : *i + 1 < argc ? argv[++*i] : NULL;
        if (!value) {
            report_error(FV_ERROR_USAGE, "--%s needs a value: --%s %s", option->name, option->name, option->value);
            return ARGS_WRONG;
        }
    }
    return store(option, value, values, given) ? ARGS_OK : ARGS_WRONG;
}

/*
 * Parses a word of letters such as "-qn", "-r FILE" or "-rFILE". A lone -h asks for help even if -h VALUE means
 * something else.
 */
static ArgResult parse_letters(const Command *command, int argc, char **argv, int *i, void *values,
                               const ArgOption *given[MAX_GIVEN])
{
    for (const char *c = argv[*i] + 1; *c; c++) {
        const ArgOption *option = find_letter(command, *c);
        bool last = !c[1] && *i + 1 >= argc;
        if (*c == 'h' && (!option || last))
            return ARGS_HELP;
        if (!option) {
            report_error(FV_FAIL_OPTION, "unknown option '-%c' of 'fovea %s': 'fovea %s --help' lists all", *c,
                         command->name, command->name);
            return ARGS_WRONG;
        }
        if (!option->value) {
            if (!store(option, NULL, values, given))
                return ARGS_WRONG;
            continue;
        }
        if (last) {
            report_error(FV_ERROR_USAGE, "-%c needs a value: -%c %s", *c, *c, option->value);
            return ARGS_WRONG;
        }
        return store(option, c[1] ? c + 1 : argv[++*i], values, given) ? ARGS_OK : ARGS_WRONG;
    }
    return ARGS_OK;
}

/*
 * Sets the positional options that are not set from words; a single word sets the last of them. A list gets all words
 * that remain after the options before it.
 */
static bool take_words(const Command *command, void *values, ArgList *words)
{
    const ArgOption *unset[MAX_NAMES];
    ArgList *list = NULL;
    int count = 0, taken = 0;
    for (const ArgOption *option = NULL; (option = arg_next(command, option)) && count < MAX_NAMES;) {
        void *field = (char *)values + option->offset;
        if (option->positional && option->kind == ARG_LIST)
            list = field;
        else if (option->positional && !*(const char **)field)
            unset[count++] = option;
    }
    const int single = list && !list->count; /* minimum number of words that the list needs */
    if (!list && words->count > count) {
        report_error(FV_ERROR_USAGE, "'%s' has no option in front of it: %s", words->items[count], command->refusal);
        return false;
    }
    for (int i = !list && words->count < count ? count - words->count : 0; i < count; i++)
        if (taken < words->count - single)
            *(const char **)((char *)values + unset[i]->offset) = words->items[taken++];
    for (; list && taken < words->count; taken++)
        if (!arg_list_add(list, words->items[taken]))
            return false;
    words->count = 0;
    return true;
}

/*
 * Returns the list that belongs to the next list option after *option, which is NULL at the start; NULL after the
 * last.
 */
static ArgList *next_list(const Command *command, const ArgOption **option, void *values)
{
    while ((*option = arg_next(command, *option)))
        if ((*option)->kind == ARG_LIST)
            return (ArgList *)((char *)values + (*option)->offset);
    return NULL;
}

/* Returns ARGS_MEMORY if a list lacks an item for want of memory, else ARGS_WRONG. */
static ArgResult failure_of(const Command *command, void *values, const ArgList *words)
{
    bool lacks = words->lacks;
    const ArgOption *option = NULL;
    for (const ArgList *list; (list = next_list(command, &option, values));)
        lacks |= list->lacks;
    return lacks ? ARGS_MEMORY : ARGS_WRONG;
}

ArgResult args_parse(const Command *command, int argc, char **argv, void *values, ArgList *words)
{
    bool options = true;
    const ArgOption *given[MAX_GIVEN] = {NULL};
    for (int i = 0; i < argc; i++) {
        const char *word = argv[i];
        ArgResult result = ARGS_OK;
        if (options && !strcmp(word, "--"))
            options = false;
        else if (options && word[0] == '-' && word[1] == '-')
            result = parse_long(command, argc, argv, &i, values, given);
        else if (options && word[0] == '-' && word[1])
            result = parse_letters(command, argc, argv, &i, values, given);
        else if (!arg_list_add(words, word))
            result = ARGS_WRONG;
        if (result != ARGS_OK)
            return result == ARGS_WRONG ? failure_of(command, values, words) : result;
    }
    return !command->refusal || take_words(command, values, words) ? ARGS_OK : failure_of(command, values, words);
}

bool args_copy(const Command *command, void *to, const void *values)
{
    const ArgOption *option = NULL;
    bool whole = true;
    memcpy(to, values, command->values_size);
    for (ArgList *list; (list = next_list(command, &option, to));) {
        const ArgList from = *list;
        *list = (ArgList){0};
        for (int i = 0; i < from.count && whole; i++)
            whole = arg_list_add(list, from.items[i]);
    }
    return whole;
}

void args_free(const Command *command, void *values, ArgList *words)
{
    const ArgOption *option = NULL;
    for (ArgList *list; (list = next_list(command, &option, values));) {
        free(list->items);
        *list = (ArgList){0};
    }
    free(words->items);
    *words = (ArgList){0};
}
