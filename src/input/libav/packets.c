#include "input/libav/packets.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/rank.h"
#include "input/libav/calls.h"
#include "os/memory.h"

/* Returns whether every packet of the codec is a complete, independent picture. */
static bool is_intra(enum AVCodecID codec)
{
    const AVCodecDescriptor *descriptor = avcodec_descriptor_get(codec);
    return descriptor && descriptor->props & AV_CODEC_PROP_INTRA_ONLY;
}

typedef struct Shown {
    int64_t time, size;
} Shown;

static int compare(const void *a, const void *b)
{
    const int64_t x = ((const Shown *)a)->time, y = ((const Shown *)b)->time;
    return (x > y) - (x < y);
}

/* Sorts times and sizes into the order in which pictures are shown. */
static bool sort(FvPackets *packets)
{
    const int64_t count = packets->shown.count;
    Shown *shown = malloc((size_t)count * sizeof *shown + 1);
    for (int64_t i = 0; i < count && shown; i++)
        shown[i] = (Shown){packets->shown.item[i], packets->sizes.item[i]};
    if (shown)
        qsort(shown, (size_t)count, sizeof *shown, compare);
    for (int64_t i = 0; i < count && shown; i++) {
        packets->shown.item[i] = shown[i].time;
        packets->sizes.item[i] = shown[i].size;
    }
    free(shown);
    return shown != NULL;
}

static bool ascends(const FvNumbers *numbers)
{
    for (int64_t i = 1; i < numbers->count; i++)
        if (numbers->item[i] <= numbers->item[i - 1])
            return false;
    return true;
}

static bool is_hidden(const AVPacket *packet, enum AVCodecID codec)
{
    return packet->flags & AV_PKT_FLAG_DISCARD ||
           (codec == AV_CODEC_ID_VP8 && packet->size && !(packet->data[0] >> 4 & 1));
}

static int64_t size_of(int64_t bytes, int flags)
{
    return 2 * bytes + !!(flags & AV_PKT_FLAG_KEY);
}

bool fv_late_start_drops(FvLateStart *start, const AVPacket *packet)
{
    start->leading = start->leading && packet->pts <= start->pts;
    return start->leading && packet->pts < start->pts;
}

bool fv_packets_add(FvPackets *packets, const AVPacket *packet, enum AVCodecID codec)
{
    const int64_t decoded = packet->dts == AV_NOPTS_VALUE ? packet->pts : packet->dts;
    bool added = true;
    packets->untimed |= packet->pts == AV_NOPTS_VALUE;
    packets->dts_decreases |= packets->decoded.count && decoded < packets->decoded.item[packets->decoded.count - 1];
    packets->dts_unusable |= packets->has_dts && (packet->dts == AV_NOPTS_VALUE || packet->dts < packets->last_dts);
    packets->has_dts |= packet->dts != AV_NOPTS_VALUE;
    packets->last_dts = packet->dts;
    if (!is_hidden(packet, codec)) {
        added = fv_numbers_add(&packets->shown, packet->pts) && fv_numbers_add(&packets->decoded, decoded) &&
                fv_numbers_add(&packets->sizes, size_of(packet->size + packets->hidden, packet->flags));
        packets->hidden = 0;
    } else if (!(packet->flags & AV_PKT_FLAG_DISCARD))
        packets->hidden += packet->size;
    if (added && packet->flags & AV_PKT_FLAG_KEY)
        added = fv_numbers_add(&packets->key_shown, packet->pts) && fv_numbers_add(&packets->key_decoded, decoded);
    packets->incomplete |= !added;
    return added;
}

void fv_packets_free(FvPackets *packets)
{
    free(packets->shown.item);
    free(packets->decoded.item);
    free(packets->sizes.item);
    free(packets->key_shown.item);
    free(packets->key_decoded.item);
    *packets = (FvPackets){.hidden = 0};
}

static FvStatus fail_packets(const FvContainer *container, int code, FvError *error)
{
    return fv_container_fail(container, "its packets cannot be listed", code, error);
}

static FvStatus read_packets(FvContainer *container, int stream, FvLateStart start, FvPackets *packets,
                             FvError *error)
{
    AVFormatContext *demuxer = container->demuxer;
    AVPacket *packet = av_packet_alloc();
    int code = packet ? 0 : AVERROR(ENOMEM);
    bool added = true;
    start.leading = start.late;
    for (unsigned i = 0; i < demuxer->nb_streams; i++)
        demuxer->streams[i]->discard = (int)i == stream ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
    while (!code && added) {
        fv_memory_watch();
        code = fv_libav_result(av_read_frame(demuxer, packet));
        const bool counts = !code && packet->stream_index == stream && --start.packets < 0;
        if (counts && !fv_late_start_drops(&start, packet))
            added = fv_packets_add(packets, packet, demuxer->streams[stream]->codecpar->codec_id);
        av_packet_unref(packet);
    }
    av_packet_free(&packet);
    if (!added || code == AVERROR(ENOMEM) || code == FV_LIBAV_MEMORY)
        return fv_fail_memory(error, (size_t)packets->decoded.room * sizeof(int64_t));
    if (code == AVERROR_EOF && demuxer->pb && demuxer->pb->error < 0)
        code = demuxer->pb->error;
    return code == AVERROR_EOF && !fv_libav_log_complained(container->log)
               ? FV_OK
               : fail_packets(container, code == AVERROR_EOF ? AVERROR_INVALIDDATA : code, error);
}

/* Reads the packets of the file, which it opens a second time so that the position of decoding does not change. */
static FvStatus scan(const FvSource *source, const char *format, const AVFormatContext *opened, int stream,
                     const FvLateStart *start, FvPackets *packets, FvError *error)
{
    FvSource *again = fv_alloc_zero(sizeof *again);
    FvContainer container = {.demuxer = NULL};
    FvLibavLog log = {.complained = false};
    if (!again)
        return fv_fail_memory(error, sizeof *again);
    again->path = source->path;
    again->first_image = source->first_image;
    again->images = source->images;
    again->cancel = source->cancel;
    again->info.path = source->info.path;
    again->stream.fd = -1;
    fv_libav_log_open(&log);
    fv_libav_log_enter(&log);
    /* If libavformat opens the path itself, the source has no stream. */
    FvStatus status =
        source->stream.fd < 0 ? FV_OK : fv_stream_open(&again->stream, source->path, source->cancel, error);
    const bool listed = fv_container_is_mov(opened) && opened->streams[stream]->nb_frames > 0;
    if (!status)
        status = listed ? fv_container_open_list(&container, again, format, &log, error)
                        : fv_container_open(&container, again, format, AV_CODEC_ID_PRORES, &log, error);
    if (!status &&
        (stream >= (int)container.demuxer->nb_streams ||
         container.demuxer->streams[stream]->codecpar->codec_id != opened->streams[stream]->codecpar->codec_id))
        status = fail_packets(&container, AVERROR_INVALIDDATA, error);
    fv_libav_log_clear(&log);
    if (!status)
        status = read_packets(&container, stream, *start, packets, error);
    fv_container_close(&container);
    fv_stream_close(&again->stream);
    fv_libav_log_leave();
    fv_libav_log_close(&log);
    fv_free(again);
    return status;
}

/*
 * Adds the packets from the list of MOV or MP4, which has every picture, so that no packet must be read, if each
 * packet is a complete picture.
 */
static bool take_list(FvPackets *packets, AVStream *stream, bool *memory)
{
    const int count = avformat_index_get_entries_count(stream);
    for (int i = 0; i < count && *memory; i++) {
        const AVIndexEntry *entry = avformat_index_get_entry(stream, i);
        if (!(entry->flags & AVINDEX_DISCARD_FRAME))
            *memory = fv_numbers_add(&packets->decoded, entry->timestamp) &&
                      fv_numbers_add(&packets->sizes,
                                     size_of(entry->size, entry->flags & AVINDEX_KEYFRAME ? AV_PKT_FLAG_KEY : 0));
    }
    return packets->decoded.count > 0 && ascends(&packets->decoded);
}

static int64_t *append_number(FvNumbers *numbers)
{
    int64_t *item = numbers->item;
    *numbers = (FvNumbers){.count = 0};
    return item;
}

/*
 * Makes the entries of the index: key packets, where decoding may begin. times: presentation times of the frames, in
 * order; decoded: decoding times of key packets.
 */
static FvStatus make_entries(FvIndex *index, const FvPackets *packets, const FvNumbers *times,
                             const FvNumbers *decoded, FvError *error)
{
    FvNumbers frame = {.count = 0}, pts = {.count = 0}, dts = {.count = 0};
    bool added = true;
    for (int64_t i = 0; i < packets->key_shown.count && added; i++) {
        const int64_t number = fv_rank(times->item, times->count, packets->key_shown.item[i]);
        if (frame.count ? number > frame.item[frame.count - 1] && number < times->count : !number)
            added = fv_numbers_add(&frame, number) && fv_numbers_add(&pts, packets->key_shown.item[i]) &&
                    fv_numbers_add(&dts, decoded->item[i]);
    }
    index->shown.entry_count = frame.count;
    index->shown.entries = index->entries = append_number(&frame);
    index->enter_pts = append_number(&pts);
    index->enter_dts = append_number(&dts);
    return added ? FV_OK : fv_fail_memory(error, (size_t)times->count * sizeof(int64_t));
}

/* Makes the beginning the only entry, because no other place is safe to start at. */
static FvStatus enter_at_start(FvIndex *index, FvError *error)
{
    index->entries = calloc(1, sizeof *index->entries);
    index->shown.entries = index->entries;
    index->shown.entry_count = 1;
    return index->entries ? FV_OK : fv_fail_memory(error, sizeof *index->entries);
}

static FvStatus use_packets(FvIndex *index, FvPackets *packets, bool intra, FvError *error)
{
    index->shown.frames = packets->shown.count;
    if (!packets->dts_decreases && !packets->untimed && intra && ascends(&packets->shown) &&
        ascends(&packets->decoded)) {
        index->time = append_number(&packets->shown);
        index->place = append_number(&packets->decoded);
        index->packets = append_number(&packets->sizes);
        return FV_OK;
    }
    if (!packets->untimed && !sort(packets))
        return fv_fail_memory(error, (size_t)packets->shown.count * sizeof(Shown));
    const bool told_apart = !packets->untimed && ascends(&packets->shown);
    if (told_apart)
        index->packets = append_number(&packets->sizes);
    /*
     * Matroska does not state when packets are decoded: libavformat computes it, but not for the first packets, nor
     * for those after a seek. Pictures still have an order, and key packets their presentation times.
     */
    const bool ordered = told_apart && (!packets->dts_decreases || (packets->has_dts && !packets->dts_unusable));
    if (!ordered)
        return enter_at_start(index, error);
    FvStatus status = make_entries(index, packets, &packets->shown,
                                   packets->dts_decreases ? &packets->key_shown : &packets->key_decoded, error);
    if (!status && !index->shown.entry_count) {
        fv_index_free(index);
        index->shown.frames = packets->shown.count;
        return enter_at_start(index, error);
    }
    index->time = append_number(&packets->shown);
    return status;
}

static bool copy_numbers(FvNumbers *to, const FvNumbers *from)
{
    *to = (FvNumbers){.item = malloc((size_t)from->count * sizeof *from->item + 1), .count = from->count};
    if (to->item && from->count)
        memcpy(to->item, from->item, (size_t)from->count * sizeof *from->item);
    return to->item;
}

FvStatus fv_packets_read(FvIndex *index, const FvPackets *packets, FvError *error)
{
    FvPackets sorted = {.hidden = 0};
    const bool good = !packets->incomplete && copy_numbers(&sorted.shown, &packets->shown) &&
                      copy_numbers(&sorted.sizes, &packets->sizes) && sort(&sorted);
    if (good && !packets->untimed && ascends(&sorted.shown)) {
        index->shown.frames = sorted.shown.count;
        index->time = append_number(&sorted.shown);
        index->packets = append_number(&sorted.sizes);
    }
    fv_packets_free(&sorted);
    return good ? FV_OK : fv_fail_memory(error, (size_t)packets->shown.count * sizeof(Shown));
}

FvStatus fv_packets_index(FvIndex *index, const FvSource *source, const char *format, const AVFormatContext *opened,
                          int stream, const FvLateStart *start, FvError *error)
{
    AVStream *video = opened->streams[stream];
    FvPackets packets = {.hidden = 0};
    const bool intra = is_intra(video->codecpar->codec_id);
    bool memory = true, listed = false;
    if (intra && fv_container_is_mov(opened) && video->nb_frames == avformat_index_get_entries_count(video))
        listed = take_list(&packets, video, &memory);
    FvStatus status = memory ? FV_OK : fv_fail_memory(error, (size_t)packets.decoded.room * sizeof(int64_t));
    if (!status && listed) {
        index->shown.frames = packets.decoded.count;
        index->place = append_number(&packets.decoded);
        index->packets = append_number(&packets.sizes);
    } else if (!status) {
        packets.decoded.count = packets.sizes.count = 0;
        status = scan(source, format, opened, stream, start, &packets, error);
        if (!status)
            status = use_packets(index, &packets, intra, error);
        if (!status && !index->shown.frames)
            status = fv_fail(error, FV_FAIL_NO_VIDEO, "%s has no video frame; check that the file is complete",
                             source->info.path);
    }
    fv_packets_free(&packets);
    return status;
}
