import { searchedText, tableText } from '../trail/texts.js';
import type { SearchedTrail } from '../trail/searched-trail.js';
import type { CommandOutput } from '../../src/command-line/command.js';
import { count } from '../../src/trail/words.js';
import { availabilityRules } from './availability-rules.js';
import { markedDaysText, type MarkedDay } from '../trail/marked-days.js';
import { markedDays, noDowntimeText } from './day-states.js';
import { downtimesOf, downtimeText, type Downtime } from './downtimes.js';
import type { Figure } from './figure.js';
import type { Period } from './period.js';
import { figuresBy, inPeriod, rowsOf } from './queries.js';

/** More events than a person reads; `npm run ops -- trail export` writes all. */
const mostEvents = 1_000;

const columns = {
  requests: `"at", "id", "instance", "version", "method", "endpoint", "status", "lastByteMs", "reason", "tpp"`,
  consent_changes: `"at", "id", "consent", "event", actor, "reason", "tpp"`,
  journeys: `"at", "id", "consent", "step", stage, "reason", "tpp"`,
} as const;

/** The value of a figure on a day, and the events behind it. */
export async function explain(
  { connection, searched }: SearchedTrail,
  figure: Figure,
  day: Period,
): Promise<CommandOutput> {
  const { name, rule, unit, measured } = figure;
  const [total] = await figuresBy(connection, measured, [figure], '', day);
  const [state] = await rowsOf(connection, `SELECT state FROM days WHERE ${inPeriod(day)}`);
  const isAvailability = measured === 'availability';
  const table = isAvailability ? 'requests' : measured;
  const condition = isAvailability ? behindDowntimes : (figure.rows ?? 'true');
  const from = `FROM ${table} WHERE (${inPeriod(day)}) AND (${condition})`;
  const events = await rowsOf(connection, `SELECT ${columns[table]} ${from} ORDER BY at_ms, "id" LIMIT ${mostEvents}`);
  const [{ eventCount } = { eventCount: 0 }] = await rowsOf(
    connection,
    `SELECT count(*)::DOUBLE AS "eventCount" ${from}`,
  );
  const downtimes = isAvailability ? await downtimesOf(connection, day) : undefined;
  const marked = (await markedDays(connection)).filter((one) => one.day === day.name);
  const value = total?.[name] ?? null;
  const rules = [rule, ...(isAvailability ? availabilityRules : [])];
  const shown = events.length < Number(eventCount) ? `, the first ${events.length} of them` : '';
  const title = isAvailability ? 'The unanswered requests of the downtimes' : 'The events behind it';
  const json = { figure: name, day: day.name, state: state?.['state'] ?? null, value, unit, rules, downtimes };
  return {
    json: { ...json, eventCount, events, searched },
    text: [
      `${name} on ${day.name}: ${value === null ? 'unknown' : `${value} ${unit}`}`,
      ...markedDaysText(marked),
      ...rules,
      ...downtimesText(downtimes, marked),
      '',
      `${title}: ${count(Number(eventCount), 'event')}${shown}`,
      tableText(events),
      '',
      searchedText(searched),
    ].join('\n'),
  };
}

function downtimesText(downtimes: readonly Downtime[] | undefined, marked: readonly MarkedDay[]): string[] {
  if (downtimes === undefined) return [];
  return ['', downtimes.length === 0 ? noDowntimeText(marked) : 'Downtimes:', ...downtimes.map(downtimeText)];
}

const behindDowntimes = `unanswered AND EXISTS (
  FROM downtimes WHERE scope = '' AND requests.at_ms >= downtimes.begin_ms AND requests.at_ms < downtimes.end_ms)`;
