#include "table/lines.h"

#include <string.h>

#include "remedy.h"

/* Returns whether a byte begins a character: continuation bytes of UTF-8 take no column. */
static bool begins(char byte)
{
    return (byte & 0xc0) != 0x80;
}

int line_width(const char *text)
{
    int width = 0;
    for (; *text; text++)
        width += begins(*text);
    return width;
}

/* Returns the byte offset of character n, or the length of the text. */
static size_t place_of(const char *text, int n)
{
    size_t i = 0;
    for (; text[i]; i++)
        if (begins(text[i]) && n-- == 0)
            break;
    return i;
}

char *line_cut(char *text, size_t size, const char *name, int most)
{
    const int width = line_width(name), behind = (most - 1) / 2, before = most - 1 - behind;
    if (width <= most)
        snprintf(text, size, "%s", name);
    else
        snprintf(text, size, "%.*s…%s", (int)place_of(name, before), name, name + place_of(name, width - behind));
    return style_clean(text);
}

/*
 * Returns the number of bytes up to the next blank at which a line may break: "frame (69)", "5 %" and "30 dB" stay
 * together.
 */
static size_t length_of_word(const char *text)
{
    size_t length = strcspn(text, " ");
    for (;;) {
        const char *next = text + length + (text[length] == ' ');
        const size_t more = strcspn(next, " ");
        const bool digit = length && text[length - 1] >= '0' && text[length - 1] <= '9';
        if (!more || more > 6 || next == text + length ||
            !(*next == '(' || (digit && (*next == '%' || !strncmp(next, "dB", 2)))))
            return length;
        length = (size_t)(next - text) + more;
    }
}

void line_wrap(FILE *file, const Style *style, int indent, const char *first, const char *text)
{
    char spelt[8192], head[256];
    fv_remedy_spell(spelt, sizeof spelt, text);
    text = style_clean(spelt);
    fprintf(file, "%s%s%s", style->bold, line_cut(head, sizeof head, first, 60), style->none);
    int column = line_width(head);
    for (; column < indent; column++)
        putc(' ', file);
    while (*text) {
        const size_t length = length_of_word(text);
        char word[256];
        snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1), text);
        const int width = line_width(word);
        if (column > indent && column + 1 + width > style->columns) {
            fprintf(file, "\n%*s", indent, "");
            column = indent;
        } else if (column > indent)
            column += fprintf(file, " ");
        fwrite(text, 1, length, file);
        column += width;
        text += length;
        text += strspn(text, " ");
    }
    putc('\n', file);
}
