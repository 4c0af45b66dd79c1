import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { type CommandOutput, UsageError, CommandFailed } from '../../src/command-line/command.js';
import type { CommandContext } from '../command-settings.js';
import { trailOption, type TrailOption } from '../trail/asked-folders.js';
import { askedTime } from '../trail/asked-time.js';
import { explain } from './explain.js';
import { figureNamed, figures } from './figures.js';
import { figuresReport } from './figures-report.js';
import { incidentReport } from './incident.js';
import { importedValues } from './mi-import.js';
import { managementInformation, miCsv, miText } from './mi.js';
import { several } from '../../src/command-line/command-line.js';
import { readReportsFolder } from '../../src/config/trail-command.js';
import { type FirstDayOption, firstDayOf, measuring, withFirstDay } from './measuring.js';
import { dayOf, daysOf, monthOf, quarterOf, spanOf } from './period.js';
import { rep020Csv, rep020Of, rep020Text } from './rep020.js';
import { statisticsPage } from './statistics-page.js';
import { statisticsCsv, statisticsOf, statisticsText } from './statistics.js';

interface QuarterOptions extends FirstDayOption {
  readonly quarter: string;
  readonly out?: string;
}

interface MonthOptions extends FirstDayOption {
  readonly month: string;
  readonly brand?: string;
  readonly pca?: readonly string[];
  readonly bca?: readonly string[];
  readonly import?: string;
  readonly out?: string;
}

interface SpanOptions extends TrailOption {
  readonly from: string;
  readonly to: string;
}

/** The clock decides which days have ended. */
export function addReport(program: Command, context: CommandContext): void {
  const { answer } = context;
  const reports = program
    .command('report')
    .description('The regulator’s figures, from the decision trail (docs/operate/reports.md).');
  addFigures(reports, context);
  const ofQuarter = (name: string, help: string): Command =>
    withFirstDay(report(reports, name, help))
      .requiredOption('--quarter <Q>', 'for example 2026Q4; an unfinished one is reported up to yesterday')
      .option('--out <DIR>', outHelp);

  ofQuarter('statistics', 'the daily statistics that a bank publishes: JSON, CSV and an HTML page')
    .option('--bank <NAME>', 'the name of the bank in the page', 'this bank')
    .action(async (options: QuarterOptions & { readonly bank: string }) => answer(await statistics(options, context)));
  withFirstDay(report(reports, 'mi', 'the standard body’s management information: JSON, and CSV for each tab'))
    .requiredOption('--month <M>', 'for example 2026-11; an unfinished one is reported up to yesterday')
    .option('--brand <ID>', 'the id of the brand in the standard body’s list')
    .addOption(several('--pca <PRODUCT>', 'a product that is a personal current account'))
    .addOption(several('--bca <PRODUCT>', 'a product that is a business current account'))
    .option('--import <FILE>', 'CSV with the values that only the bank’s own channels know')
    .option('--out <DIR>', outHelp)
    .action(async (options: MonthOptions) => answer(await mi(options, context)));
  ofQuarter('rep020', 'the certain fields of the supervisor’s REP020, as a draft: JSON and CSV').action(
    async (options: QuarterOptions) => answer(await rep020(options, context)),
  );
}

function addFigures(reports: Command, context: CommandContext): void {
  const { answer } = context;
  report(
    reports,
    'incident',
    'the facts for a notification of a problem: downtimes, causes, and the requests and TPPs that it affected',
  )
    .requiredOption('--from <T>', 'a day, or a date-time with its zone: 2026-11-01, 2026-11-24T14:00:00Z')
    .requiredOption('--to <T>', 'the same; a day is included to its end')
    .action(async (options: SpanOptions) => answer(await incident(options, context)));
  report(reports, 'figures', 'computes every figure of a period, with its rule')
    .requiredOption('--from <D>', 'the first day, in UTC: 2026-11-01')
    .requiredOption('--to <D>', 'the last day')
    .option('--by <GROUP>', 'day, hour, version, endpoint, or stage (of abandoned journeys)', '')
    .action(async (options: SpanOptions & { readonly by: string }) => answer(await everyFigure(options, context)));
  report(reports, 'explain', 'lists the events from which a figure of a day was computed')
    .argument('<FIGURE>')
    .requiredOption('--day <D>', 'a day in UTC: 2026-11-24')
    .action(async (figure: string, options: TrailOption & { readonly day: string }) =>
      answer(await explainFigure(figure, options, context)),
    );
}

function report(reports: Command, name: string, help: string): Command {
  return reports.command(name).description(help).addOption(trailOption());
}

const outHelp = 'the folder, in place of DATA_DIR/reports';

async function statistics(
  options: QuarterOptions & { readonly bank: string },
  { clock, note }: CommandContext,
): Promise<CommandOutput> {
  const quarter = quarterOf(options.quarter, clock.nowMs());
  const from = firstDayOf(options, quarter, clock.nowMs());
  return measuring(options, quarter, note, from, async (trail) => {
    const report = await statisticsOf(trail, quarter, clock.nowMs());
    const files = await writeReports(options.out ?? readReportsFolder(), {
      [`statistics-${quarter.name}.json`]: jsonText(report),
      [`statistics-${quarter.name}.csv`]: statisticsCsv(report),
      [`statistics-${quarter.name}.html`]: statisticsPage(report, options.bank),
    });
    return { json: { ...report, files }, text: [statisticsText(report), ...files].join('\n') };
  });
}

async function mi(options: MonthOptions, { clock, note }: CommandContext): Promise<CommandOutput> {
  const month = monthOf(options.month, clock.nowMs());
  const { brand = null, pca = [], bca = [], import: file } = options;
  const imported = file === undefined ? [] : await importedValues(file);
  const from = firstDayOf(options, month, clock.nowMs());
  return measuring(options, month, note, from, async (trail) => {
    const report = await managementInformation(trail, month, { brand, pca, bca }, imported, clock.nowMs());
    const files = await writeReports(options.out ?? readReportsFolder(), {
      [`mi-${month.name}.json`]: jsonText(report),
      ...Object.fromEntries(report.tabs.map((tab) => [`mi-${month.name}-${tab.file}.csv`, miCsv(tab)])),
    });
    return { json: { ...report, files }, text: [miText(report), ...files].join('\n') };
  });
}

async function rep020(options: QuarterOptions, { clock, note }: CommandContext): Promise<CommandOutput> {
  const quarter = quarterOf(options.quarter, clock.nowMs());
  const from = firstDayOf(options, quarter, clock.nowMs());
  return measuring(options, quarter, note, from, async (trail) => {
    const report = rep020Of(await statisticsOf(trail, quarter, clock.nowMs()));
    const files = await writeReports(options.out ?? readReportsFolder(), {
      [`rep020-${quarter.name}-draft.json`]: jsonText(report),
      [`rep020-${quarter.name}-draft.csv`]: rep020Csv(report),
    });
    return { json: { ...report, files }, text: [rep020Text(report), ...files].join('\n') };
  });
}

async function incident(options: SpanOptions, { clock, note }: CommandContext): Promise<CommandOutput> {
  const span = spanOf(askedTime(options), clock.nowMs());
  return measuring(options, span.days, note, undefined, (trail) => incidentReport(trail, span, clock.nowMs()));
}

async function everyFigure(
  options: SpanOptions & { readonly by: string },
  { clock, note }: CommandContext,
): Promise<CommandOutput> {
  const period = daysOf(options.from, options.to, clock.nowMs());
  return measuring(options, period, note, undefined, (trail) => figuresReport(trail, period, options.by));
}

async function explainFigure(
  name: string,
  options: TrailOption & { readonly day: string },
  { clock, note }: CommandContext,
): Promise<CommandOutput> {
  const figure = figureNamed(name);
  if (figure === undefined)
    throw new UsageError(`there is no such figure; the figures are ${figures.map((figure) => figure.name).join(', ')}`);
  const day = dayOf('day', options.day, clock.nowMs());
  return measuring(options, day, note, undefined, (trail) => explain(trail, figure, day));
}

function jsonText(report: unknown): string {
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

/**
 * Writes the files, in place of previous ones of the same names, of which a reader sees no half. Only the user may read them.
 * @returns their paths
 * @throws CommandFailed where the folder cannot be written
 */
async function writeReports(folder: string, files: Readonly<Record<string, string>>): Promise<string[]> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (const [name, content] of Object.entries(files)) {
      const written = join(folder, `${name}.${process.pid}.tmp`);
      await writeFile(written, content, { mode: 0o600 });
      await rename(written, join(folder, name));
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandFailed(`${folder} cannot be written (${code}): name another folder with --out`);
  }
  return Object.keys(files).map((name) => join(folder, name));
}
