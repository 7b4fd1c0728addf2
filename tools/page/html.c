#include "page/html.h"

#include "fovea/fovea.h"

void html_open(FvMarkup *page, const char *title, const FvPageText *style, const FvPageText *script)
{
    fv_markup(
        page,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; base-uri 'none'; "
        "form-action 'none'; style-src 'sha256-%s'",
        style->sha256);
    if (script)
        fv_markup(page, "; script-src 'sha256-%s'", script->sha256);
    fv_markup(page,
              "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>%s · fovea "
              "report</title>\n",
              title);
    fv_markup_element(page, "style", style);
    fv_markup(page, "</head>\n<body>\n<header>\n<div class=\"brand\">fovea "
                    "<span>quality report</span></div>\n");
}

void html_close(FvMarkup *page, const FvPageText *script)
{
    fv_markup(
        page,
        "</main>\n<footer>fovea %s, numerics version %d. A word is a guide, the number is the result.</footer>\n",
        fv_version(), fv_numerics_version());
    if (script)
        fv_markup_element(page, "script", script);
    fv_markup(page, "</body>\n</html>\n");
}
