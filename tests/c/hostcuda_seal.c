/* Images that are not what hostcc wrote: each is refused with a sentence, before
   anything of it is believed. SEAL_SEED repeats a run. */
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "hostcuda_test.h"

enum { ROUNDS = 3000, ROOM = 1 << 20 };

static uint64_t dice;
static char image[ROOM], damaged[ROOM + 8192], path[64];
static size_t size;
static char *end; /* of memory that may be read */

static size_t below(size_t limit)
{
    dice = dice * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(dice >> 20) % limit;
}

static const char *damage_name;

/* Damages the copy; returns how long it is now. */
static size_t damage(unsigned kind)
{
    size_t at = below(size), length = 1 + below(200), n = size;

    switch (kind) {
    case 0:
        damage_name = "a bit";
        damaged[at] ^= (char)(1 << below(8));
        break;
    case 1:
        damage_name = "a bit of the header";
        damaged[below(64 + 56 * 5)] ^= (char)(1 << below(8));
        break;
    case 2:
        damage_name = "a bit of the seal";
        damaged[size - 1 - below(32)] ^= (char)(1 << below(8));
        break;
    case 3:
        damage_name = "a few bytes";
        for (size_t i = 0; i < length && at + i < size; i++)
            damaged[at + i] ^= (char)(1 + below(255));
        break;
    case 4:
        damage_name = "a page of zeros";
        at = below(size / 4096) * 4096;
        memset(damaged + at, 0, 4096);
        break;
    case 5:
        damage_name = "cut off";
        return at;
    case 6:
        damage_name = "bytes put in";
        memmove(damaged + at + length, damaged + at, size - at);
        return n + length;
    case 7:
        damage_name = "bytes taken out";
        if (length > size - at)
            length = size - at;
        memmove(damaged + at, damaged + at + length, size - at - length);
        return n - length;
    case 8: {
        damage_name = "two words exchanged";
        size_t other = below(size / 8) * 8;
        char word[8];
        at &= ~(size_t)7;
        memcpy(word, damaged + at, 8);
        memcpy(damaged + at, damaged + other, 8);
        memcpy(damaged + other, word, 8);
        break;
    }
    case 9:
        damage_name = "random bytes";
        for (size_t i = 0; i < length; i++)
            damaged[i] = (char)below(256);
        damaged[0] = (char)(damaged[0] | 0x80); /* text ends with a zero */
        return length;
    case 10:
        damage_name = "random bytes behind the first 64";
        for (size_t i = 64; i < size; i++)
            damaged[i] = (char)below(256);
        break;
    default:
        damage_name = "random numbers in the header";
        for (size_t i = 24; i < 64; i++)
            damaged[i] = (char)below(256);
        break;
    }
    return n;
}

static void refused(CUresult status)
{
    const char *detail = "";
    int good =
        status == CUDA_ERROR_INVALID_IMAGE || status == CUDA_ERROR_NO_BINARY_FOR_GPU;
    cuxGetErrorDetail(&detail);
    if (!good || strncmp(detail, "the image ", 10) != 0)
        fprintf(stderr, "%s: status %d, \"%s\"\n", damage_name, (int)status, detail);
    CHECK(good && strncmp(detail, "the image ", 10) == 0);
}

static void in_memory(void)
{
    CUmodule module = NULL;
    CUlibrary library = NULL;
    for (unsigned i = 0; i < ROUNDS; i++) {
        memcpy(damaged, image, size);
        size_t length = damage(i % 12);
        if (length >= size && memcmp(damaged, image, size) == 0)
            continue; /* where it ends is told by nothing but itself */
        /* Nothing can be read behind the last byte. */
        char *data = memcpy(end - length, damaged, length);
        if (length < 4)
            continue;
        refused(cuModuleLoadData(&module, data));
        if (i % 8 == 0)
            refused(cuLibraryLoadData(&library, data, NULL, NULL, 0, NULL, NULL, 0));
    }
}

static void in_files(void)
{
    CUmodule module = NULL;
    for (unsigned i = 0; i < ROUNDS / 8; i++) {
        memcpy(damaged, image, size);
        size_t length = i % 13 < 12 ? damage(i % 13) : size + 1 + below(4096);
        if (length == 0 || (length == size && memcmp(damaged, image, length) == 0))
            continue;
        FILE *file = fopen(path, "wb");
        CHECK(file != NULL && fwrite(damaged, 1, length, file) == length);
        if (file != NULL)
            fclose(file);
        refused(cuModuleLoad(&module, path));
    }
    unlink(path);
}

int main(int argc, char **argv)
{
    CUcontext context = NULL;
    CUmodule module = NULL;
    const char *seed = getenv("SEAL_SEED");
    FILE *file = fopen(argv[1], "rb");
    size = file != NULL ? fread(image, 1, sizeof image, file) : 0;
    fclose(file);
    dice = seed != NULL ? strtoull(seed, NULL, 0) : (uint64_t)time(NULL);
    printf("SEAL_SEED=%llu\n", (unsigned long long)dice);
    snprintf(path, sizeof path, "/tmp/hostcuda_seal_%d", (int)getpid());
    char *map = mmap(NULL, 2 * ROOM, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    end = map + ROOM;
    CHECK(map != MAP_FAILED && mprotect(end, ROOM, PROT_NONE) == 0);
    OK(cuInit(0));
    OK(cuCtxCreate_v2(&context, 0, 0));
    EXPECT(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&module, end));
    in_memory();
    in_files();
    OK(cuModuleLoadData(&module, memcpy(end - size, image, size)));
    OK(cuCtxDestroy_v2(context));
    return report();
}
