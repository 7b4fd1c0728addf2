/* The packets of a container's video, and the index that is built from them. docs/input.md */
#pragma once

#include "input/libav/container.h"

/* Times and sizes of packets, in the order of decoding. All zeros: no packet. */
typedef struct FvPackets {
    FvNumbers shown;                  /* presentation time of each shown picture */
    FvNumbers decoded;                /* decoding time of each packet */
    FvNumbers sizes;                  /* the sizes of visible pictures, as FvIndex.packets has them */
    FvNumbers key_shown, key_decoded; /* the times of key packets, hidden ones included */
    int64_t hidden;                   /* bytes of packets that belong to the next visible picture */
    bool untimed;                     /* a packet does not state when its picture is shown */
    bool dts_decreases;               /* decoding times decrease, also where libavformat only estimated them */
    bool has_dts;                     /* a packet states its decoding time */
    bool dts_unusable;                /* stated decoding times decrease, or packets without such a time follow */
    int64_t last_dts;                 /* the stated decoding time of the last packet */
    bool incomplete;                  /* out of memory: a packet is missing */
} FvPackets;

/*
 * The key packet at which decoding begins in a video whose first pictures refer to packets that the file lacks.
 * Pictures that follow the key packet and are shown before it are left out. All zeros: the first packet.
 */
typedef struct FvLateStart {
    bool late;
    int64_t packets; /* number of packets before the key packet */
    int64_t pts;     /* presentation time of the key packet */
    bool leading; /* while reading: no packet of a later picture has followed the key packet yet, so packets may still
                     belong to the omitted pictures */
} FvLateStart;

/* Returns whether the next packet, from the key packet on, is left out. */
bool fv_late_start_drops(FvLateStart *start, const AVPacket *packet);

/* Adds the next packet. False: out of memory. */
bool fv_packets_add(FvPackets *packets, const AVPacket *packet, enum AVCodecID codec);

void fv_packets_free(FvPackets *packets);

/*
 * Fills `index` with the times and sizes of the packets that were read so far, or with nothing if they do not state
 * when each picture is shown. The index has no entries.
 */
FvStatus fv_packets_read(FvIndex *index, const FvPackets *packets, FvError *error);

/*
 * Fills `index` for stream number `stream` of the source's container `opened`. Opens the file a second time. If the
 * container lists its packets, the list is used; otherwise the packets are read. If packets do not state when each
 * picture is shown, the only entry is the beginning. The packets before `start` have no frames.
 */
FvStatus fv_packets_index(FvIndex *index, const FvSource *source, const char *format, const AVFormatContext *opened,
                          int stream, const FvLateStart *start, FvError *error);
