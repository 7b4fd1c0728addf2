/*
 * Recognises packets at which decoding can begin, because they refer to nothing earlier, and packets to which nothing
 * refers.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <libavcodec/avcodec.h>

/*
 * Returns whether a key packet states that no picture shown from it on refers to an earlier one: IDR pictures of
 * H.264 (ITU-T H.264, 7.4.1.2.4), random access points of HEVC (ITU-T H.265, 3.73), key frames of VP8 and VP9. False
 * if the packet does not state that: H.264 also has key packets after which pictures become correct only gradually.
 */
bool fv_packet_alone(const AVPacket *packet, const AVCodecParameters *codec);

/* A packet as a place where a video can be cut into parts that are decoded separately. */
typedef struct FvPacketPart {
    bool begins;   /* no picture from it on refers to an earlier one or is shown before an earlier one */
    uint64_t sets; /* hash of the H.264 or HEVC parameter sets before its picture; 0: it has none */
} FvPacketPart;

/*
 * Returns what a packet is for parts. Parts begin at IDR pictures of H.264 and HEVC (not at random access points of
 * open GOPs, whose leading pictures refer to earlier packets) and at key frames of VP9. No part begins in other
 * codecs.
 */
FvPacketPart fv_packet_part(const AVPacket *packet, const AVCodecParameters *codec);

/*
 * Returns whether a packet of H.264 or HEVC requests film grain for its picture or later ones (ITU-T H.274, 8.5),
 * which libavcodec adds and GPUs do not.
 */
bool fv_packet_asks_grain(const AVPacket *packet, const AVCodecParameters *codec);

/* Returns whether the container delivers new parameter sets with the packet. */
bool fv_packet_has_new_sets(const AVPacket *packet);

/*
 * Counts the pictures that a packet of VP9 shows, its own and earlier ones; -1: unknown, or the structure of a
 * picture is damaged (input/packet/vp9_frame.h). `width` is the width of the video.
 */
int fv_packet_shows_vp9(const AVPacket *packet, int width);

/*
 * Returns whether a packet is only a picture that no other refers to: nal_ref_idc 0 of H.264 (ITU-T H.264, 7.4.1),
 * sub-layer non-reference pictures of HEVC (ITU-T H.265, 3.160) in streams that state that they have one temporal
 * layer. The other packets decode to the same samples without it.
 */
bool fv_packet_disposable(const AVPacket *packet, const AVCodecParameters *codec);

/*
 * Returns whether one thread must decode a packet of HEVC: its picture is coded in several slice segments
 * (first_slice_segment_in_pic_flag, ITU-T H.265, 7.3.6.1), or it contains the picture's hash. If a hash does not
 * match, libavcodec releases a picture that another thread is using.
 */
bool fv_packet_serial_hevc(const AVPacket *packet, const AVCodecParameters *codec);

/*
 * Returns whether a 4:4:4 picture of DNxHD, each macroblock of which may be RGB or Y'CbCr, has RGB at the beginning
 * of a row. libavcodec decodes all macroblocks as Y'CbCr.
 */
bool fv_packet_mixes_dnxhd(const AVPacket *packet, const AVCodecParameters *codec);
