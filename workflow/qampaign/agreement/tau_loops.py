"""A compiled loop over draws of two rankings. Importing this module loads numba."""

import numpy as np
from numba import njit

from qampaign.ranking import SAME


@njit(cache=True, nogil=True)
def shrunk_taus(one, two, drawn_one, drawn_two, run_weights, least, taus):  # type: ignore[no-untyped-def]
    """Kendall's tau of scores that are shrunk towards each other as far as they are noise.

    `one` and `two` are scores by run, `drawn_one` and `drawn_two` by draw and run (NaN: none);
    :mod:`qampaign.agreement.tau_interval` says what becomes of them. In units in which noise has
    the variance 1 in every direction, M is the covariance of the scores and λ its eigenvalues.
    Scores keep 1 − 1/λ of their size in the direction of each, noise the root of that.
    """
    draws, runs = drawn_one.shape
    noise_one, noise_two = np.empty((draws, runs)), np.empty((draws, runs))
    mean_one, mean_two, number = np.zeros(runs), np.zeros(runs), np.zeros(runs)
    for draw in range(draws):
        for run in range(runs):
            if not np.isnan(drawn_one[draw, run] + drawn_two[draw, run]):
                mean_one[run] += drawn_one[draw, run]
                mean_two[run] += drawn_two[draw, run]
                number[run] += 1
    a, b, c, freedom = 0.0, 0.0, 0.0, 0
    for draw in range(draws):
        x, y, there = 0.0, 0.0, 0
        for run in range(runs):
            noise_one[draw, run] = drawn_one[draw, run] - mean_one[run] / max(number[run], 1.0)
            noise_two[draw, run] = drawn_two[draw, run] - mean_two[run] / max(number[run], 1.0)
            if not np.isnan(noise_one[draw, run] + noise_two[draw, run]):
                x += noise_one[draw, run]
                y += noise_two[draw, run]
                there += 1
        freedom += max(there - 1, 0)
        for run in range(runs):
            # what all runs have in common changes no order
            noise_one[draw, run] -= x / max(there, 1)
            noise_two[draw, run] -= y / max(there, 1)
            u, v = noise_one[draw, run], noise_two[draw, run]
            if not np.isnan(u + v):
                a += u * u
                b += u * v
                c += v * v
    freedom = max(freedom, 1)
    scale_one = np.sqrt(a / freedom) if a > 0 else 1.0
    scale_two = np.sqrt(c / freedom) if c > 0 else 1.0
    # the triangular root of the noise's covariance, which may be that of one measure twice
    tiny = 1e-9
    first = np.sqrt((a > 0) + tiny)
    shared = b / freedom / scale_one / scale_two / first
    second = np.sqrt(max((c > 0) + tiny - shared * shared, tiny))
    p, q = np.empty(runs), np.empty(runs)
    for run in range(runs):
        p[run] = one[run] / scale_one / first
        q[run] = (two[run] / scale_two - shared * p[run]) / second
    s, t = np.empty(runs), np.empty(runs)
    for draw in range(draws):
        total, x, y = 0.0, 0.0, 0.0
        for run in range(runs):
            weight = run_weights[draw, run]
            total += weight
            x += weight * p[run]
            y += weight * q[run]
        x /= total
        y /= total
        a, b, c = 0.0, 0.0, 0.0
        for run in range(runs):
            weight = run_weights[draw, run] / total * runs / (runs - 1)
            a += weight * (p[run] - x) ** 2
            b += weight * (p[run] - x) * (q[run] - y)
            c += weight * (q[run] - y) ** 2
        half = np.sqrt(((a - c) / 2) ** 2 + b * b)
        cosine, sine = ((a - c) / 2 / half, b / half) if half > 0 else (1.0, 0.0)
        high = 1 - 1 / max((a + c) / 2 + half, 1 + least)
        low = 1 - 1 / max((a + c) / 2 - half, 1 + least)
        mean, gap = (high + low) / 2, (high - low) / 2
        noise_mean = (np.sqrt(high) + np.sqrt(low)) / 2
        noise_gap = (np.sqrt(high) - np.sqrt(low)) / 2
        for run in range(runs):
            u = noise_one[draw, run] / scale_one / first
            v = (noise_two[draw, run] / scale_two - shared * u) / second
            s[run] = (
                (mean + gap * cosine) * p[run]
                + gap * sine * q[run]
                + (noise_mean + noise_gap * cosine) * u
                + noise_gap * sine * v
            )
            rest = (
                gap * sine * p[run]
                + (mean - gap * cosine) * q[run]
                + noise_gap * sine * u
                + (noise_mean - noise_gap * cosine) * v
            )
            t[run] = shared * s[run] + second * rest
        taus[draw] = _tau(s, t, drawn_one[draw], drawn_two[draw])


@njit(cache=True, nogil=True)
def _tau(s, t, as_drawn, as_drawn_too):  # type: ignore[no-untyped-def]
    """Kendall's tau of two rankings; runs without a score, which are moved out, do not count.

    Two runs that tie in scores as they were drawn have the same evidence: they tie here, too.
    """
    x, y = np.empty_like(s), np.empty_like(t)
    runs = 0
    for run in range(len(s)):
        s[runs], t[runs], x[runs], y[runs] = s[run], t[run], as_drawn[run], as_drawn_too[run]
        runs += not np.isnan(s[run] + t[run])
    agreed = np.int64(0)
    for i in range(runs):
        for j in range(i):
            u, v = s[i] - s[j], t[i] - t[j]
            apart = (np.abs(x[i] - x[j]) > SAME) & (np.abs(y[i] - y[j]) > SAME)
            same = (u > SAME) & (v > SAME) | (u < -SAME) & (v < -SAME)
            reverse = (u > SAME) & (v < -SAME) | (u < -SAME) & (v > SAME)
            agreed += np.int64(apart & same) - np.int64(apart & reverse)
    return agreed / (runs * (runs - 1) / 2) if runs > 1 else np.nan
