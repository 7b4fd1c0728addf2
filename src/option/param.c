#include "option/param.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const readers[] = {"auto", "y4m", "raw", "icpf", "libav", "libav:FORMAT", NULL};
static const char *const decoders[] = {"prores=fovea", "prores=libavcodec", NULL};
static const char *const ranges[] = {"limited", "full", NULL};
static const char *const sitings[] = {"left", "center", "topleft", "top", "bottomleft", "bottom", NULL};
static const char *const field_orders[] = {"progressive", "top", "bottom", NULL};
static const char *const film_grains[] = {"on", "off", NULL};
static const char *const rotations[] = {"auto", "0", "90", "180", "270", NULL};
static const char *const alignments[] = {"index", "time", "auto", "map", NULL};
static const char *const isas[] = {"auto", "scalar", "sse2", "avx2", "avx512", "neon", "simd128", NULL};

#define SCORE FV_TASK_SCORE
#define VIEW FV_TASK_VIEW
#define PLAN FV_TASK_PLAN
#define MAP FV_TASK_MAP
#define RUN_SHARDS FV_TASK_RUN
#define MERGE FV_TASK_MERGE
#define DECODE FV_TASK_DECODE
#define PUSH FV_TASK_PUSH
#define COMPARES (SCORE | VIEW | PLAN | MAP)
#define COMPUTES (SCORE | VIEW | MAP | RUN_SHARDS | FV_TASK_DEMO | PUSH)

#define COLOURS "names such as bt709, bt601, bt2020, or a code point of ITU-T H.273 from 1 to 255"
#define TRANSFERS "names such as bt709, bt601, bt2020, srgb, pq, hlg, or a code point of ITU-T H.273 from 1 to 255"
#define TIMES "seconds or [HOURS:]MINUTES:SECONDS, below 1000000000 seconds"

#define IN_VIDEOS .info.section = "Videos",
#define IN_METRICS .info.section = "Metrics",
#define IN_FRAMES .info.section = "Frames",
#define IN_PICTURES .info.section = "Pictures",
#define IN_RESULTS .info.section = "Results",
#define IN_PROCESSORS .info.section = "Processors",

#define STEP(type) .step = sizeof(type),
#define FIRST .info.first = true,
#define REPEATED .info.repeats = true,
#define ALIAS(word) .info.option.alias = word,
#define FORMER(word) .info.option.alias = word, .info.former_alias = true,
#define EXAMPLES(...) ((const char *const[]){__VA_ARGS__, NULL})

/* The kind of a value, and the offset of its member. */
#define AT(member) .offset = offsetof(FvRunParams, member)
#define FLAG(member) .kind = FV_VALUE_FLAG, AT(member), .info.option.type = FV_OPTION_BOOL
#define FIT(value) .kind = FV_VALUE_FIT, AT(score.scale.fit), .base = value, .info.option.type = FV_OPTION_BOOL
#define WHOLE(least, most) .info.form = "N", .info.option.minimum = (least), .info.option.maximum = (double)(most)
#define NUMBER(member, least, most, of)                                                                              \
    .kind = FV_VALUE_NUMBER, AT(member), .info.option.type = FV_OPTION_INT, WHOLE(least, most), .info.option.unit = of
#define LONG(member) .kind = FV_VALUE_LONG, AT(member), .info.option.type = FV_OPTION_INT, WHOLE(0, INT64_MAX)
#define WORDS(shown, words) .info.form = shown, .info.option.type = FV_OPTION_TEXT, .info.option.choices = words
#define CHOICE(member, words, first) .kind = FV_VALUE_CHOICE, AT(member), .base = first, WORDS("NAME", words)
#define SWITCH(member, words) .kind = FV_VALUE_SWITCH, AT(member), WORDS("on|off", words)
#define WORD(member, shown, words) .kind = FV_VALUE_WORD, AT(member), WORDS(shown, words)
#define FORM(of, member, shown, right, words)                                                                        \
    .kind = FV_VALUE_##of, AT(member), .info.form = shown, .info.option.type = FV_OPTION_TEXT,                       \
    .info.examples = right, .takes = words

#define PARAM(id, word, about, by, value, meaning)                                                                   \
    [FV_PARAM_##id] = {.info.option.name = word,                                                                     \
                       .info.sides = FV_OF_##about,                                                                  \
                       .info.tasks = by,                                                                             \
                       .info.option.help = meaning,                                                                  \
                       value},

const FvParamRow fv_param_rows[FV_PARAM_COUNT] = {
#include "option/param_rows-inl.h"
};

int fv_param_count(void)
{
    return FV_PARAM_COUNT;
}

const FvParamInfo *fv_param_info(int i)
{
    return i >= 0 && i < FV_PARAM_COUNT ? &fv_param_rows[i].info : NULL;
}

static const char *const sides[2] = {"reference.", "distorted."};

const FvParamRow *fv_param_find(const char *name, int *side)
{
    *side = 2;
    for (int i = 0; i < 2; i++)
        if (!strncmp(name, sides[i], strlen(sides[i]))) {
            *side = i;
            name += strlen(sides[i]);
            break;
        }
    for (int i = 0; i < FV_PARAM_COUNT; i++) {
        const FvParamInfo *info = &fv_param_rows[i].info;
        const bool named =
            !strcmp(info->option.name, name) || (info->option.alias && !strcmp(info->option.alias, name));
        if (named && (*side < 2 ? info->sides != FV_OF_RUN : info->sides != FV_OF_EACH))
            return &fv_param_rows[i];
    }
    /* a name without a side sets a video's parameter for both videos, unless the run has a parameter of that name */
    for (int i = 0; i < FV_PARAM_COUNT && *side == 2; i++)
        if (!strcmp(fv_param_rows[i].info.option.name, name))
            return &fv_param_rows[i];
    return NULL;
}

static FvRemedy remedy(const char *side, FvParam param, const char *value, va_list args)
{
    FvRemedy made;
    const size_t size = sizeof made.text;
    const int length =
        snprintf(made.text, size, "`%s%s%s", side, fv_param_rows[param].info.option.name, value ? "=" : "");
    size_t used = (size_t)length;
    if (value)
        used += (size_t)vsnprintf(made.text + used, size - used, value, args);
    used = used < size - 2 ? used : size - 2;
    memcpy(made.text + used, "`", 2);
    return made;
}

FvRemedy fv_remedy(FvParam param, const char *value, ...)
{
    va_list args;
    va_start(args, value);
    const FvRemedy made = remedy("", param, value, args);
    va_end(args);
    return made;
}

FvRemedy fv_remedy_of(int side, FvParam param, const char *value, ...)
{
    va_list args;
    va_start(args, value);
    const FvRemedy made = remedy(sides[side ? 1 : 0], param, value, args);
    va_end(args);
    return made;
}

FvRemedy fv_remedy_of_either(FvParam param, const char *value, ...)
{
    FvRemedy made[2];
    for (int side = 0; side < 2; side++) {
        va_list args;
        va_start(args, value);
        made[side] = remedy(sides[side], param, value, args);
        va_end(args);
    }
    const size_t used = strlen(made[0].text);
    snprintf(made[0].text + used, sizeof made[0].text - used, " or %s", made[1].text);
    return made[0];
}
