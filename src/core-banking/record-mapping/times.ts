import { RowFault } from '../../../packages/core-adapter/core-rows.js';
import type { CalendarDate, CoreTime } from '../../../packages/core-adapter/core.records.js';
import { calendarDate, instantOf } from '../../../packages/core-adapter/local-times.js';
import type { As } from './mapping.js';

/** `2026-11-20T12:00:17.250`. The core may know more digits of the second than the port. */
export const localTimeLength = 23;
const offset = /(?:Z|[+-]\d\d:\d\d)$/;
const instantForm = /^(\d{4}-\d\d-\d\d)T([\d:]{8})(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/;

/**
 * A time as a core writes it.
 *
 * @param timeZone of local times
 * @throws RowFault where it has another form or does not exist
 */
export function timeOf(value: unknown, as: As | undefined, timeZone: string | undefined, field: string): CoreTime {
  const text = typeof value === 'string' ? value.trim() : '';
  switch (as) {
    case 'iso':
      return isoTime(text, timeZone, field);
    case 'instant':
      return instant(text, field);
    case 'local-time':
      return localTime(text, timeZone, field);
    case 'YYYYMMDD':
      return dayOf(/^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)$/.exec(text), field);
    case 'DD/MM/YYYY':
      return dayOf(/^(?<day>\d\d)\/(?<month>\d\d)\/(?<year>\d{4})$/.exec(text), field);
    default:
      return calendarDate(text, field);
  }
}

function isoTime(text: string, timeZone: string | undefined, field: string): CoreTime {
  if (text.length <= 10) return calendarDate(text, field);
  return offset.test(text) ? instant(text, field) : localTime(text, timeZone, field);
}

/** A local time without its zone is not a time. */
function localTime(text: string, timeZone: string | undefined, field: string): Date {
  if (timeZone === undefined) throw new RowFault(field, 'a local time, and the time zone is not known');
  const toMilliseconds = /\.\d{4,9}$/.test(text) ? text.slice(0, localTimeLength) : text;
  return instantOf(toMilliseconds.replace(' ', 'T'), timeZone, field);
}

function instant(text: string, field: string): Date {
  const [, day, time, fraction = '', zone = ''] = instantForm.exec(text) ?? [];
  if (day === undefined) throw new RowFault(field, 'not a time');
  const local = new Date(`${day}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}Z`);
  // The runtime's parser rolls 30 February and 24:00 over.
  if (Number.isNaN(local.getTime()) || !local.toISOString().startsWith(`${day}T${time}`))
    throw new RowFault(field, 'not a time');
  if (zone === 'Z') return local;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(4))];
  if (hours > 14 || minutes > 59) throw new RowFault(field, 'not a time');
  return new Date(local.getTime() - (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000);
}

function dayOf(match: RegExpExecArray | null, field: string): CalendarDate {
  const { year, month, day } = match?.groups ?? {};
  return calendarDate(`${year}-${month}-${day}`, field);
}
