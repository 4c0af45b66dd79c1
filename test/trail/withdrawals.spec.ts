import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, cp, mkdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { readWithdrawals, type WithdrawalsInTrail } from '../../src/trail/read-withdrawals.js';
import { trailKey } from '../../src/trail/root-record.js';
import { withMac } from '../../src/trail/withdrawal-line.js';
import { WrittenTrail, type Withdrawn } from '../support/written-trail.js';
import { dayMs, noon } from '../support/stack.js';
import { trailKeys } from '../support/trail-keys.js';

const key = trailKey(trailKeys.TRAIL_KEY);
const otherSecret = 'another-trail-key-0123456789abcdef0123456789';
/** Four processes start, one after the other. */
const killedWithinMs = 300_000;
const [one, two] = ['host-1-00000001', 'host-2-00000002'];

describe('the withdrawals in a trail', () => {
  let trail: WrittenTrail;
  beforeEach(async () => {
    trail = await WrittenTrail.make();
  });
  afterEach(() => trail.remove());

  const of = (consent: string, second = 0): Withdrawn => ({
    at: new Date(noon + second * 1_000).toISOString(),
    event: 'consent-revoked',
    consent,
    by: 'bank',
  });
  const read = (folders = [trail.folder], sinceMs = noon, by = key): Promise<WithdrawalsInTrail> =>
    readWithdrawals(folders, sinceMs, by);
  const subjects = ({ withdrawals }: WithdrawalsInTrail): string[] => withdrawals.map(({ subject }) => subject);
  const rewrite = (segment: string, lines: readonly string[], state: 'open' | 'closed' = 'closed'): Promise<void> =>
    writeFile(trail.path(segment, state), lines.map((line) => `${line}\n`).join(''));
  /** The places of the withdrawals among the lines; the first line is 0. */
  const places = [2, 4, 6];
  const displaced = (path: string, line: number): string =>
    `${path}: line ${line} is not where the gateway wrote it: lines were removed, repeated or moved`;
  const forged = (path: string, lines: string): string =>
    `${path}: no gateway with this TRAIL_KEY wrote the withdrawals in ${lines} (the MAC is wrong or missing): refused`;
  const changed = (path: string, lines: number, events: number): string =>
    `${path}: its ${lines} lines are not the ${events} events of its signed root`;

  it('are read from every folder by time, each from the time on that is asked for, and each once', async () => {
    const other = await WrittenTrail.make();
    await trail.run(one, noon - 1_000, [of('before', -1), of('first', 0), of('third', 2)]);
    await other.run(two, noon, [of('second', 1)], { ends: 'killed' });
    const found = await read([trail.folder, other.folder, other.folder]);
    await other.remove();
    expect([subjects(found), found.segments, found.faults, found.notes]).toEqual([
      ['first', 'second', 'third'],
      2,
      [],
      [],
    ]);
  });

  it('name their subjects as the caller named them, whatever characters these have', async () => {
    const tpp = 'x\u009b31m\u202e\u001b[2J"\\\n\u2028Zoë';
    const suspended = { at: of('').at, event: 'tpp-suspended', issuer: 'https://as.example', tpp } as const;
    const segment = await trail.run(one, noon, [suspended]);
    expect((await read()).withdrawals).toMatchObject([
      { event: 'tpp-suspended', issuer: 'https://as.example', subject: tpp },
    ]);
    expect(await readFile(trail.path(segment, 'closed'), 'utf8')).not.toMatch(/[\u007f-\u009f\u202e]/);
  });

  it('of a day are read also where the event was written late, in a segment of a later day', async () => {
    await trail.run(one, noon + 3 * dayMs, [of('late', 1)]);
    await trail.run(two, noon - 2 * dayMs, [of('early', -2 * 86_400)]);
    const { withdrawals, segments } = await read();
    expect([withdrawals.map(({ subject }) => subject), segments]).toEqual([['late'], 1]);
  });

  it('are known at whichever byte the process was killed, up to its last complete line', async () => {
    const all = [of('a'), of('b'), of('c')];
    const segment = await trail.run(one, noon, all, { ends: 'killed' });
    const path = trail.path(segment, 'open');
    const content = await readFile(path);
    const ends = content.reduce<number[]>((found, byte, index) => (byte === 0x0a ? [...found, index + 1] : found), []);
    for (let length = content.length; length >= 0; length--) {
      await truncate(path, length);
      const { withdrawals, faults, notes } = await read();
      const complete = ends.filter((end) => end <= length).length;
      expect([length, withdrawals.length]).toEqual([length, places.filter((place) => place < complete).length]);
      expect(faults).toEqual([]);
      const isCut = length > 0 && !ends.includes(length);
      expect(notes).toEqual(isCut ? [`${path}: half a line at its end, which was never acknowledged`] : []);
    }
  });

  it(
    'are all known that were acknowledged by a process which was then killed, round after round',
    async () => {
      const loader = new URL('../support/typescript-loader.mjs', import.meta.url).href;
      const program = fileURLToPath(new URL('./withdrawing-process.ts', import.meta.url));
      const acknowledged: string[] = [];
      for (const answers of [1, 7, 40, 200]) {
        const args = ['--import', loader, program, trail.folder, `host-${answers}-00000000`];
        const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
        const exited = once(child, 'exit');
        let answered = 0;
        for await (const line of createInterface(child.stdout)) {
          acknowledged.push(line);
          if (++answered === answers) child.kill('SIGKILL');
        }
        expect(await exited).toEqual([null, 'SIGKILL']);
        const found = await read([trail.folder], 0);
        const known = new Set(subjects(found));
        expect(acknowledged.filter((consent) => !known.has(consent))).toEqual([]);
        expect(found.faults).toEqual([]);
      }
    },
    killedWithinMs,
  );

  describe('after an attack on the files', () => {
    let segment: string;
    let path: string;
    let lines: string[];
    beforeEach(async () => {
      segment = await trail.run(one, noon, [of('a'), of('b'), of('c')]);
      path = trail.path(segment, 'closed');
      lines = await trail.lines(segment);
      expect(lines).toHaveLength(7);
    });

    const withdrawn = (place: number): string => lines[places[place] ?? 0] ?? '';

    it.each(['at', 'event', 'consent', 'by', 'id', 'number', 'seq', 'mac'])(
      'are refused where a line has another "%s", and the others are read',
      async (member) => {
        const other = { at: '2026-06-15T12:00:09.000Z', event: 'consent-deleted', by: 'customer', number: 9, seq: 9 };
        const event = {
          ...JSON.parse(withdrawn(1)),
          [member]: 'A'.repeat(43),
          ...(member in other && { [member]: other[member as 'at'] }),
        };
        await rewrite(segment, lines.with(4, JSON.stringify(event)));
        const found = await read();
        expect(subjects(found)).toEqual(['a', 'c']);
        expect(found.faults).toEqual([displaced(path, 7), changed(path, 7, 7), forged(path, 'line 5')]);
      },
    );

    it.each<[string, (authentic: Record<string, unknown>) => string]>([
      ['has no MAC', ({ mac: _, ...event }) => JSON.stringify({ ...event, consent: 'victim' })],
      ['has a guessed MAC', (event) => JSON.stringify({ ...event, consent: 'victim', mac: 'A'.repeat(43) })],
      ['has the MAC of another line', (event) => JSON.stringify({ ...event, consent: 'victim' })],
      [
        'has the MAC of another key',
        ({ mac: _, number: __, ...event }) =>
          withMac(JSON.stringify({ ...event, consent: 'victim' }), 4, trailKey(otherSecret).macKey),
      ],
      ['has a MAC that is too short', (event) => JSON.stringify({ ...event, consent: 'victim', mac: 'AAAA' })],
    ])('take away nothing by an added line that %s', async (_how, make) => {
      await rewrite(segment, [...lines, make(JSON.parse(withdrawn(2)))]);
      const found = await read();
      expect(subjects(found)).toEqual(['a', 'b', 'c']);
      expect(found.faults).toEqual([changed(path, 8, 7), forged(path, 'line 8')]);
    });

    it.each<[string, (all: string[]) => string[], string[], number[]]>([
      ['the second withdrawal was removed', (all) => all.toSpliced(4, 1), ['a', 'c'], [6]],
      ['the first withdrawal was removed', (all) => all.toSpliced(2, 1), ['b', 'c'], [4]],
      ['the last withdrawal was removed', (all) => all.toSpliced(6, 1), ['a', 'b'], []],
      ['another event took the place of a withdrawal', (all) => all.with(4, all[3] ?? ''), ['a', 'c'], [7]],
      ['a withdrawal was repeated', (all) => [...all, all[4] ?? ''], ['a', 'b', 'c'], [8]],
      [
        'two withdrawals changed their places',
        (all) => all.with(2, all[4] ?? '').with(4, all[2] ?? ''),
        ['a', 'b', 'c'],
        [3, 5, 7],
      ],
      ['another event was removed', (all) => all.toSpliced(3, 1), ['a', 'b', 'c'], []],
    ])(
      'are read as far as they are there, and the change is named, where %s',
      async (_how, change, left, displacedLines) => {
        const now = change(lines);
        await rewrite(segment, now);
        const found = await read();
        expect(subjects(found).sort()).toEqual(left);
        expect(found.faults).toEqual([
          ...displacedLines.map((line) => displaced(path, line)),
          changed(path, now.length, 7),
        ]);
      },
    );

    it('count in whichever segment they stand: one that was moved to another file is read there, and named', async () => {
      const other = await trail.run(two, noon, [of('d')], { ends: 'killed' });
      await rewrite(segment, lines.toSpliced(4, 1));
      await appendFile(trail.path(other, 'open'), `${withdrawn(1)}\n`);
      const found = await read();
      expect(subjects(found).sort()).toEqual(['a', 'b', 'c', 'd']);
      expect(found.faults).toEqual([displaced(path, 6), changed(path, 6, 7), displaced(trail.path(other, 'open'), 4)]);
    });

    it('count also where their file has another name or stands in the folder of another day, which is named', async () => {
      const renamed = join(dirname(path), `20260615T130000000Z.${two}.ndjson`);
      await rename(path, renamed);
      const found = await read();
      expect(subjects(found).sort()).toEqual(['a', 'b', 'c']);
      expect(found.faults).toEqual([
        ...[3, 5, 7].map((line) => displaced(renamed, line)),
        `${segment}: the segment is missing, with 7 events`,
      ]);
      const day = join(trail.folder, '2026-06-16');
      await mkdir(day);
      await rename(renamed, join(day, basename(path)));
      const moved = await read();
      expect(subjects(moved).sort()).toEqual(['a', 'b', 'c']);
      expect(moved.faults).toEqual([
        `${join(day, basename(path))}: a segment of 2026-06-15 is not in the folder of that day`,
      ]);
    });

    it('are known to be missing where their file was removed, or moved to a name that no segment has', async () => {
      const stray = join(trail.folder, 'kept.ndjson');
      await rename(path, stray);
      expect(await read()).toEqual({
        withdrawals: [],
        segments: 0,
        faults: [`${segment}: the segment is missing, with 7 events`],
        notes: [`${stray}: not a file of the trail, not read`],
      });
    });

    it('are known to be missing where their file was removed with its root, by the number of a later root', async () => {
      await trail.run(one, noon + 1, [of('b2')]);
      await trail.run(one, noon + 2, [of('c2')]);
      await trail.run(two, noon + 3, [of('d2')]);
      for (const { segment: gone } of trail.records.slice(1, 3) as { segment: string }[])
        await Promise.all([rm(trail.path(gone, 'closed')), rm(trail.path(gone, 'root'))]);
      const found = await read();
      expect(subjects(found).sort()).toEqual(['a', 'b', 'c', 'd2']);
      expect(found.faults).toEqual([
        'records 2 to 3 of the chain: in no folder. Name the TRAIL_DIR of every instance with --trail; otherwise files were removed',
      ]);
    });

    it('take no root from another hand', async () => {
      const rootPath = trail.path(segment, 'root');
      const record = JSON.parse(await readFile(rootPath, 'utf8'));
      for (const text of [JSON.stringify({ ...record, events: 6 }), 'null', '{', '']) {
        await writeFile(rootPath, text);
        const found = await read();
        expect(subjects(found)).toEqual(['a', 'b', 'c']);
        expect(found.faults).toEqual([`${rootPath}: not the record that a gateway with this TRAIL_KEY signed`]);
      }
    });

    it('are read without waiting for a pipe, without following a link, and without the end of an endless line', async () => {
      const beside = (name: string): string => join(dirname(path), `20260615T120000000Z.${name}.ndjson`);
      await symlink(path, beside('link-1-00000001'));
      expect(spawnSync('/usr/bin/mkfifo', [beside('pipe-1-00000001')]).status).toBe(0);
      await cp(path, beside('long-1-00000001'));
      await appendFile(beside('long-1-00000001'), 'x'.repeat(1_000_000));
      const found = await read();
      expect(subjects(found)).toEqual(['a', 'b', 'c']);
      const irregular = 'it is a link, a pipe or something else that is not a regular file';
      expect(found.faults).toEqual(
        expect.arrayContaining([
          `${beside('link-1-00000001')}: ${irregular}`,
          `${beside('pipe-1-00000001')}: ${irregular}`,
          `${beside('long-1-00000001')}: it has a line that is longer than a gateway writes`,
        ]),
      );
    });

    it('of another TRAIL_KEY are refused and named, and are read with that key', async () => {
      const other = await trail.run(two, noon, [of('d')], { secret: otherSecret, ends: 'killed' });
      const found = await read();
      expect(subjects(found)).toEqual(['a', 'b', 'c']);
      expect(found.faults).toEqual([forged(trail.path(other, 'open'), 'line 3')]);
      expect(subjects(await read([trail.folder], noon, trailKey(otherSecret)))).toEqual(['d']);
    });

    it('of a kind that this release does not know are named', async () => {
      const { mac: _, number: __, ...event } = JSON.parse(withdrawn(2));
      const unknown = withMac(JSON.stringify({ ...event, event: 'account-closed' }), 3, key.macKey);
      await rewrite(segment, lines.with(6, unknown));
      const found = await read();
      expect(subjects(found)).toEqual(['a', 'b']);
      expect(found.faults).toEqual([
        `${path}: line 7 is a withdrawal that this release does not know`,
        changed(path, 7, 7),
      ]);
    });
  });
});
