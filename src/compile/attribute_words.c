/* Which words of a source are attributes: the compiler's own, and those that a macro of
   the user's stands for, which is told by its definition. */
#include "nvrtc_attributes.h"

#define CLASS_KEYS " struct class union "
#define ALIGNMENTS " __align__ __builtin_align__ __CUDA_ALIGN__ "
#define IN_ATTRIBUTES " aligned __aligned__ "
#define PACKED " packed __packed__ "

/* What a macro is: a letter before its name in the list. An attribute's has its number
   of alignments, two at most, in the low bits. */
enum {
    IS_ATTRIBUTE = '@',
    MOST_ALIGNMENTS = 2,
    ALIGNMENT_BITS = 3,
    IS_PACKED = 4,
    HAS_ALIGNAS = 8
};
enum { CLASS_KEY = 'k' };

/* By all its definitions; 0: none is known. */
static int macro_kind(const cmp_attributes *known, const cmp_tokens *s, size_t begin,
                      size_t end)
{
    int alignments = 0, flags = 0;
    for (const char *name = NULL; (name = cmp_next(&known->macros, name));) {
        if (!cmp_is(s, begin, end, name + 1))
            continue;
        if (*name == CLASS_KEY)
            return CLASS_KEY;
        flags |= *name & ~ALIGNMENT_BITS;
        if ((*name & ALIGNMENT_BITS) > alignments)
            alignments = *name & ALIGNMENT_BITS;
    }
    return flags | alignments;
}

int cmp_is_class_key(const cmp_attributes *known, const cmp_tokens *s, size_t begin,
                     size_t end)
{
    return cmp_is_among(s, begin, end, CLASS_KEYS) ||
           macro_kind(known, s, begin, end) == CLASS_KEY;
}

/* Adds what one word says. */
static void add_word(const cmp_attributes *known, const cmp_tokens *s, size_t at,
                     size_t end, attribute *sum)
{
    int kind = macro_kind(known, s, at, end);
    if (cmp_is(s, at, end, "alignas")) {
        sum->alignments++;
        sum->has_alignas = 1;
    } else if (cmp_is_among(s, at, end, ALIGNMENTS IN_ATTRIBUTES)) {
        size_t behind = cmp_skip_space(s, end);
        sum->is_bare |= behind >= s->size || s->text[behind] != '(';
        sum->alignments++;
    } else if (kind && kind != CLASS_KEY) {
        sum->alignments += kind & ALIGNMENT_BITS;
        sum->is_packed |= (kind & IS_PACKED) != 0;
        sum->has_alignas |= (kind & HAS_ALIGNAS) != 0;
    }
    sum->is_packed |= cmp_is_among(s, at, end, PACKED);
}

attribute cmp_attribute_read(const cmp_attributes *known, const cmp_tokens *s,
                             size_t at)
{
    attribute found = {.begin = at, .end = cmp_skip_token(s, at)};
    int kind = macro_kind(known, s, at, found.end);
    int is_alignas = cmp_is(s, at, found.end, "alignas");
    if (!is_alignas && (!kind || kind == CLASS_KEY) &&
        !cmp_is_among(s, at, found.end, ALIGNMENTS " __attribute__ __attribute "))
        return found;
    size_t behind = cmp_skip_space(s, found.end);
    if (behind < s->size && s->text[behind] == '(')
        found.end = cmp_skip_brackets(s, behind);
    for (size_t next; at < found.end; at = cmp_skip_space(s, next)) {
        next = cmp_skip_token(s, at);
        if (cmp_is_name(s->text[at]))
            add_word(known, s, at, next, &found);
    }
    found.is_bare &= !kind;
    found.kind = is_alignas         ? ATTRIBUTE_ALIGNAS
                 : found.alignments ? ATTRIBUTE_ALIGNMENT
                                    : ATTRIBUTE_OTHER;
    return found;
}

size_t cmp_definition_body(const cmp_tokens *s, size_t at, size_t end)
{
    size_t begin = cmp_skip_space(s, at + 1), behind = cmp_skip_token(s, begin);
    if (begin >= end || !cmp_is(s, begin, behind, "define"))
        return end;
    begin = cmp_skip_space(s, behind);
    behind = begin < end ? cmp_skip_token(s, begin) : end;
    if (behind >= end)
        return end;
    size_t body = s->text[behind] == '(' ? cmp_skip_brackets(s, behind) : behind;
    return body < end ? body : end;
}

/* Behind a token, and behind the list of parameters that follows the word template. */
static size_t skip_word(const cmp_tokens *s, size_t at)
{
    size_t next = cmp_skip_token(s, at), list = cmp_skip_space(s, next);
    return cmp_is(s, at, next, "template") && list < s->size && s->text[list] == '<'
               ? cmp_skip_brackets(s, list)
               : next;
}

/* A macro that opens the body of a class, or closes one and aligns it, hides where the
   members are. */
static void look_for_braces(cmp_attributes *known, const cmp_tokens *s, size_t at,
                            size_t end)
{
    int open = 0, has_key = 0, has_alignment = 0;
    for (size_t next; at < end; at = cmp_skip_space(s, next)) {
        next = skip_word(s, at);
        open += (s->text[at] == '{') - (s->text[at] == '}');
        has_key |= cmp_is_class_key(known, s, at, next);
        has_alignment |= cmp_attribute_read(known, s, at).kind == ATTRIBUTE_ALIGNMENT;
    }
    if ((open > 0 && has_key) || (open < 0 && has_alignment))
        known->opaque =
            "a macro has one of the two braces of a class, so that it cannot "
            "be seen which alignments NVRTC would read in another way than "
            "nvcc; write the braces without it";
}

/* Notes the macro of a directive if it stands for attributes or for a class's key. */
static void learn_definition(cmp_attributes *known, const cmp_tokens *s, size_t at,
                             size_t end)
{
    size_t body = cmp_definition_body(s, at, end);
    attribute sum = {0};
    int is_attribute = 0, is_key = 0;
    if (body >= end)
        return;
    look_for_braces(known, s, cmp_skip_space(s, body), end);
    if (memchr(s->text + body, '{', end - body))
        return;
    for (size_t word = cmp_skip_space(s, body), next; word < end;
         word = cmp_skip_space(s, next)) {
        next = skip_word(s, word);
        is_attribute |= cmp_attribute_read(known, s, word).kind != ATTRIBUTE_NONE;
        is_key |= cmp_is_class_key(known, s, word, next);
        add_word(known, s, word, next, &sum);
    }
    if (!is_key && !is_attribute && !sum.alignments && !sum.is_packed)
        return;
    int alignments =
        sum.alignments < MOST_ALIGNMENTS ? sum.alignments : MOST_ALIGNMENTS;
    char kind = is_key ? CLASS_KEY
                       : IS_ATTRIBUTE | alignments | (sum.is_packed ? IS_PACKED : 0) |
                             (sum.has_alignas ? HAS_ALIGNAS : 0);
    size_t name = cmp_skip_space(s, cmp_skip_token(s, cmp_skip_space(s, at + 1)));
    size_t behind = cmp_skip_token(s, name);
    int before = macro_kind(known, s, name, behind);
    if (before != kind && before != CLASS_KEY)
        cmp_put(&known->macros, "%c%.*s", kind, (int)(behind - name), s->text + name);
}

void cmp_attributes_learn(cmp_attributes *known, const cmp_text *text)
{
    const cmp_tokens s = {text->bytes, text->size};
    for (size_t at = s.size ? cmp_skip_space(&s, 0) : 0, next; at < s.size;
         at = cmp_skip_space(&s, next)) {
        next = cmp_skip_token(&s, at);
        if (s.text[at] == '#' && cmp_begins_line(&s, at)) {
            next = cmp_skip_directive(&s, at);
            learn_definition(known, &s, at, next);
        }
    }
}

/* Whether one of the words stands between two places. */
static int has_word(const cmp_tokens *s, size_t at, size_t end, const char *words)
{
    for (size_t next; at < end; at = cmp_skip_space(s, next)) {
        next = cmp_skip_token(s, at);
        if (cmp_is_among(s, at, next, words))
            return 1;
    }
    return 0;
}

const char *cmp_attributes_foreign(const cmp_tokens *s)
{
    for (size_t at = cmp_skip_space(s, 0), next; at < s->size;
         at = cmp_skip_space(s, next)) {
        next = cmp_skip_token(s, at);
        size_t open = cmp_skip_space(s, next);
        if (s->text[at] == '#' && open < s->size) /* a definition may hold one */
            continue;
        if (cmp_is_among(s, at, next, " __attribute__ __attribute ") &&
            open < s->size && s->text[open] == '(' &&
            has_word(s, open, cmp_skip_brackets(s, open),
                     " vector_size __vector_size__ mode __mode__ "))
            return "NVRTC does not know the attributes vector_size and mode, and says "
                   "nothing";
        if (cmp_is(s, at, next, "gnu") && open < s->size && s->text[open] == ':') {
            size_t end = open + strcspn(s->text + open, "]");
            if (has_word(s, open, end, IN_ATTRIBUTES PACKED " vector_size mode "))
                return "NVRTC does not know attributes of the form [[gnu::...]], and "
                       "says nothing: write __align__(n) or __attribute__((packed))";
        }
    }
    return NULL;
}
