/* Texture and surface references. */
#ifndef HOSTCUDA_TEXTURE_REFS_H
#define HOSTCUDA_TEXTURE_REFS_H

#include "hostcuda/run/modules.h"

typedef struct hd_reference hd_reference;
/* Destroys the references of a module. */
void hd_references_destroy(hd_module *module);

#endif
