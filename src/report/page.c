/*
 * Writes the report as a page for a browser: one file that needs no other. Its data are JSON inside the page, which
 * includes the head of the JSON report.
 */
#include <math.h>
#include <string.h>

#include "meaning_json.h"
#include "report/page_text.h"
#include "report/report.h"

#define WORST 12              /* number of worst frames that are listed for each score */
#define MOST_BYTES 420000     /* bytes of all curves, before base64 makes them a third longer */
#define EXACT_BYTES 8         /* bytes of a frame's value or number, as binary64 */
#define RANGE_BYTES (2 * 4)   /* bytes of the minimum and maximum of some frames, as binary32 */
#define NUMBERS_BYTES (2 * 8) /* bytes of the numbers of the first and the last of these frames */

/* ---- Curves --------------------------------------------------------------------------------------------------- */

static int count_curves(const FvSession *session)
{
    int count = 0;
    for (int c = 0; c < fv_session_outputs(session); c++)
        count += !fv_session_output(session, c)->sequence;
    return count;
}

/* Returns the number of frames per point, chosen so that the curves fit into MOST_BYTES. */
static int64_t frames_of_a_point(const FvSession *session)
{
    const int64_t curves = count_curves(session), frames = fv_session_frames(session);
    if (frames * (curves + 1) <= MOST_BYTES / EXACT_BYTES)
        return 1;
    const int64_t points = MOST_BYTES / (curves * RANGE_BYTES + NUMBERS_BYTES);
    return (frames + points - 1) / points;
}

static void write_numbers(FvJson *json, const FvSession *session, int64_t step)
{
    FvBase64 to = {.file = json->file};
    fv_json_begin_text(json, "numbers");
    for (int64_t i = 0; i < fv_session_frames(session); i += step) {
        const int64_t last = i + step < fv_session_frames(session) ? i + step - 1 : fv_session_frames(session) - 1;
        fv_base64_real(&to, (double)fv_session_frame_number(session, i));
        if (step > 1)
            fv_base64_real(&to, (double)fv_session_frame_number(session, last));
    }
    fv_base64_end(&to);
    fv_json_end_text(json);
}

/* Writes the minimum and maximum, which are NaN only if all values are. */
static void put_range(FvBase64 *to, const FvSession *session, int output, int64_t first, int64_t end)
{
    double low = NAN, high = NAN;
    for (int64_t i = first; i < end; i++) {
        const double value = fv_session_value(session, i, output);
        if (!(low <= value))
            low = isnan(value) ? low : value;
        if (!(high >= value))
            high = isnan(value) ? high : value;
    }
    fv_base64_single(to, low);
    fv_base64_single(to, high);
}

static void write_curve(FvJson *json, const FvSession *session, int output, int64_t step)
{
    FvBase64 to = {.file = json->file};
    fv_json_open(json, NULL, '{');
    fv_json_int(json, "output", output);
    fv_json_begin_text(json, "values");
    for (int64_t i = 0; i < fv_session_frames(session); i += step)
        if (step == 1)
            fv_base64_real(&to, fv_session_value(session, i, output));
        else
            put_range(&to, session, output, i,
                      i + step < fv_session_frames(session) ? i + step : fv_session_frames(session));
    fv_base64_end(&to);
    fv_json_end_text(json);
    fv_json_close(json);
}

static void write_timeline(FvJson *json, const FvSession *session)
{
    const int64_t step = frames_of_a_point(session);
    fv_json_open(json, "timeline", '{');
    fv_json_int(json, "frames_per_bin", step);
    write_numbers(json, session, step);
    fv_json_open(json, "curves", '[');
    for (int c = 0; c < fv_session_outputs(session); c++)
        if (!fv_session_output(session, c)->sequence)
            write_curve(json, session, c, step);
    fv_json_close(json);
    fv_json_close(json);
}

/* ---- Meanings and worst frames -------------------------------------------------------------------------------- */

static void write_meaning(FvJson *json, const FvSession *session)
{
    int order[256];
    const FvFormat *format = fv_session_format(session, FV_DISTORTED);
    const int count = fv_page_order(session, order, 256);
    fv_json_open(json, "outputs", '[');
    for (int c = 0; c < fv_session_scores(session)->column_count; c++) {
        fv_json_open(json, NULL, '{');
        fv_output_json(json, session, c);
        fv_json_close(json);
    }
    fv_json_close(json);
    fv_json_open_line(json, "order", '[');
    for (int i = 0; i < count; i++)
        fv_json_int(json, NULL, order[i]);
    fv_json_close(json);
    fv_json_open_line(json, "names", '[');
    fv_json_text(json, NULL, fv_page_name(session, FV_REFERENCE));
    fv_json_text(json, NULL, fv_page_name(session, FV_DISTORTED));
    fv_json_close(json);
    const bool steps_alike = format->rate_den && !fv_session_facts(session)->times;
    fv_json_real(json, "rate", steps_alike ? (double)format->rate_num / format->rate_den : 0);
    const double start = fv_session_time(session, 0);
    fv_json_real(json, "first_frame", isnan(start) ? 0 : start * format->rate_num / format->rate_den);
    const FvTimecode *timecode = &fv_session_facts(session)->distorted.info.timecode;
    if (timecode->base) {
        fv_json_open_line(json, "timecode", '{');
        fv_json_int(json, "frame", timecode->frame);
        fv_json_int(json, "base", timecode->base);
        fv_json_bool(json, "drop", timecode->drop);
        fv_json_close(json);
    }
    fv_json_open(json, "map_titles", '{');
    for (int i = 0; i < fv_metric_count(); i++) {
        const FvMeaning *meaning = fv_meaning(fv_metric_info(i)->outputs[0].name);
        if (fv_metric_info(i)->map_count && meaning)
            fv_json_text(json, fv_metric_info(i)->name, meaning->title);
    }
    fv_json_close(json);
}

/*
 * Returns the minimum distance of listed worst frames, because neighbours look alike: a second, or less in a short
 * clip.
 */
static int64_t distance_of_worst(const FvSession *session)
{
    const FvFormat *format = fv_session_format(session, FV_DISTORTED);
    const int64_t second = format->rate_den ? format->rate_num / format->rate_den : 25;
    const int64_t part = fv_session_frames(session) / (2 * WORST), apart = second < part ? second : part;
    return apart > 1 ? apart : 1;
}

static void write_worst(FvJson *json, const FvSession *session)
{
    fv_json_open(json, "worst", '[');
    for (int c = 0; !fv_session_identical(session) && c < fv_session_outputs(session); c++) {
        int64_t frames[WORST];
        if (fv_session_output(session, c)->sequence || fv_session_output(session, c)->better == FV_NEITHER_IS_BETTER)
            continue;
        const int count = fv_session_worst(session, c, distance_of_worst(session), frames, WORST);
        fv_json_open_line(json, NULL, '{');
        fv_json_int(json, "output", c);
        fv_json_open(json, "frames", '[');
        for (int i = 0; i < count; i++) {
            fv_json_open(json, NULL, '{');
            fv_json_int(json, "frame", fv_session_frame_number(session, frames[i]));
            fv_json_real(json, "value", fv_session_value(session, frames[i], c));
            fv_json_close(json);
        }
        fv_json_close(json);
        fv_json_close(json);
    }
    fv_json_close(json);
}

static void write_colours(FvJson *json, const FvReportPicture *picture)
{
    fv_json_open_line(json, "colours", '[');
    for (int i = 0; i < picture->colour_count; i++) {
        char colour[8];
        snprintf(colour, sizeof colour, "#%02x%02x%02x", picture->colours[i][0], picture->colours[i][1],
                 picture->colours[i][2]);
        fv_json_text(json, NULL, colour);
    }
    fv_json_close(json);
}

static void write_picture(FvJson *json, const FvReportPicture *picture)
{
    FvBase64 to = {.file = json->file};
    const bool is_jpeg = picture->bytes > 2 && !memcmp(picture->png, "\xff\xd8\xff", 3);
    fv_json_open(json, NULL, '{');
    fv_json_int(json, "frame", picture->frame);
    fv_json_text(json, "name", picture->name);
    fv_json_int(json, "x", picture->x);
    fv_json_int(json, "y", picture->y);
    fv_json_int(json, "width", picture->width);
    fv_json_int(json, "height", picture->height);
    fv_json_int(json, "scale", picture->scale);
    fv_json_text(json, "unit", picture->unit);
    fv_json_real(json, "low", picture->low);
    fv_json_real(json, "high", picture->high);
    write_colours(json, picture);
    fv_json_text(json, "type", is_jpeg ? "jpeg" : "png");
    fv_json_begin_text(json, "png");
    fv_base64_bytes(&to, picture->png, picture->bytes);
    fv_base64_end(&to);
    fv_json_end_text(json);
    fv_json_close(json);
}

static void write_data(FvMarkup *page, const FvSession *session)
{
    FvJson json = fv_markup_json(page);
    fv_json_open(&json, NULL, '{');
    fv_json_open(&json, "report", '{');
    fv_report_head(&json, session);
    fv_json_close(&json);
    write_meaning(&json, session);
    write_timeline(&json, session);
    write_worst(&json, session);
    fv_json_open(&json, "pictures", '[');
    for (int i = 0; i < fv_session_facts(session)->picture_count; i++)
        write_picture(&json, &fv_session_facts(session)->pictures[i]);
    fv_json_close(&json);
    fv_json_close(&json);
}

/* ---- The page ------------------------------------------------------------------------------------------------- */

/* Writes the npm package and the script that starts it. */
static void write_package(FvMarkup *page, const FvFacts *facts)
{
    FvBase64 to = fv_markup_base64(page);
    fv_markup(page, "<script type=\"application/gzip\" id=\"package\">");
    fv_base64_bytes(&to, facts->package, facts->package_bytes);
    fv_base64_end(&to);
    fv_markup(page, "</script>\n");
    fv_markup_element(page, "script", &fv_page_compare);
}

void fv_report_html(FILE *file, const FvSession *session)
{
    FvMarkup markup = {.file = file}, *page = &markup;
    const FvFacts *facts = fv_session_facts(session);
    fv_markup(
        page,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; base-uri 'none'; "
        "form-action 'none'; style-src 'sha256-%s'",
        fv_page_report_style.sha256);
    if (facts->package)
        fv_markup(page, " 'sha256-%s'; connect-src blob:; worker-src blob:", fv_page_compare_style.sha256);
    fv_markup(page, "; script-src 'sha256-%s'", fv_page_report.sha256);
    if (facts->package)
        fv_markup(page, " 'sha256-%s' blob: 'wasm-unsafe-eval'", fv_page_compare.sha256);
    fv_markup(page, "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
    fv_page_title(page, session);
    fv_markup(page, "</title>\n");
    fv_markup_element(page, "style", &fv_page_report_style);
    if (facts->package)
        fv_markup_element(page, "style", &fv_page_compare_style);
    fv_markup(page, "</head>\n<body>\n");
    fv_page_head(page, session);
    fv_markup(
        page,
        "<main>\n<noscript><p class=\"faint\">Curves and pictures need JavaScript, which is all inside this file."
        "</p></noscript>\n");
    fv_page_checks(page, session);
    fv_markup_file(page, &fv_page_report_body);
    fv_page_tables(page, session);
    if (facts->package) {
        fv_markup(page, "<section aria-labelledby=\"h-compare\"><h2 id=\"h-compare\">Score two other files</h2>\n");
        fv_markup_file(page, &fv_page_compare_body);
        fv_markup(page, "</section>\n");
    }
    fv_markup(
        page,
        "</main>\n<footer>fovea %s, numerics version %d. A word is a guide, the number is the result.</footer>\n"
        "<script type=\"application/json\" id=\"data\">\n",
        fv_session_version(session), fv_session_numerics(session));
    write_data(page, session);
    fv_markup(page, "\n</script>\n");
    fv_markup_element(page, "script", &fv_page_report);
    if (facts->package)
        write_package(page, facts);
    fv_markup(page, "</body>\n</html>\n");
}
