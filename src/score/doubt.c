#include "score/doubt.h"

#include <math.h>
#include <string.h>

#include "picture/colour.h"
#include "picture/frame.h"

#define CODE 256.0
#define LONGEST 600 /* size of the text of one part of a sentence, in bytes */

static const char *const sides[] = {"the reference", "the distorted video"};
static const char *const members[] = {"reference", "distorted"};
static const char *const titles[] = {"BT.601", "BT.709", "BT.2020"};
static const char *const tags[] = {"bt601", "bt709",
                                   NULL}; /* values of `matrix`; NULL: fovea does not convert this matrix */

/* Parameters of a remedy, and the conversions that its `convert` must name. */
typedef struct Remedy {
    char text[400];
    unsigned convert;
    bool none; /* no parameter helps */
} Remedy;

static void add_parameter(Remedy *remedy, const char *side, const char *name, const char *value)
{
    const size_t used = strlen(remedy->text);
    snprintf(remedy->text + used, sizeof remedy->text - used, "%s%s%s%s=%s", used ? " " : "", side, *side ? "." : "",
             name, value);
}

/* Completes a remedy with the conversions that the user has requested. */
static const char *finish_remedy(Remedy *remedy, const FvScoreParams *params)
{
    static const char *const names[] = {"range", "matrix", "chroma", "depth"};
    const unsigned all = remedy->convert ? remedy->convert | params->convert : 0;
    char list[64] = "";
    for (int i = 0; i < 4; i++)
        if (all >> i & 1)
            snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", *list ? "," : "", names[i]);
    if (*list && !remedy->none)
        add_parameter(remedy, "", "convert", list);
    return remedy->none || !*remedy->text ? NULL : remedy->text;
}

/* Puts each parameter in backticks: "`reference.matrix=bt709` `convert=matrix`". */
static char *quote(char *text, size_t size, const char *parameters)
{
    size_t used = 0;
    for (const char *at = parameters; *at;) {
        const size_t length = strcspn(at, " ");
        used += (size_t)snprintf(text + used, size - used, "%s`%.*s`", used ? " " : "", (int)length, at);
        at += length + (at[length] == ' ');
    }
    return text;
}

/* The session that reports a finding, and the part of the clip that has it. */
typedef struct Scope {
    FvSession *session;
    int64_t first, frames; /* numbers of distorted frames; frames 0: the whole clip */
    int more;              /* number of further parts, which the sentence states */
} Scope;

/* Writes the parameters that score a part alone, with a remedy; false: none do, because frames do not pair by index.
 */
static bool select_part(char *text, size_t size, const Scope *scope, const char *remedy)
{
    const FvFacts *facts = fv_session_facts(scope->session);
    if (facts->score.align != FV_ALIGN_BY_INDEX)
        return false;
    snprintf(text, size, "reference.frame_skip=%lld distorted.frame_skip=%lld frames=%lld %s",
             (long long)(facts->score.skip_reference + scope->first),
             (long long)(facts->score.skip_distorted + scope->first), (long long)scope->frames, remedy);
    return true;
}

/* Records an event with its sentence: "SENTENCE: REMEDY" if there is a remedy. */
static FvStatus report(const Scope *scope, FvEvent *event, const char *sentence, FvError *error)
{
    char parameters[640], remedy[600], frames[96] = "", more[96] = "";
    event->first = scope->first;
    event->frames = scope->frames;
    if (scope->frames)
        snprintf(frames, sizeof frames, "in frames %lld to %lld, ", (long long)scope->first,
                 (long long)(scope->first + scope->frames - 1));
    if (scope->frames && event->remedy)
        event->remedy = select_part(remedy, sizeof remedy, scope, event->remedy) ? remedy : NULL;
    if (scope->more)
        snprintf(more, sizeof more, "; %d more part%s of the clip show%s a mistake", scope->more,
                 scope->more == 1 ? "" : "s", scope->more == 1 ? "s" : "");
    return fv_session_warn_mismatch(scope->session, event, error, "%s%s%s%s%s%s", frames, sentence, more,
                                    event->remedy && scope->frames ? "; score these frames apart" : "",
                                    event->remedy ? ": " : "",
                                    event->remedy ? quote(parameters, sizeof parameters, event->remedy) : "");
}

/* ---- Matrices and ranges --------------------------------------------------------------------------------------- */

static int matrix_code(FvDoubtMatrix matrix)
{
    static const int codes[] = {FV_H273_BT601, FV_H273_BT709, FV_H273_BT2020};
    return codes[matrix];
}

static bool is_matrix(const FvFormat *format, FvDoubtMatrix matrix)
{
    return format->matrix && fv_colour_same(FV_TAG_MATRIX, format->matrix, matrix_code(matrix));
}

/* Names both matrices, so that neither follows from the other video. */
static void name_matrices(Remedy *remedy, FvDoubtMatrix ref, FvDoubtMatrix dis)
{
    remedy->none |= !tags[ref] || !tags[dis];
    if (remedy->none)
        return;
    add_parameter(remedy, members[FV_REFERENCE], "matrix", tags[ref]);
    add_parameter(remedy, members[FV_DISTORTED], "matrix", tags[dis]);
}

/* Explains that the reference's samples use the matrix `from` and the distorted video's `to`. */
static void explain_matrix(char *text, Remedy *remedy, const FvSession *session, FvDoubtMatrix from, FvDoubtMatrix to)
{
    const FvFacts *facts = fv_session_facts(session);
    const FvSourceInfo *ref = &facts->reference.info, *dis = &facts->distorted.info;
    const bool kept = fv_session_format(session, FV_DISTORTED)->chroma == FV_CHROMA_RGB;
    const bool converts = facts->score.convert & FV_CONVERT_MATRIX && ref->format.matrix && dis->format.matrix &&
                          !fv_colour_same(FV_TAG_MATRIX, ref->format.matrix, dis->format.matrix);
    if (kept) { /* one video is RGB, and the other was converted to RGB by its matrix */
        const int side = ref->format.chroma == FV_CHROMA_RGB ? FV_DISTORTED : FV_REFERENCE;
        const FvDoubtMatrix right = side ? to : from;
        remedy->none |= !tags[right];
        if (!remedy->none)
            add_parameter(remedy, members[side], "matrix", tags[right]);
        snprintf(text, LONGEST, "if the matrix of %s is %s", sides[side], titles[right]);
    } else if (ref->rgb != dis->rgb && is_matrix(ref->rgb ? &ref->format : &dis->format, ref->rgb ? from : to)) {
        const FvDoubtMatrix right = ref->rgb ? to : from; /* RGB has no matrix of its own */
        name_matrices(remedy, right, right);
        remedy->convert |= facts->score.convert;
        snprintf(text, LONGEST, "if the matrix of %s is %s", sides[ref->rgb], titles[right]);
    } else if (converts && is_matrix(&dis->format, from) && is_matrix(&ref->format, to)) {
        name_matrices(remedy, to, to);
        remedy->convert |= facts->score.convert & ~(unsigned)FV_CONVERT_MATRIX;
        snprintf(text, LONGEST, "without the conversion of its matrix");
    } else {
        name_matrices(remedy, from, to);
        remedy->convert |= FV_CONVERT_MATRIX;
        snprintf(text, LONGEST, "if its matrix is %s and the reference's is %s", titles[to], titles[from]);
    }
}

static void explain_range(char *text, Remedy *remedy, const FvSession *session, FvDoubtRange range)
{
    const FvFacts *facts = fv_session_facts(session);
    const FvSourceInfo *info[2] = {&facts->reference.info, &facts->distorted.info};
    const bool squeezed = range == FV_DOUBT_SQUEEZED;
    const bool kept = fv_session_format(session, FV_DISTORTED)->chroma == FV_CHROMA_RGB;
    const FvRange right[2] = {squeezed ? FV_RANGE_FULL : FV_RANGE_LIMITED,
                              squeezed ? FV_RANGE_LIMITED : FV_RANGE_FULL};
    const bool converts = facts->score.convert & FV_CONVERT_RANGE && info[0]->format.range && info[1]->format.range &&
                          info[0]->format.range != info[1]->format.range;
    if (converts) {
        const FvRange ref = info[FV_REFERENCE]->format.range;
        add_parameter(remedy, members[FV_DISTORTED], "range", fv_range_name(ref));
        remedy->convert |= facts->score.convert & ~(unsigned)FV_CONVERT_RANGE;
        snprintf(text, LONGEST, "without the conversion of its range");
    } else if (kept || info[0]->rgb != info[1]->rgb) {
        const int side = kept ? info[0]->format.chroma == FV_CHROMA_RGB : info[0]->rgb;
        add_parameter(remedy, members[side], "range", fv_range_name(right[side]));
        remedy->none |=
            !kept && right[side] == FV_RANGE_LIMITED; /* the conversion from RGB is limited-range as well */
        remedy->convert |= kept ? 0 : FV_CONVERT_RANGE;
        snprintf(text, LONGEST, "if %s is %s range", sides[side], fv_range_name(right[side]));
    } else {
        for (int side = 0; side < 2; side++)
            add_parameter(remedy, members[side], "range", fv_range_name(right[side]));
        remedy->convert |= FV_CONVERT_RANGE;
        snprintf(text, LONGEST, "if it is %s range and the reference is %s range", fv_range_name(right[1]),
                 fv_range_name(right[0]));
    }
}

static FvStatus report_matrix_and_range(const Scope *scope, const FvHypothesis *found, FvEvent *event, FvError *error)
{
    char matrix[LONGEST] = "", range[LONGEST] = "", text[3 * LONGEST];
    Remedy remedy = {.text = ""};
    if (found->range >= FV_DOUBT_SQUEEZED_TWICE) {
        event->kind = "range";
        snprintf(text, sizeof text, "the samples of the distorted video were brought to %s range twice",
                 found->range == FV_DOUBT_SQUEEZED_TWICE ? "limited" : "full");
        return report(scope, event, text, error);
    }
    if (found->from != found->to)
        explain_matrix(matrix, &remedy, scope->session, found->from, found->to);
    if (found->range)
        explain_range(range, &remedy, scope->session, found->range);
    event->kind = *matrix ? "matrix" : "range";
    event->remedy = finish_remedy(&remedy, &fv_session_facts(scope->session)->score);
    snprintf(text, sizeof text, "the distorted video fits %d dB better %s%s%s", event->gain, matrix,
             *matrix && *range ? ", and " : "", range);
    return report(scope, event, text, error);
}

/* ---- Other colours --------------------------------------------------------------------------------------------- */

/* Returns the angle of (x, y) in whole degrees, [0, 180], by comparison with tangents of half degrees. */
static int degrees(double x, double y)
{
    static const double tangent[] = {
        /* tangents of k + 1/2 degrees */
        0.00872686779075879, 0.02618592156918693, 0.04366094290851206, 0.061162620150484306, 0.07870170682461844,
        0.09628904819753861, 0.1139356083016455,  0.13165249758739583, 0.1494510013491278,   0.16734260908141957,
        0.18533904493153439, 0.20345229942369936, 0.22169466264293988, 0.24007875908011603,  0.2586175843558903,
        0.2773245440598385,  0.29621349496208027, 0.3152987888789835,  0.33459531950207316,  0.354118572530698,
        0.3738846794848047,  0.3939104756149424,  0.41421356237309503, 0.4348123749609336,   0.45572625553258467,
        0.4769755326981602,  0.4985816080534315,  0.5205670505517462,  0.5429556996384369,   0.5657727781877702,
        0.589045016420551,   0.612800788139932,   0.6370702608074932,  0.6618855611956915,   0.6872809586016131,
        0.7132930678970053,  0.7399610750284876,  0.7673269879789604,  0.7954359166678285,   0.8243363858174957,
        0.8540806854634666,  0.8847252645559438,  0.9163311740174234,  0.9489645667148796,   0.98269726311569};
    const double a = fabs(x), b = fabs(y), less = a < b ? a : b, more = a < b ? b : a;
    int angle = 0;
    while (angle < 45 && less >= tangent[angle] * more)
        angle++;
    angle = b > a ? 90 - angle : angle;
    return x < 0 ? 180 - angle : angle;
}

static int round_half_up(double x)
{
    return (int)floor(x + 0.5);
}

static FvStatus report_saturation(const Scope *scope, FvEvent *event, double factor, FvError *error)
{
    char text[LONGEST];
    const int percent = round_half_up(100 * factor);
    event->kind = percent < 10 ? "no_colour" : "saturation";
    event->value = percent;
    event->unit = "percent";
    if (percent < 10)
        snprintf(text, sizeof text,
                 "the distorted video has hardly any colour where the reference has; metrics of luma do not see it");
    else
        snprintf(text, sizeof text,
                 "the colours of the distorted video have %d percent of the reference's saturation", percent);
    return report(scope, event, text, error);
}

static void describe_level(char *text, const double g[2])
{
    const double offset = g[0] / CODE + 16 - 16 * g[1]; /* offset relative to code 0 instead of black, 16 */
    const int tenths = round_half_up(10 * fabs(offset));
    snprintf(text, LONGEST, "luma of the distorted video follows the reference's times %d.%02d %s %d.%d codes",
             round_half_up(100 * g[1]) / 100, round_half_up(100 * g[1]) % 100, offset < 0 ? "minus" : "plus",
             tenths / 10, tenths % 10);
}

/*
 * Returns the side without a transfer tag if the other video is PQ or HLG, which is then assumed for both; -1: none.
 */
static int assumed_transfer(const FvFacts *facts)
{
    const int transfer[2] = {facts->reference.info.format.transfer, facts->distorted.info.format.transfer};
    for (int side = 0; side < 2; side++)
        if (!transfer[side] && (transfer[!side] == FV_H273_PQ || transfer[!side] == FV_H273_HLG))
            return side;
    return -1;
}

/* Appends that the transfer was assumed, which may be the cause of a curve, an offset, or a change of colours. */
static void add_transfer(char *text, size_t size, const FvFacts *facts)
{
    const int side = assumed_transfer(facts);
    const size_t used = strlen(text);
    char name[32];
    if (side < 0)
        return;
    const int other = side ? facts->reference.info.format.transfer : facts->distorted.info.format.transfer;
    snprintf(text + used, size - used, "; the transfer of %s is taken to be %s like the other's, which may be wrong",
             sides[side], fv_colour_name(FV_TAG_TRANSFER, other, name, sizeof name));
}

static FvStatus report_tone(const Scope *scope, const FvColourFit *fit, FvEvent *event, FvError *error)
{
    char text[2 * LONGEST];
    int code[3][2];
    for (int i = 0; i < 6; i++)
        code[i / 2][i % 2] = round_half_up(fit->curve[i / 2][i % 2]);
    snprintf(text, sizeof text,
             "luma of the distorted video follows another curve: codes %d, %d, %d of the reference are %d, %d, %d",
             code[0][0], code[1][0], code[2][0], code[0][1], code[1][1], code[2][1]);
    event->kind = "tone";
    add_transfer(text, sizeof text, fv_session_facts(scope->session));
    return report(scope, event, text, error);
}

static FvStatus report_rgb(const Scope *scope, const char *order, FvEvent *event, FvError *error)
{
    char text[LONGEST];
    const bool turned = !strcmp(order, "GBR") || !strcmp(order, "BRG");
    event->kind = "components";
    snprintf(text, sizeof text, "the distorted video fits %d dB better if %s", event->gain,
             turned            ? "its red, green and blue are each in the next one's place"
             : order[0] == 'B' ? "its red and blue are exchanged"
             : order[0] == 'G' ? "its red and green are exchanged"
                               : "its green and blue are exchanged");
    return report(scope, event, text, error);
}

static FvStatus report_negative(const Scope *scope, unsigned planes, FvEvent *event, FvError *error)
{
    static const char *const whose[8] = {[7] = "the distorted video is",
                                         [1] = "luma of the distorted video is",
                                         [6] = "the chroma of the distorted video is",
                                         [2] = "Cb of the distorted video is",
                                         [4] = "Cr of the distorted video is"};
    char text[LONGEST];
    event->kind = "negative";
    snprintf(text, sizeof text, "%s the negative of the reference", whose[planes]);
    return report(scope, event, text, error);
}

/* Returns the largest whole number of dB that the ratio reaches, at most 60. */
static int gain_of(double ratio)
{
    static const double power[FV_EVENT_MOST_GAIN + 1] = {
        /* 10 to the power of k / 10 */
        1,
        1.2589254117941673,
        1.5848931924611134,
        1.9952623149688795,
        2.51188643150958,
        3.1622776601683795,
        3.9810717055349727,
        5.011872336272723,
        6.3095734448019325,
        7.943282347242815,
        10,
        12.589254117941673,
        15.848931924611135,
        19.952623149688797,
        25.118864315095802,
        31.622776601683793,
        39.81071705534973,
        50.11872336272723,
        63.09573444801932,
        79.43282347242815,
        100,
        125.89254117941672,
        158.48931924611134,
        199.52623149688796,
        251.188643150958,
        316.22776601683796,
        398.10717055349727,
        501.1872336272723,
        630.9573444801932,
        794.3282347242815,
        1000,
        1258.9254117941673,
        1584.8931924611136,
        1995.2623149688795,
        2511.8864315095802,
        3162.2776601683795,
        3981.0717055349724,
        5011.872336272723,
        6309.573444801932,
        7943.282347242815,
        10000,
        12589.254117941671,
        15848.931924611135,
        19952.623149688796,
        25118.8643150958,
        31622.776601683792,
        39810.71705534973,
        50118.72336272723,
        63095.73444801933,
        79432.82347242815,
        100000,
        125892.54117941672,
        158489.31924611135,
        199526.23149688795,
        251188.643150958,
        316227.7660168379,
        398107.1705534973,
        501187.2336272723,
        630957.3444801932,
        794328.2347242815,
        1000000,
    };
    int gain = 0;
    while (gain < FV_EVENT_MOST_GAIN && ratio >= power[gain + 1])
        gain++;
    return gain;
}

static FvStatus report_colour(const Scope *scope, const FvColourFit *fit, FvError *error)
{
    const FvHypothesis *found = &fit->found;
    char name[96], text[LONGEST];
    FvEvent event = {.sided = true,
                     .side = FV_DISTORTED,
                     .fit = fv_hypothesis_name(found, name, sizeof name),
                     .gain = gain_of(found->ratio)};
    switch (found->mistake) {
    case FV_MISTAKE_NONE:
        return FV_OK;
    case FV_MISTAKE_COLOURS:
        return report_matrix_and_range(scope, found, &event, error);
    case FV_MISTAKE_PLANES:
        event.kind = "planes";
        event.sided = false;
        snprintf(text, sizeof text,
                 "Cb of the distorted video looks like Cr of the reference, and Cr like Cb: one of them has its "
                 "chroma planes exchanged%s",
                 scope->frames ? "" : "; ffmpeg -vf swapuv puts them back");
        return report(scope, &event, text, error);
    case FV_MISTAKE_RGB:
        return report_rgb(scope, found->order, &event, error);
    case FV_MISTAKE_NEGATIVE:
        return report_negative(scope, found->planes, &event, error);
    case FV_MISTAKE_HUE:
        event.kind = "hue";
        event.value = degrees(found->value[0], found->value[1]);
        event.unit = "degrees";
        snprintf(text, sizeof text, "the colours of the distorted video are turned by %d degrees", (int)event.value);
        return report(scope, &event, text, error);
    case FV_MISTAKE_SATURATION:
        return report_saturation(scope, &event, found->value[0], error);
    case FV_MISTAKE_LEVEL:
    case FV_MISTAKE_LEVELS:
        event.kind = "level";
        describe_level(text, found->value);
        if (found->mistake == FV_MISTAKE_LEVELS)
            snprintf(text + strlen(text), sizeof text - strlen(text),
                     ", and colours have %d percent of its saturation", round_half_up(100 * found->value[2]));
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "; if that is a grade, it counts as distortion here");
        add_transfer(text, sizeof text, fv_session_facts(scope->session));
        return report(scope, &event, text, error);
    case FV_MISTAKE_TONE:
        return report_tone(scope, fit, &event, error);
    case FV_MISTAKE_AFFINE:
        event.kind = "colours";
        snprintf(text, sizeof text, "the colours of the videos differ by a map that no known mistake explains");
        add_transfer(text, sizeof text, fv_session_facts(scope->session));
        return report(scope, &event, text, error);
    }
    return FV_OK;
}

static FvStatus report_lost(const Scope *scope, unsigned lost, FvError *error)
{
    static const char *const planes[] = {[2] = "Cb is", [4] = "Cr is", [6] = "Cb and Cr are"};
    FvEvent event = {.kind = "no_colour", .sided = true, .side = FV_DISTORTED};
    char text[LONGEST];
    snprintf(
        text, sizeof text,
        "the distorted video has no colour: %s constant where the reference's vary; metrics of luma do not see it",
        planes[lost]);
    if (lost != 6)
        snprintf(
            text, sizeof text,
            "the distorted video lacks a part of its colour: %s constant where the reference's varies; metrics of "
            "luma do not see it",
            planes[lost]);
    return report(scope, &event, text, error);
}

/* ---- Lines and bars -------------------------------------------------------------------------------------------- */

/* Finds the part of each video that is compared; false if one video is scaled. */
static bool compared_parts(const FvSession *session, FvCrop part[2])
{
    const FvFacts *facts = fv_session_facts(session);
    const FvFormat *format = fv_session_format(session, FV_DISTORTED);
    if (facts->score.scale.to || facts->score.fields)
        return false;
    for (int side = 0; side < 2; side++) {
        const FvFormat *own = side ? &facts->distorted.info.format : &facts->reference.info.format;
        part[side] = facts->score.crop[side];
        if (!part[side].width)
            part[side] = (FvCrop){.width = own->width, .height = own->height};
        if (part[side].width != format->width || part[side].height != format->height)
            return false;
    }
    return true;
}

static void add_crop(Remedy *remedy, int side, const FvCrop *crop)
{
    char text[64];
    snprintf(text, sizeof text, "%d:%d:%d:%d", crop->width, crop->height, crop->x, crop->y);
    add_parameter(remedy, members[side], "crop", text);
}

/* Returns how many luma samples share a chroma sample along an axis, in the video in which they are more. */
static int chroma_step(const FvSession *session, int axis)
{
    const FvFacts *facts = fv_session_facts(session);
    int step = 1;
    for (int side = 0; side < 2; side++) {
        const FvChromaSteps steps =
            fv_chroma_steps((side ? &facts->distorted : &facts->reference)->info.format.chroma);
        const int own = axis == FV_AXIS_COLUMNS ? steps.across : steps.down;
        step = own > step ? own : step;
    }
    return step;
}

/* Moves both ends of a part inwards along one axis. */
static void shrink(FvCrop *part, int axis, int begin, int end)
{
    *(axis == FV_AXIS_ROWS ? &part->y : &part->x) += begin;
    *(axis == FV_AXIS_ROWS ? &part->height : &part->width) -= begin + end;
}

static FvStatus report_lines(const Scope *scope, int axis, int64_t fit, FvError *error)
{
    static const char *const names[FV_AXES] = {"line", "column"};
    const int shift = (int)fit - FV_LINES_SHIFT(0), lines = shift < 0 ? -shift : shift;
    const bool rows = axis == FV_AXIS_ROWS, later = shift < 0;
    FvEvent event = {.kind = rows ? "lines" : "columns", .sided = true, .side = FV_DISTORTED};
    char text[LONGEST];
    FvCrop part[2];
    Remedy remedy = {.text = ""};
    if (!fit)
        return FV_OK;
    if (fit == FV_LINES_FIELDS) {
        event.kind = rows ? "fields" : "columns";
        return report(
            scope, &event,
            rows ? "the fields of the distorted video are exchanged: its even lines are the reference's odd ones"
                 : "the even columns of the distorted video are the reference's odd ones",
            error);
    }
    event.value = lines;
    event.unit = "lines";
    snprintf(text, sizeof text, "the picture of the distorted video lies %d %s%s %s", lines, names[axis],
             lines == 1 ? "" : "s",
             rows    ? (later ? "lower" : "higher")
             : later ? "further right"
                     : "further left");
    if (compared_parts(scope->session, part) && !(lines % chroma_step(scope->session, axis))) {
        shrink(&part[FV_REFERENCE], axis, later ? 0 : lines, later ? lines : 0);
        shrink(&part[FV_DISTORTED], axis, later ? lines : 0, later ? 0 : lines);
        add_crop(&remedy, FV_REFERENCE, &part[FV_REFERENCE]);
        add_crop(&remedy, FV_DISTORTED, &part[FV_DISTORTED]);
        event.remedy = remedy.text;
    }
    return report(scope, &event, text, error);
}

/* Returns whether all pictures of a side are black, which have no bars. */
static bool is_black(const FvSession *session, int side, const FvFindings *findings)
{
    const FvFormat *format = fv_session_format(session, FV_DISTORTED);
    return findings->black[FV_AXIS_ROWS][side][0] >= format->height ||
           findings->black[FV_AXIS_COLUMNS][side][0] >= format->width;
}

/* Reports the black bars of one video, and recommends crops that cut them off both videos. */
static FvStatus report_bars(const Scope *scope, int side, const FvFindings *findings, const bool coarse[FV_EDGES],
                            FvError *error)
{
    static const char *const names[FV_EDGES] = {"at the top", "at the bottom", "at the left", "at the right"};
    char list[128] = "", text[LONGEST], auto_crop[32];
    FvEvent event = {.kind = "bars", .sided = true, .side = (FvSide)side};
    FvCrop part[2];
    Remedy remedy = {.text = ""};
    bool exact = compared_parts(scope->session, part);
    if (is_black(scope->session, side, findings))
        return FV_OK;
    for (int edge = 0; edge < FV_EDGES; edge++) {
        const int axis = edge / 2, end = edge % 2, step = chroma_step(scope->session, axis);
        const int64_t bar = findings->bars[axis][side][end], lines = bar ? bar : findings->black[axis][side][end];
        if ((!bar && !coarse[edge]) || findings->lines[axis]) /* a shifted picture leaves black lines at an edge */
            continue;
        const int cut = (int)(lines + step - 1) / step * step;
        exact &= lines > 0;
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", *list ? " and " : "", names[edge]);
        for (int i = 0; i < 2 && exact; i++)
            shrink(&part[i], axis, end ? 0 : cut, end ? cut : 0);
    }
    if (!*list)
        return FV_OK;
    if (exact) {
        add_crop(&remedy, FV_REFERENCE, &part[FV_REFERENCE]);
        add_crop(&remedy, FV_DISTORTED, &part[FV_DISTORTED]);
        event.remedy = remedy.text;
    } else {
        snprintf(auto_crop, sizeof auto_crop, "%s.crop=auto", members[side]);
        event.remedy = auto_crop;
    }
    snprintf(text, sizeof text, "%s has black bars %s, where %s has a picture", sides[side], list, sides[!side]);
    return report(scope, &event, text, error);
}

/* ---- All together ---------------------------------------------------------------------------------------------- */

static FvStatus report_findings(const Scope *scope, const FvFindings *findings, const FvShift *shift, FvError *error)
{
    FvStatus status = report_colour(scope, &findings->colour, error);
    if (!status && findings->lost)
        status = report_lost(scope, findings->lost, error);
    for (int axis = 0; axis < FV_AXES && !status; axis++)
        status = report_lines(scope, axis, findings->lines[axis], error);
    for (int side = 0; side < 2 && !status; side++) {
        bool coarse[FV_EDGES];
        for (int edge = 0; edge < FV_EDGES; edge++)
            coarse[edge] = shift && shift->follow && fv_follow_bar(shift->follow, side, edge);
        status = report_bars(scope, side, findings, coarse, error);
    }
    if (!status && shift && shift->reversed)
        status = report(scope, &(FvEvent){.kind = "reversed", .sided = true, .side = FV_DISTORTED},
                        "the distorted video runs backwards", error);
    if (!status && findings->unrelated)
        status =
            report(scope, &(FvEvent){.kind = "unrelated"}, "the videos do not seem to show the same pictures", error);
    return status;
}

FvStatus fv_doubt_report(FvSession *session, const FvFindings *whole, const FvParts *parts, const FvShift *shift,
                         FvError *error)
{
    const int kept = parts->count < FV_PARTS ? parts->count : FV_PARTS;
    FvStatus status = report_findings(&(Scope){.session = session}, whole, shift, error);
    for (int i = 0; i < kept && !status; i++) {
        const FvFindings *part = &parts->part[i];
        const Scope scope = {session, part->first, part->frames, i + 1 < kept ? 0 : parts->count - kept};
        status = report_findings(&scope, part, NULL, error);
    }
    return status;
}
