/* The control-flow graph of one scalar function as arrays: reverse post-order,
   dominators and post-dominators (Cooper, Harvey, Kennedy: A Simple, Fast Dominance
   Algorithm), natural loops. LLVM has all of this, but not behind its C interface. The
   graph owns nothing of the function and is void as soon as the function's blocks
   change. */
#include "hostcc/ir/cfg.h"

#include <stdlib.h>

/* -- Order -- */

/* Reverse post-order without recursion: chains may be thousands of blocks long. */
static void number_blocks(cc_cfg *g)
{
    unsigned total = LLVMCountBasicBlocks(g->function), depth = 0, post = total;
    struct {
        cc_block b;
        unsigned next;
    } *stack = cc_alloc(total * sizeof *stack);
    cc_block *order = cc_alloc(total * sizeof *order);
    cc_map *seen = cc_map_new();

    stack[depth++].b = LLVMGetEntryBasicBlock(g->function);
    cc_map_put(seen, stack[0].b, 0);
    while (depth) {
        cc_value t = LLVMGetBasicBlockTerminator(stack[depth - 1].b);
        unsigned successors = LLVMGetNumSuccessors(t);
        if (stack[depth - 1].next < successors) {
            /* The last successor first, so that the first comes first in the result. */
            unsigned k = successors - 1 - stack[depth - 1].next++;
            cc_block s = LLVMGetSuccessor(t, k);
            if (cc_map_get(seen, s) < 0) {
                cc_map_put(seen, s, 0);
                stack[depth].b = s;
                stack[depth++].next = 0;
            }
        } else {
            order[--post] = stack[--depth].b;
        }
    }
    g->n = total - post;
    g->node = cc_alloc((g->n + 1) * sizeof *g->node);
    g->numbers = cc_map_new();
    for (unsigned i = 0; i < g->n; i++) {
        g->node[i].ref = order[post + i];
        cc_map_put(g->numbers, order[post + i], i);
    }
}

static void link_nodes(cc_cfg *g)
{
    for (unsigned i = 0; i < g->n; i++) {
        cc_node *node = &g->node[i];
        node->terminator = LLVMGetBasicBlockTerminator(node->ref);
        if (!LLVMIsABranchInst(node->terminator) &&
            !LLVMIsAReturnInst(node->terminator) &&
            !LLVMIsAUnreachableInst(node->terminator))
            cc_refuse("'%s' jumps where only a run can tell: %s", cc_name(g->function),
                      LLVMPrintValueToString(node->terminator));
        node->nsucc = LLVMGetNumSuccessors(node->terminator);
        for (unsigned k = 0; k < node->nsucc; k++) {
            node->succ[k] = cc_cfg_node(g, LLVMGetSuccessor(node->terminator, k));
            g->node[node->succ[k]].npred++;
        }
    }
    for (unsigned i = 0; i < g->n; i++) {
        g->node[i].pred = cc_alloc((g->node[i].npred + 1) * sizeof(unsigned));
        g->node[i].npred = 0;
    }
    for (unsigned i = 0; i < g->n; i++)
        for (unsigned k = 0; k < g->node[i].nsucc; k++) {
            cc_node *s = &g->node[g->node[i].succ[k]];
            s->pred[s->npred++] = i;
        }
}

unsigned cc_cfg_node(const cc_cfg *g, cc_block b)
{
    return (unsigned)cc_map_get(g->numbers, b);
}

/* -- Dominators -- */

#define NO_NODE (~0u)

static void dominators(cc_cfg *g)
{
    for (unsigned i = 0; i < g->n; i++)
        g->node[i].idom = i ? NO_NODE : 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned i = 1; i < g->n; i++) {
            unsigned best = NO_NODE;
            for (unsigned k = 0; k < g->node[i].npred; k++) {
                unsigned a = g->node[i].pred[k], b = best;
                if (g->node[a].idom == NO_NODE)
                    continue;
                while (b != NO_NODE && a != b) {
                    if (a > b)
                        a = g->node[a].idom;
                    else
                        b = g->node[b].idom;
                }
                best = a;
            }
            changed |= best != g->node[i].idom;
            g->node[i].idom = best;
        }
    }
}

/* Post-order numbers of the reversed graph; the virtual exit (node n) comes last.
   Blocks of endless loops do not reach the exit: they count as leading to it. */
static unsigned reverse_order(const cc_cfg *g, unsigned *order, unsigned *number)
{
    unsigned depth = 0, post = 0;
    unsigned *stack = cc_alloc((g->n + 1) * sizeof *stack);
    unsigned *next = cc_alloc((g->n + 1) * sizeof *next);
    for (unsigned i = 0; i <= g->n; i++)
        number[i] = NO_NODE;
    for (int root = (int)g->n - 1; root >= 0; root--) {
        bool is_exit = g->node[root].nsucc == 0;
        if (!is_exit || number[root] != NO_NODE)
            continue;
        number[root] = 0;
        stack[depth++] = (unsigned)root;
        while (depth) {
            unsigned top = stack[depth - 1];
            if (next[top] < g->node[top].npred) {
                unsigned p = g->node[top].pred[next[top]++];
                if (number[p] == NO_NODE) {
                    number[p] = 0;
                    stack[depth++] = p;
                }
            } else {
                number[top] = post;
                order[post++] = top;
                depth--;
            }
        }
    }
    number[g->n] = g->n + 1; /* above all */
    return post;
}

static void postdominators(cc_cfg *g)
{
    unsigned *order = cc_alloc((g->n + 1) * sizeof *order);
    unsigned *number = cc_alloc((g->n + 1) * sizeof *number);
    unsigned reached = reverse_order(g, order, number);

    for (unsigned i = 0; i < g->n; i++)
        g->node[i].ipdom = number[i] == NO_NODE ? g->n : NO_NODE;
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned o = reached; o-- > 0;) {
            cc_node *node = &g->node[order[o]];
            unsigned best = node->nsucc ? NO_NODE : g->n;
            for (unsigned k = 0; k < node->nsucc; k++) {
                unsigned a = node->succ[k], b = best;
                if (g->node[a].ipdom == NO_NODE)
                    continue;
                while (b != NO_NODE && a != b) {
                    if (number[a] == NO_NODE || number[b] == NO_NODE)
                        a = b = g->n;
                    else if (number[a] < number[b])
                        a = g->node[a].ipdom;
                    else
                        b = g->node[b].ipdom;
                }
                best = a;
            }
            changed |= best != node->ipdom;
            node->ipdom = best;
        }
    }
}

bool cc_dominates(const cc_cfg *g, unsigned a, unsigned b)
{
    while (b > a)
        b = g->node[b].idom;
    return a == b;
}

/* -- Loops -- */

/* Headers in reverse post-order: an outer loop is found before the loops inside it, so
   the last loop written into a node is the innermost. */
static void loops(cc_cfg *g)
{
    unsigned *stack =
        cc_alloc((2 * g->n + 2) * sizeof *stack); /* an entry an edge at most */
    for (unsigned i = 0; i < g->n; i++)
        g->node[i].loop = -1;
    g->loop = cc_alloc((g->n + 1) * sizeof *g->loop);
    for (unsigned h = 0; h < g->n; h++)
        for (unsigned k = 0; k < g->node[h].npred; k++) {
            unsigned latch = g->node[h].pred[k], depth = 0;
            if (latch < h)
                continue;
            if (!cc_dominates(g, h, latch))
                cc_refuse("irreducible control flow in '%s'", cc_name(g->function));
            int id = (int)g->nloops++;
            cc_loop *loop = &g->loop[id];
            loop->header = h;
            loop->latch = latch;
            loop->parent = g->node[h].loop;
            g->node[h].loop = id;
            if (latch != h)
                stack[depth++] = latch;
            while (depth) {
                unsigned node = stack[--depth];
                if (g->node[node].loop == id)
                    continue;
                g->node[node].loop = id;
                for (unsigned p = 0; p < g->node[node].npred; p++)
                    stack[depth++] = g->node[node].pred[p];
            }
        }
}

bool cc_loop_contains(const cc_cfg *g, int loop, unsigned node)
{
    if (node >= g->n)
        return false;
    for (int l = g->node[node].loop; l >= 0; l = g->loop[l].parent)
        if (l == loop)
            return true;
    return false;
}

bool cc_loop_computes(const cc_cfg *g, int loop, cc_value v)
{
    return LLVMIsAInstruction(v) &&
           cc_loop_contains(g, loop, cc_cfg_node(g, LLVMGetInstructionParent(v)));
}

int cc_loop_left(const cc_cfg *g, unsigned node, unsigned stop)
{
    int left = -1;
    for (int l = g->node[node].loop; l >= 0; l = g->loop[l].parent)
        if (!cc_loop_contains(g, l, stop))
            left = l;
    return left;
}

void cc_cfg_reach(const cc_cfg *g, unsigned from, unsigned stop, bool *in)
{
    unsigned depth = 0, *stack = cc_alloc((g->n + 1) * sizeof *stack);
    if (from != stop && !in[from]) {
        in[from] = true;
        stack[depth++] = from;
    }
    while (depth) {
        const cc_node *node = &g->node[stack[--depth]];
        for (unsigned k = 0; k < node->nsucc; k++)
            if (node->succ[k] != stop && !in[node->succ[k]]) {
                in[node->succ[k]] = true;
                stack[depth++] = node->succ[k];
            }
    }
}

/* Whether threads that leave `from` can reach the header of `loop` before `stop`. */
static bool comes_round(const cc_cfg *g, unsigned from, unsigned stop, int loop)
{
    bool *in = cc_alloc(g->n + 1);
    for (unsigned k = 0; k < g->node[from].nsucc; k++)
        cc_cfg_reach(g, g->node[from].succ[k], stop, in);
    return in[g->loop[loop].header];
}

unsigned cc_cfg_reconvergence(const cc_cfg *g, unsigned from, int outside)
{
    unsigned stop = g->node[from].ipdom;
    while (outside >= 0 && cc_loop_contains(g, outside, stop))
        stop = g->node[stop].ipdom;
    for (int l = g->node[from].loop; l >= 0; l = g->loop[l].parent)
        if (cc_loop_contains(g, l, stop) && comes_round(g, from, stop, l))
            while (cc_loop_contains(g, l, stop))
                stop = g->node[stop].ipdom;
    return stop;
}

cc_cfg *cc_cfg_build(cc_value function)
{
    cc_cfg *g = cc_alloc(sizeof *g);
    g->function = function;
    number_blocks(g);
    link_nodes(g);
    dominators(g);
    postdominators(g);
    loops(g);
    for (unsigned i = 0; i < g->n; i++)
        g->node[i].reconvergence =
            g->node[i].nsucc > 1 ? cc_cfg_reconvergence(g, i, -1) : g->node[i].ipdom;
    return g;
}

void cc_canonical(cc_unit *u)
{
    cc_passes(u, "function(lower-switch,fix-irreducible,loop-simplify,lcssa)");
}

unsigned cc_join_of_arms(const cc_cfg *g, unsigned at)
{
    const cc_node *node = &g->node[at];
    unsigned to[2];
    for (unsigned k = 0; k < 2 && node->nsucc == 2; k++) {
        const cc_node *arm = &g->node[node->succ[k]];
        bool is_arm = arm->npred == 1 && arm->nsucc == 1 && arm->loop == node->loop;
        to[k] = is_arm ? arm->succ[0] : node->succ[k];
    }
    bool joins = node->nsucc == 2 && to[0] == to[1] && to[0] > at;
    return joins && g->node[to[0]].loop == node->loop ? to[0] : g->n;
}
