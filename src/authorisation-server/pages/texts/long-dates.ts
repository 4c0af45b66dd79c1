interface Region {
  readonly locale: string;
  readonly timeZone: string;
}

/** `3 March 2026`: the calendar day in an IANA time zone, in the language's long form. */
export function longDate(at: Date, region: Region): string {
  return format(at, region, { day: 'numeric', month: 'long', year: 'numeric' });
}

/** `14:05`, by the clock of 24 hours, because 12:00 am can be misread as noon. */
export function clockTime(at: Date, region: Region): string {
  return format(at, region, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
}

function format(at: Date, { locale, timeZone }: Region, parts: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(locale, { timeZone, ...parts }).format(at);
}
