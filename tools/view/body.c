#include "view/body.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "remedy.h"
#include "text.h"

FILE *view_body_begin(ViewAnswer *answer, int status, const char *type)
{
    answer->status = status;
    answer->type = type;
    return fv_text_open(&answer->body, &answer->size);
}

void view_body_give_up(ViewAnswer *answer, FILE *file)
{
    fv_text_close(file, &answer->body);
    free(answer->body);
    *answer = (ViewAnswer){.status = 503, .type = "text/plain"};
}

void view_body_end(ViewAnswer *answer, FILE *file)
{
    if (!fv_text_close(file, &answer->body))
        view_body_give_up(answer, NULL);
}

void view_body_refuse(ViewAnswer *answer, int status, const char *message)
{
    FILE *file = view_body_begin(answer, status, "application/json");
    FvJson json = {.file = file};
    if (file) {
        fv_json_open(&json, NULL, '{');
        fv_json_text(&json, "error", message);
        fv_json_close(&json);
    }
    view_body_end(answer, file);
}

void view_body_refuse_for(ViewAnswer *answer, FvStatus status, const FvError *error)
{
    char text[sizeof error->message];
    if (status == FV_END)
        view_body_refuse(answer, 404, "There is no such frame.");
    else
        view_body_refuse(answer,
                         status == FV_ERROR_USAGE    ? 400
                         : status == FV_ERROR_INPUT  ? 422
                         : status == FV_ERROR_MEMORY ? 503
                                                     : 500,
                         fv_remedy_spell(text, sizeof text, error->message));
}

int64_t view_body_number(const ViewRequest *request, const char *name, int64_t most)
{
    const char *text = request->argument(request->opaque, name);
    char *rest;
    if (!text || !isdigit((unsigned char)*text))
        return -1;
    const long long value = strtoll(text, &rest, 10);
    if (value > most && most == VIEW_MOST_FRAME)
        return *rest ? -1 : most;
    return *rest || value > most ? -1 : value;
}

int view_body_encode(const View *view, const ViewRequest *request, ViewAnswer *answer)
{
    const bool named = request->argument(request->opaque, "encode") != NULL;
    const int64_t number = named ? view_body_number(request, "encode", VIEW_ENCODES) : 1;
    const ViewEncode *encode = number > 0 ? view_clip_encode(view->clip, (int)number - 1) : NULL;
    if (encode && !encode->refused)
        return (int)number - 1;
    view_body_refuse(answer, encode ? 422 : 400,
                     encode ? encode->refused : "encode= is the number of an encode, counted from 1.");
    return -1;
}
