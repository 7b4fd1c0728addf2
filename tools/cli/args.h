/* Options of the command as tables: one table serves parsing, help, the man page and the shell completions. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ArgKind {
    ARG_FLAG,     /* bool, set to true */
    ARG_TEXT,     /* const char * */
    ARG_INT,      /* int64_t in [minimum, maximum] */
    ARG_UNSIGNED, /* unsigned, in the syntax of strtoul(), which also accepts 0x10 and -1 */
    ARG_LIST,     /* ArgList; every use adds one item */
    ARG_PARAM,    /* a parameter of the FvRunParams at the offset; `param` is its name for fv_run_set() */
} ArgKind;

/* The values that a shell may offer. */
typedef enum ArgOffer {
    OFFER_NOTHING,
    OFFER_FILES,
    OFFER_METRICS,
    OFFER_OUTPUTS,
    OFFER_MODELS,
    OFFER_DEVICES,
    OFFER_CONVERSIONS,
    OFFER_SCALES,
} ArgOffer;

typedef struct ArgList {
    const char **items;
    int count;
    bool lacks; /* an item is missing because memory was exhausted; a message was printed */
} ArgList;

/* Words of long names are joined by '-' here and by '-' or '_' on the command line. */
typedef struct ArgOption {
    unsigned taken_by;    /* bits of the commands that have this option; 0: all commands of the table */
    unsigned left_out_by; /* bits of commands that lack this option although taken_by includes them */
    const char *name;     /* NULL: the table ends here */
    const char *alias;    /* a second long name, or NULL */
    bool former_alias;    /* `alias` is a former name, which help leaves out */
    const char *section;  /* heading of the group that starts here, or NULL */
    char letter;          /* one-letter name of the option, or 0 */
    ArgKind kind;
    size_t offset;     /* offset of the field in the command's values */
    const char *value; /* placeholder of the value in help; NULL: the option has no value */
    const char *fixed; /* ARG_TEXT without a value: the text to store */
    const char *param; /* ARG_PARAM: the parameter's name in the library */
    const void *row;   /* ARG_PARAM: the parameter's FvParamInfo */
    bool repeats;      /* ARG_PARAM: may be given several times */
    int64_t minimum, maximum;
    const char *const *choices; /* ARG_TEXT: the only values, NULL-terminated, or NULL for any; "a:B" allows
                                   everything that begins with "a:" */
    /* ARG_TEXT: former values, each followed by advice on its replacement; NULL-terminated */
    const char *const *gone;
    ArgOffer offer;
    bool positional; /* set by words without an option before them: each word sets the next unset ARG_TEXT; an
                        ARG_LIST gets all remaining words */
    bool whole;      /* the option's name cannot be abbreviated */
    bool first;      /* --help without a topic shows it */
    const char *help;
} ArgOption;

/* Initialise the first members of a row, one macro for each kind of field. `at`: the field's offset. */
#define FLAG(word, at) .name = word, .kind = ARG_FLAG, .offset = (at)
#define TEXT(word, at, shown) .name = word, .kind = ARG_TEXT, .offset = (at), .value = shown
#define FIXED(word, at, text) .name = word, .kind = ARG_TEXT, .offset = (at), .fixed = text
#define NUMBER(word, at, least, most)                                                                                \
    .name = word, .kind = ARG_INT, .offset = (at), .value = "N", .minimum = (least), .maximum = (most)
#define UNSIGNED(word, at) .name = word, .kind = ARG_UNSIGNED, .offset = (at), .value = "N"
#define LIST(word, at, shown) .name = word, .kind = ARG_LIST, .offset = (at), .value = shown

typedef struct Command {
    const char *name;
    const char *alias;       /* a second name, or NULL */
    const char *summary;     /* one line, for lists */
    const char *synopsis;    /* the usage after "fovea NAME" */
    const char *description; /* paragraphs, one per line */
    const char *example;     /* complete command lines, or NULL */
    /* end of the message about words that no positional option accepts; NULL: `run` gets all words */
    const char *refusal;
    const ArgOption *options; /* the table; or NULL */
    unsigned taken_by;        /* the command's bits in ArgOption.taken_by */
    size_t values_size;
    /* `values` starts zeroed and holds the options given; `words` holds the other words. Returns the exit code. */
    int (*run)(const void *values, const ArgList *words);
    bool hidden;
    int wrong;          /* exit code for wrong options; 0: FV_ERROR_USAGE */
    const char *except; /* option with which wrong options exit with FV_ERROR_USAGE in spite of `wrong`; or NULL */
} Command;

/* Returns the command's option after `option`; the first for NULL, and NULL after the last. */
const ArgOption *arg_next(const Command *command, const ArgOption *option);

/* Returns the heading of the group to which an option of the command belongs. */
const char *arg_section(const Command *command, const ArgOption *option);

typedef enum ArgResult { ARGS_OK, ARGS_HELP, ARGS_WRONG, ARGS_MEMORY } ArgResult;

/*
 * Parses arguments into zeroed `values`. For ARGS_WRONG and ARGS_MEMORY, prints a message. The caller frees the lists
 * with args_free().
 */
ArgResult args_parse(const Command *command, int argc, char **argv, void *values, ArgList *words);

/*
 * Copies the values of a command, including their lists, into zeroed values. If memory is exhausted, prints a message
 * and returns false.
 */
bool args_copy(const Command *command, void *to, const void *values);
void args_free(const Command *command, void *values, ArgList *words);

/* Adds an item to a list. If memory is exhausted, prints a message and returns false. */
bool arg_list_add(ArgList *list, const char *item);

/* Parses all of `text` as a decimal number in [minimum, maximum]; false: it is none. */
bool arg_parse_int(const char *text, int64_t minimum, int64_t maximum, int64_t *value);

/* Prints "; did you mean 'NEAREST'?", or "" if no candidate is near, into `text`, and returns `text`. */
const char *arg_suggest(char *text, size_t size, const char *word, const char *const *candidates, int count);
