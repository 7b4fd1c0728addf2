#include "csv.h"

#include <string.h>

void fv_csv_text(FILE *file, const char *text)
{
    const char *mark = text[strcspn(text, ",\"\n\r")] ? "\"" : "";
    fputs(mark, file);
    for (; *text; text++)
        fprintf(file, *text == '"' ? "\"\"" : "%c", *text);
    fputs(mark, file);
}
