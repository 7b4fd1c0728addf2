/*
 * Drives a fuzz target without libFuzzer. It runs every seed, each of its prefixes, and each seed with one byte
 * replaced. Arguments: [-every=N] FOLDER...; -every=N runs only every N-th of these variants. A variant that ends the
 * process is saved in the file crash-input.
 */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"

#define MOST_BYTES 8192

static int runs, variants, every = 1;

static const uint8_t *under_way;
static size_t under_way_size;

static void leave_input(int number)
{
    int file = open("crash-input", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    (void)!write(file, under_way, under_way_size);
    close(file);
    raise(number); /* SA_RESETHAND: the signal now has its default action */
}

static void run(const uint8_t *bytes, size_t size)
{
    if (variants++ % every)
        return;
    /* A copy in a block of exactly its size lets memory checkers see reads beyond its end. */
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy)
        abort();
    memcpy(copy, bytes, size);
    under_way = copy;
    under_way_size = size;
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
    runs++;
}

static void vary(uint8_t *bytes, size_t size)
{
    static const uint8_t values[] = {0, ' ', '\n', '0', '9', ':', 'W', 0x80, 0xff};
    run(bytes, size);
    for (size_t end = 0; end < size; end++)
        run(bytes, end);
    for (size_t i = 0; i < size; i++) {
        uint8_t kept = bytes[i];
        for (size_t j = 0; j < sizeof values; j++) {
            bytes[i] = values[j];
            run(bytes, size);
        }
        bytes[i] = kept;
    }
}

static int vary_file(const char *path)
{
    uint8_t bytes[MOST_BYTES];
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return 1;
    }
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    vary(bytes, size);
    return 0;
}

int main(int argc, char **argv)
{
    int seeds = 0;
    static const int fatal[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE};
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        sigaction(fatal[i], &(struct sigaction){.sa_handler = leave_input, .sa_flags = (int)SA_RESETHAND}, NULL);
    for (int i = 1; i < argc; i++) {
        if (sscanf(argv[i], "-every=%d", &every) == 1)
            continue;
        DIR *folder = opendir(argv[i]);
        if (!folder) {
            perror(argv[i]);
            return 1;
        }
        for (struct dirent *entry; (entry = readdir(folder));) {
            char path[4096];
            if (*entry->d_name == '.')
                continue;
            snprintf(path, sizeof path, "%s/%s", argv[i], entry->d_name);
            if (vary_file(path))
                return 1;
            seeds++;
        }
        closedir(folder);
    }
    printf("%d seeds, %d runs\n", seeds, runs);
    return !seeds;
}
