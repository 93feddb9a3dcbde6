/* Text: one thread a character turns case, one thread a line counts words.

   let    text = b"The quick brown fox   jumps over the lazy dog. Pack my box with five dozen jugs!"
   let    lines = [text[k % 40:k % 40 + k % 37] for k in range(150)]
   let    n = 150
   in     start = cumsum([0] + [len(s) for s in lines]).astype(i4)
   let    size = sum([len(s) for s in lines])
   in     x = frombuffer(b"".join(lines), u1)
   out    y = empty(size, u1)
   out    words = empty(n, i4)
   call   upper[cdiv(size, threads)](x, y, int(size))
   call   count(x, start, words, n)
   expect y.tobytes() = b"".join(lines).upper()
   expect words = [len(s.split()) for s in lines]
*/
extern "C" __global__ void upper(const char *x, char *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        char c = x[i];
        y[i] = c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
    }
}

extern "C" __global__ void count(const char *x, const int *start, int *words, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    bool inside = false;
    int found = 0;
    for (int k = start[i]; k < start[i + 1]; k++) {
        if (x[k] == ' ')
            inside = false;
        else if (!inside) {
            inside = true;
            found++;
        }
    }
    words[i] = found;
}
