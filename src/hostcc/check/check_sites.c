/* Rows of the image that say what a check is about: an access and its place in the
   source. */
#include "hostcc/check/check.h"
#include "hostcc/front/front.h"
#include "hostcc/ir/tables.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>

/* Whose file has that name behind the last slash. */
static bool is_named(LLVMMetadataRef location, const char *start)
{
    unsigned n;
    LLVMMetadataRef file = LLVMDIScopeGetFile(LLVMDILocationGetScope(location));
    const char *path = cc_format("/%.*s", 256, LLVMDIFileGetFilename(file, &n));
    return cc_prefixed(strrchr(path, '/') + 1, start);
}

bool cc_is_of_file(cc_unit *u, cc_value i, const char *start)
{
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(i);
    (void)u;
    return location && is_named(location, start);
}

bool cc_is_in_texture_files(cc_unit *u, cc_value i)
{
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(i);
    LLVMMetadataRef end = location ? cc_users_location(u, location) : NULL;
    for (; location != end; location = LLVMDILocationGetInlinedAt(location))
        if (is_named(location, "texture") || is_named(location, "surface"))
            return true;
    return false;
}

/* Of a variable as the source spells it: the last name in a mangled one, which is a
   length and so many letters, with nothing behind it but ends of scopes. */
static const char *plain_name(const char *name)
{
    const char *found = name;
    size_t all = strlen(name), length = 0;
    if (!cc_prefixed(name, "_Z"))
        return name;
    for (size_t at = 2; at < all; at++) {
        char *start;
        if (!isdigit(name[at]) || isdigit(name[at - 1]))
            continue;
        size_t n = strtoul(name + at, &start, 10), end = (size_t)(start - name) + n;
        if (n && end <= all && strspn(name + end, "E_0123456789") == all - end) {
            found = start;
            length = n;
        }
    }
    return length ? cc_format("%.*s", (int)length, found) : name;
}

cc_value cc_access_row(cc_unit *u, const cc_access *a, const hc_access *facts,
                       const char *name)
{
    cc_row row = cc_row_new(u, sizeof(hc_access));
    cc_place place = cc_place_of(u, a->at);
    cc_row_put_site(&row, offsetof(hc_access, site), &place);
    cc_row_put(&row, offsetof(hc_access, variable), cc_text(u, plain_name(name)));
    cc_row_put(&row, offsetof(hc_access, size), cc_int(u->i64, facts->size));
    cc_row_put32(&row, offsetof(hc_access, kind), a->kind);
    cc_row_put32(&row, offsetof(hc_access, way), facts->way);
    cc_row_put32(&row, offsetof(hc_access, space), facts->space);
    cc_row_put32(&row, offsetof(hc_access, bytes), a->bytes);
    cc_row_put32(&row, offsetof(hc_access, alignment), a->alignment);
    cc_row_put32(&row, offsetof(hc_access, bounds), facts->bounds);
    return cc_constant(u, cc_row_constant(&row), "access");
}
