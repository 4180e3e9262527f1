/* Pig's duel with one die, written by hand for this game alone: the values of all positions, pair by pair of points in
   falling order of their sum, each pair until it is still. roll[(a * target + b) * target + t] is what rolling on is
   worth with a points against b and a turn total of t, hold[...] what holding is. */

#include <math.h>
#include <stdint.h>

static double turn(int64_t n, const double *V, int64_t a, int64_t b, double *roll, double *hold) {
    double lost = 1.0 - V[b * n + a];
    for (int64_t t = n - 1 - a; t >= 0; t--) {
        double worth = lost;
        for (int64_t face = 2; face <= 6; face++) {
            int64_t u = t + face;
            worth += a + u >= n ? 1.0 : roll[u] > hold[u] ? roll[u] : hold[u];
        }
        roll[t] = worth / 6;
        hold[t] = t ? 1.0 - V[b * n + a + t] : 0.0;
    }
    return roll[0];
}

/* V[a * target + b], before a turn; returns how many turns were looked at. */
int64_t pig(int64_t n, double change, double *V, double *roll, double *hold) {
    int64_t turns = 0;
    for (int64_t sum = 2 * n - 2; sum >= 0; sum--)
        for (int64_t a = (sum + 1) / 2; a < n && a <= sum; a++) {
            int64_t b = sum - a;
            double moved;
            V[a * n + b] = V[b * n + a] = 0.5;
            do {
                double x = turn(n, V, a, b, roll + (a * n + b) * n, hold + (a * n + b) * n);
                moved = fabs(x - V[a * n + b]);
                V[a * n + b] = x;
                double y = turn(n, V, b, a, roll + (b * n + a) * n, hold + (b * n + a) * n);
                moved = fmax(moved, fabs(y - V[b * n + a]));
                V[b * n + a] = y;
                turns += 2;
            } while (moved > change);
        }
    return turns;
}
