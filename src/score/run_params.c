/* Parses the parameters of a run: one function for each kind of value. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "compare_text.h"
#include "option/option.h"
#include "option/param.h"
#include "os/locale.h"

static const char *const conversions[] = {"range", "matrix", "chroma", "depth", "rgb", "all"};
static const char *const scales[] = {"none", "dis", "ref", "display"};
static const char *const kernels[] = {"bicubic", "bilinear", "lanczos", "spline36"};

/* Returns the index of a value among the choices; -1: it is not among them. */
static int choice_of(const FvParamRow *row, const char *value)
{
    for (int i = 0; row->info.option.choices[i]; i++)
        if (fv_is_choice(row->info.option.choices[i], value))
            return i;
    return -1;
}

static int word_of(const char *const *words, int count, const char *text, size_t length)
{
    for (int i = 0; i < count; i++)
        if (fv_span_is(text, length, words[i]))
            return i;
    return -1;
}

static bool set_time(const char *text, bool zero, int64_t *time)
{
    double seconds = 0;
    for (int parts = 0;; parts++) {
        char *end;
        if (strspn(text, "0123456789.") == 0 || parts == 3)
            return false;
        const double part = fv_locale_number(text, &end);
        if (end == text || !isfinite(part) || (*end && *end != ':') || (*end == ':' && part != floor(part)))
            return false;
        seconds = seconds * 60 + part;
        if (!*end)
            break;
        text = end + 1;
    }
    const int64_t whole = seconds < 1e9 ? (int64_t)floor(seconds * 1e6 + 0.5) : -1;
    if (whole < 0 || (!whole && !zero))
        return false;
    *time = whole;
    return true;
}

/*
 * Reads `count` numbers in [0, FV_MAX_SIDE], separated by `mark`. Returns the text after the last number; NULL: the
 * text has another form.
 */
static const char *set_sides(const char *text, char mark, int *const *to, int count)
{
    for (int i = 0; i < count; i++) {
        const size_t digits = strspn(text, "0123456789");
        if (!digits || digits > 5)
            return NULL;
        *to[i] = (int)strtol(text, NULL, 10);
        if (*to[i] > FV_MAX_SIDE)
            return NULL;
        text += digits;
        if (i + 1 < count && *text++ != mark)
            return NULL;
    }
    return text;
}

static bool set_crop(const char *text, FvCrop *crop, bool *bars)
{
    FvCrop read = {0};
    int *const to[] = {&read.width, &read.height, &read.x, &read.y};
    *bars = !strcmp(text, "auto");
    if (*bars)
        return true;
    const char *rest = set_sides(text, ':', to, 4);
    if (!rest || *rest || !read.width || !read.height)
        return false;
    *crop = read;
    return true;
}

static bool set_scale(const char *text, FvScale *scale)
{
    int *const to[] = {&scale->width, &scale->height};
    const int word = word_of(scales, 4, text, strlen(text));
    scale->to = word < 0 ? FV_SCALE_SIZE : (FvScaleTo)word;
    const char *rest = word < 0 ? set_sides(text, 'x', to, 2) : "";
    return rest && !*rest && (word >= 0 || (scale->width && scale->height));
}

static bool set_kernel(const char *text, FvScale *scale)
{
    static const char cubic[] = "bicubic:";
    const int word = word_of(kernels, 4, text, strlen(text));
    char *end;
    scale->cubic = word < 0;
    if (word >= 0) {
        scale->kernel = (FvScaleKernel)word;
        return true;
    }
    if (strncmp(text, cubic, sizeof cubic - 1))
        return false;
    text += sizeof cubic - 1;
    scale->b = fv_locale_number(text, &end);
    if (*end != ':' || end == text || !end[1])
        return false;
    scale->c = fv_locale_number(end + 1, &end);
    return !*end && scale->b >= 0 && scale->b <= 1 && scale->c >= 0 && scale->c <= 1;
}

static bool set_conversions(const char *text, FvRunParams *run)
{
    unsigned bits = 0;
    for (;; text++) {
        const size_t length = strcspn(text, ",");
        const int word = word_of(conversions, 6, text, length);
        if (word < 0)
            return false;
        bits |= word < 5 ? 1u << word : 31u;
        text += length;
        if (!*text)
            break;
    }
    run->score.convert |= bits & 15u;
    run->convert_rgb |= bits >> 4;
    return true;
}

static bool set_background(const char *text, int *colour)
{
    text += *text == '#';
    if (strlen(text) != 6 || strspn(text, "0123456789abcdefABCDEF") != 6)
        return false;
    *colour = (int)strtol(text, NULL, 16);
    return true;
}

/* Reads "420", and planar names such as "yuv420p", "yuv422p10le", "gray" and "gray12le", which contain the depth. */
static bool set_planar(const char *name, FvFormat *raw)
{
    static const struct {
        const char *name;
        FvChroma chroma;
    } families[] = {{"400", FV_CHROMA_400},     {"420", FV_CHROMA_420},     {"422", FV_CHROMA_422},
                    {"444", FV_CHROMA_444},     {"gray", FV_CHROMA_400},    {"yuv400p", FV_CHROMA_400},
                    {"yuv420p", FV_CHROMA_420}, {"yuv422p", FV_CHROMA_422}, {"yuv444p", FV_CHROMA_444},
                    {"411", FV_CHROMA_411},     {"440", FV_CHROMA_440},     {"410", FV_CHROMA_410},
                    {"yuv411p", FV_CHROMA_411}, {"yuv440p", FV_CHROMA_440}, {"yuv410p", FV_CHROMA_410}};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        const size_t length = strlen(families[i].name);
        if (strncmp(name, families[i].name, length))
            continue;
        const char *rest = name + length;
        const bool named = families[i].name[0] > '9';
        char *end;
        raw->chroma = families[i].chroma;
        raw->depth = named ? 8 : 0;
        if (!*rest)
            return true;
        raw->depth = named && strspn(rest, "0123456789") ? (int)strtol(rest, &end, 10) : 0;
        return raw->depth >= 9 && raw->depth <= 16 && !strcmp(end, "le");
    }
    return false;
}

/* Stores the name if it is a layout of interleaved samples. fv_run_settle() uses its depth. */
static bool set_pixels(const char *name, FvRunParams *run, int side)
{
    FvFormat named = {0};
    const bool interleaved = fv_raw_layout(name, &named);
    if (!interleaved && !set_planar(name, &named))
        return false;
    run->source[side].raw.chroma = named.chroma;
    run->source[side].raw_layout = interleaved ? name : NULL;
    run->named_depth[side] = named.depth;
    return true;
}

static bool set_rate(const char *text, FvFormat *raw)
{
    const char *slash = strchr(text, '/');
    int64_t num, den = 1;
    char whole[24];
    snprintf(whole, sizeof whole, "%.*s", slash ? (int)(slash - text) : 20, text);
    if (!fv_parse_int(whole, 1, INT32_MAX, &num) || (slash && !fv_parse_int(slash + 1, 1, INT32_MAX, &den)))
        return false;
    raw->rate_num = (int)num;
    raw->rate_den = (int)den;
    return true;
}

static bool set_colour(const FvParamRow *row, const char *value, int *code)
{
    const FvColourTag tag = row->kind == FV_VALUE_PRIMARIES  ? FV_TAG_PRIMARIES
                            : row->kind == FV_VALUE_TRANSFER ? FV_TAG_TRANSFER
                                                             : FV_TAG_MATRIX;
    const int found = fv_colour_code(tag, value);
    *code = found > 0 ? found : 0;
    return found > 0;
}

static void *place_of(const FvRunParams *run, const FvParamRow *row, int side)
{
    const size_t step = row->step ? row->step : sizeof(FvSourceParams);
    return (char *)run + row->offset + (size_t)side * step;
}

/* Sets a value. False: the value is not valid for the row. */
static bool set_value(FvRunParams *run, const FvParamRow *row, int side, const char *value)
{
    const FvOptionInfo *info = &row->info.option;
    void *to = place_of(run, row, side);
    int64_t number;
    int word;
    switch (row->kind) {
    case FV_VALUE_FLAG:
    case FV_VALUE_FIT: {
        const bool yes = !strcmp(value, "true");
        if (!yes && strcmp(value, "false"))
            return false;
        if (row->kind == FV_VALUE_FLAG)
            *(bool *)to = yes;
        else if (yes)
            *(FvScaleFit *)to = (FvScaleFit)row->base;
        return true;
    }
    case FV_VALUE_NUMBER:
        if (!fv_parse_int(value, (int64_t)info->minimum, (int64_t)info->maximum, &number))
            return false;
        *(int *)to = (int)number;
        return true;
    case FV_VALUE_LONG:
        return fv_parse_int(value, (int64_t)info->minimum, INT64_MAX, to);
    case FV_VALUE_CHOICE:
    case FV_VALUE_SWITCH:
        if ((word = choice_of(row, value)) < 0)
            return false;
        if (row->kind == FV_VALUE_CHOICE)
            *(int *)to = row->base + word;
        else
            *(bool *)to = word;
        return true;
    case FV_VALUE_WORD:
        *(const char **)to = value;
        return choice_of(row, value) >= 0;
    case FV_VALUE_PATH:
    case FV_VALUE_DEVICE:
        *(const char **)to = value;
        return *value != '\0';
    case FV_VALUE_MODELS:
        if (!*value || run->model_count == FV_MAX_MODELS)
            return false;
        run->models[run->model_count++] = value;
        return true;
    case FV_VALUE_PRIMARIES:
    case FV_VALUE_TRANSFER:
    case FV_VALUE_MATRIX:
        return set_colour(row, value, to);
    case FV_VALUE_TIME:
        return set_time(value, row == &fv_param_rows[FV_PARAM_START], to);
    case FV_VALUE_CROP:
        return set_crop(value, to, &run->bars[side]);
    case FV_VALUE_SCALE:
        return set_scale(value, to);
    case FV_VALUE_KERNEL:
        return set_kernel(value, to);
    case FV_VALUE_CONVERT:
        return set_conversions(value, run);
    case FV_VALUE_BACKGROUND:
        return set_background(value, to);
    case FV_VALUE_PIXELS:
        return set_pixels(value, run, side);
    case FV_VALUE_RATE:
        return set_rate(value, to);
    }
    return false;
}

static FvStatus refuse(const FvParamRow *row, const char *name, const char *value, FvError *error)
{
    const FvOptionInfo *info = &row->info.option;
    char list[256] = "";
    if (info->type == FV_OPTION_BOOL)
        return fv_fail(error, FV_ERROR_USAGE, "`%s` takes true or false, not '%s'", name, value);
    if (info->type == FV_OPTION_INT)
        return fv_fail(error, FV_FAIL_VALUE, "`%s` takes a whole number from %lld to %lld, not '%s'", name,
                       (long long)info->minimum,
                       row->kind == FV_VALUE_LONG ? (long long)INT64_MAX : (long long)info->maximum, value);
    if (!info->choices)
        return fv_fail(error, FV_ERROR_USAGE, "`%s` takes %s, not '%s'", name, row->takes, value);
    int count = 0;
    for (; info->choices[count]; count++) {
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s",
                 !count                     ? ""
                 : info->choices[count + 1] ? ", "
                                            : " or ",
                 info->choices[count]);
    }
    const char *near = fv_nearest(value, info->choices, count);
    return fv_fail(error, FV_ERROR_USAGE, "`%s` takes %s, not '%s'%s%s%s", name, list, value,
                   near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static FvStatus refuse_name(const char *name, FvError *error)
{
    const char *names[FV_PARAM_COUNT];
    for (int i = 0; i < FV_PARAM_COUNT; i++)
        names[i] = fv_param_rows[i].info.option.name;
    const char *near = fv_nearest(name, names, FV_PARAM_COUNT);
    return fv_fail(error, FV_ERROR_USAGE, "a run has no parameter '%s'%s%s%s", name, near ? "; did you mean '" : "",
                   near ? near : "", near ? "'?" : "");
}

FvStatus fv_run_set(FvRunParams *run, const char *name, const char *value, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, run);
    FV_REQUIRE(error, name);
    FV_REQUIRE(error, value);
    int side;
    const FvParamRow *row = fv_param_find(name, &side);
    if (!row)
        return refuse_name(name, error);
    const uint64_t bit = UINT64_C(1) << (row - fv_param_rows);
    const bool whole = row->info.sides == FV_OF_RUN;
    for (int i = 0; i < 2; i++) {
        if (side < 2 ? i != side : whole ? i : (run->given[i] & bit) != 0)
            continue;
        if (!set_value(run, row, i, value))
            return refuse(row, name, value, error);
    }
    run->given[side] |= bit;
    return FV_OK;
}

int fv_param_number(const char *name)
{
    int side;
    const FvParamRow *row = name ? fv_param_find(name, &side) : NULL;
    return row ? (int)(row - fv_param_rows) : -1;
}

static bool given(const FvRunParams *run, FvParam param)
{
    return (run->given[0] | run->given[1] | run->given[2]) >> param & 1;
}

bool fv_run_given(const FvRunParams *run, const char *name)
{
    const int number = fv_param_number(name);
    return run && number >= 0 && given(run, (FvParam)number);
}

/* ---- Values as text -------------------------------------------------------------------------------------------- */

static void put_conversions(const FvRunParams *run, char *text, size_t size)
{
    const unsigned bits = run->score.convert | (unsigned)run->convert_rgb << 4;
    for (int i = 0; i < 5; i++)
        if (bits >> i & 1) {
            const size_t used = strlen(text);
            snprintf(text + used, size - used, "%s%s", used ? "," : "", conversions[i]);
        }
}

static void put_scale(const FvScale *scale, char *text, size_t size)
{
    if (scale->to == FV_SCALE_SIZE)
        snprintf(text, size, "%dx%d", scale->width, scale->height);
    else if (scale->to)
        snprintf(text, size, "%s", scales[scale->to]);
}

static void put_kernel(const FvScale *scale, char *text, size_t size)
{
    FvLocale before;
    fv_locale_enter(&before);
    if (scale->cubic)
        snprintf(text, size, "bicubic:%.17g:%.17g", scale->b, scale->c);
    else if (scale->kernel)
        snprintf(text, size, "%s", kernels[scale->kernel]);
    fv_locale_leave(before);
}

static void put_time(int64_t time, char *text, size_t size)
{
    if (time)
        snprintf(text, size, "%lld.%06d", (long long)(time / 1000000), (int)(time % 1000000));
}

static void put_value(const FvRunParams *run, const FvParamRow *row, int side, char *text, size_t size)
{
    const void *from = place_of(run, row, side);
    const FvCrop *crop = from;
    const FvFormat *raw = from;
    const char *word = NULL;
    *text = '\0';
    switch (row->kind) {
    case FV_VALUE_FLAG:
        word = *(const bool *)from ? "true" : NULL;
        break;
    case FV_VALUE_FIT:
        word = (int)*(const FvScaleFit *)from == row->base ? "true" : NULL;
        break;
    case FV_VALUE_NUMBER:
    case FV_VALUE_PRIMARIES:
    case FV_VALUE_TRANSFER:
    case FV_VALUE_MATRIX:
        if (*(const int *)from)
            snprintf(text, size, "%d", *(const int *)from);
        break;
    case FV_VALUE_LONG:
        if (*(const int64_t *)from)
            snprintf(text, size, "%lld", (long long)*(const int64_t *)from);
        break;
    case FV_VALUE_CHOICE:
        if (*(const int *)from)
            word = row->info.option.choices[*(const int *)from - row->base];
        break;
    case FV_VALUE_SWITCH:
        word = *(const bool *)from ? row->info.option.choices[1] : NULL;
        break;
    case FV_VALUE_WORD:
    case FV_VALUE_PATH:
    case FV_VALUE_DEVICE:
        word = *(const char *const *)from;
        break;
    case FV_VALUE_MODELS:
        word = run->model_count ? run->models[0] : NULL;
        break;
    case FV_VALUE_TIME:
        put_time(*(const int64_t *)from, text, size);
        break;
    case FV_VALUE_CROP:
        if (run->bars[side])
            word = "auto";
        else if (crop->width)
            snprintf(text, size, "%d:%d:%d:%d", crop->width, crop->height, crop->x, crop->y);
        break;
    case FV_VALUE_SCALE:
        put_scale(from, text, size);
        break;
    case FV_VALUE_KERNEL:
        put_kernel(from, text, size);
        break;
    case FV_VALUE_CONVERT:
        put_conversions(run, text, size);
        break;
    case FV_VALUE_BACKGROUND:
        if (*(const int *)from)
            snprintf(text, size, "%06x", (unsigned)*(const int *)from);
        break;
    case FV_VALUE_PIXELS:
        word = run->source[side].raw_layout;
        if (!word && raw->width)
            word = (const char *const[]){"400", "420", "422", "444", "", "411", "440", "410"}[raw->chroma];
        break;
    case FV_VALUE_RATE:
        if (raw->rate_num)
            snprintf(text, size, "%d/%d", raw->rate_num, raw->rate_den);
        break;
    }
    if (word)
        snprintf(text, size, "%s", word);
}

char *fv_run_text(const FvRunParams *run, const char *name, char *text, size_t size)
{
    int side;
    const FvParamRow *row = run && name && text && size ? fv_param_find(name, &side) : NULL;
    if (row)
        put_value(run, row, side == 1, text, size);
    else if (text && size)
        *text = '\0';
    return text;
}

/* ---- Together -------------------------------------------------------------------------------------------------- */

/* Checks the geometry of one side's raw video: all of it must be given, or none. */
static FvStatus settle_geometry(FvRunParams *run, int side, FvError *error)
{
    FvSourceParams *source = &run->source[side];
    FvFormat *raw = &source->raw;
    const uint64_t own = run->given[side] | run->given[2];
    const bool pixels = own >> FV_PARAM_PIXEL_FORMAT & 1;
    const int named = run->named_depth[side];
    if (source->reader && !strcmp(source->reader, "icpf")) {
        *raw = (FvFormat){.depth = raw->depth};
        return FV_OK;
    }
    if (!raw->width && !raw->height && !raw->depth && !pixels)
        return FV_OK;
    if (pixels && named && raw->depth && raw->depth != named)
        return fv_fail(error, FV_ERROR_USAGE,
                       "`pixel_format` gives %d bits per sample, but `bitdepth` is %d; leave out %s", named,
                       raw->depth, fv_remedy(FV_PARAM_BITDEPTH, NULL).text);
    if (pixels && named)
        raw->depth = named;
    const FvParam lacks = !raw->width    ? FV_PARAM_WIDTH
                          : !raw->height ? FV_PARAM_HEIGHT
                          : !pixels      ? FV_PARAM_PIXEL_FORMAT
                          : !raw->depth  ? FV_PARAM_BITDEPTH
                                         : FV_PARAM_COUNT;
    if (lacks != FV_PARAM_COUNT)
        return fv_fail(error, FV_ERROR_USAGE,
                       "raw video needs `width`, `height`, `pixel_format` and `bitdepth` together; %s is missing",
                       fv_remedy(lacks, NULL).text);
    return FV_OK;
}

FvStatus fv_run_settle(FvRunParams *run, int metrics, int taking, bool pictures, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, run);
    FvScoreParams *score = &run->score;
    const bool converts = given(run, FV_PARAM_CONVERT);
    FvStatus status = FV_OK;
    for (int side = 0; side < 2 && !status; side++)
        status = settle_geometry(run, side, error);
    if (status)
        return status;
    if (score->align && (score->skip_reference || score->skip_distorted || score->start || score->duration)) {
        char how[16];
        return fv_fail(
            error, FV_ERROR_USAGE,
            "`align=%s` chooses the frames; leave out `reference.frame_skip`, `distorted.frame_skip`, `start` "
            "and `duration`, or pair by index",
            fv_run_text(run, "align", how, sizeof how));
    }
    if (given(run, FV_PARAM_PAD) && given(run, FV_PARAM_STRETCH))
        return fv_fail(error, FV_ERROR_USAGE, "`pad` and `stretch` exclude each other; leave one of them out");
    if (score->scale.fit == FV_FIT_PAD && !score->scale.to)
        return fv_fail(error, FV_ERROR_USAGE, "`pad` adds bars to what is scaled, so it needs `scale`");
    if (given(run, FV_PARAM_SCALE_FILTER) && !score->scale.to && !converts)
        return fv_fail(error, FV_ERROR_USAGE,
                       "`scale_filter` has no effect without `scale`; leave it out, or give `scale`");
    if (!converts && pictures)
        score->convert = 15;
    const FvRgb rgb = run->convert_rgb ? FV_RGB_CONVERT : fv_rgb_mode(metrics, taking, pictures && !converts);
    for (int side = 0; side < 2; side++) {
        run->source[side].rgb = rgb;
        run->source[side].threads = run->session.threads < 256 ? run->session.threads : 256;
    }
    return FV_OK;
}

FvStatus fv_run_look(FvRunParams *run, FvAlignment **alignment, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, run);
    FV_REQUIRE(error, alignment);
    FvStatus status = FV_OK;
    for (int side = run->source[0].path ? 0 : 1; side < 2 && !status; side++)
        if (run->bars[side])
            status = fv_find_bars(&run->score.crop[side], &run->source[side], error);
    if (status || run->score.align < FV_ALIGN_BY_OFFSET)
        return status;
    if (!run->source[0].path)
        return fv_fail(error, FV_FAIL_MISSING_VIDEO, "`align=%s` needs a reference; name one",
                       run->score.align == FV_ALIGN_BY_OFFSET ? "auto" : "map");
    status = fv_align(alignment, &run->source[0], &run->source[1], run->score.align, error);
    run->score.alignment = *alignment;
    return status;
}
