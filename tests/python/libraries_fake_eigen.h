/* Eigenvalues and right eigenvectors of any matrix for libraries_fake_solver.c: shifted
   QR steps by rotations on the whole matrix, and vectors of the triangle. */

/* a becomes a triangle T, q has a = q T q^H. */
static void make_triangle(number *a, number *q, int64_t n)
{
    for (int64_t i = 0; i < n * n; i++)
        q[i] = i % (n + 1) == 0;
    double all = 0;
    for (int64_t i = 0; i < n * n; i++)
        all += cabs(a[i]);
    int64_t steps = 0;
    for (int64_t end = n - 1; end > 0 && steps < 10000; steps++) {
        double below = 0;
        for (int64_t j = 0; j < end; j++)
            below += cabs(a[end + j * n]);
        if (below <= 1e-16 * all) {
            for (int64_t j = 0; j < end; j++)
                a[end + j * n] = 0;
            end--;
            continue;
        }
        number p = a[end - 1 + (end - 1) * n], s = a[end + end * n];
        number off = a[end - 1 + end * n] * a[end + (end - 1) * n];
        number root = csqrt((p - s) * (p - s) / 4 + off);
        number one = (p + s) / 2 + root, other = (p + s) / 2 - root;
        number shift = cabs(one - s) < cabs(other - s) ? one : other;
        if (steps % 11 == 10) /* now and then another, as LAPACK does */
            shift += below;
        number *turns = malloc(n * n * 2 * sizeof *turns);
        for (int64_t i = 0; i <= end; i++)
            a[i + i * n] -= shift;
        int64_t count = 0;
        for (int64_t j = 0; j < end; j++)
            for (int64_t i = j + 1; i <= end; i++, count++) {
                double length = hypot(cabs(a[j + j * n]), cabs(a[i + j * n]));
                number c = length ? a[j + j * n] / length : 1;
                number t = length ? a[i + j * n] / length : 0;
                turns[2 * count] = c, turns[2 * count + 1] = t;
                for (int64_t k = 0; k < n; k++) {
                    number x = a[j + k * n], y = a[i + k * n];
                    a[j + k * n] = conj(c) * x + conj(t) * y;
                    a[i + k * n] = c * y - t * x;
                }
            }
        count = 0;
        for (int64_t j = 0; j < end; j++)
            for (int64_t i = j + 1; i <= end; i++, count++)
                for (int64_t k = 0; k < 2 * n; k++) {
                    number *m = k < n ? a + k : q + k - n;
                    number c = turns[2 * count], t = turns[2 * count + 1];
                    number x = m[j * n], y = m[i * n];
                    m[j * n] = x * c + y * t;
                    m[i * n] = y * conj(c) - x * conj(t);
                }
        for (int64_t i = 0; i <= end; i++)
            a[i + i * n] += shift;
        free(turns);
    }
}

/* Column k of v: the vector of length one whose largest element is real. */
static void take_vector(const number *t, const number *q, int64_t n, int64_t k,
                        number *v)
{
    number *x = calloc(n, sizeof *x);
    x[k] = 1;
    for (int64_t i = k; i--;) {
        number sum = 0, gap = t[k + k * n] - t[i + i * n];
        for (int64_t j = i + 1; j <= k; j++)
            sum += t[i + j * n] * x[j];
        x[i] = sum / (cabs(gap) > 1e-14 ? gap : 1e-14);
    }
    int64_t best = 0;
    for (int64_t i = 0; i < n; i++) {
        v[i + k * n] = 0;
        for (int64_t j = 0; j <= k; j++)
            v[i + k * n] += q[i + j * n] * x[j];
        best = cabs(v[i + k * n]) > cabs(v[best + k * n]) ? i : best;
    }
    number phase = conj(v[best + k * n]) / cabs(v[best + k * n]);
    double length = sqrt(creal(product(v + k * n, v + k * n, n)));
    for (int64_t i = 0; i < n; i++)
        v[i + k * n] *= phase / length;
    free(x);
}

/* Of real matrices values of a pair follow each other, and real and imaginary parts of
   the vector of the first stand in their columns. */
static void general(work *w)
{
    int64_t n = w->n;
    int is_real = w->type < C_32F;
    number *a = taken(w->a, w->type, n, n, w->lda), *q = malloc(n * n * sizeof *q);
    number *v = malloc(n * n * sizeof *v), *out = calloc(n * n, sizeof *out);
    make_triangle(a, q, n);
    for (int64_t k = 0; k < n; k++)
        take_vector(a, q, n, k, v);
    for (int64_t k = 0, to = 0; k < n; k++) {
        number value = a[k + k * n];
        int is_pair = is_real && fabs(cimag(value)) > 1e-10 * (1 + cabs(value));
        if (is_pair && cimag(value) < 0)
            continue; /* it comes with the other one */
        set(w->values, C_32F + (w->type & 1), to,
            is_real && !is_pair ? creal(value) : value);
        for (int64_t i = 0; i < n; i++)
            out[i + to * n] = is_real ? creal(v[i + k * n]) : v[i + k * n];
        to++;
        if (!is_pair)
            continue;
        set(w->values, C_32F + (w->type & 1), to, conj(value));
        for (int64_t i = 0; i < n; i++)
            out[i + to * n] = cimag(v[i + k * n]);
        to++;
    }
    if (w->vectors)
        give(out, w->c, w->type, n, n, w->ldc);
    memset(w->a, 0xff, sizeof(float));
    free(a), free(q), free(v), free(out);
}

unsigned cusolverDnXgeev_bufferSize(handle *h, params *p, unsigned left, unsigned right,
                                    int64_t n, unsigned type, const void *a,
                                    int64_t lda, unsigned type_values,
                                    const void *values, unsigned type_vl,
                                    const void *vl, int64_t ldvl, unsigned type_vr,
                                    const void *vr, int64_t ldvr, unsigned computes,
                                    size_t *on_device, size_t *on_host)
{
    *on_device = ON_DEVICE;
    *on_host = ON_HOST;
    return fails("cusolverDnXgeev_bufferSize");
}

unsigned cusolverDnXgeev(handle *h, params *p, unsigned left, unsigned right, int64_t n,
                         unsigned type, void *a, int64_t lda, unsigned type_values,
                         void *values, unsigned type_vl, void *vl, int64_t ldvl,
                         unsigned type_vr, void *vr, int64_t ldvr, unsigned computes,
                         void *area, size_t on_device, void *host_area, size_t on_host,
                         int *info)
{
    if (left || right > 1 || !values || (right && (!vr || ldvr < n)) ||
        type_vr != type || type_values != C_32F + (type & 1) ||
        on_device != ON_DEVICE || on_host != ON_HOST || computes != type)
        return INVALID;
    return start("cusolverDnXgeev", h, p,
                 (work){.compute = general,
                        .type = type,
                        .m = n,
                        .n = n,
                        .a = a,
                        .lda = lda,
                        .vectors = right,
                        .values = values,
                        .c = vr,
                        .ldc = ldvr,
                        .area = area,
                        .host_area = host_area,
                        .info = info});
}

unsigned cusolverDnXsyevBatched_bufferSize(handle *h, params *p, unsigned vectors,
                                           unsigned triangle, int64_t n, unsigned type,
                                           const void *a, int64_t lda,
                                           unsigned type_values, const void *values,
                                           unsigned computes, size_t *on_device,
                                           size_t *on_host, int64_t count)
{
    *on_device = ON_DEVICE;
    *on_host = ON_HOST;
    return fails("cusolverDnXsyevBatched_bufferSize");
}

unsigned cusolverDnXsyevBatched(handle *h, params *p, unsigned vectors,
                                unsigned triangle, int64_t n, unsigned type, void *a,
                                int64_t lda, unsigned type_values, void *values,
                                unsigned computes, void *area, size_t on_device,
                                void *host_area, size_t on_host, int *info,
                                int64_t count)
{
    if (triangle > 1 || vectors > 1 || !values || type_values != (type & 1) ||
        on_device != ON_DEVICE || on_host != ON_HOST || computes != type || count < 1)
        return INVALID;
    size_t size = (type & 1 ? 8 : 4), element = size << (type >= C_32F);
    for (int64_t i = 0; i < count; i++) {
        unsigned status = start("cusolverDnXsyevBatched", h, p,
                                (work){.compute = eigen,
                                       .type = type,
                                       .m = n,
                                       .n = n,
                                       .a = (char *)a + i * lda * n * element,
                                       .lda = lda,
                                       .triangle = triangle,
                                       .vectors = vectors,
                                       .values = (char *)values + i * n * size,
                                       .area = area,
                                       .host_area = host_area,
                                       .info = info + i});
        if (status)
            return status;
    }
    return SUCCESS;
}
