/* Warp functions among the lanes that have met, as CUDA and PTX (shfl.sync, vote.sync,
   match.sync, redux.sync) define them. A shuffle from a lane that takes no part gives
   the caller's own value, where CUDA leaves it undefined. */
#include "warps.h"

uint32_t hd_warp_alike(const hc_exchange *exchange, uint32_t lanes)
{
    uint32_t mask = exchange->mask[__builtin_ctz(lanes)], alike = 0;

    HD_LANES_IN(lanes, lane)
    {
        alike |= (uint32_t)(exchange->mask[lane] == mask) << lane;
    }
    return alike;
}

uint32_t hd_warp_source(uint32_t op, const hc_exchange *exchange, uint32_t lane,
                        bool *inside)
{
    uint32_t argument = exchange->argument[lane] & 31; /* shfl takes five bits of it */
    uint32_t width = exchange->argument[lane] >> 16;
    uint32_t first = width - 1 < 32 ? lane & ~(width - 1) : 0;
    uint32_t last = width - 1 < 32 ? lane | (width - 1) : 31;
    uint32_t source = lane;

    *inside = true;
    switch (op & HC_WARP_OP) {
    case HC_SHUFFLE_INDEX:
        return first | (argument & (last - first));
    case HC_SHUFFLE_UP:
        *inside = lane >= first + argument;
        source = lane - argument;
        break;
    case HC_SHUFFLE_DOWN:
        *inside = lane + argument <= last;
        source = lane + argument;
        break;
    case HC_SHUFFLE_XOR: /* may reach back into an earlier segment, not on */
        *inside = (lane ^ argument) <= last;
        source = lane ^ argument;
        break;
    default:
        *inside = false;
    }
    return *inside ? source : lane;
}

static void shuffle(hc_exchange *exchange, uint32_t op, uint32_t lanes)
{
    HD_LANES_IN(lanes, lane)
    {
        bool inside = true;
        uint32_t source = hd_warp_source(op, exchange, lane, &inside);
        exchange->result[lane] = exchange->value[lanes >> source & 1 ? source : lane];
        exchange->flag[lane] = inside;
    }
}

static uint32_t combine(uint32_t op, uint32_t a, uint32_t b)
{
    switch (op) {
    case HC_REDUCE_ADD:
        return a + b;
    case HC_REDUCE_MIN:
        return (int32_t)a < (int32_t)b ? a : b;
    case HC_REDUCE_MAX:
        return (int32_t)a > (int32_t)b ? a : b;
    case HC_REDUCE_UMIN:
        return a < b ? a : b;
    case HC_REDUCE_UMAX:
        return a > b ? a : b;
    case HC_REDUCE_AND:
        return a & b;
    case HC_REDUCE_OR:
        return a | b;
    default:
        return a ^ b;
    }
}

void hd_warp_operate(hc_exchange *exchange, uint32_t op, uint32_t lanes)
{
    uint32_t common = 0;

    op &= HC_WARP_OP;
    switch (op) {
    case HC_SYNC:
        return;
    case HC_SHUFFLE_INDEX:
    case HC_SHUFFLE_UP:
    case HC_SHUFFLE_DOWN:
    case HC_SHUFFLE_XOR:
        shuffle(exchange, op, lanes);
        return;
    case HC_MATCH_ANY:
        HD_LANES_IN(lanes, lane)
        {
            uint32_t equal = 0;
            HD_LANES_IN(lanes, other)
            {
                if (exchange->value[other] == exchange->value[lane])
                    equal |= UINT32_C(1) << other;
            }
            exchange->result[lane] = equal;
        }
        return;
    case HC_BALLOT:
        HD_LANES_IN(lanes, lane)
        {
            if (exchange->value[lane] != 0)
                common |= UINT32_C(1) << lane;
        }
        break;
    default:
        common = (uint32_t)exchange->value[__builtin_ctz(lanes)];
        HD_LANES_IN(lanes & (lanes - 1), lane)
        {
            common = combine(op, common, (uint32_t)exchange->value[lane]);
        }
    }
    HD_LANES_IN(lanes, lane)
    {
        exchange->result[lane] = common;
    }
}

const char *hd_warp_name(uint32_t op)
{
    static const char *const names[] = {[HC_SYNC] = "__syncwarp",
                                        [HC_BALLOT] = "__ballot_sync",
                                        [HC_SHUFFLE_INDEX] = "__shfl_sync",
                                        [HC_SHUFFLE_UP] = "__shfl_up_sync",
                                        [HC_SHUFFLE_DOWN] = "__shfl_down_sync",
                                        [HC_SHUFFLE_XOR] = "__shfl_xor_sync",
                                        [HC_MATCH_ANY] = "__match_any_sync",
                                        [HC_REDUCE_ADD] = "__reduce_add_sync",
                                        [HC_REDUCE_MIN] = "__reduce_min_sync",
                                        [HC_REDUCE_MAX] = "__reduce_max_sync",
                                        [HC_REDUCE_UMIN] = "__reduce_min_sync",
                                        [HC_REDUCE_UMAX] = "__reduce_max_sync",
                                        [HC_REDUCE_AND] = "__reduce_and_sync",
                                        [HC_REDUCE_OR] = "__reduce_or_sync",
                                        [HC_REDUCE_XOR] = "__reduce_xor_sync"};
    return names[op & HC_WARP_OP];
}
