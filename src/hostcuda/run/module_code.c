/* The life of the images of a module. They are loaded and ended without the lock: the
   dynamic linker reads files and has a lock of its own. */
#include "module_code.h"

#include <dlfcn.h>

CUresult hd_code_load_unlocked(const void *data, size_t size, hd_code **code)
{
    hd_image image;

    HD_TRY(hd_image_load_unlocked(data, &size, &image));
    hd_line_table *line_table = hd_line_table_create_unlocked(data, size, image.file);
    hd_code *made = malloc(sizeof *made);
    if (!made) {
        dlclose(image.opened);
        hd_line_table_destroy_unlocked(line_table);
        return hd_fail(CUDA_ERROR_OUT_OF_MEMORY, "no memory for an image");
    }
    *made = (hd_code){.image = image, .line_table = line_table};
    *code = made;
    return CUDA_SUCCESS;
}

void hd_code_destroy_unlocked(hd_code *code)
{
    while (code) {
        hd_code *next = code->next;
        dlclose(code->image.opened);
        hd_line_table_destroy_unlocked(code->line_table);
        free(code);
        code = next;
    }
}
