/* operations.def as a table: every element-wise operation and every reduction along an
   axis, with the variables of its code. */
#include "kernels.h"

#define RESULT(name) {#name, KN_RESULT}
#define ELEMENT(name) {#name, KN_ELEMENT}
#define TABLE(name) {#name, KN_TABLE}
#define BASE(name) {#name, KN_BASE}
#define INDEX(name) {#name, KN_INDEX}
#define PLACE(name) {#name, KN_PLACE}
#define FIRST(name) {#name, KN_FIRST}
#define SIGNATURE(name, results, inputs, ...) \
    static const kn_signature name = {results, inputs, {__VA_ARGS__}};
#include "operations.def"

const kn_operation kn_operations[KN_OPERATION_COUNT] = {
#define OPERATION(id, numpy, signature, code) {#id, numpy, &signature, code, NULL, 0},
#define AXIS_REDUCTION(id, signature, first, code, combine) \
    {#id, NULL, &signature, code, first, KN_##combine},
#include "operations.def"
};

const char *kn_title(int operation, char text[KN_TITLE])
{
    const kn_operation *row = &kn_operations[operation];
    unsigned n = 0;
    if (row->numpy)
        return row->numpy;
    for (; n < KN_TITLE - 1 && row->name[n]; n++)
        text[n] = (char)Py_TOLOWER(row->name[n]);
    text[n] = 0;
    return text;
}
