/* Options of the command as tables: one table gives parsing, help, the man page and the shell completions. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ArgKind {
    ARG_FLAG,     /* bool, set to true */
    ARG_TEXT,     /* const char * */
    ARG_INT,      /* int64_t in [minimum, maximum] */
    ARG_UNSIGNED, /* unsigned, as strtoul reads it: 0x10 and -1 are numbers */
    ARG_LIST,     /* ArgList; every use adds one item */
    ARG_PARAM,    /* a parameter of the FvRunParams at the offset, which fv_run_set() takes as `param` */
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
    bool lacks; /* memory ended, after a message: an item is missing */
} ArgList;

/* Words of long names are joined by '-' here and by '-' or '_' on the command line. */
typedef struct ArgOption {
    unsigned taken_by;    /* bits of the commands that take it, in a table of several; 0: all */
    unsigned left_out_by; /* bits of commands that take what others take, but not this */
    const char *name;     /* NULL: the table ends here */
    const char *alias;    /* a second long name, or NULL */
    const char *section;  /* heading of the group that starts here, or NULL */
    char letter;          /* or 0 */
    ArgKind kind;
    size_t offset;     /* offset of the field in the command's values */
    const char *value; /* stands for the value in help; NULL: the option takes none */
    const char *fixed; /* ARG_TEXT without a value: the text to store */
    const char *param; /* ARG_PARAM: its name in the library */
    const void *row;   /* ARG_PARAM: its FvParamInfo */
    bool repeats;      /* ARG_PARAM: may be given several times */
    int64_t minimum, maximum;
    const char *const *choices; /* ARG_TEXT: the only values, NULL-terminated, or NULL for any; "a:B" allows
                                   everything that begins with "a:" */
    const char *const *gone; /* ARG_TEXT: values that were taken once, each with what replaces it; NULL-terminated */
    ArgOffer offer;
    bool positional; /* words without an option in front set those of ARG_TEXT that are not set, the last one last;
                        one of ARG_LIST gets all further words */
    bool whole;      /* no shortened name means it */
    bool first;      /* --help alone shows it */
    const char *help;
} ArgOption;

/* The first members of a row, by the kind of its field, which is at offset `at`. */
#define FLAG(word, at) .name = word, .kind = ARG_FLAG, .offset = (at)
#define TEXT(word, at, shown) .name = word, .kind = ARG_TEXT, .offset = (at), .value = shown
#define FIXED(word, at, text) .name = word, .kind = ARG_TEXT, .offset = (at), .fixed = text
#define NUMBER(word, at, least, most)                                                                                \
    .name = word, .kind = ARG_INT, .offset = (at), .value = "N", .minimum = (least), .maximum = (most)
#define UNSIGNED(word, at) .name = word, .kind = ARG_UNSIGNED, .offset = (at), .value = "N"
#define LIST(word, at, shown) .name = word, .kind = ARG_LIST, .offset = (at), .value = shown

typedef struct Command {
    const char *name;
    const char *summary;      /* one line, for lists */
    const char *synopsis;     /* after "fovea NAME" */
    const char *description;  /* paragraphs, one a line */
    const char *example;      /* whole command lines, or NULL */
    const char *refusal;      /* how to name the words that set positional options; NULL: words are taken */
    const ArgOption *options; /* or NULL */
    unsigned taken_by;        /* its bits in the table */
    size_t values_size;
    /* `values` starts zeroed and holds the options given; `words` holds the other words. Returns the exit code. */
    int (*run)(const void *values, const ArgList *words);
    bool hidden;
    int wrong;          /* exit code for wrong options; 0: FV_ERROR_USAGE */
    const char *except; /* option with which it is still FV_ERROR_USAGE; or NULL */
} Command;

/* The options of a command: the first one after NULL; NULL after the last. */
const ArgOption *arg_next(const Command *command, const ArgOption *option);

/* The heading of the group that an option of the command belongs to. */
const char *arg_section(const Command *command, const ArgOption *option);

typedef enum ArgResult { ARGS_OK, ARGS_HELP, ARGS_WRONG, ARGS_MEMORY } ArgResult;

/* Fills zeroed `values`. ARGS_WRONG and ARGS_MEMORY come after a message. The lists belong to the caller: args_free.
 */
ArgResult args_parse(const Command *command, int argc, char **argv, void *values, ArgList *words);

/* Copies the values of a command, with lists of their own, into zeroed values. false: out of memory, after a message.
 */
bool args_copy(const Command *command, void *to, const void *values);
void args_free(const Command *command, void *values, ArgList *words);

/* false: out of memory, after a message. */
bool arg_list_add(ArgList *list, const char *item);

/* The whole of `text` as a decimal number in [minimum, maximum]. */
bool arg_parse_int(const char *text, int64_t minimum, int64_t maximum, int64_t *value);

/* "; did you mean 'NEAREST'?" or "" into `text`. Returns text. */
const char *arg_suggest(char *text, size_t size, const char *word, const char *const *candidates, int count);
