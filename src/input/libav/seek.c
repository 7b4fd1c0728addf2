#include "input/libav/seek.h"

#include <inttypes.h>

#include "base/error.h"
#include "input/libav/calls.h"
#include "input/packet/random_access.h"
#include "os/cancel.h"

#define LITTLE 8        /* number of frames for which reading on is cheaper than seeking */
#define MOST_ENTRIES 16 /* maximum number of entries before which another decoder begins */

static bool find_entry(FvDemux *demux, const FvIndex *index, int64_t entry)
{
    return index->place ? fv_demux_find(demux, index->place[entry], AV_NOPTS_VALUE)
                        : fv_demux_find(demux, index->enter_dts[entry], index->enter_pts[entry]);
}

/*
 * Seeks to an entry of the index, or to the one before it if pictures of the entry need that one, and reads on to
 * `frame`.
 */
static FvStatus jump(FvVideo *video, int64_t entry, int64_t frame, FvError *error)
{
    FvDemux *demux = &video->demux;
    const FvIndex *index = &video->source->index;
    bool found = find_entry(demux, index, entry);
    /* The first pictures of an entry may refer to earlier packets; pictures after the next entry do not. */
    if (found && !index->place && !fv_packet_alone(demux->ahead[0].packet, fv_demux_codec(demux)))
        found = --entry >= 1 && find_entry(demux, index, entry);
    if (!found)
        return FV_ERROR_INPUT;
    fv_decoder_flush(&video->decoder);
    fv_libav_log_clear(&video->decoder.log);
    fv_video_turn(video, FV_VIDEO_OPENED);
    video->entered = true;
    video->entered_pts = demux->ahead[0].packet->pts;
    video->source->next = index->place ? entry : index->entries[entry];
    return fv_video_advance(video, frame, error);
}

FvStatus fv_video_seek(FvVideo *video, int64_t frame, FvError *error)
{
    FvSource *source = video->source;
    const FvIndex *index = &source->index;
    const int64_t entry = index->place ? frame : fv_index_entry(index, frame);
    const int64_t first = index->place ? entry : index->entries[entry];
    const bool known = index->place || index->enter_pts; /* the place of the entry is known */
    fv_skips_stop(&video->skips);
    FvStatus status = video->state == FV_VIDEO_HARDWARE || video->state == FV_VIDEO_LEFT
                          ? fv_video_restart(video, error)
                          : fv_video_settle(video, error);
    /*
     * Reads on in a video without earlier seeks, unless seeking is much faster: reading on finds every damaged frame.
     */
    const bool slow = !status && !video->entered && known && !index->place &&
                      fv_skips_possible(fv_demux_codec(&video->demux)) &&
                      frame - source->next > (frame - first) / 2 + LITTLE;
    const bool forward = video->state != FV_VIDEO_LOST && source->next <= frame && source->next >= first && !slow;
    if (!status)
        status = forward ? fv_video_advance(video, frame, error) : known ? jump(video, entry, frame, error) : FV_END;
    if (status && !fv_cancel_requested(source->cancel)) {
        status = fv_video_restart(video, error);
        if (!status)
            status = fv_video_advance(video, frame, error);
    }
    return status;
}

/* Returns whether another decoder may begin at the key packet that find_entry() found. */
static bool begins_anywhere(const FvDemux *demux)
{
    const enum AVCodecID codec = fv_demux_codec(demux)->codec_id;
    /* Chromium begins at IDR pictures only, and not at the other key packets of H.264. */
    return (codec != AV_CODEC_ID_H264 && codec != AV_CODEC_ID_HEVC) ||
           fv_packet_alone(demux->ahead[0].packet, fv_demux_codec(demux));
}

FvStatus fv_video_enter(FvVideo *video, int64_t frame, FvError *error)
{
    FvDemux *demux = &video->demux;
    const FvIndex *index = &video->source->index;
    const int64_t last = index->place ? frame : fv_index_entry(index, frame);
    const AVCodec *codec;
    fv_libav_log_clear(&video->decoder.log);
    for (int64_t entry = last; entry > 0; entry--) {
        if (last - entry == MOST_ENTRIES)
            return fv_fail(error, FV_FAIL_UNSUPPORTED,
                           "%s has no picture near frame %" PRId64 " at which another decoder can begin",
                           video->source->info.path, frame);
        if (!find_entry(demux, index, entry))
            break;
        if (begins_anywhere(demux)) {
            video->entered_pts = demux->ahead[0].packet->pts;
            video->source->next = index->place ? entry : index->entries[entry];
            return FV_OK;
        }
    }
    video->entered_pts = INT64_MIN;
    video->source->next = 0;
    return fv_video_rewind(video, &codec, error);
}
