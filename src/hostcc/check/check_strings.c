/* The strings that printf is given: where in its buffer of arguments they stand, told
   from a format that is known. hostcuda reads arguments by the same rules
   (device_printf.c): int in 4 bytes, everything else in 8, each at a multiple of its
   size. */
#include "hostcc/check/check.h"

#define LENGTHS "hlLqjzt"

static unsigned take(unsigned *used, unsigned bytes)
{
    unsigned at = (*used + bytes - 1) / bytes * bytes;
    *used = at + bytes;
    return at;
}

/* One conversion; stars take an argument each. Returns what follows. */
static const char *pass(const char *format, unsigned *used, unsigned *string)
{
    bool is_long = false;
    for (format++; *format && strchr("-+ #0123456789.*" LENGTHS, *format); format++) {
        if (*format == '*')
            take(used, 4);
        is_long |= strchr(LENGTHS + 1, *format) != NULL;
    }
    *string = UINT32_MAX;
    if (!*format || *format == '%')
        return format + (*format != 0);
    bool narrow = strchr("diouxXc", *format) && !is_long;
    unsigned at = take(used, narrow ? 4 : 8);
    if (*format == 's')
        *string = at;
    return format + 1;
}

unsigned cc_string_arguments(cc_value format, unsigned *offset, unsigned most)
{
    unsigned used = 0, n = 0;
    while (LLVMIsAConstantExpr(format))
        format = LLVMGetOperand(format, 0);
    cc_value text = LLVMIsAGlobalVariable(format) && LLVMIsGlobalConstant(format)
                        ? LLVMGetInitializer(format)
                        : NULL;
    if (!text || !LLVMIsAConstantDataArray(text) || !LLVMIsConstantString(text))
        return 0;
    size_t length;
    const char *at = LLVMGetAsString(text, &length);
    for (at = strchr(cc_format("%.*s", (int)length, at), '%'); at && n < most;
         at = strchr(at, '%')) {
        at = pass(at, &used, &offset[n]);
        n += offset[n] != UINT32_MAX;
    }
    return n;
}
