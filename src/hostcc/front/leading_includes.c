/* What a source begins with: comments, #include, #define, #undef, #line, `using
   namespace`, other names of namespaces and the `extern "C" {` in which PyCUDA puts a
   source. Headers take clang a second where a kernel takes it a hundredth, so this text
   is precompiled on top of the device library and clang begins behind it. Only the
   second source that begins so has that made, in the background once its image is
   there: it takes longer than to compile, and most sources are compiled once. The text
   ends before an #include "..." of a file beside the source; others are looked for as
   #include <...>, in folders that options name.

   A file `device-includes-KEY` of the folder of precompiled headers says what is known
   of a text and the options that count: that it was seen, or is being precompiled, or
   cannot be, or the name of the precompiled header, which files clang read for it (with
   size, number and times of change) and which it looked for in vain. If any of that is
   otherwise now, or what is here is damaged, the text counts as new. The precompiled
   header says the same as the text, or it is not kept (leading_source.cpp). */
#include "hostcc/front/front.h"

#include <ctype.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MOST_LETTERS 65536 /* of a text */
#define WORTH_IT 10        /* milliseconds of CPU time that a source takes clang */
#define LARGEST (64 << 20) /* bytes of a precompiled header */
/* Seconds until it may be that it can be, and until a file is no longer edited. */
#define TRIED_AGAIN (24 * 60 * 60)
#define SETTLED 60

/* -- The text -- */

static const char *blanks(const char *s)
{
    return s + strspn(s, " \t\f\v");
}

/* Past comments and blanks to a line's end: the next line, or NULL. Block comments may
   go on over lines. */
static const char *end_of_line(const char *s)
{
    for (;; s++) {
        s = blanks(s);
        if (!strncmp(s, "//", 2))
            s += strcspn(s, "\n");
        else if (!strncmp(s, "/*", 2)) {
            const char *end = strstr(s + 2, "*/");
            if (!end)
                return NULL;
            s = end + 1;
            continue;
        }
        s += *s == '\r' && s[1] == '\n';
        return *s == '\n' ? s + 1 : NULL;
    }
}

/* Behind the word, which no letter follows; or NULL. */
static const char *behind(const char *s, const char *word)
{
    size_t n = strlen(word);
    return strncmp(s, word, n) || isalnum((unsigned char)s[n]) || s[n] == '_' ? NULL
                                                                              : s + n;
}

/* A source as it is read. */
typedef struct {
    char *source;
    const char *folder; /* in which it lies */
    cc_leading found;
    bool includes; /* the last line read does */
} reading;

/* "name" of a file that is not beside the source becomes <name>. */
static bool is_elsewhere(reading *r, const char *s)
{
    size_t n = *s == '"' ? 1 + strcspn(s + 1, "\">\n") : 0;
    if (!n || s[n] != '"')
        return false;
    if (s[1] != '/') { /* a name from the root lies beside nothing */
        char *path = cc_format("%s/%.*s", r->folder, (int)n - 1, s + 1);
        if (!access(path, F_OK))
            return false;
        r->found.beside = cc_format("%s%c%s\n", r->found.beside, CC_ABSENT, path);
    }
    r->source[s - r->source] = '<';
    r->source[s + n - r->source] = '>';
    return true;
}

static const char *behind_include(reading *r, const char *s)
{
    s = blanks(s);
    size_t n = *s == '<' || is_elsewhere(r, s) ? strcspn(s, ">\n") : 0;
    return n > 1 && s[n] == '>' ? end_of_line(s + n + 1) : NULL;
}

/* A definition has a line of its own, without comments that go on. */
static const char *behind_definition(const char *s)
{
    size_t n = strcspn(s, "\n");
    const char *comment = strstr(s, "/*");
    bool whole = s[n] && (!comment || comment > s + n) &&
                 (isalpha((unsigned char)*blanks(s)) || *blanks(s) == '_');
    return whole && *s != *blanks(s) ? s + n + 1 : NULL;
}

/* #line 7 "kernel.cu" */
static const char *behind_line(reading *r, const char *s)
{
    cc_leading *l = &r->found;
    char name[256];
    unsigned number;
    int n = 0;
    if (l->nlines == CC_MOST_LINES ||
        sscanf(s, " %9u \"%255[^\"\\\n]\"%n", &number, name, &n) < 2 || !n ||
        memchr(s, '\n', (size_t)n) || number == 0)
        return NULL;
    l->lines[l->nlines].at = (size_t)(s - r->source);
    l->lines[l->nlines].number = number;
    l->lines[l->nlines].name = cc_format("%s", name);
    s = end_of_line(s + n);
    l->nlines += s != NULL;
    return s;
}

static const char *behind_directive(reading *r, const char *s)
{
    const char *word = blanks(s + 1), *at;
    if ((at = behind(word, "include"))) {
        at = behind_include(r, at);
        r->includes = at != NULL;
        return at;
    }
    if ((at = behind(word, "line")))
        return behind_line(r, at);
    if ((at = behind(word, "define")) || (at = behind(word, "undef")))
        return behind_definition(at);
    return NULL;
}

static const char *behind_linkage(reading *r, const char *s)
{
    s = *r->found.opened ? NULL : behind(s, "extern");
    s = s ? blanks(s) : "";
    s = strncmp(s, "\"C\"", 3) ? "" : blanks(s + 3);
    s = *s == '{' ? end_of_line(s + 1) : NULL;
    if (s)
        r->found.opened = "extern \"C\" {\n";
    return s;
}

static const char *behind_name(const char *s)
{
    s = blanks(s);
    while (isalnum((unsigned char)*s) || *s == '_' || *s == ':')
        s++;
    return blanks(s);
}

/* `using namespace A::B;` or `namespace A = B::C;` */
static const char *behind_namespace(const char *s)
{
    const char *at = behind(s, "using");
    if (at)
        at = behind(blanks(at), "namespace");
    else if ((at = behind(s, "namespace"))) {
        at = behind_name(at);
        at = *at == '=' ? at + 1 : NULL;
    }
    at = at ? behind_name(at) : "";
    return *at == ';' ? end_of_line(at + 1) : NULL;
}

/* Not a line that goes on in the next one, and none that says so in other letters. */
static bool is_plain(const char *s, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        size_t gap = s[k] == '\\' ? strspn(s + k + 1, " \t\f\v\r") : 0;
        if ((s[k] == '\\' && s[k + 1 + gap] == '\n') ||
            (s[k] == '\r' && s[k + 1] != '\n') || (s[k] == '?' && s[k + 1] == '?') ||
            (s[k] == 'R' && s[k + 1] == '"'))
            return false;
    }
    return true;
}

/* The text ends with its last #include. */
static bool find_text(cc_leading *l, char *source, const char *folder)
{
    reading r = {source, folder, .found = {.opened = "", .beside = ""}};
    const char *end = source;
    for (const char *s = source, *next; s - source < MOST_LETTERS; s = next) {
        const char *begin = blanks(s);
        r.includes = false;
        next = *begin == '#'                    ? behind_directive(&r, begin)
               : *begin == 'e'                  ? behind_linkage(&r, begin)
               : isalpha((unsigned char)*begin) ? behind_namespace(begin)
                                                : end_of_line(s);
        if (!next || !is_plain(s, (size_t)(next - s)))
            break;
        if (r.includes) {
            *l = r.found;
            end = next;
        }
    }
    l->bytes = (size_t)(end - source);
    if (l->bytes)
        l->text = cc_format("%.*s%s", (int)l->bytes, source, *l->opened ? "}\n" : "");
    return l->bytes > 0;
}

/* -- What counts -- */

/* Names of headers, and with them what clang says, do not depend on where we are. */
static bool is_plain_path(const char *path)
{
    return *path == '/' && !strstr(path, "/./");
}

static bool adds_folders(void)
{
    static const char *const variables[] = {"CPATH", "C_INCLUDE_PATH",
                                            "CPLUS_INCLUDE_PATH", NULL};
    const char *const *v = variables;
    while (*v && !getenv(*v))
        v++;
    return *v != NULL;
}

/* The options by which a text means something; false: it cannot be precompiled. */
static bool find_words(const cc_options *o, const cc_words *base, cc_words *c)
{
    *c = *base;
    cc_add(c, o->language.word);
    for (const char *const *w = o->clang.word; *w; w++) {
        bool takes_path = !strcmp(*w, "-isystem");
        const char *path = takes_path ? w[1] : cc_prefixed(*w, "-I") ? *w + 2 : "/";
        if (!strcmp(*w, "-include") || !is_plain_path(path))
            return false;
        if (cc_prefixed(*w, "-M")) /* the rule's, with a word behind it or without */
            w += strcmp(*w, "-MD") != 0;
        else
            CC_ADD(c, *w);
        if (takes_path)
            CC_ADD(c, *++w);
    }
    return is_plain_path(cc_device_library()) && !adds_folders();
}

static char *key_of(const cc_leading *l, const cc_words *c)
{
    const char *producer = cc_producer();
    uint64_t hash = cc_mix(CC_MIX_BEGIN, producer, strlen(producer) + 1);
    for (unsigned k = 0; k < c->n; k++)
        hash = cc_mix(hash, c->word[k], strlen(c->word[k]) + 1);
    hash = cc_mix(hash, l->library, strlen(l->library) + 1);
    return cc_format("%016" PRIx64, cc_mix(hash, l->text, strlen(l->text)));
}

/* -- What is known of it -- */

#define SEEN "seen"
#define NONE "none"
/* It is being made, or a header was edited too late to know what clang read of it. */
#define LATER "later"

typedef struct {
    uint64_t size, number, modified, changed;
} stamp;

#define SECOND UINT64_C(1000000000)

static uint64_t nanoseconds(const struct timespec *t)
{
    return (uint64_t)t->tv_sec * SECOND + (uint64_t)t->tv_nsec;
}

static bool stamp_of(const char *path, stamp *is)
{
    struct stat s;
    if (stat(path, &s))
        return false;
    *is = (stamp){(uint64_t)s.st_size, s.st_ino, nanoseconds(&s.st_mtim),
                  nanoseconds(&s.st_ctim)};
    return true;
}

static bool is_as_before(const char *line)
{
    stamp was, is;
    char *end = (char *)line;
    was.size = strtoull(end, &end, 16);
    was.number = strtoull(end, &end, 16);
    was.modified = strtoull(end, &end, 16);
    was.changed = strtoull(end, &end, 16);
    return *end == ' ' && stamp_of(end + 1, &is) && !memcmp(&was, &is, sizeof is);
}

/* The text, without the digest that it begins with; NULL: there is none, or a damaged
   one. */
static char *known_of(const char *name)
{
    size_t size;
    char *all = cc_map_file(name, &size), *known = NULL;
    if (all && size > 17 && strtoull(all, NULL, 16) == cc_digest(all + 17, size - 17))
        known = cc_format("%.*s", (int)size - 17, all + 17);
    if (all)
        munmap(all, size);
    return known;
}

/* Written beside its place and renamed. */
static bool write_known(const char *name, const char *known)
{
    char *draft = cc_format("%s.%d", name, (int)getpid());
    FILE *f = fopen(draft, "we");
    bool good = f && fprintf(f, "%016" PRIx64 "\n%s", cc_digest(known, strlen(known)),
                             known) > 0;
    good = f && !fclose(f) && good;
    good = good && !rename(draft, name);
    if (f && !good)
        unlink(draft);
    return good;
}

/* What is in use must not look old: the folder's owner removes what does. */
static void keep_young(const char *path)
{
    struct stat s;
    if (!stat(path, &s) && time(NULL) - s.st_mtim.tv_sec > TRIED_AGAIN)
        utimensat(AT_FDCWD, path, NULL, 0);
}

/* Of a text that was precompiled: sets its file and what was looked for in vain, if all
   is as it was. Lines are `+STAMP FILE`, then notes. */
static bool take_known(cc_leading *l, char *known)
{
    char *line = strtok(known, "\n");
    char *path =
        cc_format("%.*s/%s", (int)(strrchr(l->name, '/') - l->name), l->name, line);
    char *notes = "";
    if (strcmp(path, cc_named_by_content(l->name, path)))
        return false;
    while ((line = strtok(NULL, "\n"))) {
        if (*line == '+' ? !is_as_before(line + 1)
                         : *line == CC_ABSENT && !access(line + 1, F_OK))
            return false;
        if (*line != '+' && !*notes)
            notes = line; /* they come last */
    }
    l->notes = notes;
    l->file = path;
    keep_young(path);
    keep_young(l->name);
    return true;
}

/* -- Making it -- */

typedef struct {
    cc_unit *unit;
    const char *draft;
} making;
enum { MADE, UNSETTLED, IMPOSSIBLE };
#define NICENESS 10 /* for the sake of who compiles the next source meanwhile */

/* Whether a file that has this time was changed before: by the clock of its system,
   which may tell seconds alone. */
static bool was_before(uint64_t time, uint64_t begun)
{
    return time + (time % SECOND ? SECOND / 10 : 2 * SECOND) < begun;
}

/* A line for each file, with its stamp; false: it was changed of late, and perhaps
   while it was read. Not so the library, whose name says its content. */
static bool put_stamps(FILE *to, const char *files, const char *library, uint64_t begun)
{
    char path[PATH_MAX];
    stamp is;
    for (const char *s = files; *s; s += strlen(s) + 1) {
        const char *file =
            *s == '/' ? s : realpath(s, path); /* the library may be here */
        if (!file || !stamp_of(file, &is))
            return false;
        if (strcmp(s, library) &&
            !(was_before(is.modified, begun) && was_before(is.changed, begun)))
            return false;
        fprintf(to, "+%" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 " %s\n", is.size,
                is.number, is.modified, is.changed, file);
    }
    return true;
}

static void put_notes(FILE *to, char kind, const char *names)
{
    for (const char *s = names; *s; s += strlen(s) + 1)
        fprintf(to, "%c%s\n", kind, s);
}

/* Names that are lines, and that a precompiled header leaves as they are. */
static bool are_plain(const char *names)
{
    for (const char *s = names; *s; s += strlen(s) + 1)
        if (strchr(s, '\n') || strstr(s, "/./"))
            return false;
    return true;
}

/* The lines of what is known, but for the first. */
static char *describe(const cc_clang_job *job, const char *library, uint64_t begun)
{
    char *known = NULL;
    size_t size;
    FILE *f = open_memstream(&known, &size);
    bool good = f && put_stamps(f, job->opened, library, begun) &&
                put_stamps(f, job->asked, library, begun);
    if (!good)
        return NULL;
    put_notes(f, CC_ABSENT, job->absent);
    put_notes(f, CC_ASKED, job->asked);
    put_notes(f, CC_TRAPPING, job->trapping);
    put_notes(f, CC_PASSED_OVER, job->passed_over);
    return fclose(f) ? NULL : known;
}

/* In a process of its own: LLVM ends it where a disk is full. */
static int make(void *argument)
{
    const making *m = argument;
    const cc_leading *l = m->unit->leading;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    struct stat s;
    cc_words c = *l->words;
    CC_ADD(&c, "-Xclang", "-include-pch", "-Xclang", l->library, "-Xclang", "-emit-pch",
           "-o", m->draft, CC_TEXT);
    cc_clang_job job = {
        .n = c.n, .words = c.word, .context = m->unit->context, .text = l->text};
    bool good = cc_clang(&job) && !*job.messages && job.fits && are_plain(job.opened) &&
                are_plain(job.asked) && are_plain(job.absent) && !stat(m->draft, &s) &&
                s.st_size <= LARGEST;
    char *known = good ? describe(&job, l->library, nanoseconds(&now)) : NULL;
    char *path = known ? cc_named_by_content(l->name, m->draft) : NULL;
    bool made =
        path && !rename(m->draft, path) &&
        write_known(l->name, cc_format("%s\n%s", strrchr(path, '/') + 1, known));
    return made ? MADE : good ? UNSETTLED : IMPOSSIBLE;
}

/* Nobody waits for it: it has none of the files that somebody reads to their end. */
static void enter_background(void)
{
    int nothing = open("/dev/null", O_RDWR);
    for (int file = 0; file < 3; file++)
        dup2(nothing, file);
    close_range(3, ~0U, 0);
    nice(NICENESS);
    LLVMResetFatalErrorHandler();
}

/* What is known says LATER until it is made, so that it is made once. */
void cc_precompile_leading(cc_unit *u)
{
    const cc_leading *l = u->leading;
    char *known = l && l->words ? known_of(l->name) : NULL;
    if (!known || !cc_prefixed(known, SEEN) || !write_known(l->name, LATER) || fork())
        return;
    making m = {u, cc_format("%s.%d.pch", l->name, (int)getpid())};
    enter_background();
    int result = cc_in_child(make, &m);
    unlink(m.draft);
    if (result != MADE)
        write_known(l->name, result == UNSETTLED ? LATER : NONE);
    _exit(0);
}

/* -- The whole -- */

static char *begin_of(const char *source)
{
    struct stat s;
    FILE *f = !stat(source, &s) && S_ISREG(s.st_mode) ? fopen(source, "rbe") : NULL;
    char *text = f ? cc_alloc(MOST_LETTERS + 1) : NULL;
    if (f) {
        text[fread(text, 1, MOST_LETTERS, f)] = 0;
        fclose(f);
    }
    return text;
}

cc_leading *cc_find_leading(cc_unit *u, const cc_words *base, const char *library,
                            const char *source)
{
    const cc_options *o = u->options;
    cc_leading *l = cc_alloc(sizeof *l);
    cc_words *words = cc_alloc(sizeof *words);
    /* Debuggers are told of more than clang takes from precompiled headers. */
    char *text = cc_for_debuggers(u) ? NULL : begin_of(source);
    const char *slash = strrchr(source, '/');
    const char *folder = slash ? cc_format("%.*s", (int)(slash - source), source) : ".";
    if (!text || !find_text(l, text, folder) || !find_words(o, base, words))
        return NULL;
    l->library = library;
    l->name = cc_format("%s/device-includes-%s", o->pch_folder, key_of(l, words));
    char *known = known_of(l->name);
    struct stat s;
    l->is_new = !known;
    if (!known)
        return l;
    if (cc_prefixed(known, SEEN))
        l->words = words;
    else if (cc_prefixed(known, NONE) || cc_prefixed(known, LATER)) {
        int delay = cc_prefixed(known, NONE) ? TRIED_AGAIN : SETTLED;
        l->is_new = !stat(l->name, &s) && time(NULL) - s.st_mtim.tv_sec > delay;
    } else
        l->is_new = !take_known(l, cc_format("%s%s", known, l->beside));
    return l;
}

void cc_remember_leading(const cc_leading *l, double milliseconds)
{
    if (l->is_refused)
        write_known(l->name, NONE);
    else if (l->is_new && milliseconds >= WORTH_IT)
        write_known(l->name, SEEN);
}
