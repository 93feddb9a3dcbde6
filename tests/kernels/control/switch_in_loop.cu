/* A small machine: a switch inside a loop, with break for the switch, continue and return for the
   loop. Each thread runs another program.

   let    n = 256
   in     program = ints(0, 6, (n, 16), u1)
   out    y = empty(n, i4)
   def    f(code):
              a, steps = 1, 0
              for op in code:
                  if op == 0: a += 3
                  elif op == 1: a *= 2
                  elif op == 2: continue
                  elif op == 3: a -= 5
                  elif op == 4:
                      if a < 0: a = -a
                  elif op == 5 and a > 40: return a * 100 + steps
                  steps += 1
              return a * 100 + 99
   call   machine(program, y, n)
   expect y = [f(p.tolist()) for p in program]
*/
extern "C" __global__ void machine(const unsigned char *program, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int a = 1, steps = 0;
    for (int pc = 0; pc < 16; pc++) {
        switch (program[16 * i + pc]) {
        case 0:
            a += 3;
            break;
        case 1:
            a *= 2;
            break;
        case 2:
            continue;
        case 3:
            a -= 5;
            break;
        case 4:
            if (a < 0)
                a = -a;
            break;
        case 5:
            if (a > 40) {
                y[i] = a * 100 + steps;
                return;
            }
        }
        steps++;
    }
    y[i] = a * 100 + 99;
}
