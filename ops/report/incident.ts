import type { CommandOutput } from '../../src/command-line/command.js';
import { instant } from '../../src/trail/words.js';
import type { SearchedTrail } from '../trail/searched-trail.js';
import { searchedText, tableText } from '../trail/texts.js';
import { availabilityRules } from './availability-rules.js';
import { markedDaysText } from '../trail/marked-days.js';
import { markedDays, noDowntimeText } from './day-states.js';
import { downtimesOf, downtimeText } from './downtimes.js';
import { requestsWhere } from './figure.js';
import type { Span } from './period.js';
import { rowsOf, type Row } from './queries.js';

/** Interaction ids for a person who asks `npm run ops -- trail why`. */
const examples = 5;

/** The facts that a notification of a problem with the interface needs, of the time alone. */
export async function incidentReport(trail: SearchedTrail, span: Span, nowMs: number): Promise<CommandOutput> {
  const { connection, searched } = trail;
  const { fromMs, toMs } = span;
  const downtimes = await downtimesOf(connection, { ...span.days, fromMs, toMs });
  const marked = await markedDays(connection);
  const tables: Record<string, readonly Row[]> = {};
  for (const [name, { sql }] of Object.entries(parts)) tables[name] = await rowsOf(connection, sql(fromMs, toMs));
  const times = { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
  const madeAt = new Date(nowMs).toISOString();
  return {
    json: { report: 'incident', ...times, madeAt, downtimes, marked, ...tables, rules: availabilityRules, searched },
    text: [
      `From ${instant(fromMs)} to ${instant(toMs)}, as the trail was at ${instant(nowMs)}`,
      '',
      downtimes.length === 0 ? noDowntimeText(marked) : 'The interface was down:',
      ...downtimes.map(downtimeText),
      ...markedDaysText(marked),
      '',
      ...Object.entries(parts).map(([name, { title }]) => `${title}\n${tableText(tables[name] ?? [])}\n`),
      ...availabilityRules,
      '',
      searchedText(searched),
    ].join('\n'),
  };
}

interface Part {
  readonly title: string;
  readonly sql: (fromMs: number, toMs: number) => string;
}

const inTime = (fromMs: number, toMs: number) => `at_ms >= ${fromMs} AND at_ms < ${toMs}`;
const isoForm = `'%Y-%m-%dT%H:%M:%S.%gZ'`;
const cause = `coalesce("reason", "coreFault", 'status-' || "status") AS cause`;

const distinct = (columns: string, column: string) =>
  `count(DISTINCT ${columns}) FILTER (${column} IS NOT NULL AND unanswered)::DOUBLE`;

const unansweredBy = (title: string, columns: string): Part => ({
  title,
  sql: (fromMs, toMs) =>
    `SELECT ${columns}, ${requestsWhere('true')} AS requests, min("at") AS first, max("at") AS last FROM requests
     WHERE ${inTime(fromMs, toMs)} AND unanswered GROUP BY ALL ORDER BY requests DESC, first LIMIT 100`,
});

const parts: Readonly<Record<string, Part>> = {
  extent: {
    title: 'Extent',
    sql: (fromMs, toMs) =>
      `SELECT ${requestsWhere('true')} AS requests, ${requestsWhere('unanswered')} AS unanswered,
         ${distinct('("issuer", "tpp")', '"tpp"')} AS "tppsAffected", ${distinct('"consent"', '"consent"')} AS "consentsAffected"
       FROM requests WHERE ${inTime(fromMs, toMs)}`,
  },
  causes: unansweredBy('Causes of the unanswered requests', `${cause}, coalesce("core", '') AS core`),
  endpoints: unansweredBy('Endpoints with unanswered requests', 'version, "endpoint"'),
  instances: unansweredBy('Processes with unanswered requests', '"instance"'),
  examples: {
    title: 'The first unanswered requests (npm run ops -- trail why ID)',
    sql: (fromMs, toMs) =>
      `SELECT "at", "id", "status" FROM requests WHERE ${inTime(fromMs, toMs)} AND unanswered
       ORDER BY at_ms, "segment", "seq" LIMIT ${examples}`,
  },
  plannedOutages: {
    title: 'Planned outages, each as far as it counts',
    sql: (fromMs, toMs) =>
      `SELECT strftime(make_timestamp_ms(begin_ms), ${isoForm}) AS "from", strftime(make_timestamp_ms(end_ms), ${isoForm}) AS "to"
       FROM outages WHERE begin_ms < end_ms AND begin_ms < ${toMs} AND end_ms > ${fromMs} ORDER BY begin_ms`,
  },
};
