#include "result/bd_page.h"

#include <math.h>
#include <stdlib.h>

#include "result/sheet.h"
#include "text.h"

static void put_row(FvMarkup *page, const Chart *chart)
{
    const FvBdResult *result = fv_bd_result(chart->bd);
    fv_markup(page, "<tr><td>%s</td><td>%s</td>", chart->score, chart->method);
    if (result->refusal) {
        fv_markup(page, "<td colspan=\"3\">refused: %s", result->reason);
    } else if (isnan(result->bd_quality))
        fv_markup(page, "<td class=\"n\">%+.2f %%</td><td class=\"n\">–</td><td class=\"n\">%.1f %%", result->bd_rate,
                  100 * result->overlap);
    else
        fv_markup(page, "<td class=\"n\">%+.2f %%</td><td class=\"n\">%+.4f</td><td class=\"n\">%.1f %%",
                  result->bd_rate, result->bd_quality, 100 * result->overlap);
    fv_markup(page, "</td></tr>\n");
}

/* As a picture of its own, whose style the page need not allow. false: out of memory. */
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
    fv_markup(page, "<section><img alt=\"%s, %s\" width=\"720\" src=\"data:image/svg+xml;base64,", chart->score,
              chart->method);
    fv_base64_bytes(&to, text, size);
    fv_base64_end(&to);
    fv_markup(page, "\"></section>\n");
    free(text);
    return true;
}

bool bd_page_write(FILE *file, const Chart *charts, int count)
{
    FvMarkup markup = {.file = file}, *page = &markup;
    sheet_open(page, "BD-rate", &fv_page_report_style, NULL);
    fv_markup(
        page,
        "<h1>%s <span>against</span> %s</h1>\n</header>\n<main>\n<table><thead><tr><th>Score</th><th>Method</th>"
        "<th class=\"n\">BD-rate</th><th class=\"n\">BD-quality</th><th "
        "class=\"n\">Overlap</th></tr></thead><tbody>\n",
        charts->name[FV_BD_TEST], charts->name[FV_BD_ANCHOR]);
    for (int i = 0; i < count; i++)
        put_row(page, &charts[i]);
    fv_markup(page, "</tbody></table>\n");
    bool whole = true;
    for (int i = 0; i < count && whole; i++)
        whole = fv_bd_result(charts[i].bd)->refusal || put_chart(page, &charts[i]);
    sheet_close(page, NULL);
    return whole;
}
