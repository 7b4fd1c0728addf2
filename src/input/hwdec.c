#include "input/hwdec.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "picture/frame.h"
#include "input/alone.h"
#include "input/hwdec_lane.h"
#include "input/index.h"
#include "input/libav_calls.h"
#include "os/memory.h"

#define LEAST_PART 12 /* packets: a decoder runs empty at the end of a part */
/* Packets in front of the decoders, so that all have something to do where parts are long. */
#define MOST_PACKETS 4096
#define MOST_BYTES ((size_t)128 << 20)
#define LEAST_PACKETS 256
/* Once that many packets behind a frame were read, none is shown before it: no codec reorders farther. */
#define REORDER 64
#define MOST_ROOM 256 /* frames that may wait in a lane */

/* Packets up to the next place where the video is cut. */
typedef struct Part {
    struct Part *next;
    FvChipLane *lane;
    int64_t first;   /* number of its first frame */
    FvNumbers times; /* at which its frames are shown, ascending */
    int64_t packets, read;
    bool closed; /* all its packets are known */
    bool timeless;
} Part;

struct FvChip {
    FvChipShared shared;
    FvChipLane lanes[FV_CHIP_DECODERS];
    int lane_count, lanes_used;
    Part *first, *last; /* parts that are not read to their end */
    int64_t parts;      /* made so far */
    int64_t frames;     /* of all parts before the last one, then of all */
    int64_t read;
    int64_t time;  /* of the frame read last */
    bool cuts;     /* where it can be */
    uint64_t sets; /* of the first packet */
    FvError failure;
};

/* ---- What is tried --------------------------------------------------------------------------------------------- */

const char *fv_chip_codec_name(enum AVCodecID codec)
{
    switch (codec) {
    case AV_CODEC_ID_H264:
        return "H.264";
    case AV_CODEC_ID_HEVC:
        return "HEVC";
    case AV_CODEC_ID_VP9:
        return "VP9";
    case AV_CODEC_ID_AV1:
        return "AV1";
    default:
        return avcodec_get_name(codec);
    }
}

/* ITU-T H.264, A.2, and H.265, A.3. */
enum { H264_BASELINE = 66, H264_MAIN = 77, H264_HIGH = 100, HEVC_MAIN = 1, HEVC_RANGE_EXTENSIONS = 4 };

/* Others have tools that decoders of GPUs lack and do not notice: pictures without loss of H.264, palettes of HEVC.
 */
static bool has_profile(enum AVCodecID codec, int profile, int depth)
{
    const int plain = profile & 0xff; /* libavcodec has constraints above */
    if (codec == AV_CODEC_ID_H264)
        return profile > 0 && (plain == H264_BASELINE || plain == H264_MAIN || plain == H264_HIGH);
    return codec != AV_CODEC_ID_HEVC || (profile >= HEVC_MAIN && profile < HEVC_RANGE_EXTENSIONS) ||
           (profile == HEVC_RANGE_EXTENSIONS && depth > 10);
}

bool fv_chip_takes(enum AVCodecID codec, int profile, const FvFormat *format, char *why, size_t size)
{
    const char *name = fv_chip_codec_name(codec);
    const bool known = codec == AV_CODEC_ID_H264 || codec == AV_CODEC_ID_HEVC || codec == AV_CODEC_ID_VP9 ||
                       codec == AV_CODEC_ID_AV1;
    const int most = codec == AV_CODEC_ID_H264 ? 8 : codec == AV_CODEC_ID_AV1 ? 10 : 12;
    *why = '\0';
    if (!known)
        snprintf(why, size, "%s", name);
    else if (format->chroma != FV_CHROMA_420)
        snprintf(why, size, "%s of %s", name, fv_chroma_name(format->chroma));
    else if (format->depth > most || format->depth % 2)
        snprintf(why, size, "%s of %d bits", name, format->depth);
    else if (!has_profile(codec, profile, format->depth))
        snprintf(why, size, "%s of profile %d", name, profile);
    return !*why;
}

/* ---- Parts ----------------------------------------------------------------------------------------------------- */

static bool add_time(FvNumbers *times, int64_t time)
{
    if (!fv_numbers_add(times, time))
        return false;
    for (int64_t i = times->count - 1; i > 0 && times->item[i - 1] > time; i--) {
        times->item[i] = times->item[i - 1];
        times->item[i - 1] = time;
    }
    return true;
}

static void free_part(Part *part)
{
    free(part->times.item);
    fv_free(part);
}

static FvStatus begin_part(FvChip *chip, FvError *error)
{
    Part *part = fv_alloc_zero(sizeof *part);
    if (!part)
        return fv_fail_memory(error, sizeof *part);
    const int at = (int)(chip->parts++ % chip->lane_count);
    part->lane = &chip->lanes[at];
    part->first = chip->frames;
    *(chip->first ? &chip->last->next : &chip->first) = part;
    chip->last = part;
    if (at < chip->lanes_used)
        return FV_OK;
    chip->lanes_used++;
    return fv_chip_lane_start(part->lane, error);
}

static FvStatus close_part(FvChip *chip, FvError *error)
{
    Part *part = chip->last;
    FvStatus status = fv_chip_lane_push(part->lane, NULL, -1, error);
    part->closed = true;
    return status;
}

/*
 * Whether a new part begins with the packet. Each decoder must know the parameter sets that count: where they do not
 * stand unchanged in front of every part, or stand elsewhere, the video is not cut from there on.
 */
static bool is_cut(FvChip *chip, const AVPacket *packet)
{
    const Part *last = chip->last;
    if (!chip->cuts)
        return false;
    const FvPacketPart part = fv_packet_part(packet, chip->shared.params.parameters);
    if (!last)
        chip->sets = part.sets;
    chip->cuts = !fv_packet_has_new_sets(packet) && (part.sets == chip->sets || !(part.begins || part.sets));
    return chip->cuts && last && part.begins && packet->flags & AV_PKT_FLAG_KEY && last->packets >= LEAST_PART &&
           packet->pts != AV_NOPTS_VALUE && !last->timeless && last->times.count &&
           packet->pts > last->times.item[last->times.count - 1];
}

static FvStatus push(FvChip *chip, const AVPacket *packet, FvError *error)
{
    FvStatus status = FV_OK;
    const bool cut = is_cut(chip, packet);
    if (cut)
        status = close_part(chip, error);
    if (!status && (cut || !chip->last))
        status = begin_part(chip, error);
    if (status)
        return status;
    Part *part = chip->last;
    const bool begins = !part->packets;
    part->packets++;
    pthread_mutex_lock(&chip->shared.lock);
    if (chip->shared.longest < part->packets)
        chip->shared.longest = part->packets;
    pthread_mutex_unlock(&chip->shared.lock);
    if (!(packet->flags & AV_PKT_FLAG_DISCARD)) {
        chip->frames++;
        part->timeless |= packet->pts == AV_NOPTS_VALUE;
        if (!part->timeless && !add_time(&part->times, packet->pts))
            return fv_fail_memory(error, sizeof(int64_t));
    }
    AVPacket *copy = av_packet_clone(packet);
    return copy ? fv_chip_lane_push(part->lane, copy, begins ? part->first : -1, error)
                : fv_fail_memory(error, (size_t)packet->size);
}

/* Gives the decoders one packet, or the end. */
static FvStatus feed(FvChip *chip, FvError *error)
{
    const AVPacket *packet = NULL;
    const int code = chip->shared.params.demux(chip->shared.params.opaque, &packet);
    if (!code)
        return push(chip, packet, error);
    if (code != AVERROR_EOF)
        return fv_fail(error, FV_ERROR_DEVICE, "the file cannot be read to its end");
    FvStatus status = chip->last ? close_part(chip, error) : FV_OK;
    pthread_mutex_lock(&chip->shared.lock);
    chip->shared.ended = true;
    pthread_cond_broadcast(&chip->shared.changed);
    pthread_mutex_unlock(&chip->shared.lock);
    return status;
}

static bool has_room(const FvChip *chip)
{
    const FvChipShared *shared = &chip->shared;
    return !shared->ended &&
           (shared->queued < LEAST_PACKETS || (shared->queued < MOST_PACKETS && shared->queued_bytes < MOST_BYTES));
}

/* ---- Reading --------------------------------------------------------------------------------------------------- */

/* Whether it is certain when the next frame of the part is shown. */
static bool is_certain(const Part *part)
{
    return part->closed || part->times.count - part->read >= REORDER;
}

static FvStatus check_frame(FvChip *chip, Part *part, const FvFrame *frame, FvError *error)
{
    int64_t time;
    if (part->timeless)
        return fv_fail(error, FV_ERROR_DEVICE, "its packets have no times");
    if (part->read >= part->times.count || !fv_frame_time(frame, &time) || time != part->times.item[part->read] ||
        (chip->read && time <= chip->time))
        return fv_fail(error, FV_ERROR_DEVICE, "frame %lld is shown at another time than its packets promise",
                       (long long)(chip->shared.params.first + chip->read));
    chip->time = time;
    return FV_OK;
}

/* Leaves the part at its end. */
static FvStatus end_part(FvChip *chip, FvError *error)
{
    Part *part = chip->first;
    const bool whole = part->read == part->times.count;
    chip->first = part->next;
    if (!chip->first)
        chip->last = NULL;
    free_part(part);
    return whole ? FV_OK
                 : fv_fail(error, FV_ERROR_DEVICE, "there are not as many frames as packets before frame %lld",
                           (long long)(chip->shared.params.first + chip->read));
}

/* Whether the CPU looks at packets of the next part before it shows the next frame of this one. */
static bool looks_ahead(const FvChip *chip, const Part *part)
{
    return part->next && part->times.count - part->read <= chip->shared.params.delay;
}

/* What the decoder of the first part has next; NULL: nothing that can be delivered now. With the lock held. */
static FvChipItem *next_item(FvChip *chip)
{
    Part *part = chip->first;
    if (!part || !part->lane->out.first)
        return NULL;
    if (part->lane->out.first->frame.frame &&
        (!is_certain(part) || (looks_ahead(chip, part) && !part->next->lane->out.first)))
        return NULL;
    FvChipItem *item = fv_chip_queue_take(&part->lane->out);
    pthread_cond_broadcast(&chip->shared.changed);
    return item;
}

/* Where it fails, and how many frames there are before that, does not depend on how fast the decoders are. */
static const FvError *failure_of(const FvChip *chip)
{
    const Part *part = chip->first;
    if (part && looks_ahead(chip, part) && part->lane->out.first)
        part = part->next;
    return part && !part->lane->out.first && part->lane->failure.status ? &part->lane->failure : NULL;
}

/* Waits for an item; *feeds: a packet can be read instead. FV_END: there are none any more. */
static FvStatus wait_for_item(FvChip *chip, FvChipItem **item, bool *feeds, FvError *error)
{
    FvChipShared *shared = &chip->shared;
    FvStatus status = FV_OK;
    *item = NULL;
    *feeds = false;
    pthread_mutex_lock(&shared->lock);
    for (;;) {
        *item = next_item(chip);
        const FvError *failure = *item ? NULL : failure_of(chip);
        if (failure)
            status = fv_fail(error, FV_ERROR_DEVICE, "%s", failure->message);
        else if (!*item && !(*feeds = has_room(chip)) && !chip->first)
            status = FV_END;
        if (status || *item || *feeds)
            break;
        pthread_cond_wait(&shared->changed, &shared->lock);
    }
    pthread_mutex_unlock(&shared->lock);
    return status;
}

static bool asks_room(FvChip *chip)
{
    pthread_mutex_lock(&chip->shared.lock);
    const bool room = has_room(chip);
    pthread_mutex_unlock(&chip->shared.lock);
    return room;
}

static FvStatus read_next(FvChip *chip, FvChipFrame *frame, FvError *error)
{
    FvStatus status = FV_OK;
    frame->frame = NULL;
    while (!status && !frame->frame) {
        FvChipItem *item;
        bool feeds;
        status = wait_for_item(chip, &item, &feeds, error);
        if (!status && feeds)
            status = feed(chip, error);
        if (status || !item)
            continue;
        *frame = item->frame;
        fv_free(item);
        status = frame->frame ? check_frame(chip, chip->first, frame->frame, error) : end_part(chip, error);
        if (status || !frame->frame)
            continue;
        chip->first->read++;
        chip->read++;
        if (chip->time < chip->shared.params.from)
            fv_frame_unref(&frame->frame);
    }
    if (status)
        fv_frame_unref(&frame->frame);
    if (status)
        return status;
    /* More packets than a frame has, so that the other decoders get theirs. */
    for (int i = 0; i <= chip->lane_count && !status && asks_room(chip); i++)
        status = feed(chip, error);
    if (status)
        fv_frame_unref(&frame->frame);
    return status;
}

FvStatus fv_chip_read(FvChip *chip, FvChipFrame *frame, FvError *error)
{
    FvError own = {0};
    error = error ? error : &own;
    if (chip->failure.status)
        return fv_fail(error, FV_ERROR_DEVICE, "%s", chip->failure.message);
    FvStatus status = read_next(chip, frame, error);
    if (status && status != FV_END) {
        chip->failure = *error;
        chip->failure.status = FV_ERROR_DEVICE;
        status = error->status = FV_ERROR_DEVICE;
    }
    return status;
}

/* ---- Opening and closing --------------------------------------------------------------------------------------- */

/*
 * Memory for frames, so that none is asked for while the driver makes decoders, when it takes 20 ms for one. What is
 * not to be had now may be later.
 */
static void reserve(const FvChip *chip, int count)
{
    const FvChipParams *params = &chip->shared.params;
    FvFrame *frames[FV_CHIP_DECODERS * FV_CHIP_WAITING];
    int made = 0;
    while (made < count &&
           !params->make(params->opaque, &frames[made], &params->format, FV_MEMORY_DEVICE, &(FvError){0}))
        made++;
    while (made)
        fv_frame_unref(&frames[--made]);
}

FvStatus fv_chip_open(FvChip **chip, const FvChipParams *params, FvError *error)
{
    FvChip *c = *chip = fv_alloc_zero(sizeof *c);
    if (!c)
        return fv_fail_memory(error, sizeof *c);
    c->shared.params = *params;
    c->lane_count = params->decoders < FV_CHIP_DECODERS ? params->decoders : FV_CHIP_DECODERS;
    c->lane_count = c->lane_count > 1 ? c->lane_count : 1;
    c->cuts = c->lane_count > 1;
    c->frames = params->first;
    pthread_mutex_init(&c->shared.lock, NULL);
    pthread_cond_init(&c->shared.changed, NULL);
    const size_t fit = params->room / fv_format_plane_bytes(&params->format) / (size_t)c->lane_count;
    for (int i = 0; i < c->lane_count; i++) {
        c->lanes[i].shared = &c->shared;
        c->lanes[i].index = i;
        c->lanes[i].room = fit < 2 ? 2 : fit > MOST_ROOM ? MOST_ROOM : (int)fit;
    }
    if (!params->on_host)
        reserve(c, c->lane_count * (c->lanes[0].room < FV_CHIP_WAITING ? c->lanes[0].room : FV_CHIP_WAITING));
    return FV_OK;
}

void fv_chip_close(FvChip **chip)
{
    FvChip *c = *chip;
    *chip = NULL;
    if (!c)
        return;
    pthread_mutex_lock(&c->shared.lock);
    c->shared.stopping = true;
    pthread_cond_broadcast(&c->shared.changed);
    pthread_mutex_unlock(&c->shared.lock);
    for (int i = 0; i < c->lanes_used; i++)
        fv_chip_lane_stop(&c->lanes[i]);
    for (Part *part = c->first; part;) {
        Part *next = part->next;
        free_part(part);
        part = next;
    }
    pthread_cond_destroy(&c->shared.changed);
    pthread_mutex_destroy(&c->shared.lock);
    fv_free(c);
}
