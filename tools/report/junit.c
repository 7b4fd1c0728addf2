#include "report/junit.h"

#include "markup.h"

/* Outcome of one gate for a video. */
typedef struct Case {
    const char *option, *value; /* the gate as an option */
    bool passes;
    char sentence[512];
} Case;

static int count_cases(const Gates *gates)
{
    return gates->count + (gates->events ? gates->events->count : 0);
}

/* Returns the outcome of a gate: of a score, or behind those, of events. */
static Case take_case(FvSession *session, const Gates *gates, int i)
{
    Case one;
    if (i < gates->count) {
        const Gate *gate = &gates->gates[i];
        one.option = gate->above ? "--fail-above" : "--fail-below";
        one.value = gate->text;
        one.passes = gate_describe(gate, session, one.sentence, sizeof one.sentence);
    } else {
        const EventGate *gate = &gates->events->gates[i - gates->count];
        one.option = "--fail-on";
        one.value = gate->name;
        one.passes = event_gate_judge(gate, session, one.sentence, sizeof one.sentence) == FV_GATE_PASSED;
    }
    return one;
}

static void print_suite(FILE *file, FvSession *session, const Gates *gates)
{
    FvMarkup markup = {file};
    const bool partial = fv_session_partial(session);
    const int count = count_cases(gates);
    int failures = 0;
    for (int i = 0; i < count && !partial; i++)
        failures += !take_case(session, gates, i).passes;
    fv_markup(&markup, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    fv_markup(&markup,
              "<testsuites><testsuite name=\"fovea\" tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"0\">\n",
              count, failures, partial ? count : 0);
    for (int i = 0; i < count; i++) {
        const Case one = take_case(session, gates, i);
        fv_markup(&markup, "<testcase classname=\"fovea\" name=\"%s %s\">", one.option, one.value);
        if (partial)
            fv_markup(&markup, "<error message=\"the run ended early\"/>");
        else if (!one.passes)
            fv_markup(&markup, "<failure message=\"%s\"/>", one.sentence);
        else
            fv_markup(&markup, "<system-out>%s</system-out>", one.sentence);
        fv_markup(&markup, "</testcase>\n");
    }
    fv_markup(&markup, "</testsuite></testsuites>\n");
}

FvStatus junit_write(const char *path, FvSession *session, const Gates *gates, FvError *error)
{
    FvOutput *output = NULL;
    FvStatus status = fv_output_open(&output, &(FvOutputParams){.path = path, .session = session}, error);
    if (status)
        return status;
    print_suite(fv_output_file(output), session, gates);
    return fv_output_close(&output, error);
}
