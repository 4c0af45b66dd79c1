/** The name of one run of a process, which all its segments have. */
export type Instance = string;

/** A segment's file, by its name. */
export interface SegmentName {
  /** The name of the closed file without `.ndjson`; the root record names the segment by it. */
  readonly segment: string;
  /** When it was opened. */
  readonly startedAt: Date;
  readonly instance: Instance;
  /** `open`: its process writes it, or died. `closed`: no event follows. `root`: the record with its root. */
  readonly state: 'open' | 'closed' | 'root';
}

const name = /^((\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z\.([a-z0-9-]{1,80}))\.(open\.ndjson|ndjson|root\.json)$/;
const states = { 'open.ndjson': 'open', ndjson: 'closed', 'root.json': 'root' } as const;
const endings = { open: 'open.ndjson', closed: 'ndjson', root: 'root.json' } as const;

/** @param random eight hexadecimal digits that no other run of a process has */
export function instanceName(hostname: string, pid: number, random: string): Instance {
  const host = hostname
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]/g, '-')
    .slice(0, 32);
  return `${host === '' ? 'host' : host}-${pid}-${random}`;
}

/** The name of a segment that is opened now. */
export function segmentOf(startedAt: Date, instance: Instance): string {
  return `${startedAt.toISOString().replaceAll(/[-:.]/g, '')}.${instance}`;
}

/** The UTC day on which a segment was opened, and with it the folder: `2026-11-24`. */
export function dayOf(segment: string): string {
  return `${segment.slice(0, 4)}-${segment.slice(4, 6)}-${segment.slice(6, 8)}`;
}

export function fileOf(segment: string, state: SegmentName['state']): string {
  return `${segment}.${endings[state]}`;
}

/** `undefined` for a file that does not belong to the trail. */
export function parseSegmentFile(file: string): SegmentName | undefined {
  const [, segment, year, month, day, hour, minute, second, ms, instance, ending] = name.exec(file) ?? [];
  if (segment === undefined || instance === undefined || ending === undefined) return undefined;
  const startedAt = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`);
  if (Number.isNaN(startedAt.getTime())) return undefined;
  return { segment, startedAt, instance, state: states[ending as keyof typeof states] };
}

/** Whether a folder of the trail is that of a day. */
export function isDay(folder: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(folder);
}

/** The file in the folder of a trail that keeps the records of a deleted day. */
export function droppedFile(day: string): string {
  return `dropped.${day}.ndjson`;
}

/** The day whose records the file keeps; `undefined` for any other file. */
export function dayOfDroppedFile(file: string): string | undefined {
  return /^dropped\.(\d{4}-\d\d-\d\d)\.ndjson$/.exec(file)?.[1];
}

/** The file in the folder of a trail that keeps the record of lost segments, and their roots. */
export function lostFile(sequence: number): string {
  return `lost.${sequence}.ndjson`;
}

/** Whether the file in the folder of a trail keeps records of segments that are not there any more. */
export function isRecordsFile(file: string): boolean {
  return dayOfDroppedFile(file) !== undefined || /^lost\.\d{1,10}\.ndjson$/.test(file);
}
