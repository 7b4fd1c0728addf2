#include "report/junit.h"

#include "markup.h"

static void print_case(FvMarkup *markup, const FvSession *session, const Gate *gate, const char *sentence,
                       bool passes)
{
    fv_markup(markup, "<testcase classname=\"fovea\" name=\"%s %s\">", gate->above ? "--fail-above" : "--fail-below",
              gate->text);
    if (fv_session_partial(session))
        fv_markup(markup, "<error message=\"the run ended early\"/>");
    else if (!passes)
        fv_markup(markup, "<failure message=\"%s\"/>", sentence);
    else
        fv_markup(markup, "<system-out>%s</system-out>", sentence);
    fv_markup(markup, "</testcase>\n");
}

static void print_suite(FILE *file, const FvSession *session, const Gates *gates)
{
    FvMarkup markup = {file};
    const bool partial = fv_session_partial(session);
    char sentence[512];
    int failures = 0;
    for (int i = 0; i < gates->count && !partial; i++)
        failures += !gate_describe(&gates->gates[i], session, sentence, sizeof sentence);
    fv_markup(&markup, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    fv_markup(&markup,
              "<testsuites><testsuite name=\"fovea\" tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"0\">\n",
              gates->count, failures, partial ? gates->count : 0);
    for (int i = 0; i < gates->count; i++) {
        const bool passes = gate_describe(&gates->gates[i], session, sentence, sizeof sentence);
        print_case(&markup, session, &gates->gates[i], sentence, passes);
    }
    fv_markup(&markup, "</testsuite></testsuites>\n");
}

FvStatus junit_write(const char *path, const FvSession *session, const Gates *gates, FvError *error)
{
    FvOutput *output = NULL;
    FvStatus status = fv_output_open(&output, &(FvOutputParams){.path = path, .session = session}, error);
    if (status)
        return status;
    print_suite(fv_output_file(output), session, gates);
    return fv_output_close(&output, error);
}
