#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "little_endian.h"
#include "view/answers.h"
#include "view/body.h"
#include "view/frames.h"

/*
 * Copies the planes into the body, one after the other, rows without gaps, 16-bit samples with the low byte first.
 * false: out of memory.
 */
static bool copy_planes(ViewAnswer *answer, const FvFrame *frame)
{
    const size_t bytes = (size_t)fv_format_sample_bytes(&frame->format);
    int width, height;
    for (int plane = 0; plane < fv_format_planes(&frame->format); plane++) {
        fv_format_plane_size(&frame->format, plane, &width, &height);
        answer->size += bytes * (size_t)width * (size_t)height;
    }
    char *to = answer->body = malloc(answer->size);
    for (int plane = 0; to && plane < fv_format_planes(&frame->format); plane++) {
        fv_format_plane_size(&frame->format, plane, &width, &height);
        const size_t row = bytes * (size_t)width;
        for (int y = 0; y < height; y++, to += row)
            fv_copy_little(to, frame->data[plane] + y * frame->stride[plane], row, bytes);
    }
    return answer->body != NULL;
}

void view_answer_frame(const View *view, const ViewRequest *request, ViewAnswer *answer)
{
    const int64_t number = view_body_number(request, "frame", VIEW_MOST_FRAME),
                  side = view_body_number(request, "side", 1);
    const int encode = view_body_encode(view, request, answer);
    if (encode < 0)
        return;
    if (number < 0 || side < 0 || !view_clip_format(view->clip, encode, (int)side)) {
        view_body_refuse(answer, 400,
                         "frame= is the number of a frame, side= is 0 for the reference and 1 for the distorted.");
        return;
    }
    /* The tag stays the same while the server runs; another server has another token, so its tags differ. */
    char tag[sizeof answer->tag];
    snprintf(tag, sizeof tag, "\"%.8s-%d-%d-%" PRId64 "\"", view->token + 24, encode, (int)side, number);
    if (request->tag && !strcmp(request->tag, tag) && view_clip_has_given(view->clip, encode, number)) {
        answer->status = 304;
        answer->type = "application/octet-stream";
        return;
    }
    FvFrame *frames[2];
    FvError error = {0};
    FvStatus status = view_clip_frames(view->clip, encode, number, frames, &error);
    if (status) {
        view_body_refuse_for(answer, status, &error);
        return;
    }
    *answer = (ViewAnswer){.status = 200, .type = "application/octet-stream"};
    if (copy_planes(answer, view_frame_drawn(frames[side])))
        strcpy(answer->tag, tag);
    else
        view_body_give_up(answer, NULL);
    fv_frame_unref(&frames[0]);
    fv_frame_unref(&frames[1]);
}

/* ---- Small pictures ------------------------------------------------------------------------------------------- */

/*
 * Writes a thumbnail: its frame number in 8 bytes, width and height in 2 bytes each, low byte first, then 3 bytes per
 * pixel.
 */
static void write_thumb(FILE *file, const ViewThumb *thumb)
{
    for (int i = 0; i < 8; i++)
        putc((int)(thumb->number >> 8 * i & 255), file);
    for (int i = 0; i < 4; i++)
        putc((i < 2 ? thumb->width : thumb->height) >> 8 * (i & 1) & 255, file);
    fwrite(thumb->rgb, 3, (size_t)thumb->width * (size_t)thumb->height, file);
}

void view_answer_thumb(const View *view, const ViewRequest *request, ViewAnswer *answer)
{
    const int64_t number = view_body_number(request, "frame", VIEW_MOST_FRAME);
    const int encode = view_body_encode(view, request, answer);
    if (encode < 0)
        return;
    if (number < 0) {
        view_body_refuse(answer, 400, "frame= is the number of a frame.");
        return;
    }
    ViewThumb thumb;
    FvError error = {0};
    FvStatus status = view_clip_thumb(view->clip, encode, number, &thumb, &error);
    if (status) {
        view_body_refuse_for(answer, status, &error);
        return;
    }
    FILE *file = view_body_begin(answer, 200, "application/octet-stream");
    if (file)
        write_thumb(file, &thumb);
    view_body_end(answer, file);
    free(thumb.rgb);
}
