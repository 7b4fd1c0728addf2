#include <stdio.h>
#include <string.h>

#include "markup.h"
#include "view/answers.h"
#include "view/body.h"

static void write_hash(char *policy, size_t size, const FvPageText *text)
{
    const size_t used = strlen(policy);
    snprintf(policy + used, size - used, " 'sha256-%s'", text->sha256);
}

void view_answer_page(const View *view, ViewAnswer *answer)
{
    FILE *file = view_body_begin(answer, 200, "text/html; charset=utf-8");
    snprintf(answer->policy, sizeof answer->policy,
             "default-src 'none'; connect-src 'self'; img-src data:; base-uri "
             "'none'; form-action 'none'; frame-ancestors 'none'; style-src");
    write_hash(answer->policy, sizeof answer->policy, &fv_page_view_style);
    strcat(answer->policy, "; script-src");
    write_hash(answer->policy, sizeof answer->policy, &fv_page_view);
    if (file) {
        FvMarkup markup = {.file = file}, *page = &markup;
        fv_markup(page,
                  "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>fovea</title>\n");
        fv_markup_element(page, "style", &fv_page_view_style);
        fv_markup(page, "</head>\n<body data-videos=\"%d\">\n",
                  view_clip_encode(view->clip, 0)->file[0].path ? 2 : 1);
        fv_markup_file(page, &fv_page_view_body);
        fv_markup_element(page, "script", &fv_page_view);
        fv_markup(page, "</body>\n</html>\n");
    }
    view_body_end(answer, file);
}
