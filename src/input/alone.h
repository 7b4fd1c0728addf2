/* Packets with which decoding can begin without a trace of what was before, and those that leave none. */
#ifndef FV_INPUT_ALONE_H
#define FV_INPUT_ALONE_H

#include <stdbool.h>
#include <stdint.h>

#include <libavcodec/avcodec.h>

/*
 * Whether a key packet says that no picture which is shown from it on refers to anything in front of it: IDR pictures
 * of H.264 (ITU-T H.264, 7.4.1.2.4), random access points of HEVC (ITU-T H.265, 3.73), key frames of VP8 and VP9.
 * False where that is not known: H.264 also has key packets from which pictures become right only by and by.
 */
bool fv_packet_alone(const AVPacket *packet, const AVCodecParameters *codec);

/* A packet as a place where a video can be cut into parts that are decoded each by itself. */
typedef struct FvPacketPart {
    bool begins;   /* nothing from it on refers to what is in front of it, nor is shown before that */
    uint64_t sets; /* of H.264 and HEVC: a hash of the parameter sets in front of its picture; 0: it has none */
} FvPacketPart;

/*
 * Parts begin at IDR pictures of H.264 and HEVC (not at random access points of open GOPs, whose leading pictures
 * refer to the part before) and at key frames of VP9. No part begins in other codecs.
 */
FvPacketPart fv_packet_part(const AVPacket *packet, const AVCodecParameters *codec);

/* Whether the container brings other parameter sets beside the packet. */
bool fv_packet_has_new_sets(const AVPacket *packet);

/*
 * How many pictures a packet of VP9 shows, of those in it and of those decoded before; -1: that is not known, or the
 * structure of one is damaged (input/vp9_frame.h). `width` is that of the video.
 */
int fv_packet_shows_vp9(const AVPacket *packet, int width);

/*
 * Whether a packet is a picture that no other refers to, and nothing else: nal_ref_idc 0 of H.264 (ITU-T H.264,
 * 7.4.1), sub-layer non-reference pictures of HEVC (ITU-T H.265, 3.160) in streams that state that they have one
 * temporal layer. The others are then decoded to the same samples without it.
 */
bool fv_packet_disposable(const AVPacket *packet, const AVCodecParameters *codec);

#endif
