#include "encodes/ladder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "path_names.h"
#include "table/pooled_score.h"
#include "table/table.h"
#include "words.h"

const char *ladder_name(const Ladder *ladder, const char *path)
{
    const char *base = fv_base_name(path);
    int equal = 0;
    for (int r = 0; r < ladder->count; r++)
        equal += !strcmp(fv_base_name(ladder->results[r].path), base);
    return equal > 1 ? path : base;
}

static bool add_sentence(char ***list, int *count, const char *text)
{
    char **grown = realloc(*list, (size_t)(*count + 1) * sizeof *grown), *copy = strdup(text);
    if (grown)
        *list = grown;
    if (grown && copy)
        grown[(*count)++] = copy;
    else
        free(copy);
    return grown && copy;
}

static bool take_sentences(EncodeResult *result, const FvSession *session, const Gates *gates)
{
    static const char mark[] = "warning: ";
    char text[320];
    bool good = (result->passed = calloc((size_t)gates->count + 1, sizeof *result->passed));
    for (int passed = 0; passed < 2 && good; passed++)
        for (int i = 0; i < gates->count; i++)
            if ((result->passed[i] = gate_describe(&gates->gates[i], session, text, sizeof text)) == passed) {
                good &= add_sentence(&result->gates, &result->gate_count, text);
                result->failed += !passed;
            }
    for (int i = 0; i < fv_session_decisions(session); i++)
        if (!strncmp(fv_session_decision(session, i), mark, sizeof mark - 1))
            good &= add_sentence(&result->warnings, &result->warning_count,
                                 fv_session_decision(session, i) + sizeof mark - 1);
    return good;
}

static EncodeScore score_of(const FvSession *session, int output)
{
    const FvOutputInfo *info = fv_session_output(session, output);
    EncodeScore score = {.meaning = fv_session_meaning(session, output),
                         .better = info->better,
                         .first = fv_session_display(session, output) == FV_DISPLAY_FIRST,
                         .sequence = info->sequence};
    FvVerdict verdict;
    score.words =
        fv_session_verdict(session, output, pick_value(session, output, FV_POOL_MEAN), &verdict) || verdict.level;
    score.named = fv_word_title(session, output) != score.meaning->title;
    snprintf(score.name, sizeof score.name, "%s", info->name);
    for (int pool = 0; pool < FV_POOL_COUNT; pool++)
        score.pool[pool] = score.sequence && pool != FV_POOL_MEAN ? NAN : pick_value(session, output, (FvPool)pool);
    return score;
}

/* Returns the time of frame 0 in seconds; NaN: it is unknown, or the frames' times do not follow from their rate. */
static double start_of(const FvSession *session, double rate)
{
    const double start = fv_session_time(session, 0);
    for (int64_t i = 0; i < fv_session_frames(session); i++) {
        const int64_t number = fv_session_frame_number(session, i);
        if (!(fabs(fv_session_time(session, number) - start - (double)number / rate) < 1e-6))
            return NAN;
    }
    return start;
}

static void take_video(Ladder *ladder, EncodeResult *result, const FvSession *session)
{
    FvSourceInfo info;
    if (fv_session_input(session, FV_DISTORTED, &info)) {
        snprintf(result->codec, sizeof result->codec, "%s", info.codec ? info.codec : "");
        result->width = info.format.width;
        result->height = info.format.height;
    }
    const FvFormat *scored = fv_session_format(session, FV_DISTORTED);
    if (*ladder->facts || result->reference)
        return;
    const double rate = ladder->rate = scored->rate_den ? (double)scored->rate_num / scored->rate_den : 0;
    ladder->start = start_of(session, rate);
    ladder->width = scored->width;
    ladder->height = scored->height;
    size_t used = (size_t)snprintf(ladder->facts, sizeof ladder->facts, "%dx%d, ", scored->width, scored->height);
    if (rate > 0)
        used += (size_t)snprintf(ladder->facts + used, sizeof ladder->facts - used, "%.5g fps, ", rate);
    table_tell_length(ladder->facts + used, sizeof ladder->facts - used, session);
}

static FvStatus take_curves(EncodeResult *result, const FvSession *session)
{
    bool good = (result->number = calloc((size_t)result->frames, sizeof *result->number));
    for (int64_t i = 0; i < result->frames && good; i++)
        result->number[i] = fv_session_frame_number(session, i);
    for (int k = 0; k < result->count && good; k++) {
        EncodeScore *score = &result->scores[k];
        if (!score->first || score->sequence)
            continue;
        good = (score->curve = calloc((size_t)result->frames, sizeof *score->curve));
        for (int o = 0; o < fv_session_outputs(session) && good; o++)
            for (int64_t i = 0; i < result->frames && !strcmp(fv_session_output(session, o)->name, score->name); i++)
                score->curve[i] = fv_session_value(session, i, o);
    }
    return good ? FV_OK : report_error(FV_ERROR_MEMORY, "out of memory for the curves of %s", result->path);
}

/* Copies the verdict deeply, and fills the strip of levels. false: out of memory. */
static bool take_verdict(EncodeResult *result, const FvSession *session, const FvClipVerdict *verdict)
{
    const int outputs = fv_session_outputs(session);
    FvSegment *segments = calloc((size_t)verdict->segment_count + 1, sizeof *segments);
    FvClipVerdict *own = &result->verdict;
    *own = *verdict;
    own->segments = segments;
    own->segment_count = 0;
    own->sentence = strdup(verdict->sentence);
    own->reason = verdict->reason ? strdup(verdict->reason) : NULL;
    result->output_name = calloc((size_t)outputs + 1, sizeof *result->output_name);
    bool good = segments && own->sentence && (own->reason || !verdict->reason) && result->output_name;
    for (int o = 0; o < outputs && good; o++)
        snprintf(result->output_name[o], sizeof *result->output_name, "%s", fv_session_output(session, o)->name);
    for (int s = 0; s < verdict->segment_count && good; s++) {
        const FvSegment *from = &verdict->segments[s];
        FvShot *shots = calloc((size_t)from->shot_count, sizeof *shots);
        segments[s] = *from;
        segments[s].shots = shots;
        own->segment_count++;
        good = shots;
        for (int i = 0; i < from->shot_count && good; i++)
            shots[i] = from->shots[i];
    }
    result->timed = result->frames && !isnan(fv_session_time(session, fv_session_frame_number(session, 0)));
    result->strip_count = result->frames < LADDER_STRIP ? (int)result->frames : LADDER_STRIP;
    for (int64_t i = 0; i < result->frames && verdict->output >= 0; i++) {
        FvVerdict of;
        unsigned char *cell = &result->strip[i * result->strip_count / result->frames];
        fv_session_verdict(session, verdict->output, fv_session_value(session, i, verdict->output), &of);
        if (of.level && (!*cell || of.level < *cell))
            *cell = (unsigned char)of.level;
    }
    return good;
}

FvStatus ladder_take(Ladder *ladder, EncodeResult *result, FvSession *session, const Gates *gates)
{
    const FvClipVerdict *judged;
    const FvOutputInfo *low = fv_session_output(session, FV_LOW_SECONDS);
    FvError error = {0};
    const int headline = fv_session_headline(session), outputs = fv_session_outputs(session);
    FvVerdict verdict = {.level = 0};
    result->frames = fv_session_frames(session);
    result->bit_rate = fv_session_bit_rate(session, FV_DISTORTED);
    if (!result->frames)
        return FV_OK;
    take_video(ladder, result, session);
    result->partial = fv_session_partial(session);
    result->identical = !result->partial && fv_session_identical(session);
    if (headline >= 0)
        fv_session_verdict(session, headline, fv_session_pool(session, headline, FV_POOL_MEAN), &verdict);
    snprintf(result->word, sizeof result->word, "%s",
             result->partial     ? "partial"
             : result->identical ? "identical"
                                 : verdict.word);
    result->scores = calloc((size_t)outputs + 2, sizeof *result->scores);
    if (report_error_if(fv_session_judge(session, &judged, &error), &error))
        return error.status;
    if (!result->scores || !take_sentences(result, session, gates) || !take_verdict(result, session, judged))
        return report_error(FV_ERROR_MEMORY, "out of memory for the scores of %s", result->path);
    for (int i = 0; i < fv_meaning_count(); i++)
        for (int o = 0; o < outputs && result->count < outputs; o++)
            if (fv_session_meaning(session, o) == fv_meaning_at(i))
                result->scores[result->count++] = score_of(session, o);
    for (int g = 0; g < gates->count && !ladder_find(result, low->name); g++)
        if (!strcmp(gates->gates[g].output, low->name))
            result->scores[result->count++] = score_of(session, FV_LOW_SECONDS);
    result->scored = true;
    return ladder->curves ? take_curves(result, session) : FV_OK;
}

void ladder_free(Ladder *ladder)
{
    for (int i = 0; i < ladder->count; i++) {
        EncodeResult *result = &ladder->results[i];
        for (int k = 0; k < result->gate_count; k++)
            free(result->gates[k]);
        for (int k = 0; k < result->warning_count; k++)
            free(result->warnings[k]);
        for (int k = 0; k < result->count; k++)
            free(result->scores[k].curve);
        for (int k = 0; k < LADDER_MOMENTS; k++)
            free(result->pictures[k].bytes_of);
        for (int k = 0; k < result->verdict.segment_count; k++)
            free((void *)result->verdict.segments[k].shots);
        free((void *)result->verdict.segments);
        free((void *)result->verdict.sentence);
        free((void *)result->verdict.reason);
        free(result->output_name);
        free(result->passed);
        free(result->number);
        free(result->gates);
        free(result->warnings);
        free(result->scores);
        free(result->details);
    }
    for (int k = 0; k < LADDER_MOMENTS; k++)
        free(ladder->pictures[k].bytes_of);
    fv_ladder_close(&ladder->view.decision);
    for (int i = 0; ladder->group_name && i < ladder->groups->count; i++)
        free(ladder->group_name[i]);
    free(ladder->group_name);
    gates_free(&ladder->gates);
    free(ladder->bd);
    free(ladder->order);
    free(ladder->results);
    *ladder = (Ladder){0};
}

const EncodeScore *ladder_find(const EncodeResult *result, const char *name)
{
    for (int i = 0; i < result->count; i++)
        if (!strcmp(result->scores[i].name, name))
            return &result->scores[i];
    return NULL;
}

int ladder_size(char *text, size_t size, const EncodeResult *result)
{
    return result->width ? snprintf(text, size, "%dx%d", result->width, result->height) : (*text = '\0', 0);
}
