/** Writes values of the API for a person: amounts, days, numbers of accounts and the standard's codes. */

/** An `OBActiveOrHistoricCurrencyAndAmount`, with the sign that its record's `CreditDebitIndicator` gives it. */
export function money(amount: unknown, indicator?: unknown): string {
  const { Amount: figure, Currency: currency } = (amount ?? {}) as { Amount?: unknown; Currency?: unknown };
  if (typeof figure !== 'string' || typeof currency !== 'string') return '';
  const plain = figure.replace(/^-/, '');
  const negative = figure.startsWith('-') || (indicator === 'Debit' && /[1-9]/.test(plain));
  return `${negative ? '−' : ''}${inCurrency(plain, currency)}`;
}

function inCurrency(figure: string, currency: string): string {
  const format = new Intl.NumberFormat('en-GB', {
    style: 'currency',
    currency,
    minimumFractionDigits: figure.split('.')[1]?.length ?? 0,
  });
  // As text, because a number would round a long figure. TypeScript's type does not allow text yet.
  return format.format(figure as unknown as number);
}

const zone = { timeZone: 'Europe/London' } as const;
const longDay = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  ...zone,
});
const shortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', ...zone });
const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', ...zone });

/** `Friday 20 November 2026` */
export function weekday(dateTime: string): string {
  return longDay.format(new Date(dateTime)).replace(',', '');
}

/** The day, and the time where the bank gives one: midnight is how it writes a day. */
export function moment(dateTime: string): string {
  const at = new Date(dateTime);
  const hasTime = !/T00:00:00(\.0+)?(Z|[+-]00:00)$/.test(dateTime);
  return `${shortDay.format(at)}${hasTime ? `, ${time.format(at)}` : ''}`;
}

/** `08-99-99 10010010` of a sort code and account number; an IBAN in fours; anything else as it is. */
export function accountNumber(scheme: string | undefined, identification: string): string {
  if (scheme?.endsWith('SortCodeAccountNumber') === true)
    return identification.replace(/^(\d{2})(\d{2})(\d{2})(\d{8})$/, '$1-$2-$3 $4');
  if (scheme?.endsWith('IBAN') === true) return identification.replace(/(.{4})(?=.)/g, '$1 ');
  return identification;
}

/** `UK.OBIE.InterimAvailable` as `Interim available`. */
export function words(name: string): string {
  const plain = name.replace(/^.*\./, '').replace(/([a-z])(?=[A-Z])/g, '$1 ');
  return plain.charAt(0) + plain.slice(1).toLowerCase();
}

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** The standard's `Frequency` codes; any other in its own words. */
export function rhythm(code: string): string {
  const [kind = '', first = '', second = ''] = code.split(':');
  const [count, day] = [Number(first), Number(second)];
  const every = (unit: string) => (count === 1 ? `Every ${unit}` : `Every ${count} ${unit}s`);
  switch (kind) {
    case 'EvryDay':
      return 'Every day';
    case 'EvryWorkgDay':
      return 'Every working day';
    case 'IntrvlDay':
      return every('day');
    case 'IntrvlWkDay':
      return `${every('week')}, on ${weekdays[day - 1]}`;
    case 'WkInMnthDay':
      return `Every month, on ${weekdays[day - 1]} of week ${count}`;
    case 'IntrvlMnthDay':
      return `${every('month')}, on day ${Math.abs(day)}${day < 0 ? ' counted from its end' : ''}`;
    case 'QtrDay':
      return 'Every quarter';
    default:
      return words(code);
  }
}
