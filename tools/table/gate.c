#include "table/gate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "table/delimited.h"
#include "table/lines.h"
#include "table/pooled_score.h"
#include "words.h"

static const char *option_name(bool above)
{
    return above ? "--fail-above" : "--fail-below";
}

FvStatus gate_parse(Gate *gate, const char *option, const char *text)
{
    *gate = (Gate){.text = text, .pool = FV_POOL_MEAN};
    size_t length = strcspn(text, "=");
    if (!length || length >= sizeof gate->output || !text[length])
        return report_error(FV_FAIL_VALUE, "%s takes SCORE=VALUE or SCORE=VALUE:POOL, not '%s'", option, text);
    memcpy(gate->output, text, length);
    const char *number = text + length + 1, *colon = strchr(number, ':');
    char limit[64];
    snprintf(limit, sizeof limit, "%.*s", colon ? (int)(colon - number) : (int)strlen(number), number);
    if (!delimited_number(limit, &gate->limit))
        return report_error(FV_FAIL_VALUE, "%s %s: '%s' is not a decimal number, such as 93.5", option, text, limit);
    return colon ? pick_pool(&gate->pool, colon + 1, option, text) : FV_OK;
}

static FvStatus check_gate(const Gate *gate, const FvSession *session, int *i)
{
    FvStatus status = pick_output(i, session, gate->output, gate->pool, option_name(gate->above), gate->text);
    const FvOutputInfo *output = status == FV_OK ? fv_session_output(session, *i) : NULL;
    if (output && output->better != FV_NEITHER_IS_BETTER && (output->better == FV_LOWER_IS_BETTER) != gate->above)
        return report_error(FV_ERROR_USAGE, "%s %s: %s is better when it is %s; write %s %s",
                            option_name(gate->above), gate->text, output->name, fv_better_name(output->better),
                            option_name(!gate->above), gate->text);
    return status;
}

static FvGate gate_of(const Gate *gate, const FvSession *session)
{
    return (FvGate){fv_session_find_output(session, gate->output), gate->pool, gate->above, gate->limit};
}

static bool passes(const Gate *gate, const FvSession *session, bool told)
{
    const FvGate asked = gate_of(gate, session);
    const bool sequence = fv_session_output(session, asked.output)->sequence;
    double value;
    const FvGateOutcome outcome = fv_session_gate(session, &asked, &value);
    if (outcome == FV_GATE_UNDEFINED && !told)
        report_error(FV_FAIL_UNDEFINED,
                     "quality gate undefined: %s %s is not a number, so it cannot be compared with %g",
                     sequence ? "clip's" : fv_pool_name(gate->pool), gate->output, gate->limit);
    if (outcome == FV_GATE_FAILED && !told)
        report_error(EXIT_FAILURE, "quality gate failed: %s %s is %.6f, %s %g",
                     sequence ? "clip's" : fv_pool_name(gate->pool), gate->output, value,
                     gate->above ? "above" : "below", gate->limit);
    return outcome == FV_GATE_PASSED;
}

bool gate_describe(const Gate *gate, const FvSession *session, char *text, size_t size)
{
    const FvGate asked = gate_of(gate, session);
    const FvOutputInfo *info = fv_session_output(session, asked.output);
    const FvMeaning *meaning = fv_session_meaning(session, asked.output);
    char shown[FV_WORD_SIZE], limit[FV_WORD_SIZE];
    double value;
    const FvGateOutcome outcome = fv_session_gate(session, &asked, &value);
    const char *word = gate->above ? "above" : "below";
    if (outcome == FV_GATE_UNDEFINED) {
        snprintf(text, size, "%s is not a number, so it cannot be compared with %g", info->name, gate->limit);
        return false;
    }
    const char *unit = meaning->unit && !meaning->share ? meaning->unit : "";
    if (fabs(value - gate->limit) < 0.01 || meaning->share)
        snprintf(shown, sizeof shown, "%.6f%s%s", value + 0.0, *unit ? " " : "", unit);
    else
        fv_word_score(shown, meaning, value, false);
    snprintf(limit, sizeof limit, "%g%s%s", gate->limit, *unit ? " " : "", unit);
    snprintf(text, size, "%s, %s: %s is %s%s %s", fv_word_title(session, asked.output),
             info->sequence ? "of the clip" : fv_word_pool(gate->pool, info->better), shown,
             outcome == FV_GATE_PASSED ? "not " : "", word, limit);
    return outcome == FV_GATE_PASSED;
}

FvStatus gates_parse(Gates *gates, const Options *options)
{
    const ArgList *below = &options->fail_below, *above = &options->fail_above;
    int count = below->count + above->count;
    *gates = (Gates){.gates = calloc((size_t)count + 1, sizeof *gates->gates)};
    if (!gates->gates)
        return report_error(FV_ERROR_MEMORY, "out of memory while reading the options");
    FvStatus status = FV_OK;
    for (; gates->count < count && status == FV_OK; gates->count++) {
        const int i = gates->count - below->count;
        Gate *gate = &gates->gates[gates->count];
        status = gate_parse(gate, option_name(i >= 0), i < 0 ? below->items[gates->count] : above->items[i]);
        gate->above = i >= 0;
    }
    return status;
}

FvStatus gates_check(const Gates *gates, FvSession *session)
{
    FvStatus status = FV_OK;
    for (int i = 0; i < gates->count && status == FV_OK; i++) {
        int output;
        status = check_gate(&gates->gates[i], session, &output);
        const FvGate asked = status == FV_OK ? gate_of(&gates->gates[i], session) : (FvGate){0};
        FvError error = {0};
        if (status == FV_OK)
            status = report_error_if(fv_session_add_gate(session, &asked, &error), &error);
    }
    return status;
}

bool gates_pass(const Gates *gates, const FvSession *session, bool table)
{
    const bool told = table && message_shares_terminal();
    bool pass = true;
    for (int i = 0; i < gates->count; i++)
        pass &= passes(&gates->gates[i], session, told);
    return pass;
}

void gates_free(Gates *gates)
{
    free(gates->gates);
    *gates = (Gates){0};
}
