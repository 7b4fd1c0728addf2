#include "input/libav/facts.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/timecode.h"
#include "input/image/jpeg_xl.h"
#include "input/image/tiff.h"
#include "input/image/unsupported_samples.h"
#include "input/libav/calls.h"

/* Refuses tiled and cropped pictures: libavformat would deliver only the first tile, or the uncropped picture. */
FvStatus fv_facts_take_file(FvFacts *facts, const FvSource *source, FvError *error)
{
    fv_heif_read(&facts->heif, &source->stream);
    facts->turn = facts->heif.orientation;
    if (!facts->heif.tiled && !facts->heif.cropped)
        return FV_OK;
    return fv_fail(error, FV_FAIL_UNSUPPORTED,
                   "%s: the picture is %s, which libav ignores; convert it to PNG first, for example with "
                   "avifdec",
                   source->info.path, facts->heif.tiled ? "made of tiles" : "a part of the stored one");
}

/*
 * Reads facts from the first packet. Of an animation, libavformat puts the chunks before the first picture not into
 * the packet but into the stream's extradata.
 */
void fv_facts_take_packet(FvFacts *facts, const AVCodecParameters *codec, const AVPacket *packet)
{
    const uint8_t *bytes = packet->data;
    const size_t size = (size_t)packet->size;
    for (int i = 0; i < packet->side_data_elems; i++)
        facts->encrypted |= packet->side_data[i].type == AV_PKT_DATA_ENCRYPTION_INFO;
    if (codec->codec_id == AV_CODEC_ID_MJPEG) {
        facts->inks = fv_inks_of_jpeg(bytes, size);
        facts->one_picture = fv_jpeg_has_others(bytes, size);
    } else if (codec->codec_id == AV_CODEC_ID_JPEGXL) {
        facts->pictures = fv_jpeg_xl_moves(bytes, size) ? 2 : 0;
    } else if (codec->codec_id == AV_CODEC_ID_WEBP) {
        /* the extended header, VP8X, has a flag for animations */
        facts->animated_webp = size > 20 && !memcmp(bytes + 8, "WEBPVP8X", 8) && bytes[20] & 2;
        facts->turn = fv_orientation_of_webp(bytes, size);
    } else if (codec->codec_id == AV_CODEC_ID_TIFF) {
        facts->inks = fv_inks_of_tiff(bytes, size);
        facts->turn = fv_orientation_of_tiff(bytes, size);
        facts->pictures = fv_tiff_pages(bytes, size);
    } else if (codec->codec_id == AV_CODEC_ID_PNG) {
        facts->png = fv_png_read(bytes, size);
        facts->turn = fv_orientation_of_png(bytes, size);
    } else if (codec->codec_id == AV_CODEC_ID_APNG)
        facts->png = fv_png_read(codec->extradata, (size_t)codec->extradata_size);
}

FvStatus fv_facts_refuse_encrypted(const FvSource *source, FvError *error)
{
    return fv_fail(error, FV_FAIL_UNSUPPORTED,
                   "%s is encrypted, and fovea has no keys: decrypt it first, for example with mp4decrypt or ffmpeg "
                   "-decryption_key",
                   source->info.path);
}

FvStatus fv_facts_refuse_inks(const FvFacts *facts, const FvSource *source, FvError *error)
{
    return fv_fail(error, FV_ERROR_INPUT,
                   "%s: %s: convert the picture to RGB of 8 or 16 bits first, for instance to PNG", source->info.path,
                   facts->inks);
}

FvStatus fv_facts_explain(const FvFacts *facts, const FvSource *source, const char *text, FvError *error)
{
    if (facts->encrypted)
        return fv_facts_refuse_encrypted(source, error);
    if (facts->inks)
        return fv_facts_refuse_inks(facts, source, error);
    if (facts->animated_webp)
        return fv_fail(error, FV_FAIL_UNSUPPORTED,
                       "%s is an animated WebP, which this libavcodec does not decode (%s): webpmux -get frame 1 %s "
                       "-o FILE.webp takes its first picture out",
                       source->info.path, text, source->info.path);
    return FV_OK;
}

/*
 * Returns the number of frames that the container states; -1: none. Edit lists and damaged files can make it wrong.
 */
static int64_t count_frames(const AVFormatContext *demuxer, AVStream *stream, int images)
{
    const int entries = avformat_index_get_entries_count(stream);
    const AVRational rate = fv_tags_rate(stream);
    if (images)
        return images;
    /* AVI counts ticks, of which a frame may have two. */
    if (!fv_container_is_mov(demuxer) && stream->nb_frames > 0 && stream->duration > 0 && rate.den)
        return av_rescale_q(stream->duration, stream->time_base, av_inv_q(rate));
    if (stream->nb_frames <= 0 || entries <= 0)
        return stream->nb_frames > 0 ? stream->nb_frames : -1;
    int64_t shown = 0;
    for (int i = 0; i < entries; i++)
        shown += !(avformat_index_get_entry(stream, i)->flags & AVINDEX_DISCARD_FRAME);
    return shown ? shown : -1;
}

/* Returns the duration in a stream's tag, as Matroska has it: "01:02:03.456". 0: there is none. */
static double tagged_seconds(const AVStream *stream)
{
    const AVDictionaryEntry *tag = av_dict_get(stream->metadata, "DURATION", NULL, 0);
    int hours, minutes;
    double seconds;
    if (!tag || sscanf(tag->value, "%d:%d:%lf", &hours, &minutes, &seconds) != 3 || hours < 0 || minutes < 0)
        return 0;
    return 3600.0 * hours + 60.0 * minutes + seconds;
}

/*
 * Returns the duration that the container states, in seconds; 0: none. Durations that are estimated from a part of
 * the file, or whose time stamps may restart, are ignored.
 */
static double stated_seconds(const AVFormatContext *demuxer, const AVStream *stream)
{
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

void fv_facts_take_container(const FvFacts *facts, FvSource *source, const AVFormatContext *demuxer, AVStream *stream)
{
    const AVRational rate = fv_tags_rate(stream);
    const AVDictionaryEntry *timecode = av_dict_get(stream->metadata, "timecode", NULL, 0);
    if (!timecode)
        timecode = av_dict_get(demuxer->metadata, "timecode", NULL, 0);
    const bool images = fv_tags_are_images(demuxer);
    source->tick_num = images ? 0 : stream->time_base.num;
    source->tick_den = images ? 0 : stream->time_base.den;
    source->indexed = fv_container_is_mov(demuxer) || source->images;
    source->info.container = demuxer->iformat->name;
    source->info.pictures = facts->pictures;
    source->info.frames = count_frames(demuxer, stream, source->images);
    if (source->info.frames > source->info.left_out)
        source->info.frames -= source->info.left_out;
    source->info.seconds = images ? 0 : stated_seconds(demuxer, stream);
    source->info.timecode = fv_timecode_read(timecode ? timecode->value : NULL, rate.num, rate.den);
}
