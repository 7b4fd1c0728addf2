/*
 * Scores two videos with PSNR-HVS and PSNR and prints the pooled values.
 *
 *     cc score.c $(pkg-config --cflags --libs fovea) -o score
 *     ./score reference.y4m distorted.y4m
 */
#include <stdio.h>

#include <fovea/fovea.h>

static FvStatus open_both(FvSource **reference, FvSource **distorted, char **argv, FvError *error)
{
    FvStatus status = fv_source_open(reference, &(FvSourceParams){.path = argv[1]}, error);
    return status ? status : fv_source_open(distorted, &(FvSourceParams){.path = argv[2]}, error);
}

static void print_outputs(const FvSession *session)
{
    printf("%-16s %12s %12s %12s\n", "output", "mean", "min", "p5");
    for (int i = 0; i < fv_session_outputs(session); i++)
        printf("%-16s %12.6f %12.6f %12.6f\n", fv_session_output(session, i)->name,
               fv_session_pool(session, i, FV_POOL_MEAN), fv_session_pool(session, i, FV_POOL_MIN),
               fv_session_pool(session, i, FV_POOL_P5));
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: score REFERENCE DISTORTED\n");
        return FV_ERROR_USAGE;
    }
    FvError error = {0};
    FvSource *reference = NULL, *distorted = NULL;
    FvSession *session = NULL;
    FvStatus status = open_both(&reference, &distorted, argv, &error);
    if (!status)
        status = fv_session_open(&session, &(FvSessionParams){.threads = 2}, &error);
    if (!status)
        status = fv_session_add(session, "psnr_hvs", &error);
    if (!status)
        status = fv_session_add(session, "psnr=enable_chroma=false", &error);
    if (!status)
        status = fv_score(session, reference, distorted, &(FvScoreParams){0}, &error);
    if (status)
        fprintf(stderr, "score: %s\n", error.message);
    else
        print_outputs(session);
    fv_session_close(&session);
    fv_source_close(&distorted);
    fv_source_close(&reference);
    return status;
}
