#include "encodes/ladder_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "table/file_text.h"
#include "table/pooled_score.h"

#define MOST_BYTES ((size_t)1 << 30) /* maximum bytes of a report */

static const char *text_of(const FvNode *node, const char *key)
{
    const char *text = fv_member_text(node, key);
    return text ? text : "";
}

/* Reads the scores that this version of fovea knows, in the order of tables. */
static bool read_scores(EncodeResult *result, const FvNode *scores, bool words)
{
    const int count = fv_node_is(scores, FV_NODE_OBJECT) ? (int)scores->count : 0;
    if (!(result->scores = calloc((size_t)count + 1, sizeof *result->scores)))
        return false;
    for (int m = 0; m < fv_meaning_count(); m++)
        for (int i = 0; i < count; i++) {
            const FvNode *pools = &scores->items[i];
            const FvMeaning *meaning = fv_meaning(pools->key);
            if (!meaning || meaning != fv_meaning_at(m))
                continue;
            EncodeScore *score = &result->scores[result->count++];
            *score = (EncodeScore){.meaning = meaning,
                                   .first = meaning->display == FV_DISPLAY_FIRST,
                                   .sequence = fv_node_is(pools, FV_NODE_OBJECT) && pools->count == 1,
                                   .words = words && meaning->grade_count > 0};
            if (!pick_better(meaning->score, &score->better))
                score->better = FV_NEITHER_IS_BETTER;
            snprintf(score->name, sizeof score->name, "%s", pools->key);
            for (int pool = 0; pool < FV_POOL_COUNT; pool++)
                score->pool[pool] = fv_node_real(fv_node_member(pools, fv_pool_name((FvPool)pool)));
        }
    return true;
}

static int output_of(const EncodeResult *result, const char *name)
{
    for (int i = 0; i < result->count; i++)
        if (!strcmp(result->scores[i].name, name))
            return i;
    return -1;
}

/* Adds the word that tables show: reports leave out a word whose bound says nothing, such as "at most excellent". */
static void tell_bound(FvClipVerdict *verdict, const EncodeResult *result, const char *bound)
{
    const FvMeaning *meaning = verdict->output < 0 ? NULL : result->scores[verdict->output].meaning;
    const FvGrade *grade = NULL;
    for (int i = 0; meaning && i < meaning->grade_count; i++)
        if (verdict->value >= meaning->grades[i].from)
            grade = &meaning->grades[i];
    if (!*verdict->word && bound && grade)
        snprintf(verdict->word, sizeof verdict->word, "%s %s", bound, grade->word);
}

static bool read_verdict(EncodeResult *result, const FvNode *verdict)
{
    const FvNode *segments = fv_node_member(verdict, "segments");
    const size_t count = fv_node_items(segments);
    FvSegment *made = calloc(count + 1, sizeof *made);
    FvClipVerdict *own = &result->verdict;
    own->segments = made;
    own->kind = FV_VERDICT_NOT_SCORED;
    for (int kind = 0; fv_verdict_kind_name((FvVerdictKind)kind); kind++)
        if (!strcmp(fv_verdict_kind_name((FvVerdictKind)kind), text_of(verdict, "kind")))
            own->kind = (FvVerdictKind)kind;
    own->sentence = strdup(text_of(verdict, "sentence"));
    own->output = output_of(result, text_of(verdict, "score"));
    own->value = fv_node_real(fv_node_member(verdict, "value"));
    own->level = (int)fv_node_real(fv_node_member(verdict, "level"));
    snprintf(own->word, sizeof own->word, "%s", text_of(verdict, "word"));
    result->identical = own->kind == FV_VERDICT_IDENTICAL;
    tell_bound(own, result, fv_member_text(verdict, "bound"));
    snprintf(result->word, sizeof result->word, "%s",
             result->partial     ? "partial"
             : result->identical ? "identical"
                                 : own->word);
    result->output_name = calloc((size_t)result->count + 1, sizeof *result->output_name);
    if (!made || !own->sentence || !result->output_name)
        return false;
    for (int i = 0; i < result->count; i++)
        snprintf(result->output_name[i], sizeof *result->output_name, "%s", result->scores[i].name);
    for (size_t s = 0; s < count; s++) {
        const FvNode *node = fv_node_item(segments, s);
        const int output = output_of(result, text_of(node, "score"));
        if (output < 0)
            continue;
        made[own->segment_count++] = (FvSegment){.output = output,
                                                 .first = fv_node_integer(fv_node_member(node, "first")),
                                                 .last = fv_node_integer(fv_node_member(node, "last")),
                                                 .start = fv_node_real(fv_node_member(node, "start")),
                                                 .end = fv_node_real(fv_node_member(node, "end")),
                                                 .low_seconds = fv_node_real(fv_node_member(node, "low_seconds")),
                                                 .mean = fv_node_real(fv_node_member(node, "mean")),
                                                 .word = text_of(node, "word"),
                                                 .worst = fv_node_real(fv_node_member(node, "worst")),
                                                 .worst_frame = fv_node_integer(fv_node_member(node, "worst_frame")),
                                                 .cause = fv_member_text(node, "cause")};
    }
    result->timed = true;
    return true;
}

static bool read_encode(Ladder *ladder, EncodeResult *result, const FvNode *encode)
{
    const FvNode *scores = fv_node_member(encode, "scores"), *verdict = fv_node_member(encode, "verdict");
    result->path = text_of(encode, "path");
    result->reference = fv_member_text(encode, "reference");
    result->group = fv_member_text(encode, "group");
    result->status = (int)fv_node_integer(fv_node_member(encode, "status"));
    result->bit_rate = fv_node_real(fv_node_member(encode, "bit_rate"));
    snprintf(result->error, sizeof result->error, "%s", text_of(encode, "error"));
    if (!(result->passed = calloc((size_t)ladder->gates.count + 1, sizeof *result->passed)))
        return false;
    if (!scores)
        return true;
    result->scored = true;
    result->partial = fv_node_is(fv_node_member(encode, "partial"), FV_NODE_TRUE);
    snprintf(result->codec, sizeof result->codec, "%s", text_of(encode, "codec"));
    result->width = (int)fv_node_integer(fv_node_member(encode, "width"));
    result->height = (int)fv_node_integer(fv_node_member(encode, "height"));
    result->frames = fv_node_integer(fv_node_member(encode, "frames"));
    if (!read_scores(result, scores, *text_of(verdict, "score")) || !read_verdict(result, verdict))
        return false;
    for (int g = 0; g < ladder->gates.count; g++) {
        const Gate *gate = &ladder->gates.gates[g];
        const EncodeScore *score = ladder_find(result, gate->output);
        const double value = score ? score->pool[gate->pool] : NAN;
        result->passed[g] = gate->above ? value <= gate->limit : value >= gate->limit;
        result->failed += !result->passed[g];
    }
    return true;
}

static bool read_gates(Gates *gates, const FvNode *list)
{
    if (!(gates->gates = calloc(fv_node_items(list) + 1, sizeof *gates->gates)))
        return false;
    for (size_t i = 0; i < fv_node_items(list); i++) {
        const FvNode *node = fv_node_item(list, i);
        Gate *gate = &gates->gates[gates->count++];
        *gate = (Gate){.text = "", .limit = fv_node_real(fv_node_member(node, "limit")), .pool = FV_POOL_MEAN};
        snprintf(gate->output, sizeof gate->output, "%s", text_of(node, "score"));
        gate->above = !strcmp(text_of(node, "fails"), "above");
        for (int pool = 0; pool < FV_POOL_COUNT; pool++)
            if (!strcmp(fv_pool_name((FvPool)pool), text_of(node, "pool")))
                gate->pool = (FvPool)pool;
    }
    return true;
}

/* Fills an empty ladder from the root of a report. On failure, prints a message and returns its status. */
static FvStatus read_ladder(Ladder *ladder, const char *path, const FvNode *root)
{
    const FvNode *encodes = fv_node_member(root, "encodes");
    const size_t count = fv_node_items(encodes);
    *ladder = (Ladder){.numerics = (int)fv_node_integer(fv_node_member(root, "numerics_version")),
                       .reference = fv_member_text(root, "reference"),
                       .start = NAN};
    snprintf(ladder->facts, sizeof ladder->facts, "%s", text_of(root, "videos"));
    if (!count || count > 65536)
        return report_error(FV_ERROR_INPUT, "%s has no encodes: 'fovea score REF A B -o %s' writes such a report",
                            path, path);
    ladder->results = calloc(count, sizeof *ladder->results);
    bool good = ladder->results && read_gates(&ladder->gates, fv_node_member(root, "gates"));
    for (; ladder->count < (int)count && good; ladder->count++)
        good = read_encode(ladder, &ladder->results[ladder->count], fv_node_item(encodes, (size_t)ladder->count));
    if (!good)
        return report_error(FV_ERROR_MEMORY, "out of memory for the encodes of %s", path);
    return ladder_rank(ladder);
}

FvStatus stored_ladder_open(StoredLadder *stored, const char *path, bool *is)
{
    char *text = NULL;
    size_t size;
    FvError error = {0};
    *is = false;
    FvStatus status = file_text(path, MOST_BYTES, &text, &size);
    if (!status && !fv_document_open(&stored->document, path, text, size, &error) &&
        fv_node_member(&stored->document.root, "encodes")) {
        *is = true;
        status = read_ladder(&stored->ladder, path, &stored->document.root);
    }
    free(text);
    return status;
}

void stored_ladder_close(StoredLadder *stored)
{
    ladder_free(&stored->ladder);
    fv_document_close(&stored->document);
}
