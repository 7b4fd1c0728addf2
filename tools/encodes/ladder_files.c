#include "encodes/ladder_files.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "csv.h"
#include "report/print.h"
#include "table/lines.h"
#include "verdict_json.h"

FvStatus ladder_print_picks(FILE *file, const Ladder *ladder)
{
    for (int r = 0; r < ladder->count; r++) {
        const EncodeResult *result = &ladder->results[r];
        if (!result->scored || result->partial)
            continue;
        for (int i = 0; i < ladder->picks->count; i++) {
            char name[96];
            FvPool pool;
            const EncodeScore *score =
                print_parse(ladder->picks->items[i], name, sizeof name, &pool) ? NULL : ladder_find(result, name);
            const double value = score ? score->pool[pool] : NAN;
            if (isnan(value))
                fputs("nan\t", file);
            else
                fprintf(file, "%.17g\t", value);
        }
        char path[4352]; /* the path without line ends, which it may contain */
        fprintf(file, "%s\n", line_cut(path, sizeof path, result->path, 4096));
    }
    return FV_OK;
}

void ladder_write_pools(FvJson *json, const char *key, const EncodeScore *score)
{
    fv_json_open_line(json, key, '{');
    for (int pool = 0; pool < FV_POOL_COUNT && (!score->sequence || pool == FV_POOL_MEAN); pool++)
        fv_json_real(json, fv_pool_name((FvPool)pool), score->pool[pool]);
    fv_json_close(json);
}

static void write_scores(FvJson *json, const EncodeResult *result)
{
    fv_json_open(json, "scores", '{');
    for (int i = 0; i < result->count; i++)
        ladder_write_pools(json, result->scores[i].name, &result->scores[i]);
    fv_json_close(json);
}

static const char *name_output(const void *result, int output)
{
    return ((const EncodeResult *)result)->output_name[output];
}

/* Writes an encode's place in the decision. */
static void write_place(FvJson *json, const Ladder *ladder, int r)
{
    const FvLadderPlace *place = fv_ladder_place(ladder->view.decision, r);
    if (!place)
        return;
    fv_json_text(json, "group", place->group < 0 ? NULL : fv_ladder_group(ladder->view.decision, place->group)->name);
    fv_json_int(json, "rank", place->rank);
    fv_json_bool(json, "on_hull", place->on_hull);
    fv_json_text(json, "dominated_by", place->dominated_by < 0 ? NULL : ladder->results[place->dominated_by].path);
    if (ladder->gates.count)
        fv_json_bool(json, "passes", ladder->results[r].scored && !ladder->results[r].failed);
}

/* Writes the pick, and the BD-rate of every pair of groups. */
static void write_decision(FvJson *json, const Ladder *ladder)
{
    const FvLadder *decision = ladder->view.decision;
    const FvLadderPick *pick = fv_ladder_pick(decision);
    if (!pick)
        return;
    fv_json_open(json, "pick", '{');
    fv_json_text(json, "kind", fv_pick_kind_name(pick->kind));
    fv_json_text(json, "path", pick->encode < 0 ? NULL : ladder->results[pick->encode].path);
    fv_json_text(json, "sentence", pick->sentence);
    fv_json_text(json, "reason", pick->reason);
    fv_json_close(json);
    fv_json_open(json, "bd", '[');
    for (int i = 0; i < ladder->bd_count; i++) {
        const LadderBd *bd = &ladder->bd[i];
        fv_json_open_line(json, NULL, '{');
        fv_json_text(json, "anchor", fv_ladder_group(decision, bd->anchor)->name);
        fv_json_text(json, "group", fv_ladder_group(decision, bd->group)->name);
        fv_json_text(json, "score", ladder->view.score->name);
        fv_json_number(json, "rate", bd->result.bd_rate);
        fv_json_number(json, "quality", bd->result.bd_quality);
        fv_json_number(json, "overlap", bd->result.overlap);
        fv_json_text(json, "refused", bd->result.refusal ? bd->result.reason : NULL);
        fv_json_close(json);
    }
    fv_json_close(json);
}

FvStatus ladder_write_json(FILE *file, const Ladder *ladder)
{
    FvJson json = {.file = file};
    fv_json_open(&json, NULL, '{');
    if (ladder->numerics)
        fv_json_int(&json, "numerics_version", ladder->numerics);
    fv_json_text(&json, "reference", ladder->reference);
    fv_json_text(&json, "videos", ladder->facts);
    fv_json_open(&json, "gates", '[');
    for (int g = 0; g < ladder->gates.count; g++) {
        const Gate *gate = &ladder->gates.gates[g];
        fv_json_open_line(&json, NULL, '{');
        fv_json_text(&json, "score", gate->output);
        fv_json_text(&json, "pool", fv_pool_name(gate->pool));
        fv_json_text(&json, "fails", gate->above ? "above" : "below");
        fv_json_real(&json, "limit", gate->limit);
        fv_json_close(&json);
    }
    fv_json_close(&json);
    fv_json_open(&json, "encodes", '[');
    for (int r = 0; r < ladder->count; r++) {
        const EncodeResult *result = &ladder->results[r];
        fv_json_open(&json, NULL, '{');
        fv_json_text(&json, "path", result->path);
        if (result->reference)
            fv_json_text(&json, "reference", result->reference);
        fv_json_int(&json, "status", result->status);
        write_place(&json, ladder, r);
        if (*result->error)
            fv_json_text(&json, "error", result->error);
        if (result->scored) {
            fv_json_text(&json, "codec", result->codec);
            fv_json_int(&json, "width", result->width);
            fv_json_int(&json, "height", result->height);
            fv_json_int(&json, "frames", result->frames);
            fv_json_number(&json, "bit_rate", result->bit_rate);
            fv_json_bool(&json, "partial", result->partial);
            write_scores(&json, result);
            fv_verdict_json(&json, name_output, result, &result->verdict);
        }
        fv_json_close(&json);
    }
    fv_json_close(&json);
    write_decision(&json, ladder);
    fv_json_close(&json);
    putc('\n', file);
    return FV_OK;
}

/*
 * Iterates over the scores that some encode has, in the order of the encodes: returns each score once, from the first
 * encode that has it. NULL: no further score.
 */
static const EncodeScore *next_score(const Ladder *ladder, int *r, int *i)
{
    for (; *r < ladder->count; ++*r, *i = 0)
        while (*i < ladder->results[*r].count) {
            const EncodeScore *score = &ladder->results[*r].scores[(*i)++];
            bool known = false;
            for (int before = 0; before < *r && !known; before++)
                known = ladder_find(&ladder->results[before], score->name);
            if (!known)
                return score;
        }
    return NULL;
}

FvStatus ladder_write_csv(FILE *file, const Ladder *ladder)
{
    const EncodeScore *score;
    fputs("encode,status,codec,resolution,frames,bit_rate", file);
    for (int r = 0, i = 0; (score = next_score(ladder, &r, &i));) {
        putc(',', file);
        fv_csv_text(file, score->name);
    }
    putc('\n', file);
    for (int row = 0; row < ladder->count; row++) {
        const EncodeResult *result = &ladder->results[row];
        char size[32] = "";
        fv_csv_text(file, result->path);
        ladder_size(size, sizeof size, result);
        fprintf(file, ",%d,", result->status);
        fv_csv_text(file, result->codec);
        fprintf(file, ",%s,%" PRId64 ",", size, result->frames);
        if (result->scored && !isnan(result->bit_rate))
            fprintf(file, "%.17g", result->bit_rate);
        for (int r = 0, i = 0; (score = next_score(ladder, &r, &i));) {
            const EncodeScore *own = ladder_find(result, score->name);
            putc(',', file);
            if (own)
                fprintf(file, isnan(own->pool[FV_POOL_MEAN]) ? "nan" : "%.17g", own->pool[FV_POOL_MEAN]);
        }
        putc('\n', file);
    }
    return FV_OK;
}
