#include "meaning_json.h"

#include "words.h"

static void write_grades(FvJson *json, const FvMeaning *meaning, bool any)
{
    fv_json_open(json, "grades", '[');
    for (int i = 0; any && i < meaning->grade_count; i++) {
        fv_json_open_line(json, NULL, '{');
        if (i)
            fv_json_real(json, "from", meaning->grades[i].from);
        else
            fv_json_null(json, "from");
        fv_json_int(json, "level", meaning->grades[i].level);
        fv_json_text(json, "word", meaning->grades[i].word);
        fv_json_close(json);
    }
    fv_json_close(json);
}

/* Writes a meaning. graded: write the grades, since a value of this score can have a verdict. */
static void write_meaning(FvJson *json, const FvMeaning *meaning, const char *title, bool graded)
{
    fv_json_text(json, "title", title);
    fv_json_text(json, "brief", meaning->brief);
    fv_json_text(json, "text", meaning->text);
    fv_json_text(json, "unit", meaning->unit);
    fv_json_text(json, "scale", meaning->scale);
    fv_json_int(json, "factor", meaning->share ? 100 : 1);
    fv_json_int(json, "decimals", meaning->fine ? 4 : 2);
    write_grades(json, meaning, graded);
    fv_json_text(json, "by", meaning->by);
    fv_json_text(json, "source", meaning->source);
    fv_json_bool(json, "rule_of_thumb", meaning->rule_of_thumb);
}

void fv_meaning_json(FvJson *json, const FvMeaning *meaning)
{
    write_meaning(json, meaning, meaning->title, true);
}

void fv_output_info_json(FvJson *json, const FvOutputInfo *info)
{
    fv_json_text(json, "name", info->name);
    fv_json_text(json, "unit", info->unit);
    fv_json_real(json, "minimum", info->minimum);
    fv_json_real(json, "maximum", info->maximum);
    fv_json_text(json, "better", fv_better_name(info->better));
    fv_json_bool(json, "sequence", info->sequence);
}

void fv_output_json(FvJson *json, const FvSession *session, int output)
{
    static const char *const shown[] = {"first", "asked", "part"};
    static const char *const bounds[] = {NULL, "at most", "at least"};
    const FvOutputInfo *info = fv_session_output(session, output);
    const FvMeaning *meaning = fv_session_meaning(session, output);
    FvVerdict verdict;
    bool graded = false;
    for (int i = 0; i < meaning->grade_count; i++)
        graded |= fv_session_verdict(session, output, meaning->grades[i].from, &verdict);
    int metric;
    fv_session_output_origin(session, output, &metric);
    fv_json_text(json, "name", info->name);
    fv_json_int(json, "output", output);
    fv_json_int(json, "metric", metric);
    fv_json_text(json, "better", fv_better_name(info->better));
    fv_json_bool(json, "sequence", info->sequence);
    fv_json_text(json, "shown", shown[fv_session_display(session, output)]);
    fv_json_text(json, "bound", bounds[fv_session_grade_bound(session, output)]);
    write_meaning(json, meaning, fv_word_title(session, output), graded);
}
