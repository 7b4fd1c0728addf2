#include "result/sheet.h"

#include <string.h>

#include "fovea/fovea.h"
#include "page.h"

void sheet_put(FILE *file, const char *text)
{
    for (; *text; text++)
        if (strchr("<>&\"'", *text))
            fprintf(file, "&#%d;", *text);
        else if ((unsigned char)*text >= ' ')
            putc(*text, file);
}

void sheet_open(FILE *file, const char *title)
{
    fprintf(
        file,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; base-uri 'none'; "
        "form-action 'none'; style-src 'sha256-%s'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>",
        fv_page_report_style.sha256);
    sheet_put(file, title);
    fprintf(file,
            " · fovea report</title>\n<style>%s</style>\n</head>\n<body>\n<header>\n<div class=\"brand\">fovea "
            "<span>quality report</span></div>\n",
            fv_page_report_style.text);
}

void sheet_close(FILE *file)
{
    fprintf(file,
            "</main>\n<footer>fovea %s, numerics version %d. A word is a guide, the number is the result.</footer>\n"
            "</body>\n</html>\n",
            fv_version(), fv_numerics_version());
}
