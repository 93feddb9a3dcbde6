/* Where in the source a kernel was when it failed: the line table of its image.

   The table is what LLVM writes into .debug_line (DWARF 4, section 6.2): a program of
   byte codes that counts an address and a line upwards. Running it takes a page. The
   other ways were worse: addr2line and its kin need to be installed where kernels run,
   want the image as a file, and are processes that a library would start within a
   program that is in trouble; libdw is seldom there; a table of our own could only be
   made from this one, as LLVM knows no addresses before it writes it. The dynamic
   linker does not load the section, so it is copied. Where something is not as hostcc
   makes it, the place is not known. */
#include <dlfcn.h>
#include <elf.h>
#include <unistd.h>

#include "line_table.h"

/* Images whose files stay open at a time, of the newest modules: a program that loads
   thousands of modules needs its descriptors. */
#define OPEN_MOST 32
/* So long a debugger that was attached may stay unnoticed. */
#define ASK_AGAIN_NANOSECONDS 50000000

struct hd_line_table {
    int file;                 /* owned; -1: closed */
    hd_line_table *next_open; /* in open_images */
    size_t size;
    unsigned char bytes[];
};

static hd_line_table *open_images; /* borrowed: whose files are open */

/* -- Sections ---------------------------------------------------------------------- */

/* The section table of an image, or NULL if something is not inside of it. */
static const Elf64_Shdr *sections_of(const char *data, size_t size)
{
    const Elf64_Ehdr *header = (const void *)data;
    const Elf64_Shdr *all = (const void *)(data + header->e_shoff);

    if (header->e_shoff == 0 || header->e_shoff % 8 != 0 || header->e_shoff > size ||
        header->e_shentsize != sizeof *all || header->e_shstrndx >= header->e_shnum ||
        (size - header->e_shoff) / sizeof *all < header->e_shnum ||
        all[header->e_shstrndx].sh_type != SHT_STRTAB)
        return NULL;
    for (unsigned i = 0; i < header->e_shnum; i++) {
        if (all[i].sh_type != SHT_NOBITS &&
            (all[i].sh_offset > size || all[i].sh_size > size - all[i].sh_offset))
            return NULL;
    }
    return all;
}

static const Elf64_Shdr *find_section(const char *data, size_t size, const char *name)
{
    const Elf64_Ehdr *header = (const void *)data;
    const Elf64_Shdr *all = sections_of(data, size);
    const Elf64_Shdr *names = all ? &all[header->e_shstrndx] : NULL;
    size_t length = strlen(name) + 1;

    for (unsigned i = 0; names && i < header->e_shnum; i++) {
        size_t at = all[i].sh_name;
        if (all[i].sh_type == SHT_PROGBITS && at <= names->sh_size &&
            names->sh_size - at >= length &&
            memcmp(data + names->sh_offset + at, name, length) == 0)
            return &all[i];
    }
    return NULL;
}

static void close_image(hd_line_table *line_table)
{
    HD_UNLINK(open_images, line_table, next_open);
    close(line_table->file);
    line_table->file = -1;
}

/* Keeps the file open, and closes the oldest one if there are OPEN_MOST. */
static void keep_open_unlocked(hd_line_table *line_table, int file)
{
    unsigned count = 0;

    hd_lock();
    line_table->file = file;
    line_table->next_open = open_images;
    open_images = line_table;
    for (hd_line_table *other = line_table; other; other = other->next_open) {
        if (++count > OPEN_MOST) {
            close_image(other);
            break;
        }
    }
    hd_unlock();
}

static bool is_traced(void)
{
    char line[64];
    int tracer = 0;
    FILE *file = fopen("/proc/self/status", "r");

    while (file && tracer == 0 && fgets(line, sizeof line, file))
        sscanf(line, "TracerPid: %d", &tracer);
    if (file)
        fclose(file);
    return tracer != 0;
}

/* A debugger reads of any image how to unwind its functions, and warns if it cannot.
   The kernel takes longer to tell than the rest of a load, so it is asked now and then.
 */
static bool is_debugged_unlocked(void)
{
    static uint64_t asked;
    static bool answer;
    uint64_t now = hd_nanoseconds_unlocked();

    hd_lock();
    bool is_old = asked == 0 || now - asked > ASK_AGAIN_NANOSECONDS;
    hd_unlock();
    bool is_now = is_old && is_traced();
    hd_lock();
    if (is_old) {
        asked = now;
        answer = is_now;
    }
    bool is_debugged = answer;
    hd_unlock();
    return is_debugged;
}

hd_line_table *hd_line_table_create_unlocked(const void *data, size_t size, int file)
{
    const Elf64_Shdr *lines = find_section(data, size, ".debug_line");
    hd_line_table *line_table =
        lines ? malloc(sizeof *line_table + lines->sh_size) : NULL;

    if (line_table)
        line_table->file = -1;
    if (!line_table ||
        (!find_section(data, size, ".debug_info") && !is_debugged_unlocked()))
        close(file);
    else
        keep_open_unlocked(line_table, file);
    if (line_table) {
        line_table->size = lines->sh_size;
        memcpy(line_table->bytes, (const char *)data + lines->sh_offset,
               line_table->size);
    }
    return line_table;
}

void hd_line_table_destroy_unlocked(hd_line_table *line_table)
{
    hd_lock();
    if (line_table && line_table->file >= 0)
        close_image(line_table);
    hd_unlock();
    free(line_table);
}

/* -- Reading: whatever lies behind the end is zero --------------------------------- */

typedef struct {
    const unsigned char *at, *end;
} reader;

static uint64_t fixed(reader *r, unsigned bytes)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < bytes && r->at < r->end; i++)
        value |= (uint64_t)*r->at++ << 8 * i;
    return value;
}

/* A number in groups of seven bits, the lowest first. */
static uint64_t grouped(reader *r, bool is_signed)
{
    uint64_t value = 0, byte;
    unsigned shift = 0;

    do {
        byte = fixed(r, 1);
        value |= shift < 64 ? (byte & 0x7f) << shift : 0;
        shift += 7;
    } while (byte & 0x80);
    if (is_signed && (byte & 0x40) && shift < 64)
        value |= ~UINT64_C(0) << shift;
    return value;
}

static const char *string(reader *r)
{
    const char *start = (const char *)r->at;
    size_t length = strnlen(start, r->end - r->at);

    if (length == (size_t)(r->end - r->at)) {
        r->at = r->end;
        return "";
    }
    r->at += length + 1;
    return start;
}

static void skip(reader *r, uint64_t bytes)
{
    r->at += bytes < (uint64_t)(r->end - r->at) ? bytes : (uint64_t)(r->end - r->at);
}

/* -- The program ------------------------------------------------------------------- */

typedef struct {
    uint64_t address, file;
    uint32_t line; /* 0: none in particular */
} row;

typedef struct {
    reader files, program;
    uint8_t instruction, line_range, first_special;
    int8_t line_base;
    const unsigned char *operands; /* numbers of them, by standard opcode - 1 */
} unit;

/* Takes the unit that r is at and leaves r at the next one. */
static bool unit_begin(unit *u, reader *r)
{
    uint64_t length = fixed(r, 4);
    reader here = *r;

    skip(r, length);
    here.end = r->at;
    uint64_t version = fixed(&here, 2);
    u->program = here;
    length = fixed(&u->program, 4);
    here = u->program;
    skip(&u->program, length);
    u->instruction = fixed(&here, 1);
    fixed(&here, 2); /* operations in an instruction; whether lines begin statements */
    u->line_base = (int8_t)fixed(&here, 1);
    u->line_range = fixed(&here, 1);
    u->first_special = fixed(&here, 1);
    u->operands = here.at;
    skip(&here, u->first_special - 1);
    while (*string(&here) != '\0') /* folders */
        continue;
    u->files = here;
    return version == 4 && u->line_range != 0 && u->first_special >= 10 &&
           here.at < here.end;
}

static void advance_address(const unit *u, row *now, unsigned special)
{
    now->address += special / u->line_range * u->instruction;
}

/* Opcodes (6.2.5.2, 6.2.5.3) */
enum {
    EXTENDED,
    COPY,
    ADVANCE_PC,
    ADVANCE_LINE,
    SET_FILE,
    CONST_ADD_PC = 8,
    FIXED_ADVANCE_PC = 9
};
enum { END_SEQUENCE = 1, SET_ADDRESS };

/* Executes one opcode: 1: `now` is a row, -1: it is the end of a sequence of rows. */
static int execute(unit *u, row *now)
{
    reader *r = &u->program;
    unsigned code = fixed(r, 1);

    if (code >= u->first_special) {
        code -= u->first_special;
        advance_address(u, now, code);
        now->line += u->line_base + code % u->line_range;
        return 1;
    }
    switch (code) {
    case EXTENDED: {
        uint64_t length = grouped(r, false);
        reader inside = *r;
        skip(r, length);
        inside.end = r->at;
        code = fixed(&inside, 1);
        if (code == SET_ADDRESS)
            now->address = fixed(&inside, 8);
        return code == END_SEQUENCE ? -1 : 0;
    }
    case COPY:
        return 1;
    case ADVANCE_PC:
        now->address += grouped(r, false) * u->instruction;
        return 0;
    case ADVANCE_LINE:
        now->line += grouped(r, true);
        return 0;
    case SET_FILE:
        now->file = grouped(r, false);
        return 0;
    case CONST_ADD_PC:
        advance_address(u, now, 255 - u->first_special);
        return 0;
    case FIXED_ADVANCE_PC:
        now->address += fixed(r, 2);
        return 0;
    default:
        for (unsigned i = u->operands[code - 1]; i > 0; i--)
            grouped(r, false);
        return 0;
    }
}

static bool find_row(unit *u, uint64_t address, row *found)
{
    const row start = {0, 1, 1};
    row now = start, before = {UINT64_MAX, 0, 0};

    while (u->program.at < u->program.end) {
        int what = execute(u, &now);
        if (what != 0 && before.address <= address && address < now.address) {
            *found = before;
            return true;
        }
        if (what > 0)
            before = now;
        if (what < 0) {
            before.address = UINT64_MAX;
            now = start;
        }
    }
    return false;
}

static const char *file_name(const unit *u, uint64_t number)
{
    reader r = u->files;

    for (;;) {
        const char *name = string(&r);
        if (*name == '\0' || --number == 0)
            return name;
        for (unsigned i = 0; i < 3; i++) /* folder, time, size */
            grouped(&r, false);
    }
}

void hd_line_table_describe_unlocked(const hd_line_table *line_table, const void *image,
                                     const char *address, char *text, size_t size)
{
    Dl_info mine, there;
    unit u;
    row found;

    *text = '\0';
    if (!line_table || !address || dladdr(image, &mine) == 0 ||
        dladdr(address, &there) == 0 || mine.dli_fbase != there.dli_fbase)
        return;
    uint64_t offset = address - (const char *)mine.dli_fbase;
    for (reader r = {line_table->bytes, line_table->bytes + line_table->size};
         r.at < r.end;) {
        if (!unit_begin(&u, &r) || !find_row(&u, offset, &found))
            continue;
        const char *name = file_name(&u, found.file);
        if (*name != '\0' && found.line != 0)
            snprintf(text, size, "%s:%u", name, found.line);
        return;
    }
}
