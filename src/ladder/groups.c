/* Groups encodes by codec, and divides the encodes of a codec by the patterns of their names. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "ladder/ladder.h"
#include "path_names.h"
#include "text.h"
#include "words.h"

#define LARGE 3  /* minimum number of encodes of a pattern that is a separate group */
#define MARKED 4 /* number of groups with a mark: the largest ones */
#define DIGITS "0123456789"

/* Returns whether a word of a name is a size: 480p, 1280x720, hd. */
static bool is_size(const char *word, size_t length)
{
    static const char *const sizes[] = {"sd", "hd", "fhd", "qhd", "uhd", "2k", "4k", "8k"};
    const size_t digits = strspn(word, DIGITS);
    const char mark = digits < length ? (char)tolower((unsigned char)word[digits]) : '\0';
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t same = 0;
        while (same < length && tolower((unsigned char)word[same]) == sizes[i][same])
            same++;
        if (same == length && !sizes[i][same])
            return true;
    }
    return digits &&
           ((digits + 1 == length && (mark == 'p' || mark == 'i')) ||
            (mark == 'x' && digits + 1 < length && digits + 1 + strspn(word + digits + 1, DIGITS) == length));
}

/*
 * Writes the words of a file name, without folders, extension and picture sizes. pattern: writes # for each run of
 * digits.
 */
static bool write_words(char **text, const char *name, bool pattern)
{
    size_t size;
    FILE *file = fv_text_open(text, &size);
    name = fv_base_name(name);
    const char *dot = strrchr(name, '.'), *end = dot && dot != name ? dot : name + strlen(name);
    bool any = false;
    while (file && name < end) {
        size_t length = strcspn(name, "_-. ");
        length = name + length > end ? (size_t)(end - name) : length;
        if (length && !is_size(name, length)) {
            if (any)
                putc('_', file);
            any = true;
            for (size_t i = 0; i < length; i++)
                if (!pattern || !isdigit((unsigned char)name[i]))
                    putc(name[i], file);
                else if (!i || !isdigit((unsigned char)name[i - 1]))
                    putc('#', file);
        }
        name += length + 1;
    }
    return fv_text_close(file, text);
}

/* The words in the name of an encode, for finding groups. */
typedef struct Words {
    const char *codec;     /* displayed name of the codec */
    char *whole, *pattern; /* the words; the words with # for each run of digits */
    bool counts;           /* the encode has a quality, so it belongs to a group */
    bool own;              /* its pattern is a separate group */
} Words;

static bool same(const Words *a, const Words *b)
{
    return !strcmp(a->codec, b->codec) && !strcmp(a->pattern, b->pattern);
}

/*
 * Decides which patterns are separate groups: those of at least LARGE encodes, if their codec has at least two of
 * them.
 */
static void find_patterns(Words *words, const FvLadderEncode *encodes, int count)
{
    for (int i = 0; i < count; i++) {
        int equal = 0;
        for (int k = 0; k < count; k++)
            equal += words[k].counts && !encodes[k].group && same(&words[i], &words[k]);
        words[i].own = words[i].counts && !encodes[i].group && equal >= LARGE;
    }
    for (int i = 0; i < count; i++) {
        bool another = false;
        for (int k = 0; k < count; k++)
            another |= words[k].own && !strcmp(words[i].codec, words[k].codec) && !same(&words[i], &words[k]);
        if (words[i].own && !another)
            words[i].own = false;
    }
}

/* Returns a run of digits in a text, and its length. `n` is its number, from 0; NULL: there are fewer runs. */
static const char *run_of(const char *text, int n, size_t *length)
{
    while (*(text += strcspn(text, DIGITS))) {
        *length = strspn(text, DIGITS);
        if (!n--)
            return text;
        text += *length;
    }
    return NULL;
}

/* Returns whether run n of digits is the same in all encodes with the pattern of encode i. */
static bool is_common(const Words *words, int count, int i, int n)
{
    size_t length = 0, other = 0;
    const char *own = run_of(words[i].whole, n, &length);
    for (int k = 0; k < count && own; k++) {
        const char *run = words[k].own && same(&words[i], &words[k]) ? run_of(words[k].whole, n, &other) : own;
        if (run != own && (!run || other != length || strncmp(run, own, length) != 0))
            return false;
    }
    return own != NULL;
}

/*
 * Writes the words that all encodes with the pattern of encode i share, without words that begin with a digit and
 * without numbers that differ.
 */
static void write_common(FILE *file, const Words *words, int count, int i)
{
    const char *text = words[i].whole;
    bool any = false;
    for (int n = 0; *text; text += *text == '_') {
        const bool left_out = isdigit((unsigned char)*text);
        if (!left_out && any)
            putc('_', file);
        any |= !left_out;
        while (*text && *text != '_') {
            const size_t digits = strspn(text, DIGITS), length = digits ? digits : strcspn(text, DIGITS "_");
            if (!left_out && (!digits || is_common(words, count, i, n)))
                fwrite(text, 1, length, file);
            n += digits > 0;
            text += length;
        }
    }
}

/* Returns the name of an encode's group: "H.264", "H.264 x264_slow", "H.264, others". NULL: out of memory. */
static char *name_group(const Words *words, const FvLadderEncode *encodes, int count, int i)
{
    char *name;
    size_t size;
    bool divided = false;
    if (encodes[i].group)
        return strdup(encodes[i].group);
    for (int k = 0; k < count; k++)
        divided |= words[k].own && !strcmp(words[i].codec, words[k].codec);
    FILE *file = fv_text_open(&name, &size);
    if (file)
        fprintf(file, "%s%s", words[i].codec, words[i].own ? " " : divided ? ", others" : "");
    if (file && words[i].own)
        write_common(file, words, count, i);
    return fv_text_close(file, &name) ? name : NULL;
}

/*
 * Marks the largest groups, numbered in the order of the groups. Of equally large groups, the earlier one is marked.
 */
static void mark_groups(FvLadderGroups *groups)
{
    int marks = 0;
    for (int g = 0; g < groups->count; g++) {
        int larger = 0;
        for (int k = 0; k < groups->count; k++)
            larger += groups->group[k].count > groups->group[g].count ||
                      (groups->group[k].count == groups->group[g].count && k < g);
        groups->group[g].mark = larger < MARKED ? marks++ : -1;
    }
}

FvStatus fv_ladder_find_groups(FvLadderGroups *groups, int *of, const FvLadderEncode *encodes, int count,
                               FvError *error)
{
    const size_t all = (size_t)count;
    *groups =
        (FvLadderGroups){.group = calloc(all, sizeof *groups->group), .name = calloc(all, sizeof *groups->name)};
    Words *words = calloc(all, sizeof *words);
    bool good = groups->group && groups->name && words;
    for (int i = 0; i < count && good; i++) {
        const char *codec = encodes[i].codec ? encodes[i].codec : "";
        words[i].codec = *codec ? fv_word_codec(codec) : "unknown codec";
        words[i].counts = !isnan(encodes[i].quality);
        good = write_words(&words[i].pattern, encodes[i].name, true) &&
               write_words(&words[i].whole, encodes[i].name, false);
    }
    if (good)
        find_patterns(words, encodes, count);
    for (int i = 0; i < count && good; i++) {
        of[i] = -1;
        if (!words[i].counts)
            continue;
        char *name = name_group(words, encodes, count, i);
        int g = 0;
        if (!(good = name))
            break;
        while (g < groups->count && strcmp(groups->name[g], name) != 0)
            g++;
        if (g == groups->count) {
            groups->name[groups->count++] = name;
            groups->group[g] = (FvLadderGroup){.name = name, .cheapest = -1};
        } else
            free(name);
        groups->group[g].count++;
        of[i] = g;
    }
    if (good)
        mark_groups(groups);
    for (int i = 0; i < count && words; i++) {
        free(words[i].pattern);
        free(words[i].whole);
    }
    free(words);
    return good ? FV_OK : fv_fail_memory(error, all * (sizeof *words + sizeof *groups->group));
}

void fv_ladder_ungroup(FvLadderGroups *groups)
{
    for (int g = 0; g < groups->count; g++)
        free(groups->name[g]);
    free(groups->name);
    free(groups->group);
    *groups = (FvLadderGroups){0};
}
