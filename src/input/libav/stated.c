/* What a container says of the video in it: its ticks, and how long it is. */
#include <stdio.h>

#include "base/timecode.h"
#include "input/libav/calls.h"
#include "input/libav/video.h"
#include "input/libav/tags.h"

/* What the container says; edit lists and damaged files can make it wrong. */
static int64_t count_frames(const FvLibav *libav, int images)
{
    AVStream *stream = libav->container.demuxer->streams[libav->stream];
    int entries = avformat_index_get_entries_count(stream);
    const AVRational rate = fv_tags_rate(stream);
    if (images)
        return images;
    /* AVI counts ticks, of which a frame may have two. */
    if (!fv_libav_is_mov(libav) && stream->nb_frames > 0 && stream->duration > 0 && rate.den)
        return av_rescale_q(stream->duration, stream->time_base, av_inv_q(rate));
    if (stream->nb_frames <= 0 || entries <= 0)
        return stream->nb_frames > 0 ? stream->nb_frames : -1;
    int64_t shown = 0;
    for (int i = 0; i < entries; i++)
        shown += !(avformat_index_get_entry(stream, i)->flags & AVINDEX_DISCARD_FRAME);
    return shown ? shown : -1;
}

/* "01:02:03.456", as Matroska has it in the tags of a stream; 0: it has none. */
static double tagged_seconds(const AVStream *stream)
{
    const AVDictionaryEntry *tag = av_dict_get(stream->metadata, "DURATION", NULL, 0);
    int hours, minutes;
    double seconds;
    if (!tag || sscanf(tag->value, "%d:%d:%lf", &hours, &minutes, &seconds) != 3 || hours < 0 || minutes < 0)
        return 0;
    return 3600.0 * hours + 60.0 * minutes + seconds;
}

/* How long the container says that the video is; 0: it does not say. What is estimated from a part of it does not
 * count, nor do time stamps that may start again. */
static double stated_seconds(const FvLibav *libav)
{
    const AVFormatContext *demuxer = libav->container.demuxer;
    const AVStream *stream = demuxer->streams[libav->stream];
    double seconds = tagged_seconds(stream);
    const double start =
        stream->start_time == AV_NOPTS_VALUE ? 0 : (double)stream->start_time * av_q2d(stream->time_base);
    if (demuxer->iformat->flags & AVFMT_TS_DISCONT)
        return 0;
    if (seconds <= 0 && demuxer->nb_streams == 1 && demuxer->duration > 0 &&
        demuxer->duration_estimation_method == AVFMT_DURATION_FROM_STREAM)
        seconds = (double)demuxer->duration / AV_TIME_BASE;
    return start > 0 && seconds > start ? seconds - start : seconds;
}

static FvTimecode stated_timecode(const FvLibav *libav)
{
    const AVStream *stream = libav->container.demuxer->streams[libav->stream];
    const AVRational rate = fv_tags_rate(stream);
    const AVDictionaryEntry *tag = av_dict_get(stream->metadata, "timecode", NULL, 0);
    if (!tag)
        tag = av_dict_get(libav->container.demuxer->metadata, "timecode", NULL, 0);
    return fv_timecode_read(tag ? tag->value : NULL, rate.num, rate.den);
}

void fv_libav_take_container(FvSource *source)
{
    const FvLibav *libav = source->state;
    const AVStream *stream = libav->container.demuxer->streams[libav->stream];
    source->tick_num = stream->time_base.num;
    source->tick_den = stream->time_base.den;
    source->indexed = fv_libav_is_mov(libav) || source->images;
    source->info.container = libav->container.demuxer->iformat->name;
    source->info.frames = count_frames(libav, source->images);
    source->seconds = stated_seconds(libav);
    source->info.timecode = stated_timecode(libav);
}
