/* The parameters of a kernel: found out once a Function, or declared by prepare().
   The host device tells C types; for a GPU, PTX tells what is a float and what an
   integer, and the driver tells offsets and sizes. The result is a table that packing
   walks. */
#include <ctype.h>
#include <string.h>
#include "compile/compile.h"
#include "kernel.h"
#include "numpy_api.h"

static bd_signature *signature_new(void)
{
    bd_signature *self = PyMem_Calloc(1, sizeof *self);
    if (!self) {
        PyErr_NoMemory();
        return NULL;
    }
    self->holders = 1;
    return self;
}

static void params_clear(bd_signature *signature)
{
    for (int i = 0; i < signature->count; i++)
        PyMem_Free(signature->params[i].type);
    PyMem_Free(signature->params);
    signature->params = NULL;
    signature->count = 0;
    signature->bytes = 0;
}

void bd_signature_free(bd_signature *signature)
{
    params_clear(signature);
    PyMem_Free(signature);
}

/* Room for one more, zeroed; *params may move. */
static bd_param *params_grow(bd_signature *signature)
{
    int count = signature->count;
    bd_param *params = signature->params;
    if ((count & (count - 1)) == 0) { /* capacities are powers of two */
        params = PyMem_Realloc(params, (count ? 2 * count : 1) * sizeof *params);
        if (!params) {
            PyErr_NoMemory();
            return NULL;
        }
        signature->params = params;
    }
    signature->count = count + 1;
    return memset(&params[count], 0, sizeof *params);
}

/* Numbers by their letters of the struct module, which most are NumPy's too. */
typedef struct {
    char letter;
    uint8_t size, kind;
} letter_row;
static const letter_row letters[] = {
    {'b', 1, BD_SIGNED},   {'B', 1, BD_UNSIGNED}, {'h', 2, BD_SIGNED},
    {'H', 2, BD_UNSIGNED}, {'i', 4, BD_SIGNED},   {'I', 4, BD_UNSIGNED},
    {'l', 8, BD_SIGNED},   {'L', 8, BD_UNSIGNED}, {'q', 8, BD_SIGNED},
    {'Q', 8, BD_UNSIGNED}, {'?', 1, BD_BOOL},     {'e', 2, BD_FLOAT},
    {'f', 4, BD_FLOAT},    {'d', 8, BD_FLOAT},    {'F', 8, BD_COMPLEX},
    {'D', 16, BD_COMPLEX}, {'c', 1, BD_BYTES},    {'n', 8, BD_SIGNED},
    {'N', 8, BD_UNSIGNED}, {'P', 8, BD_POINTER},
};
enum { LETTERS = sizeof letters / sizeof *letters, NUMPY_LETTERS = LETTERS - 4 };

static const letter_row *find_letter(char letter)
{
    for (int i = 0; i < LETTERS; i++)
        if (letters[i].letter == letter)
            return &letters[i];
    return NULL;
}

static PyTypeObject *scalar_type(bd_kind kind, size_t size)
{
    for (int i = 0; i < NUMPY_LETTERS; i++)
        if (letters[i].kind == kind && letters[i].size == size) {
            PyArray_Descr *dtype = PyArray_DescrFromType(letters[i].letter);
            PyTypeObject *type = dtype ? dtype->typeobj : NULL; /* a static one */
            Py_XDECREF(dtype);
            return type;
        }
    return NULL;
}

/* -- C types -------------------------------------------------------------------- */

/* Words that the host device's names of numbers are made of; others name structs. */
static const struct {
    const char *word;
    bd_kind kind; /* BD_ANY: decides nothing */
} words[] = {
    {"const", BD_ANY},   {"unsigned", BD_UNSIGNED}, {"signed", BD_SIGNED},
    {"char", BD_SIGNED}, {"short", BD_SIGNED},      {"int", BD_SIGNED},
    {"long", BD_SIGNED}, {"float", BD_FLOAT},       {"double", BD_FLOAT},
    {"bool", BD_BOOL},   {"half", BD_FLOAT},        {"__half", BD_FLOAT},
};

/* What pointers point at, as the host device spells it. */
static const struct {
    const char *type;
    uint8_t size;
    bd_kind kind;
} elements[] = {
    {"void", 0, BD_BYTES},
    {"char", 0, BD_BYTES},
    {"unsigned char", 0, BD_BYTES},
    {"signed char", 1, BD_SIGNED},
    {"short", 2, BD_SIGNED},
    {"unsigned short", 2, BD_UNSIGNED},
    {"int", 4, BD_SIGNED},
    {"unsigned int", 4, BD_UNSIGNED},
    {"long", 8, BD_SIGNED},
    {"unsigned long", 8, BD_UNSIGNED},
    {"long long", 8, BD_SIGNED},
    {"unsigned long long", 8, BD_UNSIGNED},
    {"bool", 1, BD_BOOL},
    {"half", 2, BD_FLOAT},
    {"__half", 2, BD_FLOAT},
    {"float", 4, BD_FLOAT},
    {"double", 8, BD_FLOAT},
    {"complex<float>", 8, BD_COMPLEX},
    {"complex<double>", 16, BD_COMPLEX},
};

static bd_kind kind_of(const char *type, size_t size)
{
    bd_kind kind = BD_ANY;
    if (strpbrk(type, "*&["))
        return BD_POINTER;
    if (strstr(type, "complex<") || strstr(type, "Complex"))
        return BD_COMPLEX;
    while (*(type += strspn(type, " "))) {
        size_t length = strcspn(type, " "), i = 0;
        while (i < sizeof words / sizeof *words &&
               (strlen(words[i].word) != length || memcmp(words[i].word, type, length)))
            i++;
        if (i == sizeof words / sizeof *words)
            return size & (size - 1) || size > 8 ? BD_BYTES : BD_ANY;
        if (words[i].kind != BD_ANY && kind != BD_UNSIGNED)
            kind = words[i].kind;
        type += length;
    }
    return kind;
}

/* What a pointer of that C type points at. Like C's rules of aliasing: characters may
   be anything, and so may structs, which NumPy has other names for. */
static void set_element(bd_param *param, const char *type)
{
    char word[64];
    size_t length = strcspn(type, "*");
    if (!type[length] || strpbrk(type + length + 1, "*&[") || length >= sizeof word)
        return;
    memcpy(word, type, length);
    word[length] = 0;
    while (length && word[length - 1] == ' ')
        word[--length] = 0;
    const char *at = word;
    at += strncmp(at, "const ", 6) ? 0 : 6;
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
        if (!strcmp(at, elements[i].type)) {
            param->element = elements[i].size;
            param->element_kind = elements[i].kind;
        }
}

static int set_type(bd_param *param, const char *type)
{
    if (!(param->type = PyMem_Malloc(strlen(type) + 1))) {
        PyErr_NoMemory();
        return -1;
    }
    strcpy(param->type, type);
    return 0;
}

/* -- PTX ------------------------------------------------------------------------ */

/* What is known of ".f32" or of ".b8 name[16]" (a struct). */
static int set_ptx_type(bd_param *param, char letter, int pointer, int is_array)
{
    size_t size = param->size;
    const char *type = pointer                      ? "pointer"
                       : is_array || letter == 'b'  ? NULL
                       : letter != 'f' && size == 8 ? "integer or pointer"
                       : letter != 'f'              ? "integer"
                       : size == 8                  ? "double"
                       : size == 4                  ? "float"
                                                    : "half";
    param->kind = pointer         ? BD_POINTER
                  : letter == 'f' ? BD_FLOAT
                  : type          ? BD_INTEGER
                                  : kind_of("struct", size);
    param->scalar = scalar_type(param->kind, size);
    return type ? set_type(param, type) : 0;
}

/* ".param .align 8 .b8 name[16]", ".param .u64 .ptr .global .align 4 name". 1: read, 0:
 * something else, -1. *most: of the alignments. */
static int read_ptx_param(bd_signature *signature, char *text, unsigned *most)
{
    char *rest = NULL, *name = NULL, letter = 'b', of, end;
    unsigned bits = 0, alignment = 0, length = 1, number;
    int pointer = 0;
    for (char *word = strtok_r(text, " \t\r\n", &rest); word;
         word = strtok_r(NULL, " \t\r\n", &rest)) {
        name = word;
        if (!strcmp(word, ".ptr"))
            pointer = 1;
        else if (!strcmp(word, ".align") && (name = strtok_r(NULL, " \t\r\n", &rest)))
            alignment =
                pointer ? 0 : strtoul(name, NULL, 10); /* of what it points at */
        else if (sscanf(word, ".%1[usfb]%u%c", &of, &number, &end) == 2)
            bits = number, letter = of;
    }
    char *array = name ? strchr(name, '[') : NULL;
    if (array)
        length = strtoul(array + 1, NULL, 10);
    alignment = alignment ? alignment : bits / 8;
    if (!name || bits < 8 || bits > 64 || bits % 8 || length > 65536 || !alignment ||
        alignment > 256 || alignment & (alignment - 1))
        return 0;
    size_t offset = (signature->bytes + alignment - 1) & -(size_t)alignment;
    bd_param *param = params_grow(signature);
    if (!param)
        return -1;
    param->offset = (uint32_t)offset;
    param->size = length * bits / 8;
    signature->bytes = offset + param->size;
    *most = alignment > *most ? alignment : *most;
    return set_ptx_type(param, letter, pointer, array != NULL) ? -1 : 1;
}

/* From the declaration ".entry name(.param ..., .param ...)" of a kernel in `entries`,
 * which is the driver's own source. 1: done, 0: it is not there, -1. */
static int look_at_ptx(bd_signature *signature, const char *entries, const char *name,
                       unsigned *most)
{
    size_t length = strlen(name);
    const char *at = entries;
    char *text, *rest = NULL;
    int result = 1;
    while ((at = strstr(at, ".entry"))) {
        at += strlen(".entry");
        at += strspn(at, " \t\r\n");
        if (!strncmp(at, name, length) && strchr(" \t\r\n()", at[length]))
            break;
    }
    if (!at)
        return 0;
    at += length + strspn(at + length, " \t\r\n(");
    length = strcspn(at, ")");
    if (!(text = PyMem_Malloc(length + 1))) {
        PyErr_NoMemory();
        return -1;
    }
    memcpy(text, at, length);
    text[length] = 0;
    for (char *param = strtok_r(text, ",", &rest); param && result > 0;
         param = strtok_r(NULL, ",", &rest))
        if (param[strspn(param, " \t\r\n")])
            result = read_ptx_param(signature, param, most);
    PyMem_Free(text);
    return result;
}

/* What the driver tells of a parameter: 1; 0: there is none; -1: an exception;
   UNTOLD: it is an old driver. */
enum { UNTOLD = 2 };
static int ask_driver(bd_function *self, int i, bd_param *param)
{
    size_t offset, size;
    CUresult status = cu.cuFuncGetParamInfo(self->handle, i, &offset, &size);
    if (status == CUDA_ERROR_INVALID_VALUE) /* past the last one */
        return 0;
    if (status == CUDA_ERROR_NOT_SUPPORTED && i == 0)
        return UNTOLD;
    if (bd_check(bd_state_from(self), status, "cuFuncGetParamInfo"))
        return -1;
    if (size > BD_MOST_ARGUMENTS || offset > BD_MOST_ARGUMENTS - size) {
        PyErr_Format(PyExc_ValueError,
                     "kernel '%s': parameter #%d (0-based) has %zu bytes at %zu, "
                     "more than any driver takes",
                     self->name, i, size, offset);
        return -1;
    }
    param->offset = (uint32_t)offset;
    param->size = (uint32_t)size;
    return 1;
}

/* Takes offsets from the driver: a GPU's counts an alignment from where it keeps all
   arguments, an address that is a multiple of BASE_ALIGNMENT alone, so that behind
   parameters of a larger one they are not those of C. 1: done, 0: PTX told of other
   parameters, -1. */
enum { BASE_ALIGNMENT = 16 };
static int take_offsets(bd_function *self, bd_signature *signature, unsigned most)
{
    size_t bytes = 0;
    bd_param told;
    int result, i = 0;
    for (; (result = ask_driver(self, i, &told)) == 1; i++) {
        if (i == signature->count || told.size != signature->params[i].size)
            return 0;
        signature->params[i].offset = told.offset;
        if (bytes < told.offset + told.size)
            bytes = told.offset + told.size;
    }
    if (result == UNTOLD && most > BASE_ALIGNMENT) {
        PyErr_Format(PyExc_NotImplementedError,
                     "kernel '%s' has a parameter aligned to %u bytes: where one of "
                     "more than %d lies is told by drivers of CUDA 12.4 and later; "
                     "pass its address",
                     self->name, most, BASE_ALIGNMENT);
        return -1;
    }
    if (result == 0)
        signature->bytes = bytes;
    return result < 0 ? -1 : result == UNTOLD || i == signature->count;
}

/* From the driver. 1: done, 0: it does not tell, -1: an exception. */
static int look_at_driver(bd_function *self, bd_signature *signature)
{
    const char *type;
    bd_param told;
    int result, i = 0;
    for (; (result = ask_driver(self, i, &told)) == 1; i++) {
        bd_param *param = params_grow(signature);
        if (!param)
            return -1;
        param->offset = told.offset;
        param->size = told.size;
        if (signature->bytes < told.offset + told.size)
            signature->bytes = told.offset + told.size;
        if (cu.cuxFuncGetParamType(self->handle, i, &type) || !type)
            continue;
        if (set_type(param, type))
            return -1;
        param->kind = kind_of(type, param->size);
        param->scalar = scalar_type(param->kind, param->size);
        set_element(param, type);
    }
    return result < 0 ? -1 : result != UNTOLD;
}

int bd_params_look(bd_function *self)
{
    if (self->looked)
        return 0;
    if (bd_handle_check((PyObject *)self, "it was released"))
        return -1;
    PyObject *entries = ((py_object *)self->base.parent)->other;
    bd_signature *signature = signature_new();
    int found = signature ? 0 : -1;
    unsigned most = 0;
    if (signature && entries)
        found = look_at_ptx(signature, PyBytes_AS_STRING(entries), self->name, &most);
    if (found > 0)
        found = take_offsets(self, signature, most);
    if (!found) {
        params_clear(signature);
        found = look_at_driver(self, signature);
    }
    if (found > 0) {
        self->signature = signature;
        signature = NULL;
    }
    bd_signature_drop(signature);
    self->looked = found >= 0;
    return found < 0 ? -1 : 0;
}

PyObject *bd_params_show(const bd_signature *signature)
{
    PyObject *shown = PyUnicode_FromString("(");
    for (int i = 0; i < signature->count && shown; i++) {
        const bd_param *param = &signature->params[i];
        PyObject *next =
            param->type
                ? PyUnicode_FromFormat("%U%s%s", shown, i ? ", " : "", param->type)
                : PyUnicode_FromFormat("%U%s%u bytes", shown, i ? ", " : "",
                                       (unsigned)param->size);
        Py_SETREF(shown, next);
    }
    if (shown)
        Py_SETREF(shown, PyUnicode_FromFormat("%U)", shown));
    return shown;
}

/* -- prepare() ------------------------------------------------------------------ */

/* `text` collects arg_format; `natural` is the layout that C would give the list. */
typedef struct {
    bd_signature *natural; /* owned */
    cmp_text text;         /* owned */
} declaration;

static const char *text_of(const declaration *self)
{
    return self->text.bytes ? self->text.bytes : "";
}

static int too_many(size_t count)
{
    PyErr_Format(PyExc_ValueError,
                 "prepare: %zu bytes or parameters more are too many: a kernel takes "
                 "less than %d bytes of arguments",
                 count, BD_MOST_ARGUMENTS);
    return -1;
}

static int declare(declaration *self, bd_kind kind, size_t size, size_t alignment,
                   const char *letter)
{
    size_t offset = (self->natural->bytes + alignment - 1) / alignment * alignment;
    if (size > BD_MOST_ARGUMENTS || offset > BD_MOST_ARGUMENTS - size)
        return too_many(size);
    bd_param *param = params_grow(self->natural);
    if (!param)
        return -1;
    param->offset = (uint32_t)offset;
    param->size = (uint32_t)size;
    param->kind = kind;
    param->declared = 1;
    param->scalar = scalar_type(kind, size);
    self->natural->bytes = offset + size;
    cmp_put_bytes(&self->text, letter, strlen(letter));
    return 0;
}

static int declare_bytes(declaration *self, size_t size, size_t alignment)
{
    char letter[24];
    snprintf(letter, sizeof letter, "%zus", size);
    return declare(self, BD_BYTES, size, alignment, letter);
}

static int declare_letter(declaration *self, const letter_row *row)
{
    return declare(self, row->kind, row->size,
                   row->kind == BD_COMPLEX ? row->size / 2 : row->size,
                   (char[]){row->letter, 0});
}

/* Letters of the struct module, with counts: "PPi", "12s", "4x". */
static int declare_text(declaration *self, const char *text)
{
    while (*text) {
        char *end;
        int counted = isdigit((unsigned char)*text);
        size_t count = counted ? strtoul(text, &end, 10) : 1;
        char letter = *(text = counted ? end : text);
        const letter_row *row = find_letter(letter);
        if (count > BD_MOST_ARGUMENTS)
            return too_many(count);
        if (letter == 's' || letter == 'p') {
            if (declare_bytes(self, count, 1))
                return -1;
        } else if (letter == 'x') {
            if (self->natural->bytes + count > BD_MOST_ARGUMENTS)
                return too_many(count);
            self->natural->bytes += count;
        } else if (!row) {
            if (letter)
                PyErr_Format(PyExc_ValueError, "prepare: unknown format letter '%c'",
                             (unsigned char)letter);
            else
                PyErr_SetString(PyExc_ValueError,
                                "prepare: a count at the end of the format counts no "
                                "letter");
            return -1;
        } else
            while (count--)
                if (declare_letter(self, row))
                    return -1;
        text += letter != 0;
    }
    return 0;
}

static int declare_item(declaration *self, PyObject *item)
{
    if (PyUnicode_Check(item)) {
        const char *text = py_text(item);
        return text ? declare_text(self, text) : -1;
    }
    int is_dtype = PyArray_DescrCheck(item);
    if (!is_dtype && !(PyType_Check(item) &&
                       PyType_IsSubtype((PyTypeObject *)item, &PyGenericArrType_Type)))
        return declare(self, BD_POINTER, 8, 8, "P");
    PyArray_Descr *dtype =
        is_dtype ? (PyArray_Descr *)Py_NewRef(item) : PyArray_DescrFromTypeObject(item);
    const letter_row *row = dtype ? find_letter(dtype->type) : NULL;
    int result = row     ? declare_letter(self, row)
                 : dtype ? declare_bytes(self, PyDataType_ELSIZE(dtype),
                                         PyDataType_ALIGNMENT(dtype))
                         : -1;
    Py_XDECREF(dtype);
    return result;
}

/* Whether a value of that kind may be written where the driver has this one. */
static int compatible(bd_kind declared, const bd_param *actual)
{
    int integers = (1 << BD_SIGNED) | (1 << BD_UNSIGNED) | (1 << BD_BOOL) |
                   (1 << BD_INTEGER) | (actual->size == 8) << BD_POINTER;
    return actual->kind == BD_ANY || actual->kind == BD_BYTES || declared == BD_BYTES ||
           declared == actual->kind ||
           ((integers >> declared & 1) && (integers >> actual->kind & 1));
}

/* Takes offsets and C types from the driver where the declaration agrees with it one by
   one. A declaration that only has the right number of bytes ("ff" for a float2) is
   taken as it is. */
static int reconcile(bd_function *self, declaration *declared)
{
    bd_signature *natural = declared->natural, *actual = self->signature;
    if (!actual)
        return 0;
    int agrees = natural->count == actual->count, bad = -1, structs = 0;
    for (int i = 0; agrees && i < actual->count; i++)
        if (natural->params[i].size != actual->params[i].size ||
            !compatible(natural->params[i].kind, &actual->params[i])) {
            agrees = 0;
            bad = i;
        }
    if (agrees) {
        natural->bytes = actual->bytes;
        for (int i = 0; i < actual->count; i++)
            natural->params[i].offset = actual->params[i].offset;
        return 0;
    }
    for (int i = 0; i < actual->count; i++)
        structs |=
            actual->params[i].kind == BD_BYTES || actual->params[i].kind == BD_ANY;
    if (bad < 0 && structs && natural->bytes == actual->bytes)
        return 0;
    PyObject *shown = bd_params_show(actual);
    if (shown && bad >= 0)
        PyErr_Format(PyExc_TypeError,
                     "prepare: parameter #%d (0-based) of kernel '%s' %U does not "
                     "match the declaration '%.200s'",
                     bad, self->name, shown, text_of(declared));
    else if (shown)
        PyErr_Format(PyExc_TypeError,
                     "prepare: kernel '%s' has %d parameters %U, '%.200s' declares %d",
                     self->name, actual->count, shown, text_of(declared),
                     natural->count);
    Py_XDECREF(shown);
    return -1;
}

static int declare_all(declaration *self, PyObject *types)
{
    if (PyUnicode_Check(types))
        return declare_item(self, types);
    PyObject *items = py_items(types, "prepare: expected a list of types");
    int result = items ? 0 : -1;
    for (Py_ssize_t i = 0; result == 0 && i < PyTuple_GET_SIZE(items); i++)
        result = declare_item(self, PyTuple_GET_ITEM(items, i));
    Py_XDECREF(items);
    return result;
}

int bd_params_prepare(bd_function *self, PyObject *types)
{
    declaration declared = {.natural = signature_new()};
    bd_signature *before = NULL;
    PyObject *text;
    int result = -1;
    if (!declared.natural || bd_params_look(self) || declare_all(&declared, types) ||
        reconcile(self, &declared) || (declared.text.failed ? !PyErr_NoMemory() : 0) ||
        !(text = PyUnicode_FromString(text_of(&declared))))
        goto done;
    Py_XSETREF(self->arg_format, text);
    before = self->prepared;
    self->prepared = declared.natural;
    declared.natural = before;
    result = 0;
done:
    cmp_text_clear(&declared.text);
    bd_signature_drop(declared.natural);
    return result;
}
