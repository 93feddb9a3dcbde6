/* Texture and surface references. */
#ifndef HOSTCUDA_TEXTURE_REFS_H
#define HOSTCUDA_TEXTURE_REFS_H

#include "hostcuda/run/modules.h"

typedef struct hd_reference hd_reference;
/* Fails unless it is a texture that a module of the context declares. */
CUresult hd_reference_check(const hd_context *context, CUtexref handle);
/* Destroys the references of a module. */
void hd_references_destroy(hd_module *module);

#endif
