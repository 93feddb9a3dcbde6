/* Blocks hand memory of malloc on: who takes a message frees it, so that the next one may lie there again.

   block  1
   let    grid = 4
   inout  head = zeros(1, u8)
   inout  sum = zeros(1, i4)
   call   f(head, sum)
   expect sum = 4 * 45
*/
struct node {
    int value;
    node *next;
};

extern "C" __global__ void f(unsigned long long *head, int *sum)
{
    for (int k = 0; k < 10; k++) {
        node *n = (node *)malloc(sizeof(node));
        n->value = k;
        unsigned long long top = *(volatile unsigned long long *)head, seen;
        do {
            seen = top;
            n->next = (node *)seen;
            __threadfence();
        } while ((top = atomicCAS(head, seen, (unsigned long long)n)) != seen);
        node *all = (node *)atomicExch(head, 0ull);
        __threadfence();
        while (all) {
            node *next = all->next;
            atomicAdd(sum, all->value);
            free(all);
            all = next;
        }
    }
}
