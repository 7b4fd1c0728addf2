#include "result/ladder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "result/pick.h"
#include "result/table.h"
#include "words.h"

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

const char *ladder_name(const Ladder *ladder, const char *path)
{
    const char *base = base_of(path);
    int equal = 0;
    for (int r = 0; r < ladder->count; r++)
        equal += !strcmp(base_of(ladder->rungs[r].path), base);
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

static bool take_sentences(Rung *rung, const FvSession *session, const Gates *gates)
{
    static const char mark[] = "warning: ";
    char text[320];
    bool good = (rung->passed = calloc((size_t)gates->count + 1, sizeof *rung->passed));
    for (int passed = 0; passed < 2 && good; passed++)
        for (int i = 0; i < gates->count; i++)
            if ((rung->passed[i] = gate_describe(&gates->gates[i], session, text, sizeof text)) == passed) {
                good &= add_sentence(&rung->gates, &rung->gate_count, text);
                rung->failed += !passed;
            }
    for (int i = 0; i < fv_session_decisions(session); i++)
        if (!strncmp(fv_session_decision(session, i), mark, sizeof mark - 1))
            good &= add_sentence(&rung->warnings, &rung->warning_count,
                                 fv_session_decision(session, i) + sizeof mark - 1);
    return good;
}

static RungScore score_of(const FvSession *session, int output)
{
    const FvOutputInfo *info = fv_session_output(session, output);
    RungScore score = {.meaning = fv_session_meaning(session, output),
                       .better = info->better,
                       .first = fv_session_shown(session, output) == FV_SHOWN_FIRST,
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

static void take_video(Ladder *ladder, Rung *rung, const FvSession *session)
{
    FvSourceInfo info;
    if (fv_session_input(session, FV_DISTORTED, &info)) {
        snprintf(rung->codec, sizeof rung->codec, "%s", info.codec ? info.codec : "");
        rung->width = info.format.width;
        rung->height = info.format.height;
    }
    const FvFormat *scored = fv_session_format(session, FV_DISTORTED);
    if (*ladder->facts || rung->reference)
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

static FvStatus take_curves(Rung *rung, const FvSession *session)
{
    bool good = (rung->number = calloc((size_t)rung->frames, sizeof *rung->number));
    for (int64_t i = 0; i < rung->frames && good; i++)
        rung->number[i] = fv_session_frame_number(session, i);
    for (int k = 0; k < rung->count && good; k++) {
        RungScore *score = &rung->scores[k];
        if (!score->first || score->sequence)
            continue;
        good = (score->curve = calloc((size_t)rung->frames, sizeof *score->curve));
        for (int o = 0; o < fv_session_outputs(session) && good; o++)
            for (int64_t i = 0; i < rung->frames && !strcmp(fv_session_output(session, o)->name, score->name); i++)
                score->curve[i] = fv_session_value(session, i, o);
    }
    return good ? FV_OK : complain(FV_ERROR_MEMORY, "out of memory for the curves of %s", rung->path);
}

/* Copies the verdict deeply, and fills the strip of levels. false: out of memory. */
static bool take_verdict(Rung *rung, const FvSession *session, const FvClipVerdict *verdict)
{
    const int outputs = fv_session_outputs(session);
    FvSegment *segments = calloc((size_t)verdict->segment_count + 1, sizeof *segments);
    FvClipVerdict *own = &rung->verdict;
    *own = *verdict;
    own->segments = segments;
    own->segment_count = 0;
    own->sentence = strdup(verdict->sentence);
    own->reason = verdict->reason ? strdup(verdict->reason) : NULL;
    rung->output_name = calloc((size_t)outputs + 1, sizeof *rung->output_name);
    bool good = segments && own->sentence && (own->reason || !verdict->reason) && rung->output_name;
    for (int o = 0; o < outputs && good; o++)
        snprintf(rung->output_name[o], sizeof *rung->output_name, "%s", fv_session_output(session, o)->name);
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
    rung->timed = rung->frames && !isnan(fv_session_time(session, fv_session_frame_number(session, 0)));
    rung->strip_count = rung->frames < LADDER_STRIP ? (int)rung->frames : LADDER_STRIP;
    for (int64_t i = 0; i < rung->frames && verdict->output >= 0; i++) {
        FvVerdict of;
        unsigned char *cell = &rung->strip[i * rung->strip_count / rung->frames];
        fv_session_verdict(session, verdict->output, fv_session_value(session, i, verdict->output), &of);
        if (of.level && (!*cell || of.level < *cell))
            *cell = (unsigned char)of.level;
    }
    return good;
}

FvStatus ladder_take(Ladder *ladder, Rung *rung, FvSession *session, const Gates *gates)
{
    const FvClipVerdict *judged;
    const FvOutputInfo *low = fv_session_output(session, FV_LOW_SECONDS);
    FvError error = {0};
    const int headline = fv_session_headline(session), outputs = fv_session_outputs(session);
    FvVerdict verdict = {.level = 0};
    rung->frames = fv_session_frames(session);
    rung->bit_rate = fv_session_bit_rate(session, FV_DISTORTED);
    if (!rung->frames)
        return FV_OK;
    take_video(ladder, rung, session);
    rung->partial = fv_session_partial(session);
    rung->identical = !rung->partial && fv_session_identical(session);
    if (headline >= 0)
        fv_session_verdict(session, headline, fv_session_pool(session, headline, FV_POOL_MEAN), &verdict);
    snprintf(rung->word, sizeof rung->word, "%s",
             rung->partial     ? "partial"
             : rung->identical ? "identical"
                               : verdict.word);
    rung->scores = calloc((size_t)outputs + 2, sizeof *rung->scores);
    if (complain_if(fv_session_judge(session, &judged, &error), &error))
        return error.status;
    if (!rung->scores || !take_sentences(rung, session, gates) || !take_verdict(rung, session, judged))
        return complain(FV_ERROR_MEMORY, "out of memory for the scores of %s", rung->path);
    for (int i = 0; i < fv_meaning_count(); i++)
        for (int o = 0; o < outputs && rung->count < outputs; o++)
            if (fv_session_meaning(session, o) == fv_meaning_at(i))
                rung->scores[rung->count++] = score_of(session, o);
    for (int g = 0; g < gates->count && !ladder_find(rung, low->name); g++)
        if (!strcmp(gates->gates[g].output, low->name))
            rung->scores[rung->count++] = score_of(session, FV_LOW_SECONDS);
    rung->scored = true;
    return ladder->curves ? take_curves(rung, session) : FV_OK;
}

void ladder_free(Ladder *ladder)
{
    for (int i = 0; i < ladder->count; i++) {
        Rung *rung = &ladder->rungs[i];
        for (int k = 0; k < rung->gate_count; k++)
            free(rung->gates[k]);
        for (int k = 0; k < rung->warning_count; k++)
            free(rung->warnings[k]);
        for (int k = 0; k < rung->count; k++)
            free(rung->scores[k].curve);
        for (int k = 0; k < LADDER_MOMENTS; k++)
            free(rung->pictures[k].bytes_of);
        for (int k = 0; k < rung->verdict.segment_count; k++)
            free((void *)rung->verdict.segments[k].shots);
        free((void *)rung->verdict.segments);
        free((void *)rung->verdict.sentence);
        free((void *)rung->verdict.reason);
        free(rung->output_name);
        free(rung->passed);
        free(rung->number);
        free(rung->gates);
        free(rung->warnings);
        free(rung->scores);
        free(rung->details);
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
    free(ladder->rungs);
    *ladder = (Ladder){0};
}

const RungScore *ladder_find(const Rung *rung, const char *name)
{
    for (int i = 0; i < rung->count; i++)
        if (!strcmp(rung->scores[i].name, name))
            return &rung->scores[i];
    return NULL;
}

int ladder_size(char *text, size_t size, const Rung *rung)
{
    return rung->width ? snprintf(text, size, "%dx%d", rung->width, rung->height) : (*text = '\0', 0);
}
