#include "verdict_json.h"

static void write_segment(FvJson *json, const char *score, const FvSegment *segment)
{
    fv_json_open_line(json, NULL, '{');
    fv_json_text(json, "score", score);
    fv_json_int(json, "first", segment->first);
    fv_json_int(json, "last", segment->last);
    fv_json_real(json, "start", segment->start);
    fv_json_real(json, "end", segment->end);
    fv_json_real(json, "low_seconds", segment->low_seconds);
    fv_json_real(json, "mean", segment->mean);
    fv_json_int(json, "level", segment->level);
    fv_json_text(json, "word", segment->word);
    fv_json_real(json, "worst", segment->worst);
    fv_json_int(json, "worst_frame", segment->worst_frame);
    fv_json_real(json, "cost", segment->cost);
    fv_json_number(json, "bit_rate", segment->bit_rate);
    fv_json_text(json, "cause", segment->cause);
    fv_json_open(json, "shots", '[');
    for (int s = 0; s < segment->shot_count; s++) {
        fv_json_open(json, NULL, '{');
        fv_json_int(json, "first", segment->shots[s].first);
        fv_json_int(json, "last", segment->shots[s].last);
        fv_json_int(json, "worst_frame", segment->shots[s].worst_frame);
        fv_json_close(json);
    }
    fv_json_close(json);
    fv_json_close(json);
}

void fv_verdict_json(FvJson *json, FvOutputNamer *name, const void *of, const FvClipVerdict *verdict)
{
    static const char *const bounds[] = {NULL, "at most", "at least"};
    fv_json_open(json, "verdict", '{');
    fv_json_text(json, "kind", fv_verdict_kind_name(verdict->kind));
    fv_json_text(json, "sentence", verdict->sentence);
    fv_json_text(json, "score", verdict->output >= 0 ? name(of, verdict->output) : NULL);
    fv_json_number(json, "value", verdict->value);
    fv_json_int(json, "level", verdict->level);
    fv_json_text(json, "word", verdict->word);
    fv_json_text(json, "bound", bounds[verdict->bound]);
    fv_json_open_line(json, "gates", '{');
    fv_json_int(json, "passed", verdict->gates_passed);
    fv_json_int(json, "failed", verdict->gates_failed);
    fv_json_close(json);
    fv_json_text(json, "reason", verdict->reason);
    fv_json_real(json, "low_seconds", verdict->low_seconds);
    fv_json_open(json, "segments", '[');
    for (int s = 0; s < verdict->segment_count; s++)
        write_segment(json, name(of, verdict->segments[s].output), &verdict->segments[s]);
    fv_json_close(json);
    fv_json_close(json);
}
