/* Attributes behind the body of a class, `struct { ... } __align__(32) name;`. For nvcc
   they are of the class, which then has that alignment and a size that is a multiple of
   it. NVRTC gives them to what is declared there, or to nothing, without a word. In
   front of the body both mean the same, so there they are moved:
   `struct __align__(32) { ... } name;`.

   An alignment in front that is less than the class's own is nothing for nvcc, which
   warns, but counts for NVRTC. Said by `alignas` it is an error.

   The text is read as tokens, before any macro is replaced: a macro of the user's
   counts as an attribute if its definition speaks of one. Lines keep their numbers. */
#include "compile_job.h"
#include <ctype.h>
#include <stdlib.h>

enum { MOST_DEPTH = 400 };

typedef struct {
    size_t at;         /* where the text goes, */
    size_t begin, end; /* and where it comes from */
    int strict;        /* alignments are said by alignas */
} move;

typedef struct {
    const char *text;
    size_t size;
    cmp_text moves;   /* of move */
    size_t moved;     /* from behind a body */
    cmp_text *macros; /* words: those that are attributes; borrowed */
} scanner;

/* -- Tokens -- */

static int is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* Behind a string or character; raw: R"x( ... )x". */
static size_t skip_quoted(const scanner *s, size_t at, int raw)
{
    char quote = s->text[at], end[24];
    if (raw) {
        size_t length = strcspn(s->text + at + 1, "(");
        if (length <= 16) {
            snprintf(end, sizeof end, ")%.*s\"", (int)length, s->text + at + 1);
            const char *found = strstr(s->text + at, end);
            return found ? found - s->text + strlen(end) : s->size;
        }
    }
    for (at++; at < s->size && s->text[at] != quote && s->text[at] != '\n'; at++)
        at += s->text[at] == '\\' && at + 1 < s->size;
    return at + (at < s->size);
}

/* Behind space, comments and continued lines. */
static size_t skip_space(const scanner *s, size_t at)
{
    for (const char *found; at < s->size;) {
        const char *text = s->text + at;
        if (isspace((unsigned char)*text))
            at++;
        else if (*text == '\\' && text[1 + (text[1] == '\r')] == '\n')
            at += 2 + (text[1] == '\r');
        else if (!strncmp(text, "//", 2))
            for (; at < s->size && s->text[at] != '\n';)
                at += 1 + (s->text[at] == '\\' && at + 1 < s->size);
        else if (!strncmp(text, "/*", 2))
            at = (found = strstr(text + 2, "*/")) ? (size_t)(found + 2 - s->text)
                                                  : s->size;
        else
            break;
    }
    return at;
}

/* Behind the token that begins here. */
static size_t skip_token(const scanner *s, size_t at)
{
    char c = s->text[at];
    size_t begin = at;
    if (c == '"' || c == '\'')
        return skip_quoted(s, at, 0);
    if (!is_name(c))
        return at + 1;
    while (at < s->size &&
           (is_name(s->text[at]) || (s->text[at] == '\'' && isdigit((unsigned char)c))))
        at++;
    if (s->text[at] == '"' && at > begin && s->text[at - 1] == 'R' && at - begin <= 3)
        return skip_quoted(s, at, 1);
    return at;
}

static int is(const scanner *s, size_t begin, size_t end, const char *word)
{
    return end - begin == strlen(word) && !strncmp(s->text + begin, word, end - begin);
}

/* Behind the bracket that matches the one here. */
static size_t skip_brackets(const scanner *s, size_t at)
{
    char open = s->text[at], shut = open == '(' ? ')' : '>';
    for (int depth = 0; at < s->size;) {
        size_t next = skip_token(s, at);
        depth += s->text[at] == open;
        depth -= s->text[at] == shut;
        at = skip_space(s, next);
        if (!depth)
            return next;
    }
    return s->size;
}

/* -- Attributes -- */

static int is_attribute(const scanner *s, size_t begin, size_t end)
{
    if (is(s, begin, end, "__align__") || is(s, begin, end, "__attribute__") ||
        is(s, begin, end, "__attribute"))
        return 1;
    for (const char *name = NULL; (name = cmp_next(s->macros, name));)
        if (is(s, begin, end, name))
            return 1;
    return 0;
}

/* Behind the attributes from here on; the same place: there are none. */
static size_t skip_attributes(const scanner *s, size_t at)
{
    for (size_t behind = at;;) {
        size_t begin = skip_space(s, at), end = skip_token(s, begin);
        if (begin >= s->size || !is_attribute(s, begin, end))
            return behind;
        at = skip_space(s, end);
        behind = at < s->size && s->text[at] == '(' ? skip_brackets(s, at) : end;
        at = behind;
    }
}

static int begins_line(const scanner *s, size_t at)
{
    while (at > 0 && (s->text[at - 1] == ' ' || s->text[at - 1] == '\t'))
        at--;
    return at == 0 || s->text[at - 1] == '\n';
}

/* Behind a directive, which ends with its line. */
static size_t directive_end(const scanner *s, size_t at)
{
    while (at < s->size && s->text[at] != '\n') {
        if (!strncmp(s->text + at, "/*", 2))
            at = skip_space(s, at);
        else
            at += 1 + (s->text[at] == '\\' && at + 1 < s->size) +
                  (s->text[at] == '\\' && s->text[at + 1] == '\r');
    }
    return at < s->size ? at : s->size;
}

static void scan(scanner *s, size_t at, size_t end);

/* #define NAME(...) BODY: a name for attributes, or a text with classes. */
static void scan_directive(scanner *s, size_t at, size_t end)
{
    size_t begin = skip_space(s, at + 1), behind = skip_token(s, begin);
    if (!is(s, begin, behind, "define"))
        return;
    begin = skip_space(s, behind);
    behind = skip_token(s, begin);
    if (behind >= end)
        return;
    size_t body = s->text[behind] == '(' ? skip_brackets(s, behind) : behind;
    int has_brace = memchr(s->text + body, '{', end > body ? end - body : 0) != NULL;
    for (size_t word = skip_space(s, body); !has_brace && word < end;) {
        size_t next = skip_token(s, word);
        if (is_attribute(s, word, next)) {
            cmp_put(s->macros, "%.*s", (int)(behind - begin), s->text + begin);
            return;
        }
        word = skip_space(s, next);
    }
    if (has_brace)
        scan(s, body, end);
}

/* -- Bodies -- */

static int has_word(const scanner *s, size_t at, size_t end, const char *word)
{
    for (size_t next; at < end; at = skip_space(s, next)) {
        next = skip_token(s, at);
        if (is(s, at, next, word))
            return 1;
    }
    return 0;
}

static void put_move(scanner *s, size_t at, size_t begin, size_t end, int strict)
{
    const move one = {at, begin, end, strict};
    cmp_put_bytes(&s->moves, &one, sizeof one);
}

/* The attributes in front of a body become strict in their place. */
static void scan_head(scanner *s, size_t key, size_t body)
{
    size_t begin = skip_space(s, key), end = skip_attributes(s, begin);
    if (end > begin && end <= body && !has_word(s, begin, end, "packed"))
        put_move(s, begin, begin, end, 1);
}

/* The word of a class's head, which may be the two of `enum class`. */
typedef struct {
    size_t end; /* 0: there is none */
    int is_enum;
} class_key;

/* The attributes behind a body; where to go on. An enumeration has none there, but for
   `packed`. */
static size_t scan_tail(scanner *s, class_key key, size_t at)
{
    size_t begin = skip_space(s, at), end = skip_attributes(s, at);
    if (!key.end || end <= begin || (key.is_enum && !has_word(s, begin, end, "packed")))
        return at;
    put_move(s, key.end, begin, end, !has_word(s, key.end, end, "packed"));
    s->moved++;
    return end;
}

/* Notes what is to be moved between two places. */
static void scan(scanner *s, size_t at, size_t end)
{
    class_key keys[MOST_DEPTH], key = {0}; /* of what may be a class's head */
    size_t enum_end = 0;
    int depth = 0, in_bases = 0, was_attribute = 0;
    for (at = skip_space(s, at); at < end;) {
        size_t next = skip_token(s, at);
        char c = s->text[at];
        int attribute = is_name(c) && is_attribute(s, at, next);
        if (c == '#' && begins_line(s, at)) {
            next = directive_end(s, at);
            scan_directive(s, at, next);
        } else if (is(s, at, next, "struct") || is(s, at, next, "class") ||
                   is(s, at, next, "union") || is(s, at, next, "enum")) {
            key.is_enum = c == 'e' || (enum_end && at == skip_space(s, enum_end));
            enum_end = c == 'e' ? next : 0;
            key.end = next;
            in_bases = 0;
        } else if (is(s, at, next, "template")) {
            size_t list = skip_space(s, next);
            if (list < end && s->text[list] == '<')
                next = skip_brackets(s, list);
        } else if (c == ':')
            in_bases = 1;
        else if (c == '(') {
            if (was_attribute || in_bases)
                next = skip_brackets(s, at);
            else
                key.end = 0; /* a function's head */
        } else if (c == ';' || c == '=')
            key.end = 0;
        else if (c == '{') {
            if (depth < MOST_DEPTH)
                keys[depth] = key;
            depth++;
            if (key.end)
                scan_head(s, key.end, at);
            key.end = 0;
        } else if (c == '}' && depth > 0) {
            key.end = 0;
            if (--depth < MOST_DEPTH)
                next = scan_tail(s, keys[depth], next);
        }
        was_attribute =
            attribute || is(s, at, next, "alignas") || is(s, at, next, "__declspec");
        at = skip_space(s, next);
    }
}

/* -- The text anew -- */

/* Behind `__align__(X)` or `__attribute__((aligned(X)))`, and where X stands with its
   brackets; the same place: it is neither. */
static size_t skip_alignment(const scanner *s, size_t at, size_t *begin, size_t *end)
{
    size_t next = skip_token(s, at);
    *begin = skip_space(s, next);
    int closing = 0;
    if (is(s, at, next, "__attribute__") || is(s, at, next, "__attribute")) {
        for (; closing < 2 && s->text[*begin] == '('; closing++)
            *begin = skip_space(s, *begin + 1);
        next = skip_token(s, *begin);
        if (closing < 2 ||
            (!is(s, *begin, next, "aligned") && !is(s, *begin, next, "__aligned__")))
            return at;
        *begin = skip_space(s, next);
    } else if (!is(s, at, next, "__align__"))
        return at;
    if (s->text[*begin] != '(')
        return at;
    *end = next = skip_brackets(s, *begin);
    for (; closing > 0; closing--) {
        next = skip_space(s, next);
        if (s->text[next++] != ')')
            return at;
    }
    return next;
}

/* Appends the tokens between two places, in one line. */
static void put_tokens(cmp_text *to, const scanner *s, size_t at, size_t end,
                       int strict)
{
    while (at < end) {
        size_t value, value_end,
            next = strict ? skip_alignment(s, at, &value, &value_end) : at;
        cmp_put_bytes(to, " ", 1);
        if (next > at) {
            cmp_put_bytes(to, "alignas", 7);
            put_tokens(to, s, value, value_end, 0);
        } else {
            next = skip_token(s, at);
            cmp_put_bytes(to, s->text + at, next - at);
        }
        at = skip_space(s, next);
    }
    cmp_put_bytes(to, " ", 1);
}

/* Appends the ends of the lines between two places. */
static void put_line_ends(cmp_text *to, const scanner *s, size_t at, size_t end)
{
    cmp_put_bytes(to, " ", 1);
    for (; at < end; at++)
        if (s->text[at] == '\n')
            cmp_put_bytes(to, s->text[at - 1] == '\\' ? "\\\n" : "\n",
                          1 + (s->text[at - 1] == '\\'));
}

typedef struct {
    size_t at;
    const move *of;
    int puts; /* else it takes */
} edit;

static int compare(const void *a, const void *b)
{
    const edit *first = a, *second = b;
    return first->at != second->at ? (first->at < second->at ? -1 : 1)
                                   : second->puts - first->puts;
}

static void put_moved(cmp_text *to, const scanner *s, edit *edits, size_t count)
{
    size_t from = 0;
    qsort(edits, count, sizeof *edits, compare);
    for (size_t k = 0; k < count; k++) {
        const move *of = edits[k].of;
        cmp_put_bytes(to, s->text + from, edits[k].at - from);
        from = edits[k].at;
        if (edits[k].puts)
            put_tokens(to, s, of->begin, of->end, of->strict);
        else {
            put_line_ends(to, s, of->begin, of->end);
            from = of->end;
        }
    }
    cmp_put_bytes(to, s->text + from, s->size - from);
}

size_t cmp_attributes_move(cmp_text *source, cmp_text *macros)
{
    scanner s = {.text = source->bytes, .size = source->size, .macros = macros};
    cmp_text edits = {0}, moved = {0};
    if (!source->size || (!macros->size && !strstr(s.text, "__align__") &&
                          !strstr(s.text, "__attribute")))
        return 0;
    scan(&s, 0, s.size);
    const move *moves = (const move *)s.moves.bytes;
    size_t count = s.moves.size / sizeof *moves;
    for (size_t k = 0; k < count; k++) {
        const edit both[] = {{moves[k].at, moves + k, 1},
                             {moves[k].begin, moves + k, 0}};
        cmp_put_bytes(&edits, both, sizeof both);
    }
    if (count && !edits.failed) {
        put_moved(&moved, &s, (edit *)edits.bytes, 2 * count);
        cmp_text_clear(source);
        *source = moved;
    }
    source->failed |= s.moves.failed || edits.failed || macros->failed;
    cmp_text_clear(&s.moves);
    cmp_text_clear(&edits);
    return s.moved;
}
