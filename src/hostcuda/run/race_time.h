/* Time as race checks count it: numbers that only rise, over all launches. What a
   thread does bears the number that its block had then. A number is of one block, so it
   says who did it as well. */
#ifndef HOSTCUDA_RACE_TIME_H
#define HOSTCUDA_RACE_TIME_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    uint32_t launch, block; /* of its launches that look for races; in its grid */
} hd_race_owner;

/* Begins to count, once. False: there is no memory. Under the lock. */
bool hd_race_time_begin(void);
/* Whether the numbers run out, and all that bears one must be forgotten: then they
   start again. Under the lock, when a launch begins. */
bool hd_race_time_again(void);

/* For any thread, without the lock. */

/* The number behind all that are taken. */
uint32_t hd_race_now_unlocked(void);
/* So many in a row; 0: there are none left. */
uint32_t hd_race_take_unlocked(uint32_t n);
/* The number is the block's. */
void hd_race_own_unlocked(uint32_t time, hd_race_owner);
/* Whose it is. False: it was too long ago to tell. */
bool hd_race_owner_unlocked(uint32_t time, hd_race_owner *);
/* The block has done a fence; when some block did that last, perhaps not this one. */
void hd_race_fence_unlocked(hd_race_owner, uint32_t time);
uint32_t hd_race_fenced_unlocked(hd_race_owner);

#endif
