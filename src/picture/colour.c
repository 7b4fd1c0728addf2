#include "picture/colour.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "picture/frame.h"

typedef struct Name {
    FvColourTag tag;
    int code;
    const char *name;
} Name;

/* Messages and reports show the first name of a code point. */
static const Name names[] = {
    {FV_TAG_PRIMARIES, 1, "bt709"},         {FV_TAG_PRIMARIES, 6, "smpte170m"},   {FV_TAG_PRIMARIES, 6, "bt601"},
    {FV_TAG_PRIMARIES, 5, "bt470bg"},       {FV_TAG_PRIMARIES, 7, "smpte240m"},   {FV_TAG_PRIMARIES, 9, "bt2020"},
    {FV_TAG_PRIMARIES, 11, "dci-p3"},       {FV_TAG_PRIMARIES, 12, "display-p3"}, {FV_TAG_TRANSFER, 1, "bt709"},
    {FV_TAG_TRANSFER, 4, "gamma22"},        {FV_TAG_TRANSFER, 5, "gamma28"},      {FV_TAG_TRANSFER, 6, "smpte170m"},
    {FV_TAG_TRANSFER, 6, "bt601"},          {FV_TAG_TRANSFER, 8, "linear"},       {FV_TAG_TRANSFER, 13, "srgb"},
    {FV_TAG_TRANSFER, 14, "bt2020-10"},     {FV_TAG_TRANSFER, 15, "bt2020-12"},   {FV_TAG_TRANSFER, 16, "pq"},
    {FV_TAG_TRANSFER, 17, "dci"},           {FV_TAG_TRANSFER, 18, "hlg"},         {FV_TAG_MATRIX, 1, "bt709"},
    {FV_TAG_MATRIX, 6, "smpte170m"},        {FV_TAG_MATRIX, 6, "bt601"},          {FV_TAG_MATRIX, 5, "bt470bg"},
    {FV_TAG_MATRIX, 7, "smpte240m"},        {FV_TAG_MATRIX, 8, "ycgco"},          {FV_TAG_MATRIX, 9, "bt2020"},
    {FV_TAG_MATRIX, 10, "bt2020-constant"}, {FV_TAG_MATRIX, 14, "ictcp"},         {FV_TAG_MATRIX, 15, "ipt-c2"},
};

int fv_format_tag(const FvFormat *format, FvColourTag tag)
{
    return tag == FV_TAG_PRIMARIES ? format->primaries : tag == FV_TAG_TRANSFER ? format->transfer : format->matrix;
}

const char *fv_colour_tag_name(FvColourTag tag)
{
    static const char *const tags[] = {"primaries", "transfer", "matrix"};
    return tags[tag];
}

char *fv_colour_name(FvColourTag tag, int code, char *text, size_t size)
{
    const char *name = code ? NULL : "unknown";
    if (!text || !size)
        return text;
    for (size_t i = 0; i < sizeof names / sizeof *names && !name; i++)
        if (names[i].tag == tag && names[i].code == code)
            name = names[i].name;
    if (name)
        snprintf(text, size, "%s", name);
    else
        snprintf(text, size, "code point %d", code);
    return text;
}

int fv_colour_code(FvColourTag tag, const char *name)
{
    if (!name)
        return -1;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].tag == tag && !strcmp(names[i].name, name))
            return names[i].code;
    const size_t digits = strspn(name, "0123456789");
    const int code = digits && digits < 4 && !name[digits] ? atoi(name) : 0;
    return code > 0 && code < 256 ? code : -1;
}

FvSiting fv_siting_parse(const char *name)
{
    for (int siting = FV_SITING_LEFT; name && siting <= FV_SITING_BOTTOM; siting++)
        if (!strcmp(name, fv_siting_name((FvSiting)siting)))
            return (FvSiting)siting;
    return FV_SITING_UNKNOWN;
}

FvLumaWeights fv_colour_luma(int matrix)
{
    switch (matrix) {
    case FV_H273_BT709:
        return (FvLumaWeights){2126, 722};
    case FV_H273_BT470BG:
    case FV_H273_BT601:
        return (FvLumaWeights){2990, 1140};
    case FV_H273_BT2020:
        return (FvLumaWeights){2627, 593};
    default:
        return (FvLumaWeights){0, 0};
    }
}

FvFormat fv_colour_known(const FvFormat *format)
{
    FvFormat known = *format;
    int *const codes[] = {&known.transfer, &known.primaries, &known.matrix};
    for (int i = 0; i < 3; i++)
        *codes[i] = *codes[i] == 2 ? FV_H273_UNKNOWN : *codes[i];
    return known;
}

/* Returns one code point for all code points of equal meaning. */
static int representative(FvColourTag tag, int code)
{
    if (tag == FV_TAG_TRANSFER)
        return code == FV_H273_BT601 || code == 14 || code == 15 ? FV_H273_BT709 : code;
    return tag == FV_TAG_MATRIX && code == FV_H273_BT470BG ? FV_H273_BT601 : code;
}

bool fv_colour_same(FvColourTag tag, int a, int b)
{
    return representative(tag, a) == representative(tag, b);
}

bool fv_colour_near(FvColourTag tag, int a, int b)
{
    const bool both = (a == 1 || a == 5 || a == 6) && (b == 1 || b == 5 || b == 6);
    return tag == FV_TAG_PRIMARIES && both;
}
