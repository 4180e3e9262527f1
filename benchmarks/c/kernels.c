/* The inner loops of three solvers in C, for the benchmark alone: what the same arithmetic takes on the same processor.
   Arrays are those of the Python side (compiled.py, subset_values.py, simultaneous.py), row by row. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { OPTIONS, BUST, WIPE, LANES = 8 };
typedef double eight __attribute__((vector_size(64), aligned(8)));
typedef int64_t truth __attribute__((vector_size(64)));

static inline eight where(truth c, eight x, eight y) { return (eight)((c & (truth)x) | (~c & (truth)y)); }

/* As _kernel of lanes.py, the first roll alone: worth and slope of `count` turns, a multiple of LANES. */
void lanes(int64_t modes, const int64_t *row_start, const double *sums, const double *weight, const int64_t *kind,
           const int64_t *option_start, const int64_t *ahead, int64_t beyond, int64_t count, const double *bank,
           const int64_t *need, const double *bust, const double *wipe, double *worths, double *slopes) {
    int64_t width = modes + 1, most = 0;
    for (int64_t i = 0; i < count; i++) most = need[i] > most ? need[i] : most;
    double *V = malloc((most + beyond) * width * LANES * sizeof *V), *S = malloc((most + beyond) * width * LANES * sizeof *S);
    const eight zero = {0}, one = zero + 1.0;
    for (int64_t first = 0; first < count; first += LANES) {
        int64_t totals = 0;
        for (int i = 0; i < LANES; i++) totals = need[first + i] > totals ? need[first + i] : totals;
        eight busted = *(const eight *)(bust + first), wiped = *(const eight *)(wipe + first), worth = zero, slope = zero;
        for (int64_t p = totals * width; p < (totals + beyond) * width; p++) {
            *(eight *)(V + p * LANES) = one;
            *(eight *)(S + p * LANES) = zero;
        }
        for (int64_t t = totals - 1; t >= 0; t--) {
            double *v = V + t * width * LANES, *s = S + t * width * LANES;
            eight banked = *(const eight *)(bank + t * count + first);
            *(eight *)v = banked;
            *(eight *)s = zero;
            for (int64_t m = 0; m < modes; m++) {
                worth = slope = zero;
                for (int64_t o = row_start[m]; o < row_start[m + 1]; o++) {
                    int64_t k = option_start[o];
                    if (kind[o] == BUST) worth += weight[o] * busted, slope += weight[o];
                    else if (kind[o] == WIPE) worth += weight[o] * wiped;
                    else {
                        eight best = *(eight *)(v + ahead[k]), its = *(eight *)(s + ahead[k]);
                        for (int64_t n = k + 1; n < option_start[o + 1]; n++) {
                            eight value = *(eight *)(v + ahead[n]);
                            truth better = value > best;
                            best = where(better, value, best);
                            its = where(better, *(eight *)(s + ahead[n]), its);
                        }
                        worth += weight[o] * best;
                        slope += weight[o] * its;
                    }
                }
                worth /= sums[m];
                slope /= sums[m];
                truth on = worth > banked;
                *(eight *)(v + (m + 1) * LANES) = where(on, worth, banked);
                *(eight *)(s + (m + 1) * LANES) = where(on, slope, zero);
                if (t == 0 && m == 0) {
                    *(eight *)(worths + first) = worth;
                    *(eight *)(slopes + first) = slope;
                }
            }
        }
    }
    free(V);
    free(S);
}

/* As subset_values: M by bit mask; gains by (slot, roll), rolls a multiple of LANES with probability 0 to fill up. */
void subsets(int64_t slots, int64_t rolls, const double *probability, const double *gains, double *values) {
    values[0] = 0.0;
    for (int64_t set = 1; set < (int64_t)1 << slots; set++) {
        eight sum = {0};
        for (int64_t x = 0; x < rolls; x += LANES) {
            eight top = (eight){0} - INFINITY;
            for (int64_t left = set; left; left &= left - 1) {
                int64_t slot = __builtin_ctzll(left);
                eight worth = *(const eight *)(gains + slot * rolls + x) + values[set ^ ((int64_t)1 << slot)];
                top = where(worth > top, worth, top);
            }
            sum += *(const eight *)(probability + x) * top;
        }
        double mean = 0.0;
        for (int i = 0; i < LANES; i++) mean += sum[i];
        values[set] = mean;
    }
}

/* The sums of simultaneous.py before each matrix game: M[k][other] from expected[other][a + i][b], for all pairs. */
void sums(int64_t dice, int64_t reach, int64_t target, int64_t size, const double *q, const double *expected, double *M) {
    for (int64_t a = 0; a < target; a++)
        for (int64_t b = 0; b <= a; b++)
            for (int64_t other = 0; other < dice; other++)
                for (int64_t k = 0; k < dice; k++) {
                    double total = 0.0;
                    for (int64_t i = 1; i < reach; i++)
                        total += q[k * reach + i] * expected[(other * size + b) * size + a + i];
                    M[k * dice + other] = total;
                }
}
