#include "result/bd_page.h"

#include <math.h>
#include <stdlib.h>

#include "base64.h"
#include "result/sheet.h"
#include "text.h"

static void put_row(FILE *file, const Chart *chart)
{
    const FvBdResult *result = fv_bd_result(chart->bd);
    fputs("<tr><td>", file);
    sheet_put(file, chart->score);
    fprintf(file, "</td><td>%s</td>", chart->method);
    if (result->refusal) {
        fputs("<td colspan=\"3\">refused: ", file);
        sheet_put(file, result->reason);
    } else if (isnan(result->bd_quality))
        fprintf(file, "<td class=\"n\">%+.2f %%</td><td class=\"n\">–</td><td class=\"n\">%.1f %%", result->bd_rate,
                100 * result->overlap);
    else
        fprintf(file, "<td class=\"n\">%+.2f %%</td><td class=\"n\">%+.4f</td><td class=\"n\">%.1f %%",
                result->bd_rate, result->bd_quality, 100 * result->overlap);
    fputs("</td></tr>\n", file);
}

/* As a picture of its own, whose style the page need not allow. false: out of memory. */
static bool put_chart(FILE *file, const Chart *chart)
{
    char *text;
    size_t size;
    FILE *svg = fv_text_open(&text, &size);
    FvBase64 to = {.file = file};
    if (svg)
        chart_write(svg, chart);
    if (!fv_text_close(svg, &text))
        return false;
    fputs("<section><img alt=\"", file);
    sheet_put(file, chart->score);
    fprintf(file, ", %s\" width=\"720\" src=\"data:image/svg+xml;base64,", chart->method);
    fv_base64_bytes(&to, text, size);
    fv_base64_end(&to);
    fputs("\"></section>\n", file);
    free(text);
    return true;
}

bool bd_page_write(FILE *file, const Chart *charts, int count)
{
    sheet_open(file, "BD-rate");
    fputs("<h1>", file);
    sheet_put(file, charts->name[FV_BD_TEST]);
    fputs(" <span>against</span> ", file);
    sheet_put(file, charts->name[FV_BD_ANCHOR]);
    fputs("</h1>\n</header>\n<main>\n<table><thead><tr><th>Score</th><th>Method</th>"
          "<th class=\"n\">BD-rate</th><th class=\"n\">BD-quality</th><th "
          "class=\"n\">Overlap</th></tr></thead><tbody>\n",
          file);
    for (int i = 0; i < count; i++)
        put_row(file, &charts[i]);
    fputs("</tbody></table>\n", file);
    bool whole = true;
    for (int i = 0; i < count && whole; i++)
        whole = fv_bd_result(charts[i].bd)->refusal || put_chart(file, &charts[i]);
    sheet_close(file);
    return whole;
}
