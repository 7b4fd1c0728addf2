#include "picture/scenes.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define LEAST (FV_SIGNATURE * 6 * 256) /* minimum distance at a cut: six 8-bit codes in each block */
#define FACTOR 3                       /* minimum ratio of that distance to the mean of the previous distances */

static bool is_cut(const FvScenes *scenes, int64_t distance)
{
    const int count = scenes->seen < FV_SCENES_RECENT ? scenes->seen : FV_SCENES_RECENT;
    int64_t sum = 0;
    for (int i = 0; i < count; i++)
        sum += scenes->recent[i];
    return count && distance >= LEAST && distance * count >= FACTOR * sum; /* steady strong motion is one scene */
}

static FvStatus add_cut(FvScenes *scenes, int64_t number, FvError *error)
{
    if (scenes->count == scenes->room) {
        const int64_t room = scenes->room ? 2 * scenes->room : 64;
        int64_t *grown = realloc(scenes->cuts, (size_t)room * sizeof *grown);
        if (!grown)
            return fv_fail_memory(error, (size_t)room * sizeof *grown);
        scenes->cuts = grown;
        scenes->room = room;
    }
    scenes->cuts[scenes->count++] = number;
    scenes->seen = 0;
    return FV_OK;
}

FvStatus fv_scenes_add(FvScenes *scenes, int64_t number, const FvFrame *frame, FvError *error)
{
    int32_t signature[FV_SIGNATURE];
    FvStatus status = FV_OK;
    fv_signature_make(signature, frame);
    if (scenes->begun) {
        const int64_t distance = fv_signature_distance(signature, scenes->last);
        if (is_cut(scenes, distance))
            status = add_cut(scenes, number, error);
        else
            scenes->recent[scenes->seen++ % FV_SCENES_RECENT] = distance;
    }
    scenes->begun = true;
    memcpy(scenes->last, signature, sizeof signature);
    return status;
}

void fv_scenes_close(FvScenes *scenes)
{
    free(scenes->cuts);
    *scenes = (FvScenes){0};
}
