/* A hash table from pointers to numbers: values, blocks and functions have no number of
   their own. Nothing is ever taken out. */
#include "hostcc/ir/map.h"

struct cc_map {
    unsigned used, size; /* size: a power of two */
    const void **keys;
    unsigned *values;
};

static unsigned slot_of(const cc_map *map, const void *key)
{
    uint64_t h = (uint64_t)(uintptr_t)key * 0x9e3779b97f4a7c15u;
    unsigned i = (unsigned)(h >> 40) & (map->size - 1);
    while (map->keys[i] && map->keys[i] != key)
        i = (i + 1) & (map->size - 1);
    return i;
}

static void resize(cc_map *map, unsigned size)
{
    cc_map old = *map;
    map->size = size;
    map->keys = cc_alloc(size * sizeof *map->keys);
    map->values = cc_alloc(size * sizeof *map->values);
    for (unsigned i = 0; i < old.size; i++) {
        if (!old.keys[i])
            continue;
        unsigned to = slot_of(map, old.keys[i]);
        map->keys[to] = old.keys[i];
        map->values[to] = old.values[i];
    }
}

cc_map *cc_map_new(void)
{
    cc_map *map = cc_alloc(sizeof *map);
    resize(map, 64);
    return map;
}

void cc_map_put(cc_map *map, const void *key, unsigned value)
{
    if (2 * (map->used + 1) > map->size)
        resize(map, 2 * map->size);
    unsigned i = slot_of(map, key);
    map->used += !map->keys[i];
    map->keys[i] = key;
    map->values[i] = value;
}

int cc_map_get(const cc_map *map, const void *key)
{
    unsigned i = slot_of(map, key);
    return map->keys[i] ? (int)map->values[i] : -1;
}
