/* Which files a source includes, for a compiler that does not tell (NVRTC): every
   #include line is followed, whatever conditions stand around it. Too many files may be
   named, never too few: an #include whose name a macro makes cannot be followed, and
   then nobody knows. */
#include "compile_job.h"

typedef struct {
    cmp_text *files, *names, *absent;
} include_lists;

/* Notes how a file is spelled, once. */
static void note_name(cmp_text *names, const char *name, const char *path)
{
    for (const char *known = NULL; (known = cmp_next(names, known));) {
        int same = !strcmp(known, name);
        known = cmp_next(names, known);
        if (same && !strcmp(known, path))
            return;
    }
    cmp_put(names, "%s", name);
    cmp_put(names, "%s", path);
}

/* Adds folder + name to the files; false if there is no such file, which is noted. */
static int add(include_lists *to, int length, const char *folder, const char *name)
{
    char path[PATH_MAX];
    struct stat status;
    if (snprintf(path, sizeof path, "%.*s%s", length, folder, name) >= PATH_MAX)
        return 0;
    int found = !stat(path, &status);
    if (found && !S_ISREG(status.st_mode))
        return 0;
    if (found)
        note_name(to->names, name + (*folder != 0), path);
    cmp_text *list = found ? to->files : to->absent;
    for (const char *known = NULL; (known = cmp_next(list, known));)
        if (!strcmp(known, path))
            return found;
    cmp_put(list, "%s", path);
    return found;
}

/* Behind blanks, comments and continued lines. */
static const char *skip_blanks(const char *at)
{
    for (const char *end;;)
        if (*at && strchr(" \t\r\f\v", *at))
            at++;
        else if (*at == '\\' && at[1 + (at[1] == '\r')] == '\n')
            at += 2 + (at[1] == '\r');
        else if (at[0] == '/' && at[1] == '*' && (end = strstr(at + 2, "*/")))
            at = end + 2;
        else
            return at;
}

/* Whether only blanks or the end of a comment stand before this on its line. */
static int begins_line(const char *text, const char *at)
{
    while (at > text && strchr(" \t\r\f\v", at[-1]))
        at--;
    return at == text || at[-1] == '\n' ||
           (at > text + 1 && at[-1] == '/' && at[-2] == '*');
}

/* What stands behind the word of an #include, in any of its spellings. NULL: this is
   none; "": a spelling that nobody uses. */
static const char *skip_include(const char *at)
{
    static const char *const words[] = {"include_next", "include", "import", "embed"};
    at = skip_blanks(at + (*at == '#' ? 1 : *at == '%' ? 2 : 3));
    size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz_");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (length == strlen(words[i]) && !strncmp(at, words[i], length))
            return skip_blanks(at + length);
    return at[length] == '\\' ? "" : NULL;
}

/* Follows the lines of one text; false if one cannot be followed. */
static int scan(include_lists *to, const cmp_text *folders, const char *includer,
                const char *text)
{
    const char *slash = strrchr(includer, '/'), *at = text, *line;
    char name[PATH_MAX];
    for (; (at = strpbrk(at, "#%?")); at++) {
        if ((*at == '%' && at[1] != ':') ||
            (*at == '?' && strncmp(at,
                                   "??"
                                   "=",
                                   3)) ||
            !begins_line(text, at) || !(line = skip_include(at)))
            continue;
        size_t length = *line ? strcspn(line + 1, *line == '<' ? "\n>" : "\n\"") : 0;
        if ((*line != '<' && *line != '"') || length >= sizeof name - 1)
            return 0;
        snprintf(name, sizeof name, "/%.*s", (int)length, line + 1);
        if (name[1] == '/' ? add(to, 0, "", name + 1)
                           : slash && add(to, (int)(slash - includer), includer, name))
            continue;
        for (const char *folder = NULL; (folder = cmp_next(folders, folder));)
            if (add(to, (int)strlen(folder), folder, name))
                break;
    }
    return 1;
}

/* Adds what the text includes through the folders; false if that cannot be told. */
int cmp_scan_includes(cmp_text *files, cmp_text *names, cmp_text *absent,
                      const cmp_text *text, const cmp_text *folders)
{
    include_lists to = {files, names, absent};
    int known = scan(&to, folders, "", text->bytes);
    cmp_text content = {0};
    char path[PATH_MAX];
    for (size_t at = 0; known && at < files->size; at += strlen(path) + 1) {
        snprintf(path, sizeof path, "%s", files->bytes + at);
        content.size = 0;
        known = cmp_read(&content, path) && scan(&to, folders, path, content.bytes);
    }
    cmp_text_clear(&content);
    return known && !files->failed && !absent->failed;
}
