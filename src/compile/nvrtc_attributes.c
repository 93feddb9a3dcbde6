/* Alignments in the words of nvcc, which NVRTC reads in another way without a word:

   - behind the body of a class, `struct { ... } __align__(32) name;`, they are the
     class's for nvcc, and of what is declared there, or of nothing, for NVRTC;
   - less than what the type has by itself, they are nothing for nvcc, but count for
     NVRTC;
   - of several the last counts for nvcc, the largest for NVRTC.

   `alignas` means the same to both: where it does not fit, or is less than the type's
   own, it is an error. So the text is written anew: attributes behind a body go in
   front of it, and each alignment of a class or a member becomes strict, that is, an
   alignas, by the macros __pycuda_aligned of preamble.h, which see through macros of
   the user's. What then does not compile is for nvcc. Alignments of types' other names,
   of variables and of parameters mean the same to both as they are.

   The text is read as tokens, before any macro is replaced. Lines keep their numbers.
 */
#include "nvrtc_attributes.h"
#include <stdlib.h>

enum { MOST_DEPTH = 400 };

typedef struct {
    size_t at;         /* where the text goes, */
    size_t begin, end; /* and where it comes from */
    int strict;        /* its alignments become so */
} move;

/* The word of a class's head, which may be the two of `enum class`. */
typedef struct {
    size_t begin, end; /* end 0: there is none */
    int is_enum, is_packed;
    int alignments; /* in front of the body */
} class_key;

/* What is declared at one depth of braces, as far as it is read. */
typedef struct {
    size_t begin, last; /* its first token, and behind its last; begin NOWHERE: none */
    size_t pending;     /* where its alignments begin among the pending ones */
    class_key key;
    int in_class;             /* it is a member */
    int is_other, has_commas; /* a typedef, a static member, ...; of several names */
    int names;                /* words that are no attributes, behind the key */
} declaration;

static const size_t NOWHERE = (size_t)-1;

typedef struct {
    cmp_tokens tokens;
    cmp_attributes *known; /* borrowed */
    cmp_text moves;        /* of move */
    cmp_text pending;      /* of pending */
} scanner;

/* An alignment whose meaning the rest of the declaration tells. */
typedef struct {
    attribute is;
    int behind_name; /* in `int x __align__(8)` alignas may stand, too */
} pending;

static const char TWICE[] =
    "a class or member has two alignments: for nvcc the last counts, for NVRTC the "
    "largest; leave one";

static void put_move(scanner *s, size_t at, size_t begin, size_t end, int strict)
{
    const move one = {at, begin, end, strict};
    cmp_put_bytes(&s->moves, &one, sizeof one);
}

static size_t count_pending(const scanner *s)
{
    return s->pending.size / sizeof(pending);
}

static const pending *get_pending(const scanner *s, size_t k)
{
    return (const pending *)s->pending.bytes + k;
}

static void drop_pending(scanner *s, size_t count)
{
    s->pending.size = count * sizeof(pending);
}

/* -- Classes -- */

/* The alignments in front of a body become strict in their places. A packed class has
   no alignment of its own that one could be less than. */
static void end_head(scanner *s, declaration *of, size_t body)
{
    class_key *key = &of->key;
    size_t count = count_pending(s), first = of->pending;
    while (first < count && get_pending(s, first)->is.begin < key->end)
        first++;
    for (size_t at = key->end; at < body;) {
        size_t next = cmp_skip_token(&s->tokens, at);
        attribute found = cmp_attribute_read(s->known, &s->tokens, at);
        key->is_packed |= found.kind != ATTRIBUTE_NONE && found.is_packed;
        at = cmp_skip_space(&s->tokens, found.kind ? found.end : next);
    }
    for (size_t k = first; k < count; k++) {
        const attribute *is = &get_pending(s, k)->is;
        key->alignments += is->alignments;
        if (is->kind == ATTRIBUTE_ALIGNMENT && !key->is_packed && !is->is_bare)
            put_move(s, is->begin, is->begin, is->end, 1);
    }
    if (key->alignments > 1)
        s->known->why = TWICE;
    drop_pending(s, first);
}

/* The attributes behind a body; where to go on. An enumeration has none there, but for
   `packed`. */
static size_t end_body(scanner *s, class_key *key, size_t at)
{
    size_t begin = cmp_skip_space(&s->tokens, at), end = begin;
    attribute found, sum = {0};
    for (size_t next = begin; next < s->tokens.size &&
                              (found = cmp_attribute_read(s->known, &s->tokens, next),
                              found.kind && found.kind != ATTRIBUTE_ALIGNAS);
         next = cmp_skip_space(&s->tokens, end)) {
        end = found.end;
        sum.alignments += found.alignments;
        sum.is_packed |= found.is_packed;
        sum.is_bare |= found.is_bare;
        sum.has_alignas |= found.has_alignas;
    }
    if (!key->end || end <= begin || (key->is_enum && !sum.is_packed))
        return at;
    if (sum.has_alignas)
        s->known->why = "an alignas stands behind the body of a class, where it means "
                        "nothing; write it behind the word struct";
    if (key->is_enum && sum.alignments)
        s->known->why = "nvcc takes no alignment behind the body of an enumeration, "
                        "NVRTC does; leave it out";
    put_move(s, key->end, begin, end,
             !sum.is_packed && !key->is_packed && !sum.is_bare);
    if (key->alignments + sum.alignments > 1)
        s->known->why = TWICE;
    return end;
}

/* -- Declarations -- */

static void end_member(scanner *s, const declaration *of)
{
    int alignments = 0;
    for (size_t k = of->pending; k < count_pending(s); k++) {
        const pending *one = get_pending(s, k);
        alignments += one->is.alignments;
        if (one->is.kind == ATTRIBUTE_ALIGNAS || one->is.is_bare || one->is.is_packed)
            continue;
        int stays = one->is.begin == of->begin || one->behind_name || of->has_commas ||
                    !of->in_class || one->is.has_alignas;
        put_move(s, stays ? one->is.begin : of->begin, one->is.begin, one->is.end, 1);
    }
    if (alignments > 1)
        s->known->why = TWICE;
}

/* `struct __align__(16) S;` */
static int is_forward(const declaration *of)
{
    return of->key.end && of->key.begin == of->begin && of->names == 1;
}

static void end_declaration(scanner *s, declaration *of)
{
    if (of->begin != NOWHERE && !of->is_other && (of->in_class || is_forward(of)))
        end_member(s, of);
    drop_pending(s, of->pending);
    *of = (declaration){
        .begin = NOWHERE, .pending = of->pending, .in_class = of->in_class};
}

static void scan(scanner *s, size_t at, size_t end);

/* The text of a macro may hold whole classes, or the head of one. */
static void scan_directive(scanner *s, size_t at, size_t end)
{
    size_t body = cmp_definition_body(&s->tokens, at, end);
    if (body >= end)
        return;
    if (memchr(s->tokens.text + body, '{', end - body)) {
        scan(s, body, end);
        return;
    }
    int behind_key = 0;
    for (size_t word = cmp_skip_space(&s->tokens, body), next; word < end;
         word = cmp_skip_space(&s->tokens, next)) {
        attribute found = cmp_attribute_read(s->known, &s->tokens, word);
        next = found.end;
        if (behind_key && found.kind == ATTRIBUTE_ALIGNMENT)
            put_move(s, word, word, next, 1);
        behind_key |= cmp_is_class_key(s->known, &s->tokens, word, next);
    }
}

/* Notes an alignment; where to go on. */
static size_t read_alignment(scanner *s, declaration *of, const attribute *is)
{
    size_t next = cmp_skip_space(&s->tokens, is->end);
    char last = of->last ? s->tokens.text[of->last - 1] : 0;
    const pending one = {*is, cmp_is_name(last) && next < s->tokens.size &&
                                  strchr(";,=[{:", s->tokens.text[next])};
    cmp_put_bytes(&s->pending, &one, sizeof one);
    return is->end;
}

/* Reads a word of a declaration; where to go on. */
static size_t read_word(scanner *s, declaration *of, size_t at, size_t next)
{
    const cmp_tokens *t = &s->tokens;
    attribute found = cmp_attribute_read(s->known, t, at);
    size_t behind = cmp_skip_space(t, next);
    if (cmp_is(t, at, next, "enum") || cmp_is_class_key(s->known, t, at, next)) {
        int second = of->key.is_enum && of->last == of->key.end;
        of->key = (class_key){.begin = second ? of->key.begin : at,
                              .end = next,
                              .is_enum = second || s->tokens.text[at] == 'e'};
        of->names = 0;
    } else if (cmp_is(t, at, next, "template") && behind < t->size &&
               t->text[behind] == '<') {
        of->begin = NOWHERE;
        return cmp_skip_brackets(t, behind);
    } else if (found.kind >= ATTRIBUTE_ALIGNAS)
        return read_alignment(s, of, &found);
    else if (found.kind || cmp_is(t, at, next, "__declspec")) {
        return behind < t->size && t->text[behind] == '(' ? cmp_skip_brackets(t, behind)
                                                          : next;
    } else if (behind < t->size && t->text[behind] == ':' &&
               cmp_is_among(t, at, next, " public private protected ")) {
        if (at == of->begin)
            of->begin = NOWHERE;
        return behind + 1;
    } else {
        of->is_other |=
            at == of->begin &&
            cmp_is_among(t, at, next, " typedef using static friend extern ");
        of->is_other |= cmp_is(t, at, next, "static");
        of->names++;
    }
    return next;
}

/* Notes what is to be moved between two places. */
static void scan(scanner *s, size_t at, size_t end)
{
    const cmp_tokens *t = &s->tokens;
    declaration levels[MOST_DEPTH], *now = levels;
    int too_deep = 0, in_bases = 0;
    *now = (declaration){.begin = NOWHERE, .pending = count_pending(s)};
    for (size_t next; (at = cmp_skip_space(t, at)) < end; at = next) {
        char c = t->text[at];
        next = cmp_skip_token(t, at);
        if (c == '#' && cmp_begins_line(t, at)) {
            next = cmp_skip_directive(t, at);
            scan_directive(s, at, next);
            continue;
        }
        if (c == '{' && (too_deep || now == levels + MOST_DEPTH - 1)) {
            too_deep++;
        } else if (c == '{') {
            int is_class = now->key.end && !now->key.is_enum;
            if (now->key.end)
                end_head(s, now, at);
            in_bases = 0;
            *++now = (declaration){
                .begin = NOWHERE, .pending = count_pending(s), .in_class = is_class};
            continue;
        } else if (c == '}' && too_deep) {
            too_deep--;
        } else if (c == '}' && now > levels) {
            end_declaration(s, now--);
            if (!now->key.end) /* behind a function, or the values of a variable */
                end_declaration(s, now);
            else
                next = end_body(s, &now->key, next);
            now->key.end = 0;
            now->last = next;
            continue;
        } else if (c == ';') {
            end_declaration(s, now);
            in_bases = 0;
            continue;
        }
        if (now->begin == NOWHERE)
            now->begin = at;
        if (cmp_is_name(c))
            next = read_word(s, now, at, next);
        else if (c == '(' && (in_bases || now->in_class)) {
            next = cmp_skip_brackets(t, at);
            now->key.end = in_bases ? now->key.end : 0;
        } else if (c == '(' || c == '=')
            now->key.end = 0; /* a function's head */
        in_bases |= c == ':' && now->key.end;
        now->has_commas |= c == ',' && !now->key.end;
        now->last = next;
    }
    while (now >= levels)
        end_declaration(s, now--);
}

/* -- The text anew -- */

/* Appends the tokens between two places, in one line. */
static void put_tokens(cmp_text *to, const cmp_tokens *t, size_t at, size_t end)
{
    for (size_t next; at < end; at = cmp_skip_space(t, next)) {
        next = cmp_skip_token(t, at);
        cmp_put_bytes(to, " ", 1);
        cmp_put_bytes(to, t->text + at, next - at);
    }
    cmp_put_bytes(to, " ", 1);
}

/* The same of attributes. */
static void put_attributes(cmp_text *to, const scanner *s, const move *of)
{
    static const char STRICT[] = " __pycuda_aligned(";
    for (size_t at = of->begin; at < of->end;) {
        attribute one = cmp_attribute_read(s->known, &s->tokens, at);
        int strict = of->strict && one.kind == ATTRIBUTE_ALIGNMENT;
        if (strict)
            cmp_put_bytes(to, STRICT, sizeof STRICT - 1);
        put_tokens(to, &s->tokens, at, one.end);
        if (strict)
            cmp_put_bytes(to, ")", 1);
        at = cmp_skip_space(&s->tokens, one.end);
    }
    cmp_put_bytes(to, " ", 1);
}

/* Appends the ends of the lines between two places. */
static void put_line_ends(cmp_text *to, const cmp_tokens *t, size_t at, size_t end)
{
    cmp_put_bytes(to, " ", 1);
    for (; at < end; at++)
        if (t->text[at] == '\n')
            cmp_put_bytes(to, t->text[at - 1] == '\\' ? "\\\n" : "\n",
                          1 + (t->text[at - 1] == '\\'));
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
        if (edits[k].at < from) /* within what was taken */
            continue;
        cmp_put_bytes(to, s->tokens.text + from, edits[k].at - from);
        from = edits[k].at;
        if (edits[k].puts)
            put_attributes(to, s, of);
        else {
            put_line_ends(to, &s->tokens, of->begin, of->end);
            from = of->end;
        }
    }
    cmp_put_bytes(to, s->tokens.text + from, s->tokens.size - from);
}

int cmp_attributes_rewrite(cmp_attributes *known, cmp_text *text)
{
    scanner s = {.tokens = {text->bytes, text->size}, .known = known};
    cmp_text edits = {0}, moved = {0};
    if (!text->size ||
        (!known->macros.size && !known->opaque && !strstr(text->bytes, "__align__") &&
         !strstr(text->bytes, "_align__") && !strstr(text->bytes, "_ALIGN__") &&
         !strstr(text->bytes, "__attribute") && !strstr(text->bytes, "gnu")))
        return 0;
    const char *foreign = cmp_attributes_foreign(&s.tokens);
    scan(&s, 0, s.tokens.size);
    if (foreign || (known->opaque && strstr(text->bytes, "align")))
        known->why = foreign ? foreign : known->opaque;
    const move *moves = (const move *)s.moves.bytes;
    size_t count = s.moves.size / sizeof *moves;
    for (size_t k = 0; k < count; k++) {
        const edit both[] = {{moves[k].at, moves + k, 1},
                             {moves[k].begin, moves + k, 0}};
        cmp_put_bytes(&edits, both, sizeof both);
    }
    if (count && !edits.failed) {
        put_moved(&moved, &s, (edit *)edits.bytes, 2 * count);
        cmp_text_clear(text);
        *text = moved;
    }
    text->failed |=
        s.moves.failed || s.pending.failed || edits.failed || known->macros.failed;
    cmp_text_clear(&s.moves);
    cmp_text_clear(&s.pending);
    cmp_text_clear(&edits);
    return count > 0;
}
