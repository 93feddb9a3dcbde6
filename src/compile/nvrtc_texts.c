/* What NVRTC reads of the user's. It takes headers in memory by the spelling of an
   #include line alone, so two files of one spelling (found beside different includers)
   cannot both be there: then it is for nvcc. */
#include "nvrtc_texts.h"
#include <stdlib.h>
#include <unistd.h>

typedef struct {
    const char *path; /* borrowed from job->files */
    cmp_text text;    /* with a final NUL */
} header;

static header *get_headers(const cmp_user_texts *texts, size_t *count)
{
    *count = texts->headers.size / sizeof(header);
    return (header *)texts->headers.bytes;
}

/* Learns what -DNAME=VALUE defines. */
static void learn_option(cmp_user_texts *texts, const char *definition)
{
    cmp_text text = {0};
    cmp_put(&text, "#define %s", definition);
    char *value = text.bytes ? strchr(text.bytes, '=') : NULL;
    if (value)
        *value = ' ';
    text.size -= text.size > 0;
    cmp_attributes_learn(&texts->attributes, &text);
    cmp_text_clear(&text);
}

/* Lists what the source includes, the toolkit's headers left out. */
static void find_files(cmp_user_texts *texts, cmp_job *job, const char *include_option)
{
    size_t length = strlen(include_option);
    cmp_text folders = {0}, text = {0};
    for (const char *word = NULL; (word = cmp_next(&job->arguments, word));)
        if (!strncmp(word, "-I", 2)) {
            cmp_put(&folders, "%s", word + 2);
        } else if (!strncmp(word, include_option, length)) {
            cmp_put(&text, "#include \"%s\"\n", word + length);
            text.size--;
        } else if (!strncmp(word, "-D", 2))
            learn_option(texts, word + 2);
    cmp_put_bytes(&text, job->source.bytes, job->source.size);
    job->files_known =
        !text.failed && !folders.failed &&
        cmp_scan_includes(&job->files, &texts->names, &job->absent, &text, &folders);
    cmp_text_clear(&folders);
    cmp_text_clear(&text);
}

/* The folders whose headers mean the same to both compilers: ours, and NVIDIA's, a
   toolkit's or CCCL's, wherever the user has them. */
static void find_known_folders(cmp_text *known, const cmp_job *job)
{
    static const char *const marks[] = {"cuda_fp16.h", "nv/target"};
    char path[PATH_MAX + 16];
    cmp_put(known, "%s/", cmp_package_folder());
    for (const char *word = NULL; (word = cmp_next(&job->arguments, word));)
        for (size_t k = 0; !strncmp(word, "-I", 2) && k < 2; k++) {
            snprintf(path, sizeof path, "%s/%s", word + 2, marks[k]);
            if (!access(path, R_OK))
                cmp_put(known, "%s/", word + 2);
        }
}

/* Reads the user's headers. */
static void read_headers(cmp_user_texts *texts, const cmp_job *job)
{
    cmp_text known = {0};
    find_known_folders(&known, job);
    for (const char *path = NULL; (path = cmp_next(&job->files, path));) {
        header one = {path, {0}};
        const char *folder = NULL;
        while ((folder = cmp_next(&known, folder)) &&
               strncmp(path, folder, strlen(folder)))
            ;
        if (!folder && cmp_read(&one.text, path))
            cmp_put_bytes(&texts->headers, &one, sizeof one);
        else
            cmp_text_clear(&one.text);
    }
    texts->headers.failed |= known.failed;
    cmp_text_clear(&known);
}

/* Attributes as they are for NVRTC; no byte order mark, which it takes for an error. */
static void rewrite(cmp_user_texts *texts, header *of)
{
    cmp_text *text = &of->text;
    if (text->size > 2 && !memcmp(text->bytes, "\xef\xbb\xbf", 3)) {
        memmove(text->bytes, text->bytes + 3, text->size - 2);
        text->size -= 3;
        texts->are_changed = 1;
    }
    if (cmp_attributes_rewrite(&texts->attributes, text))
        texts->are_changed = texts->is_strict = 1;
}

/* Whether a name stands for two files. */
static int has_doubles(const cmp_user_texts *texts)
{
    const char *name = NULL, *other, *path;
    for (; (name = cmp_next(&texts->names, name)); name = path) {
        path = cmp_next(&texts->names, name);
        for (other = path; (other = cmp_next(&texts->names, other));
             other = cmp_next(&texts->names, other))
            if (!strcmp(name, other))
                return 1;
    }
    return 0;
}

void cmp_user_texts_read(cmp_user_texts *texts, cmp_job *job,
                         const char *include_option)
{
    cmp_attributes *attributes = &texts->attributes;
    size_t count;
    find_files(texts, job, include_option);
    read_headers(texts, job);
    header *headers = get_headers(texts, &count);
    /* Twice: a macro may stand for one that is defined behind it. */
    for (int turn = 0; turn < 2; turn++) {
        for (size_t k = 0; k < count; k++)
            cmp_attributes_learn(attributes, &headers[k].text);
        cmp_attributes_learn(attributes, &job->source);
    }
    cmp_put(&texts->source, "%s", job->source.bytes);
    texts->source.size -= texts->source.size > 0;
    texts->is_strict = cmp_attributes_rewrite(attributes, &texts->source);
    texts->where = "kernel.cu";
    for (size_t k = 0; k < count && !attributes->why; k++) {
        texts->where = headers[k].path;
        rewrite(texts, &headers[k]);
        texts->source.failed |= headers[k].text.failed;
    }
    if (texts->are_changed && !attributes->why && has_doubles(texts)) {
        texts->where = "kernel.cu";
        attributes->why = "two headers are included by the same name, and one of them "
                          "has attributes that NVRTC reads in another way than nvcc: "
                          "include one by another name";
    }
    job->source.failed |=
        texts->source.failed | texts->headers.failed | texts->names.failed;
}

void cmp_user_texts_clear(cmp_user_texts *texts)
{
    size_t count;
    header *headers = get_headers(texts, &count);
    for (size_t k = 0; k < count; k++)
        cmp_text_clear(&headers[k].text);
    cmp_text_clear(&texts->source);
    cmp_text_clear(&texts->headers);
    cmp_text_clear(&texts->names);
    cmp_text_clear(&texts->attributes.macros);
}

void cmp_header_lists_add(cmp_header_lists *lists, const char *name, const char *text)
{
    size_t bytes = (lists->count + 1) * sizeof name;
    const char **names = realloc(lists->names, bytes);
    lists->names = names ? names : lists->names;
    const char **texts = realloc(lists->texts, bytes);
    lists->texts = texts ? texts : lists->texts;
    if (!names || !texts) {
        lists->failed = 1;
        return;
    }
    names[lists->count] = name;
    texts[lists->count++] = text;
}

void cmp_header_lists_clear(cmp_header_lists *lists)
{
    free(lists->names);
    free(lists->texts);
}

/* The name by which a file was listed before, or NULL. */
static const char *find_alias(const cmp_user_texts *texts, const char *path,
                              const char *until)
{
    for (const char *name = NULL, *of; (name = cmp_next(&texts->names, name)) != until;
         name = of) {
        of = cmp_next(&texts->names, name);
        if (!strcmp(of, path))
            return name;
    }
    return NULL;
}

void cmp_user_texts_list(cmp_user_texts *texts, cmp_header_lists *lists)
{
    size_t count, k;
    const char *name = NULL, *path;
    get_headers(texts, &count);
    for (; texts->are_changed && (name = cmp_next(&texts->names, name)); name = path) {
        const char *alias;
        header *headers = get_headers(texts, &(size_t){0});
        path = cmp_next(&texts->names, name);
        for (k = 0; k < count && strcmp(headers[k].path, path);)
            k++;
        if (k == count)
            continue;
        if (!(alias = find_alias(texts, path, name))) {
            cmp_header_lists_add(lists, name, headers[k].text.bytes);
            continue;
        }
        /* By its second name a file includes the first, so that `#pragma once` holds.
         */
        header second = {path, {0}};
        cmp_put(&second.text, "#include \"%s\"\n", alias);
        cmp_put_bytes(&texts->headers, &second, sizeof second);
        cmp_header_lists_add(lists, name, second.text.bytes);
    }
    lists->failed |= texts->headers.failed;
}
