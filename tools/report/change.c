#include "report/change.h"

#include <math.h>
#include <stdio.h>

#include "cli/commands.h"
#include "cli/message.h"

const char change_option[] = "--fail-if-worse";

double change_loss(FvBetter better, double before, double now)
{
    return before == now                   ? 0
           : better == FV_LOWER_IS_BETTER  ? now - before
           : better == FV_HIGHER_IS_BETTER ? before - now
                                           : fabs(now - before);
}

char *change_text(char text[FV_WORD_SIZE], const FvMeaning *meaning, double value)
{
    char plain[FV_WORD_SIZE];
    if (value == 0)
        snprintf(text, FV_WORD_SIZE, "0");
    else
        snprintf(text, FV_WORD_SIZE, "%s%s", value > 0 ? "+" : "", fv_word_value(plain, meaning, value, false));
    return text;
}

const char *change_word(int better, int worse)
{
    return better && worse ? "Mixed" : better ? "Better" : worse ? "Worse" : "Equal";
}

FvStatus change_gate(Gate *gate, const char *text)
{
    FvStatus status = gate_parse(gate, change_option, text);
    if (!status && gate->limit < 0)
        status = report_error(FV_ERROR_USAGE, "%s %s: the value must be 0 or more", change_option, text);
    return status;
}

FvStatus change_judges(const char *text, FvBetter better)
{
    return better != FV_NEITHER_IS_BETTER
               ? FV_OK
               : report_error(FV_ERROR_USAGE,
                              "%s %s: neither higher nor lower is better for this score; choose another",
                              change_option, text);
}

bool change_passes(const Gate *gate, FvBetter better, double before, double now, const char *of)
{
    if (change_loss(better, before, now) <= gate->limit)
        return true;
    report_error(EXIT_GATE, "quality gate %s: %s%s%s %s was %.6f and is %.6f, more than %g worse",
                 isnan(before) || isnan(now) ? "undefined" : "failed", of ? of : "", of ? ": " : "",
                 fv_pool_name(gate->pool), gate->output, before, now, gate->limit);
    return false;
}
