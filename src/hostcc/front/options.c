/* The command line: the options that PyCUDA programs pass to nvcc. One row each: it
   goes to clang, is ours, or means nothing on a CPU. */
#include "hostcc/front/front.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    IGNORE = 256,
    CLANG,
    STD,
    FAST_MATH,
    FMAD,
    FTZ,
    DEPFILE,
    PCH_FOLDER,
    ARCH,
    DEBUG_FOLDER,
    RELOCATABLE,
    CPU,
    CHECK,
    NO_AVX512,
    GATHERS,
    PREFETCHES,
    DIVERGENT_LOOPS,
    LAZY_LOADING,
    KERNEL,
    LAYOUT,
    VERSION,
    HELP
};

#define ONE required_argument
static const struct option rows[] = {
    {"cubin", 0, 0, IGNORE},
    {"ptx", 0, 0, IGNORE},
    {"fatbin", 0, 0, IGNORE},
    {"compile", 0, 0, IGNORE},
    {"device-c", 0, 0, RELOCATABLE},
    {"dc", 0, 0, RELOCATABLE},
    {"arch", ONE, 0, ARCH},
    {"gpu-architecture", ONE, 0, ARCH},
    {"code", ONE, 0, IGNORE},
    {"gpu-code", ONE, 0, IGNORE},
    {"gencode", ONE, 0, ARCH},
    {"generate-code", ONE, 0, ARCH},
    {"maxrregcount", ONE, 0, IGNORE},
    {"ftz", ONE, 0, FTZ},
    {"prec-div", ONE, 0, IGNORE},
    {"prec-sqrt", ONE, 0, IGNORE},
    {"rdc", ONE, 0, RELOCATABLE},
    {"relocatable-device-code", ONE, 0, RELOCATABLE},
    {"Xcompiler", ONE, 0, IGNORE},
    {"compiler-options", ONE, 0, IGNORE},
    {"Xptxas", ONE, 0, IGNORE},
    {"ptxas-options", ONE, 0, IGNORE},
    {"Xlinker", ONE, 0, IGNORE},
    {"linker-options", ONE, 0, IGNORE},
    {"ccbin", ONE, 0, IGNORE},
    {"compiler-bindir", ONE, 0, IGNORE},
    {"default-stream", ONE, 0, IGNORE},
    {"expt-relaxed-constexpr", 0, 0, IGNORE},
    {"expt-extended-lambda", 0, 0, IGNORE},
    {"extended-lambda", 0, 0, IGNORE},
    {"restrict", 0, 0, IGNORE},
    {"e", ONE, 0, IGNORE},
    {"entries", ONE, 0, IGNORE},
    {"machine", ONE, 0, IGNORE},
    {"m64", 0, 0, IGNORE},
    {"resource-usage", 0, 0, IGNORE},
    {"res-usage", 0, 0, IGNORE},
    {"threads", ONE, 0, IGNORE},
    {"split-compile", ONE, 0, IGNORE},
    {"Xcudafe", ONE, 0, IGNORE},
    {"diag-suppress", ONE, 0, IGNORE},
    {"allow-unsupported-compiler", 0, 0, IGNORE},
    {"device-debug", 0, 0, 'G'},
    {"lineinfo", 0, 0, 'g'},
    {"generate-line-info", 0, 0, 'g'},
    {"debug", 0, 0, 'g'},
    {"keep", 0, 0, IGNORE},
    {"keep-dir", ONE, 0, IGNORE},
    {"disable-warnings", 0, 0, 'w'},
    {"std", ONE, 0, STD},
    {"use_fast_math", 0, 0, FAST_MATH},
    {"fmad", ONE, 0, FMAD},
    {"include-path", ONE, 0, 'I'},
    {"define-macro", ONE, 0, 'D'},
    {"undefine-macro", ONE, 0, 'U'},
    {"include", ONE, 0, CLANG},
    {"pre-include", ONE, 0, CLANG},
    {"isystem", ONE, 0, CLANG},
    {"MF", ONE, 0, DEPFILE},
    {"pch-dir", ONE, 0, PCH_FOLDER},
    {"debug-dir", ONE, 0, DEBUG_FOLDER},
    {"cpu", ONE, 0, CPU},
    {"check", ONE, 0, CHECK},
    {"coverage", 0, 0, CHECK},
    {"no-avx512", 0, 0, NO_AVX512},
    {"gathers", ONE, 0, GATHERS},
    {"prefetches", ONE, 0, PREFETCHES},
    {"divergent-loops", ONE, 0, DIVERGENT_LOOPS},
    {"lazy-loading", ONE, 0, LAZY_LOADING},
    {"kernel", ONE, 0, KERNEL},
    {"layout", ONE, 0, LAYOUT},
    {"preprocess", 0, 0, 'E'},
    {"no-line-markers", 0, 0, 'P'},
    {"optimize", ONE, 0, 'O'},
    {"output-file", ONE, 0, 'o'},
    {"version", 0, 0, VERSION},
    {"verbose", 0, 0, 'v'},
    {"help", 0, 0, HELP},
    {0, 0, 0, 0},
};

void cc_add(cc_words *list, const char *const *words)
{
    for (; *words; words++) {
        if (list->n > 250)
            cc_refuse("too many options");
        list->word[list->n++] = *words;
    }
}

const char *cc_producer(void)
{
    unsigned major, minor, patch;
    LLVMGetVersion(&major, &minor, &patch);
    return cc_format("hostcc %s, LLVM %u.%u.%u, abi %u", HOSTCC_VERSION, major, minor,
                     patch, HC_ABI_VERSION);
}

static void usage(void)
{
    printf(
        "usage: hostcc [options] FILE.cu -o IMAGE\n"
        "       hostcc [options] -rdc=true FILE.cu -o OBJECT\n"
        "       hostcc [options] OBJECT... -o IMAGE\n"
        "       hostcc [options] --kernel=NAME [--layout=rows|linear] OBJECT -o IMAGE\n"
        "Compiles CUDA C++ for the processor of this machine. Takes nvcc's "
        "options; those that\n"
        "mean nothing on a CPU are ignored. HOSTCC_DUMP=STAGE prints the IR "
        "after a stage.\n");
}

/* Of --check=memory,race: HC_CHECK_...; "coverage" is an option of its own. */
static unsigned checks(cc_options *o, const char *words)
{
    static const struct {
        const char *word;
        unsigned kinds;
    } known[] = {
        {"memory", HC_CHECK_MEMORY},
        {"race", HC_CHECK_RACE},
        {"init", HC_CHECK_INIT},
        {"sync", HC_CHECK_SYNC},
        {"all", HC_CHECK_MEMORY | HC_CHECK_RACE | HC_CHECK_INIT | HC_CHECK_SYNC}};
    unsigned all = 0;
    for (size_t length; *words; words += length + (words[length] == ',')) {
        length = strcspn(words, ",");
        unsigned found = 0;
        for (unsigned k = 0; k < sizeof known / sizeof *known; k++)
            if (strlen(known[k].word) == length &&
                !strncmp(words, known[k].word, length))
                found = known[k].kinds;
        if (length == 8 && !strncmp(words, "coverage", length)) {
            o->coverage = true;
            continue;
        }
        if (!found)
            cc_refuse("--check: '%.*s' is not one of memory, race, init, sync, all",
                      (int)length, words);
        all |= found;
    }
    return all;
}

/* What an option sets to its argument, and no more; NULL: it does something else. */
static const char **argument_of(cc_options *o, int option)
{
    return option == PCH_FOLDER     ? &o->pch_folder
           : option == DEBUG_FOLDER ? &o->debug_folder
           : option == CPU          ? &o->cpu
           : option == KERNEL       ? &o->kernel
           : option == 'o'          ? &o->output
                                    : NULL;
}

/* The place of an option's word in a list that ends with NULL, from 1 on. */
static int one_of(const char *option, const char *word, const char *const *list)
{
    const char *known = "";
    int k = 0;
    for (; list[k] && strcmp(word, list[k]); k++)
        known = cc_format("%s%s%s", known, k ? ", " : "", list[k]);
    if (!list[k])
        cc_refuse("--%s: '%s' is not one of %s", option, word, known);
    return k + 1;
}
#define ONE_OF(option, word, ...) \
    one_of(option, word, (const char *const[]){__VA_ARGS__, NULL})

/* Options of several words, most of which choose for tests what the compiler would. */
static void take_choice(cc_options *o, int option)
{
    if (option == GATHERS)
        o->gathers = ONE_OF("gathers", optarg, "loads", "instructions");
    else if (option == PREFETCHES)
        o->prefetches = ONE_OF("prefetches", optarg, "near", "far");
    else if (option == DIVERGENT_LOOPS)
        o->divergent_loops =
            ONE_OF("divergent-loops", optarg, "vectors", "scalar", "counted");
    else if (option == LAZY_LOADING)
        o->lazy_loading = ONE_OF("lazy-loading", optarg, "large", "all");
    else if (option == LAYOUT)
        o->layout = ONE_OF("layout", optarg, "rows", "linear");
}

/* The newest GPU that is asked for, "sm_90a" or "arch=compute_80,code=sm_80". */
static void take_arch(cc_options *o, const char *word)
{
    for (word = strchr(word, '_'); word; word = strchr(word + 1, '_')) {
        unsigned arch = (unsigned)atoi(word + 1);
        o->arch = arch > o->arch ? arch : o->arch;
    }
}

/* Applies an option: one switch, a case for each kind in the table above. */
static void take(cc_options *o, int option, int index)
{
    const char **argument = argument_of(o, option);
    if (argument)
        *argument = optarg;
    take_choice(o, option);
    switch (option) { /* others mean nothing on a CPU */
    case CLANG:
        CC_ADD(&o->clang, strcmp(rows[index].name, "isystem") ? "-include" : "-isystem",
               optarg);
        break;
    case STD:
        CC_ADD(&o->language, cc_format("-std=%s", optarg));
        break;
    case ARCH:
        take_arch(o, optarg);
        break;
    case FAST_MATH:
        CC_ADD(&o->language, "-D__USE_FAST_MATH__=1");
        o->flushes = true;
        break;
    case FTZ:
        o->flushes = !strcmp(optarg, "true");
        break;
    case FMAD:
        CC_ADD(&o->language,
               strcmp(optarg, "false") ? "-ffp-contract=fast" : "-ffp-contract=off");
        break;
    case DEPFILE:
        o->depfile = optarg;
        CC_ADD(&o->clang, "-MD", "-MF", optarg, "-MT", "image");
        break;
    case CHECK:
        o->checks |= checks(o, rows[index].has_arg ? optarg : rows[index].name);
        break;
    case NO_AVX512:
        o->no_avx512 = true;
        break;
    case 'I':
    case 'D':
    case 'U':
        /* device.h reads one macro of the user's, for assert. */
        CC_ADD(cc_prefixed(optarg, "NDEBUG") ? &o->language : &o->clang,
               cc_format("-%c%s", option, optarg));
        break;
    case 'w':
    case 'P':
        CC_ADD(&o->clang, cc_format("-%c", option));
        break;
    case 'E':
        o->preprocess = true;
        break;
    case RELOCATABLE:
        o->relocatable = !rows[index].has_arg || !strcmp(optarg, "true");
        break;
    case 'g':
    case 'G':
        if (o->debug != LLVMDWARFEmissionFull)
            o->debug =
                option == 'G' ? LLVMDWARFEmissionFull : LLVMDWARFEmissionLineTablesOnly;
        break;
    case 'O':
        o->level = atoi(optarg);
        break;
    case 'v':
        o->verbose = true;
        break;
    case VERSION:
    case HELP:
        option == HELP ? usage() : (void)puts(cc_producer());
        exit(0);
    case '?':
        exit(1); /* getopt has said why */
    }
}

/* Debuggers look for names that do not begin at the root beside the source. */
static void debug(cc_options *o, const char *source)
{
    const char *slash = strrchr(source, '/');
    o->level = 0;
    if (o->debug_folder)
        CC_ADD(&o->clang, cc_format("-fdebug-compilation-dir=%s", o->debug_folder));
    else if (*source == '/')
        CC_ADD(&o->clang, cc_format("-fdebug-compilation-dir=%.*s",
                                    (int)(slash - source), source));
    if (!o->checks && !o->coverage)
        CC_ADD(&o->clang, "-Xclang", "-debug-info-kind=standalone");
}

/* The options alone, a line each, for compilations of the object that a lazy image
   carries: without those of one compilation. NULL: one has several lines. */
char *cc_options_text(const cc_options *o)
{
    char *text = "";
    for (char **word = o->command + 1; word < o->source; word++) {
        if (!strcmp(*word, "-o") || !strcmp(*word, "-MF"))
            word++;
        else if (strchr(*word, '\n'))
            return NULL;
        else if (!cc_prefixed(*word, "--lazy-loading=") && strcmp(*word, "--no-avx512"))
            text = cc_format("%s%s\n", text, *word);
    }
    return text;
}

void cc_options_parse(cc_options *o, int argc, char **argv)
{
    int option, index = 0;
    *o = (cc_options){.level = 3, .debug = LLVMDWARFEmissionDirectivesOnly};
    CC_ADD(&o->language, "-ffp-contract=fast");
    CC_ADD(&o->clang, "-Xclang", "-debug-info-kind=constructor");
    while ((option = getopt_long_only(argc, argv, "I:D:U:O:o:x:l:L:W:M:t:gGcEPvw", rows,
                                      &index)) != -1)
        take(o, option, index);
    if (o->checks & ~HC_CHECK_SYNC)
        CC_ADD(&o->language, "-D__HOSTCC_CHECK__");
    if (o->flushes)
        CC_ADD(&o->language, "-fgpu-flush-denormals-to-zero", "-D__CUDA_FTZ=1");
    if (optind == argc)
        cc_refuse("no source file");
    if (o->debug == LLVMDWARFEmissionFull)
        debug(o, argv[optind]);
    if (o->relocatable)
        CC_ADD(&o->language, "-fgpu-rdc");
    o->command = argv;
    o->source = argv + optind;
    if (!o->output && !o->preprocess)
        cc_refuse("no output file: give -o IMAGE");
}
