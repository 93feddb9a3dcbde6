/* Files of host code; printf of kernels is in device.h. */
#ifndef HOSTCC_STDIO_H
#define HOSTCC_STDIO_H
#include <stdarg.h>
#include <stddef.h>
#include <hostcc_mbstate_t.h>
#include <sys/types.h>

extern "C" {
typedef struct __hc_file FILE;
typedef struct {
    long position;
    mbstate_t state;
} fpos_t;
extern FILE *stdin, *stdout, *stderr;
#define stdin stdin
#define stdout stdout
#define stderr stderr
#define EOF (-1)
#define BUFSIZ 8192
#define FILENAME_MAX 4096
#define FOPEN_MAX 16
#define L_tmpnam 20
#define TMP_MAX 238328
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
int remove(const char *) noexcept;
int rename(const char *, const char *) noexcept;
FILE *tmpfile(void);
char *tmpnam(char *) noexcept;
int fclose(FILE *);
int fflush(FILE *);
FILE *fopen(const char *, const char *);
FILE *freopen(const char *, const char *, FILE *);
FILE *fdopen(int, const char *) noexcept;
FILE *popen(const char *, const char *);
int pclose(FILE *);
int fileno(FILE *) noexcept;
void setbuf(FILE *, char *) noexcept;
int setvbuf(FILE *, char *, int, size_t) noexcept;
int fprintf(FILE *, const char *, ...) __attribute__((format(printf, 2, 3)));
int printf(const char *, ...) __attribute__((format(printf, 1, 2)));
int sprintf(char *, const char *, ...) noexcept __attribute__((format(printf, 2, 3)));
int snprintf(char *, size_t, const char *, ...) noexcept
    __attribute__((format(printf, 3, 4)));
int asprintf(char **, const char *, ...) noexcept __attribute__((format(printf, 2, 3)));
int vfprintf(FILE *, const char *, va_list) __attribute__((format(printf, 2, 0)));
int vprintf(const char *, va_list) __attribute__((format(printf, 1, 0)));
int vsprintf(char *, const char *, va_list) noexcept
    __attribute__((format(printf, 2, 0)));
int vsnprintf(char *, size_t, const char *, va_list) noexcept
    __attribute__((format(printf, 3, 0)));
int vasprintf(char **, const char *, va_list) noexcept
    __attribute__((format(printf, 2, 0)));
int fscanf(FILE *, const char *, ...) __attribute__((format(scanf, 2, 3)));
int scanf(const char *, ...) __attribute__((format(scanf, 1, 2)));
int sscanf(const char *, const char *, ...) noexcept
    __attribute__((format(scanf, 2, 3)));
int vfscanf(FILE *, const char *, va_list) __attribute__((format(scanf, 2, 0)));
int vscanf(const char *, va_list) __attribute__((format(scanf, 1, 0)));
int vsscanf(const char *, const char *, va_list) noexcept
    __attribute__((format(scanf, 2, 0)));
int fgetc(FILE *);
char *fgets(char *, int, FILE *);
int fputc(int, FILE *);
int fputs(const char *, FILE *);
int getc(FILE *);
int getchar(void);
int putc(int, FILE *);
int putchar(int);
int puts(const char *);
int ungetc(int, FILE *);
ssize_t getline(char **, size_t *, FILE *);
size_t fread(void *, size_t, size_t, FILE *);
size_t fwrite(const void *, size_t, size_t, FILE *);
int fgetpos(FILE *, fpos_t *);
int fseek(FILE *, long, int);
int fsetpos(FILE *, const fpos_t *);
long ftell(FILE *);
int fseeko(FILE *, off_t, int);
off_t ftello(FILE *);
void rewind(FILE *);
void clearerr(FILE *) noexcept;
int feof(FILE *) noexcept;
int ferror(FILE *) noexcept;
void perror(const char *);
}
#endif
