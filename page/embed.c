/* Build tool: makes one C file of texts. embed OUTPUT NAME FILE [NAME FILE]...: each becomes fv_page_NAME. */
#include <stdio.h>

static int embed(FILE *out, const char *name, const char *path)
{
    FILE *in = fopen(path, "rb");
    if (!in) {
        perror(path);
        return 1;
    }
    fprintf(out, "\nstatic const char %s[] = {", name);
    size_t size = 0;
    for (int byte; (byte = getc(in)) != EOF; size++)
        fprintf(out, "%s%d,", size % 24 ? " " : "\n    ", byte < 128 ? byte : byte - 256);
    fprintf(out, " 0};\nconst FvPageText fv_page_%s = {%s, %zu};\n", name, name, size);
    int failed = ferror(in);
    fclose(in);
    return failed;
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
    for (int i = 2; i + 1 < argc; i += 2)
        failed |= embed(out, argv[i], argv[i + 1]);
    failed |= ferror(out);
    return fclose(out) || failed;
}
