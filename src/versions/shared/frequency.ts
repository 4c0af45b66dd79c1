import type { StandingOrderFields } from '../../resources/standing-orders/standing-order.mapper.js';

export type Frequency = StandingOrderFields['frequency'];

const quarterDays: ReadonlyMap<string, string> = new Map([
  ['english', 'ENGLISH'],
  ['scottish', 'SCOTTISH'],
  ['received', 'RECEIVED'],
]);

/**
 * The standard's `Frequency` text; `NotKnown` for a frequency that its pattern cannot express (every ten weeks, every eight
 * months, a 32nd). It never throws, so that no standing order is omitted because of its frequency.
 */
export function formatFrequency(frequency: Frequency): string {
  return standardText(frequency) ?? 'NotKnown';
}

function standardText(frequency: Frequency): string | undefined {
  switch (frequency.every) {
    case 'day':
      if (frequency.interval === 1) {
        return 'EvryDay';
      }
      return isInteger(frequency.interval, 2, 31) ? `IntrvlDay:${twoDigits(frequency.interval)}` : undefined;
    case 'working-day':
      return 'EvryWorkgDay';
    case 'week':
      return isInteger(frequency.interval, 1, 9) && isInteger(frequency.weekday, 1, 7)
        ? `IntrvlWkDay:${twoDigits(frequency.interval)}:${twoDigits(frequency.weekday)}`
        : undefined;
    case 'month':
      return 'weekOfMonth' in frequency ? weekInMonth(frequency) : dayOfMonth(frequency);
    case 'quarter': {
      const days = quarterDays.get(frequency.days);
      return days && `QtrDay:${days}`;
    }
    default:
      return undefined;
  }
}

function weekInMonth({ weekOfMonth, weekday }: { weekOfMonth: number; weekday: number }): string | undefined {
  return isInteger(weekOfMonth, 1, 5) && isInteger(weekday, 1, 7)
    ? `WkInMnthDay:${twoDigits(weekOfMonth)}:${twoDigits(weekday)}`
    : undefined;
}

function dayOfMonth({ interval, day }: { interval: number; day: number }): string | undefined {
  if (!isInteger(interval, 1, 6) && interval !== 12 && interval !== 24) {
    return undefined;
  }
  if (isInteger(day, 1, 31)) {
    return `IntrvlMnthDay:${twoDigits(interval)}:${twoDigits(day)}`;
  }
  return isInteger(day, -5, -1) ? `IntrvlMnthDay:${twoDigits(interval)}:-${twoDigits(-day)}` : undefined;
}

function isInteger(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
