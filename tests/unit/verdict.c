/* Tests the cases of verdict.json: sentences and words are equal to the byte, bad segments to the bit. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>

#include "json_read.h"
#include "verdict/verdict.h"

#define SCORES 8
#define LIST 16

static const char *golden_path;

/* A case of verdict.json, with the memory that it refers to. */
typedef struct Clip {
    FvVerdictCase it;
    FvVerdictScore scores[SCORES];
    FvVerdictGate gates[LIST];
    FvVerdictEvent events[LIST];
    int64_t *number, *start, *bytes, scenes[LIST];
    double *values;
} Clip;

static double value_of(const FvNode *node)
{
    const char *text = fv_node_text(node);
    return !text ? fv_node_number(node) : !strcmp(text, "nan") ? NAN : !strcmp(text, "inf") ? INFINITY : -INFINITY;
}

static int64_t frames_of(const FvNode *runs)
{
    int64_t frames = 0;
    for (size_t r = 0; r < fv_node_items(runs); r++)
        frames += fv_node_integer(fv_node_item(fv_node_item(runs, r), 0));
    return frames;
}

static void read_frames(Clip *clip, const FvNode *in)
{
    const FvNode *scores = fv_node_member(in, "scores"), *rate = fv_node_member(in, "rate");
    const FvNode *bytes = fv_node_member(in, "bytes"), *scenes = fv_node_member(in, "scenes");
    const int64_t num = rate ? fv_node_integer(fv_node_item(rate, 0)) : 25;
    const int64_t den = rate ? fv_node_integer(fv_node_item(rate, 1)) : 1, count = frames_of(&scores->items[0]);
    clip->number = malloc((size_t)count * sizeof *clip->number);
    clip->start = malloc((size_t)(count + 1) * sizeof *clip->start);
    clip->values = malloc((size_t)count * scores->count * sizeof *clip->values);
    for (int64_t i = 0; i <= count; i++)
        clip->start[i] = num ? (2000000 * i * den / num + 1) / 2 : 40000 * i;
    if (count > 1)
        clip->start[count] = 2 * clip->start[count - 1] - clip->start[count - 2];
    for (int64_t i = 0; i < count; i++)
        clip->number[i] = i;
    for (size_t r = 0, to = 0; r < fv_node_items(bytes); r++) {
        if (!clip->bytes)
            clip->bytes = malloc((size_t)count * sizeof *clip->bytes);
        for (int64_t n = fv_node_integer(fv_node_item(fv_node_item(bytes, r), 0)); n > 0; n--)
            clip->bytes[to++] = fv_node_integer(fv_node_item(fv_node_item(bytes, r), 1));
    }
    for (size_t s = 0; s < fv_node_items(scenes); s++)
        clip->scenes[s] = fv_node_integer(fv_node_item(scenes, s));
    clip->it.frames = (FvVerdictFrames){.count = count,
                                        .number = clip->number,
                                        .start = clip->start,
                                        .bytes = clip->bytes,
                                        .scenes = clip->scenes,
                                        .scene_count = (int64_t)fv_node_items(scenes),
                                        .timed = num > 0};
}

static void read_scores(Clip *clip, const FvNode *in)
{
    const FvNode *scores = fv_node_member(in, "scores");
    const char *transfer = fv_member_text(in, "transfer");
    const char *bound = fv_member_text(in, "bound");
    const int64_t count = clip->it.frames.count;
    for (uint32_t s = 0; s < scores->count; s++) {
        const FvNode *runs = &scores->items[s];
        const FvMeaning *meaning = fv_meaning(runs->key);
        double *values = clip->values + s * count, sum = 0;
        assert_non_null(meaning);
        int64_t to = 0;
        for (size_t r = 0; r < fv_node_items(runs); r++)
            for (int64_t n = fv_node_integer(fv_node_item(fv_node_item(runs, r), 0)); n > 0; n--)
                values[to++] = value_of(fv_node_item(fv_node_item(runs, r), 1));
        for (int64_t i = 0; i < count; i++)
            sum += values[i];
        clip->scores[s] = (FvVerdictScore){
            .output = (int)s,
            .meaning = meaning,
            .values = values,
            .step = 1,
            .mean = sum / (double)count,
            .bound = !bound                      ? FV_GRADE_BOUND_NONE
                     : !strcmp(bound, "at most") ? FV_GRADE_BOUND_AT_MOST
                                                 : FV_GRADE_BOUND_AT_LEAST,
            .graded = meaning->grade_count && !(transfer && meaning->sdr_only),
        };
    }
    clip->it.scores = clip->scores;
    clip->it.score_count = (int)scores->count;
}

static void read_facts(Clip *clip, const FvNode *in)
{
    const FvNode *gates = fv_node_member(in, "gates"), *events = fv_node_member(in, "events");
    for (size_t g = 0; g < fv_node_items(gates); g++) {
        const FvNode *gate = fv_node_item(gates, g);
        const char *outcome = fv_member_text(gate, "outcome");
        clip->gates[g] = (FvVerdictGate){
            .meaning = fv_meaning(fv_member_text(gate, "score")),
            .pool = fv_member_text(gate, "pool"),
            .above = !strcmp(fv_member_text(gate, "fails"), "above"),
            .limit = fv_node_number(fv_node_member(gate, "limit")),
            .value = value_of(fv_node_member(gate, "value")),
            .outcome = !strcmp(outcome, "passed")   ? FV_GATE_PASSED
                       : !strcmp(outcome, "failed") ? FV_GATE_FAILED
                                                    : FV_GATE_UNDEFINED,
        };
    }
    for (size_t e = 0; e < fv_node_items(events); e++) {
        const FvNode *event = fv_node_item(events, e);
        clip->events[e] = (FvVerdictEvent){.kind = fv_member_text(event, "kind"),
                                           .first = fv_node_integer(fv_node_member(event, "first")),
                                           .last = fv_node_integer(fv_node_member(event, "last")),
                                           .frames = fv_node_integer(fv_node_member(event, "frames")),
                                           .how = fv_member_text(event, "how")};
    }
    const bool partial = fv_node_is(fv_node_member(in, "partial"), FV_NODE_TRUE);
    clip->it.gates = clip->gates;
    clip->it.gate_count = (int)fv_node_items(gates);
    clip->it.events = clip->events;
    clip->it.event_count = (int)fv_node_items(events);
    clip->it.partial = partial ? fv_member_text(in, "partial_reason") : NULL;
    clip->it.expected = fv_node_integer(fv_node_member(in, "frames"));
    clip->it.alone = fv_node_is(fv_node_member(in, "one"), FV_NODE_TRUE);
    clip->it.identical = fv_node_is(fv_node_member(in, "identical"), FV_NODE_TRUE);
}

static bool same_text(const FvNode *expected, const char *text)
{
    const char *words = fv_node_text(expected);
    return words && text ? !strcmp(words, text) : !words && !text;
}

static bool same_segment(const FvNode *expected, const FvSegment *segment, const Clip *clip)
{
    const FvNode *shots = fv_node_member(expected, "shots");
    bool same = same_text(fv_node_member(expected, "score"), clip->scores[segment->output].meaning->score) &&
                same_text(fv_node_member(expected, "word"), segment->word) &&
                same_text(fv_node_member(expected, "cause"), segment->cause) &&
                fv_node_integer(fv_node_member(expected, "first")) == segment->first &&
                fv_node_integer(fv_node_member(expected, "last")) == segment->last &&
                fv_node_integer(fv_node_member(expected, "worst_frame")) == segment->worst_frame &&
                fv_node_number(fv_node_member(expected, "start")) == segment->start &&
                fv_node_number(fv_node_member(expected, "end")) == segment->end &&
                fv_node_number(fv_node_member(expected, "low_seconds")) == segment->low_seconds &&
                fv_node_number(fv_node_member(expected, "mean")) == segment->mean &&
                fv_node_number(fv_node_member(expected, "worst")) == segment->worst &&
                fv_node_number(fv_node_member(expected, "cost")) == segment->cost &&
                (int)fv_node_items(shots) == segment->shot_count;
    for (int s = 0; same && s < segment->shot_count; s++) {
        const FvNode *shot = fv_node_item(shots, (size_t)s);
        same = fv_node_integer(fv_node_member(shot, "first")) == segment->shots[s].first &&
               fv_node_integer(fv_node_member(shot, "last")) == segment->shots[s].last &&
               fv_node_integer(fv_node_member(shot, "worst_frame")) == segment->shots[s].worst_frame;
    }
    return same;
}

static void test_golden(void **state)
{
    FILE *file = fopen(golden_path, "rb");
    assert_non_null(file);
    static char text[1 << 16];
    const size_t size = fread(text, 1, sizeof text, file);
    fclose(file);
    FvDocument document;
    assert_works(fv_document_open(&document, golden_path, text, size, error));
    const FvNode *cases = fv_node_member(&document.root, "cases");
    assert_int_equal(fv_node_items(cases), 54);
    for (size_t i = 0; i < fv_node_items(cases); i++) {
        const FvNode *golden = fv_node_item(cases, i), *in = fv_node_member(golden, "in");
        const FvNode *segments = fv_node_member(golden, "segments");
        Clip clip = {.it = {.identical = false}};
        read_frames(&clip, in);
        read_scores(&clip, in);
        read_facts(&clip, in);
        FvClipVerdict verdict;
        assert_works(fv_verdict_make(&verdict, &clip.it, error));
        const char *name = fv_member_text(golden, "name");
        if (!same_text(fv_node_member(golden, "sentence"), verdict.sentence))
            fail_msg("%s: the sentence is: %s", name, verdict.sentence);
        if (!same_text(fv_node_member(golden, "kind"), fv_verdict_kind_name(verdict.kind)) ||
            !same_text(fv_node_member(golden, "word"), verdict.word) ||
            fv_node_integer(fv_node_member(golden, "level")) != verdict.level ||
            fv_node_number(fv_node_member(golden, "low_seconds")) != verdict.low_seconds)
            fail_msg("%s: kind %d, word '%s', level %d, low %.9g s", name, verdict.kind, verdict.word, verdict.level,
                     verdict.low_seconds);
        if ((int)fv_node_items(segments) != verdict.segment_count)
            fail_msg("%s: %d segments", name, verdict.segment_count);
        for (int s = 0; s < verdict.segment_count; s++)
            if (!same_segment(fv_node_item(segments, (size_t)s), &verdict.segments[s], &clip))
                fail_msg("%s: segment %d differs", name, s);
        fv_verdict_free(&verdict);
        free(clip.number);
        free(clip.start);
        free(clip.bytes);
        free(clip.values);
    }
    fv_document_close(&document);
}

int main(int argc, char **argv)
{
    golden_path = argc > 1 ? argv[1] : "verdict.json";
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_golden)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
