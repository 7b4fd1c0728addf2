#include "input/libav/skip_frames.h"

#include <string.h>

#include "input/libav/calls.h"

void fv_skip_choose(FvVideo *video)
{
    FvSource *source = video->source;
    FvSkips *skips = &video->skips;
    if (skips->how || video->state == FV_VIDEO_PEEKED || video->state == FV_VIDEO_HARDWARE ||
        video->state == FV_VIDEO_LEFT || !fv_selection_leaves_out(&source->services.need))
        return;
    skips->how = FV_SKIPPING_NONE;
    if (video->entered)
        return;
    const AVCodecParameters *codec = fv_demux_codec(&video->demux);
    skips->need = source->services.need;
    skips->from = video->demux.shown;
    if (fv_skips_whole_packets(codec)) {
        skips->how = FV_SKIPPING_PACKETS;
        return;
    }
    /* A delivered picture is identified by its time in the index. Making the index reads the file. */
    const FvSourceIndex *index;
    FvError ignored;
    if (!fv_skips_possible(codec) || source->stream.waits || source->images ||
        fv_source_index(source, &index, &ignored) || !source->index.time)
        return;
    fv_skips_begin(skips, &source->index, source->next, source->index.shown.frames, &source->services.need);
    if (skips->out)
        skips->how = FV_SKIPPING_UNREFERENCED;
}

bool fv_skip_lacks_frames(const FvVideo *video)
{
    return video->skips.how > FV_SKIPPING_NONE &&
           memcmp(&video->skips.need, &video->source->services.need, sizeof video->skips.need);
}

/* Returns the presentation time that the packet of a frame states. */
static int64_t time_of(const FvVideo *video, int64_t frame)
{
    const FvIndex *index = &video->source->index;
    const FvPackets *seen = &video->demux.seen;
    if (video->skips.how == FV_SKIPPING_UNREFERENCED)
        return frame < index->shown.frames ? index->time[frame] : AV_NOPTS_VALUE;
    return video->skips.how == FV_SKIPPING_PACKETS && !seen->incomplete && frame < seen->shown.count
               ? seen->shown.item[frame]
               : AV_NOPTS_VALUE;
}

/*
 * Decodes a picture. If its time is not the one that its packet states, everything is decoded again from the
 * beginning.
 */
static FvStatus decode_timed(FvVideo *video, FvError *error)
{
    const int64_t number = video->source->next;
    FvStatus status = fv_video_decode(video, error);
    if (status || video->skips.how <= FV_SKIPPING_NONE ||
        video->decoder.picture->pts == time_of(video, fv_skips_next(&video->skips, number)))
        return status;
    status = fv_video_restart(video, error);
    if (!status)
        status = fv_video_advance(video, number, error);
    return status || video->state == FV_VIDEO_READY ? status : fv_video_decode(video, error);
}

FvStatus fv_skip_decode_needed(FvVideo *video, FvError *error)
{
    return video->state == FV_VIDEO_READY ? FV_OK : decode_timed(video, error);
}

/* Drops the packet of the next frame, unless it was dropped already. */
static FvStatus pass_packet(FvVideo *video, FvError *error)
{
    video->source->undecoded++;
    if (video->source->next < video->demux.shown)
        return FV_OK;
    return video->decoder.end ? fv_video_decode(video, error) : fv_demux_next(&video->demux, error);
}

/*
 * Skips a picture. Only the next picture shows whether the packet was dropped; that picture is then kept to be read.
 */
static FvStatus pass_picture(FvVideo *video, FvError *error)
{
    FvSource *source = video->source;
    FvStatus status = fv_skip_decode_needed(video, error);
    const bool dropped = fv_skips_next(&video->skips, source->next) > source->next;
    fv_video_turn(video, dropped && !status ? FV_VIDEO_FOUND : FV_VIDEO_TAKEN);
    source->undecoded += dropped;
    if (!status && !dropped)
        av_frame_unref(video->decoder.picture);
    return status == FV_END && dropped ? FV_OK : status;
}

FvStatus fv_skip_frame(FvVideo *video, FvFrame **frame, FvError *error)
{
    const FvSource *source = video->source;
    const bool packets = video->skips.how == FV_SKIPPING_PACKETS && source->next >= video->skips.from;
    fv_libav_log_enter(&video->decoder.log);
    FvStatus status = packets ? pass_packet(video, error) : pass_picture(video, error);
    if (status)
        fv_video_turn(video, FV_VIDEO_FAILED);
    fv_libav_log_leave();
    if (!status)
        status = fv_frame_skip_decoding(frame, &source->info.format, error);
    int64_t ticks = time_of(video, source->next);
    if (ticks == AV_NOPTS_VALUE && packets && !video->demux.seen.incomplete)
        ticks = video->demux.seen.decoded.item[source->next];
    if (!status && ticks != AV_NOPTS_VALUE)
        fv_frame_set_time(*frame, ticks);
    return status;
}
