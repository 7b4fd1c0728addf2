/* Evaluates gates on scores and on low seconds, the duration of low frames, and makes the verdict with the checks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "session/judge.h"

/* Returns the low seconds of the frames scored so far; NaN before the first frame. */
static double low_seconds(const FvSession *session)
{
    FvClipVerdict verdict = {0};
    const FvStatus status =
        session->scores.frames ? fv_judge_frames(&verdict, session, NULL, 0, NULL, NULL) : FV_ERROR_USAGE;
    const double seconds = status ? NAN : verdict.low_seconds;
    fv_verdict_free(&verdict);
    return seconds;
}

FvGateOutcome fv_session_gate(const FvSession *session, const FvGate *gate, double *value)
{
    FV_FLOAT_MODE;
    double score = NAN;
    const FvOutputInfo *output = gate ? fv_session_output(session, gate->output) : NULL;
    if (output && gate->output == FV_LOW_SECONDS)
        score = low_seconds(session);
    else if (output)
        score = output->sequence ? fv_session_value(session, 0, gate->output)
                                 : fv_session_pool(session, gate->output, gate->pool);
    if (value)
        *value = score;
    if (isnan(score))
        return FV_GATE_UNDEFINED;
    return (gate->above ? score <= gate->limit : score >= gate->limit) ? FV_GATE_PASSED : FV_GATE_FAILED;
}

/* Returns whether the verdict can name bad segments of a score: one of them has words for these videos. */
static bool may_be_low(const FvSession *session)
{
    for (int c = 0; c < session->scores.column_count; c++)
        if (fv_session_has_grades(session, c) && !strcmp(fv_session_meaning(session, c)->score, "cambi"))
            return true; /* bad segments of banding are named even without a main score */
    return fv_session_headline(session) >= 0;
}

FvStatus fv_session_add_gate(FvSession *session, const FvGate *gate, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, session);
    FV_REQUIRE(error, gate);
    if (!fv_session_output(session, gate->output) || (unsigned)gate->pool >= FV_POOL_COUNT || !isfinite(gate->limit))
        return fv_fail(error, FV_ERROR_USAGE,
                       "fv_session_add_gate: output %d, pooling %d or the limit %g is out of range", gate->output,
                       (int)gate->pool, gate->limit);
    if (gate->output == FV_LOW_SECONDS && !may_be_low(session))
        return fv_fail(error, FV_FAIL_SCORE,
                       "a gate on low_seconds needs a score that has words for these videos, and the run has none; "
                       "add the metric '%s'",
                       session->has_reference ? "ssimulacra2" : "cambi");
    FvGate *grown = realloc(session->facts.gates, (size_t)(session->facts.gate_count + 1) * sizeof *grown);
    if (!grown)
        return fv_fail_memory(error, sizeof *grown);
    session->facts.gates = grown;
    session->facts.gates[session->facts.gate_count++] = *gate;
    return FV_OK;
}

/* Gathers the gates of the report with their outcomes. */
static void gather_gates(const FvSession *session, FvVerdictGate *gates)
{
    for (int i = 0; i < session->facts.gate_count; i++) {
        const FvGate *gate = &session->facts.gates[i];
        const bool sequence = fv_session_output(session, gate->output)->sequence;
        gates[i] = (FvVerdictGate){.meaning = fv_session_meaning(session, gate->output),
                                   .pool = sequence ? NULL : fv_pool_name(gate->pool),
                                   .above = gate->above,
                                   .limit = gate->limit};
        gates[i].outcome = fv_session_gate(session, gate, &gates[i].value);
    }
}

/*
 * Gathers the events that only the distorted video has, in parts of the clip, by falling severity. `faults` has room
 * for all events. Returns their number.
 */
static int gather_faults(FvSession *session, FvVerdictFault *faults)
{
    const int64_t frames = session->scores.frames;
    int count = 0;
    for (int severity = FV_SEVERITY_FAIL; severity >= FV_SEVERITY_INFO; severity--)
        for (int i = 0; i < fv_session_check_events(session); i++) {
            const FvCheckEvent *event = fv_session_check_event(session, i);
            const bool whole =
                event->first <= session->scores.number[0] && event->last >= session->scores.number[frames - 1];
            if ((int)event->severity == severity && event->added && !whole)
                faults[count++] = (FvVerdictFault){fv_check_info(event->check)->name, event->first, event->last};
        }
    return count;
}

/* Gathers the checks with the worst result. `titles` has room for FV_CHECK_KINDS. */
static FvVerdictChecks gather_checks(FvSession *session, const char **titles)
{
    FvVerdictChecks checks = {.worst = fv_session_check_verdict(session), .titles = titles};
    for (int i = 0; i < FV_CHECK_KINDS; i++) {
        FvCheckResult result;
        if (!fv_session_check(session, i, &result))
            continue;
        checks.asked |= !result.reason || strcmp(result.reason, "not asked for") != 0;
        if (checks.worst && !strcmp(result.verdict, checks.worst))
            titles[checks.count++] = fv_check_info(i)->title;
    }
    return checks;
}

const FvClipVerdict *fv_session_judged(const FvSession *session)
{
    return &session->verdict;
}

FvStatus fv_session_judge(FvSession *session, const FvClipVerdict **verdict, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, session);
    FV_REQUIRE(error, verdict);
    if (session->state == FV_SESSION_OPEN)
        return fv_fail(error, FV_ERROR_USAGE, "fv_session_judge: the session has not been started; start it first");
    const char *titles[FV_CHECK_KINDS];
    FvStatus status = fv_session_make_checks(session, error);
    if (status)
        return status;
    FvVerdictChecks checks = gather_checks(session, titles);
    const size_t sizes[] = {(size_t)(session->facts.gate_count + 1) * sizeof(FvVerdictGate),
                            (size_t)(fv_session_check_events(session) + 1) * sizeof(FvVerdictFault)};
    FvVerdictGate *gates = malloc(sizes[0]);
    FvVerdictFault *faults = malloc(sizes[1]);
    fv_verdict_free(&session->verdict);
    *verdict = &session->verdict;
    if (!gates || !faults)
        status = fv_fail_memory(error, sizes[0] + sizes[1]);
    else {
        gather_gates(session, gates);
        checks.faults = faults;
        checks.fault_count = gather_faults(session, faults);
        status = fv_judge_frames(&session->verdict, session, gates, session->facts.gate_count, &checks, error);
    }
    free(gates);
    free(faults);
    return status;
}
