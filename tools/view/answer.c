#include "view/answer.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "compare_text.h"
#include "view/answers.h"
#include "view/body.h"

bool view_make_token(char token[VIEW_TOKEN + 1])
{
    uint8_t random[VIEW_TOKEN / 2];
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
        return false;
    for (int i = 0; i < VIEW_TOKEN / 2; i++)
        snprintf(token + 2 * i, 3, "%02x", random[i]);
    return true;
}

/* ---- All requests --------------------------------------------------------------------------------------------- */

/*
 * Returns whether the Host header is a numeric address or localhost. Other names come from foreign pages that direct
 * a browser to this server (DNS rebinding).
 */
static bool is_good_host(const char *host)
{
    static const char *const names[] = {"localhost", "127.0.0.1", "[::1]"};
    size_t length = host && *host == '[' ? strcspn(host, "]") + 1 : host ? strcspn(host, ":") : 0;
    if (!length || length > strlen(host))
        return false;
    const char *port = host + length;
    if (*port && (*port != ':' || port[1 + strspn(port + 1, "0123456789")]))
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (fv_span_is(host, length, names[i]))
            return true;
    return *host == '[' ? strspn(host + 1, "0123456789abcdefABCDEF:.") == length - 2
                        : strspn(host, "0123456789.") == length;
}

/*
 * Returns whether the path begins with the token. Compares in constant time, so that its duration reveals no digit.
 */
static bool knows_token(const char *token, const char *path)
{
    unsigned different = 0;
    if (strnlen(path, VIEW_TOKEN + 2) < VIEW_TOKEN + 2 || path[0] != '/' || path[VIEW_TOKEN + 1] != '/')
        return false;
    for (int i = 0; i < VIEW_TOKEN; i++)
        different |= (unsigned)(token[i] ^ path[1 + i]);
    return !different;
}

bool view_answer_admits(const View *view, const char *host, const char *path)
{
    return is_good_host(host) && knows_token(view->token, path);
}

void view_answer(const View *view, const ViewRequest *request, ViewAnswer *answer)
{
    *answer = (ViewAnswer){.status = 403, .type = "text/plain"};
    if (!view_answer_admits(view, request->host, request->path))
        return;
    const char *what = request->path + VIEW_TOKEN + 2;
    if (strcmp(request->method, "GET") && strcmp(request->method, "HEAD"))
        answer->status = 405;
    else if (!*what)
        view_answer_page(view, answer);
    else if (!strcmp(what, "clip"))
        view_answer_clip(view, answer);
    else if (!strcmp(what, "scores"))
        view_answer_scores(view, request, answer);
    else if (!strcmp(what, "pool"))
        view_answer_pool(view, request, answer);
    else if (!strcmp(what, "times"))
        view_answer_times(view, request, answer);
    else if (!strcmp(what, "thumb"))
        view_answer_thumb(view, request, answer);
    else if (!strcmp(what, "frame"))
        view_answer_frame(view, request, answer);
    else if (!strcmp(what, "coding"))
        view_answer_coding(view, request, answer);
    else if (!strcmp(what, "packets"))
        view_answer_packets(view, request, answer);
    else if (!strcmp(what, "map"))
        view_answer_map(view, request, answer);
    else
        view_body_refuse(answer, 404, "There is nothing here.");
}
