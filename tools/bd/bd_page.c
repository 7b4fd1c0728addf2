#include "bd/bd_page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page/html.h"
#include "text.h"

const char *bd_page_reason(char *text, size_t size, const Chart *chart)
{
    static const char *const sides[] = {"anchor:", "test:"};
    const char *reason = fv_bd_result(chart->bd)->reason;
    for (int side = 0; side < 2; side++)
        if (!strncmp(reason, sides[side], strlen(sides[side]))) {
            snprintf(text, size, "%s%s", chart->name[side], reason + strlen(sides[side]) - 1);
            return text;
        }
    snprintf(text, size, "%s", reason);
    return text;
}

bool bd_page_tell(char *text, size_t size, const Chart *chart)
{
    const FvBdResult *result = fv_bd_result(chart->bd);
    if (result->refusal)
        return false;
    const int used = snprintf(text, size, "%s needs %.1f %% %s bits than %s for the same %s", chart->name[FV_BD_TEST],
                              fabs(result->bd_rate), result->bd_rate < 0 ? "fewer" : "more",
                              chart->name[FV_BD_ANCHOR], chart->score);
    if (used > 0 && (size_t)used < size && !isnan(result->bd_quality))
        snprintf(text + used, size - (size_t)used, ", and has %+.*f%s%s at the same rate.",
                 fabs(result->bd_quality) < 1 ? 2 : 1, result->bd_quality, chart->unit ? " " : "",
                 chart->unit ? chart->unit : "");
    else if (used > 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, ".");
    return true;
}

static void put_row(FvMarkup *page, const Chart *chart)
{
    const FvBdResult *result = fv_bd_result(chart->bd);
    fv_markup(page, "<tr><td>%s</td><td class=\"hidephone\">%s</td>", chart->score, chart->method);
    if (result->refusal) {
        char reason[640];
        fv_markup(page, "<td colspan=\"3\">refused: %s", bd_page_reason(reason, sizeof reason, chart));
    } else {
        fv_markup(page, "<td class=\"n\">%+.2f %%</td><td class=\"n\">", result->bd_rate);
        if (isnan(result->bd_quality))
            fv_markup(page, "–");
        else
            fv_markup(page, "%+.4f%s%s", result->bd_quality, chart->unit ? " " : "", chart->unit);
        fv_markup(page, "</td><td class=\"n\">%.1f %%", 100 * result->overlap);
    }
    fv_markup(page, "</td></tr>\n");
}

/*
 * Writes the chart as an image in a data URL, so that the page's content security policy need not allow the chart's
 * style. false: out of memory.
 */
static bool put_chart(FvMarkup *page, const Chart *chart)
{
    char *text;
    size_t size;
    FILE *svg = fv_text_open(&text, &size);
    FvBase64 to = fv_markup_base64(page);
    if (svg)
        chart_write(svg, chart);
    if (!fv_text_close(svg, &text))
        return false;
    fv_markup(page,
              "<section><img class=\"chartpicture\" alt=\"%s, %s\" width=\"720\" src=\"data:image/svg+xml;base64,",
              chart->score, chart->method);
    fv_base64_bytes(&to, text, size);
    fv_base64_end(&to);
    fv_markup(page, "\"></section>\n");
    free(text);
    return true;
}

bool bd_page_write(FILE *file, const Chart *charts, int count)
{
    FvMarkup markup = {.file = file}, *page = &markup;
    char text[1024];
    snprintf(text, sizeof text, "BD-rate of %s against %s", charts->name[FV_BD_TEST], charts->name[FV_BD_ANCHOR]);
    html_open(page, text, &fv_page_report_style, NULL);
    fv_markup(page, "<h1>%s <span>against</span> %s</h1>\n", charts->name[FV_BD_TEST], charts->name[FV_BD_ANCHOR]);
    bool told = false;
    for (int i = 0; i < count && !told; i++)
        told = bd_page_tell(text, sizeof text, &charts[i]);
    if (told)
        fv_markup(page, "<p class=\"says\">%s</p>\n", text);
    fv_markup(page, "</header>\n<main>\n<div class=\"wide\"><table><thead><tr><th>Score</th><th "
                    "class=\"hidephone\">Method</th><th "
                    "class=\"n\">BD-rate</th><th "
                    "class=\"n\">BD-quality</th><th class=\"n\">Overlap</th></tr></thead><tbody>\n");
    for (int i = 0; i < count; i++)
        put_row(page, &charts[i]);
    fv_markup(page, "</tbody></table></div>\n");
    bool whole = true;
    for (int i = 0; i < count && whole; i++)
        whole = fv_bd_result(charts[i].bd)->refusal || put_chart(page, &charts[i]);
    html_close(page, NULL);
    return whole;
}
