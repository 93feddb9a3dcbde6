/* Check mode: the list of what checked kernels did wrong. It belongs to the process, so
   that reports outlive their contexts, and is guarded by the one lock. At most LIMIT
   different reports are kept, each with a count; a kernel that fails in every thread
   fills one. An error is told once, by the next call that synchronizes: the context
   stays as good as it was, for a checked access that fails does not happen. */
#include "check_reports.h"

#define LIMIT 100

unsigned hd_check_kinds;
uint64_t hd_check_seed;

static cuxCheckReport *reports; /* owned */
static size_t count, capacity;

static const struct {
    const char *word;
    unsigned kinds;
} words[] = {
    {"memory", CUX_CHECK_MEMORY},
    {"race", CUX_CHECK_RACE},
    {"init", CUX_CHECK_INIT},
    {"sync", CUX_CHECK_SYNC},
    {"all", CUX_CHECK_MEMORY | CUX_CHECK_RACE | CUX_CHECK_INIT | CUX_CHECK_SYNC},
};

/* "order:SEED", a decimal number. */
static bool read_order(const char *word, size_t length)
{
    char *end = NULL;

    if (length < 7 || memcmp(word, "order:", 6) != 0 || word[6] < '0' || word[6] > '9')
        return false;
    hd_check_seed = strtoull(word + 6, &end, 10);
    return end == word + length;
}

static unsigned kinds_of(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i].word) == length && memcmp(words[i].word, word, length) == 0)
            return words[i].kinds;
    }
    return read_order(word, length) ? CUX_CHECK_ORDER : 0;
}

CUresult hd_check_read_environment(void)
{
    const char *text = getenv("HOSTCUDA_CHECK"), *file = getenv("HOSTCUDA_COVERAGE");

    if (file && *file)
        hd_check_kinds |= CUX_CHECK_COVERAGE;
    while (text && *text) {
        size_t length = strcspn(text, ",");
        unsigned kinds = kinds_of(text, length);
        if (kinds == 0 && length != 0) {
            fprintf(stderr,
                    "HOSTCUDA_CHECK: \"%.*s\" is not one of memory, race, init, sync, "
                    "all, order:SEED\n",
                    (int)length, text);
            return hd_fail(CUDA_ERROR_INVALID_VALUE,
                           "HOSTCUDA_CHECK: \"%.*s\" is not one of memory, race, init, "
                           "sync, all, order:SEED",
                           (int)length, text);
        }
        hd_check_kinds |= kinds;
        text += length + (text[length] == ',');
    }
    return CUDA_SUCCESS;
}

void hd_check_option(char *text, size_t size)
{
    size_t used = 0;

    *text = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words && used < size; i++) {
        bool is_one = (words[i].kinds & (words[i].kinds - 1)) == 0;
        if (is_one && (hd_check_kinds & words[i].kinds))
            used += snprintf(text + used, size - used, "%s%s",
                             used ? "," : "--check=", words[i].word);
    }
}

static bool is_same(const cuxCheckReport *a, const cuxCheckReport *b)
{
    return a->kind == b->kind && a->fault == b->fault &&
           a->who.site.line == b->who.site.line &&
           a->who.site.column == b->who.site.column &&
           a->other.site.line == b->other.site.line && a->is_warning == b->is_warning &&
           strcmp(a->who.site.file, b->who.site.file) == 0 &&
           strcmp(a->kernel, b->kernel) == 0;
}

static bool count_again(const cuxCheckReport *report)
{
    for (size_t i = 0; i < count; i++) {
        if (is_same(&reports[i], report)) {
            reports[i].count += report->count;
            return true;
        }
    }
    return false;
}

bool hd_check_counted(const hd_context *context, const cuxCheckReport *report)
{
    bool is_told = report->is_warning || *context->finding != '\0';

    return is_told && count_again(report);
}

static void keep(const cuxCheckReport *report)
{
    if (!count_again(report) && count < LIMIT &&
        hd_array_grow(&reports, sizeof *reports, count, &capacity) == CUDA_SUCCESS)
        reports[count++] = *report;
}

void hd_check_report(hd_context *context, const cuxCheckReport *report)
{
    keep(report);
    if (!report->is_warning && *context->finding == '\0')
        memcpy(context->finding, report->message, sizeof context->finding);
}

CUresult hd_check_status(hd_context *context)
{
    if (*context->finding == '\0')
        return CUDA_SUCCESS;
    CUresult status = hd_fail(CUDA_ERROR_LAUNCH_FAILED, "%s", context->finding);
    *context->finding = '\0';
    return status;
}

const cuxCheckReport *hd_check_report_at(size_t number)
{
    return number < count ? &reports[number] : NULL;
}

void hd_check_reports_clear(void)
{
    count = 0;
}
