#include <stdio.h>
#include <string.h>

#include "page.h"
#include "view/answers.h"
#include "view/body.h"

static void write_hash(char *policy, size_t size, const FvPageText *text)
{
    const size_t used = strlen(policy);
    snprintf(policy + used, size - used, " 'sha256-%s'", text->sha256);
}

static void write_element(FILE *file, const char *name, const FvPageText *text)
{
    fprintf(file, "<%s>", name);
    fwrite(text->text, 1, text->size, file);
    fprintf(file, "</%s>\n", name);
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
        fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
              "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>fovea</title>\n",
              file);
        write_element(file, "style", &fv_page_view_style);
        fprintf(file, "</head>\n<body data-videos=\"%d\">\n", view_clip_encode(view->clip, 0)->file[0].path ? 2 : 1);
        fwrite(fv_page_view_body.text, 1, fv_page_view_body.size, file);
        write_element(file, "script", &fv_page_view);
        fputs("</body>\n</html>\n", file);
    }
    view_body_end(answer, file);
}
