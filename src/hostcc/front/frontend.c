/* clang: CUDA C++ to LLVM's IR, by clang's own CUDA front end (clang.cpp) and our
   device library; no CUDA toolkit is looked for, an installed one is not used. */
#include "hostcc/front/front.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char *const fixed[] = {
    "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_75",
    "--cuda-path=/nonexistent", "-nocudainc", "-nocudalib", "-nogpulib", "-nogpuinc",
    "-Wno-unknown-cuda-version", "-D__HOSTCC__=1", "-fno-math-errno", "-fno-exceptions",
    "-fno-rtti", "-Xclang", "-fcuda-allow-variadic-functions",
    /* constexpr but never constant is a warning, as it is nvcc's; so are numbers in
       braces that their type may not hold. Modules, which C++20 brings, would hide the
       operators new and delete of a precompiled header. */
    "-Wno-error=invalid-constexpr", "-Wno-error=c++11-narrowing", "-Xclang",
    "-fno-cxx-modules",
    /* nvcc takes `register`, and "%"MACRO without a blank, and says nothing of these,
       which would be UserWarnings of Python's. */
    "-Wno-register", "-Wno-reserved-user-defined-literal", "-Wno-dangling-else",
    "-Wno-parentheses-equality", "-Wno-expansion-to-defined", "-Wno-comment",
    /* nvcc does not exploit these as undefined: aliases of other types, a missing
       return, an unset value as an argument (`if (leader) x = ...; x =
       __shfl_sync(m, x, 0);`). */
    "-fno-strict-aliasing", "-fno-strict-return", "-Xclang",
    "-no-enable-noundef-analysis", "-Wno-unused-command-line-argument", "-O2", NULL};
static const char *const to_bitcode[] = {"-emit-llvm", "-c", "-Xclang",
                                         "-disable-llvm-passes", NULL};

/* -- The command -- */

static cc_words base_command(const cc_options *o)
{
    cc_words c = {0};
    const char *library = cc_device_library();
    CC_ADD(&c, "clang");
    cc_add(&c, fixed);
    if (!o->preprocess)
        cc_add(&c, to_bitcode);
    /* clang's headers, libc++'s and the C library's are our own copies: what is
       installed on the machine does not change what a kernel means. */
    CC_ADD(&c, "-isystem", library, cc_format("-resource-dir=%s/clang", library),
           "-nostdlibinc", cc_format("-stdlib++-isystem%s/c++", library), "-idirafter",
           cc_format("%s/libc", library));
    return c;
}

static bool run(cc_unit *u, cc_clang_job *job, const cc_words *c)
{
    for (unsigned k = 0; u->options->verbose && k <= c->n; k++)
        fprintf(stderr, "%s%c", k < c->n ? c->word[k] : "", k < c->n ? ' ' : '\n');
    job->n = c->n;
    job->words = c->word;
    job->context = u->context;
    return cc_clang(job);
}

/* -- The user's source -- */

/* clang compares a name that it does not know with those it does, letter by letter
   with each: of 100,000 letters that takes minutes. */
static bool has_endless_name(const char *source)
{
    enum { LETTERS = 4000 };
    unsigned letters = 0;
    struct stat s;
    FILE *f = !stat(source, &s) && S_ISREG(s.st_mode) ? fopen(source, "rb") : NULL;
    for (int c; f && letters < LETTERS && (c = getc_unlocked(f)) != EOF;)
        letters = isalnum(c) || c == '_' ? letters + 1 : 0;
    if (f)
        fclose(f);
    return letters >= LETTERS;
}

static cc_words command(cc_unit *u, const cc_words *base, const cc_words *more,
                        const char *precompiled, const char *source)
{
    const cc_options *o = u->options;
    cc_words c = *base;
    if (precompiled)
        CC_ADD(&c, "-Xclang", "-include-pch", "-Xclang", precompiled);
    else
        CC_ADD(&c, "-include", cc_format("%s/device.h", cc_device_library()));
    cc_add(&c, o->language.word);
    cc_add(&c, more->word);
    /* Dumps tell values of one name apart; reports name parameters. */
    if (getenv("HOSTCC_DUMP") || o->checks)
        CC_ADD(&c, "-fno-discard-value-names");
    if (has_endless_name(source))
        CC_ADD(&c, "-fno-spell-checking");
    CC_ADD(&c, "-o", "-", source, o->preprocess ? "-E" : NULL);
    return c;
}

static double milliseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

/* Behind what was precompiled of the source. False: all is to be compiled, as clang did
   not accept that, or shows a place in it, whose name in the source it does not know.
 */
static bool compile_rest(cc_unit *u, cc_leading *leading, const cc_words *base,
                         const cc_words *more, const char *source, cc_clang_job *job)
{
    if (!leading || !leading->file)
        return false;
    cc_words c = command(u, base, more, leading->file, source);
    job->leading = leading;
    bool good = run(u, job, &c);
    leading->is_refused = !good;
    job->leading = NULL;
    /* `#pragma clang diagnostic pop` of what was pushed there says so. */
    return good && job->fits && !strstr(job->messages, CC_TEXT) &&
           !strstr(job->messages, "no matching push");
}

/* Diagnostics count only if clang accepted the precompiled header, which may be of
   other versions of the headers: else all is compiled again without it. */
static bool compile(cc_unit *u, cc_leading *leading, const char *library,
                    const cc_words *base, const cc_words *more, const char *source,
                    char **messages)
{
    cc_clang_job job = {0};
    bool good = compile_rest(u, leading, base, more, source, &job);
    for (const char *precompiled = library; !good; precompiled = NULL) {
        cc_words c = command(u, base, more, precompiled, source);
        double begun = milliseconds();
        good = run(u, &job, &c);
        if (good && leading && precompiled)
            cc_remember_leading(leading, milliseconds() - begun);
        if (!precompiled)
            break;
    }
    *messages = job.messages;
    u->module = job.module;
    return good;
}

LLVMModuleRef cc_compile_text(cc_unit *u, const char *text, char **messages)
{
    const cc_words nothing = {0}, base = base_command(u->options);
    LLVMModuleRef before = u->module;
    int file = memfd_create("text", 0);
    ssize_t size = (ssize_t)strlen(text);
    if (file < 0 || write(file, text, (size_t)size) != size)
        cc_refuse("out of memory");
    bool good = compile(u, NULL, cc_precompiled_library(u, &base), &base, &nothing,
                        cc_format("/proc/self/fd/%d", file), messages);
    LLVMModuleRef made = good ? u->module : NULL;
    close(file);
    u->module = before;
    return made;
}

void cc_frontend(cc_unit *u)
{
    char *messages;
    if (cc_link_objects(u))
        return;
    if (u->options->kernel)
        cc_refuse("--kernel: '%s' is not an object", u->options->source[0]);
    const char *source = u->options->source[0];
    const cc_words base = base_command(u->options);
    const char *library = cc_precompiled_library(u, &base);
    u->leading = library ? cc_find_leading(u, &base, library, source) : NULL;
    bool good =
        compile(u, u->leading, library, &base, &u->options->clang, source, &messages);
    if (!u->options->no_avx512) { /* else they have been seen */
        fputs(messages, stderr);
        cc_warn_of_arch(u);
    }
    if (!good || u->options->preprocess)
        exit(!good);
    cc_declare_builtin_variables(u);
    if (u->options->relocatable)
        cc_write_object(u);
    cc_name_internals(u);
    cc_keep_object(u);
    LLVMContextSetDiscardValueNames(u->context, !getenv("HOSTCC_DUMP"));
}
