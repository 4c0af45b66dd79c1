const dayMs = 86_400_000;

// Caches: docs/operate/performance.md has their figure. Entries are small and never go stale; a full cache is emptied, which
// bounds it.
const cacheSize = 8192;
const offsetsByZone = new Map<string, Map<number, number | undefined>>();
const formatters = new Map<string, Intl.DateTimeFormat>();

/**
 * How many milliseconds the zone's clock is ahead of UTC at `ms`. The offset is kept per UTC day: a day that begins and
 * ends with the same offset has it throughout (no zone changes its offset twice in a day), and one that does not is
 * asked each time.
 *
 * @param timeZone an IANA name
 * @throws RangeError when the runtime does not know the zone
 */
export function zoneOffsetMs(ms: number, timeZone: string): number {
  let offsets = offsetsByZone.get(timeZone);
  if (offsets === undefined) {
    offsets = new Map();
    remember(offsetsByZone, timeZone, offsets);
  }
  const day = Math.floor(ms / dayMs);
  let offset = offsets.get(day);
  if (offset === undefined && !offsets.has(day)) {
    const atStart = readOffsetMs(day * dayMs, timeZone);
    offset = atStart === readOffsetMs((day + 1) * dayMs, timeZone) ? atStart : undefined;
    remember(offsets, day, offset);
  }
  return offset ?? readOffsetMs(ms, timeZone);
}

function readOffsetMs(ms: number, timeZone: string): number {
  let formatter = formatters.get(timeZone);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
    remember(formatters, timeZone, formatter);
  }
  // `GMT+01:00`, `GMT-00:44:30`, or a bare `GMT`.
  const [, sign, hours, minutes, seconds = '0'] =
    /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(formatter.format(ms)) ?? [];
  if (sign === undefined) {
    return 0;
  }
  const magnitude = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -magnitude : magnitude;
}

function remember<K, V>(cache: Map<K, V>, key: K, value: V): void {
  if (cache.size >= cacheSize) {
    cache.clear();
  }
  cache.set(key, value);
}
