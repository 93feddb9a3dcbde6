/* Code for newer GPUs than the host device counts as. `-arch=sm_90` is taken, but
   __CUDA_ARCH__ stays what the device says that it is: what stands between
   `#if __CUDA_ARCH__ >= 800` and `#endif`, a kernel's whole body perhaps, is left out,
   and nothing else would tell. */
#include "hostcc/front/front.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#define OURS 750
#define MACRO "__CUDA_ARCH__"

/* Whether `arch OP number` holds, of an operator at its first letters. */
static bool holds(unsigned long arch, const char *op, unsigned long number)
{
    bool equal = arch == number, or_equal = op[1] == '=';
    return *op == '>'   ? arch > number || (or_equal && equal)
           : *op == '<' ? arch < number || (or_equal && equal)
                        : equal == (*op == '=');
}

/* The first condition of a line of the preprocessor that holds for one of both alone;
   its end is at `end`. NULL: there is none. */
static const char *condition_that_differs(const char *line, unsigned long arch,
                                          char **end)
{
    const char *s = line + strspn(line, " \t");
    for (s = *s == '#' ? strstr(s, MACRO) : NULL; s; s = strstr(s + 1, MACRO)) {
        const char *op = s + strlen(MACRO);
        op += strspn(op, " \t");
        const char *number = op + strspn(op, "<>=!");
        number += strspn(number, " \t");
        if (!strchr("<>=!", *op) || !isdigit((unsigned char)*number))
            continue;
        unsigned long bound = strtoul(number, end, 10);
        if (holds(OURS, op, bound) != holds(arch, op, bound))
            return s;
    }
    return NULL;
}

/* `#line 7 "kernel.cu"` says what the next line is called. */
static void rename_next(const char *line, unsigned *number, char *file)
{
    if (sscanf(line, " # line %u \"%255[^\"\n]", number, file) > 0)
        --*number;
}

void cc_warn_of_arch(const cc_unit *u)
{
    const cc_options *o = u->options;
    FILE *f = o->arch * 10 > OURS ? fopen(o->source[0], "r") : NULL;
    char *line = NULL, *end, file[256];
    size_t room = 0;
    snprintf(file, sizeof file, "%s", o->source[0]);
    for (unsigned n = 1; f && getline(&line, &room, f) > 0; n++) {
        const char *s = condition_that_differs(line, o->arch * 10, &end);
        rename_next(line, &n, file);
        if (!s)
            continue;
        fprintf(stderr,
                "%s:%u: warning: the host device counts as sm_75, so '%.*s' is not "
                "what it would be by -arch=sm_%u\n",
                file, n, (int)(end - s), s, o->arch);
        break;
    }
    free(line);
    if (f)
        fclose(f);
}
