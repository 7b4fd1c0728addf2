#include "cli/told.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "failure.h"
#include "path_names.h"

const char *const told_styles[] = {"auto", "bar", "json", "none", NULL};

static char *const *words[2];
static int counts[2];

void told_words(char *const *list, int count, bool of_job)
{
    words[of_job] = list;
    counts[of_job] = count;
}

/*
 * Returns whether the first `length` characters of a message name a file that exists. For failures to find or create
 * a file, it need not exist.
 */
static bool is_file(const Told *told, size_t length, bool whole)
{
    char path[TOLD_BYTES];
    snprintf(path, sizeof path, "%.*s", (int)length, told->text);
    const bool absent = told->failure == FV_FAIL_NOT_FOUND || told->failure == FV_FAIL_NO_PERMISSION ||
                        FV_FAILURE_STATUS(told->failure) == FV_ERROR_OUTPUT;
    return (whole && absent) || !access(path, F_OK);
}

/*
 * Returns the number of characters at the beginning of the message that name the file `word`, or a file in the folder
 * `word`; 0: none.
 */
static size_t match(const Told *told, const char *word)
{
    const size_t length = strlen(word);
    size_t found = 0;
    if (!length || strncmp(told->text, word, length) != 0)
        return 0;
    const bool folder = fv_is_slash(told->text[length]) || fv_is_slash(word[length - 1]);
    for (size_t end = length; end == length || folder; end++) {
        const char next = told->text[end];
        if ((!next || strchr(": ,;", next)) && is_file(told, end, end == length))
            found = end;
        if (!next)
            break;
    }
    return found;
}

/* Returns the length of the file name with which a message begins; 0: none. */
static size_t find_file(const Told *told)
{
    size_t longest = 0;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < counts[k]; i++) {
            const char *word = words[k][i], *value = strchr(word, '=');
            const char *const forms[] = {word, value ? value + 1 : "", *word == '-' && word[1] ? word + 2 : ""};
            for (int form = 0; form < 3; form++) {
                const size_t length = match(told, forms[form]);
                longest = length > longest ? length : longest;
            }
        }
    return longest;
}

/* Returns the frame number that a message names; -1: none. */
static int64_t find_frame(const char *text)
{
    for (const char *at = text; (at = strstr(at, "frame ")); at++)
        if ((at == text || !isalnum((unsigned char)at[-1])) && isdigit((unsigned char)at[6]))
            return strtoll(at + 6, NULL, 10);
    return -1;
}

void told_write(FvJson *json, int status, const char *member, const Told *told)
{
    const bool failed = told && told->failure;
    const size_t length = failed ? find_file(told) : 0;
    const int64_t frame = failed ? find_frame(told->text + length) : -1;
    char file[TOLD_BYTES];
    snprintf(file, sizeof file, "%.*s", (int)length, failed ? told->text : "");
    fv_json_int(json, "status", status);
    fv_json_text(json, "code", status ? fv_failure_code(failed ? told->failure : status) : "done");
    fv_json_text(json, "file", length ? file : NULL);
    if (frame < 0)
        fv_json_null(json, "frame");
    else
        fv_json_int(json, "frame", frame);
    fv_json_text(json, member, failed ? told->text : NULL);
    fv_json_text(json, "remedy", failed ? fv_failure_remedy(told->text + length) : NULL);
}
