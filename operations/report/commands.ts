import type { Clock } from '../../src/clock/clock.js';
import { UsageError } from '../../src/commands/command.js';
import type { CommandTable, Given } from '../command-line.js';
import { trailOption } from '../trail/asked-folders.js';
import { explain } from './explain.js';
import { figureNamed, figures } from './figures.js';
import { figuresReport } from './figures-report.js';
import { measuring } from './measuring.js';
import { dayOf, daysOf } from './period.js';

/** @param clock decides which days are over */
export function reportCommands(clock: Clock): CommandTable {
  return {
    name: 'report',
    summary: 'The regulator’s figures, from the decision trail (docs/reports.md).',
    commands: {
      figures: {
        help: 'every figure of a time, with its rule',
        options: {
          ...timeOptions,
          by: { value: 'GROUP', help: 'day, hour, version, endpoint, or stage (of abandoned journeys)' },
        },
        run: (given, tell) => {
          const period = daysOf(needed(given, 'from'), needed(given, 'to'), clock.nowMs());
          const [by = ''] = given.options['by'] ?? [];
          return measuring(given, period, tell, (trail) => figuresReport(trail, period, by));
        },
      },
      explain: {
        help: 'the events behind a figure of a day',
        operands: ['FIGURE'],
        options: { day: { value: 'D', help: 'a day in UTC: 2026-11-24' } },
        run: (given, tell) => {
          const figure = figureNamed(given.operands[0] ?? '');
          if (figure === undefined)
            throw new UsageError(
              `there is no such figure; the figures are ${figures.map(({ name }) => name).join(', ')}`,
            );
          const day = dayOf('day', needed(given, 'day'), clock.nowMs());
          return measuring(given, day, tell, (trail) => explain(trail, figure, day));
        },
      },
    },
    common: trailOption,
  };
}

const timeOptions = {
  from: { value: 'D', help: 'the first day, in UTC: 2026-11-01' },
  to: { value: 'D', help: 'the last day' },
} as const;

function needed({ options }: Given, name: string): string {
  const [value] = options[name] ?? [];
  if (value === undefined) throw new UsageError(`the command needs --${name}`);
  return value;
}
