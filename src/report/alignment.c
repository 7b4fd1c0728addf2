/* Writes how frames were paired: the member "alignment" of fovea's own report. */
#include "report/report.h"

#include <math.h>

#define EVENTS 100 /* maximum number of events in a report */

static void write_pair(FvJson *json, const char *key, int64_t reference, int64_t distorted)
{
    fv_json_open_line(json, key, '{');
    fv_json_int(json, "reference", reference);
    fv_json_int(json, "distorted", distorted);
    fv_json_close(json);
}

static void write_ratio(FvJson *json, const char *key, const int good_and_tried[2])
{
    fv_json_open_line(json, key, '{');
    fv_json_int(json, "right", good_and_tried[0]);
    fv_json_int(json, "tried", good_and_tried[1]);
    fv_json_close(json);
}

static void write_events(FvJson *json, const FvAlignment *found)
{
    fv_json_int(json, "event_count", found->event_count);
    fv_json_open(json, "events", '[');
    for (int i = 0; i < found->event_count && i < EVENTS; i++) {
        const int change = found->events[i].change;
        fv_json_open_line(json, NULL, '{');
        fv_json_int(json, "frame", found->events[i].at);
        fv_json_text(json, "what", change > 0 ? "drop" : "repeat");
        fv_json_int(json, "count", change > 0 ? change : -change);
        fv_json_close(json);
    }
    fv_json_close(json);
}

static void write_found(FvJson *json, const FvSession *session)
{
    const FvPairing *pairing = &fv_session_facts(session)->pairing;
    const FvAlignment *found = &pairing->found;
    const FvFormat *rate = &fv_session_facts(session)->reference.info.format;
    char base[40] = "index";
    if (found->base)
        snprintf(base, sizeof base, "time, phase %d/8", found->base - 1);
    fv_json_int(json, "offset", found->offset);
    fv_json_number(json, "offset_seconds",
                   rate->rate_den ? (double)found->offset * rate->rate_den / rate->rate_num : NAN);
    fv_json_text(json, "base", base);
    fv_json_text(json, "by", found->constant ? "constant" : "path");
    fv_json_int(json, "noise", found->noise);
    fv_json_int(json, "price", found->price);
    fv_json_int(json, "residual", found->residual);
    fv_json_int(json, "far", found->far);
    fv_json_int(json, "least_gap", found->least_gap);
    fv_json_int(json, "inside", found->matched);
    fv_json_int(json, "certain", found->certain);
    fv_json_int(json, "mixed", found->mixed);
    write_ratio(json, "check", found->verified);
    write_ratio(json, "parts", found->parts);
    if (pairing->first[FV_DISTORTED] >= 0) {
        write_pair(json, "first", pairing->first[FV_REFERENCE], pairing->first[FV_DISTORTED]);
        write_pair(json, "last", pairing->last[FV_REFERENCE], pairing->last[FV_DISTORTED]);
        write_pair(json, "unpaired_start", pairing->first[FV_REFERENCE], pairing->first[FV_DISTORTED]);
        write_pair(json, "unpaired_end", found->reference_frames - 1 - pairing->last[FV_REFERENCE],
                   found->pair_count - 1 - pairing->last[FV_DISTORTED]);
    }
    write_events(json, found);
}

static void write_times(FvJson *json, const FvPairing *pairing)
{
    fv_json_int(json, "pairs", pairing->pairs);
    fv_json_int(json, "unpaired", pairing->unpaired);
    fv_json_int(json, "repeated", pairing->repeats);
    fv_json_int(json, "dropped", pairing->drops);
}

void fv_report_alignment(FvJson *json, const FvSession *session)
{
    static const char *const modes[] = {"index", "time", "auto", "map"};
    const FvAlignMode mode = fv_session_facts(session)->score.align;
    if (mode == FV_ALIGN_BY_INDEX) {
        fv_json_null(json, "alignment");
        return;
    }
    fv_json_open(json, "alignment", '{');
    fv_json_text(json, "mode", modes[mode]);
    if (mode == FV_ALIGN_BY_TIME)
        write_times(json, &fv_session_facts(session)->pairing);
    else
        write_found(json, session);
    fv_json_close(json);
}
