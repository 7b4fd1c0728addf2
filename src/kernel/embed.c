/*
 * Build tool: makes one C file from one compiled kernel.
 *
 *     embed NAME HEADER ARGS OUTPUT [--float64] [--spirv FILE CHECKED] [--cuda PTX BINARY]
 *           [--hip ARCHITECTURE CODE]...
 *
 * SPIR-V: the tool adds NoContraction to every float32 result of + - x and negation, makes the module request
 * rounding to nearest even, and refuses instructions whose result Vulkan does not define to the last bit. It writes
 * the SPIR-V that it embeds to CHECKED as well. The offsets of the argument struct in the SPIR-V become static
 * assertions against the C struct in HEADER. PTX: the tool refuses fused, approximate and flushing float
 * instructions. BINARY is embedded for CUDA: a fat binary made from the PTX, or the PTX itself. HIP: CODE is a code
 * object for one of AMD's architectures, which a test scans (tests/gpu/code_objects.py). The code objects are bundled
 * as by HIP's compiler and packed as an LZ4 block.
 */
#define _GNU_SOURCE /* memmem */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *subject;

__attribute__((noreturn, format(printf, 1, 2))) static void refuse(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "%s: ", subject);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(1);
}

typedef struct File {
    uint8_t *bytes; /* content, with a 0 after the last byte */
    size_t size;
} File;

static File read_file(const char *path)
{
    File file = {0};
    FILE *stream = fopen(path, "rb");
    if (!stream)
        refuse("cannot open %s", path);
    for (size_t room = 1 << 16;; room *= 2) {
        file.bytes = realloc(file.bytes, room + 1);
        if (!file.bytes)
            refuse("out of memory");
        file.size += fread(file.bytes + file.size, 1, room - file.size, stream);
        if (file.size < room)
            break;
    }
    if (ferror(stream) || fclose(stream))
        refuse("cannot read %s", path);
    file.bytes[file.size] = 0;
    return file;
}

static void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *stream = fopen(path, "wb");
    if (!stream || fwrite(bytes, 1, size, stream) != size || fclose(stream))
        refuse("cannot write %s", path);
}

/* Opcodes of the SPIR-V specification, version 1.5. */
enum {
    OP_NAME = 5,
    OP_MEMBER_NAME = 6,
    OP_EXT_INST_IMPORT = 11,
    OP_EXT_INST = 12,
    OP_ENTRY_POINT = 15,
    OP_EXECUTION_MODE = 16,
    OP_CAPABILITY = 17,
    OP_TYPE_VOID = 19,
    OP_TYPE_FLOAT = 22,
    OP_TYPE_STRUCT = 30,
    OP_TYPE_FORWARD_POINTER = 39, /* last opcode of a type */
    OP_FUNCTION = 54,
    OP_DECORATE = 71,
    OP_MEMBER_DECORATE = 72,
    OP_FCONVERT = 115,
    OP_QUANTIZE_TO_F16 = 116,
    OP_FNEGATE = 127,
    OP_FADD = 129,
    OP_FSUB = 131,
    OP_FMUL = 133,
    OP_FDIV = 136,
    OP_FREM = 140,
    OP_FMOD = 141,
    OP_VECTOR_TIMES_SCALAR = 142, /* first product of vectors and matrices */
    OP_DOT = 148,                 /* last product of vectors and matrices */
    OP_DPDX = 207,                /* first derivative */
    OP_FWIDTH_COARSE = 215,       /* last derivative */
    OP_CONTROL_BARRIER = 224,
    OP_RETURN = 253,
    OP_GROUP_FADD = 265,
    OP_GROUP_FMIN = 266,
    OP_GROUP_FMAX = 269,
    OP_GROUP_NON_UNIFORM_FADD = 350,
    OP_GROUP_NON_UNIFORM_FMUL = 352,
    OP_GROUP_NON_UNIFORM_FMIN = 355,
    OP_GROUP_NON_UNIFORM_FMAX = 358,
    OP_ATOMIC_FMIN_EXT = 5614,
    OP_ATOMIC_FMAX_EXT = 5615,
    OP_ATOMIC_FADD_EXT = 6035,
    LOCAL_SIZE = 17,
    DECORATION_OFFSET = 35,
    DECORATION_NO_CONTRACTION = 42,
    CAPABILITY_SIGNED_ZERO_INF_NAN_PRESERVE = 4466,
    CAPABILITY_ROUNDING_MODE_RTE = 4467,
    MODE_SIGNED_ZERO_INF_NAN_PRESERVE = 4461,
    MODE_ROUNDING_MODE_RTE = 4462,
    MAX_MEMBERS = 32,
    MAX_OBJECTS = 32,
    MAX_THREADS = 384 /* equal to FV_GPU_MAX_THREADS */
};

/* Numbers of the extended instruction set GLSL.std.450, version 1.00. */
enum {
    GLSL_SABS = 5,
    GLSL_UMIN = 38,
    GLSL_SMIN = 39,
    GLSL_UMAX = 41,
    GLSL_SMAX = 42,
    GLSL_UCLAMP = 44,
    GLSL_SCLAMP = 45,
    GLSL_PACK_DOUBLE_2X32 = 59,
    GLSL_UNPACK_DOUBLE_2X32 = 65,
    GLSL_FIND_ILSB = 73,
    GLSL_FIND_SMSB = 74,
    GLSL_FIND_UMSB = 75,
};

static bool rounded(uint32_t op)
{
    return op == OP_FNEGATE || op == OP_FADD || op == OP_FSUB || op == OP_FMUL;
}

/*
 * Returns whether Vulkan leaves the rounding of a float instruction open: conversions between float widths, division
 * and remainders, products of vectors and matrices, derivatives, and group operations on floats.
 */
static bool inexact(uint32_t op)
{
    switch (op) {
    case OP_FCONVERT:
    case OP_QUANTIZE_TO_F16:
    case OP_FDIV:
    case OP_FREM:
    case OP_FMOD:
    case OP_GROUP_FADD:
    case OP_GROUP_FMIN:
    case OP_GROUP_FMAX:
    case OP_GROUP_NON_UNIFORM_FADD:
    case OP_GROUP_NON_UNIFORM_FMUL:
    case OP_GROUP_NON_UNIFORM_FMIN:
    case OP_GROUP_NON_UNIFORM_FMAX:
    case OP_ATOMIC_FMIN_EXT:
    case OP_ATOMIC_FMAX_EXT:
    case OP_ATOMIC_FADD_EXT:
        return true;
    default:
        return (op >= OP_VECTOR_TIMES_SCALAR && op <= OP_DOT) || (op >= OP_DPDX && op <= OP_FWIDTH_COARSE);
    }
}

/*
 * Returns whether an extended instruction is exact: absolute value, minimum, maximum and clamp of integers; words of
 * doubles; first and last set bit.
 */
static bool exact_extended(uint32_t number)
{
    switch (number) {
    case GLSL_SABS:
    case GLSL_UMIN:
    case GLSL_SMIN:
    case GLSL_UMAX:
    case GLSL_SMAX:
    case GLSL_UCLAMP:
    case GLSL_SCLAMP:
    case GLSL_PACK_DOUBLE_2X32:
    case GLSL_UNPACK_DOUBLE_2X32:
    case GLSL_FIND_ILSB:
    case GLSL_FIND_SMSB:
    case GLSL_FIND_UMSB:
        return true;
    default:
        return false;
    }
}

typedef struct Module {
    uint32_t *words;
    size_t count;
    uint32_t threads;
    uint32_t args_id;
    const char *member[MAX_MEMBERS];
    uint32_t offset[MAX_MEMBERS];
} Module;

static void append(Module *module, uint32_t word)
{
    module->words[module->count++] = word;
}

static Module patch(const File *file, const char *args, bool float64)
{
    const uint32_t *in = (const uint32_t *)file->bytes;
    size_t count = file->size / 4;
    if (file->size % 4 || count < 5 || in[0] != 0x07230203)
        refuse("not SPIR-V");
    Module module = {.words = malloc(file->size * 4 + 256)};
    uint32_t entry = 0, wide_type = 0, function = 0, returns = 0;
    bool barriers = false;
    for (size_t i = 5; i < count;) {
        uint32_t op = in[i] & 0xffff, length = in[i] >> 16;
        if (!length || i + length > count)
            refuse("SPIR-V instruction %u is cut off", op);
        if (op == OP_ENTRY_POINT)
            entry = in[i + 2];
        else if (op == OP_EXECUTION_MODE && in[i + 2] == LOCAL_SIZE)
            module.threads = in[i + 3] * in[i + 4] * in[i + 5];
        else if (op == OP_NAME && !strcmp((const char *)&in[i + 2], args))
            module.args_id = in[i + 1]; /* the last struct of that name is the one that glslang lays out */
        else if (op == OP_TYPE_FLOAT && in[i + 2] == 64 && float64)
            wide_type = in[i + 1];
        else if (op == OP_TYPE_FLOAT && in[i + 2] != 32)
            refuse("a float type of %u bits; kernels compute in float32 unless they say FV_FLOAT64", in[i + 2]);
        else if (op == OP_FCONVERT && wide_type && in[i + 1] == wide_type)
            ; /* widening is exact */
        else if (op == OP_FUNCTION)
            function = in[i + 2];
        else if (op == OP_CONTROL_BARRIER)
            barriers = true;
        else if (op == OP_RETURN && function == entry)
            returns++;
        else if (inexact(op))
            refuse("SPIR-V instruction %u has no defined last bit; see fmath.h for division", op);
        else if (op == OP_EXT_INST && !exact_extended(in[i + 4]))
            refuse("function %u of GLSL.std.450 has no defined last bit or is not on the list of allowed ones",
                   in[i + 4]);
        i += length;
    }
    if (!entry || !module.threads || !module.args_id)
        refuse("no entry point, workgroup size or argument struct %s in the SPIR-V", args);

    if (barriers && returns > 1)
        refuse("a thread may return before a barrier that the others wait at; mask its work instead");

    memcpy(module.words, in, 5 * sizeof *in);
    module.count = 5;
    append(&module, 2u << 16 | OP_CAPABILITY);
    append(&module, CAPABILITY_SIGNED_ZERO_INF_NAN_PRESERVE);
    append(&module, 2u << 16 | OP_CAPABILITY);
    append(&module, CAPABILITY_ROUNDING_MODE_RTE);
    bool decorated = false, moded = false;
    for (size_t i = 5; i < count; i += in[i] >> 16) {
        uint32_t op = in[i] & 0xffff, length = in[i] >> 16;
        if (op == OP_EXECUTION_MODE && !moded) {
            append(&module, 4u << 16 | OP_EXECUTION_MODE);
            append(&module, entry);
            append(&module, MODE_SIGNED_ZERO_INF_NAN_PRESERVE);
            append(&module, 32);
            append(&module, 4u << 16 | OP_EXECUTION_MODE);
            append(&module, entry);
            append(&module, MODE_ROUNDING_MODE_RTE);
            append(&module, 32);
            moded = true;
        }
        if (op >= OP_TYPE_VOID && op <= OP_TYPE_FORWARD_POINTER && !decorated) {
            for (size_t j = 5; j < count; j += in[j] >> 16)
                if (rounded(in[j] & 0xffff)) {
                    append(&module, 3u << 16 | OP_DECORATE);
                    append(&module, in[j + 2]);
                    append(&module, DECORATION_NO_CONTRACTION);
                }
            decorated = true;
        }
        if (op == OP_MEMBER_NAME && in[i + 1] == module.args_id && in[i + 2] < MAX_MEMBERS)
            module.member[in[i + 2]] = (const char *)&in[i + 3];
        if (op == OP_MEMBER_DECORATE && in[i + 1] == module.args_id && in[i + 3] == DECORATION_OFFSET &&
            in[i + 2] < MAX_MEMBERS)
            module.offset[in[i + 2]] = in[i + 4];
        if (op == OP_DECORATE && in[i + 2] == DECORATION_NO_CONTRACTION)
            continue;
        memcpy(module.words + module.count, in + i, length * sizeof *in);
        module.count += length;
    }
    return module;
}

/* Returns whether a dotted name has `part` as a complete part: has_part("fma.rn.f32", "fma"). */
static bool has_part(const char *name, size_t length, const char *part)
{
    size_t n = strlen(part);
    for (size_t i = 0; i + n <= length; i++)
        if ((i == 0 || name[i - 1] == '.') && !memcmp(name + i, part, n) && (i + n == length || name[i + n] == '.'))
            return true;
    return false;
}

static uint32_t check_ptx(char *ptx, bool float64)
{
    const char *const forbidden[] = {"fma", "mad", "approx", "ftz", "full", float64 ? "f16" : "f64",
                                     "f16", "rz",  "rm",     "rp"};
    uint32_t threads = 0;
    char *rest = NULL;
    for (char *line = strtok_r(ptx, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        while (*line == ' ' || *line == '\t')
            line++;
        unsigned x, y, z;
        if (sscanf(line, ".maxntid %u, %u, %u", &x, &y, &z) == 3)
            threads = x * y * z;
        size_t length = strcspn(line, " \t;");
        if (!has_part(line, length, "f32") && !has_part(line, length, "f64") && !has_part(line, length, "f16"))
            continue;
        if (has_part(line, length, "cvt") && (has_part(line, length, "rzi") || has_part(line, length, "rn")) &&
            (float64 || !has_part(line, length, "f64")) && !has_part(line, length, "f16"))
            continue;
        for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++)
            if (has_part(line, length, forbidden[i]))
                refuse("PTX instruction %.*s is not exact in float32", (int)length, line);
    }
    return threads;
}

typedef struct CodeObject {
    char name[64];
    File file;
} CodeObject;

/* Reads the maximum workgroup size from the metadata of a code object, a map in MessagePack format. */
static uint32_t find_threads(const File *object)
{
    static const char key[] = ".max_flat_workgroup_size";
    const uint8_t *at = memmem(object->bytes, object->size, key, sizeof key - 1);
    if (!at)
        return 0;
    at += sizeof key - 1;
    return *at < 0x80 ? *at : *at == 0xcc ? at[1] : *at == 0xcd ? (uint32_t)(at[1] << 8 | at[2]) : 0;
}

/* Makes Clang's bundle: a magic text, the number of entries, each entry's offset, size and name, then the objects. */
static File bundle(const CodeObject *objects, int count)
{
    enum { PAGE = 4096 };
    size_t size = PAGE, at = 24;
    for (int i = 0; i < count; i++)
        size += (objects[i].file.size + PAGE - 1) / PAGE * PAGE;
    File file = {.bytes = calloc(size, 1), .size = PAGE};
    if (!file.bytes)
        refuse("out of memory");
    memcpy(file.bytes, "__CLANG_OFFLOAD_BUNDLE__", at);
    memcpy(file.bytes + at, &(uint64_t){(uint64_t)count}, 8);
    at += 8;
    for (int i = 0; i < count; i++) {
        const size_t length = strlen(objects[i].name);
        const uint64_t entry[3] = {file.size, objects[i].file.size, length};
        memcpy(file.bytes + at, entry, sizeof entry);
        memcpy(file.bytes + at + sizeof entry, objects[i].name, length);
        at += sizeof entry + length;
        if (objects[i].file.size)
            memcpy(file.bytes + file.size, objects[i].file.bytes, objects[i].file.size);
        file.size += (objects[i].file.size + PAGE - 1) / PAGE * PAGE;
    }
    return file;
}

static void put_length(File *block, size_t length)
{
    for (; length >= 255; length -= 255)
        block->bytes[block->size++] = 255;
    block->bytes[block->size++] = (uint8_t)length;
}

/*
 * Writes a sequence of an LZ4 block: literals, then a copy of `same` bytes from `distance` bytes before; same is 0 in
 * the last sequence.
 */
static void put_sequence(File *block, const uint8_t *literals, size_t count, size_t distance, size_t same)
{
    const size_t more = same ? same - 4 : 0;
    block->bytes[block->size++] = (uint8_t)((count < 15 ? count : 15) << 4 | (more < 15 ? more : 15));
    if (count >= 15)
        put_length(block, count - 15);
    memcpy(block->bytes + block->size, literals, count);
    block->size += count;
    if (!same)
        return;
    block->bytes[block->size++] = (uint8_t)distance;
    block->bytes[block->size++] = (uint8_t)(distance >> 8);
    if (more >= 15)
        put_length(block, more - 15);
}

static uint32_t hash_of(const uint8_t *bytes)
{
    uint32_t word;
    memcpy(&word, bytes, sizeof word);
    return word * 2654435761u >> 16;
}

/* Packs a file. A match is the longest one among the last 64 positions with the same four bytes. */
static File pack(const File *file)
{
    enum {
        ENDING = 12,
        FARTHEST = 65535,
        TRIES = 64
    }; /* the format demands: matches start 12 bytes before the end, and leave the last 5 bytes */
    File block = {.bytes = malloc(file->size + file->size / 255 + 16)};
    /* Both store positions plus 1. */
    size_t *latest = calloc(65536, sizeof *latest), *before = calloc(file->size + 1, sizeof *before);
    if (!block.bytes || !latest || !before)
        refuse("out of memory");
    const uint8_t *bytes = file->bytes;
    size_t first = 0; /* first literal not written yet */
    for (size_t i = 0; i + ENDING < file->size;) {
        size_t longest = 0, distance = 0, end = i + 1;
        size_t at = latest[hash_of(bytes + i)];
        for (int tries = 0; at && i - (at - 1) <= FARTHEST && tries < TRIES; at = before[at - 1], tries++) {
            size_t length = 0;
            while (i + length + 5 < file->size && bytes[at - 1 + length] == bytes[i + length])
                length++;
            if (length > longest) {
                longest = length;
                distance = i - (at - 1);
            }
        }
        if (longest >= 4) {
            put_sequence(&block, bytes + first, i - first, distance, longest);
            first = end = i + longest;
        }
        for (; i < end; i++)
            if (i + 4 <= file->size) {
                before[i] = latest[hash_of(bytes + i)];
                latest[hash_of(bytes + i)] = i + 1;
            }
    }
    put_sequence(&block, bytes + first, file->size - first, 0, 0);
    return block;
}

/* Writes bytes as a string literal, which compilers read faster than a list of numbers. */
static void print_bytes(FILE *out, const char *name, const void *data, size_t size)
{
    fprintf(out, "static const char %s[] __attribute__((aligned(16))) =", name);
    for (size_t i = 0; i < size; i++)
        fprintf(out, "%s\\%03o%s", i % 32 ? "" : "\n    \"", ((const uint8_t *)data)[i],
                i % 32 == 31 || i == size - 1 ? "\"" : "");
    fputs(";\n", out);
}

int main(int argc, char **argv)
{
    if (argc < 5) {
        fprintf(stderr, "usage: embed NAME HEADER ARGS OUTPUT [--float64] [--spirv FILE CHECKED] [--cuda PTX BINARY] "
                        "[--hip ARCHITECTURE CODE]...\n");
        return 2;
    }
    const char *name = subject = argv[1], *header = argv[2], *args = argv[3], *output = argv[4];
    Module module = {0};
    File binary = {0}, bundled = {0}, packed = {0};
    CodeObject objects[MAX_OBJECTS] = {
        {.name = "host-x86_64-unknown-linux--"}}; /* the entry of the host, which is empty */
    int object_count = 1;
    uint32_t cuda_threads = 0, hip_threads = 0;
    bool float64 = false;
    for (int i = 5; i < argc; i++) {
        if (!strcmp(argv[i], "--float64")) {
            float64 = true;
        } else if (!strcmp(argv[i], "--spirv") && i + 2 < argc) {
            File spirv = read_file(argv[++i]);
            module = patch(&spirv, args, float64);
            write_file(argv[++i], module.words, module.count * sizeof *module.words);
        } else if (!strcmp(argv[i], "--cuda") && i + 2 < argc) {
            File ptx = read_file(argv[++i]);
            cuda_threads = check_ptx((char *)ptx.bytes, float64);
            binary = read_file(argv[++i]);
            if (!cuda_threads)
                refuse("no workgroup size in the PTX");
        } else if (!strcmp(argv[i], "--hip") && i + 2 < argc && object_count < MAX_OBJECTS) {
            CodeObject *object = &objects[object_count++];
            snprintf(object->name, sizeof object->name, "hipv4-amdgcn-amd-amdhsa--%s", argv[++i]);
            object->file = read_file(argv[++i]);
            hip_threads = find_threads(&object->file);
            if (!hip_threads)
                refuse("no workgroup size in the code object");
        } else {
            refuse("unknown argument %s", argv[i]);
        }
    }
    if (object_count > 1) {
        bundled = bundle(objects, object_count);
        packed = pack(&bundled);
    }
    if (module.threads > MAX_THREADS || cuda_threads > MAX_THREADS || hip_threads > MAX_THREADS)
        refuse("the workgroup has more than %d threads", MAX_THREADS);
    if (module.threads && cuda_threads && module.threads != cuda_threads)
        refuse("the workgroup has %u threads in the SPIR-V and %u in the PTX", module.threads, cuda_threads);
    const uint32_t threads = module.threads ? module.threads : cuda_threads ? cuda_threads : hip_threads;
    if (hip_threads && hip_threads != threads)
        refuse("the workgroup has %u threads in the code object and %u elsewhere", hip_threads, threads);

    FILE *out = fopen(output, "w");
    if (!out)
        refuse("cannot write %s", output);
    fprintf(out,
            "#include \"gpu/kernel.h\"\n#include \"kernel/host.h\"\n#include \"kernel/pair.h\"\n#include \"%s\"\n\n",
            header);
    fprintf(out, "_Static_assert(sizeof(%s) <= FV_KERNEL_ARGS_BYTES, \"%s is too large\");\n", args, args);
    for (int i = 0; i < MAX_MEMBERS && module.member[i]; i++)
        fprintf(out, "_Static_assert(offsetof(%s, %s) == %u, \"%s.%s\");\n", args, module.member[i], module.offset[i],
                args, module.member[i]);
    if (module.count)
        print_bytes(out, "spirv", module.words, module.count * sizeof *module.words);
    if (binary.size)
        print_bytes(out, "cuda", binary.bytes, binary.size);
    if (packed.size)
        print_bytes(out, "hip", packed.bytes, packed.size);
    fprintf(out,
            "extern const FvKernel fv_kernel_%s;\nconst FvKernel fv_kernel_%s = {.name = \"%s\", "
            ".args_bytes = sizeof(%s), .threads = %u",
            name, name, name, args, threads);
    if (module.count)
        fputs(", .spirv = spirv, .spirv_bytes = sizeof spirv - 1", out);
    if (binary.size)
        fputs(", .cuda = cuda, .cuda_bytes = sizeof cuda - 1", out);
    if (packed.size)
        fprintf(out, ", .hip = hip, .hip_bytes = sizeof hip - 1, .hip_size = %zu", bundled.size);
    fprintf(out, ", .float64 = %s};\n", float64 ? "true" : "false");
    if (fclose(out))
        refuse("cannot write %s", output);
    return 0;
}
