/*
 * Measures how fast a Y4M file is read from the page cache, compared with a plain read() into a buffer of about a 4K
 * frame: bench-input FILE [rounds]. Prints medians of CPU time over alternating rounds.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "fovea/fovea.h"

static double seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare);
    return values[count / 2];
}

static double plain(const char *path, char *buffer, size_t size, double *bytes)
{
    int fd = open(path, O_RDONLY);
    double start = seconds();
    *bytes = 0;
    for (ssize_t got; (got = read(fd, buffer, size)) > 0;)
        *bytes += (double)got;
    close(fd);
    return seconds() - start;
}

static double source(const char *path)
{
    FvError error = {0};
    FvSource *video;
    FvFrame *frame;
    double start = seconds();
    FvStatus status = fv_source_open(&video, &(FvSourceParams){.path = path}, &error);
    while (!status && !(status = fv_source_read(video, &frame, &error)))
        fv_frame_unref(&frame);
    fv_source_close(&video);
    if (status != FV_END) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    return seconds() - start;
}

int main(int argc, char **argv)
{
    int rounds = argc > 2 ? atoi(argv[2]) : 15;
    enum { MOST = 1000, BUFFER = 24 << 20 };
    static double plain_time[MOST], source_time[MOST], ratio[MOST];
    char *buffer = malloc(BUFFER);
    if (argc < 2 || rounds < 1 || rounds > MOST || !buffer) {
        fprintf(stderr, "usage: bench-input FILE [rounds, 1 to %d]\n", MOST);
        return 2;
    }
    double bytes = 0;
    plain(argv[1], buffer, BUFFER, &bytes);
    source(argv[1]);
    for (int i = 0; i < rounds; i++) {
        plain_time[i] = plain(argv[1], buffer, BUFFER, &bytes);
        source_time[i] = source(argv[1]);
        ratio[i] = plain_time[i] / source_time[i];
    }
    printf("plain read %.2f GB/s, fv_source_read %.2f GB/s, median ratio %.2f\n",
           1e-9 * bytes / median(plain_time, rounds), 1e-9 * bytes / median(source_time, rounds),
           median(ratio, rounds));
    free(buffer);
    return 0;
}
