/* Running results of an operation along an axis. What lies along the axis is a line: of
   an array of shape (rows, n, columns) there are rows * columns of them. Operations are
   associative and commutative; elements are grouped as shapes say, in float where they
   are of 16 bits.

   `scan_columns` is for lines side by side: a thread goes along one, or along every
   sharing-th stretch of one. `scan_rows` is for lines whose elements are side by side:
   lanes share 32 of them. Where lines are few they are cut into segments, whose totals
   another launch has found before. */
#ifndef PYCUDA_ACCUMULATE_CUH
#define PYCUDA_ACCUMULATE_CUH

#include "elementwise.cuh"
#include "scan.cuh"

namespace pycuda
{

/* The launcher has it, too. Distances are in bytes, of results and of elements. */
struct scan_lines {
    long long n, columns, lines;           /* lines: rows * columns */
    long long step[2], across[2], down[2]; /* along a line, to the next column, row */
    long long each;   /* elements of a segment: of a multiple of what a block takes at
                         once, or all */
    unsigned width;   /* columns: lines of a block; rows: lanes of a warp that share a
                         short line, else 0; a power of 2 on a GPU */
    unsigned sharing; /* threads of columns, or warps of rows, that share a line */
    unsigned height;  /* on the host: lines of a block of rows */
};

/* One line of results and elements, from element `first` on. */
template <class C, class T, class U, bool is_dense> struct scan_line {
    char *z;
    const char *a;

    PYCUDA_DEVICE scan_line(out<T, C> z, in<U, C> a)
        : z((char *)z.p), a((const char *)a.p)
    {
    }
    PYCUDA_DEVICE void move(const long long *distance, long long by)
    {
        z += by * distance[0];
        a += by * distance[1];
    }
    /* Elements `by` places on, which are side by side if is_dense. */
    PYCUDA_DEVICE C load(const long long *distance, long long by) const
    {
        return convert<C>(is_dense ? ((const U *)a)[by]
                                   : *(const U *)(a + by * distance[1]));
    }
    PYCUDA_DEVICE void store(const long long *distance, long long by, C x) const
    {
        *(is_dense ? (T *)z + by : (T *)(z + by * distance[0])) = convert<T>(x);
    }
};

/* To the line of that number; they are numbered row by row. */
template <class Line>
PYCUDA_DEVICE void move_to_line(const scan_lines &how, Line &line,
                                unsigned long long number)
{
    unsigned long long row = how.lines == how.columns ? 0 : number / how.columns;
    line.move(how.across, number - row * how.columns);
    line.move(how.down, row);
}

/* A result so far; of nothing at first. */
template <class Op, class C> struct running {
    C all;
    bool has;

    PYCUDA_DEVICE running() : has(false) { memset((void *)&all, 0, sizeof all); }
    PYCUDA_DEVICE void add(C next)
    {
        all = has ? Op::of(all, next) : next;
        has = true;
    }
    template <int V> PYCUDA_DEVICE void put_before(C (&x)[V]) const
    {
        if (has)
#pragma unroll
            for (int r = 0; r < V; r++)
                x[r] = Op::of(all, x[r]);
    }
};

/* What a warp's first `count` lanes have, folded, for all of them; count > 0. */
template <class Op, class C> PYCUDA_DEVICE C fold_lanes(C x, unsigned count)
{
    return shuffle<lane_at>(scan_warp<Op>(x), count - 1);
}

/* Folds the totals of segments of a line up to number `count`; for one warp. */
template <class Op, class C>
PYCUDA_DEVICE running<Op, C> fold_segments(const C *totals, long long lines,
                                           unsigned count)
{
    running<Op, C> mine, all;
    unsigned lane = threadIdx.x % 32;
    for (unsigned k = lane; k < count; k += 32)
        mine.add(totals[k * lines]);
    if (count)
        all.add(fold_lanes<Op>(mine.all, count < 32 ? count : 32));
    return all;
}

#ifdef PYCUDA_GPU_SHAPE

/* As many elements at once as fill 64 bytes where they are computed. */
template <class C> struct scan_ahead {
    enum { size = sizeof(C), value = size <= 4 ? 16 : size <= 8 ? 8 : 4 };
};
enum { scan_block = 256 };
#define PYCUDA_SCAN_BOUNDS __launch_bounds__(256, 4)

/* What those that share a line have of a tile, in turn. */
template <class Op, class C> struct scan_shares {
    C *memory;                               /* of two turns */
    unsigned turn, sharing, mine, apart, at; /* share k of a line is at + k * apart */

    /* What is before the shares of a tile: `all` is of earlier tiles, and of this one
       afterwards. One barrier, since the next turn's place is another one. count: of
       those that have something. */
    PYCUDA_DEVICE running<Op, C> before(running<Op, C> &all, C total, bool writes,
                                        unsigned count)
    {
        running<Op, C> lead = all;
        if (sharing == 1) {
            all.add(total);
            return lead;
        }
        C *share = memory + turn++ % 2 * scan_block + at;
        if (writes)
            share[mine * apart] = total;
        __syncthreads();
        for (unsigned k = 0; k < count; k++) {
            if (k == mine)
                lead = all;
            all.add(share[k * apart]);
        }
        return lead;
    }
};

template <class C> PYCUDA_DEVICE C *scan_memory()
{
    __shared__ __align__(16) char memory[2 * scan_block * sizeof(C)];
    return (C *)memory;
}

/* -- Columns -- */

/* The line of a thread, which has every sharing-th stretch of it. */
template <class Line>
PYCUDA_DEVICE bool find_column(const scan_lines &how, Line &line,
                               unsigned long long *number, unsigned *other)
{
    *other = threadIdx.x & (how.width - 1);
    *number = (unsigned long long)blockIdx.x * how.width + *other;
    move_to_line(how, line, *number);
    return *number < how.lines;
}

template <class Op, int V, class Line, class C>
PYCUDA_DEVICE void load_column(const scan_lines &how, const Line &line, long long at,
                               int left, C (&x)[V])
{
    Line next = line;
    next.move(how.step, at);
#pragma unroll
    for (int r = 0; r < V; r++, next.move(how.step, 1))
        if (r < left)
            x[r] = next.load(how.step, 0);
#pragma unroll
    for (int r = 1; r < V; r++)
        x[r] = Op::of(x[r - 1], x[r]);
}

template <class Op, bool, class T, class U, class C>
PYCUDA_DEVICE void scan_columns(const scan_lines &how, out<T, C> z, in<U, C> a,
                                const C *totals)
{
    constexpr int V = scan_ahead<C>::value;
    scan_line<C, T, U, false> line(z, a);
    unsigned long long number;
    unsigned other, mine = threadIdx.x / how.width, segment = blockIdx.y;
    bool is_inside = find_column(how, line, &number, &other);
    scan_shares<Op, C> shares = {scan_memory<C>(), 0,    how.sharing, mine,
                                 how.width,        other};
    running<Op, C> all, own;
    if (is_inside)
        for (unsigned k = mine; k < segment; k += how.sharing)
            own.add(totals[k * how.lines + number]);
    if (segment)
        shares.before(all, own.all, true,
                      segment < how.sharing ? segment : how.sharing);
    long long first = segment * how.each,
              end = first + how.each < how.n ? first + how.each : how.n;
    for (long long k = first; k < end; k += V * how.sharing) {
        long long at = k + V * mine, rest = end - at;
        int left = !is_inside || rest < 0 ? 0 : rest < V ? (int)rest : V;
        C x[V] = {};
        load_column<Op>(how, line, at, left, x);
        shares.before(all, x[V - 1], true, how.sharing).put_before(x);
        scan_line<C, T, U, false> next = line;
        next.move(how.step, at);
#pragma unroll
        for (int r = 0; r < V; r++, next.move(how.step, 1))
            if (r < left)
                next.store(how.step, 0, x[r]);
    }
}

/* Of all segments but the last. */
template <class Op, bool, class T, class U, class C>
PYCUDA_DEVICE void total_columns(const scan_lines &how, out<T, C> z, in<U, C> a,
                                 C *totals)
{
    constexpr int V = scan_ahead<C>::value;
    scan_line<C, T, U, false> line(z, a);
    unsigned long long number;
    unsigned other, mine = threadIdx.x / how.width;
    bool is_inside = find_column(how, line, &number, &other);
    scan_shares<Op, C> shares = {scan_memory<C>(), 0,    how.sharing, mine,
                                 how.width,        other};
    running<Op, C> own, all;
    long long first = blockIdx.y * how.each, end = first + how.each;
    for (long long k = first + V * mine; k < end; k += V * how.sharing) {
        C x[V] = {};
        load_column<Op>(how, line, k, is_inside ? V : 0, x);
        own.add(x[V - 1]);
    }
    shares.before(all, own.all, true, how.sharing);
    if (is_inside && mine == 0)
        totals[blockIdx.y * how.lines + number] = all.all;
}

/* -- Rows -- */

/* The line of a warp: a block's if its warps share it, else one of several. */
template <class Line>
PYCUDA_DEVICE long long find_row(const scan_lines &how, Line &line)
{
    unsigned warps = scan_block / 32, warp = threadIdx.x / 32;
    long long number =
        how.sharing > 1 ? blockIdx.x : (long long)blockIdx.x * warps + warp;
    move_to_line(how, line, number);
    return number;
}

/* Of lines not longer than a warp: lanes share one, and a warp has several at once. */
template <class Op, int V, class Line, class C>
PYCUDA_DEVICE void scan_short_rows(const scan_lines &how, Line first, C (&x)[V])
{
    unsigned lane = threadIdx.x % 32, at = lane & (how.width - 1), by = 32 / how.width;
    long long warp = blockIdx.x * (scan_block / 32ll) + threadIdx.x / 32;
    long long number = warp * V * by + lane / how.width;
    long long left = at < how.n ? how.lines - number : 0;
#pragma unroll
    for (int r = 0; r < V; r++)
        if (r * by < left) {
            Line line = first;
            move_to_line(how, line, number + r * by);
            x[r] = line.load(how.step, at);
        }
#pragma unroll
    for (int r = 0; r < V; r++)
        x[r] = scan_warp<Op>(x[r], at);
#pragma unroll
    for (int r = 0; r < V; r++)
        if (r * by < left) {
            Line line = first;
            move_to_line(how, line, number + r * by);
            line.store(how.step, at, x[r]);
        }
}

template <class Op, bool is_dense, class T, class U, class C>
PYCUDA_DEVICE void scan_rows(const scan_lines &how, out<T, C> z, in<U, C> a,
                             const C *totals)
{
    constexpr int V = scan_ahead<C>::value;
    scan_line<C, T, U, is_dense> line(z, a);
    unsigned lane = threadIdx.x % 32, segment = blockIdx.y;
    unsigned mine = how.sharing > 1 ? threadIdx.x / 32 : 0;
    C x[V] = {}, total = {};
    if (how.width) {
        scan_short_rows<Op>(how, line, x);
        return;
    }
    long long number = find_row(how, line);
    if (number >= how.lines) /* of the whole warp, and no other waits for it */
        return;
    scan_shares<Op, C> shares = {scan_memory<C>(), 0, how.sharing, mine, 1, 0};
    running<Op, C> all = fold_segments<Op>(totals + number, how.lines, segment);
    long long first = segment * how.each,
              end = first + how.each < how.n ? first + how.each : how.n;
    for (long long k = first; k < end; k += 32 * V * how.sharing) {
        long long at = k + 32 * V * mine, rest = end - at;
        int left = rest < 0 ? 0 : rest < 32 * V ? (int)rest : 32 * V;
        at += lane;
#pragma unroll
        for (int r = 0; r < V; r++)
            if (32 * r + lane < left)
                x[r] = line.load(how.step, at + 32 * r);
#pragma unroll
        for (int r = 0; r < V; r++)
            if (32 * r < left) {
                C row = scan_warp<Op>(x[r]), last = shuffle<lane_at>(row, 31);
                x[r] = r ? Op::of(total, row) : row;
                total = r ? Op::of(total, last) : last;
            }
        shares.before(all, total, lane == 0, how.sharing).put_before(x);
#pragma unroll
        for (int r = 0; r < V; r++)
            if (32 * r + lane < left)
                line.store(how.step, at + 32 * r, x[r]);
    }
}

template <class Op, bool is_dense, class T, class U, class C>
PYCUDA_DEVICE void total_rows(const scan_lines &how, out<T, C> z, in<U, C> a, C *totals)
{
    constexpr int V = scan_ahead<C>::value;
    scan_line<C, T, U, is_dense> line(z, a);
    unsigned lane = threadIdx.x % 32, mine = how.sharing > 1 ? threadIdx.x / 32 : 0;
    long long number = find_row(how, line);
    if (number >= how.lines)
        return;
    scan_shares<Op, C> shares = {scan_memory<C>(), 0, how.sharing, mine, 1, 0};
    running<Op, C> own, all;
    long long first = blockIdx.y * how.each, end = first + how.each;
    for (long long k = first + 32 * V * mine; k < end; k += 32 * V * how.sharing) {
        C x[V];
#pragma unroll
        for (int r = 0; r < V; r++)
            x[r] = line.load(how.step, k + 32 * r + lane);
#pragma unroll
        for (int by = 1; by < V; by *= 2)
#pragma unroll
            for (int r = 0; r < V; r += 2 * by)
                x[r] = Op::of(x[r], x[r + by]);
        own.add(x[0]);
    }
    shares.before(all, fold_lanes<Op>(own.all, 32), lane == 0, how.sharing);
    if (threadIdx.x % (32 * how.sharing) == 0)
        totals[blockIdx.y * how.lines + number] = all.all;
}

#else

#define PYCUDA_SCAN_BOUNDS

/* A thread has a line, and walks along its segment. */
template <class Op, bool is_dense, class T, class U, class C>
PYCUDA_DEVICE void scan_columns(const scan_lines &how, out<T, C> z, in<U, C> a,
                                const C *totals)
{
    scan_line<C, T, U, is_dense> line(z, a);
    long long blocks = (how.columns + how.width - 1) / how.width;
    long long row = blockIdx.x / blocks;
    long long column = (blockIdx.x - row * blocks) * how.width + threadIdx.x;
    long long first = blockIdx.y * how.each,
              end = first + how.each < how.n ? first + how.each : how.n;
    if (column >= how.columns)
        return;
    line.move(how.down, row);
    line.move(how.step, first);
    C sum = line.load(how.across, column);
    totals += row * how.columns + column;
    for (unsigned k = blockIdx.y; k-- > 0;)
        sum = Op::of(totals[k * how.lines], sum);
    line.store(how.across, column, sum);
    for (long long k = first + 1; k < end; k++) {
        line.move(how.step, 1);
        sum = Op::of(sum, line.load(how.across, column));
        line.store(how.across, column, sum);
    }
}

template <class Op, bool is_dense, class T, class U, class C>
PYCUDA_DEVICE void total_columns(const scan_lines &how, out<T, C> z, in<U, C> a,
                                 C *totals)
{
    scan_line<C, T, U, is_dense> line(z, a);
    long long blocks = (how.columns + how.width - 1) / how.width;
    long long row = blockIdx.x / blocks;
    long long column = (blockIdx.x - row * blocks) * how.width + threadIdx.x;
    if (column >= how.columns)
        return;
    line.move(how.down, row);
    line.move(how.step, blockIdx.y * how.each);
    C sum = line.load(how.across, column);
    for (long long k = 1; k < how.each; k++) {
        line.move(how.step, 1);
        sum = Op::of(sum, line.load(how.across, column));
    }
    totals[blockIdx.y * how.lines + row * how.columns + column] = sum;
}

/* A block is one warp, and has some lines, or one of their segments. */
template <class Op, bool is_dense, class T, class U, class C>
PYCUDA_DEVICE void scan_rows(const scan_lines &how, out<T, C> z, in<U, C> a,
                             const C *totals)
{
    long long number = (long long)blockIdx.x * how.height,
              first = blockIdx.y * how.each;
    long long end = first + how.each < how.n ? first + how.each : how.n;
    for (unsigned h = 0; h < how.height && number < how.lines; h++, number++) {
        scan_line<C, T, U, is_dense> line(z, a);
        move_to_line(how, line, number);
        running<Op, C> all = fold_segments<Op>(totals + number, how.lines, blockIdx.y);
        C lead = all.all;
        bool has = all.has;
        for (long long k = first; k < end; k += 32) {
            bool is_inside = k + threadIdx.x < end;
            C x;
            memset((void *)&x, 0, sizeof x);
            if (is_inside)
                x = line.load(how.step, k + threadIdx.x);
            x = scan_warp<Op>(x);
            if (has)
                x = Op::of(lead, x);
            if (is_inside)
                line.store(how.step, k + threadIdx.x, x);
            lead = shuffle<lane_at>(x, 31);
            has = true;
        }
    }
}

template <class Op, bool is_dense, class T, class U, class C>
PYCUDA_DEVICE void total_rows(const scan_lines &how, out<T, C> z, in<U, C> a, C *totals)
{
    scan_line<C, T, U, is_dense> line(z, a);
    long long number = blockIdx.x;
    move_to_line(how, line, number);
    line.move(how.step, blockIdx.y * how.each);
    C x = line.load(how.step, threadIdx.x);
    for (long long k = 32; k < how.each; k += 32)
        x = Op::of(x, line.load(how.step, k + threadIdx.x));
    x = fold_lanes<Op>(x, 32);
    if (threadIdx.x == 0)
        totals[blockIdx.y * how.lines + number] = x;
}

#endif

} // namespace pycuda

#endif
