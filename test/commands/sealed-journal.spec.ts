import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import {
  appendFile,
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
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../src/commands/run.js';
import type { JournalEntry } from '../../src/consents/journal/journal-entry.dto.js';
import { FileRevocationJournal } from '../../src/consents/journal/revocation-journal.js';
import type { PrismaService } from '../../src/persistence/prisma.service.js';
import { TppStandingStore } from '../../src/security/tpp-standing.store.js';
import { FakeClock } from '../support/fake-clock.js';
import { emptyDatabase, type EmptyDatabase } from '../support/lent-pglite.js';
import { journalKey, sealedLines } from '../support/journal-lines.js';
import { noon } from '../support/stack.js';
import { anIssuer } from '../support/tpp-named.js';
import { noSettings } from '../support/no-settings.js';

/** After noon the bank suspended three TPPs and reinstated one, each a second after the previous one. */
const done = [
  ['tpp-suspended', 'tpp-out'],
  ['tpp-suspended', 'tpp-back'],
  ['tpp-reinstated', 'tpp-back'],
  ['tpp-suspended', 'tpp-last'],
] as const;
const otherKey = 'another-journal-key-0123456789abcdef01234567';

describe('recover, from a journal that an attacker can write to,', () => {
  let folder: string;
  let database: EmptyDatabase;
  let prisma: PrismaService;
  /** The file that the gateway wrote, and its lines. */
  let name: string;
  let lines: string[];
  beforeAll(async () => {
    database = await emptyDatabase();
    prisma = database.prisma;
  });
  afterAll(async () => {
    await database.close();
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sealed-'));
    await prisma.tppStanding.deleteMany();
    await keep(journalKey);
    [name = ''] = await readdir(folder);
    lines = (await readFile(join(folder, name), 'utf8')).split('\n').slice(0, -1);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const entryOf = (second: number): JournalEntry => {
    const [event, id] = done[second] ?? ['tpp-suspended', ''];
    return { at: new Date(noon + second * 1_000).toISOString(), event, id, issuer: anIssuer };
  };
  /** Seals entries as a gateway does. */
  async function keep(key: string, entries = done.map((_, second) => entryOf(second))): Promise<void> {
    const watch = { failed: () => undefined, overdue: () => undefined };
    const journal = await FileRevocationJournal.open({ directory: folder, key }, new FakeClock(noon), watch);
    for (const entry of entries) await journal.note(entry);
    await journal.close();
  }
  const rewrite = (changed: readonly string[]) =>
    writeFile(join(folder, name), changed.map((line) => `${line}\n`).join(''));

  interface Outcome {
    readonly code: number;
    readonly said: { readonly applied: number; readonly faults: readonly string[]; readonly notes: readonly string[] };
    readonly text: string;
  }
  async function recover(key = journalKey): Promise<Outcome> {
    const settings = {
      ...noSettings,
      journalKey: () => key,
      // The command closes the database that it opened; the test's own stays open.
      openDatabase: async () => Object.create(prisma, { onApplicationShutdown: { value: async () => undefined } }),
    };
    const outputs: string[] = [];
    const say = (text: string) => void outputs.push(text);
    const args = ['recover', '--journal', folder, '--since', new Date(noon).toISOString()];
    const code = await run([...args, '--json'], settings, say, say);
    const [json = ''] = outputs;
    if (code === 1) await run(args, settings, say, say);
    return { code, said: JSON.parse(json), text: outputs.at(-1) ?? '' };
  }
  const suspended = async () => (await new TppStandingStore(prisma).list()).map(({ tpp }) => tpp.clientId).sort();
  const refusedAt = async (line: number, file = name): Promise<void> => {
    const { code, said, text } = await recover();
    expect([code, said.applied]).toEqual([1, 0]);
    expect(said.faults).toEqual([`${file}:${line}: not the line that the gateway wrote there (its HMAC is wrong)`]);
    expect(text).toContain('1 files are refused, and nothing was changed. Put them back from a copy');
    expect(await suspended()).toEqual([]);
  };

  it('applies the unchanged lines of the gateway', async () => {
    const { code, said } = await recover();
    expect([code, said.applied, said.faults]).toEqual([0, 2, []]);
    expect(await suspended()).toEqual(['tpp-last', 'tpp-out']);
  });

  it.each(['at', 'event', 'id', 'issuer', 'by', 'mac'])(
    'changes nothing where a line has another "%s", and names the line',
    async (member) => {
      const other = {
        at: '2026-06-15T12:00:09.000Z',
        event: 'tpp-reinstated',
        id: 'x',
        issuer: 'embedded',
        by: 'bank',
        mac: 'A'.repeat(43),
      };
      const line = { ...JSON.parse(lines[1] ?? ''), [member]: other[member as keyof typeof other] };
      const { mac, ...entry } = line;
      await rewrite([lines[0] ?? '', JSON.stringify({ ...entry, mac }), ...lines.slice(2)]);
      await refusedAt(2);
    },
  );

  it('changes nothing where one character of a line differs', async () => {
    await rewrite([...lines.slice(0, 3), (lines[3] ?? '').replace(':', ' :')]);
    await refusedAt(4);
  });

  it.each([
    [
      '{"at":"2026-06-15T12:00:05.000Z","event":"tpp-reinstated","id":"tpp-out","issuer":"https://as.example"}',
      'no HMAC',
    ],
    [
      `{"at":"2026-06-15T12:00:05.000Z","event":"tpp-reinstated","id":"tpp-out","issuer":"https://as.example","mac":"${'A'.repeat(43)}"}`,
      'a guessed HMAC',
    ],
    ['{}', 'no entry'],
    ['[]', 'a list'],
    ['null', 'nothing'],
    ['', 'no text'],
  ])('reinstates no TPP by an added line: %s (%s)', async (line) => {
    await rewrite([...lines, line]);
    await refusedAt(5);
  });

  it('changes nothing where a line was sealed under another key', async () => {
    const line = sealedLines(name, [JSON.stringify(entryOf(2))], otherKey).trimEnd();
    await rewrite([...lines, line]);
    await refusedAt(5);
  });

  it.each([
    ['removed', (all: readonly string[]) => [...all.slice(0, 1), ...all.slice(2)], 2],
    ['the first one and was removed', (all: readonly string[]) => all.slice(1), 1],
    ['repeated', (all: readonly string[]) => [...all, ...all.slice(2, 3)], 5],
    ['moved', (all: readonly string[]) => [...all.slice(1, 2), ...all.slice(0, 1), ...all.slice(2)], 1],
  ])('changes nothing where a line was %s', async (_how, change, at) => {
    await rewrite(change(lines));
    await refusedAt(at);
  });

  it('refuses a file that was renamed', async () => {
    const renamed = '2026-06-16.host.1.00000000.jsonl';
    await rename(join(folder, name), join(folder, renamed));
    await refusedAt(1, renamed);
  });

  it('explains how to recover from a file that was sealed under an earlier key, and does it', async () => {
    const earlier = '2026-06-15.earlier.7.0a1b2c3d.jsonl';
    await writeFile(join(folder, earlier), sealedLines(earlier, [JSON.stringify(entryOf(0))], otherKey));
    const { code, said, text } = await recover();
    expect([code, said.applied, said.faults.length]).toEqual([1, 0, 1]);
    expect(text).toContain('sealed under an earlier REVOCATION_JOURNAL_KEY: run this on it first');
    await rm(join(folder, name));
    expect((await recover(otherKey)).said).toMatchObject({ applied: 1, faults: [] });
    expect(await suspended()).toEqual(['tpp-out']);
  });

  it('changes nothing where an authentic entry has an unknown kind', async () => {
    const entries = lines.map((_, second) =>
      JSON.stringify({ ...entryOf(second), ...(second === 1 && { event: 'x' }) }),
    );
    await writeFile(join(folder, name), sealedLines(name, entries));
    const { code, said } = await recover();
    expect([code, said.applied]).toEqual([1, 0]);
    expect(said.faults).toEqual([`${name}:2: an entry that this version does not know`]);
    expect(await suspended()).toEqual([]);
  });

  it.each([1, 2, 44, 60])(
    'accepts a last line without its last %i characters, as a killed process leaves it',
    async (characters) => {
      const { length } = lines.map((line) => `${line}\n`).join('');
      await truncate(join(folder, name), length - characters);
      const { code, said } = await recover();
      // Where only the line feed is missing, the line is complete.
      const cut = characters > 1;
      expect([code, said.applied]).toEqual([0, cut ? 1 : 2]);
      expect(said.notes).toEqual(cut ? [`${name}:4: cut off when its process ended; it was never acknowledged`] : []);
      expect(await suspended()).toEqual(cut ? ['tpp-out'] : ['tpp-last', 'tpp-out']);
    },
  );

  it('does not read an endless line to its end', async () => {
    await appendFile(join(folder, name), 'x'.repeat(1_000_000));
    await refusedAt(5);
  });

  it('skips every entry that is not a regular file without waiting for it, and reports it', async () => {
    const path = (kind: string) => join(folder, `2026-06-15.${kind}.1.0.jsonl`);
    await mkdir(path('folder'));
    await symlink(join(folder, name), path('link'));
    expect(spawnSync('/usr/bin/mkfifo', [path('pipe')]).status).toBe(0);
    const socket = createServer();
    await new Promise<void>((resolve) => socket.listen(path('socket'), resolve));
    await writeFile(join(folder, 'notes.txt'), 'by hand');
    const { code, said } = await recover();
    socket.close();
    expect([code, said.applied, said.faults]).toEqual([0, 2, []]);
    expect(said.notes).toEqual([
      ...['folder', 'link', 'pipe', 'socket'].map(
        (kind) => `2026-06-15.${kind}.1.0.jsonl: not a regular file, not read`,
      ),
      'notes.txt: not a file of the journal, not read',
    ]);
  });
});
