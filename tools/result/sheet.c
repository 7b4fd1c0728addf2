#include "result/sheet.h"

#include "fovea/fovea.h"

void sheet_open(FvMarkup *page, const char *title)
{
    fv_markup(
        page,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; base-uri 'none'; "
        "form-action 'none'; style-src 'sha256-%s'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>%s",
        fv_page_report_style.sha256, title);
    fv_markup(page, " · fovea report</title>\n");
    fv_markup_element(page, "style", &fv_page_report_style);
    fv_markup(page, "</head>\n<body>\n<header>\n<div class=\"brand\">fovea "
                    "<span>quality report</span></div>\n");
}

void sheet_close(FvMarkup *page)
{
    fv_markup(
        page,
        "</main>\n<footer>fovea %s, numerics version %d. A word is a guide, the number is the result.</footer>\n"
        "</body>\n</html>\n",
        fv_version(), fv_numerics_version());
}
