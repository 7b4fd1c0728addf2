#include "words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fovea/check.h>

const char *fv_word_title(const FvSession *session, int output)
{
    const FvMeaning *meaning = fv_session_meaning(session, output);
    const FvDisplay shown = fv_session_display(session, output);
    for (int o = 0; o < fv_session_outputs(session); o++)
        if (o != output && fv_session_meaning(session, o) == meaning && fv_session_display(session, o) == shown)
            return fv_session_output(session, output)->name;
    return meaning->title;
}

char *fv_word_value(char text[FV_WORD_SIZE], const FvMeaning *meaning, double value, bool page)
{
    const double shown = meaning->share ? 100 * value : value, size = fabs(shown);
    const char *minus = shown < 0 ? page ? "\u2212" : "-" : "";
    if (isnan(shown))
        snprintf(text, FV_WORD_SIZE, page ? "\u2013" : "-");
    else if (isinf(shown))
        snprintf(text, FV_WORD_SIZE, "%s%s", minus, page ? "\u221e" : "inf");
    else if (size > 0 && size < 0.1)
        snprintf(text, FV_WORD_SIZE, size < 1e-4 ? "%s%.1e" : "%s%.4g", minus, size);
    else
        snprintf(text, FV_WORD_SIZE, "%s%.*f", minus, meaning->fine ? 4 : 2, size);
    return text;
}

char *fv_word_score(char text[FV_WORD_SIZE], const FvMeaning *meaning, double value, bool page)
{
    fv_word_value(text, meaning, value, page);
    if (meaning->unit && !isnan(value))
        snprintf(text + strlen(text), FV_WORD_SIZE - strlen(text), " %s", meaning->unit);
    return text;
}

char *fv_word_time(char text[FV_WORD_SIZE], double seconds, int decimals)
{
    *text = '\0';
    if (!(fabs(seconds) < 1e9))
        return text;
    const int unit = decimals == 3 ? 1000 : 100;
    const int64_t parts = llround(fabs(seconds) * unit), minutes = parts / (60 * unit);
    const char *sign = seconds < 0 && parts ? "-" : "";
    const int rest = (int)(parts % (60 * unit)), whole = rest / unit, part = rest % unit;
    if (minutes < 60)
        snprintf(text, FV_WORD_SIZE, "%s%d:%02d.%0*d", sign, (int)minutes, whole, decimals, part);
    else
        snprintf(text, FV_WORD_SIZE, "%s%" PRId64 ":%02d:%02d.%0*d", sign, minutes / 60, (int)(minutes % 60), whole,
                 decimals, part);
    return text;
}

char *fv_word_moment(char text[FV_WORD_SIZE], const FvSession *session, int64_t number, int decimals)
{
    char timecode[FV_TIMECODE_TEXT];
    if (!fv_session_timecode(session, number, timecode))
        return fv_word_time(text, fv_session_time(session, number), decimals);
    snprintf(text, FV_WORD_SIZE, "%s", timecode);
    return text;
}

const char *fv_word_codec(const char *name)
{
    static const char *const names[][2] = {
        {"h264", "H.264"},        {"hevc", "HEVC"},      {"vvc", "VVC"},
        {"av1", "AV1"},           {"vp8", "VP8"},        {"vp9", "VP9"},
        {"mpeg2video", "MPEG-2"}, {"mpeg4", "MPEG-4"},   {"ffv1", "FFV1"},
        {"prores", "ProRes"},     {"dnxhd", "DNxHD"},    {"mjpeg", "JPEG"},
        {"png", "PNG"},           {"webp", "WebP"},      {"tiff", "TIFF"},
        {"bmp", "BMP"},           {"jpegxl", "JPEG XL"}, {"jpeg2000", "JPEG 2000"},
        {"rawvideo", "raw"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i][0]))
            return names[i][1];
    return name;
}

char *fv_word_bit_rate(char text[FV_WORD_SIZE], double bits)
{
    const bool large = bits >= 999500;
    const double value = bits / (large ? 1e6 : 1e3);
    snprintf(text, FV_WORD_SIZE, "%.*f %s",
             value < 9.995   ? 2
             : value < 99.95 ? 1
                             : 0,
             value, large ? "Mb/s" : "kb/s");
    return text;
}

/* Writes the verdict on an output's value for the clip. Returns false as fv_session_verdict() does. */
static bool judge(const FvSession *session, int output, FvVerdict *verdict)
{
    const double mean = fv_session_output(session, output)->sequence ? fv_session_value(session, 0, output)
                                                                     : fv_session_pool(session, output, FV_POOL_MEAN);
    return fv_session_verdict(session, output, mean, verdict);
}

bool fv_word_disagreement(char *text, size_t size, const FvSession *session)
{
    FvVerdict first, other;
    const int headline = fv_session_headline(session);
    if (headline < 0 || fv_session_partial(session) || !judge(session, headline, &first))
        return false;
    for (int i = 0; i < fv_meaning_count(); i++)
        for (int o = 0; o < fv_session_outputs(session); o++) {
            const FvMeaning *meaning = fv_session_meaning(session, o);
            if (meaning != fv_meaning_at(i) || fv_session_display(session, o) != FV_DISPLAY_FIRST ||
                meaning->rule_of_thumb || meaning->artefact || !judge(session, o, &other) ||
                abs(first.level - other.level) < 2)
                continue;
            snprintf(text, size, "the scores disagree: %s says %s, %s %s.%s%s",
                     fv_session_meaning(session, headline)->title, first.word, meaning->title, other.word,
                     meaning->conditions ? " " : "", meaning->conditions ? meaning->conditions : "");
            return true;
        }
    return false;
}

double fv_word_length(const FvSession *session, int64_t step)
{
    const FvFormat *format = fv_session_format(session, FV_DISTORTED);
    const int64_t frames = fv_session_frames(session);
    if (!format->rate_den || !frames)
        return 0;
    const double frame = (double)format->rate_den / format->rate_num;
    const double by_rate = (double)(frames * step) * format->rate_den / format->rate_num;
    const double by_times = fv_session_time(session, fv_session_frame_number(session, frames - 1)) -
                            fv_session_time(session, fv_session_frame_number(session, 0)) + (double)step * frame;
    return fabs(by_times - by_rate) > frame ? by_times : by_rate;
}

const char *fv_word_cause(const char *cause, bool *fault)
{
    static const struct {
        const char *cause, *words;
        bool fault;
    } causes[] = {{"starved", "less than half the bit rate of the clip", false},
                  {"hard", "more than twice the bit rate of the clip", false},
                  {"offset", "out of step", false},
                  {"chroma", "of exchanged colours", false},
                  {"other", "of other pictures", false},
                  {"plain", "of one colour", true}};
    *fault = true;
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
        if (!strcmp(causes[i].cause, cause)) {
            *fault = causes[i].fault;
            return causes[i].words;
        }
    const FvCheckInfo *info = fv_check_info(fv_check_find(cause));
    return info ? info->title : cause;
}

const char *fv_word_pool(FvPool pool, FvBetter better)
{
    static const char *const names[FV_POOL_COUNT] = {
        [FV_POOL_HARMONIC_MEAN] = "harmonic mean",
        [FV_POOL_STDDEV] = "standard deviation",
        [FV_POOL_P1] = "1st percentile",
        [FV_POOL_P5] = "5th percentile",
        [FV_POOL_P10] = "10th percentile",
        [FV_POOL_P25] = "25th percentile",
        [FV_POOL_P75] = "75th percentile",
        [FV_POOL_P90] = "90th percentile",
        [FV_POOL_P95] = "95th percentile",
        [FV_POOL_P99] = "99th percentile",
        [FV_POOL_MIN] = "least frame",
        [FV_POOL_MAX] = "greatest frame",
    };
    const FvPool worst = fv_word_worst_frame(better);
    if (better != FV_NEITHER_IS_BETTER && (pool == fv_word_worst(better) || pool == worst))
        return pool == worst ? "worst frame" : "worst 5 %";
    return names[pool] ? names[pool] : fv_pool_name(pool);
}

bool fv_word_equal_frames(char *text, size_t size, const FvSession *session, int output)
{
    const FvOutputInfo *info = fv_session_output(session, output);
    const int64_t frames = fv_session_frames(session);
    const int64_t equal = info->sequence ? 0 : fv_session_equal_frames(session, output);
    char limit[64] = "";
    if (!equal)
        return false;
    if (isfinite(info->maximum))
        snprintf(limit, sizeof limit, " (at least %g dB)", info->maximum);
    snprintf(text, size, "%s finds %" PRId64 " of %" PRId64 " frame%s equal%s%s", fv_word_title(session, output),
             equal, frames, frames == 1 ? "" : "s", limit,
             equal == frames ? "" : "; in pooled values each counts as good as the best other frame");
    return true;
}
