/* -- cfg.c: blocks, dominators and loops of one scalar function -- */
#ifndef HOSTCC_CFG_H
#define HOSTCC_CFG_H

#include "hostcc/ir/map.h"

typedef struct {
    cc_block ref;
    cc_value terminator;
    unsigned nsucc, succ[2]; /* node numbers */
    unsigned npred, *pred;
    unsigned idom, ipdom; /* nearest (post-)dominator; ipdom n: the virtual exit */
    int loop;             /* innermost loop, or -1 */
    unsigned
        reconvergence;   /* where threads that diverge at its branch have reconverged */
    bool varying_branch; /* its threads may take different branches */
    bool join;           /* threads that a varying branch made diverge may meet here */
    bool divergent;      /* part of a vector: between a varying branch and its ipdom */
} cc_node;

typedef struct {
    unsigned header, latch;
    int parent;
    bool divergent; /* threads may leave it in different iterations */
    bool yields;    /* its end may depend on other threads: they must run meanwhile */
} cc_loop;

/* Nodes stand in reverse post-order: a node's dominators come before it. */
typedef struct {
    cc_value function;
    unsigned n;
    cc_node *node;
    unsigned nloops;
    cc_loop *loop;
    struct cc_map *numbers; /* block -> node */
} cc_cfg;

/* Needs a function in the form that cc_canonical gives: two-way branches, no
   irreducible cycles, every loop with one latch. */
cc_cfg *cc_cfg_build(cc_value function);
unsigned cc_cfg_node(const cc_cfg *, cc_block);
bool cc_dominates(const cc_cfg *, unsigned a, unsigned b);
bool cc_loop_contains(const cc_cfg *, int loop, unsigned node);
bool cc_loop_computes(const cc_cfg *, int loop, cc_value); /* an instruction in it */
/* The outermost loop around `node` that does not contain `stop`, or -1. */
int cc_loop_left(const cc_cfg *, unsigned node, unsigned stop);
/* The node after both ways of a branch, if each is one block that only the branch leads
   to, or none; else n. */
unsigned cc_join_of_arms(const cc_cfg *, unsigned node);
/* Marks in `in` the nodes reachable from `from` without passing through `stop`. */
void cc_cfg_reach(const cc_cfg *, unsigned from, unsigned stop, bool *in);
/* The first post-dominator of `from` outside loop `outside` (-1: anywhere) that all
   threads leaving `from` reach before any of them starts another iteration of a loop
   around both. */
unsigned cc_cfg_reconvergence(const cc_cfg *, unsigned from, int outside);

/* Brings all functions into that form. */
void cc_canonical(cc_unit *);

#endif
