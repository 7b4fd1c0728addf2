#include "failure.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "compare_text.h"

static const struct {
    const char *code;
    int status;
} rows[] = {
#define FAILURE(name, code, status, meaning) {code, status},
#include "failure_rows-inl.h"
#undef FAILURE
};

void fv_failure_note(FvError *error, int failure)
{
    char *note = error->message + FV_FAILURE_TEXT;
    note[0] = '\0';
    note[1] = (char)(failure >> 8);
    note[2] = (char)~(failure >> 8);
}

FvStatus fv_failure_memory(FvError *error, const char *what)
{
    *error = (FvError){.status = FV_ERROR_MEMORY};
    snprintf(error->message, FV_FAILURE_TEXT, "out of memory for %s", what);
    return error->status;
}

int fv_failure_of(const FvError *error)
{
    const unsigned char *note = (const unsigned char *)error->message + FV_FAILURE_TEXT;
    const int row = note[1];
    const bool noted = !note[0] && row && row <= FV_FAILURE_ROWS && note[2] == (unsigned char)~row;
    return noted && rows[row - 1].status == (int)error->status ? row << 8 | (int)error->status : (int)error->status;
}

const char *fv_failure_code(int failure)
{
    const int row = failure >> 8;
    if (row > 0 && row <= FV_FAILURE_ROWS)
        return rows[row - 1].code;
    for (int i = 0; i < FV_FAILURE_ROWS; i++)
        if (rows[i].status == failure)
            return rows[i].code;
    return "";
}

int fv_failure_of_system(int status, int reason)
{
    static const struct {
        int status, reason, failure;
    } known[] = {
        {FV_ERROR_INPUT, ENOENT, FV_FAIL_NOT_FOUND},     {FV_ERROR_INPUT, ENOTDIR, FV_FAIL_NOT_FOUND},
        {FV_ERROR_INPUT, EACCES, FV_FAIL_NO_PERMISSION}, {FV_ERROR_INPUT, EPERM, FV_FAIL_NO_PERMISSION},
        {FV_ERROR_OUTPUT, ENOSPC, FV_FAIL_FULL},         {FV_ERROR_OUTPUT, EFBIG, FV_FAIL_FULL},
        {FV_ERROR_OUTPUT, EPIPE, FV_FAIL_CLOSED},
    };
    if (reason == ENOMEM || reason == EMFILE || reason == ENFILE)
        return FV_FAIL_MEMORY;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].status == status && known[i].reason == reason)
            return known[i].failure;
    return status;
}

/* Returns whether the text after a colon is a remedy: it begins with an imperative, an option or "did you mean". */
static bool is_order(const char *text)
{
    static const char *const words[] = {"add",    "ask",     "choose",  "compare", "compute", "convert",  "copy",
                                        "crop",   "decode",  "decrypt", "did",     "do",      "download", "find",
                                        "give",   "install", "keep",    "leave",   "let",     "make",     "name",
                                        "number", "pair",    "pipe",    "remove",  "rename",  "save",     "say",
                                        "score",  "skip",    "store",   "turn",    "use",     "write"};
    const size_t length = strcspn(text, " ");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (fv_span_is(text, length, words[i]))
            return true;
    return *text == '`' || !strncmp(text, "--", 2) || !strncmp(text, "'fovea ", 7);
}

const char *fv_failure_remedy(const char *message)
{
    for (const char *at = message; (at = strpbrk(at, ";:")); at++)
        if (at[1] == ' ' && (*at == ';' || is_order(at + 2)))
            return at + 2;
    return NULL;
}
