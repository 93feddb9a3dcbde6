/* nvcc's options in NVRTC's words: a table. Options that concern the host program,
   which there is none of, are dropped; what the table lacks goes through as it is, and
   the caller is told. */
#include "compile_job.h"

typedef enum {
    FLAG,   /* --name */
    VALUE,  /* --name VALUE, --name=VALUE */
    LIST,   /* the same, values separated by commas */
    JOINED, /* the same, and -nVALUE */
    ARCH,   /* values that are settled at the end */
    CODE,
} option_kind;

typedef struct {
    const char *names; /* without dashes, between spaces */
    option_kind kind;
    const char *as; /* goes before the value; NULL: dropped */
} option_row;

static const option_row options[] = {
    {" G device-debug ", FLAG, "--device-debug"},
    {" dc device-c ", FLAG, "--relocatable-device-code=true"},
    {" extra-device-vectorization ", FLAG, "--extra-device-vectorization"},
    {" lineinfo generate-line-info ", FLAG, "--generate-line-info"},
    {" resource-usage ", FLAG, "--ptxas-options=-v"},
    {" restrict ", FLAG, "--restrict"},
    {" use_fast_math ", FLAG, "--use_fast_math"},
    {" w disable-warnings ", FLAG, "--disable-warnings"},
    {" arch gpu-architecture ", ARCH, NULL},
    {" code gpu-code ", CODE, NULL},
    {" Xptxas ptxas-options ", LIST, "--ptxas-options="},
    {" diag-error ", VALUE, "--diag-error="},
    {" diag-suppress ", VALUE, "--diag-suppress="},
    {" diag-warn ", VALUE, "--diag-warn="},
    {" fmad ", VALUE, "--fmad="},
    {" ftz ", VALUE, "--ftz="},
    {" include pre-include ", VALUE, "--pre-include="},
    {" maxrregcount ", VALUE, "--maxrregcount="},
    {" prec-div ", VALUE, "--prec-div="},
    {" prec-sqrt ", VALUE, "--prec-sqrt="},
    {" rdc relocatable-device-code ", VALUE, "--relocatable-device-code="},
    {" std ", VALUE, "--std="},
    {" allow-unsupported-compiler cubin debug expt-extended-lambda extended-lambda "
     "expt-relaxed-constexpr g keep m64 profile ptx save-temps v verbose "
     "Wno-deprecated-gpu-targets ",
     FLAG, NULL},
    {" Xcompiler Xlinker ccbin compiler-bindir compiler-options cudart default-stream "
     "keep-dir library library-path linker-options m machine optimize split-compile "
     "t threads ",
     VALUE, NULL},
    /* Behind the longer names: -lineinfo is not -l ineinfo. */
    {" D define-macro ", JOINED, "-D"},
    {" I include-path ", JOINED, "-I"},
    {" U undefine-macro ", JOINED, "-U"},
    {" L O l ", JOINED, NULL},
};

/* Whether the word is an option of that row. *value: what is joined to it, or "". */
static int is_of(const option_row *row, const char *word, const char **value)
{
    char name[64];
    size_t dashes = strspn(word, "-"), length = strcspn(word + dashes, "=");
    if (!dashes || dashes > 2)
        return 0;
    snprintf(name, sizeof name, " %.*s ", length < 60 ? (int)length : 0, word + dashes);
    *value = word + dashes + length;
    if (strstr(row->names, name) && (**value == 0 || row->kind != FLAG)) {
        *value += **value == '=';
        return 1;
    }
    snprintf(name, sizeof name, " %c ", word[1]);
    *value = word + 2;
    return row->kind == JOINED && dashes == 1 && word[1] && strstr(row->names, name);
}

static const option_row *find_row(const char *word, const char **value)
{
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (is_of(&options[i], word, value))
            return &options[i];
    return NULL;
}

static void put_option(cmp_text *arguments, const option_row *row, const char *value)
{
    size_t length;
    for (; row->kind == LIST && value[length = strcspn(value, ",")];
         value += length + 1)
        cmp_put(arguments, "%s%.*s", row->as, (int)length, value);
    cmp_put(arguments, "%s%s", row->as, value);
}

/* All words that an nvcc would read, one that another follows with it. */
static void put_request(cmp_text *words, const cmp_request *request)
{
    cmp_put_flags(words, "NVCC_PREPEND_FLAGS");
    cmp_put_words(words, "", &request->options);
    if (request->arch)
        cmp_put(words, "-arch=%s", request->arch);
    if (request->code)
        cmp_put(words, "-code=%s", request->code);
    cmp_put_flags(words, "NVCC_APPEND_FLAGS");
}

int cmp_nvrtc_translate(cmp_job *job)
{
    const char *arch = NULL, *code = NULL, *value;
    const option_row *row = NULL; /* of the option whose value is the next word */
    cmp_text words = {0};
    char device[16];
    int all_known = 1;
    put_request(&words, job->request);
    for (const char *word = NULL; (word = cmp_next(&words, word));) {
        if (row)
            value = word;
        else if (!(row = find_row(word, &value))) {
            all_known = 0;
            cmp_put(&job->arguments, "%s", word);
            continue;
        } else if (row->kind != FLAG && !*value)
            continue;
        if (row->kind == ARCH)
            arch = value;
        else if (row->kind == CODE)
            code = value;
        else if (row->as)
            put_option(&job->arguments, row, value);
        row = NULL;
    }
    if (!arch && !code && cmp_device_arch(device))
        arch = device;
    /* nvcc's pair (virtual arch, real code) is one value here, and machine code is made
       for a real one only. sm_75 is nvcc's default in CUDA 13: the oldest it knows. */
    if (code && !strncmp(code, "sm_", 3) && !strchr(code, ','))
        arch = code;
    else if (code)
        all_known = 0;
    arch = arch ? arch : "sm_75";
    int make_real =
        !strcmp(job->request->target, "cubin") && !strncmp(arch, "compute_", 8);
    cmp_put(&job->arguments, "--gpu-architecture=%s%s", make_real ? "sm_" : "",
            arch + 8 * make_real);
    job->arguments.failed |= words.failed;
    cmp_text_clear(&words);
    return all_known;
}
