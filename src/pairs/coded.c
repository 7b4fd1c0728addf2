/* Hands out the packets of a side, for a decoder other than fovea's. */
#include "pairs/state.h"

#include "base/error.h"

/* Returns why another decoder's frames would not be those of the pairs, or NULL. */
static const char *reason_against(const FvPairs *pairs, int side)
{
    const FvSource *source = pairs->files.source[side];
    const FvSourceInfo *info = fv_source_info(source);
    if (pairs->order.listed)
        return "are aligned with the other video's";
    if (pairs->preparation[side])
        return "are prepared before they are compared";
    if (info->applied_rotation)
        return "are turned";
    if (info->rgb || info->format.chroma != FV_CHROMA_420 || info->format.depth != 8)
        return "are not Y'CbCr 4:2:0 of 8 bits";
    if (info->no_grain)
        return "are decoded without film grain";
    return !source->ops->packets || source->images ? "do not come in packets" : NULL;
}

/* Opens the source of a side's packets, unless it is open, and makes its index. */
static FvStatus open_coded(FvPairs *pairs, int side, FvError *error)
{
    FvCodedSide *coded = &pairs->coded[side];
    if (side < 0 || side > 1 || !pairs->files.params[side].path)
        return fv_fail(error, FV_ERROR_USAGE, "side %d of the pairs has no file", side);
    const char *reason = reason_against(pairs, side);
    if (reason)
        return fv_fail(error, FV_FAIL_UNSUPPORTED, "%s is decoded by fovea alone: its frames %s",
                       pairs->files.source[side]->info.path, reason);
    FvStatus status = FV_OK;
    if (!coded->source) {
        FvSourceParams params = pairs->files.params[side];
        params.device = params.scored_on = NULL;
        params.threads = 1;
        coded->begun = -1;
        status = fv_source_open(&coded->source, &params, error);
    }
    if (!status)
        status = fv_pair_files_check_source(&pairs->files, side, coded->source, error);
    return status ? status : fv_source_make_index(coded->source, error);
}

FvStatus fv_pairs_coding(FvPairs *pairs, int side, FvCoding *coding, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, coding);
    *coding = (FvCoding){.description = NULL};
    FV_REQUIRE(error, pairs);
    FvStatus status = open_coded(pairs, side, error);
    FvSource *source = status ? NULL : pairs->coded[side].source;
    return status ? status : source->ops->packets->describe(source, coding, error);
}

FvStatus fv_pairs_packet(FvPairs *pairs, int side, int64_t number, int64_t passed, FvPacket *packet, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, packet);
    *packet = (FvPacket){.number = -1};
    FV_REQUIRE(error, pairs);
    if (number < 0 || number > INT64_MAX / 2 || passed < 0)
        return fv_fail(error, FV_ERROR_USAGE, "fv_pairs_packet: there is no packet %lld for frame %lld",
                       (long long)passed, (long long)number);
    FvCoding coding;
    FvStatus status = fv_pairs_coding(pairs, side, &coding, error);
    if (status)
        return status;
    FvCodedSide *coded = &pairs->coded[side];
    FvSource *source = coded->source;
    const int64_t skip = pairs->order.skip[side], frame = number + skip;
    const int64_t last = pairs->order.frames ? skip + pairs->order.frames : source->index.shown.frames;
    if (frame >= last || frame >= source->index.shown.frames)
        return FV_END;
    const int64_t entry = source->index.entries ? fv_index_entry(&source->index, frame) : frame;
    if (entry != coded->begun || passed < coded->passed) {
        coded->begun = entry;
        coded->passed = 0;
        status = source->ops->packets->enter(source, frame, error);
    }
    while (!status && coded->passed <= passed) {
        status = source->ops->packets->read(source, packet, error);
        coded->passed++;
    }
    if (status)
        coded->begun = -1;
    packet->number = packet->number < skip || packet->number >= last ? -1 : packet->number - skip;
    return status;
}
