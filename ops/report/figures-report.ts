import { UsageError, type CommandOutput } from '../../src/command-line/command.js';
import type { SearchedTrail } from '../trail/searched-trail.js';
import { searchedText, tableText } from '../trail/texts.js';
import { availabilityRules } from './availability-rules.js';
import { markedDaysText } from '../trail/marked-days.js';
import { markedDays, noDowntimeText } from './day-states.js';
import { downtimesOf, downtimeText } from './downtimes.js';
import type { MeasuredTable } from './figure.js';
import { figures } from './figures.js';
import { dayName, type Period } from './period.js';
import { figuresBy, groupings, type Grouping, type Row } from './queries.js';

const measured = Object.keys(groupings) as MeasuredTable[];

/** Every figure of the period, together or by a group. */
export async function figuresReport(trail: SearchedTrail, period: Period, by: string): Promise<CommandOutput> {
  const { connection, searched } = trail;
  const grouping = groupingOf(by);
  const groups: Partial<Record<MeasuredTable, readonly Row[]>> = {};
  for (const one of measured)
    if (grouping in groupings[one]) groups[one] = await figuresBy(connection, one, figures, grouping, period);
  const downtimes = await downtimesOf(connection, period);
  const marked = await markedDays(connection);
  return {
    json: {
      from: dayName(period.fromMs),
      to: dayName(period.toMs - 1),
      by: grouping || 'all',
      groups,
      downtimes,
      marked,
      figures: figures.map(({ name, rule, unit }) => ({ name, rule, unit })),
      rules: availabilityRules,
      searched,
    },
    text: [
      ...Object.values(groups).map((rows) => `${grouping === '' ? onePerLine(rows[0]) : tableText(rows)}\n`),
      downtimes.length === 0 ? noDowntimeText(marked) : 'Downtimes:',
      ...downtimes.map(downtimeText),
      ...markedDaysText(marked),
      searchedText(searched),
    ].join('\n'),
  };
}

function onePerLine(row: Row = {}): string {
  return tableText(
    figures
      .filter(({ name }) => name in row)
      .map(({ name, unit, rule }) => ({ figure: name, value: String(row[name] ?? 'unknown'), unit, rule })),
  );
}

function groupingOf(text: string): Grouping {
  const groupingNames = [...new Set(measured.flatMap((one) => Object.keys(groupings[one])))].filter(Boolean);
  if (text !== '' && !groupingNames.includes(text)) throw new UsageError(`--by is one of ${groupingNames.join(', ')}`);
  return text as Grouping;
}
