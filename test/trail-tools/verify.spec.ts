import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { packageRoot } from '../../src/persistence/package-root.js';
import { rawPublicKey, recordHash, signRecord, trailKey, type ChainRecord } from '../../src/trail/root-record.js';
import { withDuckDb } from '../../ops/trail/trail-database.js';
import { factsOf } from '../../ops/trail/segment-check.js';
import { segmentFiles } from '../../src/trail/segment-files.js';
import { trailCommand } from '../support/ops-command.js';
import { request, trailSecret, WrittenTrail } from '../support/written-trail.js';

const instance = 'gateway-1-11111111';
const publicKey = rawPublicKey(trailKey(trailSecret).publicKey).toString('base64url');
const requests = (...ids: string[]) => ids.map((id) => request(id, '2026-11-24T14:03:00.000Z'));

let trail: WrittenTrail;
let segments: [string, string, string];
beforeEach(async () => {
  process.env['TRAIL_KEY'] = trailSecret;
  trail = await WrittenTrail.make();
  segments = [
    await trail.close('2026-11-23T12:00:00.000Z', instance, requests('a-1', 'a-2')),
    await trail.close('2026-11-24T13:00:00.000Z', instance, requests('b-1', 'b-2', 'b-3')),
    await trail.close('2026-11-24T14:00:00.000Z', instance, requests('c-1', 'c-2', 'c-3', 'c-4', 'c-5', 'c-6')),
  ];
});
afterEach(async () => {
  delete process.env['TRAIL_KEY'];
  await trail.remove();
});
const verify = (...words: string[]) => trailCommand('verify', '--trail', trail.folder, ...words);

describe('trail verify', () => {
  it('finds an untouched trail whole, and says how much it compared with which roots', async () => {
    const { code, text } = await verify();
    expect(text).toBe(
      '14 events of 1 instance (gateway-1-11111111) have not changed since they were written. They are covered by 3 roots.\n' +
        'The roots come from the files next to the segments: this cannot detect the removal of the newest ' +
        'segments together with their roots. Set DATABASE_URL to compare with the database.\n' +
        `The last record is 3, with the hash ${recordHash(trail.records[2] as ChainRecord)}.`,
    );
    expect(code).toBe(0);
  });

  const swap = (lines: string[]) => [lines[0] ?? '', lines[2] ?? '', lines[1] ?? '', ...lines.slice(3)];
  it.each<[string, (lines: string[]) => string[], string]>([
    [
      'a changed event',
      (lines) => lines.map((line) => line.replace('"b-2"', '"b-9"')),
      'FAULT (changed): SEGMENT: at least one of its 4 events was changed',
    ],
    [
      'two events that changed places',
      swap,
      'FAULT (changed): SEGMENT: at least one of its 4 events was changed; line 2 is event 3',
    ],
    [
      'an event that is missing in the middle',
      (lines) => lines.toSpliced(2, 1),
      'FAULT (cut): SEGMENT: 1 event of 4 is missing; line 3 is event 4',
    ],
    [
      'events that were cut off the end',
      (lines) => lines.slice(0, 2),
      'FAULT (cut): SEGMENT: 2 events of 4 are missing',
    ],
    [
      'an inserted event',
      (lines) => lines.toSpliced(2, 0, lines[1] ?? ''),
      'FAULT (inserted): SEGMENT: 1 line was inserted that its root does not cover; line 3 is event 2',
    ],
    [
      'an appended line that is not an event',
      (lines) => [...lines, 'x'],
      'FAULT (inserted): SEGMENT: 1 line was inserted that its root does not cover; line 5 is not an event',
    ],
  ])('finds %s', async (_, change, fault) => {
    await trail.tamper(segments[1], change);
    const { code, text } = await verify();
    expect(text.split('\n').slice(0, 2)).toEqual([fault.replace('SEGMENT', segments[1]), '1 fault.']);
    expect(code).toBe(1);
  });

  it('finds half a line at the end of a closed segment', async () => {
    await appendFile(trail.path(segments[1], 'closed'), '{"v":1,');
    expect((await verify()).text).toContain('FAULT (inserted)');
  });

  it('finds a missing segment, and names the machine whose folder is not given', async () => {
    await rm(trail.path(segments[1], 'closed'));
    expect((await verify()).text).toContain(`FAULT (missing): ${segments[1]}: the segment is missing\n`);
    const elsewhere = await trail.close('2026-11-24T15:00:00.000Z', 'gateway-2-22222222', requests('d-1'));
    await rm(trail.path(elsewhere, 'closed'));
    expect((await verify()).text).toContain(
      `${elsewhere}: the segment is missing; no folder has a segment of its instance: give the folder of that machine with --trail`,
    );
  });

  it('finds a segment that is missing with its root, by the gap in the chain', async () => {
    await rm(trail.path(segments[1], 'closed'));
    await rm(trail.path(segments[1], 'root'));
    expect((await verify()).text).toContain('FAULT (missing): record 2 is missing from the chain\n1 fault.');
  });

  const change = async (segment: string, changed: (record: ChainRecord) => object): Promise<void> => {
    const path = trail.path(segment, 'root');
    await writeFile(path, JSON.stringify(changed(JSON.parse(await readFile(path, 'utf8')) as ChainRecord)));
  };

  it('finds a changed root, whose signature is then wrong', async () => {
    await change(segments[1], (record) => ({ ...record, closed: 'stop' }));
    expect((await verify()).text).toContain('FAULT (signature): record 2 was changed: its signature is wrong');
  });

  it('finds a root that another key signed', async () => {
    await change(segments[2], ({ signature: _, keyId: __, sequence, previous, ...content }) =>
      signRecord(content, { sequence, previous }, trailKey('an attacker’s key')),
    );
    expect((await verify()).text).toMatch(
      /FAULT \(signature\): record 3 is signed by the key [0-9a-f]{16}, which you did not give/,
    );
  });

  it('says in one line that all records have a key which was not given', async () => {
    process.env['TRAIL_KEY'] = 'the key of another bank';
    expect((await verify()).text).toMatch(
      /^FAULT \(signature\): 3 records, from 1 to 3, are signed by the key [0-9a-f]{16}, which you did not give: .*\n1 fault\.$/m,
    );
  });

  it('finds a forked history: two records for one place, and a record that follows another', async () => {
    const [first, second] = trail.records;
    trail.records.length = 1;
    const fork = await trail.close('2026-11-24T13:30:00.000Z', instance, requests('x-1'));
    const { text } = await verify();
    expect([first?.sequence, second?.sequence]).toEqual([1, 2]);
    expect(text).toContain('FAULT (forked): the history was forked: there are two records 2');
    await rm(trail.path(fork, 'root'));
    await rm(trail.path(fork, 'closed'));
    expect((await verify()).code).toBe(0);

    trail.records.length = 1;
    await rm(trail.path(segments[1], 'root'));
    await rm(trail.path(segments[1], 'closed'));
    await trail.close('2026-11-24T13:30:00.000Z', instance, requests('x-1'));
    expect((await verify()).text).toContain(
      'FAULT (forked): the history was forked: record 3 does not follow the record 2 that was found',
    );
  });

  it('finds a file that is not a record', async () => {
    await writeFile(trail.path(segments[2], 'root'), '{"v":1}');
    expect((await verify()).text).toContain('FAULT (unreadable)');
  });

  it('says which events are not yet under a root, and finds no fault in them or in half a line', async () => {
    const open = await trail.open('2026-11-24T15:00:00.000Z', instance, requests('d-1'), '{"v":1,"ki');
    const waiting = await trail.close('2026-11-24T14:30:00.000Z', instance, requests('e-1'));
    await rm(trail.path(waiting, 'root'));
    const { code, text } = await verify();
    expect(code).toBe(0);
    expect(text).toContain(`Not covered by a root yet: 2 events of ${waiting} (closed)`);
    expect(text).toContain(`Not covered by a root yet: 2 events of ${open} (open)`);
  });

  it.each<[string, (lines: string[]) => string[]]>([
    [
      'a first line of no gateway',
      (lines) => lines.map((line) => line.replace(/"signature":"[^"]+"/, '"signature":"AA"')),
    ],
    ['no first line', (lines) => lines.slice(1)],
  ])('finds a file that the gateways do not put under a root, because it has %s', async (_, change) => {
    const forged = await trail.close('2026-11-22T12:00:00.000Z', 'gateway-9-99999999', requests('x-1'));
    await rm(trail.path(forged, 'root'));
    trail.records.length--;
    expect(await verify()).toMatchObject({
      code: 0,
      text: expect.stringContaining(`Not covered by a root yet: 2 events of ${forged}`),
    });
    await trail.tamper(forged, change);
    const { code, text } = await verify();
    expect([code, text]).toEqual([1, expect.stringContaining(`FAULT (foreign): ${trail.path(forged, 'closed')}: `)]);
    expect(text).not.toContain('Not covered by a root yet');
  });

  it('finds a segment that was moved with its root to the folder of another day, and a copy of one', async () => {
    const elsewhere = join(trail.folder, '2026-11-25');
    await mkdir(elsewhere);
    const there = (state: 'closed' | 'root') => join(elsewhere, basename(trail.path(segments[1], state)));
    for (const state of ['closed', 'root'] as const) await cp(trail.path(segments[1], state), there(state));
    const copied = `FAULT (foreign): ${there('closed')}: a segment of 2026-11-24 is not in the folder of that day\n`;
    expect((await verify()).text).toContain(`${copied}1 fault.`);
    for (const state of ['closed', 'root'] as const) await rm(trail.path(segments[1], state));
    const { text } = await verify();
    expect(text).toContain(copied);
    expect(text).toContain(`FAULT (missing): ${segments[1]}: the segment is missing`);
  });

  it('finds a pipe, a link and an endless line, without waiting for them or reading on', async () => {
    const foreign = (hour: number) => `20261124T${hour}0000000Z.gateway-9-99999999`;
    execFileSync('mkfifo', [trail.path(foreign(15), 'open'), trail.path(foreign(15), 'root')]);
    await symlink('/dev/zero', trail.path(foreign(16), 'closed'));
    await truncate(trail.path(segments[1], 'closed'), 10_000_000_000);
    const { text } = await verify();
    expect(text.match(/FAULT \(foreign\): .*not a regular file/g)).toHaveLength(2);
    expect(text).toContain(`FAULT (unreadable): ${trail.path(foreign(15), 'root')} is not a root record`);
    expect(text).toContain(`FAULT (foreign): ${trail.path(segments[1], 'closed')}: it has a line that is longer`);
  });

  it('finds the record of another segment next to a segment', async () => {
    await cp(trail.path(segments[0], 'root'), trail.path(segments[1], 'root'));
    expect((await verify()).text).toContain(
      `FAULT (unreadable): ${trail.path(segments[1], 'root')} is not a root record`,
    );
  });

  it('finds an index that has not exactly the events of its segments', async () => {
    await trailCommand('index', '--trail', trail.folder);
    expect((await verify()).code).toBe(0);
    const day = join(trail.folder, '2026-11-24');
    const index = join(day, (await readdir(day)).find((name) => name.endsWith('.parquet')) ?? '');
    for (const select of [
      `SELECT * FROM read_parquet('${index}') LIMIT 0`,
      `SELECT * REPLACE (CASE "id" WHEN 'b-2' THEN 'b-9' ELSE "id" END AS "id") FROM read_parquet('${index}')`,
    ]) {
      await rm(index, { force: true });
      await trailCommand('index', '--trail', trail.folder);
      await withDuckDb((connection) => connection.run(`COPY (${select}) TO '${index}.forged' (FORMAT parquet)`));
      await rename(`${index}.forged`, index);
      const { code, text } = await verify();
      expect([code, text]).toEqual([1, expect.stringContaining(`FAULT (index): ${index} does not match its segments`)]);
    }
  });

  it('names the roots that were made more than a day after their segments were due to close', async () => {
    await trail.close('2026-11-22T12:00:00.000Z', instance, requests('l-1'), '2026-11-23T13:00:00.000Z');
    expect((await verify()).text).not.toContain('late');
    const late = await trail.close('2026-11-22T13:00:00.000Z', instance, requests('l-2'), '2026-11-23T14:00:00.001Z');
    expect(await verify()).toMatchObject({
      code: 0,
      text: expect.stringContaining(
        `Signed late: ${late} got its root at 2026-11-23T14:00:00.001Z, because the database was unreachable.`,
      ),
    });
  });

  it('compares from a day on, with the part of the chain that begins there', async () => {
    await trail.tamper(segments[0], (lines) => lines.slice(0, 1));
    expect((await verify()).code).toBe(1);
    const { code, text } = await verify('--from', '2026-11-24');
    expect([code, text]).toEqual([
      0,
      expect.stringMatching(
        /^11 events of 1 instance \(.*\) have not changed .* covered by 2 roots.*\n.*\nDays before 2026-11-24 were not checked\./,
      ),
    ]);
    await change(segments[1], ({ signature: _, keyId: __, sequence, ...content }) =>
      signRecord(content, { sequence, previous: '0'.repeat(64) }, trailKey(trailSecret)),
    );
    expect((await verify('--from', '2026-11-24')).text).toContain(
      'record 2 does not follow the record 1 that was found',
    );
    await trail.tamper(segments[1], (lines) => lines.slice(0, 1));
    expect((await verify('--from', '2026-11-24')).text).toContain(`FAULT (cut): ${segments[1]}`);
    expect((await verify('--from', '2026-11-25')).code).toBe(0);
  });

  it('reads a segment that its process closed since it was listed', async () => {
    const [file] = (await segmentFiles(trail.folder)).segments.slice(1);
    const listed = { path: `${file?.path}.open`, closedPath: file?.path ?? '' };
    expect(await factsOf(listed)).toMatchObject({ events: 4, lost: 0, half: false });
  });

  it('shows how many events the trail itself says that it lost', async () => {
    await trail.close('2026-11-24T15:00:00.000Z', instance, [request('d-1', '2026-11-24T15:01:00.000Z', { lost: 3 })]);
    expect((await verify()).text).toContain('The trail records that 3 events could not be written.');
  });

  it('accepts the same folder twice, and a public key in place of TRAIL_KEY', async () => {
    delete process.env['TRAIL_KEY'];
    expect((await verify('--trail', trail.folder, '--key', publicKey)).code).toBe(0);
    expect((await verify()).told).toEqual([
      expect.stringContaining('set TRAIL_KEY, or name the public key with --key'),
    ]);
    expect((await verify('--key', 'x')).told).toEqual([expect.stringContaining('--key is not a public key')]);
  });

  it('prints the public key', async () => {
    expect((await trailCommand('key')).text).toBe(publicKey);
  });
});

describe('trail prove', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'proof-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const prove = async (id: string): Promise<string> => (await trailCommand('prove', id, '--trail', trail.folder)).text;
  /** In another process, in a folder without the trail. */
  async function verified(
    proof: string,
    key = publicKey,
  ): Promise<{ status: number | null; stdout: string; stderr: string }> {
    await writeFile(join(folder, 'proof.json'), proof);
    await cp(join(packageRoot(), 'ops/verify-proof.mjs'), join(folder, 'verify-proof.mjs'));
    const words = ['verify-proof.mjs', 'proof.json', key];
    return spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8', env: {} });
  }

  it.each(['c-1', 'c-2', 'c-3', 'c-4', 'c-5', 'c-6', 'a-2'])(
    'proves %s to a program that has nothing else',
    async (id) => {
      const { status, stdout, stderr } = await verified(await prove(id));
      expect([status, stderr]).toEqual([0, '']);
      const [line = '', words] = stdout.split('\n');
      expect(JSON.parse(line)).toMatchObject({ id });
      expect(words).toMatch(/^proven: event \d of \d in 2026.*, record \d of the chain, signed at 2026-11-2\dT.*Z$/);
    },
  );

  interface Proof {
    publicKey: string;
    events: { line: string; index: number; path: string[]; record: Record<string, unknown> }[];
  }
  const zeros = '0'.repeat(64);
  const first = (proof: Proof) => proof.events[0] as Proof['events'][number];
  it.each<[string, (proof: Proof) => void]>([
    ['the line', (proof) => (first(proof).line = first(proof).line.replace('200', '201'))],
    ['the index', (proof) => first(proof).index++],
    ['the index, beyond the segment', (proof) => (first(proof).index = 7)],
    ['the index, to a negative one', (proof) => (first(proof).index = -1)],
    ['a hash of the path', (proof) => (first(proof).path[1] = zeros)],
    ['the end of the path', (proof) => first(proof).path.pop()],
    ['the path, by one hash more', (proof) => first(proof).path.push(zeros)],
    ['the root', (proof) => (first(proof).record['root'] = zeros)],
    ['the number of events', (proof) => (first(proof).record['events'] = 8)],
    ['the place in the chain', (proof) => (first(proof).record['previous'] = zeros)],
    ['the signature', (proof) => (first(proof).record['signature'] = 'A'.repeat(86))],
    ['the key’s name', (proof) => (first(proof).record['keyId'] = '0'.repeat(16))],
    ['the public key', (proof) => (proof.publicKey = rawPublicKey(trailKey('x').publicKey).toString('base64url'))],
    ['the events, by leaving them out', (proof) => (proof.events = [])],
    ['a record, by leaving it out', (proof) => delete (first(proof) as Partial<(typeof proof.events)[number]>).record],
  ])('gives a proof that fails after a change of %s', async (_, change) => {
    const proof = JSON.parse(await prove('c-3')) as Proof;
    change(proof);
    const { status, stdout, stderr } = await verified(JSON.stringify(proof));
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^not proven: .+\n$/);
  });

  it('gives a proof that fails for another key, with which an attacker could have made all of it', async () => {
    const attacker = rawPublicKey(trailKey('x').publicKey).toString('base64url');
    expect((await verified(await prove('c-3'), attacker)).stderr).toContain('another key than PUBLIC_KEY');
  });

  it('says why there is no proof: an unknown id, an open segment, a changed segment', async () => {
    await trail.open('2026-11-24T15:00:00.000Z', instance, requests('d-1'));
    const told = async (id: string) => (await trailCommand('prove', id, '--trail', trail.folder)).told.at(-1);
    expect(await told('z-1')).toContain('no event has the id z-1');
    expect(await told('d-1')).toContain('which has no root yet: a segment closes after an hour at most');
    await trail.tamper(segments[2], (lines) => lines.slice(0, 4));
    expect(await told('c-2')).toContain('does not match its root');
  });
});
