/*
 * Build tool that makes one C file from texts. Usage: embed OUTPUT NAME FILE [NAME FILE]... Consecutive files with
 * the same NAME are joined in one constant, fv_page_NAME.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/base64.h"
#include "../src/base/sha256.h"

/* Appends a file to a text. `text` may be NULL, and the result is NULL after a failure. */
static char *read_file(char *text, const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    bool good = false;
    if (file && !fseek(file, 0, SEEK_END)) {
        const long length = ftell(file);
        char *grown = length < 0 ? NULL : realloc(text, *size + (size_t)length + 1);
        rewind(file);
        text = grown ? grown : text;
        good = grown && fread(text + *size, 1, (size_t)length, file) == (size_t)length;
        *size += good ? (size_t)length : 0;
    }
    if (!good) {
        perror(path);
        free(text);
        text = NULL;
    }
    if (file)
        fclose(file);
    return text;
}

static void write_hash(FILE *out, const char *text, size_t size)
{
    char hex[65];
    FvBase64 to = {.file = out};
    fv_sha256(text, size, hex);
    for (int i = 0; i < 64; i += 2) {
        const char pair[3] = {hex[i], hex[i + 1], '\0'};
        const unsigned char byte = (unsigned char)strtoul(pair, NULL, 16);
        fv_base64_bytes(&to, &byte, 1);
    }
    fv_base64_end(&to);
}

static int embed(FILE *out, const char *name, char **files, int count)
{
    size_t size = 0;
    char *text = NULL;
    for (int i = 0; i < count; i++) {
        text = read_file(text, files[2 * i], &size);
        if (!text)
            return 1;
    }
    fprintf(out, "\nstatic const char %s[] = {", name);
    for (size_t i = 0; i < size; i++)
        fprintf(out, "%s%d,", i % 24 ? " " : "\n    ", (signed char)text[i]);
    fprintf(out, " 0};\nconst FvPageText fv_page_%s = {%s, %zu, \"", name, name, size);
    write_hash(out, text, size);
    fputs("\"};\n", out);
    free(text);
    return 0;
}

int main(int argc, char **argv)
{
    FILE *out = argc > 1 ? fopen(argv[1], "wb") : NULL;
    if (!out) {
        perror(argc > 1 ? argv[1] : "embed: no output");
        return 1;
    }
    fputs("#include \"page.h\"\n", out);
    int failed = 0;
    for (int i = 2, count; i + 1 < argc; i += 2 * count) {
        for (count = 1; i + 2 * count + 1 < argc && !strcmp(argv[i], argv[i + 2 * count]);)
            count++;
        failed |= embed(out, argv[i], argv + i + 1, count);
    }
    failed |= ferror(out);
    return fclose(out) || failed;
}
