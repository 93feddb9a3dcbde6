/* A list in memory of malloc, one for each thread.

   block  64
   out    y = empty(64, i4)
   call   f(y)
   expect y = arange(64) * (arange(64) + 1) // 2
*/
struct node {
    int value;
    node *next;
};

extern "C" __global__ void f(int *y)
{
    node *head = nullptr;
    for (int k = 0; k <= threadIdx.x; k++) {
        node *n = (node *)malloc(sizeof(node));
        n->value = k;
        n->next = head;
        head = n;
    }
    int sum = 0;
    while (head) {
        node *next = head->next;
        sum += head->value;
        free(head);
        head = next;
    }
    y[threadIdx.x] = sum;
}
