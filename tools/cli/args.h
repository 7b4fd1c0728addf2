/* Options of the command as tables: one table gives parsing, help, the man page and the shell completions. */
#ifndef ARGS_H
#define ARGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ARG_MAX_OPTIONS 64 /* of one command */

typedef enum ArgKind {
    ARG_FLAG, /* bool, set to true */
    ARG_TEXT, /* const char * */
    ARG_INT,  /* int64_t in [minimum, maximum] */
    ARG_LIST, /* ArgList; every use adds one */
} ArgKind;

/* What a shell may offer as the value. */
typedef enum ArgOffer { OFFER_NOTHING, OFFER_FILES, OFFER_METRICS, OFFER_OUTPUTS } ArgOffer;

typedef struct ArgList {
    const char **items;
    int count;
} ArgList;

/* Words of long names are separated by '-' here and by '-' or '_' on the command line. */
typedef struct ArgOption {
    const char *section; /* heading of the group that starts here, or NULL */
    const char *name;
    const char *alias; /* a second long name, or NULL */
    char letter;       /* or 0 */
    ArgKind kind;
    size_t offset;     /* of the field in the command's values */
    const char *value; /* what stands for the value in help; NULL: the option takes none */
    const char *fixed; /* ARG_TEXT without a value: what is stored */
    int64_t minimum, maximum;
    const char *const *choices; /* ARG_TEXT: the only values, NULL-terminated, or NULL for any; "a:B" allows all that
                                   begin with "a:" */
    ArgOffer offer;
    const char *help;
} ArgOption;

typedef struct Command {
    const char *name;
    const char *summary;     /* one line, for lists */
    const char *synopsis;    /* after "fovea NAME" */
    const char *description; /* paragraphs, one a line */
    const char *example;     /* whole command lines, or NULL */
    const char
        *refusal; /* the answer to words that are not options, which says it with options; NULL: words are taken */
    const ArgOption *options;
    int option_count;
    size_t values_size;
    /* `values` starts zeroed and holds what was given; `words` holds what was not an option. Returns the exit code.
     */
    int (*run)(const void *values, const ArgList *words);
    bool hidden;
} Command;

typedef enum ArgResult { ARGS_OK, ARGS_HELP, ARGS_WRONG } ArgResult;

/* Fills zeroed `values`. ARGS_WRONG has told why. The lists belong to the caller: args_free. */
ArgResult args_parse(const Command *command, int argc, char **argv, void *values, ArgList *words);
void args_free(const Command *command, void *values, ArgList *words);

void arg_list_add(ArgList *list, const char *item);

/* The whole of `text` as a decimal number in [minimum, maximum]. */
bool arg_parse_int(const char *text, int64_t minimum, int64_t maximum, int64_t *value);

/* "; did you mean 'NEAREST'?" or "" into `text`. Returns text. */
const char *arg_suggest(char *text, size_t size, const char *word, const char *const *candidates, int count);

#endif
