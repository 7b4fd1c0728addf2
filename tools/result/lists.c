#include "result/lists.h"

#include <math.h>

#include "json.h"

#define MOST 64 /* scores of a frame */

/* The norms that FFVship prints, in its order; NULL behind them. */
static const char *const norms[] = {"butteraugli_p5", "butteraugli_p3", "butteraugli", NULL};

static bool is_norm(const FvMeaning *meaning)
{
    for (int i = 0; norms[i]; i++)
        if (meaning == fv_meaning(norms[i]))
            return true;
    return false;
}

/* The scores that tables show first; of Butteraugli all norms for FFVship. */
static int choose(const FvSession *session, ListFormat format, int outputs[MOST])
{
    int count = 0;
    for (int o = 0; o < fv_session_outputs(session) && count < MOST; o++)
        if (!fv_session_output(session, o)->sequence && fv_session_shown(session, o) == FV_SHOWN_FIRST &&
            !(format == LIST_FFVSHIP && is_norm(fv_session_meaning(session, o))))
            outputs[count++] = o;
    for (int i = 0; norms[i] && format == LIST_FFVSHIP; i++)
        for (int o = 0; o < fv_session_outputs(session) && count < MOST; o++)
            if (fv_session_meaning(session, o) == fv_meaning(norms[i]))
                outputs[count++] = o;
    return count;
}

static void write_frames(FILE *file, const FvSession *session, const int *outputs, int count)
{
    FvJson json = {.file = file};
    fv_json_open(&json, NULL, '[');
    for (int64_t i = 0; i < fv_session_frames(session); i++) {
        fv_json_open_line(&json, NULL, '[');
        for (int k = 0; k < count; k++)
            fv_json_real(&json, NULL, fv_session_value(session, i, outputs[k]));
        fv_json_close(&json);
    }
    fv_json_close(&json);
    putc('\n', file);
}

static void write_lines(FILE *file, const FvSession *session, const int *outputs, int count)
{
    for (int k = 0; k < count; k++)
        fprintf(file, "%s%s", k ? "," : "", fv_session_output(session, outputs[k])->name);
    putc('\n', file);
    for (int64_t i = 0; i < fv_session_frames(session); i++)
        for (int k = 0; k < count; k++) {
            const double value = fv_session_value(session, i, outputs[k]);
            if (isnan(value))
                fputs("nan", file);
            else
                fprintf(file, "%.17g", value);
            putc(k + 1 < count ? ',' : '\n', file);
        }
}

void list_write(FILE *file, const FvSession *session, ListFormat format)
{
    int outputs[MOST];
    const int count = choose(session, format, outputs);
    (format == LIST_FFVSHIP ? write_frames : write_lines)(file, session, outputs, count);
}
