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

/** The codes of ISO 20022 that v4.0 has for words of v3.1. */
const codes: Readonly<Record<string, string>> = {
  ACTV: 'Active',
  CACC: 'Current account',
  CANC: 'Cancelled',
  CARD: 'Card',
  CLBD: 'Closing booked',
  EXPI: 'Expired',
  ITAV: 'Interim available',
  ITBD: 'Interim booked',
  LOAN: 'Loan',
  MORT: 'Mortgage',
  SUSP: 'Suspended',
  SVGS: 'Savings',
  WALT: 'Wallet',
};

/** `UK.OBIE.InterimAvailable` and `ITAV` as `Interim available`; a code of another list as it is. */
export function words(name: string): string {
  const code = codes[name] ?? (/^[A-Z]{4}$/.test(name) ? name : undefined);
  if (code !== undefined) return code;
  const plain = name.replace(/^.*\./, '').replace(/([a-z])(?=[A-Z])/g, '$1 ');
  return plain.charAt(0) + plain.slice(1).toLowerCase();
}

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** The codes of v4.0 as the expressions of v3.1 that say the same. */
const expressions: Readonly<Record<string, string>> = {
  DAIL: 'IntrvlDay',
  WODL: 'EvryWorkgDay',
  WEEK: 'IntrvlWkDay:01',
  FRTN: 'IntrvlWkDay:02',
  FOWK: 'IntrvlWkDay:04',
  MNTH: 'IntrvlMnthDay:01',
  TWMH: 'IntrvlMnthDay:02',
  QURT: 'IntrvlMnthDay:03',
  FOMH: 'IntrvlMnthDay:04',
  FIMH: 'IntrvlMnthDay:05',
  MIAN: 'IntrvlMnthDay:06',
  YEAR: 'IntrvlMnthDay:12',
  TWYR: 'IntrvlMnthDay:24',
  NONE: 'NotKnown',
};

/** A `Frequency` of v3.1, which is a text, or of v4.0; a code that is not known in its own words. */
export function rhythm(frequency: unknown): string {
  if (typeof frequency === 'string') return rhythmOf(frequency);
  const { Type: type = '', PointInTime: day } = frequency as { readonly Type?: string; readonly PointInTime?: string };
  return rhythmOf(`${expressions[type] ?? type}:${day ?? ''}`);
}

function rhythmOf(code: string): string {
  const [kind = '', first = '', second = ''] = code.split(':');
  const [count, day] = [Number(first), Number(second)];
  const every = (unit: string) => (count === 1 ? `Every ${unit}` : `Every ${count} ${unit}s`);
  switch (kind) {
    case 'EvryDay':
      return 'Every day';
    case 'EvryWorkgDay':
      return 'Every working day';
    case 'IntrvlDay':
      return count === 0 ? 'Every day' : every('day');
    case 'IntrvlWkDay':
      return `${every('week')}, on ${weekdays[day - 1]}`;
    case 'WkInMnthDay':
      return `Every month, on ${weekdays[day - 1]} of week ${count}`;
    case 'IntrvlMnthDay':
      return `${every('month')}, on day ${Math.abs(day)}${day < 0 ? ' counted from its end' : ''}`;
    case 'QtrDay':
      return 'Every quarter';
    default:
      return words(kind);
  }
}
