import type { Day, Stamp } from './ledger.records.js';

export const dayMs = 86_400_000;

/** Milliseconds since 1970 as `20261120T231500.123Z`. */
export function stampOf(atMs: number): Stamp {
  return new Date(atMs).toISOString().replace(/[-:]/g, '');
}

/** The UTC day of a time as `20261120`. */
export function dayOf(atMs: number): Day {
  return stampOf(atMs).slice(0, 8);
}

/** The UTC month of a time as `202706`. */
export function monthOf(atMs: number): string {
  return dayOf(atMs).slice(0, 6);
}

/** Milliseconds since 1970 of a stamp, or of a day's 00:00 UTC; NaN where it is neither. */
export function msOf(time: Stamp | Day): number {
  const parts = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d\.\d{3})Z)?$/.exec(time);
  if (parts === null) return Number.NaN;
  const [, year, month, day, hour, minute, second] = parts;
  return Date.parse(`${year}-${month}-${day}T${hour ?? '00'}:${minute ?? '00'}:${second ?? '00.000'}Z`);
}

/** 00:00 UTC of the day in which the time lies. */
export function startOfDay(atMs: number): number {
  return atMs - (((atMs % dayMs) + dayMs) % dayMs);
}
