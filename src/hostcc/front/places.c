/* Places in the user's text. clang says of each instruction where it comes from;
   inlined into a kernel, that may be the device library or one of clang's headers, and
   then the user's call of it is meant. */
#include "hostcc/front/front.h"
#include "hostcc/ir/map.h"

static LLVMMetadataRef file_of(LLVMMetadataRef location)
{
    return LLVMDIScopeGetFile(LLVMDILocationGetScope(location));
}

bool cc_is_users_file(LLVMMetadataRef file)
{
    unsigned nfolder, nname;
    const char *folder = LLVMDIFileGetDirectory(file, &nfolder),
               *name = LLVMDIFileGetFilename(file, &nname);
    const char *path = cc_format("%.*s/%.*s", (int)nfolder, *name == '/' ? "" : folder,
                                 (int)nname, name);
    /* Libraries of templates are no more the user's than the device library is. */
    static const char *const others[] = {"/cub/", "/thrust/", "/cuda/std/", "/cuda/__"};
    bool found = strstr(path, cc_device_library());
    for (unsigned k = 0; k < sizeof others / sizeof *others && !found; k++)
        found = strstr(path, others[k]);
    return !found;
}

static bool is_known_users(cc_unit *u, LLVMMetadataRef file)
{
    if (!u->users_files)
        u->users_files = cc_map_new();
    if (cc_map_get(u->users_files, file) < 0)
        cc_map_put(u->users_files, file, cc_is_users_file(file));
    return cc_map_get(u->users_files, file);
}

LLVMMetadataRef cc_users_location(cc_unit *u, LLVMMetadataRef location)
{
    for (LLVMMetadataRef call;; location = call) {
        call = LLVMDILocationGetInlinedAt(location);
        if (is_known_users(u, file_of(location)) || !call)
            return location;
    }
}

bool cc_is_users_function(cc_unit *u, cc_value f)
{
    LLVMMetadataRef program = LLVMGetSubprogram(f);
    return program && is_known_users(u, LLVMDIScopeGetFile(program));
}

cc_place cc_place_of(cc_unit *u, cc_value instruction)
{
    LLVMMetadataRef location =
        instruction ? LLVMInstructionGetDebugLoc(instruction) : NULL;
    unsigned length;
    if (!location)
        return (cc_place){NULL, 0, 0};
    location = cc_users_location(u, location);
    const char *file = LLVMDIFileGetFilename(file_of(location), &length);
    return (cc_place){cc_format("%.*s", (int)length, file),
                      LLVMDILocationGetLine(location),
                      LLVMDILocationGetColumn(location)};
}
