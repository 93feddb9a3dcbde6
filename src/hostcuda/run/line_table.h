/* Where in the source an instruction of an image comes from. */
#ifndef HOSTCUDA_LINE_TABLE_H
#define HOSTCUDA_LINE_TABLE_H

#include "hostcuda/core/process.h"

typedef struct hd_line_table hd_line_table;

/* Copies the line table of a loaded image; NULL if it has none. Takes its file over,
   which stays open for debuggers as long as the module is among the newest ones. */
hd_line_table *hd_line_table_create_unlocked(const void *data, size_t size, int file);
void hd_line_table_destroy_unlocked(hd_line_table *line_table); /* may be NULL */
/* Writes "kernel.cu:12" for an address in the image, "" where that is not known. */
void hd_line_table_describe_unlocked(const hd_line_table *line_table, const void *image,
                                     const char *address, char *text, size_t size);

#endif
