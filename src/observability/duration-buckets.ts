/**
 * The upper bounds, in seconds, of every histogram of durations: a percentile from 5 ms to 3 s is never estimated across
 * more than a factor of 2.5, and 0.75, the regulator's benchmark for the mean of an answer, is a bound itself.
 */
export const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10];
