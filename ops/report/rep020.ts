import { csv, type Cell } from '../csv.js';
import { figureNamed } from './figures.js';
import type { Statistics } from './statistics.js';

/** The fields that the gateway knows with certainty, each by its figure. */
const fields = {
  'Uptime %': 'uptime-percent',
  'Downtime %': 'downtime-percent',
  'Account information: mean response time, ms': 'accounts-mean-ttlb-ms',
  'Confirmation of funds: mean response time, ms': 'funds-mean-ttlb-ms',
  'Error response rate %': 'error-rate-percent',
} as const;

const remarks = [
  'This is a draft. Compare its columns with the form in force, and complete them, before the bank submits it.',
  'It has the dedicated interface only: the interfaces that the bank’s customers use, and the interface for payments, are not in the trail. Their fields are to be added.',
] as const;

export interface Rep020 {
  readonly report: 'REP020';
  readonly draft: true;
  readonly quarter: string;
  readonly from: string;
  readonly to: string;
  readonly incomplete: boolean;
  readonly madeAt: string;
  readonly remarks: readonly string[];
  readonly rules: readonly string[];
  readonly fields: readonly { readonly field: string; readonly figure: string; readonly rule: string }[];
  readonly days: readonly {
    readonly day: string;
    readonly state: string;
    readonly values: Readonly<Record<string, Cell>>;
  }[];
}

export function rep020Of({ quarter, from, to, incomplete, madeAt, rules, interfaces }: Statistics): Rep020 {
  return {
    report: 'REP020',
    draft: true,
    quarter,
    from,
    to,
    incomplete,
    madeAt,
    remarks,
    rules,
    fields: Object.entries(fields).map(([field, figure]) => ({ field, figure, rule: figureNamed(figure)?.rule ?? '' })),
    days: (interfaces[0]?.days ?? []).map(({ day, state, figures }) => ({
      day,
      state,
      values: Object.fromEntries(Object.entries(fields).map(([field, figure]) => [field, figures[figure] ?? null])),
    })),
  };
}

export function rep020Csv({ days }: Rep020): string {
  const names = Object.keys(fields);
  const rows = days.map(({ day, state, values }) => [
    'DRAFT',
    day,
    'dedicated interface',
    state,
    ...names.map((name) => values[name] ?? null),
  ]);
  return csv(['Status', 'Day', 'Interface', 'Trail', ...names], rows, 'NULL');
}

export function rep020Text({ quarter, from, to, incomplete }: Rep020): string {
  return [
    `DRAFT of REP020, ${quarter}, from ${from} to ${to}${incomplete ? ': the quarter has not ended' : ''}`,
    ...remarks,
  ].join('\n');
}
