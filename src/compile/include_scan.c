/* Which files a source includes, for a compiler that does not tell (NVRTC): every
   #include line is followed, whatever conditions stand around it. Too many files may be
   named, never too few: an #include whose name a macro makes cannot be followed, and
   then nobody knows. */
#include "compile_job.h"

/* Adds folder + name to the files; false if there is no such file. */
static int add(cmp_text *files, int length, const char *folder, const char *name)
{
    char path[PATH_MAX];
    struct stat status;
    if (snprintf(path, sizeof path, "%.*s%s", length, folder, name) >= PATH_MAX ||
        stat(path, &status) || !S_ISREG(status.st_mode))
        return 0;
    for (const char *known = NULL; (known = cmp_next(files, known));)
        if (!strcmp(known, path))
            return 1;
    cmp_put(files, "%s", path);
    return 1;
}

/* Follows the lines of one text; false if one cannot be followed. */
static int scan(cmp_text *files, const cmp_text *folders, const char *includer,
                const char *line)
{
    const char *slash = strrchr(includer, '/');
    char name[PATH_MAX];
    for (; line; line = strchr(line, '\n')) {
        line += strspn(line, " \t\r\n\f\v");
        if (*line != '#')
            continue;
        line += 1 + strspn(line + 1, " \t");
        if (strncmp(line, "include", 7))
            continue;
        line += 7 + strspn(line + 7, " \t");
        size_t length = strcspn(line + (*line != 0), "\n\">");
        if ((*line != '<' && *line != '"') || length >= sizeof name - 1)
            return 0;
        snprintf(name, sizeof name, "/%.*s", (int)length, line + 1);
        if (name[1] == '/'
                ? add(files, 0, "", name + 1)
                : slash && add(files, (int)(slash - includer), includer, name))
            continue;
        for (const char *folder = NULL; (folder = cmp_next(folders, folder));)
            if (add(files, (int)strlen(folder), folder, name))
                break;
    }
    return 1;
}

/* Adds what the text includes through the folders; false if that cannot be told. */
int cmp_scan_includes(cmp_text *files, const cmp_text *text, const cmp_text *folders)
{
    int known = scan(files, folders, "", text->bytes);
    cmp_text content = {0};
    char path[PATH_MAX];
    for (size_t at = 0; known && at < files->size; at += strlen(path) + 1) {
        snprintf(path, sizeof path, "%s", files->bytes + at);
        content.size = 0;
        known = cmp_read(&content, path) && scan(files, folders, path, content.bytes);
    }
    cmp_text_clear(&content);
    return known && !files->failed;
}
