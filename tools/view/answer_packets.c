/* Answers with packets, which the browser's own decoder turns into previews while the viewer plays. */
#include <stdio.h>
#include <stdlib.h>

#include "base64.h"
#include "json.h"
#include "remedy.h"
#include "view/answers.h"
#include "view/body.h"

enum { MOST_PACKETS = 48, ENOUGH_BYTES = 1 << 20 }; /* an answer ends with the packet that reaches either */

/* Reads the side that a request names. -1: the answer is a refusal. */
static int side_of(const View *view, const ViewRequest *request, int encode, ViewAnswer *answer)
{
    const int64_t side = view_body_number(request, "side", 1);
    if (side >= 0 && view_clip_format(view->clip, encode, (int)side))
        return (int)side;
    view_body_refuse(answer, 400, "side= is 0 for the reference and 1 for the distorted.");
    return -1;
}

void view_answer_coding(const View *view, const ViewRequest *request, ViewAnswer *answer)
{
    const int encode = view_body_encode(view, request, answer);
    const int side = encode < 0 ? -1 : side_of(view, request, encode, answer);
    if (side < 0)
        return;
    ViewCoding coding;
    FvError error = {0};
    char text[sizeof error.message];
    const FvStatus status = view_clip_coding(view->clip, encode, side, &coding, &error);
    if (status && status != FV_ERROR_INPUT) {
        view_body_refuse_for(answer, status, &error);
        return;
    }
    FILE *file = view_body_begin(answer, 200, "application/json");
    FvJson json = {.file = file};
    if (file) {
        fv_json_open(&json, NULL, '{');
        fv_json_text(&json, "refused", status ? fv_remedy_spell(text, sizeof text, error.message) : NULL);
        fv_json_text(&json, "codec", status ? NULL : coding.codec);
        fv_json_begin_text(&json, "description");
        FvBase64 base64 = {.file = file};
        fv_base64_bytes(&base64, coding.description, coding.size);
        fv_base64_end(&base64);
        fv_json_end_text(&json);
        fv_json_close(&json);
    }
    view_body_end(answer, file);
    free(coding.description);
}

/* An answer with packets that is being written. */
typedef struct Packets {
    FILE *file;
    int count;
    size_t bytes;
} Packets;

static void write_little(FILE *file, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        putc((int)(value >> 8 * i & 255), file);
}

/* Writes a packet: its number in 8 bytes, its size in 4, low byte first, 1 for a key packet in 1, and its bytes. */
static bool write_packet(void *opaque, const FvPacket *packet)
{
    Packets *to = opaque;
    write_little(to->file, (uint64_t)packet->number, 8);
    write_little(to->file, packet->size, 4);
    write_little(to->file, packet->key, 1);
    fwrite(packet->data, 1, packet->size, to->file);
    to->bytes += packet->size;
    return ++to->count < MOST_PACKETS && to->bytes < ENOUGH_BYTES;
}

/* Without a packet, the body is empty: the video ends. A failure after some packets is answered the next time. */
void view_answer_packets(const View *view, const ViewRequest *request, ViewAnswer *answer)
{
    const int64_t number = view_body_number(request, "frame", VIEW_MOST_FRAME),
                  passed = view_body_number(request, "passed", VIEW_MOST_FRAME);
    const int encode = view_body_encode(view, request, answer);
    const int side = encode < 0 ? -1 : side_of(view, request, encode, answer);
    if (side < 0)
        return;
    if (number < 0 || passed < 0) {
        view_body_refuse(answer, 400, "frame= is the number of a frame, passed= counts the packets before.");
        return;
    }
    FvError error = {0};
    Packets packets = {.file = view_body_begin(answer, 200, "application/octet-stream")};
    FvStatus status = FV_OK;
    if (packets.file)
        status = view_clip_packets(view->clip, encode, side, number, passed, write_packet, &packets, &error);
    if (status && status != FV_END && !packets.count) {
        view_body_give_up(answer, packets.file);
        view_body_refuse_for(answer, status, &error);
    } else
        view_body_end(answer, packets.file);
}
