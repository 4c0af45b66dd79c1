import { monotonicMs } from './monotonic.js';

/** Asks at most once in this time, for any number of callers. Earlier callers get the last answer, or the one under way. */
export function atMostEvery<T>(ms: number, ask: () => Promise<T>, nowMs: () => number = monotonicMs): () => Promise<T> {
  let askedMs = Number.NEGATIVE_INFINITY;
  let answer: Promise<T> | undefined;
  let isUnderWay = false;
  return () => {
    if (answer !== undefined && (isUnderWay || nowMs() - askedMs < ms)) return answer;
    askedMs = nowMs();
    isUnderWay = true;
    answer = ask().finally(() => (isUnderWay = false));
    return answer;
  };
}
