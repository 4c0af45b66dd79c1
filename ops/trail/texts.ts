import { explanationText } from '../../src/trail/explanation-text.js';
import type {
  ConsentOfCustomer,
  CustomerReport,
  LookupsOfCustomer,
  ReadsOfCustomer,
} from '../../src/trail/customer-report.js';
import { explain } from '../../src/trail/explain.js';
import { printable } from '../../src/open-banking/printable.js';
import { searchedWords, type SearchScope } from '../../src/trail/trail-search.js';
import { notFound, type Why } from '../../src/trail/why.js';
import { count } from '../../src/trail/words.js';
import { markedDaysText } from './marked-days.js';
import type { Verdict } from './verify.js';

export function whyText(found: Why): string {
  const { explanations } = found;
  const gaps = markedDaysText(found.searched.unsearched ?? []);
  if (explanations.length === 0) return [notFound(found), ...gaps].join('\n');
  const heading = explanations.length === 1 ? [] : [`${explanations.length} events have this id:`];
  return [...heading, ...explanations.map(explanationText), ...gaps].join('\n\n');
}

export function customerText(report: CustomerReport): string {
  const { pseudonyms, reads, lookups, consents, authorisations, searched } = report;
  return [
    `The trail knows the customer as ${pseudonyms.join(' and ')}.`,
    reads.length === 0
      ? nothing(searched, 'no TPP asked for the customer’s data.')
      : `Requests for the customer’s data:\n${reads.map(readsLine).join('\n')}`,
    lookups.length === 0
      ? nothing(searched, 'no operator and no system of the bank read data of the customer.')
      : `Lookups at the bank’s port:\n${lookups.map(lookupsLine).join('\n')}`,
    consents.length === 0
      ? nothing(searched, 'no consent of the customer is known.')
      : `Consents:\n${consents.map(consentLines).join('\n')}`,
    ...(authorisations.length === 0 ? [] : [`Authorisations:\n${authorisations.map(stepLine).join('\n')}`]),
    searchedText(searched),
  ].join('\n\n');
}

function readsLine(reads: ReadsOfCustomer): string {
  const { tpp, issuer, consent, endpoint, answered, attended, refused, first, last } = reads;
  return (
    `  ${tpp} (${issuer}), ${endpoint}, under ${consent}: ${count(answered, 'answer')}, ` +
    `${attended} with the customer present, ${count(refused, 'request')} without data; from ${first} to ${last}`
  );
}

function lookupsLine({ by, endpoint, requests, first, last }: LookupsOfCustomer): string {
  return `  ${by}, ${endpoint}: ${count(requests, 'request')}; from ${first} to ${last}`;
}

function consentLines({ consent, tpp, issuer, permissions, changes }: ConsentOfCustomer): string {
  const asked = permissions.length === 0 ? '' : `, for ${permissions.join(', ')}`;
  const lines = changes.map(({ at, event, by, reason }) => `    ${at} ${event} by ${by}${reason && ` (${reason})`}`);
  return [`  ${consent} of ${tpp} (${issuer})${asked}`, ...lines].join('\n');
}

function stepLine(event: CustomerReport['authorisations'][number]): string {
  const { at, asked, reason } = explain(event);
  return `  ${at} ${asked}${reason === undefined ? '' : ` (${reason.name})`}`;
}

export function verdictText(verdict: Verdict): string {
  const { faults, source, records, events, notYet, droppedDays, stillHere, lost, instances, last } = verdict;
  const from =
    source === 'database'
      ? 'The roots come from the database.'
      : 'The roots come from the files next to the segments: this cannot detect the removal of the newest segments together with their roots. Set DATABASE_URL to compare with the database.';
  return [
    ...faults.map(({ kind, message }) => `FAULT (${kind}): ${message}`),
    faults.length === 0
      ? `${count(events, 'event')} of ${count(instances.length, 'instance')} (${instances.join(', ')}) have not changed since they were written. They are covered by ${count(records, 'root')}.`
      : `${count(faults.length, 'fault')}.`,
    from,
    ...(verdict.from === undefined ? [] : [`Days before ${verdict.from} were not checked.`]),
    ...(last === undefined ? [] : [`The last record is ${last.sequence}, with the hash ${last.hash}.`]),
    ...notYet.map(
      ({ segment, events: uncovered, state }) =>
        `Not covered by a root yet: ${count(uncovered, 'event')} of ${segment} (${state})`,
    ),
    ...verdict.late.map(lateLine),
    ...verdict.losses.map(lossLine),
    ...(droppedDays.length === 0 ? [] : [`Deleted by retention: ${droppedDays.join(', ')}`]),
    ...(stillHere.length === 0
      ? []
      : [
          `Deleted by retention, but files are still in a folder: ${stillHere.join(', ')}. Run retention on that machine.`,
        ]),
    ...(lost === 0 ? [] : [`The trail records that ${count(lost, 'event')} could not be written.`]),
  ].join('\n');
}

function lossLine({ at, reason, segments, events }: Verdict['losses'][number]): string {
  return `Lost, as recorded at ${at}: ${count(segments, 'segment')} with ${count(events, 'event')} (${printable(reason)})`;
}

function lateLine({ segment, signedAt, closed }: Verdict['late'][number]): string {
  const why =
    closed === 'recovered' ? 'because its process ended without closing it' : 'because the database was unreachable';
  return `Signed late: ${segment} got its root at ${signedAt}, ${why}.`;
}

export function requestsOfTppText(
  tpp: string,
  name: string | undefined,
  requests: readonly Readonly<Record<string, unknown>>[],
): string {
  const heading = name === undefined ? '' : `${name} (${printable(tpp)})\n`;
  return requests.length === 0
    ? `No request of the TPP ${printable(tpp)} was found: name its client id, as \`trail load\` shows it.`
    : `${heading}${tableText(requests)}\n\n\`npm run ops -- trail why ID\` explains the request of a latestId.`;
}

export function searchedText(searched: SearchScope): string {
  const gaps = hasGaps(searched) ? ['This search says nothing about other days.'] : [];
  return [`Searched: ${searchedWords(searched)}.`, ...markedDaysText(searched.unsearched ?? []), ...gaps].join('\n');
}

/** Whether an absent event is not proof that nothing happened in the asked time. */
export function hasGaps({ days, unsearched = [], rootsUnread }: SearchScope): boolean {
  return days.length === 0 || unsearched.length > 0 || rootsUnread === true;
}

/** The sentence, which denies something and begins with "no", of the days that were searched alone. */
function nothing(searched: SearchScope, sentence: string): string {
  return hasGaps(searched) ? `On the days that were searched, ${sentence}` : `N${sentence.slice(1)}`;
}

const most = 30;

/** Rows of equal members as columns of text; at most the first rows. */
export function tableText(rows: readonly Readonly<Record<string, unknown>>[]): string {
  const [first] = rows;
  if (first === undefined) return '(none)';
  const names = Object.keys(first);
  const cells = [names, ...rows.slice(0, most).map((row) => names.map((name) => cell(row[name])))];
  const widths = names.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)));
  const lines = cells.map((line) =>
    line
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [...lines, ...(rows.length > most ? [`and ${rows.length - most} more: --json has all`] : [])].join('\n');
}

function cell(value: unknown): string {
  if (typeof value === 'number') return value.toLocaleString('en-GB');
  // A line of an attacker could change the reader's terminal.
  return typeof value === 'string' ? printable(value) : '';
}
