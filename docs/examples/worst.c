/*
 * Finds the frame that a metric with a map finds worst, and where in its picture the map is greatest.
 *
 *     cc worst.c $(pkg-config --cflags --libs fovea) -o worst
 *     ./worst reference.y4m distorted.y4m
 */
#include <stdio.h>

#include <fovea/fovea.h>

/* The number of the frame with the greatest value of the first score, which is better when it is lower; -1: none. */
static int64_t find_frame(const FvSourceParams file[2], FvError *error)
{
    FvSource *sources[2] = {NULL, NULL};
    FvSession *session = NULL;
    int64_t worst = -1;
    FvStatus status = fv_source_open(&sources[0], &file[0], error);
    if (!status)
        status = fv_source_open(&sources[1], &file[1], error);
    if (!status)
        status = fv_session_open(&session, &(FvSessionParams){.threads = 2}, error);
    if (!status)
        status = fv_session_add(session, "butteraugli", error);
    if (!status)
        status = fv_score(session, sources[0], sources[1], &(FvScoreParams){0}, error);
    for (int64_t i = 0, at = 0; !status && i < fv_session_frames(session); i++)
        if (!i || fv_session_value(session, i, 0) > fv_session_value(session, at, 0)) {
            at = i;
            worst = fv_session_frame_number(session, i);
        }
    fv_session_close(&session);
    fv_source_close(&sources[0]);
    fv_source_close(&sources[1]);
    return worst;
}

static void print_greatest(int64_t frame, const FvMap *map)
{
    int x = 0, y = 0;
    for (int row = 0; row < map->height; row++)
        for (int column = 0; column < map->width; column++)
            if (map->data[row * map->stride + column] > map->data[y * map->stride + x]) {
                x = column;
                y = row;
            }
    printf("frame %lld: %s %g at column %d of %d, row %d of %d\n", (long long)frame, map->info->name,
           (double)map->data[y * map->stride + x], x, map->width, y, map->height);
}

/* Opens both files again, goes to the frame, and computes its map. */
static FvStatus show_frame(const FvSourceParams file[2], int64_t frame, FvError *error)
{
    FvPairs *pairs = NULL;
    FvFrame *frames[2] = {NULL, NULL};
    FvStill *still = NULL;
    FvMap map;
    FvStatus status = fv_pairs_open(&pairs, &file[0], &file[1], &(FvScoreParams){0}, error);
    if (!status)
        status = fv_pairs_read(pairs, frame, frames, error);
    if (!status)
        status = fv_still_open(&still, &(FvStillParams){.threads = 2}, frames[0], frames[1], error);
    if (!status)
        status = fv_still_map(still, "butteraugli", "distance", &map, error);
    if (!status)
        print_greatest(frame, &map);
    fv_still_close(&still);
    fv_frame_unref(&frames[0]);
    fv_frame_unref(&frames[1]);
    fv_pairs_close(&pairs);
    return status;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: worst REFERENCE DISTORTED\n");
        return FV_ERROR_USAGE;
    }
    FvError error = {0};
    const FvSourceParams file[2] = {{.path = argv[1]}, {.path = argv[2]}};
    int64_t frame = find_frame(file, &error);
    if (frame < 0 || show_frame(file, frame, &error)) {
        fprintf(stderr, "worst: %s\n", error.message);
        return error.status;
    }
    return 0;
}
