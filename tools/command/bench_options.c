/* The options of fovea bench. The table is in both programs: `fovea` has it for help, man page and completions. */
#include "command/bench_options.h"

#include "cli/options.h"

#define AT(field) offsetof(Bench, field)

static const ArgOption options[] = {
    {FLAG("kernels", AT(kernels)), .section = "Measurements",
     .help = "only the inner loops, each on every instruction set"},
    {FLAG("metrics", AT(metrics)), .help = "only whole metrics on a generated clip"},
    {FLAG("stills", AT(stills)),
     .help = "only the time from a change of VDM's options to its map, for a pair that stays on the device"},
    {FLAG("scaling", AT(scaling)), .help = "also the time to scale one video to the size from two thirds of it"},
    {TEXT("files", AT(files), "FOLDER"), .offer = OFFER_FILES,
     .help = "only scoring from two Y4M files, which are written into a new folder in FOLDER and removed at the end"},
    {NUMBER("frames", AT(frames), 1, 1000000), .help = "frames of each file (600)"},
    {FLAG("keep", AT(keep)), .help = "keep the files and print their names"},
    {TEXT("filter", AT(filter), "REGEX"), .help = "only kernels whose names match"},
    {LIST("metric", AT(metric), "NAME[=OPTION=VALUE:...],..."), .offer = OFFER_METRICS,
     .help = "one metric, or several that share a session as in 'fovea score'; may be repeated (all, each alone)"},
    {LIST("size", AT(size), "WIDTHxHEIGHT"), .help = "size of the frames; may be repeated (1920x1080 and 3840x2160)"},
    {LIST("depth", AT(depth), "BITS"), .help = "bits per sample: 8, 10, 12 or 16; may be repeated (8 and 10)"},
    {TEXT("clip", AT(clip), "NAME"),
     .help = "the distorted clip: ref, band, noise, mix, steps, blocks or cells (mix); the reference is ref"},
    {ROW_REFERENCE(AT(reference)), .help = "with --device: a ProRes video instead of the generated one; see -d"},
    {ROW_DISTORTED(AT(distorted)),
     .help =
         "with --device: a ProRes video, timed from its packets in memory to the scores; --depth is then the depth "
         "of ProRes without a container (10)"},
    {NUMBER("milliseconds", AT(milliseconds), 1, 60000), .help = "length of each measurement in milliseconds (250)"},
    {LIST("isa", AT(isa), "NAME"), .section = "Processors",
     .help = "CPU instructions: scalar, sse2, avx2, avx512, neon, simd128 or all; may be repeated (the best for "
             "metrics, all for kernels)"},
    {LIST("threads", AT(threads), "N"), .help = "number of threads; may be repeated (1, and one for each processor)"},
    {LIST("device", AT(device), "NAME"),
     .help = "a device that 'fovea devices' lists; several GPUs, or interfaces of one GPU, take turns (cpu)"},
    {LIST("from", AT(from), "PLACE"),
     .help = "with --device: where frames lie: resident, pinned or pageable; may be repeated (all)"},
    {NUMBER("in-flight", AT(in_flight), 1, 1024),
     .help = "frame pairs processed at the same time, as in 'fovea score'"},
    {TEXT("record", AT(record), "FILE"), .offer = OFFER_FILES, .section = "Comparison",
     .help = "write the frames a second of every metric into FILE, a line each"},
    {TEXT("against", AT(against), "FILE"), .offer = OFFER_FILES,
     .help = "compare with a file of --record: list what is more than 3 % slower on the same device, and then exit "
             "with 1"},
    {FLAG("csv", AT(csv)), .section = "Output", .help = "comma-separated values"},
    {FLAG("json", AT(json)), .help = "one object with arrays kernels and metrics"},
    {ROW_PROGRESS(AT(progress))},
    {.name = NULL},
};

const Command command_bench = {
    .name = "bench",
    .summary = "measure the speed of kernels and metrics on this machine",
    .synopsis = "[OPTION]...",
    .description =
        "Kernels are listed with nanoseconds per sample, bytes read and written per second, and the speed-up over "
        "plain C. Metrics are listed with frames per second of 4:2:0 pairs in memory, the bytes of both frames per "
        "second, and the speed-up over the first line of the same metric.\n"
        "One thread is timed by processor time, which other programs do not disturb; several threads are timed by "
        "the wall clock. All runs take turns. Each figure is a median; the spread is the distance of the quartiles.\n"
        "GPUs (--device) have a table of their own: frames that are resident on the device, with the time of each "
        "kernel, and frames that are uploaded from pinned or pageable memory. Each line begins with a warm-up, which "
        "lasts until three measurements in a row agree within 1 %, or for eight measurements; lines that used all "
        "eight "
        "have a +. Seven measurements follow, in which several devices take turns; frames/s is their median. GB/s "
        "counts "
        "the "
        "bytes of both frames when they are resident, otherwise the bytes sent to the device.\n"
        "Stills (--stills) are listed with the milliseconds from the call to the map of just noticeable differences, "
        "in device memory and in host memory, scores included, for changes of options that affect more and more of "
        "the model; --threads applies to the CPU.\n"
        "Files (--files) are listed with pairs per second of the first 120 frames and of all frames, each from "
        "opening "
        "the device to the last score; the frames per second that each stage reaches alone, as --progress json of "
        "'fovea score' reports them; and the stage that the others wait for. Two frames are scored before.\n"
        "The plain copy moves as many bytes as the two frames have, half of them read and half written: the limit "
        "that memory sets for a metric that only reads, such as psnr.",
    .example = "fovea bench --metrics --metric psnr_hvs --size 1920x1080 --isa all --threads 1\n"
               "fovea bench --device cuda --device vulkan --metric psnr,psnr_hvs --size 3840x2160 --depth 10\n"
               "fovea bench --stills --device cuda --device vulkan --size 1920x1080 --depth 8\n"
               "fovea bench --files /tmp --size 3840x2160 --depth 10 --metric psnr --threads 16\n"
               "fovea bench --metric psnr_hvs --record before.txt\n"
               "fovea bench --metric psnr_hvs --against before.txt\n"
               "fovea bench --device cuda --metric psnr_hvs -r reference.mov -d distorted.mov",
    .refusal = "fovea bench makes its own clips, or takes ProRes: fovea bench --device GPU -r REFERENCE -d DISTORTED",
    .options = options,
    .values_size = sizeof(Bench),
    .run = bench_run,
};
