#include "report/command_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/process.h"
#include "path_names.h"
#include "scoring/folders.h"
#include "text.h"

/* Returns a word of the command line without its folder. Words with a '/' that are no paths stay as they are. */
static const char *without_folder(const char *word)
{
    char folder[4096];
    const char *slash = fv_last_slash(word);
    if (!slash || !slash[1] || (size_t)(slash - word) + 2 > sizeof folder)
        return word;
    snprintf(folder, sizeof folder, "%.*s", (int)(slash - word) + 1, word);
    return folders_is_one(folder) ? slash + 1 : word;
}

/* Writes a word of the command line without its folder, quoted if a shell needs it. */
static void put_word(FILE *file, const char *word)
{
    word = without_folder(word);
    const bool plain =
        *word && !word[strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=:,./%@")];
    if (plain) {
        fprintf(file, " %s", word);
        return;
    }
    fputs(" '", file);
    for (; *word; word++)
        if (*word == '\'') /* a quote ends the quoted text, stands escaped, and begins it again */
            fputs("'\\''", file);
        else
            putc(*word, file);
    putc('\'', file);
}

char *command_line(void)
{
    char *text;
    size_t size;
    FILE *file = fv_text_open(&text, &size);
    if (!file)
        return NULL;
    fputs("fovea", file);
    for (char **word = process_arguments(); word && *word; word++)
        put_word(file, *word);
    fv_text_close(file, &text);
    return text;
}
