/** The endpoint of a request that met no route. */
export const unserved = 'a path that is not served';

/** `1 record`, `1,204 records`. */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en-GB')} ${noun}${number === 1 ? '' : 's'}`;
}

/** In the two largest units: `41 ms`, `22 min 30 s`, `3 d 4 h`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  let restS = Math.round(ms / 1_000);
  const units: readonly (readonly [string, number])[] = [
    ['d', 86_400],
    ['h', 3_600],
    ['min', 60],
    ['s', 1],
  ];
  const parts = units.flatMap(([unit, seconds]) => {
    const number = Math.floor(restS / seconds);
    restS -= number * seconds;
    return number === 0 ? [] : [`${number} ${unit}`];
  });
  return parts.slice(0, 2).join(' ');
}

/** `2026-11-24 13:58:03Z`: the second, or the millisecond where it is not a whole one. */
export function instant(atMs: number): string {
  if (!(Math.abs(atMs) <= 8.64e15)) return 'an unknown time';
  return new Date(atMs).toISOString().replace('T', ' ').replace('.000', '');
}
