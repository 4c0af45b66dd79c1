/** `3 March 2026`: the calendar day in an IANA time zone, in the long form of British English. */
export function longDate(at: Date, timeZone: string): string {
  return format(at, timeZone, { day: 'numeric', month: 'long', year: 'numeric' });
}

/** `3 March 2026 at 14:05`. The clock of 24 hours, because nobody knows for certain whether 12:00 am is noon. */
export function longDateTime(at: Date, timeZone: string): string {
  return `${longDate(at, timeZone)} at ${format(at, timeZone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })}`;
}

function format(at: Date, timeZone: string, parts: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone, ...parts }).format(at);
}
