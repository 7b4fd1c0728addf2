#include "remedy.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define LONGEST 64 /* maximum bytes of the text of a parameter with its value */

static bool begins_with(const char *text, const char *word)
{
    return !strncmp(text, word, strlen(word));
}

static bool one_video;

void fv_remedy_for_one_video(void)
{
    one_video = true;
}

/* Writes a parameter as an option of the command. False: the word is not a parameter. */
static bool spell(const char *parameter, char *option, size_t size)
{
    static const char sides[2][11] = {"reference.", "distorted."};
    char name[LONGEST];
    const char *side = "";
    for (int i = 0; i < 2; i++)
        if (begins_with(parameter, sides[i])) {
            side = one_video ? "" : i ? "-dis" : "-ref";
            parameter += sizeof sides[i] - 1;
        }
    const size_t length = strspn(parameter, "abcdefghijklmnopqrstuvwxyz_");
    const char *value = parameter + length;
    snprintf(name, sizeof name, "%.*s", (int)length, parameter);
    for (char *letter = name; *letter; letter++)
        *letter = *letter == '_' ? '-' : *letter;
    snprintf(option, size, "--%s%s%s%s", name, side, *value ? " " : "", *value ? value + 1 : "");
    return length && (!*value || (*value == '=' && value[1]));
}

const char *fv_remedy_spell(char *text, size_t size, const char *message)
{
    size_t used = 0;
    text[0] = '\0';
    while (*message && used + 1 < size) {
        char parameter[LONGEST], option[LONGEST + 16];
        const size_t length = *message == '`' ? strcspn(message + 1, "` ") : 0;
        const bool marked = length && length < sizeof parameter && message[1 + length] == '`';
        if (marked)
            snprintf(parameter, sizeof parameter, "%.*s", (int)length, message + 1);
        if (marked && spell(parameter, option, sizeof option)) {
            /* "A or A" becomes "A": a message that names both videos' parameters yields the same option twice */
            const size_t same = strlen(option) + strlen(" or ");
            if (used >= same && !strncmp(text + used - same, option, strlen(option)) &&
                !strncmp(text + used - strlen(" or "), " or ", strlen(" or ")))
                used -= same;
            const int added = snprintf(text + used, size - used, "%s", option);
            used = used + (size_t)added < size ? used + (size_t)added : size - 1;
            message += length + 2;
        } else {
            text[used++] = *message++;
            text[used] = '\0';
        }
    }
    return text;
}
