/* Seeking in a video, and whether the index agrees on the frame that was reached. */
#include <inttypes.h>
#include <stdio.h>

#include "os/cancel.h"
#include "base/error.h"
#include "input/packet/random_access.h"
#include "input/libav/calls.h"
#include "input/libav/video.h"

#define LITTLE 8 /* frames that are decoded before something else is tried */

static FvStatus fail_place(const FvSource *source, FvError *error)
{
    return fv_fail(error, FV_ERROR_INPUT,
                   "%s: frame %" PRId64
                   " is shown at another time than its packets promise, so frames cannot be told "
                   "apart by them: read the video from its beginning",
                   source->info.path, source->next);
}

static bool is_checked(const FvSource *source)
{
    const FvLibav *libav = source->state;
    return source->has_index && (source->strict || libav->entered);
}

FvStatus fv_libav_check_time(const FvSource *source, FvError *error)
{
    const FvIndex *index = &source->index;
    const AVFrame *picture = ((FvLibav *)source->state)->picture;
    if (!is_checked(source) || !index->time ||
        (source->next < index->shown.frames && picture->pts == index->time[source->next]))
        return FV_OK;
    return fail_place(source, error);
}

FvStatus fv_libav_check_place(const FvSource *source, FvError *error)
{
    const FvIndex *index = &source->index;
    if (!is_checked(source) || !index->place ||
        (source->next < index->shown.frames &&
         fv_libav_decoded_at(((FvLibav *)source->state)->packet) == index->place[source->next]))
        return FV_OK;
    return fail_place(source, error);
}

/*
 * Frames that nothing refers to are not decoded. That shows when the next picture comes: if it is `frame`, it waits
 * to be read.
 */
FvStatus fv_libav_advance(FvSource *source, int64_t frame, FvError *error)
{
    FvLibav *libav = source->state;
    FvStatus status = FV_OK;
    if (libav->entered && !libav->prores && source->index.time && fv_skips_possible(fv_libav_codec(libav)))
        fv_skips_begin(&libav->skips, &source->index, source->next, frame, NULL);
    for (; source->next < frame && !status; source->next = fv_skips_next(&libav->skips, source->next)) {
        if (libav->waiting)
            libav->waiting = false;
        else if (libav->prores)
            status = fv_libav_next_packet(source, error);
        else
            status = libav->entered ? fv_libav_decode(source, error) : fv_libav_decode_next(source, error);
        source->next = fv_skips_next(&libav->skips, source->next);
        if (!status)
            status = libav->prores ? fv_libav_check_place(source, error) : fv_libav_check_time(source, error);
        libav->waiting = !status && source->next == frame;
        if (libav->picture && !libav->waiting)
            av_frame_unref(libav->picture);
        source->next += !status && !libav->waiting;
    }
    fv_skips_end(&libav->skips);
    libav->going = !status;
    return status == FV_END ? fv_libav_fail_short(source, error) : status;
}

static bool find_entry(FvLibav *libav, const FvIndex *index, int64_t entry)
{
    return index->place ? fv_libav_find_packet(libav, index->place[entry], AV_NOPTS_VALUE)
                        : fv_libav_find_packet(libav, index->enter_dts[entry], index->enter_pts[entry]);
}

/* Goes to an entry of the index, or to the one before if it needs that, and on from there. */
static FvStatus jump(FvSource *source, int64_t entry, int64_t frame, FvError *error)
{
    FvLibav *libav = source->state;
    const FvIndex *index = &source->index;
    libav->looked = 0;
    libav->cut[0] = 0;
    libav->waiting = false;
    bool found = find_entry(libav, index, entry);
    /* The first pictures of an entry may refer to earlier packets; pictures after the next entry do not. */
    if (found && !index->place && !fv_packet_alone(libav->ahead[0], fv_libav_codec(libav))) {
        if (--entry < 1)
            return FV_ERROR_INPUT;
        libav->looked = 0;
        found = find_entry(libav, index, entry);
    }
    if (!found)
        return FV_ERROR_INPUT;
    if (libav->decoder)
        avcodec_flush_buffers(libav->decoder);
    fv_libav_forget_made(&libav->made);
    fv_libav_log_clear(&libav->log);
    libav->entered = true;
    libav->entered_pts = libav->ahead[0]->pts;
    source->next = index->place ? entry : index->entries[entry];
    return fv_libav_advance(source, frame, error);
}

FvStatus fv_libav_seek(FvSource *source, int64_t frame, FvError *error)
{
    FvLibav *libav = source->state;
    const FvIndex *index = &source->index;
    const int64_t entry = index->place ? frame : fv_index_entry(index, frame);
    const int64_t first = index->place ? entry : index->entries[entry];
    const bool known = index->place || index->enter_pts; /* where the entry is */
    fv_libav_log_enter(&libav->log);
    fv_libav_end_passing(libav);
    const bool hardware = libav->hwdec;
    if (hardware && fv_libav_enter_hwdec(source, frame)) {
        fv_libav_log_leave();
        return FV_OK;
    }
    if (hardware)
        snprintf(source->decoder, sizeof source->decoder, "CPU: the GPU cannot enter the video at a frame");
    FvStatus status = hardware || libav->left ? fv_libav_restart(source, error) : fv_libav_settle(source, error);
    /* A video that was not seeked in is read on, so that failures are certain, unless seeking is much faster. */
    const bool slow = !libav->entered && known && !index->place && fv_skips_possible(fv_libav_codec(libav)) &&
                      frame - source->next > (frame - first) / 2 + LITTLE;
    const bool forward = libav->going && source->next <= frame && source->next >= first && !slow;
    if (!status)
        status = forward ? fv_libav_advance(source, frame, error)
                 : known ? jump(source, entry, frame, error)
                         : FV_END;
    if (status && !fv_cancel_requested(source->cancel)) {
        status = fv_libav_restart(source, error);
        if (!status)
            status = fv_libav_advance(source, frame, error);
    }
    fv_libav_log_leave();
    return status;
}
