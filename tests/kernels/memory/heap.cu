/* malloc and free in device code: a linked list in each thread.

   let    n = 100
   in     x = ints(0, 20, n)
   out    y = empty(n, i4)
   call   lists(x, y, n)
   expect y = x * (x - 1) // 2 * 3
*/
struct node {
    int value;
    node *next;
};

extern "C" __global__ void lists(const int *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    node *head = nullptr;
    for (int k = 0; k < x[i]; k++) {
        node *p = (node *)malloc(sizeof(node));
        if (!p)
            break;
        p->value = k * 3;
        p->next = head;
        head = p;
    }
    int sum = 0;
    while (head) {
        node *next = head->next;
        sum += head->value;
        free(head);
        head = next;
    }
    y[i] = sum;
}
