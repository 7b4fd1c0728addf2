/* What fovea bench can be told. The table is in both programs: `fovea` has it for help, man page and completions. */
#include "command/bench_options.h"

#include "cli/rows.h"

#define AT(field) offsetof(Bench, field)

static const ArgOption options[] = {
    {.section = "What to measure",
     .name = "kernels",
     .kind = ARG_FLAG,
     .offset = AT(kernels),
     .help = "only the inner loops, each on every instruction set"},
    {.name = "metrics", .kind = ARG_FLAG, .offset = AT(metrics), .help = "only whole metrics on a generated clip"},
    {.name = "stills",
     .kind = ARG_FLAG,
     .offset = AT(stills),
     .help = "only how long a pair that is kept on a device takes from a change of VDM's options to its map"},
    {.name = "scaling",
     .kind = ARG_FLAG,
     .offset = AT(scaling),
     .help = "also how long one video takes to be scaled to the size, from two thirds of it"},
    {.name = "files",
     .kind = ARG_TEXT,
     .offset = AT(files),
     .value = "FOLDER",
     .offer = OFFER_FILES,
     .help = "only the way from two Y4M files, which are written into a new folder there and removed in the end, to "
             "the scores"},
    {.name = "frames",
     .kind = ARG_INT,
     .offset = AT(frames),
     .value = "N",
     .minimum = 1,
     .maximum = 1000000,
     .help = "of each file (default: 600)"},
    {.name = "keep", .kind = ARG_FLAG, .offset = AT(keep), .help = "leave the files there and print their names"},
    {.name = "filter", .kind = ARG_TEXT, .offset = AT(filter), .value = "REGEX", .help = "only kernels so named"},
    {.name = "metric",
     .kind = ARG_LIST,
     .offset = AT(metric),
     .value = "NAME[=OPTION=VALUE:...],...",
     .offer = OFFER_METRICS,
     .help = "one metric, or several that share a session as in 'fovea score'; may be repeated (default: all, each "
             "alone)"},
    {.name = "size",
     .kind = ARG_LIST,
     .offset = AT(size),
     .value = "WIDTHxHEIGHT",
     .help = "may be repeated (default: 1920x1080 and 3840x2160)"},
    {.name = "depth",
     .kind = ARG_LIST,
     .offset = AT(depth),
     .value = "BITS",
     .help = "8, 10, 12 or 16; may be repeated (default: 8 and 10)"},
    {.name = "clip",
     .kind = ARG_TEXT,
     .offset = AT(clip),
     .value = "NAME",
     .help =
         "the distorted clip: ref, band, noise, mix, steps, blocks or cells (default: mix); the reference is ref"},
    {ROW_REFERENCE(AT(reference)), .help = "with --device: a ProRes video instead of the generated one; see -d"},
    {ROW_DISTORTED(AT(distorted)),
     .help = "a ProRes video; measured is from its packets in memory to the scores. --depth then is the one of "
             "ProRes without container (default: 10)"},
    {.name = "milliseconds",
     .kind = ARG_INT,
     .offset = AT(milliseconds),
     .value = "N",
     .minimum = 1,
     .maximum = 60000,
     .help = "of each measurement (default: 250)"},
    {.section = "Where",
     .name = "isa",
     .kind = ARG_LIST,
     .offset = AT(isa),
     .value = "NAME",
     .help = "scalar, sse2, avx2, avx512, neon or all; may be repeated (default: the best for metrics, all for "
             "kernels)"},
    {.name = "threads",
     .kind = ARG_LIST,
     .offset = AT(threads),
     .value = "N",
     .help = "may be repeated (default: 1 and one for each processor)"},
    {.name = "device",
     .kind = ARG_LIST,
     .offset = AT(device),
     .value = "NAME",
     .help = "as 'fovea devices' lists them; several GPUs, or interfaces of one, take turns (default: cpu)"},
    {.name = "from",
     .kind = ARG_LIST,
     .offset = AT(from),
     .value = "PLACE",
     .help = "with --device: frames lie there, resident, pinned or pageable; may be repeated (default: all)"},
    {.name = "in-flight",
     .kind = ARG_INT,
     .offset = AT(in_flight),
     .value = "N",
     .minimum = 1,
     .maximum = 1024,
     .help = "frame pairs under way at once, as in 'fovea score'"},
    {.section = "Output", .name = "csv", .kind = ARG_FLAG, .offset = AT(csv), .help = "comma-separated values"},
    {.name = "json", .kind = ARG_FLAG, .offset = AT(json), .help = "one object with arrays kernels and metrics"},
};

const Command command_bench = {
    .name = "bench",
    .summary = "measure the speed of kernels and metrics on this machine",
    .synopsis = "[OPTION]...",
    .description =
        "Kernels have nanoseconds per sample, bytes read and written per second, and the speed-up over plain C. "
        "Metrics have frames per second of 4:2:0 pairs in memory, the bytes of both frames per second, and the "
        "speed-up over the first line of the same metric.\n"
        "One thread is timed by the processor's time, which other programs do not disturb; several threads are "
        "timed by the wall clock. All runs take turns. Each figure is a median, and the spread is the distance "
        "of the quartiles.\n"
        "GPUs (--device) have a table of their own, for frames that are resident on the device, with the time "
        "of each kernel, and for frames that are uploaded from pinned or from ordinary memory. Each line begins "
        "with a warm-up, which lasts until three measurements in a row agree within 1 %, or for eight "
        "measurements, and is then marked with +. Seven measurements follow, in which several devices take "
        "turns; frames/s is their median. GB/s counts the bytes of both frames when they are resident, and "
        "otherwise those sent to the device.\n"
        "Stills (--stills) have milliseconds from the call to the map of just noticeable differences in the memory "
        "of "
        "the device and in that of the host, scores included, for changes of options that concern more and more of "
        "the model; --threads counts on the CPU.\n"
        "Files (--files) have pairs per second of a scoring of the first 120 frames and of one of all, each from "
        "opening the device to the last score; how many frames a second each part of the latter gives by itself, as "
        "--progress json of 'fovea score' has it; and which part the others wait for. Two frames are scored before.\n"
        "The plain copy moves as many bytes as the two frames have, half of them read and half written: this "
        "is what memory allows a metric that only reads, such as psnr.",
    .example = "fovea bench --metrics --metric psnr_hvs --size 1920x1080 --isa all --threads 1\n"
               "fovea bench --device cuda --device vulkan --metric psnr,psnr_hvs --size 3840x2160 --depth 10\n"
               "fovea bench --stills --device cuda --device vulkan --size 1920x1080 --depth 8\n"
               "fovea bench --files /tmp --size 3840x2160 --depth 10 --metric psnr --threads 16\n"
               "fovea bench --device cuda --metric psnr_hvs -r reference.mov -d distorted.mov",
    .refusal = "fovea bench makes its own clips, or takes ProRes: fovea bench --device GPU -r REFERENCE -d DISTORTED",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .values_size = sizeof(Bench),
    .run = bench_run,
};
