#include "input/image/sequence.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "os/folder.h"
#include "os/memory.h"
#include "path_names.h"

#define MOST_DIGITS 9 /* maximum number of digits: any such number fits an int */

/* The place of %d or %0Nd in a name. */
typedef struct Number {
    const char *at; /* address of the '%'; NULL: the name has none */
    size_t length;  /* length of "%d" or "%0Nd" in characters */
    int digits;     /* the N of %0Nd; 0: %d */
} Number;

static Number find_number(const char *path)
{
    for (const char *at = strchr(path, '%'); at; at = strchr(at + 1, '%')) {
        const size_t count = strspn(at + 1, "0123456789");
        const int digits = count && count < 4 ? atoi(at + 1) : 0;
        if (at[count + 1] == 'd' && count < 4 && digits < 32)
            return (Number){at, count + 2, digits};
    }
    return (Number){NULL, 0, 0};
}

bool fv_image_sequence_named(const char *path)
{
    return find_number(path).at != NULL;
}

/* Returns the number in the name of a file; -1: the name does not match the pattern. */
static int number_of(const char *name, const char *pattern, const Number *number)
{
    const size_t front = (size_t)(number->at - pattern), back = strlen(number->at + number->length);
    const size_t length = strlen(name);
    if (length <= front + back || strncmp(name, pattern, front) ||
        strcmp(name + length - back, number->at + number->length))
        return -1;
    const size_t digits = length - front - back, least = number->digits ? (size_t)number->digits : 1;
    const char *first = name + front;
    if (strspn(first, "0123456789") < digits || digits < least || (digits > least && *first == '0'))
        return -1;
    const size_t zeros = strspn(first, "0");
    return digits - (zeros < digits ? zeros : digits) <= MOST_DIGITS ? atoi(first) : -1;
}

FvStatus fv_image_sequence_find(const char *path, char **first, int *number, int *count, FvGuard *files,
                                FvError *error)
{
    const Number place = find_number(path);
    const char *slash = fv_last_slash(path), *pattern = slash ? slash + 1 : path;
    const size_t size = strlen(path) + 48, length = (size_t)(pattern - path);
    char *name = *first = malloc(size);
    if (!name)
        return fv_fail_memory(error, size);
    snprintf(name, size, "%.*s", (int)length, length ? path : ".");
    int last = -1;
    *count = 0;
    *number = -1;
    FvFolder *folder = place.at < pattern ? NULL : fv_folder_open(length ? name : ".");
    for (const char *entry; (entry = fv_folder_next(folder));) {
        FvFileFacts facts;
        const int found = number_of(entry, pattern, &place);
        if (found < 0)
            continue;
        snprintf(name, size, "%.*s%s", (int)length, path, entry);
        fv_file_facts_of(name, &facts);
        fv_guard_add(files, facts.id, path);
        *number = *number < 0 || found < *number ? found : *number;
        last = found > last ? found : last;
        ++*count;
    }
    fv_folder_close(folder);
    if (*number < 0) {
        free(name);
        *first = NULL;
        return fv_fail(error, FV_FAIL_NOT_FOUND, "%s matches no file; the digits must be in the place of the %%d",
                       path);
    }
    FvFileFacts facts;
    bool there = true;
    for (int i = *count < last - *number + 1 ? *number : last; there && i <= last; i++) {
        snprintf(name, size, "%.*s%0*d%s", (int)(place.at - path), path, place.digits, i, place.at + place.length);
        there = fv_file_facts_of(name, &facts);
    }
    if (!there) {
        fv_fail(error, FV_FAIL_NOT_FOUND,
                "%s is missing, and the sequence has %d images from number %d to %d; number them without a gap", name,
                *count, *number, last);
        free(name);
        *first = NULL;
        return FV_ERROR_INPUT;
    }
    snprintf(name, size, "%.*s%0*d%s", (int)(place.at - path), path, place.digits, *number, place.at + place.length);
    return FV_OK;
}
