#include "text.h"

#include <stdlib.h>

FILE *fv_text_open(char **text, size_t *size)
{
    *text = NULL;
    *size = 0;
    return open_memstream(text, size);
}

bool fv_text_close(FILE *file, char **text)
{
    bool good = file && !ferror(file);
    if (file && fclose(file))
        good = false;
    if (good && *text)
        return true;
    free(*text);
    *text = NULL;
    return false;
}
