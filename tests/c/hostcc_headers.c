/* Which headers of the machine's folders clang finds: those of a CUDA toolkit only
   where the user names the folder (clang.cpp). A folder of ours stands for the machine.
 */
#include "hostcc/front/front.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const folders[] = {"usr", "usr/include", "usr/local",
                                      "usr/local/include", "usr/local/include/cub"};
static const char *const toolkit[] = {
    "usr/include/mma.h", "usr/include/cuda_pipeline.h", "usr/local/include/cuda_fp8.h",
    "usr/local/include/cub/cub.cuh"};
static const char *const others[] = {"usr/include/plain.h", "usr/local/include/mine.h",
                                     "usr/local/include/cudgel.h"};

static const char source[] = "#include <plain.h>\n"
                             "#include <mine.h>\n"
                             "#include <cudgel.h>\n"
                             "#if __has_include(<cuda_fp8.h>) != NAMED || "
                             "__has_include(<cub/cub.cuh>) != NAMED\n"
                             "#error local\n"
                             "#endif\n"
                             "#if __has_include(<mma.h>) || "
                             "__has_include(<cuda_pipeline.h>)\n"
                             "#error include\n"
                             "#endif\n";

static void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    if (!f || fputs(text, f) < 0 || fclose(f)) {
        perror(path);
        exit(2);
    }
}

static const struct {
    const char *option, *folder; /* folder: below the machine's */
    bool named;
} rows[] = {
    {"-I", "usr", false},
    {"-I", "usr/local/include", true},
    {"-I", "usr/local/./include/", true},
    {"-isystem", "usr/local/include", true},
};

int main(void)
{
    char root[] = "/tmp/hostcc-headers-XXXXXX";
    cc_options options = {.level = 3};
    cc_unit unit = {.options = &options};
    int failures = 0;
    if (!mkdtemp(root) || chdir(root))
        return 2;
    for (unsigned k = 0; k < sizeof folders / sizeof *folders; k++)
        if (mkdir(folders[k], 0700))
            return 2;
    for (unsigned k = 0; k < sizeof toolkit / sizeof *toolkit; k++)
        put(toolkit[k], "");
    for (unsigned k = 0; k < sizeof others / sizeof *others; k++)
        put(others[k], "");
    put("k.cu", source);
    cc_unit_begin(&unit);
    for (unsigned r = 0; r < sizeof rows / sizeof *rows; r++) {
        cc_words c = {0};
        char *messages;
        CC_ADD(&c, HOSTCC_CLANG, "-x", "cuda", "--cuda-device-only", "-nocudainc",
               "-nocudalib", "--cuda-gpu-arch=sm_75", "-emit-llvm", "-c", "-o", "-",
               cc_format("--sysroot=%s", root), rows[r].option,
               cc_format("%s/%s", root, rows[r].folder),
               rows[r].named ? "-DNAMED=1" : "-DNAMED=0", "k.cu");
        if (!cc_clang(c.n, c.word, unit.context, &messages, &unit.module)) {
            failures++;
            fprintf(stderr, "%s %s: %s", rows[r].option, rows[r].folder, messages);
        }
    }
    unlink("k.cu");
    for (unsigned k = 0; k < sizeof toolkit / sizeof *toolkit; k++)
        unlink(toolkit[k]);
    for (unsigned k = 0; k < sizeof others / sizeof *others; k++)
        unlink(others[k]);
    for (unsigned k = sizeof folders / sizeof *folders; k-- > 0;)
        rmdir(folders[k]);
    return rmdir(root) || failures;
}
