/* Implements the POSIX functions that Windows' C library lacks. include/ declares them under their POSIX names. */
#define _CRT_RAND_S
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <io.h>
#include <locale.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <windows.h>

/* ---- Text ------------------------------------------------------------------------------------------------------ */

char *strcasestr(const char *text, const char *part)
{
    const size_t length = strlen(part);
    for (; strncasecmp(text, part, length); text++)
        if (!*text)
            return NULL;
    return (char *)text;
}

char *strndup(const char *text, size_t most)
{
    const size_t length = strnlen(text, most);
    char *copy = malloc(length + 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = '\0';
    }
    return copy;
}

char *strsep(char **rest, const char *separators)
{
    char *word = *rest, *end = word ? strpbrk(word, separators) : NULL;
    if (end)
        *end++ = '\0';
    *rest = end;
    return word;
}

/* ---- Files in memory ------------------------------------------------------------------------------------------- */

/*
 * A temporary file that Windows keeps in its cache, and the variables that get its text and size when it is closed.
 */
typedef struct Text {
    FILE *file;
    char **text;
    size_t *size;
    struct Text *next;
} Text;

static Text *texts;
static pthread_mutex_t texts_lock = PTHREAD_MUTEX_INITIALIZER;

FILE *open_memstream(char **text, size_t *size)
{
    char folder[MAX_PATH + 1], path[MAX_PATH + 1];
    Text *opening = malloc(sizeof *opening);
    const bool named = opening && GetTempPathA(sizeof folder, folder) && GetTempFileNameA(folder, "fv", 0, path);
    const int fd = named ? _open(path, _O_RDWR | _O_BINARY | _O_NOINHERIT | _O_TEMPORARY | _O_SHORT_LIVED) : -1;
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w+b");
    if (!file) {
        if (fd >= 0)
            _close(fd);
        free(opening);
        return NULL;
    }
    pthread_mutex_lock(&texts_lock);
    *opening = (Text){file, text, size, texts};
    texts = opening;
    pthread_mutex_unlock(&texts_lock);
    return file;
}

/* Unlinks the entry of a file from the list and returns it; NULL: an ordinary file. */
static Text *take_text(FILE *file)
{
    pthread_mutex_lock(&texts_lock);
    Text **at = &texts;
    while (*at && (*at)->file != file)
        at = &(*at)->next;
    Text *found = *at;
    if (found)
        *at = found->next;
    pthread_mutex_unlock(&texts_lock);
    return found;
}

#undef fclose

int windows_fclose(FILE *file)
{
    Text *closing = take_text(file);
    if (!closing)
        return fclose(file);
    const long size = fflush(file) || ferror(file) ? -1 : ftell(file);
    char *text = size < 0 ? NULL : malloc((size_t)size + 1);
    if (text) {
        rewind(file);
        text[size] = '\0';
        if (fread(text, 1, (size_t)size, file) != (size_t)size) {
            free(text);
            text = NULL;
        }
    }
    *closing->text = text;
    *closing->size = text ? (size_t)size : 0;
    free(closing);
    return fclose(file) || !text ? EOF : 0;
}

/* ---- Locale ---------------------------------------------------------------------------------------------------- */

static struct WindowsLocale {
    int unused;
} of_program, of_c; /* only their addresses matter */

static _Thread_local locale_t used = &of_program;
static _Thread_local char names[256]; /* name of the program's locale before uselocale() */
static _Thread_local int was_own;     /* whether the thread had its own locale before uselocale() */

locale_t newlocale(int mask, const char *name, locale_t base)
{
    return &of_c;
}

locale_t uselocale(locale_t locale)
{
    const locale_t before = used;
    if (!locale || locale == before)
        return before;
    if (locale == &of_c) {
        was_own = _configthreadlocale(_ENABLE_PER_THREAD_LOCALE);
        snprintf(names, sizeof names, "%s", setlocale(LC_ALL, NULL));
        setlocale(LC_ALL, "C");
    } else {
        setlocale(LC_ALL, names);
        _configthreadlocale(was_own);
    }
    used = locale;
    return before;
}

double strtod_l(const char *text, char **end, locale_t locale)
{
    const locale_t before = uselocale(locale);
    const double value = strtod(text, end);
    uselocale(before);
    return value;
}

/* ---- Files ----------------------------------------------------------------------------------------------------- */

int windows_open(const char *path, int flags, ...)
{
    if (!(flags & O_DIRECTORY))
        return _open(path, flags, _S_IREAD | _S_IWRITE);
    HANDLE folder = CreateFileA(path, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                                OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    const int fd = folder == INVALID_HANDLE_VALUE ? -1 : _open_osfhandle((intptr_t)folder, _O_NOINHERIT);
    if (fd < 0)
        errno = GetLastError() == ERROR_FILE_NOT_FOUND ? ENOENT : EACCES;
    return fd;
}

#undef _stat64

int windows_stat(const char *path, struct stat *info)
{
    size_t length = strlen(path);
    const bool folder = length > 1 && strchr("/\\", path[length - 1]);
    while (length > 1 && strchr("/\\", path[length - 1]) && path[length - 2] != ':')
        length--;
    char *name = strndup(path, length);
    const int failed = name ? stat(name, info) : -1;
    free(name);
    if (failed || !folder || S_ISDIR(info->st_mode))
        return failed;
    errno = ENOTDIR;
    return -1;
}

int fcntl(int fd, int command)
{
    return _get_osfhandle(fd) == -1 ? -1 : 0;
}

static bool is_ready(const struct pollfd *file)
{
    const HANDLE handle = (HANDLE)_get_osfhandle(file->fd);
    DWORD bytes;
    if (!(file->events & POLLIN) || GetFileType(handle) != FILE_TYPE_PIPE)
        return true;
    return !PeekNamedPipe(handle, NULL, 0, NULL, &bytes, NULL) ||
           bytes; /* if PeekNamedPipe() fails, the pipe has no writer, and its end can be read */
}

int poll(struct pollfd *files, unsigned long count, int milliseconds)
{
    const ULONGLONG begun = GetTickCount64();
    for (;; Sleep(5)) {
        int ready = 0;
        for (unsigned long i = 0; i < count; i++) {
            files[i].revents = files[i].fd >= 0 && is_ready(&files[i]) ? files[i].events : 0;
            ready += files[i].revents != 0;
        }
        if (ready || (milliseconds >= 0 && GetTickCount64() - begun >= (ULONGLONG)milliseconds))
            return ready;
    }
}

int scandir(const char *path, struct dirent ***entries, int (*wanted)(const struct dirent *entry),
            int (*order)(const struct dirent **a, const struct dirent **b))
{
    DIR *folder = opendir(path);
    struct dirent **found = folder ? malloc(sizeof *found) : NULL, **grown = found;
    int count = 0;
    for (const struct dirent *entry; grown && (entry = readdir(folder));) {
        struct dirent *copy = wanted && !wanted(entry) ? NULL : malloc(sizeof *copy);
        if (!copy)
            continue;
        *copy = *entry;
        found[count++] = copy;
        grown = realloc(found, ((size_t)count + 1) * sizeof *found);
        found = grown ? grown : found;
    }
    if (folder)
        closedir(folder);
    if (found && order)
        qsort(found, (size_t)count, sizeof *found, (int (*)(const void *, const void *))order);
    *entries = found;
    return found ? count : -1;
}

static bool matches(const char *name, const char *pattern)
{
    if (*pattern == '*')
        return matches(name, pattern + 1) || (*name && matches(name + 1, pattern));
    return *name ? (*pattern == '?' || *pattern == *name) && matches(name + 1, pattern + 1) : !*pattern;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Adds a path, copied from its two parts. False: memory ran out. */
static bool add_path(glob_t *found, const char *folder, int length, const char *name)
{
    char **grown = realloc(found->gl_pathv, (found->gl_pathc + 1) * sizeof *grown);
    if (!grown)
        return false;
    found->gl_pathv = grown;
    if (asprintf(&grown[found->gl_pathc], "%.*s%s", length, folder, name) < 0)
        return false;
    found->gl_pathc++;
    return true;
}

int glob(const char *pattern, int flags, void *error, glob_t *found)
{
    const char *last = pattern;
    for (const char *at = pattern; *at; at++)
        if (*at == '/' || *at == '\\' || *at == ':')
            last = at + 1;
    char *folder = last > pattern ? strndup(pattern, (size_t)(last - pattern)) : strdup(".");
    DIR *listed = folder ? opendir(folder) : NULL;
    bool good = folder != NULL;
    *found = (glob_t){0, NULL};
    for (const struct dirent *entry; good && listed && (entry = readdir(listed));)
        if ((*entry->d_name != '.' || *last == '.') && matches(entry->d_name, last))
            good = add_path(found, pattern, (int)(last - pattern), entry->d_name);
    if (listed)
        closedir(listed);
    free(folder);
    if (good && !found->gl_pathc)
        good = add_path(found, pattern, 0, pattern);
    if (good)
        qsort(found->gl_pathv, found->gl_pathc, sizeof *found->gl_pathv, by_name);
    else
        globfree(found);
    return !good;
}

void globfree(glob_t *found)
{
    for (size_t i = 0; i < found->gl_pathc; i++)
        free(found->gl_pathv[i]);
    free(found->gl_pathv);
    *found = (glob_t){0, NULL};
}

/* ---- System ---------------------------------------------------------------------------------------------------- */

static _Thread_local DWORD reason;    /* error code of the last failure of dlopen() or dlsym() */
static _Thread_local char sought[64]; /* the library or function of that failure */

void *dlopen(const char *file, int flags)
{
    HMODULE library = LoadLibraryExA(file, NULL, LOAD_LIBRARY_SEARCH_DEFAULT_DIRS);
    reason = library ? 0 : GetLastError();
    snprintf(sought, sizeof sought, "%s", file);
    errno = reason == ERROR_NOT_ENOUGH_MEMORY || reason == ERROR_OUTOFMEMORY ? ENOMEM : 0;
    return library;
}

void *dlsym(void *library, const char *name)
{
    FARPROC found = GetProcAddress(library, name);
    reason = found ? 0 : GetLastError();
    snprintf(sought, sizeof sought, "%s", name);
    return (void *)(uintptr_t)found;
}

char *dlerror(void)
{
    static _Thread_local char text[320];
    char system[256];
    if (!reason || !FormatMessageA(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, NULL, reason, 0,
                                   system, sizeof system, NULL))
        return NULL;
    system[strcspn(system, ".\r\n")] = '\0';
    snprintf(text, sizeof text, "%s: %s", sought, system);
    reason = 0;
    return text;
}

static void (*handlers[2])(int signal); /* handlers of SIGINT and SIGTERM */

static BOOL WINAPI on_event(DWORD event)
{
    const bool interrupt = event == CTRL_C_EVENT;
    if (!handlers[!interrupt])
        return FALSE;
    handlers[!interrupt](interrupt ? SIGINT : SIGTERM);
    if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT)
        Sleep(
            INFINITE); /* returning would end the process; the system waits 5 seconds for the process to end itself */
    return TRUE;
}

int sigaction(int signal, const struct sigaction *action, struct sigaction *before)
{
    const bool known = signal == SIGINT || signal == SIGTERM;
    if (before)
        before->sa_handler = known ? handlers[signal == SIGTERM] : SIG_IGN;
    if (known && action)
        handlers[signal == SIGTERM] = action->sa_handler;
    return SetConsoleCtrlHandler(on_event, TRUE) ? 0 : -1;
}

int ioctl(int fd, int request, struct winsize *size)
{
    CONSOLE_SCREEN_BUFFER_INFO console;
    if (!GetConsoleScreenBufferInfo((HANDLE)_get_osfhandle(fd), &console))
        return -1;
    size->ws_col = (unsigned short)(console.srWindow.Right - console.srWindow.Left + 1);
    size->ws_row = (unsigned short)(console.srWindow.Bottom - console.srWindow.Top + 1);
    return 0;
}

ssize_t getrandom(void *bytes, size_t size, unsigned flags)
{
    for (size_t i = 0; i < size; i++) {
        unsigned value;
        if (rand_s(&value))
            return -1;
        ((unsigned char *)bytes)[i] = (unsigned char)value;
    }
    return (ssize_t)size;
}
