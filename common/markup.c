#include "markup.h"

#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include "compare_text.h"

/* Returns whether the character is U+FFFE or U+FFFF, which XML does not allow. */
static bool is_noncharacter(const char *text)
{
    return !strncmp(text, "\xef\xbf\xbe", 3) || !strncmp(text, "\xef\xbf\xbf", 3);
}

/* Prints at most `most` bytes of a text; negative: all bytes. */
static void print_text(FILE *file, const char *text, int most)
{
    while (text && *text && most) {
        const int length = fv_utf8_length(text);
        if (!length || is_noncharacter(text) || (most > 0 && length > most))
            fputs("\ufffd", file);
        else if (strchr("<>&\"'", *text))
            fprintf(file, "&#%d;", *text);
        else if (!fv_is_control(text))
            fwrite(text, 1, (size_t)length, file);
        const int taken = length ? length : 1;
        text += taken;
        most = most < 0 ? most : most > taken ? most - taken : 0;
    }
}

void fv_markup_print(FvMarkup *markup, const char *format, ...)
{
    FILE *file = markup->file;
    va_list args;
    va_start(args, format);
    while (*format) {
        const size_t literal = strcspn(format, "%");
        fwrite(format, 1, literal, file);
        format += literal;
        if (!*format)
            break;
        char one[24] = "";
        const size_t size = strcspn(format + 1, "%scdugf") + 2;
        strncat(one, format, size < sizeof one ? size : sizeof one - 1);
        format += size;
        const int given = strchr(one, '*') ? va_arg(args, int) : -1;
        const char kind = one[strlen(one) - 1];
        if (kind == '%')
            putc('%', file);
        else if (kind == 's')
            print_text(file, va_arg(args, const char *), given);
        else if (kind == 'c')
            print_text(file, (const char[]){(char)va_arg(args, int), '\0'}, -1);
        else if (kind == 'g' || kind == 'f')
            fprintf(file, one, va_arg(args, double));
        else if (strchr(one, 'z'))
            fprintf(file, one, va_arg(args, size_t));
        else if (strstr(one, "ll"))
            fprintf(file, one, va_arg(args, long long));
        else if (strchr(one, 'l'))
            fprintf(file, one, va_arg(args, long));
        else
            fprintf(file, one, va_arg(args, int));
    }
    va_end(args);
}

void fv_markup_name(FvMarkup *markup, const char *name)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.:-";
    for (; *name; name++)
        fputc((unsigned char)*name < 0x80 && !strchr(plain, *name) ? '_' : *name, markup->file);
}

void fv_markup_file(FvMarkup *markup, const FvPageText *text)
{
    fwrite(text->text, 1, text->size, markup->file);
}

void fv_markup_element(FvMarkup *markup, const char *element, const FvPageText *text)
{
    fv_markup(markup, "<%s>", element);
    fv_markup_file(markup, text);
    fv_markup(markup, "</%s>\n", element);
}

FvJson fv_markup_json(FvMarkup *markup)
{
    return (FvJson){.file = markup->file, .in_html = true};
}

FvBase64 fv_markup_base64(FvMarkup *markup)
{
    return (FvBase64){.file = markup->file};
}
