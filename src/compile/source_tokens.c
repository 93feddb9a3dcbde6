/* The tokens of a source text, and its lines: enough of C++'s lexical rules that a
   string, a comment or a raw string never passes for code. Nothing is copied. */
#include "source_tokens.h"
#include <ctype.h>

int cmp_is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* Behind a string or character; raw: R"x( ... )x". */
static size_t skip_quoted(const cmp_tokens *s, size_t at, int raw)
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

size_t cmp_skip_space(const cmp_tokens *s, size_t at)
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

size_t cmp_skip_token(const cmp_tokens *s, size_t at)
{
    char c = s->text[at];
    size_t begin = at;
    if (c == '"' || c == '\'')
        return skip_quoted(s, at, 0);
    if (!cmp_is_name(c))
        return at + 1;
    while (at < s->size && (cmp_is_name(s->text[at]) ||
                            (s->text[at] == '\'' && isdigit((unsigned char)c))))
        at++;
    if (s->text[at] == '"' && at > begin && s->text[at - 1] == 'R' && at - begin <= 3)
        return skip_quoted(s, at, 1);
    return at;
}

size_t cmp_skip_brackets(const cmp_tokens *s, size_t at)
{
    char open = s->text[at], shut = open == '(' ? ')' : '>';
    for (int depth = 0; at < s->size;) {
        size_t next = cmp_skip_token(s, at);
        depth += s->text[at] == open;
        depth -= s->text[at] == shut;
        at = cmp_skip_space(s, next);
        if (!depth)
            return next;
    }
    return s->size;
}

size_t cmp_skip_directive(const cmp_tokens *s, size_t at)
{
    while (at < s->size && s->text[at] != '\n') {
        if (!strncmp(s->text + at, "/*", 2))
            at = cmp_skip_space(s, at);
        else
            at += 1 + (s->text[at] == '\\' && at + 1 < s->size) +
                  (s->text[at] == '\\' && s->text[at + 1] == '\r');
    }
    return at < s->size ? at : s->size;
}

int cmp_begins_line(const cmp_tokens *s, size_t at)
{
    while (at > 0 && (s->text[at - 1] == ' ' || s->text[at - 1] == '\t'))
        at--;
    return at == 0 || s->text[at - 1] == '\n';
}

int cmp_is(const cmp_tokens *s, size_t begin, size_t end, const char *word)
{
    return end - begin == strlen(word) && !strncmp(s->text + begin, word, end - begin);
}

int cmp_is_among(const cmp_tokens *s, size_t begin, size_t end, const char *words)
{
    size_t length = end - begin;
    for (const char *at = words; length && (at = strchr(at, ' ')) && at[1];)
        if (!strncmp(++at, s->text + begin, length) && at[length] == ' ')
            return 1;
    return 0;
}
