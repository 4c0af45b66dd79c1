import type { Clock } from '../../src/clock/clock.js';
import { UsageError } from '../../src/commands/command.js';
import { neededOption, optionOf, type Command, type CommandTable } from '../command-line.js';
import { trailOption } from '../trail/asked-folders.js';
import { askedTime, timeOptions } from '../trail/asked-time.js';
import { explain } from './explain.js';
import { figureNamed, figures } from './figures.js';
import { figuresReport } from './figures-report.js';
import { incidentReport } from './incident.js';
import { importedValues } from './mi-import.js';
import { managementInformation, miCsv } from './mi.js';
import { miText } from './mi-text.js';
import { firstDayOf, firstDayOption, measuring } from './measuring.js';
import { dayOf, daysOf, monthOf, quarterOf, spanOf } from './period.js';
import { rep020Csv, rep020Of, rep020Text } from './rep020.js';
import { outFolder, outOption, writeReports } from './report-files.js';
import { statisticsPage } from './statistics-page.js';
import { statisticsCsv, statisticsOf, statisticsText } from './statistics.js';

const quarterOptions = {
  quarter: { value: 'Q', help: 'for example 2026Q4; one under way is reported up to yesterday' },
  ...firstDayOption,
} as const;

const statistics = (clock: Clock): Command => ({
  help: 'the daily statistics that a bank publishes: JSON, CSV and an HTML page',
  options: { ...quarterOptions, bank: { value: 'NAME', help: 'the name of the bank in the page' }, ...outOption },
  run: (given, tell) => {
    const quarter = quarterOf(neededOption(given, 'quarter'), clock.nowMs());
    const bank = optionOf(given, 'bank') ?? 'this bank';
    const from = firstDayOf(given, quarter, clock.nowMs());
    return measuring(given, quarter, tell, from, async (trail) => {
      const report = await statisticsOf(trail, quarter, clock.nowMs());
      const files = await writeReports(outFolder(given), {
        [`statistics-${quarter.name}.json`]: jsonText(report),
        [`statistics-${quarter.name}.csv`]: statisticsCsv(report),
        [`statistics-${quarter.name}.html`]: statisticsPage(report, bank),
      });
      return { json: { ...report, files }, text: [statisticsText(report), ...files].join('\n') };
    });
  },
});

const mi = (clock: Clock): Command => ({
  help: 'the standard body’s management information: JSON, and CSV for each tab',
  options: {
    month: { value: 'M', help: 'for example 2026-11; one under way is reported up to yesterday' },
    ...firstDayOption,
    brand: { value: 'ID', help: 'the id of the brand in the standard body’s list' },
    pca: { value: 'PRODUCT', help: 'a product that is a personal current account', several: true },
    bca: { value: 'PRODUCT', help: 'a product that is a business current account', several: true },
    import: { value: 'FILE', help: 'CSV with the values that only the bank’s own channels know' },
    ...outOption,
  },
  run: async (given, tell) => {
    const month = monthOf(neededOption(given, 'month'), clock.nowMs());
    const { brand: [brand = null] = [], pca = [], bca = [], import: [file] = [] } = given.options;
    const imported = file === undefined ? [] : await importedValues(file);
    const from = firstDayOf(given, month, clock.nowMs());
    return measuring(given, month, tell, from, async (trail) => {
      const report = await managementInformation(trail, month, { brand, pca, bca }, imported, clock.nowMs());
      const files = await writeReports(outFolder(given), {
        [`mi-${month.name}.json`]: jsonText(report),
        ...Object.fromEntries(report.tabs.map((tab) => [`mi-${month.name}-${tab.file}.csv`, miCsv(tab)])),
      });
      return { json: { ...report, files }, text: [miText(report), ...files].join('\n') };
    });
  },
});

const rep020 = (clock: Clock): Command => ({
  help: 'the certain fields of the supervisor’s REP020, as a draft: JSON and CSV',
  options: { ...quarterOptions, ...outOption },
  run: (given, tell) => {
    const quarter = quarterOf(neededOption(given, 'quarter'), clock.nowMs());
    const from = firstDayOf(given, quarter, clock.nowMs());
    return measuring(given, quarter, tell, from, async (trail) => {
      const report = rep020Of(await statisticsOf(trail, quarter, clock.nowMs()));
      const files = await writeReports(outFolder(given), {
        [`rep020-${quarter.name}-draft.json`]: jsonText(report),
        [`rep020-${quarter.name}-draft.csv`]: rep020Csv(report),
      });
      return { json: { ...report, files }, text: [rep020Text(report), ...files].join('\n') };
    });
  },
});

const incident = (clock: Clock): Command => ({
  help: 'the facts for a notification of a problem: downtimes, causes, and the requests and TPPs that it met',
  options: timeOptions,
  run: (given, tell) => {
    for (const name of ['from', 'to']) neededOption(given, name);
    const span = spanOf(askedTime(given), clock.nowMs());
    return measuring(given, span.days, tell, undefined, (trail) => incidentReport(trail, span, clock.nowMs()));
  },
});

const everyFigure = (clock: Clock): Command => ({
  help: 'every figure of a time, with its rule',
  options: {
    from: { value: 'D', help: 'the first day, in UTC: 2026-11-01' },
    to: { value: 'D', help: 'the last day' },
    by: { value: 'GROUP', help: 'day, hour, version, endpoint, or stage (of abandoned journeys)' },
  },
  run: (given, tell) => {
    const period = daysOf(neededOption(given, 'from'), neededOption(given, 'to'), clock.nowMs());
    const by = optionOf(given, 'by') ?? '';
    return measuring(given, period, tell, undefined, (trail) => figuresReport(trail, period, by));
  },
});

const explainFigure = (clock: Clock): Command => ({
  help: 'the events behind a figure of a day',
  operands: ['FIGURE'],
  options: { day: { value: 'D', help: 'a day in UTC: 2026-11-24' } },
  run: (given, tell) => {
    const figure = figureNamed(given.operands[0] ?? '');
    if (figure === undefined)
      throw new UsageError(`there is no such figure; the figures are ${figures.map(({ name }) => name).join(', ')}`);
    const day = dayOf('day', neededOption(given, 'day'), clock.nowMs());
    return measuring(given, day, tell, undefined, (trail) => explain(trail, figure, day));
  },
});

/** @param clock decides which days are over */
export function reportCommands(clock: Clock): CommandTable {
  return {
    name: 'report',
    summary: 'The regulator’s figures, from the decision trail (docs/reports.md).',
    commands: {
      statistics: statistics(clock),
      mi: mi(clock),
      rep020: rep020(clock),
      incident: incident(clock),
      figures: everyFigure(clock),
      explain: explainFigure(clock),
    },
    common: trailOption,
  };
}

function jsonText(report: unknown): string {
  return `${JSON.stringify(report, undefined, 2)}\n`;
}
