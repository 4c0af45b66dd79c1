import assert from 'node:assert/strict';
import type { CoreTime, CoreTransaction } from '../../core-adapter/core.records.js';
import { leavesOf, pairs, timeText } from '../compare.js';
import { msOf } from '../history-model.js';
import type { Subject } from '../reads.js';
import type { World } from '../world.js';
import { itemsOf } from './answers.js';
import { assertRead, eachLeaf, recordsOf } from './leaves.js';

type TimeClass = 'leap-day' | 'day' | 'clock-change' | 'instant';

const nameOf: Readonly<Record<TimeClass, string>> = {
  'leap-day': 'record of 29 February',
  day: 'record with a day but no time',
  'clock-change': 'record of a day on which London’s clocks change',
  instant: 'record with a time',
};

/** The clause that checks a time. */
function classOf(time: CoreTime): TimeClass {
  const day = time instanceof Date ? londonDay(time) : time.date;
  if (day.slice(5) === '02-29' || (time instanceof Date && time.toISOString().slice(5, 10) === '02-29'))
    return 'leap-day';
  if (!(time instanceof Date)) return 'day';
  return isClockChange(day) ? 'clock-change' : 'instant';
}

const london = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London', dateStyle: 'short' });

function londonDay(time: Date): string {
  return london.format(time);
}

/** The last Sundays of March and of October. */
function isClockChange(day: string): boolean {
  const month = day.slice(5, 7);
  return (
    (month === '03' || month === '10') && Number(day.slice(8)) > 24 && new Date(`${day}T00:00:00Z`).getUTCDay() === 0
  );
}

export function timesAreTrue(...classes: readonly TimeClass[]) {
  return async (world: World): Promise<void> => {
    for (const wanted of classes)
      world.need(nameOf[wanted], ({ truth }) =>
        recordsOf(truth).some(([, records]) =>
          records.some((record) => leavesOf(record).times.some(({ value }) => classOf(value) === wanted)),
        ),
      );
    if (classes.includes('clock-change')) needBothChanges(world);
    if (classes.includes('instant')) needSeconds(world);
    await eachLeaf(world, 'times', {
      about: classes.map((wanted) => nameOf[wanted]).join(' or '),
      // Another clause checks the times of pending transactions.
      concerns: ({ expected, pending }) => !pending && classes.includes(classOf(expected)),
      check: ({ expected, actual, where }) => assert.equal(timeText(actual), timeText(expected), where),
    });
  };
}

/** Where balances have a time: one that shows whether the adapter cuts it to the minute. */
function needSeconds(world: World): void {
  const timesOf = ({ truth }: Subject): Date[] =>
    (truth.balances ?? []).flatMap(({ at }) => (at instanceof Date ? [at] : []));
  if (world.subjects.some((subject) => timesOf(subject).length > 0))
    world.need('balance whose time has seconds', (subject) => timesOf(subject).some((at) => at.getUTCSeconds() > 0));
}

function needBothChanges(world: World): void {
  for (const [month, change] of [
    ['03', 'forward'],
    ['10', 'back'],
  ] as const)
    world.need(
      `transaction with a time (\`at\` is a Date) on the day on which London’s clocks go ${change}`,
      ({ truth }) =>
        (truth.transactions ?? []).some(
          ({ at }) => at instanceof Date && classOf(at) === 'clock-change' && londonDay(at).slice(5, 7) === month,
        ),
    );
}

/** The same bank, its core in zones far east, far west, and with half hours. */
export async function zonesDoNotMatter(world: World): Promise<void> {
  world.need('account', () => true);
  for (const timeZone of ['Pacific/Auckland', 'America/Los_Angeles', 'Asia/Kolkata'])
    await world.elsewhere({ timeZone }, (there) =>
      eachLeaf(there, 'times', {
        about: 'time',
        check: ({ expected, actual, where }) =>
          assert.equal(timeText(actual), timeText(expected), `${where}, with the core in ${timeZone}`),
      }),
    );
}

export async function pendingIsMade(world: World): Promise<void> {
  const isPending = ({ status }: CoreTransaction): boolean => status === 'pending';
  world.need('pending transaction', ({ truth }) => truth.transactions?.some(isPending) === true);
  const monthAgoMs = Date.now() - 31 * 86_400_000;
  world.need('pending transaction that was made more than a month ago', ({ truth }) =>
    (truth.transactions ?? []).some((row) => isPending(row) && msOf(row.at) < monthAgoMs),
  );
  let checked = 0;
  for (const [subject, snapshot] of await world.everything()) {
    const items = itemsOf(snapshot, 'transactions') as readonly CoreTransaction[];
    const where = (id: string): string => `transaction ${id} of account ${subject.accountRef}`;
    for (const { expected, actual } of pairs((subject.truth.transactions ?? []).filter(isPending), items)) {
      checked++;
      assert.equal(
        timeText(actual.at),
        timeText(expected.at),
        `${where(actual.id)}, pending: \`at\` is the time it was made`,
      );
      if (actual.madeAt !== undefined)
        assert.equal(
          timeText(actual.at),
          timeText(actual.madeAt),
          `${where(actual.id)}, pending: at and madeAt differ`,
        );
    }
    for (const item of items)
      if (item.status === 'booked')
        assert.equal(item.expectedBookingAt, undefined, `${where(item.id)} is booked: nothing is expected of it`);
  }
  assertRead(checked, 'pending transaction');
}
